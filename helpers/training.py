"""The compiled training loop, and the thread that runs it live, in chunks of a few milliseconds."""

import collections
import concurrent.futures
import math
import sys
import threading
import time

import numpy as np

from helpers.device import keras, place, tf
from helpers.freezing import freezable
from helpers.techniques import TECHNIQUES

CHUNK_SECONDS = 0.004
LONGEST_CHUNK = 4096
# A thread that computes in Python keeps the others waiting for this long (5 ms by default). With a
# busy cell in the notebook, a painted cell would wait a dozen times on its way to the next step.
sys.setswitchinterval(0.001)

# All are freezable, so that the exact freeze can be chosen; with no mask set, a freezable optimizer
# takes the very step of Keras' own.
OPTIMIZERS = {
    "sgd": lambda rate: freezable(keras.optimizers.SGD)(rate or 0.1),
    "momentum": lambda rate: freezable(keras.optimizers.SGD)(rate or 0.01, momentum=0.9),
    "adam": lambda rate: freezable(keras.optimizers.Adam)(rate or 0.001),
    "adamw": lambda rate: freezable(keras.optimizers.AdamW)(rate or 0.001, weight_decay=0.01),
}


class NotFinite(ArithmeticError):
    """The loss, or the gradient of a free cell, is NaN or infinite."""


def known_optimizer(optimizer):
    """Return the name under which `optimizer` (a name or a Keras optimizer) is listed."""
    if isinstance(optimizer, keras.optimizers.Optimizer):
        return optimizer.name
    name = str(optimizer).lower()
    if name not in OPTIMIZERS:
        optimizer_class(optimizer)
    return name


def make_optimizer(optimizer, rate=None):
    """Return a freezable optimizer for a name ("adam"); for an optimizer, a freezable copy of it,
    with the same settings and empty state."""
    if isinstance(optimizer, keras.optimizers.Optimizer):
        return freezable(type(optimizer)).from_config(optimizer.get_config())
    name = known_optimizer(optimizer)
    if name in OPTIMIZERS:
        return OPTIMIZERS[name](rate)
    return freezable(optimizer_class(name))()


def optimizer_class(name):
    """Return the Keras optimizer class of a name, in upper or lower case; else ValueError."""
    known, base = vars(keras.optimizers), keras.optimizers.Optimizer
    for listed, found in known.items():
        if listed.lower() == str(name).lower() and isinstance(found, type) and found is not base:
            return found
    raise ValueError(
        f"The optimizer {name!r} arrived; a Keras optimizer or its name was wanted, "
        f"for example {', '.join(map(repr, OPTIMIZERS))}."
    )


