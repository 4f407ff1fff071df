"""Knobs: in force before the next step, to the bits of Keras, without another trace."""

import contextlib
import functools

import numpy as np
import pytest
import traitlets
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.device import keras, tf
from helpers.optimizers import CLASSES, LISTED, freezable_optimizer
from helpers.playground import compiled
from helpers.playground.knobs import Knobs
from helpers.playground.loop import Loop
from helpers.techniques import TECHNIQUES
from tests.playground.page import Page
from tests.playground.small import small

KERAS = {  # how a plain optimizer is told each number
    "sgd": {"rate": "learning_rate"},
    "momentum": {"rate": "learning_rate", "momentum": "momentum"},
    "adam": {"rate": "learning_rate", "momentum": "beta_1"},
    "adamw": {"rate": "learning_rate", "momentum": "beta_1", "decay": "weight_decay"},
}
NUMBERS = {
    "rate": st.floats(1e-6, 0.1),
    "momentum": st.floats(0, 0.999),
    "decay": st.floats(0, 10),
}
TURNED = {"rate": 0.003, "momentum": 0.77, "decay": 0.3}


def plain(optimizer, numbers):
    """Keras' own optimizer, made with these numbers."""
    cls, _, others = LISTED[optimizer]
    told = {KERAS[optimizer][name]: number for name, number in numbers.items()}
    return cls(**(others | told))


class Plain:
    """A training loop as Keras' users write it, whose optimizer can be replaced midway by one of
    other numbers that goes on with its state."""

    def __init__(self, task, optimizer):
        self.task, self.variables, self.steps = task, task.model.trainable_variables, 0
        self.optimizer = optimizer
        optimizer.build(self.variables)

    def replace(self, optimizer):
        """Go on with another optimizer, and the state of the one before."""
        optimizer.build(self.variables)
        for new, old in zip(optimizer.variables, self.optimizer.variables, strict=True):
            if "learning_rate" not in new.path:
                new.assign(old)
        self.optimizer = optimizer

    def train(self, steps):
        """Take steps, in a function that is traced with what the optimizer is told now."""

        @tf.function
        def step(number):
            inputs, targets = self.task.batch(number)
            with tf.GradientTape() as tape:
                loss = self.task.loss(targets, self.task.model(inputs, training=True))
            self.optimizer.apply(tape.gradient(loss, self.variables), self.variables)

        with tf.device("/CPU:0"):
            for number in range(self.steps, self.steps + steps):
                step(tf.constant(number, tf.int64))
        self.steps += steps

    @property
    def bits(self):
        """Those of all that trains, and of what the optimizer keeps."""
        kept = [variable for variable in self.optimizer.variables if variable.dtype != "bool"]
        return [variable.numpy().tobytes() for variable in (*self.variables, *kept)]


@pytest.fixture(scope="module")
def loop():
    """One loop for many tests, which each take back to the start."""
    task = small()
    made = {name: freezable_optimizer(name, task.rates[name]) for name in LISTED}
    return Loop(task, made, "cpu")


def begin(loop, optimizer, technique="none"):
    """Take a loop back to the start."""
    loop.freeze(np.zeros(loop.values.shape, bool))
    loop.use_technique(technique)
    loop.use_optimizer(optimizer)
    loop.reset()


def bits(loop):
    """Those of all that trains, and of what the optimizer in use keeps."""
    kept = [variable for variable in loop.optimizer.variables if variable.dtype != "bool"]
    return [v.numpy().tobytes() for v in (*loop.task.model.trainable_variables, *kept)]


# Equal bits


@pytest.mark.parametrize("optimizer", LISTED)
@settings(max_examples=5)
@given(data=st.data())
def test_a_turned_knob_is_a_plain_optimizer_made_with_that_number(loop, optimizer, data):
    turned = {name: data.draw(NUMBERS[name], name) for name in KERAS[optimizer]}
    if optimizer == "momentum":  # Keras keeps no slots for a momentum of 0
        turned["momentum"] = max(turned["momentum"], 1e-3)
    begin(loop, optimizer)
    loop.turn(**turned)
    loop.run(30)
    wanted = Plain(small(), plain(optimizer, turned))
    wanted.train(30)
    assert bits(loop) == wanted.bits


@pytest.mark.parametrize("optimizer", LISTED)
def test_the_next_step_is_the_first_that_obeys(loop, optimizer):
    begin(loop, optimizer)
    usual = loop.knobs.usual
    wanted = Plain(small(), plain(optimizer, usual))
    for name in usual:
        loop.run(7)
        wanted.train(7)
        loop.turn(**{name: TURNED[name]})
        usual = usual | {name: TURNED[name]}
        wanted.replace(plain(optimizer, usual))
        loop.run(1)
        wanted.train(1)
        assert bits(loop) == wanted.bits, name


