"""Plausible attempts at the exercise that fall short, and the hint that each gets."""

from helpers.device import tf


def _summed(rows, gradients):
    listed, place = tf.unique(rows)
    total = tf.math.unsorted_segment_sum(gradients, place, tf.size(listed))
    return listed, total


def assigned_to_the_table(table, momentum, rows, gradients, rate):
    listed, total = _summed(rows, gradients)
    step = 0.9 * tf.gather(momentum, listed) - rate * total
    momentum.scatter_nd_update(listed[:, None], step)
    table.scatter_nd_update(listed[:, None], step)


def subtracted(table, momentum, rows, gradients, rate):
    listed, total = _summed(rows, gradients)
    step = 0.9 * tf.gather(momentum, listed) - rate * total
    momentum.scatter_nd_update(listed[:, None], step)
    table.scatter_nd_sub(listed[:, None], step)


def added_to_the_memory(table, momentum, rows, gradients, rate):
    listed, total = _summed(rows, gradients)
    step = 0.9 * tf.gather(momentum, listed) - rate * total
    momentum.scatter_nd_add(listed[:, None], step)
    table.scatter_nd_add(listed[:, None], tf.gather(momentum, listed))


def with_repeats(table, momentum, rows, gradients, rate):
    step = 0.9 * tf.gather(momentum, rows) - rate * gradients
    momentum.scatter_nd_update(rows[:, None], step)
    table.scatter_nd_add(rows[:, None], step)


def repeats_only_in_the_table(table, momentum, rows, gradients, rate):
    listed, total = _summed(rows, gradients)
    step = 0.9 * tf.gather(momentum, listed) - rate * total
    momentum.scatter_nd_update(listed[:, None], step)
    table.scatter_nd_add(rows[:, None], tf.gather(momentum, rows))


def the_memory_of_all_rows(table, momentum, rows, gradients, rate):
    listed, total = _summed(rows, gradients)
    momentum.assign(0.9 * momentum)
    momentum.scatter_nd_sub(listed[:, None], rate * total)
    table.scatter_nd_add(listed[:, None], tf.gather(momentum, listed))


def the_whole_table(table, momentum, rows, gradients, rate):
    listed, total = _summed(rows, gradients)
    step = 0.9 * tf.gather(momentum, listed) - rate * total
    momentum.scatter_nd_update(listed[:, None], step)
    table.assign_add(tf.scatter_nd(listed[:, None], step, table.shape))


def memory_not_written(table, momentum, rows, gradients, rate):
    listed, total = _summed(rows, gradients)
    step = 0.9 * tf.gather(momentum, listed) - rate * total
    table.scatter_nd_add(listed[:, None], step)


def not_in_place(table, momentum, rows, gradients, rate):
    listed, total = _summed(rows, gradients)
    step = 0.9 * tf.gather(momentum, listed) - rate * total
    return tf.tensor_scatter_nd_add(table, listed[:, None], step)


MISTAKES = {
    assigned_to_the_table: "update assigns",
    subtracted: "u is added to the weight",
    added_to_the_memory: "would keep all of u",
    with_repeats: "fade once",
    repeats_only_in_the_table: "has to be taken once",
    the_memory_of_all_rows: "in the momentum",
    the_whole_table: "in the table",
    memory_not_written: "The momentum has not changed",
    not_in_place: "returns a new tensor",
}
