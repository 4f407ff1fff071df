"""Plausible attempts at the exercise of Accumulate that fall short, and the hint that each gets."""

from helpers.device import tf


def _chosen(gradients, frozen):
    return [tf.where(f, tf.zeros_like(g), g) for g, f in zip(gradients, frozen)]


def masked_at_the_step_alone(gradients, frozen):
    return tf.where(frozen[-1], 0.0, tf.add_n(gradients) / len(gradients))


def masked_at_each_batch_alone(gradients, frozen):
    return tf.add_n(_chosen(gradients, frozen)) / len(gradients)


def divided_by_all_batches(gradients, frozen):
    return tf.where(frozen[-1], 0.0, masked_at_each_batch_alone(gradients, frozen))


def never_divided(gradients, frozen):
    return tf.where(frozen[-1], 0.0, tf.add_n(_chosen(gradients, frozen)))


def multiplied(gradients, frozen):
    kept = [g * tf.cast(~f, g.dtype) for g, f in zip(gradients, frozen)]
    batches = tf.add_n([tf.cast(~f, "float32") for f in frozen])
    return tf.where(frozen[-1], 0.0, tf.add_n(kept) / batches)


def the_wrong_way_round(gradients, frozen):
    return gathered_the_wrong_way(gradients, [~f for f in frozen])


def gathered_the_wrong_way(gradients, frozen):
    total = tf.add_n(_chosen(gradients, frozen))
    return tf.where(frozen[-1], 0.0, total / len(gradients))


def a_list_of_gradients(gradients, frozen):
    return tf.stack(_chosen(gradients, frozen))


MISTAKES = {
    masked_at_the_step_alone: "that batch must not be accumulated",
    masked_at_each_batch_alone: "when the step is due",
    divided_by_all_batches: "divide by two",
    never_divided: "three times too long",
    multiplied: "that batch must not be accumulated",
    the_wrong_way_round: "True means frozen",
    a_list_of_gradients: "Return one gradient",
}