@pytest.mark.parametrize("technique", ["exact", "free_values"])
@pytest.mark.parametrize("optimizer", LISTED)
def test_it_holds_where_frozen_cells_are_kept_apart(loop, optimizer, technique):
    """Free cells move as where the others are put back after each step."""
    half = np.indices(loop.values.shape).sum(0) % 2 == 0
    moved = []
    for each in (technique, "restore"):
        begin(loop, optimizer, each)
        loop.freeze(half)
        loop.run(3)
        loop.turn(**{name: TURNED[name] for name in loop.knobs.usual})
        loop.run(9)
        moved.append(loop.values[~half].tobytes())
    assert moved[0] == moved[1]


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_every_optimizer_of_keras_obeys_to_the_bit(name):
    turned, others = {}, {"weight_decay": 0.1}
    knobs = Knobs(CLASSES[name](**others))
    turned = {knob: TURNED[knob] for knob in knobs.usual}
    told = {knobs.attributes.get(knob, "learning_rate"): n for knob, n in turned.items()}
    task = small()
    made = freezable_optimizer(CLASSES[name](**others))
    loop = Loop(task, {name: made}, "cpu")
    loop.turn(**turned)
    loop.run(20)
    wanted = Plain(small(), CLASSES[name](**(others | told)))
    wanted.train(20)
    assert bits(loop) == wanted.bits


def test_a_momentum_of_0_leaves_nothing_of_the_past(loop):
    """So that a cell without a gradient stays."""
    begin(loop, "momentum", "where_gradient")
    loop.run(10)
    loop.freeze(np.ones(loop.values.shape, bool))
    loop.turn(momentum=0.0)
    before = loop.values
    loop.run(5)
    assert loop.values.tobytes() == before.tobytes()


def _one_step(optimizer, variable, under):
    with under(optimizer):
        optimizer.apply([tf.cast(variable * 0.3, variable.dtype)], [variable])


def test_half_precision_and_double_obey_too():
    for dtype in ("float16", "float64"):
        found = []
        for number in (0.77, 0.9):
            variable = keras.Variable(np.ones((3, 2)), dtype=dtype)
            optimizer = keras.optimizers.Adam(0.01, beta_1=number)
            optimizer.build([variable])
            knobs = Knobs(optimizer, dtype)
            knobs.turn({"momentum": 0.77})

            under = knobs.traced if found else contextlib.nullcontext
            take = tf.function(functools.partial(_one_step, optimizer, variable, under))
            for _ in range(9):
                take()
            found.append(variable.numpy().tobytes())
        assert found[0] == found[1]


# No other trace


@pytest.mark.parametrize("technique", TECHNIQUES)
def test_no_turn_traces_a_step_again(loop, technique, monkeypatch):
    begin(loop, "adamw", technique)
    loop.run(1)
    traces = loop.traces

    def refuse(*_):
        raise AssertionError("a graph was traced")

    monkeypatch.setattr(compiled.Compiled, "__init__", refuse)
    for number in (0.1, 0.0, 0.5):
        loop.turn(rate=number / 100, momentum=number, decay=number)
        loop.run(2)
    assert loop.traces == traces


def test_playgrounds_whose_knobs_stand_elsewhere_share_a_graph():
    loops = []
    for rate, beta_1 in ((0.1, 0.9), (0.2, 0.5)):
        made = freezable_optimizer(keras.optimizers.Adam(rate, beta_1=beta_1))
        loops.append(Loop(small(), {"adam": made}, "cpu"))
        loops[-1].run(5)
    assert loops[0]._compiled == loops[1]._compiled
    wanted = Plain(small(), keras.optimizers.Adam(0.2, beta_1=0.5))
    wanted.train(5)
    assert bits(loops[1]) == wanted.bits


# What is turned, and for how long


def test_which_knobs_there_are(loop):
    for optimizer, names in KERAS.items():
        assert set(loop.knobs_of(optimizer).usual) == set(names)


def test_a_class_of_one_s_own_has_a_rate_alone():
    """Nobody knows what it does with the others."""

    class Own(keras.optimizers.AdamW):
        pass

    assert set(Knobs(freezable_optimizer(Own(0.1))).usual) == {"rate"}


def test_a_schedule_is_no_knob():
    schedule = keras.optimizers.schedules.ExponentialDecay(0.1, 10, 0.5)
    assert set(Knobs(keras.optimizers.SGD(schedule)).usual) == set()


