"""A verdict's run in a playground: paused at the right step, and what then happens is the verdict.

The playground computes in a graph, and `leaks.judge` step by step: their last bits may differ. What
is compared is robust to that: whether cells are harmed, and how many. A cell that is harmed moves
by hundreds of ulps at the least, and one that is held by none, as it is not computed.
"""

import functools
import itertools
import re

import numpy as np
import pytest

from helpers import leaks
from helpers.bits import changed_bits
from helpers.device import keras
from helpers.leaks import regression
from helpers.leaks import replay as module
from helpers.leaks.replay import replay
from helpers.leaks.run import STEPS
from helpers.names import known
from helpers.optimizers import LISTED
from helpers.playground.trainer import NotFinite
from helpers.techniques import TECHNIQUES, Technique, where_gradient

OPTIMIZERS = list(LISTED)
# Situations with options of their own have a graph of their own, which takes seconds to trace.
QUICK = [(name, "adam", "warm") for name in ("where_gradient", "shadow_copy", "restore", "exact")]
QUICK += [("where_gradient", "adam", "thaw"), ("exact", "adam", "thaw")]
QUICK += [("restore", "adam", "clipping"), ("gradient_times_mask", "adam", "NaN")]
QUICK += [("free_values", "adam", "warm"), ("free_values", "adam", "thaw")]
SLOW = itertools.product(TECHNIQUES, OPTIMIZERS, leaks.SITUATIONS)
SLOW = [one for one in SLOW if one not in QUICK]
CASES = [*QUICK, *(pytest.param(*one, marks=pytest.mark.thorough) for one in SLOW)]
FROZEN = regression.drawn().frozen


@pytest.fixture
def open_replay(closed_later):
    """`replay`, of which every playground is closed when the test is over."""
    return lambda *positional, **named: closed_later(replay(*positional, **named))


@functools.cache
def judged(*names):
    (verdict,) = leaks.judge(*([name] for name in names), progress=False)
    return verdict


@pytest.mark.parametrize(("technique", "optimizer", "situation"), CASES)
def test_it_stands_before_the_step_that_does_what_the_verdict_says(
    open_replay, technique, optimizer, situation
):
    lab = open_replay((technique, optimizer, situation))
    verdict, warm = judged(technique, optimizer, situation), leaks.SITUATIONS[situation].warm
    assert lab.painter.status == "paused" and not lab.leaks().any()
    in_steps = 0 if verdict.note else verdict.cells
    assert lab.harmed.any() == (verdict.cells > 0)
    if situation == "NaN" and verdict.ulps == np.inf:
        return stands_before_nan(lab)
    assert lab.harmed.sum() == verdict.cells
    if situation == "thaw":
        assert lab.steps == warm + STEPS and not lab.frozen.any()
    else:
        assert (lab.frozen == FROZEN).all()
    if situation in ("clipping", "thaw"):
        return
    lab.train(1)
    assert lab.leaks().any() == (in_steps > 0)
    lab.train(warm + STEPS - lab.steps)
    assert lab.leaks().sum() == in_steps
    if technique == "exact":
        assert lab.weights[FROZEN].tobytes() == lab.session.when_frozen()[FROZEN].tobytes()


def stands_before_nan(lab):
    """One step makes a cell NaN, and then the playground refuses to go on, as the outlook says."""
    lab.train(1)
    assert np.isnan(lab.weights).sum() == 1 and lab.leaks().any()
    assert "and the playground goes no further" in lab.outlook
    with pytest.raises(NotFinite):
        lab.train(1)


def test_the_steps_before_the_freeze_are_those_of_the_situation(open_replay):
    steps = {name: open_replay(("restore", "adam", name)).steps for name in ("cold", "warm")}
    assert steps == {"cold": 0, "warm": 3}


def test_where_a_leak_comes_later_it_stands_right_before_it(open_replay):
    class Late(keras.optimizers.SGD):
        """Decays from its third step on."""

        def update_step(self, gradient, variable, rate):
            super().update_step(gradient, variable, rate)
            factor = keras.ops.where(self.iterations < 2, 1.0, 0.9)
            self.assign(variable, variable * keras.ops.cast(factor, variable.dtype))

    lab = open_replay(("where_gradient", "late", "cold"), optimizers=[Late(0.1, name="late")])
    assert lab.steps == 2 and lab.harmed.sum() == 24
    assert not lab.leaks().any()
    lab.train(1)
    assert lab.leaks().sum() == 24


def test_the_next_step_is_the_one_that_was_rehearsed(open_replay):
    first, again = (open_replay(("where_gradient", "adam", "warm")) for _ in range(2))
    assert first.weights.tobytes() == again.weights.tobytes()
    before = first.weights
    first.train(1)
    assert (changed_bits(before, first.weights)[FROZEN] == first.harmed[FROZEN]).all()


