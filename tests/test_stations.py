"""The stations of a step: where techniques act, the formulas, and that its leaks are the real ones.

More of that, for every situation of the leak laboratory, stands in tests/leaks/test_verdicts.py.
"""

import itertools
import re
import subprocess
import sys

import numpy as np
import pytest

from helpers import optimizers, stations
from helpers.device import keras
from helpers.leaks import Situation, verdicts
from helpers.stations import Conditions, describe_step, texts
from helpers.techniques import (
    TECHNIQUES,
    Technique,
    restore,
    shadow_copy,
    stop_gradient,
    where_gradient,
)

EVERYTHING = dict(penalty=True, clip=True, average=True, decay=True, nan=True, thaw=True)


def described(technique, optimizer, **situation):
    """The stations by their keys."""
    technique = TECHNIQUES.get(technique, technique)
    made = describe_step(technique, Conditions(optimizer, **situation))
    return {station.key: station for station in made}


def leaking(*positional, **named):
    """The keys of the stations at which something leaks."""
    return {key for key, station in described(*positional, **named).items() if station.leak}


@pytest.mark.parametrize("optimizer", [*optimizers.LISTED, "lamb"])
def test_every_step_passes_the_same_stations_in_the_same_order(optimizer):
    for technique in TECHNIQUES.values():
        for situation in ({}, EVERYTHING):
            made = describe_step(technique, Conditions(optimizer, **situation))
            average = bool(situation)  # EVERYTHING has one
            names = [key for key in stations.NAMES if key != "end" or average]
            assert [station.key for station in made] == names
            assert all(station.text.endswith(".") and station.name for station in made)
            assert all(bool(station.formula) == station.used for station in made)


def test_what_the_list_on_the_screen_shows_has_formulas_of_its_own():
    assert set(texts.MEMORY) == set(texts.STEP) == set(optimizers.LISTED)


def test_a_variable_that_is_not_on_the_list_leaks_by_averages_alone():
    """Which Keras hands out by their place in the list, as notebook 14 shows."""
    unlisted = described(None, "adamw", **EVERYTHING)
    acting = [key for key in unlisted if unlisted[key].acts]
    assert acting == ["gradient", "memory", "step", "write"]
    assert leaking(None, "adamw", **EVERYTHING) == {"average"}
    assert leaking(None, "adamw", **EVERYTHING | {"average": False}) == set()


@pytest.mark.parametrize(
    ("technique", "keys"),
    [
        ("none", set()),
        ("gradient_times_mask", {"gradient"}),
        ("where_gradient", {"gradient"}),
        ("stop_gradient", {"seen"}),
        ("shadow_copy", {"seen"}),
        ("scatter_update", {"average"}),  # Keras averages before a constraint puts cells back
        ("restore", {"average"}),
        ("free_values", {"weights", "seen"}),
        ("exact", {"gradient", "memory", "step", "write", "average", "end"}),
    ],
)
def test_a_technique_lights_the_stations_at_which_it_acts(technique, keys):
    made = described(technique, "adam", average=True)
    assert {key for key, station in made.items() if station.acts} == keys


def test_without_an_average_cells_are_put_back_as_the_step_is_written_and_there_is_no_end():
    made = described("restore", "adam")
    assert {key for key, station in made.items() if station.acts} == {"write"}
    assert list(made) == [key for key in stations.NAMES if key != "end"]


def test_at_a_station_that_this_step_does_not_have_nothing_acts_and_nothing_leaks():
    for technique, optimizer in itertools.product(TECHNIQUES, optimizers.LISTED):
        made = described(technique, optimizer, penalty=True, decay=True, nan=True, thaw=True)
        unused = {key for key, station in made.items() if not station.used}
        assert unused == {"clip", "average"} | ({"memory"} if optimizer == "sgd" else set())
        assert not any(made[key].acts or made[key].leak for key in unused)


def test_whatever_places_a_technique_acts_at_its_step_can_be_described():
    acting = dict(weights=stop_gradient, shadow=shadow_copy, gradient=where_gradient, after=restore)
    for number in range(5):
        for places in itertools.combinations(acting, number):
            technique = Technique("own", **{place: acting[place] for place in places})
            made = describe_step(technique, Conditions("adamw", **EVERYTHING))
            assert bool(places) == any(station.acts for station in made)


