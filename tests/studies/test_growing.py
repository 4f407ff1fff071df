"""Two digits more, learned beside eight frozen ones."""

import pytest

from helpers.device import keras
from helpers.freezing import freezable
from helpers.studies import growing
from helpers.techniques import TECHNIQUES


@pytest.fixture(autouse=True)
def two_seeds(monkeypatch):
    monkeypatch.setattr(growing, "SEEDS", 2)


def test_under_the_exact_freeze_nothing_leaks_and_both_kinds_are_read():
    adamw = keras.optimizers.AdamW(0.01, weight_decay=0.1)
    leaked, old, new = growing.learn_two_more(TECHNIQUES["exact"], adamw)
    assert not leaked.any() and old.min() > 0.85 and new.min() > 0.75


def test_a_seed_starts_afresh_whatever_ran_before_it():
    adam = freezable(keras.optimizers.Adam)(0.01)
    reader = growing._GrowingReader(TECHNIQUES["exact"], adam, penalty=0.0)
    first, other, again = (reader.run(seed, replay=True, warm=20) for seed in (0, 1, 0))
    assert first == again != other


def test_a_recipe_with_another_variable_is_refused():
    with pytest.raises(ValueError, match="another variable.*restore"):
        growing.learn_two_more(TECHNIQUES["free_values"], keras.optimizers.Adam())


@pytest.mark.parametrize(("name", "leaking"), [("where_gradient", 264), ("shadow_copy", 0)])
def test_leaks_are_counted_in_what_the_model_sees(name, leaking):
    adamw = keras.optimizers.AdamW(0.01, weight_decay=0.1)
    leaked, _, _ = growing.learn_two_more(TECHNIQUES[name], adamw, warm=5)
    assert (leaked == leaking).all()


def test_without_old_digits_in_the_batches_most_of_them_are_lost_even_if_nothing_leaks():
    adam = keras.optimizers.Adam(0.01)
    leaked, old, _ = growing.learn_two_more(TECHNIQUES["exact"], adam, replay=False)
    assert not leaked.any() and old.max() < 0.6