class Loop:
    """A task's training step, compiled once for every technique and every listed optimizer.

    Technique, optimizer and mask live in variables that the graph reads, so changing one never
    traces the graph again. `frozen` has the variable's whole shape, bool, True = frozen.
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
        self._recipe = TECHNIQUES["none"]
        self._start = [v.numpy() for v in self._trained + self._others]
        self._empty = [[v.numpy() for v in o.variables] for o in self.optimizers]
        self._run = tf.function(self._many_steps, autograph=False)

    @property
    def step(self):
        """Number of steps taken since the start."""
        return int(self._step.numpy())

    @property
    def values(self):
        """What the model computes with for the painted variable: an array of its whole shape."""
        variable, shown = self.task.variable.value, self._recipe.shadow
        return (shown(self._shadow, variable, self._frozen) if shown else variable).numpy()

    @property
    def traces(self):
        """How often the step was traced; 1 once it has run, whatever was changed since."""
        return self._run.experimental_get_tracing_count()

    @property
    def frozen(self):
        """The mask in force in TensorFlow, as a bool array of the variable's shape."""
        return self._frozen.numpy()

    def freeze(self, frozen):
        """Put a mask in force from the next step on."""
        newly = frozen & ~self._frozen.numpy()
        self._shadow.assign(tf.where(newly, self.task.variable.value, self._shadow))
        self._frozen.assign(frozen)
        if self._recipe.exact:
            self._mask_optimizer()

    def use_technique(self, name):
        """Freeze by another recipe from the next step on."""
        self._technique.assign(list(TECHNIQUES).index(name))
        self._recipe = TECHNIQUES[name]
        self._mask_optimizer()

    def use_optimizer(self, name):
        """Train with another optimizer from the next step on; its own state starts empty."""
        chosen = self.names.index(name)
        self._fill(self.optimizers[chosen].variables, self._empty[chosen])
        self._optimizer.assign(chosen)
        self._mask_optimizer()

    def reset(self):
        """Take weights, optimizer state and the step count back to the start; the mask stays."""
        self._fill(self._trained + self._others, self._start)
        for optimizer, empty in zip(self.optimizers, self._empty):
            self._fill(optimizer.variables, empty)
        self._step.assign(0)
        self._shadow.assign(self.task.variable.value)
        self._mask_optimizer()

    def run(self, steps):
        """Take `steps` steps and return their losses, a float32 array.

        Stops before the first step whose loss or free gradient is not finite, so that the weights
        before it are kept; the array is then shorter than `steps`.
        """
        with tf.device(self.device):
            done, losses = self._run(tf.constant(steps, tf.int32))
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
        loss, gradients, others = self._gradients()
        mine = gradients[self._position]
        finite = tf.math.is_finite(loss) & tf.reduce_all(tf.math.is_finite(mine) | self._frozen)
        gradients[self._position] = self._apply_recipe("gradient", mine)

        def update():
            self._update(gradients)
            self._fill(self._others, others)
            self._step.assign_add(1)
            return tf.constant(True)

        return loss, tf.cond(finite, update, lambda: tf.constant(False))

    def _gradients(self):
        inputs, targets = self.task.batch(self._step)
        with tf.GradientTape() as tape:
            values = [tf.convert_to_tensor(v) for v in self._trained]
            seen = self._apply_recipe("weights", values[self._position])
            values[self._position] = self._apply_recipe("shadow", self._shadow.read_value(), seen)
            outputs, others = self.task.model.stateless_call(
                values, self._others, inputs, training=True
            )
            loss = tf.cast(self.task.loss(targets, outputs), tf.float32)
        raw = [v.value for v in self._trained]
        return loss, list(map(_whole, tape.gradient(loss, raw))), others

    def _update(self, gradients):
        before = tf.identity(self.task.variable.value)
        tf.switch_case(
            self._optimizer.read_value(), [self._applier(o, gradients) for o in self.optimizers]
        )
        after = self._apply_recipe("after", before, self.task.variable.value)
        self.task.variable.assign(after)

    def _applier(self, optimizer, gradients):
        def apply():
            optimizer.apply(gradients, self._trained)
            return tf.constant(0)

        return apply

    def _apply_recipe(self, place, *values):
        """Run the chosen technique's function for this place; without one, the last value stays."""
        functions = [getattr(t, place) for t in TECHNIQUES.values()]

        def branch(function):
            if function is None:
                return lambda: tf.identity(values[-1])
            return lambda: function(*values, self._frozen.read_value())

        return tf.switch_case(self._technique.read_value(), [branch(f) for f in functions])


def _whole(gradient):
    """The gradient of an embedding table comes as a list of rows; recipes want every cell."""
    sparse = isinstance(gradient, tf.IndexedSlices)
    return tf.convert_to_tensor(gradient) if sparse else gradient


