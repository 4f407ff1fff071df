"""The playground on a GPU, where TensorFlow sees one: `python3 -m helpers test --gpu`."""

import numpy as np
import pytest

from helpers.bits import changed_bits
from helpers.device import GPUS
from helpers.techniques import TECHNIQUES

pytestmark = pytest.mark.skipif(not GPUS, reason="TensorFlow sees no GPU")


def test_it_trains_there_and_says_so(playground):
    lab = playground("digits", device=None)
    before = lab.weights
    lab.train(50)
    assert "GPU" in lab.painter.link.frame()[0]["device"]
    assert changed_bits(before, lab.weights).any()


@pytest.mark.parametrize("optimizer", ["sgd", "momentum", "adam", "adamw", "rmsprop"])
@pytest.mark.parametrize("technique", TECHNIQUES)
def test_the_same_cells_leak_as_on_the_processor(playground, technique, optimizer):
    leaks = []
    for device in ("gpu", "cpu"):
        lab = playground("digits", device=device, technique=technique, optimizer=optimizer)
        lab.train(60)
        lab.paint(slice(2, 4), slice(None))
        lab.train(40)
        leaks.append(lab.leaks())
    np.testing.assert_array_equal(*leaks)