def test_a_reset_keeps_them_and_another_optimizer_has_its_usual_ones(playground):
    lab = playground(small(), "adamw")
    usual = lab.session.loop.knobs.usual
    lab.use(**TURNED)
    lab.train(3)
    lab.reset()
    assert lab.session.loop.knobs.now == TURNED
    lab.train(5)
    wanted = Plain(small(), plain("adamw", TURNED))
    wanted.train(5)
    assert bits(lab.session.loop) == wanted.bits
    lab.use(optimizer="sgd")
    assert lab.painter.rate == lab.session.loop.knobs.usual["rate"]
    assert lab.painter.momentum is lab.painter.decay is None
    lab.use(optimizer="adamw")
    assert lab.session.loop.knobs.now == usual


def test_they_are_turned_while_it_trains(playground, until):
    lab = playground(small(), "adam")
    lab.start()
    until(lambda: lab.steps > 3)
    lab.use(rate=0.0)
    before = lab.weights.tobytes()
    steps = lab.steps
    until(lambda: lab.steps > steps + 3)
    assert lab.weights.tobytes() == before and lab.training
    lab.use(rate=0.1)
    until(lambda: lab.weights.tobytes() != before)


def test_the_panel_s_knobs_can_be_set_and_linked(playground):
    lab = playground(small(), "adamw")
    lab.painter.decay = 0.5
    assert lab.session.loop.knobs.now["decay"] == 0.5
    seen = []
    lab.painter.observe(lambda change: seen.append(change.new), "momentum")
    lab.use(momentum=0.25)
    lab.use(optimizer="sgd")
    assert seen == [0.25, None]


def test_the_microscope_marks_where_a_knob_was_turned(playground):
    lab = playground(small(), "adam")
    lab.pin(1, 1)
    lab.train(4)
    lab.use(rate=0.5)
    lab.train(2)
    _, marks = lab.session.records()
    assert marks == [(5, "none: every cell trains, adam, rate 0.5")]


def test_at_0_the_drawing_has_no_way_out_by_memory_and_decay(playground):
    lab = playground(small(), "adamw", "where_gradient")

    def leaks():
        return {station["key"] for station in lab.painter.stations if station["leak"]}

    assert leaks() == {"memory", "step"}
    lab.use(momentum=0)
    assert leaks() == {"step"}
    lab.use(decay=0)
    assert leaks() == set()
    lab.use(momentum=0.5)
    assert leaks() == {"memory"}


def test_a_memory_that_is_empty_is_no_way_out(playground):
    """The cold cell of AdamW moves by decay alone; the one that was trained first by both."""
    lab = playground(small(), "adamw", "where_gradient")

    def leaks():
        return {station["key"] for station in lab.painter.stations if station["leak"]}

    lab.paint(0, 0)
    lab.train(3)
    assert leaks() == {"step"}
    lab.paint(1, 1)
    assert leaks() == {"memory", "step"}
    lab.paint(1, 1, frozen=False)
    lab.use(optimizer="adam")
    assert leaks() == set()


# What is refused


WRONG = [
    ({"rate": "fast"}, "The rate 'fast' arrived; a number from 0 up was wanted"),
    ({"rate": -0.1}, "The rate -0.1 arrived"),
    ({"rate": float("nan")}, "The rate nan arrived"),
    ({"rate": 1e39}, "The rate 1e\\+39 arrived"),
    ({"rate": True}, "The rate True arrived"),
    ({"momentum": 1}, "The momentum 1 arrived; a number from 0 to less than 1 was wanted"),
    ({"decay": 0.1}, "The decay 0.1 arrived, and adam has no decay; its knobs are: rate, momentum"),
    ({"optimizer": "sgd", "momentum": 0.5}, "sgd has no momentum; its knobs are: rate"),
]


@pytest.mark.parametrize(("choices", "told"), WRONG)
def test_a_number_that_is_refused_changes_nothing(lab, choices, told):
    lab.session.settle()  # the first mask is noted by the thread that trains
    before = lab.session.loop.history.changes.copy()
    with pytest.raises(ValueError, match=told):
        lab.use("restore", **choices)
    assert lab.session.loop.history.changes == before and lab.painter.technique == "none"


@pytest.mark.parametrize("value", [None, "0.1", -1, [0.1]])
def test_a_page_that_asks_for_no_number_is_told(lab, value):
    page = Page(lab.painter)
    page.choose("rate", value)
    lab.session.settle()
    assert "a number from 0 up was wanted" in lab.painter.error
    assert lab.painter.rate == 0.02
    with pytest.raises(traitlets.TraitError, match="a number from 0 up"):
        lab.painter.rate = value


def test_a_page_turns_a_knob(lab):
    Page(lab.painter).choose("momentum", 0)
    lab.session.settle()
    assert lab.painter.momentum == 0 and lab.session.loop.knobs.now["momentum"] == 0


def test_none_leaves_all_as_it_is(lab):
    lab.use(rate=0.5)
    lab.use(rate=None, momentum=None, decay=None)
    assert lab.session.loop.knobs.turned == {"rate": 0.5}
