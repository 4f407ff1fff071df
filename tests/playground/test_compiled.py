"""Compiled loops: one for all runs of a kind, each with its own variables; few are kept."""

import dataclasses
import gc
import weakref

import numpy as np
import pytest

from helpers.device import keras, tf
from helpers.freezing import freezable
from helpers.optimizers import LISTED, freezable_optimizer
from helpers.playground import compiled, tasks
from helpers.playground.loop import Loop
from helpers.techniques import TECHNIQUES


@pytest.fixture(autouse=True)
def nothing_kept():
    compiled._kept.clear()


def build(task, names=("sgd", "adam")):
    made = {name: freezable_optimizer(name, task.rates.get(name)) for name in names}
    return Loop(task, made, "cpu")


def trained(loop, steps=20):
    """The bits of everything that a loop has trained, after steps under a mask."""
    loop.use_technique("exact")
    loop.use_optimizer("adam")
    loop.run(steps)
    loop.freeze(np.indices(loop.frozen.shape).sum(0) % 2 == 0)
    losses = loop.run(steps)
    variables = loop.task.model.variables + loop.optimizers[1].variables
    return [losses.tobytes(), *(variable.numpy().tobytes() for variable in variables)]


@pytest.mark.parametrize("task", sorted(tasks.TASKS))
def test_a_second_run_of_a_kind_takes_the_first_ones_graph_and_gets_the_bits_of_its_own(task):
    alone = trained(build(tasks.make(task, 7)))
    compiled._kept.clear()
    first, second = build(tasks.make(task, 3)), build(tasks.make(task, 7))
    others = trained(first)
    assert trained(second) == alone != others
    assert second._compiled == first._compiled and len(compiled._kept) == 1


def test_two_runs_of_a_kind_leave_each_other_alone():
    one, other = build(tasks.snowflake(0, 5, 5)), build(tasks.snowflake(0, 5, 5))
    one.run(5)
    untouched = other.values.tobytes()
    one.run(20)
    assert other.values.tobytes() == untouched and other.step == 0
    other.run(25)
    assert other.values.tobytes() == one.values.tobytes()


@pytest.mark.parametrize(
    "change",
    [
        lambda: build(tasks.snowflake(0, 5, 6)),
        lambda: build(tasks.snowflake(0, 5, 5), ["adam", "sgd"]),
        lambda: Loop(tasks.snowflake(0, 5, 5), {"adam": freezable(keras.optimizers.Adam)(0.5)}),
        lambda: build(
            dataclasses.replace(tasks.snowflake(0, 5, 5), loss=lambda y, x: 0.0 * x[0, 0])
        ),
    ],
)
def test_another_kind_is_traced_anew(change):
    first, other = build(tasks.snowflake(0, 5, 5)), change()
    first.run(1)
    other.run(1)
    assert not set(other._compiled.values()) & set(first._compiled.values())


def test_what_changes_something_that_is_no_variable_of_the_run_is_not_shared():
    hidden = tf.Variable(0)
    seen = tf.Variable(0)

    def count(steps):
        hidden.assign_add(steps)
        seen.assign_add(steps)
        return [tf.identity(hidden)]

    function = compiled.compiled("kind", count, [seen])
    assert not compiled._kept and not function.of_variables_alone
    assert int(function(3, [seen])[0]) == 3 and int(seen) == 3


def test_few_graphs_are_kept(monkeypatch):
    monkeypatch.setattr(compiled, "KINDS", 3)
    for side in range(2, 4 + compiled.KINDS):
        build(tasks.snowflake(0, side, 2), ["sgd"]).run(0)
    assert len(compiled._kept) == compiled.KINDS


def test_a_run_of_ones_own_model_is_forgotten_with_its_graph():
    def run():
        model = keras.Sequential([keras.layers.Input((3,)), keras.layers.Dense(4)])
        one = np.ones((5, 3), np.float32)
        loop = build(tasks.own(model, model.layers[0].kernel, one, one[:, :1], "mse"), ["adam"])
        loop.run(2)
        return weakref.ref(next(iter(loop._compiled.values()))._graph.graph)

    graph = run()
    gc.collect()
    assert graph() is None


def test_every_technique_is_in_the_one_graph_that_an_optimizer_has_but_the_free_values():
    first = build(tasks.snowflake(0, 5, 5), list(LISTED))
    assert first.traces == 0
    for technique in TECHNIQUES:
        for optimizer in LISTED:
            first.use_technique(technique)
            first.use_optimizer(optimizer)
            first.run(1)
    assert first.traces == 2 * len(LISTED)