class Trainer:
    """One thread that owns a Loop: everything that touches its variables happens here.

    `between` is called on the thread between chunks, with the losses of the chunk before; it
    returns the seconds after which it wants to be called again, or None. `failed` is called with
    an exception that ends training.
    """

    def __init__(self, loop, between, failed):
        self.loop, self.limit = loop, None
        self._between, self._failed = between, failed
        self._wake, self._tasks = threading.Condition(), collections.deque()
        self._budget, self._closed, self._broken = 0, False, False
        self._idle = threading.Event()
        self._seconds_a_step, self._credit, self._last = 1e-3, 0.0, time.perf_counter()
        self._thread = threading.Thread(target=self._live, name="freezing-trainer", daemon=True)

    def open(self):
        """Start the thread, once everything that its callbacks need is there."""
        self._thread.start()

    @property
    def running(self):
        """Whether there are steps left to take."""
        return self._budget > 0

    @property
    def left(self):
        """How many steps are left to take; infinite while it trains until stopped."""
        return self._budget

    def start(self, steps=math.inf, limit=None):
        """Take `steps` steps, at most `limit` a second (None = as fast as it goes)."""
        self.do(lambda: self._set(steps, limit))

    def stop(self):
        """Take no further step; the chunk under way ends first."""
        self.do(lambda: self._set(0, None))

    def wait(self):
        """Return when no steps are left to take."""
        # In short waits: an interrupt may reach another thread, and then wakes nobody here.
        while not self._idle.wait(0.1):
            pass

    def wake(self):
        """Have `between` called soon."""
        with self._wake:
            self._tasks.append(None)
            self._wake.notify()

    def do(self, function):
        """Run `function` on the thread, between two chunks, and return what it returns."""
        if threading.current_thread() is self._thread:
            return function()
        future = concurrent.futures.Future()
        with self._wake:
            if self._closed:
                raise RuntimeError("This playground is closed. Run its cell again for a new one.")
            self._tasks.append((function, future))
            self._wake.notify()
        return future.result()

    def close(self):
        """End the thread, and wait until it is gone."""
        with self._wake:
            self._closed, self._budget = True, 0
            self._wake.notify()
        self._idle.set()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _set(self, steps, limit):
        self._budget, self.limit = steps, limit
        self._idle.clear() if steps else self._idle.set()

    def _live(self):
        while not self._closed:
            try:
                self._run_tasks()
                again = self._between(self._chunk(self._steps_due()))
                self._check_finite()
                if not self.running:
                    self._idle.set()
            except Exception as error:  # whatever it is, the person must see it
                again = None
                self._failed(error)
                self._set(0, None)
            self._sleep(again)
        self._run_tasks()

    def _run_tasks(self):
        while self._tasks:
            task = self._tasks.popleft()
            if task is None:
                continue
            function, future = task
            try:
                future.set_result(function())
            except Exception as error:
                future.set_exception(error)

    def _chunk(self, steps):
        """Take `steps` steps, which may be none, and return their losses."""
        if not steps:
            return np.zeros(0, np.float32)
        started = time.perf_counter()
        losses = self.loop.run(steps)
        took = (time.perf_counter() - started) / steps
        self._seconds_a_step += 0.3 * (took - self._seconds_a_step)
        self._budget -= steps
        self._broken = len(losses) < steps
        return losses

    def _check_finite(self):
        if self._broken:
            self._broken = False
            raise NotFinite(
                f"The loss or a gradient was not finite at step {self.loop.step + 1}: training "
                "stopped, and the weights before that step are kept. Reset, and lower the learning "
                "rate or choose another optimizer."
            )

    def _steps_due(self):
        """Steps for the next chunk: what fits into CHUNK_SECONDS and under the limit."""
        fits = max(1, min(LONGEST_CHUNK, int(CHUNK_SECONDS / self._seconds_a_step)))
        now = time.perf_counter()
        if self.limit is None or not self.running:
            self._credit, self._last = 0.0, now
            return int(min(fits, self._budget))
        # A token bucket that holds at most a twentieth of a second: no burst after a pause.
        self._credit += (now - self._last) * self.limit
        self._credit, self._last = min(self._credit, max(1.0, self.limit / 20)), now
        steps = int(min(fits, self._budget, self._credit))
        self._credit -= steps
        return steps

    def _sleep(self, again):
        with self._wake:
            if self._tasks or self._closed or (self.running and self.limit is None):
                return
            if self.running:
                # The next chunk is due when the limit allows a step, and not sooner than 4 ms
                # after the last one, so that at high speeds one call takes many steps.
                waited = time.perf_counter() - self._last
                pause = max(CHUNK_SECONDS - waited, (1 - self._credit) / self.limit - waited, 0)
                again = pause if again is None else min(again, pause)
            self._wake.wait(again)
