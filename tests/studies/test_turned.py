"""The reader of *What freezing does to a model*: what is frozen stays, and all begin alike."""

import numpy as np
import pytest

from helpers.studies import turned


@pytest.fixture(scope="module")
def reader():
    return turned.TurnedReader()


@pytest.mark.parametrize(("kind", "count"), [("free", 0), ("frozen", 4)])
def test_frozen_layers_stay_and_the_others_train(reader, kind, count):
    before = reader._base(0)
    reader.judged(kind, 0.01, 3, seed=0, images=50)
    same = [np.array_equal(*pair) for pair in zip(before, reader._network.get_weights())]
    assert same == [True] * count + [False] * (6 - count)


def test_at_a_rate_of_0_nothing_is_learnt(reader):
    free, held = (reader.judged(kind, 0.0, 2, seed=0) for kind in ("free", "frozen"))
    assert free == held and free[1] < 40


def test_few_pictures_are_soon_learnt(reader):
    *_, learnt = reader.judged("free", 0.03, 100, seed=0, images=50)
    assert learnt == 100


def test_an_unknown_kind_is_refused_by_name(reader):
    with pytest.raises(ValueError, match="first layer"):
        reader.judged("first layer", 0.01, 3, seed=0)
