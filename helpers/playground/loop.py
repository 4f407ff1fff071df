"""The compiled training loop: one trace, whatever technique, optimizer or mask is chosen."""

import dataclasses
import functools
import json

from helpers.device import place, tf
from helpers.playground.compiled import compiled
from helpers.playground.history import History
from helpers.playground.recording import Recorder
from helpers.recipes import check
from helpers.stations import describe_step
from helpers.step import training_step
from helpers.techniques import TECHNIQUES, where_gradient


class Loop:
    """A task's training step, compiled once for every technique and every listed optimizer.

    Technique, optimizer and mask live in variables that the graph reads, so changing one never
    traces the graph again. `frozen` has the variable's whole shape, bool, True = frozen.
    `recorder` says which cells are recorded in each step; `recorded` is what the last run wrote
    down, float (steps, quantities, cells), or None.
    `step` is how many steps were taken since the start; `history` notes what was changed, and at
    which step.
    """

    def __init__(self, task, optimizers, device=None):
        self.task, self.device = task, place(device)
        self.names, self.optimizers = list(optimizers), list(optimizers.values())
        self._trained = task.model.trainable_variables
        self._others = task.model.non_trainable_variables
        self._position = next(i for i, v in enumerate(self._trained) if v is task.variable)
        with tf.device(self.device):
            for optimizer in self.optimizers:
                optimizer.build(self._trained)
            self._frozen = tf.Variable(tf.zeros(task.variable.shape, tf.bool))
            self._shadow = tf.Variable(task.variable)  # of a cell as it was frozen
            self._technique = tf.Variable(0, dtype=tf.int32)
            self._optimizer = tf.Variable(0, dtype=tf.int32)
            self._step = tf.Variable(0, dtype=tf.int64)
            self.recorder = Recorder(task.variable, self.optimizers)
        self.step, self._variables = 0, self._list_variables()
        self.history = History(task.variable.shape)
        self._recipe, self._chosen, self.recorded = TECHNIQUES["none"], 0, None
        self.techniques = dict(TECHNIQUES)
        self._start = [v.numpy() for v in self._trained + self._others]
        self._empty = [[v.numpy() for v in o.variables] for o in self.optimizers]
        self._compiled = {}  # whether cells are recorded -> the loop, once it has been traced

    @property
    def values(self):
        """What the model computes with for the painted variable: an array of its whole shape."""
        variable = self.task.variable.value
        return self._recipe.act("shadow", self._shadow, variable, frozen=self._frozen).numpy()

    @property
    def technique(self):
        """The name of the technique in use."""
        return list(self.techniques)[int(self._technique)]

    @property
    def optimizer(self):
        """The optimizer in use."""
        return self.optimizers[self._chosen]

    @property
    def choices(self):
        """What the next step is taken with: the technique's label and the optimizer's name."""
        return f"{self._recipe.label}, {self.names[self._chosen]}"

    def stations(self):
        """What happens where in the next step, as `stations.describe_step` tells it, in dicts."""
        optimizer = self.optimizer
        told = describe_step(
            self._recipe,
            self.names[self._chosen],
            penalty=bool(self.task.variable.regularizer),
            clip=bool(optimizer.clipnorm or optimizer.global_clipnorm),
            average=bool(optimizer.use_ema),
            decay=bool(optimizer.weight_decay),
        )
        return [dataclasses.asdict(station) for station in told]

    def outputs(self, inputs):
        """What the model makes of `inputs`, with the values that it computes with, not training."""
        values = [variable.value for variable in self._trained]
        values[self._position] = tf.constant(self.values)
        with tf.device(self.device):
            outputs, _ = self.task.model.stateless_call(values, self._others, inputs)
        return outputs.numpy()

    @property
    def traces(self):
        """How many graphs it has: 1 once it has run, whatever was changed since; 2 once cells have
        been recorded."""
        return len(self._compiled)

    @property
    def frozen(self):
        """The mask in force in TensorFlow, as a bool array of the variable's shape."""
        return self._frozen.numpy()

    @property
    def start(self):
        """What the variables held before the first step: arrays of those that train, and of the
        others."""
        return self._start[: len(self._trained)], self._start[len(self._trained) :]

    def freeze(self, frozen):
        """Put a mask in force from the next step on."""
        self.history.freeze(self.step, frozen)
        newly = frozen & ~self._frozen.numpy()
        self._shadow.assign(tf.where(newly, self.task.variable.value, self._shadow))
        self._frozen.assign(frozen)
        if self._recipe.exact:
            self._mask_optimizer()

    def use_technique(self, name):
        """Freeze by another recipe from the next step on."""
        self._technique.assign(list(self.techniques).index(name))
        self.history.choose(self.step, "technique", name)
        self._recipe = self.techniques[name]
        self._mask_optimizer()

    def add_technique(self, name, technique):
        """Let another Technique be chosen, or replace the one of that name. The loop is traced anew
        with it; what goes wrong is raised as a ValueError, and nothing has changed."""
        check(technique, self.task.variable.value)
        before = self.techniques, self._compiled
        self.techniques, self._compiled = {**self.techniques, name: technique}, {}
        try:
            self.run(0)
        except Exception as error:
            self.techniques, self._compiled = before
            message = f"{technique.label!r} cannot be compiled: {error}"
            raise ValueError(message) from error
        if self._recipe is before[0].get(name):
            self._recipe = technique

    def use_optimizer(self, name):
        """Train with another optimizer from the next step on; its own state starts empty."""
        self._chosen = self.names.index(name)
        self.history.choose(self.step, "optimizer", name)
        self._fill(self.optimizers[self._chosen].variables, self._empty[self._chosen])
        self._optimizer.assign(self._chosen)
        self._mask_optimizer()

    def reset(self):
        """Take weights, optimizer state and the step count back to the start; the mask stays."""
        self._fill(self._trained + self._others, self._start)
        for optimizer, empty in zip(self.optimizers, self._empty):
            self._fill(optimizer.variables, empty)
        self._step.assign(0)
        self.step = 0
        self.history.restart()
        self._shadow.assign(self.task.variable.value)
        self._mask_optimizer()

    def run(self, steps):
        """Take `steps` steps and return their losses, a float32 array.

        Stops before the first step whose loss, or a free cell's gradient in any variable, is not
        finite, so that the weights before it are kept; the array is then shorter than `steps`.
        """
        recording = self.recorder.recording
        with tf.device(self.device):
            if recording not in self._compiled:
                self._compiled[recording] = self._compile(recording)
            try:
                done, losses, *rows = self._compiled[recording](steps, self._variables)
            except Exception:  # in the middle of it, after so many steps
                self.step = int(self._step.numpy())
                raise
        done = int(done)
        self.step += done
        self.recorded = rows[0].numpy()[:done] if rows else None
        return losses.numpy()[:done]

    def _list_variables(self):
        """Every tf.Variable that a step may read or write, in the same order for every loop."""
        variables = [*self._trained, *self._others]
        for optimizer in self.optimizers:
            variables += optimizer.variables
        variables = [variable.value for variable in variables]
        variables += [self._frozen, self._shadow, self._technique, self._optimizer, self._step]
        return [*variables, *self.task.reads, self.recorder.cells]

    def _compile(self, recording):
        made = [(type(optimizer), _settings(optimizer)) for optimizer in self.optimizers]
        kind = self.task.kind and (self.task.kind, self.device, *made, recording)
        if self._has_own:
            kind = None
        return compiled(kind, functools.partial(self._many_steps, recording), self._variables)

    @property
    def _has_own(self):
        """Whether there is a technique that is not the course's."""
        return self.techniques != TECHNIQUES

    def _mask_optimizer(self):
        """Let the optimizer in use keep frozen cells, or, with any recipe, keep nothing."""
        frozen = self._frozen.numpy() & self._recipe.exact
        self.optimizer.freeze_cells(self.task.variable, frozen)

    @staticmethod
    def _fill(variables, arrays):
        for variable, array in zip(variables, arrays):
            variable.assign(array)

    def _many_steps(self, recording, steps):
        """Return how many steps were taken, their losses and, if asked for, what was recorded."""

        def more(done, finite, logs):
            return finite & (done < steps)

        def one(done, finite, logs):
            told, finite = self._one_step(recording)
            logs = [log.write(done, value) for log, value in zip(logs, told, strict=True)]
            return done + tf.cast(finite, tf.int32), finite, logs

        logs = [tf.TensorArray(tf.float32, steps, element_shape=())]
        if recording:
            logs.append(self.recorder.log(steps))
        first = tf.constant(0), tf.constant(True), logs
        done, _, logs = tf.while_loop(more, one, first, parallel_iterations=1)
        return [done, *(log.stack() for log in logs)]

    def _one_step(self, recording):
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

        variable, switch = self.task.variable, Switch(self.techniques.values(), self._technique)
        before = tf.identity(variable.value) if self._has_own else None
        training_step(
            switch, self._trained, self._position, self._frozen, loss, apply, self._shadow
        )
        if self._has_own:
            sound = _keep_finite(variable, before)
            self._step.assign_sub(tf.cast(seen["finite"] & ~sound, tf.int64))
            seen["finite"] &= sound
        told = [seen["loss"]]
        if recording:
            shown = switch.act("shadow", self._shadow, variable.value, frozen=self._frozen)
            told.append(self.recorder.row(shown, seen["gradient"], self._frozen, self._optimizer))
        return told, seen["finite"]

    def _loss(self, values):
        """The loss of the step's batch, and what layers such as BatchNorm are to remember."""
        inputs, targets = self.task.batch(self._step)
        outputs, others = self.task.model.stateless_call(
            values, self._others, inputs, training=True
        )
        loss = tf.cast(self.task.loss(targets, outputs), tf.float32)
        # Regularizers read the variables themselves, whatever the model is given to see.
        for regularized in filter(lambda v: v.regularizer, self._trained):
            loss += tf.cast(regularized.regularizer(regularized.value), tf.float32)
        return loss, others

    def _finite(self, loss, gradients):
        """Whether nothing is NaN or infinite; a frozen cell's gradient does not count."""
        free = list(gradients)
        free[self._position] = where_gradient(free[self._position], self._frozen)
        checks = [tf.math.is_finite(value) for value in (loss, *free) if value is not None]
        return tf.reduce_all([tf.reduce_all(each) for each in checks])

    def _update(self, gradients, others):
        branches = [functools.partial(self._apply, o, gradients) for o in self.optimizers]
        tf.switch_case(self._optimizer.read_value(), branches)
        self._fill(self._others, others)
        self._step.assign_add(1)
        return tf.constant(0)

    def _apply(self, optimizer, gradients):
        optimizer.apply(gradients, self._trained)
        return tf.constant(0)


def _settings(optimizer):
    """An optimizer's settings as text, but for its name, which counts up."""
    return json.dumps(optimizer.get_config() | {"name": None}, default=repr)


def _keep_finite(variable, before):
    """Put a variable back to its values `before` if a cell that was finite is so no more; return
    whether all is well. A recipe of one's own may do anything."""
    spoilt = tf.math.is_finite(before) & ~tf.math.is_finite(variable.value)
    sound = ~tf.reduce_any(spoilt)
    variable.assign(tf.where(sound, variable.value, before))
    return sound


def _nothing():
    return tf.constant(0)


class Switch:
    """Acts as the technique whose number a variable holds: all of them are in the traced graph."""

    after = True  # whether a technique acts there is known only when the graph runs

    def __init__(self, techniques, number):
        self._techniques, self._number = list(techniques), number

    def act(self, place, *values, frozen):
        """As `Technique.act`."""
        branches = [
            functools.partial(self._branch, technique, place, values, frozen)
            for technique in self._techniques
        ]
        return tf.switch_case(self._number.read_value(), branches)

    def _branch(self, technique, place, values, frozen):
        return tf.identity(technique.act(place, *values, frozen=frozen))
