"""What the loop's graph does where the free values alone train: steps of a vector of them."""

import numpy as np

from helpers.device import tf
from helpers.playground.chunk import Chunk
from helpers.step import Cells, training_step
from helpers.techniques import TECHNIQUES, Technique


class FreeChunk(Chunk):
    """As a Chunk, for one technique that trains the free values alone.

    packed     a Packed with room for all cells. Which of them are free is read from the state, so
               that no painted cell asks for a new trace
    whole      the optimizer whose slots it took over; its names are theirs
    technique  the Technique

    The model computes with the vector's values at their places among the held ones, and the
    optimizer knows nothing but the vector. The painted variable is there for those who look on:
    after each step its free cells are told their new values, and its frozen cells nothing, ever.
    """

    def __init__(self, task, packed, whole, technique, state, recorder=None):
        super().__init__(task, packed.optimizer, TECHNIQUES, state, recorder)
        self._free, self._stepped, self._put = packed.free, packed.variables, technique.values
        self._technique = Technique(technique.label, values=self._see)
        self._slots = packed.named(whole.slots_of(task.variable))

    def __call__(self, steps):
        """As a Chunk."""
        self._places = tf.where(~self._state.frozen)
        return super().__call__(steps)

    def _see(self, held, places, vector):
        return self._put(held, places, self._in_use(vector))

    def _in_use(self, vector):
        """Return the front of a vector, where the free cells' numbers stand."""
        return vector[: tf.shape(self._places)[0]]

    def _train(self, loss, apply):
        held = self._task.variable.value
        cells = {self._position: Cells(shadow=held, places=self._places)}
        training_step(self._technique, self._stepped, cells, loss, apply)
        held.scatter_nd_update(self._places, self._in_use(self._free.value))

    def _penalized(self, values):
        """Return what regularizers read: of the painted variable what the model sees, for they may
        ask for its shape; through that, too, a gradient comes to the vector alone."""
        raw = super()._penalized(values)
        raw[self._position] = values[self._position]
        return raw

    def _of_free_cells(self, gradient):
        return gradient

    def _row(self, gradient):
        """Return what is recorded of the step: NaN where a frozen cell has no gradient and no
        slots."""
        slots = {name: self._spread(slot.read_value()) for name, slot in self._slots.items()}
        gradient = None if gradient is None else self._spread(gradient)
        return self._recorder.row(self._task.variable, gradient, self._state.frozen, slots)

    def _spread(self, vector):
        nothing = tf.fill(self._state.frozen.shape, tf.constant(np.nan, vector.dtype))
        return tf.tensor_scatter_nd_update(nothing, self._places, self._in_use(vector))