def test_an_arrow_stands_where_a_leak_does_and_is_short():
    for technique, optimizer in itertools.product(TECHNIQUES, optimizers.LISTED):
        for station in described(technique, optimizer, **EVERYTHING).values():
            assert bool(station.arrow) == bool(station.leak)
            assert not station.leak or (len(station.arrow) <= 20 and station.leak.endswith("."))


def test_the_leaks_of_adam_as_the_course_tells_them():
    assert leaking("where_gradient", "adam") == {"memory"}
    assert leaking("where_gradient", "adam", warm=False) == set()
    assert leaking("where_gradient", "sgd") == set()
    assert leaking("where_gradient", "adamw", average=True) == {"memory", "step", "average", "end"}
    assert leaking("stop_gradient", "sgd", penalty=True) == {"loss"}
    assert leaking("stop_gradient", "sgd", penalty=True, clip=True) == {"loss", "clip"}
    assert leaking("shadow_copy", "sgd", penalty=True, clip=True) == {"clip"}
    assert leaking("restore", "adam") == set()
    assert leaking("restore", "adam", thaw=True, clip=True, average=True) == {
        "memory",
        "clip",
        "end",
    }
    assert leaking("shadow_copy", "adamw", average=True) == set()
    assert leaking("shadow_copy", "adamw", thaw=True) == {"memory", "step"}
    assert leaking("gradient_times_mask", "sgd", nan=True) == {"gradient"}
    assert leaking("where_gradient", "sgd", nan=True) == set()
    assert leaking("free_values", "adamw", **EVERYTHING) == {"memory"}
    assert leaking("free_values", "adamw", **(EVERYTHING | {"thaw": False})) == set()
    assert leaking("free_values", "sgd", **EVERYTHING) == set()
    assert leaking("exact", "adamw", **EVERYTHING) == set()


def test_a_leak_enters_after_the_station_where_a_technique_acts():
    """But for NaN, which gets through the technique itself, and what the slots of a cell that is
    put back gather meanwhile, which a thaw shows."""
    order = list(stations.NAMES)
    for technique, optimizer in itertools.product(set(TECHNIQUES) - {"none"}, optimizers.LISTED):
        made = described(technique, optimizer, penalty=True, decay=True, average=True)
        acts = min(order.index(key) for key, station in made.items() if station.acts)
        assert all(order.index(key) > acts for key, station in made.items() if station.leak)


# Formulas


def symbols(formula):
    """What stands for a quantity in a formula: a letter with its signs, or a word of letters."""
    words = re.findall(r"‖g‖|Σw²|rate|[a-z]{2,}|[^\W\d_²₁₂ₜᵗ][\u0300-\u036f]?[₁₂]?", formula)
    return set(words) - {"error", "min", "update", "step", "now", "and", "then", "∂"}


@pytest.mark.parametrize("optimizer", [*optimizers.LISTED, "lamb"])
def test_every_symbol_of_a_formula_is_named_and_no_other(optimizer):
    for station in described("none", optimizer, **EVERYTHING).values():
        assert set(station.terms) == symbols(station.formula), station.key
        assert all(station.terms.values())


PYTHON = {"·": "*", "²": "**2", "←": "=", "−": "-", "‖g‖": "norm(g)", "√v": "sqrt(v)"}
PYTHON |= {"₁": "1", "₂": "2", "min": "minimum"}
EPSILON = 0.1  # large enough to tell where it is added
FUNCTIONS = {"sqrt": np.sqrt, "minimum": np.minimum, "norm": np.linalg.norm}


def compute(formula, values):
    """Compute the lines of a formula, as they are written, in a dict of numbers."""
    for old in sorted(PYTHON, key=len, reverse=True):
        formula = formula.replace(old, PYTHON[old])
    for line in formula.split("\n"):
        exec(line, dict(FUNCTIONS), values)