def test_clipping_takes_the_free_cells_where_the_rehearsal_says(open_replay):
    late, early = (
        open_replay((name, "adam", "clipping")) for name in ("restore", "where_gradient")
    )
    assert late.weights.tobytes() == early.weights.tobytes() and not early.harmed.any()
    late.train(1)
    early.train(1)
    assert (changed_bits(late.weights, early.weights)[~FROZEN] == late.harmed[~FROZEN]).all()
    assert "24 of 24 free cells" in late.outlook and "24 of 24 frozen cells" in early.outlook


def test_the_first_harmed_cell_and_a_neighbour_are_recorded_from_the_start(open_replay):
    lab = open_replay(("where_gradient", "adam", "thaw"))
    first = tuple(np.argwhere(lab.harmed)[0])
    cells = [(row, column) for _, row, column in lab.session.run.microscope.cells]
    assert cells[0] == first and FROZEN[first] and not FROZEN[cells[1]]
    assert np.abs(np.subtract(*cells)).sum() == 1
    told = lab.traces(*first)
    assert told["step"].tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert told["frozen"].tolist() == [False] * 3 + [True] * 4


def test_the_list_offers_the_optimizers_with_the_options_of_the_situation(open_replay):
    lab = open_replay(("restore", "adam", "clipping"))
    assert list(lab.optimizers) == OPTIMIZERS
    assert {optimizer.global_clipnorm for optimizer in lab.optimizers.values()} == {0.1}
    lab.use("exact", "sgd")
    lab.train(1)
    assert not lab.leaks().any()


def test_runs_of_one_optimizer_share_a_graph(open_replay):
    (first,) = open_replay(("restore", "adam", "warm")).session.loop._compiled.values()
    for other in ("where_gradient", "adam", "thaw"), ("exact", "adam", "cold"):
        loop = open_replay(other).session.loop
        assert list(loop._compiled.values()) == [first]


@pytest.mark.thorough
def test_a_verdict_and_recipes_and_optimizers_of_ones_own(open_replay):
    own = {"mine": Technique("mine", gradient=where_gradient)}
    heavy = keras.optimizers.SGD(0.1, momentum=0.9, name="heavy")
    (verdict,) = leaks.judge(own, [heavy], ["warm"], progress=False)
    lab = open_replay(verdict, own, [heavy])
    assert (lab.painter.technique, lab.painter.optimizer, lab.steps) == ("mine", "heavy", 3)
    lab.train(1)
    assert lab.leaks().sum() == verdict.cells == 24
    assert not heavy.built


@pytest.mark.parametrize(
    ("names", "named"),
    [
        (("restor", "adam", "cold"), ["restore", "techniques="]),
        (("restore", "adamm", "cold"), ["adam", "optimizers="]),
        (("restore", "adam", "colt"), ["cold"]),
    ],
)
def test_an_unknown_name_hears_the_known_ones(trainers, names, named):
    with pytest.raises(ValueError, match="arrived") as refused:
        replay(names)
    assert all(text in str(refused.value) for text in named) and not trainers()


def test_what_the_optimizer_refused_in_the_verdict_it_refuses_here(trainers):
    clipped = keras.optimizers.SGD(0.1, clipnorm=1.0, name="clipped")
    (verdict,) = leaks.judge(["restore"], [clipped], ["clipping"], progress=False)
    with pytest.raises(ValueError, match="clipnorm"):
        replay(verdict, optimizers=[clipped])
    assert verdict.cells is None and not trainers()


def test_a_rehearsal_that_fails_leaves_no_thread(trainers, monkeypatch):
    monkeypatch.setattr(module.Rehearsal, "run", lambda self: known("step", 9, [1]))
    with pytest.raises(ValueError, match="step"):
        replay(("restore", "adam", "cold"))
    assert not trainers()


def test_an_outlook_counts_what_was_rehearsed(open_replay):
    told = open_replay(("where_gradient", "adam", "warm")).outlook
    assert re.match(r"The next step changes 24 of 24 frozen cells\. Press Step", told)
    assert open_replay(("exact", "adam", "cold")).outlook.startswith("Nothing leaks here")
    told = open_replay(("restore", "adam", "thaw")).outlook
    assert "24 cells were frozen for 4 steps" in told and "24 of 24 thawed cells" in told
    told = open_replay(("exact", "adam", "thaw")).outlook
    assert "where it would if they had been held" in told


@pytest.mark.thorough
def test_where_only_the_last_overwrite_leaks_the_outlook_says_so(open_replay):
    lab = open_replay(("restore", "adam", "EMA"))
    assert "finalize_variable_values" in lab.outlook and "24 of 24 frozen cells" in lab.outlook
    assert lab.steps == 3
    lab.train(STEPS)
    assert not lab.leaks().any()
