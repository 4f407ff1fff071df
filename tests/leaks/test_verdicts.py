"""The leak laboratory: what holds, what leaks, and that the verdicts are computed."""

import concurrent.futures
import inspect
import itertools
import math
import threading
from types import SimpleNamespace

import numpy as np
import pytest

from helpers.device import keras, tf
from helpers.leaks import run, verdicts
from helpers.leaks.situations import SITUATIONS, Situation
from helpers.leaks.step_chooser import conditions
from helpers.optimizers import LISTED
from helpers.stations import describe_step
from helpers.techniques import TECHNIQUES, Technique, restore, where_gradient

WRAPPERS = {keras.optimizers.LossScaleOptimizer, keras.optimizers.MultiOptimizer}
CLASSES = [
    found
    for _, found in inspect.getmembers(keras.optimizers, inspect.isclass)
    if issubclass(found, keras.optimizers.Optimizer)
    and found is not keras.optimizers.Optimizer
    and found not in WRAPPERS
]
OPTIMIZERS = list(LISTED)
ON_GRADIENTS = ["gradient_times_mask", "where_gradient", "stop_gradient"]


def judge(*positional, **named):
    return verdicts.judge(*positional, **{"progress": False, **named})


@pytest.fixture(scope="module")
def matrix():
    """(technique, optimizer, situation) -> Verdict, for everything that is known."""
    return {(v.technique, v.optimizer, v.situation): v for v in judge()}


def leaking(matrix, technique, optimizer):
    """The situations in which a technique does not hold."""
    return {
        s for t, o, s in matrix if (t, o) == (technique, optimizer) and not matrix[t, o, s].holds
    }


def test_every_combination_is_judged_once_and_in_order(matrix):
    names = list(TECHNIQUES)
    combinations = [(t, o, s) for t in names for o in OPTIMIZERS for s in SITUATIONS]
    assert list(matrix) == combinations
    assert len(SITUATIONS) == 8


def test_a_verdict_says_of_which_cells_it_counts(matrix):
    told = {situation: verdict.watched for (_, _, situation), verdict in matrix.items()}
    assert told == dict.fromkeys(SITUATIONS, "cells") | {"clipping": "free cells"}


def test_a_verdict_counts_watched_cells_and_has_a_drift_where_it_has_cells(matrix):
    for (_, _, situation), verdict in matrix.items():
        assert verdict.of == (48 if situation == "NaN" else 24)
        assert 0 <= verdict.cells <= verdict.of and type(verdict.cells) is int
        assert verdict.holds == (verdict.cells == 0) == (verdict.ulps == 0)
        assert type(verdict.ulps) is int or verdict.ulps == math.inf


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_every_situation_tells_no_freeze_at_all_from_a_freeze(matrix, optimizer):
    assert leaking(matrix, "none", optimizer) == set(SITUATIONS)


@pytest.mark.parametrize("optimizer", CLASSES, ids=lambda found: found.__name__)
def test_the_exact_freeze_holds_everywhere(optimizer):
    found = judge(["exact"], [optimizer])
    assert len(found) == 8 and [v for v in found if not v.holds] == []


def test_the_exact_freeze_holds_with_momentum_too(matrix):
    assert leaking(matrix, "exact", "momentum") == set()


def test_an_exact_freeze_that_freezes_nothing_is_found_out_in_every_situation(monkeypatch):
    class Idle(keras.optimizers.Adam):
        def freeze_cells(self, variable, frozen):
            pass

    monkeypatch.setattr(run, "freezable", lambda found: Idle)
    assert not any(verdict.holds for verdict in judge(["exact"], ["adam"]))


@pytest.mark.parametrize("technique", ON_GRADIENTS)
def test_a_mask_on_the_gradient_leaks_what_momentum_is_left(matrix, technique):
    assert matrix[technique, "sgd", "warm"].holds and matrix[technique, "adam", "cold"].holds
    for optimizer in ("momentum", "adam"):
        assert matrix[technique, optimizer, "warm"].cells == 24
        assert matrix[technique, optimizer, "warm"].ulps > 1000


