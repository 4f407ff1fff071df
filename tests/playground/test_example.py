"""The example that a playground's picture shows while nobody has touched it."""

import numpy as np
import pytest

from helpers.playground import stills
from helpers.techniques import TECHNIQUES
from tests.playground.small import bits, small

BLOCK = np.s_[2:5, 2:6]
WARM = [20, BLOCK, 20]


def drawn(monkeypatch, lab):
    """What is drawn of a playground: (values, frozen, title, leaked), and what else is named."""
    calls = []
    monkeypatch.setattr(stills.pixels, "still", lambda *a, **named: calls.append((a, named)) or b"")
    stills.stand_in(lab)
    return calls[-1]


def block():
    cells = np.zeros((12, 12), bool)
    cells[BLOCK] = True
    return cells


def test_the_picture_shows_the_example_and_leaks_where_and_only_where_cells_leaked(
    playground, monkeypatch
):
    lab = playground(small(), "adam", "gradient_times_mask", example=WARM)
    (values, frozen, title, leaked), _ = drawn(monkeypatch, lab)
    assert title == "12 of 12 frozen cells have changed, after 40 steps · gradient × mask, adam"
    by_hand = playground(small(), "adam", "gradient_times_mask")
    by_hand.train(20)
    by_hand.paint(*BLOCK)
    by_hand.train(20)
    np.testing.assert_array_equal(leaked, by_hand.leaks())
    np.testing.assert_array_equal(frozen, by_hand.frozen)
    assert values.tobytes() == bits(by_hand)


def test_a_cold_example_that_holds_shows_no_leak(playground, monkeypatch):
    lab = playground(small(), "sgd", "gradient_times_mask", example=[block(), 1])
    (_, frozen, title, leaked), _ = drawn(monkeypatch, lab)
    assert title.startswith("0 of 12 frozen cells have changed, after 1 step ·")
    assert not leaked.any() and (frozen == block()).all()


def test_the_names_and_the_bars_are_those_of_the_grid(playground, monkeypatch):
    lab = playground("digits", "adam", page="3", example=WARM)
    (*_, title, _), named = drawn(monkeypatch, lab)
    assert title.endswith(", class 3") and named["words"] == ("pixel row", "column")
    assert list(named["shares"]["by_page"]) == list("0123456789")
    assert named["shares"]["all"] > 0.5 and named["shares"]["page"] == "3"


@pytest.mark.parametrize("technique", TECHNIQUES)
@pytest.mark.parametrize("optimizer", ["momentum", "adamw"])
def test_the_run_starts_untouched(playground, technique, optimizer):
    shown, bare = (playground(small(), optimizer, technique, example=parts) for parts in (WARM, ()))
    shown.paint(0, slice(None))
    bare.paint(0, slice(None))
    stills.stand_in(shown)
    assert (shown.steps, shown.frozen.sum()) == (0, 12) and bits(shown) == bits(bare)
    for lab in (shown, bare):
        lab.train(7)
        lab.paint(*BLOCK)
        lab.train(7)
        lab.paint(*BLOCK, frozen=False)
        lab.train(7)
    assert bits(shown) == bits(bare)
    assert shown.script() == bare.script() and shown.code() == bare.code()
    shown.undo()
    shown.undo()
    shown.undo()
    assert not shown.frozen.any()


def test_pins_goals_and_observers_see_nothing_of_it(playground):
    from helpers.playground import goals

    lab = playground(small(), "adam", "gradient_times_mask", example=WARM, goals=[goals.leak()])
    lab.pin(3, 3)
    seen = []
    lab.painter.observe(lambda change: seen.append(change.new), ["step", "loss", "status"])
    stills.stand_in(lab)
    assert not seen and list(lab.goals.values()) == [False]
    lab.train(3)
    assert lab.traces(3, 3)["step"].tolist() == [1, 2, 3]


def test_the_same_bytes_each_time_and_in_another_playground(playground):
    one, other = (playground(small(), "adam", example=WARM) for _ in range(2))
    first = stills.stand_in(one)
    assert first == stills.stand_in(one) == stills.stand_in(other)
    assert first != stills.stand_in(playground(small(), "adam"))


def test_whoever_has_trained_sees_the_grid_as_it_is(playground, monkeypatch):
    lab = playground(small(), "adam", "exact", example=WARM)
    lab.train(3)
    (values, frozen, title, _), _ = drawn(monkeypatch, lab)
    assert title == "Nothing is frozen yet, after 3 steps · exact freeze, adam"
    assert values.tobytes() == bits(lab) and not frozen.any()


def test_a_recipe_that_cannot_be_chosen_is_not_named(playground, monkeypatch):
    lab = playground(small(), "adam", "exact", controls=["train", "pin"])
    (_, _, title, _), _ = drawn(monkeypatch, lab)
    assert title == "Nothing is frozen yet · adam"


def test_weights_that_were_set_by_hand_are_not_taken_back(playground, monkeypatch):
    task = small()
    lab = playground(task, "adam", example=WARM)
    task.variable.assign(task.variable * 2)
    before = bits(lab)
    (_, _, title, _), _ = drawn(monkeypatch, lab)
    assert bits(lab) == before and "steps" not in title


def test_an_optimizer_is_called_the_same_however_many_keras_has_counted(playground, monkeypatch):
    from helpers.device import keras

    titles = {
        drawn(monkeypatch, playground(small(), keras.optimizers.AdamW(0.01)))[0][2]
        for _ in range(3)
    }
    assert titles == {"Nothing is frozen yet · none: every cell trains, adamw"}


def test_what_is_painted_already_is_frozen_in_the_example_too(playground, monkeypatch):
    lab = playground(small(), "adam", "gradient_times_mask", example=[5, BLOCK, 5])
    lab.paint(0, slice(None))
    (_, frozen, _, leaked), _ = drawn(monkeypatch, lab)
    assert frozen.sum() == 24 and not leaked[0].any() and leaked[BLOCK].all()
    assert lab.frozen.sum() == 12


def test_no_lock_is_taken_out_of_order(playground, watched_locks):
    stills.stand_in(playground(small(), "adam", example=WARM))


@pytest.mark.parametrize(
    ("parts", "error", "said"),
    [
        ([-1], ValueError, "-1 steps arrived"),
        ([np.s_[0:99, 0]], IndexError, "99 is outside"),
        ([np.ones((3, 3), bool)], ValueError, "arrived"),
        ([2.5], (TypeError, ValueError), "arrived"),
        ([True], (TypeError, ValueError), "arrived"),
    ],
)
def test_another_example_is_refused_before_anything_is_made(
    playground, trainers, parts, error, said
):
    with pytest.raises(error, match=said):
        playground(small(), example=parts)
    assert not trainers()


def test_a_run_that_breaks_off_shows_what_was_before(playground, spoilt, monkeypatch):
    lab = playground(spoilt(small(), 4), example=[10])
    (values, _, title, _), _ = drawn(monkeypatch, lab)
    assert np.isfinite(values).all() and "after 4 steps" in title
    assert lab.steps == 0
