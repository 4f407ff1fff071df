"""The compiled training loop: one trace, whatever technique, optimizer or mask is chosen."""

import functools

from helpers.device import place, tf
from helpers.playground.history import History
from helpers.step import training_step
from helpers.techniques import TECHNIQUES, where_gradient


class Loop:
    """A task's training step, compiled once for every technique and every listed optimizer.

    Technique, optimizer and mask live in variables that the graph reads, so changing one never
    traces the graph again. `frozen` has the variable's whole shape, bool, True = frozen.
    `history` notes what was changed, and at which step.
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
            self._switch = Switch(TECHNIQUES.values(), self._technique)
            self._optimizer = tf.Variable(0, dtype=tf.int32)
            self._step = tf.Variable(0, dtype=tf.int64)
        self._recipe, self.history = TECHNIQUES["none"], History(task.variable.shape)
        self._start = [v.numpy() for v in self._trained + self._others]
        self._empty = [[v.numpy() for v in o.variables] for o in self.optimizers]
        count = tf.TensorSpec((), tf.int32)
        self._run = tf.function(self._many_steps, [count], autograph=False)

    @property
    def step(self):
        """Number of steps taken since the start."""
        return int(self._step.numpy())

    @property
    def values(self):
        """What the model computes with for the painted variable: an array of its whole shape."""
        variable = self.task.variable.value
        return self._recipe.act("shadow", self._shadow, variable, frozen=self._frozen).numpy()

    @property
    def traces(self):
        """How often the step was traced; 1 once it has run, whatever was changed since."""
        return self._run.experimental_get_tracing_count()

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
        self._technique.assign(list(TECHNIQUES).index(name))
        self.history.choose(self.step, "technique", name)
        self._recipe = TECHNIQUES[name]
        self._mask_optimizer()

    def use_optimizer(self, name):
        """Train with another optimizer from the next step on; its own state starts empty."""
        chosen = self.names.index(name)
        self.history.choose(self.step, "optimizer", name)
        self._fill(self.optimizers[chosen].variables, self._empty[chosen])
        self._optimizer.assign(chosen)
        self._mask_optimizer()

    def reset(self):
        """Take weights, optimizer state and the step count back to the start; the mask stays."""
        self._fill(self._trained + self._others, self._start)
        for optimizer, empty in zip(self.optimizers, self._empty):
            self._fill(optimizer.variables, empty)
        self._step.assign(0)
        self.history.restart()
        self._shadow.assign(self.task.variable.value)
        self._mask_optimizer()

    def run(self, steps):
        """Take `steps` steps and return their losses, a float32 array.

        Stops before the first step whose loss, or a free cell's gradient in any variable, is not
        finite, so that the weights before it are kept; the array is then shorter than `steps`.
        """
        with tf.device(self.device):
            # The traced loop itself: a tf.function would warn, when a cell has been run some
            # times over, that many loops of one kind are traced.
            traced = self._run.get_concrete_function()
            done, losses = traced(tf.constant(steps, tf.int32))
        return losses.numpy()[: int(done)]

    def _mask_optimizer(self):
        """Let the optimizer in use keep frozen cells, or, with any recipe, keep nothing."""
        frozen = self._frozen.numpy() & self._recipe.exact
        self.optimizers[int(self._optimizer)].freeze_cells(self.task.variable, frozen)

    @staticmethod
    def _fill(variables, arrays):
        for variable, array in zip(variables, arrays):
            variable.assign(array)

    def _many_steps(self, steps):
        def more(done, losses, finite):
            return finite & (done < steps)

        def one(done, losses, finite):
            loss, finite = self._one_step()
            return done + tf.cast(finite, tf.int32), losses.write(done, loss), finite

        losses = tf.TensorArray(tf.float32, steps, element_shape=())
        first = tf.constant(0), losses, tf.constant(True)
        done, losses, _ = tf.while_loop(more, one, first, parallel_iterations=1)
        return done, losses.stack()

    def _one_step(self):
        """One step, unless something in it is not finite: then whether it is, and no change."""
        seen = {}

        def loss(values):
            seen["loss"], seen["others"] = self._loss(values)
            return seen["loss"]

        def apply(gradients):
            seen["finite"] = self._finite(seen["loss"], gradients)
            tf.cond(seen["finite"], lambda: self._update(gradients, seen["others"]), _nothing)

        training_step(
            self._switch, self._trained, self._position, self._frozen, loss, apply, self._shadow
        )
        return seen["loss"], seen["finite"]

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
