"""Compiled steps are exact, and traced once."""

import functools
from dataclasses import replace

import pytest

from helpers.device import keras, tf
from helpers.freezing import slots
from tests.freezing.cases import AVERAGES, CLASSES, CLIPS, OPTIONS, WRAPPED, Case, Pair

K = keras.optimizers


PLAIN = [Case(base) for base in CLASSES]
WITH_OPTIONS = (
    [Case(base, options) for base in OPTIONS for options in OPTIONS[base]]
    + [Case(K.Adam, options) for options in CLIPS[1:] + AVERAGES + [{"weight_decay": 0.1}]]
    + [Case(K.SGD, {"momentum": 0.9, "gradient_accumulation_steps": 2})]
    + [Case(K.Adam, wrapper=wrapper) for wrapper in ("scale", "multi") if wrapper in WRAPPED]
    + [Case(K.Adam, sparse=True), Case(K.Adam, constraint=True)]
)


def compilations():
    """Every case in every way; without --all every optimizer in a graph, and Adam under XLA."""
    for case in PLAIN + WITH_OPTIONS:
        name = f"{case.base.__name__}-{case.wrapper}-{'-'.join(case.options)}"
        for how in ("graph", "graph, large", "jit"):
            quick = (case in PLAIN and how == "graph") or (case == Case(K.Adam) and how == "jit")
            marks = [] if quick else pytest.mark.thorough
            yield pytest.param(case, how, id=f"{name}-{how}", marks=marks)


@pytest.mark.parametrize(("case", "how"), list(compilations()))
def test_compiled_steps_are_exact_and_traced_once(monkeypatch, case, how):
    jit = how == "jit"
    if how == "graph, large":
        monkeypatch.setattr(slots, "LARGE", 0)
    pair = Pair(replace(case, schedule=("none", "some", "some", "all", "none")))
    compiled = functools.partial(tf.function, jit_compile=jit, autograph=False)
    steps = [
        compiled(lambda gradients: pair.ours.apply(gradients, pair.mine)),
        compiled(lambda gradients: pair.plain.apply(gradients, pair.theirs)),
    ]
    for cells in pair.case.schedule:
        pair.freeze(cells)
        ours, plain = pair.gradients()
        mine, theirs = (functools.partial(step, grads) for step, grads in zip(steps, (ours, plain)))
        ulp = jit and cells != "none"
        pair.step(lambda _, step=mine: step(), lambda _, step=theirs: step(), ulp=ulp)
    assert (pair.leaks, pair.differences) == (0, 0)
    assert steps[0].experimental_get_tracing_count() == 1
