"""What the loop's graph does: some steps, each of them through the one training step.

It is traced once for all techniques: which of them acts, and on which cells, stands in variables
that the graph reads. Each optimizer has a graph of its own: one for all of them takes seconds to
trace, and most readers need a quarter of it. A technique that trains the free values alone trains
another variable, so it has a graph of its own as well.
"""

import functools
from dataclasses import dataclass

from helpers.device import tf
from helpers.step import Cells, training_step
from helpers.techniques import TECHNIQUES, where_gradient


@dataclass(frozen=True)
class State:
    """The variables of a run beside those of its model and its optimizer.

    frozen      bool, of the painted variable's shape, True = frozen
    shadow      of that shape: what each frozen cell held when it was frozen
    technique   int32, the number of the technique in use
    step        int64, how many steps were taken since the start
    """

    frozen: tf.Variable
    shadow: tf.Variable
    technique: tf.Variable
    step: tf.Variable

    @classmethod
    def of(cls, variable):
        """Return the state before the first step: nothing frozen, the first technique."""
        numbers = [tf.Variable(0, dtype=dtype) for dtype in (tf.int32, tf.int64)]
        return cls(tf.Variable(tf.zeros(variable.shape, tf.bool)), tf.Variable(variable), *numbers)

    @property
    def variables(self):
        """All of them, in one order."""
        return list(vars(self).values())


class Chunk:
    """A function that takes steps, to be traced.

    task        as for a Loop
    optimizer   one of the loop's
    techniques  name -> Technique: those that can be chosen
    state       a State
    recorder    a Recorder, if what happens in chosen cells is to be written down, else None
    """

    def __init__(self, task, optimizer, techniques, state, recorder=None):
        self._task, self._optimizer, self._state = task, optimizer, state
        self._recorder = recorder
        self._trained = self._stepped = task.model.trainable_variables
        self._others = task.model.non_trainable_variables
        self._position = next(i for i, v in enumerate(self._trained) if v is task.variable)
        self._switch = Switch(techniques.values(), state.technique)
        self._has_own = techniques != TECHNIQUES  # which may do anything

    def __call__(self, steps):
        """Return how many steps were taken, their losses and, if asked for, what was recorded."""

        def more(done, finite, logs):
            return finite & (done < steps)

        def one(done, finite, logs):
            noted, finite = self._step()
            logs = [log.write(done, value) for log, value in zip(logs, noted, strict=True)]
            return done + tf.cast(finite, tf.int32), finite, logs

        logs = [tf.TensorArray(tf.float32, steps, element_shape=())]
        if self._recorder:
            logs.append(self._recorder.log(steps))
        first = tf.constant(0), tf.constant(True), logs
        done, _, logs = tf.while_loop(more, one, first, parallel_iterations=1)
        return [done, *(log.stack() for log in logs)]

    def _step(self):
        """One step, unless something in it is not finite: then no change. Returns what is noted of
        it, the loss first, and whether it was finite."""
        seen = {}

        def loss(values):
            seen["loss"], seen["others"] = self._loss(values)
            return seen["loss"]

        def apply(gradients):
            seen["gradient"] = gradients[self._position]
            seen["finite"] = self._finite(seen["loss"], gradients)
            tf.cond(seen["finite"], lambda: self._update(gradients, seen["others"]), _nothing)

        sound = self._train(loss, apply)
        if sound is not None:
            self._state.step.assign_sub(tf.cast(seen["finite"] & ~sound, tf.int64))
            seen["finite"] &= sound
        noted = [seen["loss"]]
        if self._recorder:
            noted.append(self._row(seen["gradient"]))
        return noted, seen["finite"]

    def _train(self, loss, apply):
        """Take the training step; return whether all is well where somebody's own recipe may have
        done any harm, and otherwise None."""
        variable, state = self._task.variable, self._state
        before = tf.identity(variable.value) if self._has_own else None
        cells = {self._position: Cells(state.frozen, state.shadow)}
        training_step(self._switch, self._trained, cells, loss, apply)
        return _keep_finite(variable, before) if self._has_own else None

    def _loss(self, values):
        """Return the loss of the step's batch, and what layers such as BatchNorm are to
        remember."""
        inputs, targets = self._task.batch(self._state.step)
        outputs, others = self._task.model.stateless_call(
            values, self._others, inputs, training=True
        )
        loss = tf.cast(self._task.loss(targets, outputs), tf.float32)
        for variable, value in zip(self._trained, self._penalized(values)):
            if variable.regularizer:
                loss += tf.cast(variable.regularizer(value), tf.float32)
        return loss, others

    def _penalized(self, values):
        """Return what regularizers read: the variables themselves, whatever the model is given to
        see."""
        return [variable.value for variable in self._trained]

    def _finite(self, loss, gradients):
        """Return whether nothing is NaN or infinite; a frozen cell's gradient does not count."""
        free = list(gradients)
        free[self._position] = self._of_free_cells(free[self._position])
        checks = [tf.math.is_finite(value) for value in (loss, *free) if value is not None]
        return tf.reduce_all([tf.reduce_all(each) for each in checks])

    def _of_free_cells(self, gradient):
        return where_gradient(gradient, self._state.frozen)

    def _update(self, gradients, others):
        self._optimizer.apply(gradients, self._stepped)
        for variable, value in zip(self._others, others):
            variable.assign(value)
        self._state.step.assign_add(1)
        return tf.constant(0)

    def _row(self, gradient):
        """Return what is recorded of the step."""
        state, value = self._state, self._task.variable.value
        seen = self._switch.act("shadow", state.shadow, value, frozen=state.frozen)
        slots = self._optimizer.slots_of(self._task.variable)
        return self._recorder.row(seen, gradient, state.frozen, slots)


def _keep_finite(variable, before):
    """Put a variable back to its values `before` if a cell that was finite is so no more; return
    whether all is well."""
    spoilt = tf.math.is_finite(before) & ~tf.math.is_finite(variable.value)
    sound = ~tf.reduce_any(spoilt)
    variable.assign(tf.where(sound, variable.value, before))
    return sound


def _nothing():
    return tf.constant(0)


class Switch:
    """Acts as the technique whose number a variable holds: all of them are in the traced graph."""

    after = True  # whether a technique acts there is known only when the graph runs
    values = None  # a technique that acts there has a graph of its own

    def __init__(self, techniques, number):
        self._techniques, self._number = list(techniques), number

    def act(self, place, *values, frozen):
        """As `Technique.act`."""
        # Most techniques do nothing at most places: one branch for all that do the same.
        doing = [getattr(technique, place) for technique in self._techniques]
        branches = {
            function: functools.partial(self._branch, technique, place, values, frozen)
            for function, technique in zip(doing, self._techniques)
        }
        which = tf.constant([list(branches).index(function) for function in doing])
        return tf.switch_case(which[self._number.read_value()], list(branches.values()))

    def _branch(self, technique, place, values, frozen):
        return tf.identity(technique.act(place, *values, frozen=frozen))
