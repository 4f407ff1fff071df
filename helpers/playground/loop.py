"""The compiled training loop: one trace an optimizer, whatever technique or mask is chosen.

A technique that trains the free values alone has a trace of its own. While it takes steps, values
and slots of free cells stand in the vectors of a Packed; `unpack` brings them back.
"""

import dataclasses
import json

import numpy as np

from helpers import private
from helpers.device import place, tf
from helpers.freezing import FreezesCells
from helpers.own_techniques import check
from helpers.packing import Packed
from helpers.playground import locks
from helpers.playground.chunk import Chunk, State
from helpers.playground.compiled import compiled
from helpers.playground.free_chunk import FreeChunk
from helpers.playground.history import History
from helpers.playground.knobs import Knobs
from helpers.playground.recording import Recorder
from helpers.stations import Conditions, describe_step
from helpers.techniques import TECHNIQUES


class Loop:
    """A task's training step, compiled for an optimizer when it takes its first step.

    Technique and mask live in variables that the graph reads, so changing one never traces the
    graph again; but the first step with a technique that trains the free values alone does.
    `frozen` has the variable's whole shape, bool, True = frozen.
    Whoever reads its variables from another thread holds `lock`, so that no step is half taken.
    `recorder` says which cells are recorded in each step; `recorded` is what the last run wrote
    down, float (steps, quantities, cells), or None.
    `step` is how many steps were taken since the start; `history` notes what was changed, and at
    which step.
    """

    def __init__(self, task, optimizers, device=None):
        self.task, self.device, self.lock = task, place(device), locks.make("step")
        self.names, self.optimizers = list(optimizers), list(optimizers.values())
        self._trained = task.model.trainable_variables
        self._others = task.model.non_trainable_variables
        with tf.device(self.device), tf.variable_creator_scope(private.without_name):
            for optimizer in self.optimizers:
                optimizer.build(self._trained)
            self._state = State.of(task.variable)
            self.recorder = Recorder(task.variable, self.optimizers)
            self._knobs = [Knobs(each, task.variable.dtype) for each in self.optimizers]
        pairs = zip(self.optimizers, self._knobs)
        self.step, self._variables = 0, [self._list_variables(*pair) for pair in pairs]
        self.history = History(task.variable.shape)
        self._recipe, self._chosen, self.recorded = TECHNIQUES["none"], 0, None
        self.techniques = dict(TECHNIQUES)
        self._start = [v.numpy() for v in self._trained + self._others]
        self._empty = [[v.numpy() for v in o.variables] for o in self.optimizers]
        self._compiled = {}  # what `_kind` returns -> the loop, once traced
        self._packs = {}  # optimizer -> its Packed, once it was needed
        self._packed = None  # the one in which values and slots stand at the moment

    @property
    def values(self):
        """What the model computes with for the painted variable: an array of its whole shape."""
        state, variable = self._state, self.task.variable.value
        return self._recipe.act("shadow", state.shadow, variable, frozen=state.frozen).numpy()

    @property
    def technique(self):
        """The name of the technique in use."""
        return list(self.techniques)[int(self._state.technique)]

    @property
    def optimizer(self):
        """The optimizer in use."""
        return self.optimizers[self._chosen]

    @property
    def choices(self):
        """What the next step is taken with: the technique's label, the optimizer's name, and what
        of that is turned."""
        turned = [f"{name} {number:g}" for name, number in self.knobs.turned.items()]
        return ", ".join([self._recipe.label, self.names[self._chosen], *turned])

    @property
    def knobs(self):
        """The Knobs of the optimizer in use; see `turn`."""
        return self._knobs[self._chosen]

    def knobs_of(self, name):
        """Return the Knobs of another optimizer that can be chosen."""
        return self._knobs[self.names.index(name)]

    def stations(self):
        """Return what happens where in the next step, as `stations.describe_step` tells it, in
        dicts."""
        optimizer, numbers = self.optimizer, self.knobs.now
        conditions = Conditions(
            self.names[self._chosen],
            penalty=bool(self.task.variable.regularizer),
            clip=bool(optimizer.clipnorm or optimizer.global_clipnorm),
            average=bool(optimizer.use_ema),
            warm=numbers.get("momentum") != 0 and self._remembers,  # at 0, nothing is left
            decay=bool(numbers.get("decay", optimizer.weight_decay)),
        )
        return [dataclasses.asdict(each) for each in describe_step(self._recipe, conditions)]

    @property
    def _remembers(self):
        """Whether the momentum of any frozen cell holds gradients; where none is frozen, or there
        is no slot of this name, as if it did."""
        frozen, slots = self.frozen, self.optimizer.slots_of(self.task.variable)
        if "momentum" not in slots or not frozen.any():
            return True
        return bool(slots["momentum"].numpy()[frozen].any())

    def outputs(self, inputs):
        """Return what the model makes of `inputs`, with the values that it computes with, not
        training."""
        seen, painted = tf.constant(self.values), self.task.variable
        values = [seen if each is painted else each.value for each in self._trained]
        with tf.device(self.device):
            outputs, _ = self.task.model.stateless_call(values, self._others, inputs)
        return outputs.numpy()

    @property
    def traces(self):
        """How many graphs it has: one for each optimizer that has taken steps, another one for each
        that has taken steps while cells were recorded, and as many more where the free values alone
        were trained."""
        return len(self._compiled)

    @property
    def is_compiled(self):
        """Whether the next step has its graph already."""
        return self._kind(self._recipe) in self._compiled

    @property
    def frozen(self):
        """The mask in force in TensorFlow, as a bool array of the variable's shape."""
        return self._state.frozen.numpy()

    @property
    def start(self):
        """What the variables held before the first step: arrays of those that train, and of the
        others."""
        return self._start[: len(self._trained)], self._start[len(self._trained) :]

    def freeze(self, frozen):
        """Put a mask in force from the next step on."""
        self.history.freeze(self.step, frozen)
        newly = frozen & ~self._state.frozen.numpy()
        self._state.shadow.assign(tf.where(newly, self.task.variable.value, self._state.shadow))
        self._state.frozen.assign(frozen)
        if self._recipe.exact:
            self._mask_optimizer()

    def use_technique(self, name):
        """Freeze by another recipe from the next step on. ValueError: it would train free values
        alone, and the variable has a constraint."""
        _check_constraint(self.techniques[name], self.task.variable)
        self._state.technique.assign(list(self.techniques).index(name))
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
            self._graph(technique)
        except Exception as error:
            self.techniques, self._compiled = before
            message = f"{technique.label!r} cannot be compiled: {error}"
            raise ValueError(message) from error
        if self._recipe is before[0].get(name):
            self._recipe = technique
            self._mask_optimizer()

    def use_optimizer(self, name):
        """Train with another optimizer from the next step on; its own state starts empty, and its
        knobs stand at their usual numbers."""
        self.unpack()
        self._chosen = self.names.index(name)
        self.history.choose(self.step, "optimizer", name)
        self._fill(self.optimizers[self._chosen].variables, self._empty[self._chosen])
        self._turn(self.knobs.usual)
        self._mask_optimizer()

    def turn(self, **numbers):
        """Turn knobs of the optimizer in use from the next step on, to floats; it has to have
        them."""
        self.unpack()  # a vector's optimizer takes over the rate as it takes over the slots
        self._turn(numbers)

    def _turn(self, numbers):
        self.knobs.turn(numbers)
        self.history.choose(self.step, "knobs", self.knobs.turned)

    def reset(self):
        """Take weights, optimizer state and the step count back to the start; the mask stays, and
        so do the knobs."""
        self._packed = None
        self._fill(self._trained + self._others, self._start)
        for optimizer, empty in zip(self.optimizers, self._empty):
            self._fill(optimizer.variables, empty)
        self.knobs.turn(self.knobs.now)  # a rate is one of these variables
        self._state.step.assign(0)
        self.step = 0
        self.history.restart()
        self._state.shadow.assign(self.task.variable.value)
        self._mask_optimizer()

    def run(self, steps):
        """Take `steps` steps and return their losses, a float32 array.

        Stops before the first step whose loss, or a free cell's gradient in any variable, is not
        finite, so that the weights before it are kept; the array is then shorter than `steps`.
        """
        with tf.device(self.device):
            graph, variables = self._graph(self._recipe), self._inputs(self._recipe)
            if steps:
                self._arrange()
            try:
                done, losses, *rows = graph(steps, variables)
            except Exception:  # in the middle of it, after so many steps
                self.step = int(self._state.step.numpy())
                raise
        done = int(done)
        self.step += done
        self.recorded = rows[0].numpy()[:done] if rows else None
        return losses.numpy()[:done]

    def unpack(self):
        """Have all values and slots in the model's and the optimizer's own variables, where others
        may read and write them; the slots of a frozen cell are empty then."""
        if self._packed is not None:
            self._packed.unpack()
            self._packed = None

    def finalize(self):
        """Do what Keras does at the end of `fit`: averages overwrite the weights."""
        if self._packed is None:
            self.optimizer.finalize_variable_values([self.task.variable])
        else:
            self._packed.optimizer.finalize_variable_values(self._packed.variables)
        self.unpack()

    def _arrange(self):
        """Have values and slots where the next step looks for them: in vectors, or whole.

        It is done as late as this, so that only masks count with which a step is taken.
        """
        frozen = self.frozen
        if self._recipe.values and self._packed and np.array_equal(self._packed.frozen, frozen):
            return
        self.unpack()
        if self._recipe.values:
            self._packed = self._pack_of(self._chosen)
            self._packed.pack(frozen)

    def _kind(self, recipe):
        """Return what has a graph of its own."""
        return self._chosen, self.recorder.recording, recipe if recipe.values else None

    def _graph(self, recipe):
        """Return the loop for the optimizer in use and a recipe; traced, if it was not."""
        kind = self._kind(recipe)
        if kind not in self._compiled:
            with tf.device(self.device):
                self._compiled[kind] = self._compile(recipe)
        return self._compiled[kind]

    def _inputs(self, recipe):
        """Return the variables of that graph."""
        if not recipe.values:
            return self._variables[self._chosen]
        packed = self._pack_of(self._chosen)
        return [*self._list_variables(packed.optimizer, self.knobs), packed.free.value]

    def _pack_of(self, chosen):
        """Return the Packed of an optimizer, with room for all cells."""
        if chosen not in self._packs:
            variable, room = self.task.variable, self._state.frozen.shape.num_elements()
            with tf.variable_creator_scope(private.without_name):
                self._packs[chosen] = Packed(variable, self._trained, self.optimizers[chosen], room)
        return self._packs[chosen]

    def _list_variables(self, optimizer, knobs):
        """Every tf.Variable that its step may read or write, in the same order for every loop."""
        variables = [*self._trained, *self._others, *optimizer.variables]
        variables = [variable.value for variable in variables]
        hidden = [optimizer.in_use.flags] if isinstance(optimizer, FreezesCells) else []
        state = [*self._state.variables, *self.task.reads, self.recorder.cells]
        return [*variables, *hidden, *knobs.variables, *state]

    def _compile(self, recipe):
        recorder = self.recorder if self.recorder.recording else None
        quantities = recorder and tuple(recorder.quantities)
        made = type(self.optimizer), _as_text(self.knobs.settings), quantities
        kind = self.task.kind and (self.task.kind, self.device, *made, recipe.values)
        if self.techniques != TECHNIQUES:  # one of them is somebody's own
            kind = None
        if recipe.values:
            packed = self._pack_of(self._chosen)
            stepping = packed.optimizer
            chunk = FreeChunk(self.task, packed, self.optimizer, recipe, self._state, recorder)
        else:
            stepping = self.optimizer
            chunk = Chunk(self.task, stepping, self.techniques, self._state, recorder)

        def turned(steps):
            with self.knobs.traced(stepping):
                return chunk(steps)

        return compiled(kind, turned, self._inputs(recipe))

    def _mask_optimizer(self):
        """Let the optimizer in use keep frozen cells, or, with any recipe, keep nothing."""
        frozen = self._state.frozen.numpy() & self._recipe.exact
        self.optimizer.freeze_cells(self.task.variable, frozen)

    @staticmethod
    def _fill(variables, arrays):
        for variable, array in zip(variables, arrays):
            variable.assign(array)


def _check_constraint(technique, variable):
    if technique.values and variable.constraint is not None:
        raise ValueError(
            f"{technique.label!r} arrived, and {variable.path!r} has a constraint: that is made "
            "for the whole of a variable, and here a vector of some of its values trains. Choose "
            "another technique, or take the constraint away."
        )


def _as_text(settings):
    """Return an optimizer's settings as text, which can be hashed."""
    return json.dumps(settings, default=repr)
