"""Whether any mask freezes anything, told in such a way that a step costs nothing if none does."""

import keras
import tensorflow as tf
from tensorflow.python.ops.control_flow_util import GraphOrParentsInXlaContext


class InUse:
    """Which masks freeze a cell.

    Whether any does is told by the *length* of a variable as well: XLA compiles for a length, so
    that it leaves out the branch which is not taken, and compiles once more when the length
    changes. Python traces nothing anew. `track` enters a variable with the optimizer.
    """

    def __init__(self, masks, track):
        self._flags = keras.Variable(tf.zeros(masks, bool), trainable=False, name="in_use")
        self._ones = _AnyLength(tf.zeros(0, bool), trainable=False, name="any_in_use")
        for variable in (self._flags, self._ones):
            track(variable)
        # Of length 1 once code under XLA has been traced that freezes cells: lengths are fixed in
        # there. Not tracked, since a trace stays when the optimizer is given an earlier state.
        self._under_xla = _AnyLength(tf.zeros(0, bool), trainable=False, name="freezes_under_xla")

    def note(self, number, freezes):
        """Enter whether mask `number` freezes a cell: a bool tensor."""
        if GraphOrParentsInXlaContext(tf.compat.v1.get_default_graph()):
            with tf.init_scope():
                self._under_xla.assign([True])
            return
        here = tf.range(self._flags.shape[0]) == number
        self._flags.assign(tf.where(here, freezes, self._flags))
        self._ones.assign(tf.fill([tf.cast(tf.reduce_any(self._flags), tf.int32)], True))

    def any(self):
        """Whether any mask freezes a cell: a bool tensor, and to XLA a constant."""
        return tf.size(self._ones.value) + tf.size(self._under_xla.value) > 0


class _AnyLength(keras.Variable):
    """A vector to which vectors of any length can be assigned."""

    def _initialize(self, value):
        self._value = tf.Variable(value, shape=[None], trainable=False, name=self.name)

    def _validate_shape(self, shape):
        return (None,)