@pytest.mark.parametrize("optimizer", optimizers.LISTED)
@pytest.mark.parametrize("decay", [0.0, 0.1])
def test_the_formulas_are_what_keras_computes(optimizer, decay):
    draw, zero = np.random.default_rng(0), np.zeros(5)
    variable = keras.Variable(draw.normal(size=5), dtype="float64")
    values = dict(w=variable.numpy(), u=zero, m=zero, v=zero, a=zero)
    cls, rate, settings = optimizers.LISTED[optimizer]
    settings = settings | ({"epsilon": EPSILON} if "adam" in optimizer else {})
    real = cls(rate, use_ema=True, global_clipnorm=1.0, **(settings | {"weight_decay": decay}))
    real.build([variable])
    values |= dict(rate=rate, λ=decay, c=1.0, ε=EPSILON, μ=0.9, β1=0.9, β2=0.999)
    made = described("none", optimizer, decay=bool(decay), clip=True, average=True)
    for t in range(1, 6):
        values |= dict(g=draw.normal(size=5), β=0.99 if t > 1 else 0.0)  # the first average is w
        real.apply([values["g"]], [variable])
        compute(made["clip"].formula, values)
        compute(made["memory"].formula or "pass", values)
        values |= dict(α=rate * np.sqrt(1 - 0.999**t) / (1 - 0.9**t))
        for key in ("step", "write"):
            compute(made[key].formula, values)
        compute(made["average"].formula.split("\n")[0], values)
    np.testing.assert_allclose(variable.numpy(), values["w"], rtol=1e-5)
    (average,) = real._model_variables_moving_average
    np.testing.assert_allclose(average.numpy(), values["a"], rtol=1e-5)


def test_the_drawing_starts_without_tensorflow():
    look = "import sys, helpers.stations; sys.exit('tensorflow' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", look]).returncode == 0


# Leaks of one cause and of two at once, against real runs

RECIPES = {
    **TECHNIQUES,
    "where, then restore": Technique("1", gradient=where_gradient, after=restore),
    "stop, then restore": Technique("2", weights=stop_gradient, after=restore),
}
OPTIONS = {"average": True, "penalty": 0.01, "decay": 0.1, "clip": 0.1, "nan": True, "warm": 3}


def watched(flags, thaw):
    """What is watched, of all that a situation may harm: frozen cells, free cells, a thaw."""
    found = ["frozen", *(["free"] if "clip" in flags else [])]
    return found + (["thawed"] if thaw else [])


def situations(most, thaw):
    """Up to `most` flags at once. NaN has no thaw to compare, and leaves nothing to be warm."""
    for number in range(most + 1):
        for flags in itertools.combinations(OPTIONS, number):
            if "nan" not in flags or not (thaw or "warm" in flags):
                yield flags


def disagreements(names, techniques, most, thaw):
    """Where `describe_step` names a leak and no run leaks, or the other way round."""
    wanted, ran = {}, {}
    verdicts.SITUATIONS.clear()
    for flags in situations(most, thaw):
        options = {flag: OPTIONS[flag] for flag in flags}
        for cells in watched(flags, thaw):
            verdicts.SITUATIONS[flags, cells] = Situation("", cells, **options)
    for verdict in verdicts.judge({t: RECIPES[t] for t in techniques}, names, progress=False):
        flags, _ = verdict.situation
        key = verdict.technique, verdict.optimizer, flags
        told = dict.fromkeys(flags, True) | {"warm": "warm" in flags, "thaw": thaw}
        wanted[key] = bool(leaking(RECIPES[verdict.technique], verdict.optimizer, **told))
        ran[key] = ran.get(key, False) or not verdict.holds
    return [key for key in ran if ran[key] != wanted[key]]


@pytest.fixture(autouse=True)
def laboratory(monkeypatch):
    """The laboratory's list of situations, to be changed at will."""
    monkeypatch.setattr(verdicts, "SITUATIONS", dict(verdicts.SITUATIONS))


@pytest.mark.parametrize("thaw", [False, True])
def test_each_cause_alone_leaks_as_the_drawing_says(thaw):
    names = ["where_gradient", "stop_gradient", "shadow_copy", "restore", "free_values"]
    names += ["where, then restore", "stop, then restore"]
    assert disagreements(["adam"], names, 1, thaw) == []


@pytest.mark.thorough
@pytest.mark.parametrize("thaw", [False, True])
@pytest.mark.parametrize("optimizer", ["sgd", "momentum", "adamw"])
def test_two_causes_together_leak_as_the_drawing_says(optimizer, thaw):
    assert disagreements([optimizer], list(RECIPES), 2, thaw) == []


@pytest.mark.parametrize("optimizer", ["rmsprop", "ftrl", "muon", "lion"])
def test_of_other_optimizers_no_leak_is_kept_silent(optimizer):
    told = {"cold": {"warm": False}, "warm": {}, "decay": {"decay": True}, "thaw": {"thaw": True}}
    techniques = ["where_gradient", "stop_gradient", "shadow_copy", "restore"]
    techniques += ["free_values", "exact"]
    for verdict in verdicts.judge(techniques, [optimizer], list(told), progress=False):
        named = leaking(verdict.technique, optimizer, **told[verdict.situation])
        assert verdict.holds or named, verdict
