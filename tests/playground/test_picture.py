"""The picture of the playground in README shows it as it is.

After a change that can be seen, `python3 -m helpers test tests/playground/test_picture.py
--take-picture` takes it anew.
"""

import io
import re

import pytest
from PIL import Image, PngImagePlugin

from helpers import ROOT

PICTURE = ROOT / "notebooks" / "pictures" / "playground.png"
WORDS = "words"  # the PNG's own name for what stands on the widget in it
SCENE = """
lab.train(60)
lab.pin(3, 4)
lab.pin(2, 2)
lab.train(40)
lab.paint([1, 2, 3, 4, 5, 5, 5, 5, 3, 3], [5, 5, 5, 5, 5, 4, 3, 2, 3, 4])
lab.train(40)
lab.paint([6, 6, 6], [0, 1, 2])
"""

pytestmark = pytest.mark.browser


def words_of(hands):
    """What stands on the widget, without the numbers, which no two processors need share."""
    return re.sub(r"[-−+]?\d[\d.e-]*", "#", hands.widget.inner_text())


def test_the_picture_shows_what_the_playground_shows(show, pytestconfig):
    hands = show("Playground('digits', 'adam', 'where_gradient', page='3')")
    hands.python("None", SCENE)
    hands.widget.get_by_text("10 of 13 frozen cells have changed").wait_for()
    hands.page.set_viewport_size({"width": 1530, "height": 1600})
    hands.stand_still()
    words = words_of(hands)
    if pytestconfig.option.take_picture:
        hands.page.mouse.move(0, 0)
        taken = Image.open(io.BytesIO(hands.widget.screenshot()))
        told = PngImagePlugin.PngInfo()
        told.add_itxt(WORDS, words)
        taken.save(PICTURE, pnginfo=told, optimize=True)
    assert Image.open(PICTURE).text.get(WORDS) == words
