"""Rows of one table into another, some at a time, so that no third one is ever in memory."""

from helpers.device import tf


def copy_rows(source, places, target, rows=1_000):
    """Write the rows `places` of a variable, int (n,), into another variable of n rows.

    `rows` at a time are gathered and scattered, which both work in place; to assign to a slice
    would read the whole variable first, and so copy it. From then on TensorFlow copies `target`
    whenever it is read as a whole, and not where rows of it are gathered.
    """
    for first in range(0, len(places), rows):
        of_part = places[first : first + rows]
        at = tf.range(first, first + len(of_part))
        target.value.scatter_update(tf.IndexedSlices(tf.gather(source.value, of_part), at))
