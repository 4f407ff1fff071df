"""The programs that the guide prints: each runs alone, and proves what it says; and the two that
put values back hold in `fit` where the laboratory says so of the loop."""

import ast

import keras
import numpy as np
import pytest

from helpers import leaks
from helpers.guide.questions import measured
from helpers.guide.ways import PROGRAMS, WAYS
from helpers.optimizers import LISTED

LINES, WIDTH = 45, 76  # what has room on one screen, in a narrow window


def test_each_way_has_a_program_of_its_own():
    files = {path.stem for path in PROGRAMS.glob("*.py")} - {"__init__"}
    assert sorted(way.program for way in WAYS) == sorted(files)


@pytest.mark.thorough
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.program)
def test_it_runs_alone_and_prints_that_it_holds(way, at_home):
    ran = at_home(way.code)
    assert ran.returncode == 0, ran.stderr[-2000:]
    held, free = ([int(n) for n in line.split() if n.isdigit()] for line in ran.stdout.splitlines())
    assert held[0] == 0 < held[1], "no frozen value has moved"
    assert free[0] == free[1] > 0, "every free value has"


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.program)
def test_it_imports_what_everybody_has_and_fits_on_a_screen(way):
    named = [n for n in ast.walk(ast.parse(way.code)) if isinstance(n, ast.Import | ast.ImportFrom)]
    names = {getattr(node, "module", None) or node.names[0].name for node in named}
    library = {"helpers.freezing"} if way.technique == "exact" else set()
    assert names <= {"keras", "numpy", "tensorflow"} | library
    lines = way.code.splitlines()
    assert 15 <= len(lines) <= LINES and max(map(len, lines)) <= WIDTH


def put_back(program):
    """The class that a program has for its fit, the last one that it makes."""
    source = next(way.code for way in WAYS if way.program == program).split("\ndraw = ")[0]
    names = {}
    exec(source, names)
    return [each for each in names.values() if isinstance(each, type)][-1]


def moved(program, optimizer, situation):
    """How many frozen cells of a kernel have moved in fit."""
    draw, given = np.random.default_rng(0), leaks.SITUATIONS[situation]
    inputs, targets = draw.normal(size=(64, 4)), draw.normal(size=(64, 3))
    penalty = keras.regularizers.L2(given.penalty) if given.penalty else None
    dense = keras.layers.Dense(3, kernel_regularizer=penalty)
    model = keras.Sequential([keras.layers.Input([4]), dense])
    cls, rate, settings = LISTED[optimizer]
    chosen = cls(rate, **settings | given.options)
    model.compile(chosen, "mse")
    if given.warm:
        model.fit(inputs, targets, verbose=0)
    frozen, before = np.arange(12).reshape(4, 3) < 6, dense.kernel.numpy()
    back, callbacks = put_back(program)(dense.kernel, frozen), []
    if program == "constraint":
        dense.kernel.constraint = back
    else:
        callbacks = [back]
    model.compile(chosen, "mse")
    model.fit(inputs, targets, epochs=2, verbose=0, callbacks=callbacks)
    return (dense.kernel.numpy() != before)[frozen].sum()


@pytest.mark.parametrize("situation", ["cold", "warm", "decay", "EMA", "L2"])
@pytest.mark.parametrize("program", ["constraint", "callback"])
def test_values_put_back_hold_in_fit_as_in_the_loop_of_the_laboratory(program, situation):
    """What the laboratory has seen after the last step, the callback undoes."""
    for optimizer in ("sgd", "adamw"):
        verdict = measured(optimizer, situation)["restore"]
        holds = verdict.holds or program == "callback"
        assert (moved(program, optimizer, situation) == 0) == holds, optimizer
