"""Plausible attempts at notebook 08's exercise that fall short, and the hint that each gets."""

from helpers.device import tf


def assigned(table, rows, gradients, rate):
    table.scatter_nd_update(rows[:, None], -rate * gradients)


def uphill(table, rows, gradients, rate):
    table.scatter_add(tf.IndexedSlices(rate * gradients, rows))


def gathered_first(table, rows, gradients, rate):
    stepped = tf.gather(table, rows) - rate * gradients
    table.scatter_update(tf.IndexedSlices(stepped, rows))


def the_whole_table(table, rows, gradients, rate):
    table.assign_add(tf.scatter_nd(rows[:, None], -rate * gradients, table.shape))


def not_in_place(table, rows, gradients, rate):
    return tf.tensor_scatter_nd_sub(table, rows[:, None], rate * gradients)


def without_the_rate(table, rows, gradients, rate):
    table.scatter_sub(tf.IndexedSlices(gradients, rows))


MISTAKES = {
    assigned: "update is to assign",
    uphill: "descent subtracts",
    gathered_first: "count once",
    the_whole_table: "-0.0 + 0.0 is 0.0",
    not_in_place: "returns a new tensor",
    without_the_rate: "did not move by rate",
}