@pytest.mark.parametrize("technique", ON_GRADIENTS)
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_a_mask_on_the_gradient_leaks_decay_and_averages(matrix, technique, optimizer):
    found = leaking(matrix, technique, optimizer)
    assert {"decay", "EMA"} <= found and "clipping" not in found
    assert ("cold" in found) == (optimizer == "adamw")  # which decays on its own accord


def test_nan_passes_a_product_and_no_choice(matrix):
    assert matrix["gradient_times_mask", "sgd", "NaN"].cells == 48
    assert matrix["gradient_times_mask", "sgd", "NaN"].ulps == math.inf
    for technique in ("where_gradient", "stop_gradient", "restore"):
        assert matrix[technique, "adam", "NaN"].holds


def test_nan_reaches_free_cells_where_cells_share_a_norm():
    (verdict,) = judge(["restore"], ["muon"], ["NaN"])
    assert (verdict.cells, verdict.ulps, verdict.note) == (24, math.inf, None)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_a_penalty_on_the_raw_variable_passes_stop_gradient(matrix, optimizer):
    assert matrix["stop_gradient", optimizer, "L2"].cells == 24
    assert matrix["restore", optimizer, "L2"].holds
    assert matrix["where_gradient", optimizer, "L2"].holds == (optimizer != "adamw")


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_restore_leaks_the_last_overwrite_the_clipping_and_the_thaw(matrix, optimizer):
    thaw = set() if optimizer == "sgd" else {"thaw"}  # which has nothing to remember
    assert leaking(matrix, "restore", optimizer) == {"EMA", "clipping"} | thaw


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_free_values_hold_everywhere_but_a_thawed_cell_has_an_empty_memory(matrix, optimizer):
    found = leaking(matrix, "free_values", optimizer)
    assert found == (set() if optimizer == "sgd" else {"thaw"})


@pytest.mark.parametrize("optimizer", CLASSES, ids=lambda found: found.__name__)
def test_free_values_stay_under_every_optimizer_of_keras(optimizer):
    escapes = ["cold", "warm", "decay", "EMA", "L2", "NaN"]
    assert [v for v in judge(["free_values"], [optimizer], escapes) if not v.holds] == []


@pytest.mark.parametrize("optimizer", CLASSES, ids=lambda found: found.__name__)
def test_a_vector_steps_as_the_matrix_would_unless_the_optimizer_asks_for_a_matrix(optimizer):
    (verdict,) = judge(["free_values"], [optimizer], ["clipping"])
    asks = optimizer.__name__ in ("Adafactor", "Lamb", "Muon")
    assert verdict.holds == (not asks)


def test_a_penalty_reaches_the_free_values():
    runs = [
        run.run_of(TECHNIQUES[name], run.Contender("sgd"), Situation("", penalty=penalty))
        for name, penalty in [
            ("free_values", 1.0),
            ("where_gradient", 1.0),
            ("where_gradient", 0.0),
        ]
    ]
    free = ~runs[0].frozen
    packed, whole, without = (each.train(1)[free] for each in runs)
    np.testing.assert_allclose(packed, whole, rtol=1e-5)
    assert np.abs(packed - without).min() > 1e-5


def test_no_optimizer_in_a_run_of_free_values_has_a_frozen_cell():
    warm = run.run_of(TECHNIQUES["free_values"], run.Contender("adam"), SITUATIONS["warm"])
    warm.train(2)
    of_cells = [v.shape for v in warm.packed.optimizer.variables if v.ndim]
    assert of_cells == [(24,), (24,)] and warm.packed.free.shape == (24,)
    warm.freeze(np.zeros((6, 8), bool))
    warm.train(1)
    assert warm.packed.free.shape == (48,)


def test_a_note_says_when_only_the_last_overwrite_leaks(matrix):
    noted = {key for key, verdict in matrix.items() if verdict.note}
    afterwards = ("restore", "scatter_update")
    assert noted == {(name, optimizer, "EMA") for name in afterwards for optimizer in OPTIMIZERS}
    assert "finalize_variable_values" in matrix["restore", "sgd", "EMA"].note


@pytest.mark.parametrize("situation", SITUATIONS)
def test_the_drawing_of_a_step_names_a_leak_just_where_a_run_leaks(matrix, situation):
    wrong = []
    for technique, optimizer in itertools.product(TECHNIQUES, OPTIMIZERS):
        made = describe_step(TECHNIQUES[technique], conditions(optimizer, situation))
        named = {station.key for station in made if station.leak}
        if bool(named) == matrix[technique, optimizer, situation].holds:
            wrong.append((technique, optimizer, named))
    assert wrong == []


def test_the_drift_of_decay_is_what_arithmetic_says(monkeypatch):
    """Weight decay alone takes lr * 0.1 of a weight in each of the four steps."""
    kept, count = [], verdicts.COUNTS["frozen"]

    def listen(*setting):
        kept.append(count(*setting))
        return kept[0]

    monkeypatch.setitem(verdicts.COUNTS, "frozen", listen)
    (verdict,) = judge(["where_gradient"], [keras.optimizers.SGD(0.5)], ["decay"])
    frozen, held, found, _ = kept[0]
    expected = held.copy()
    for _ in range(4):
        expected -= expected * np.float32(0.1) * np.float32(0.5)
    np.testing.assert_array_equal(found[frozen], expected[frozen])
    assert verdict.ulps == verdicts.ulps(held, expected)[frozen].max()


def test_a_technique_that_comes_later_is_judged_as_it_is(monkeypatch):
    both = Technique("both", gradient=where_gradient, after=restore)
    monkeypatch.setitem(TECHNIQUES, "both", both)
    found = judge(["both"], ["adam"])
    assert {v.situation for v in found if not v.holds} == {"EMA", "thaw"}
    assert "both" in [v.technique for v in judge(None, ["sgd"], ["cold"])]


def test_a_recipe_of_ones_own_is_judged_under_its_own_name():
    def times(gradient, frozen):
        return gradient * tf.cast(~frozen, gradient.dtype)

    own = judge({"mine": Technique("mine", gradient=times)}, ["adam"])
    known = judge(["gradient_times_mask"], ["adam"])
    assert {v.technique for v in own} == {"mine"}
    assert [(v.situation, v.cells, v.ulps) for v in own] == [
        (v.situation, v.cells, v.ulps) for v in known
    ]


def test_an_optimizer_may_be_a_name_a_class_or_an_optimizer_of_ones_own():
    heavy = keras.optimizers.SGD(0.1, momentum=0.9, name="heavy")
    found = judge(["where_gradient"], ["sgd", keras.optimizers.Lion, heavy], ["warm"])
    assert [(v.optimizer, v.holds) for v in found] == [
        ("sgd", True),
        ("lion", False),
        ("heavy", False),
    ]
    assert not heavy.built


def test_two_optimizers_that_only_keras_tells_apart_are_refused():
    slow, fast = keras.optimizers.AdamW(0.001), keras.optimizers.AdamW(0.1)
    with pytest.raises(ValueError, match="Two optimizers have one name"):
        judge(["restore"], [slow, fast], ["cold"])


def test_what_an_optimizer_refuses_is_told_and_does_not_hold():
    clipped = keras.optimizers.SGD(0.1, clipnorm=1.0)
    cold, clipping = judge(["restore"], [clipped], ["cold", "clipping"])
    assert cold.holds and cold.note is None
    assert clipping.cells is None and clipping.ulps is None and not clipping.holds
    assert "clipnorm" in clipping.note


@pytest.mark.parametrize(
    ("arguments", "known"),
    [
        ({"techniques": ["restore", "thaw"]}, list(TECHNIQUES)),
        ({"situations": ["cold", "thw"]}, SITUATIONS),
        ({"optimizers": ["sgd", "adamm"]}, OPTIMIZERS),
        ({"optimizers": "adam"}, OPTIMIZERS),
    ],
)
def test_an_unknown_name_hears_the_known_ones(arguments, known):
    with pytest.raises(ValueError, match="arrived") as refused:
        judge(**arguments)
    assert all(repr(name) in str(refused.value) for name in known)


def test_a_recipe_that_raises_is_told_and_the_others_are_judged():
    broken = Technique("broken", gradient=lambda gradient, frozen: gradient[:3])
    late = Technique("late", gradient=lambda gradient, frozen: tf.ensure_shape(gradient, [1]))
    odd = Technique("odd", gradient=lambda gradient, frozen: tf.gather(gradient, 99))
    recipes = {"broken": broken, "late": late, "odd": odd, "none": Technique("none")}
    *raised, none = judge(recipes, ["sgd"], ["cold"])
    assert all(v.cells is None and v.note.startswith("impossible: ") for v in raised)
    assert none.cells == 24


def test_two_optimizers_of_one_name_are_refused():
    with pytest.raises(ValueError, match="name"):
        judge(optimizers=["sgd", keras.optimizers.SGD])


# Runs share how they begin, and nothing else

SMALL = {"techniques": ["where_gradient", "exact"], "optimizers": ["adam", "muon"]}


def test_the_same_runs_give_the_same_verdicts(matrix):
    again = judge(["restore", "gradient_times_mask"])
    assert again == [matrix[v.technique, v.optimizer, v.situation] for v in again]


@pytest.mark.thorough
def test_runs_side_by_side_give_the_verdicts_of_runs_in_a_row():
    alone, start = judge(**SMALL), threading.Barrier(3)

    def judge_at_once(_):
        start.wait()
        return judge(**SMALL)

    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        assert list(pool.map(judge_at_once, range(3))) == [alone] * 3


def test_runs_draw_from_nobodys_random_numbers():
    def draw(prepare):
        keras.utils.set_random_seed(3)
        prepare()
        return np.random.random(), float(tf.random.uniform(()))

    few = {"techniques": ["restore"], "optimizers": ["adam"], "situations": ["clipping", "NaN"]}
    assert draw(lambda: judge(**few)) == draw(lambda: None)


# The progress bar

FEW = {"techniques": ["none", "restore"], "optimizers": ["sgd"], "situations": ["cold", "warm"]}


@pytest.fixture
def shown(monkeypatch):
    """What a notebook would be given to display, while Python believes to be in one."""
    found = []
    monkeypatch.setattr(verdicts, "get_ipython", lambda: SimpleNamespace(kernel=True))
    monkeypatch.setattr(verdicts, "display", lambda data, raw: found.append((data, raw)))
    return found


@pytest.fixture
def bars(monkeypatch):
    """The bars that a notebook would show."""
    made, make = [], verdicts.tqdm_notebook
    monkeypatch.setattr(
        verdicts, "tqdm_notebook", lambda **options: made.append(make(**options)) or made[-1]
    )
    return made


def test_a_notebook_shows_a_bar_that_leaves_no_text_and_goes_away(shown, bars, capfd):
    verdicts.judge(**FEW)
    ((data, raw),) = shown
    assert raw and list(data) == ["application/vnd.jupyter.widget-view+json"]
    (bar,) = bars
    assert (bar.n, bar.total) == (4, 4) and bar.container.comm is None
    assert capfd.readouterr() == ("", "")


def test_the_bar_moves_with_each_run(shown, bars, monkeypatch):
    seen, count = [], verdicts.COUNTS["frozen"]

    def look(*setting):
        seen.append(bars[0].n)
        return count(*setting)

    monkeypatch.setitem(verdicts.COUNTS, "frozen", look)
    verdicts.judge(**FEW)
    assert seen == [0, 1, 2, 3]


def test_no_bar_where_none_is_wanted(shown, bars, capfd):
    judge(**FEW)
    assert (shown, bars) == ([], []) and capfd.readouterr() == ("", "")


def test_nothing_is_written_where_nobody_looks(capfd):
    verdicts.judge(**FEW)
    assert capfd.readouterr() == ("", "")


def test_a_terminal_shows_a_bar(monkeypatch):
    written = SimpleNamespace(text="", isatty=lambda: True, flush=lambda: None)
    written.write = lambda text: setattr(written, "text", written.text + text)
    monkeypatch.setattr(verdicts.tqdm, "__init__", _to(written, verdicts.tqdm.__init__))
    verdicts.judge(**FEW)
    assert "leaks" in written.text and "4" in written.text


def _to(file, original):
    return lambda self, *rest, **named: original(self, *rest, **{**named, "file": file})
