"""Arrays that a page brings along: which are taken, what a browser gets of them, and a picture."""

import io

import numpy as np
import pytest
from PIL import Image

from tests.playground.small import small

HEAT = np.linspace(0, 3, 144).reshape(12, 12)


def shown(lab, name):
    """What a browser is told of an overlay: its largest number, and those of each page."""
    (told,) = [told for told in lab.painter.get_state()["overlays"] if told["name"] == name]
    numbers = {page: np.frombuffer(data, np.float32) for page, data in told["pages"].items()}
    return told["largest"], numbers


def test_a_browser_gets_the_numbers_of_the_grid(playground):
    ones = np.ones((12, 12), bool)
    lab = playground(task=small(), overlays={"Fisher": HEAT, "ones": ones, "zeros": 0 * HEAT})
    assert [told["name"] for told in lab.painter.overlays] == ["Fisher", "ones", "zeros"]
    largest, pages = shown(lab, "Fisher")
    assert largest == 3 and pages.keys() == {"all"}
    np.testing.assert_array_equal(pages["all"], np.float32(HEAT).ravel())
    assert shown(lab, "ones")[0] == 1 and shown(lab, "zeros")[0] == 0


def test_an_array_of_the_whole_variable_is_folded_into_pages(playground):
    whole = np.random.default_rng(0).random((64, 10), np.float32)
    lab = playground("digits", overlays={"Fisher": whole})
    largest, pages = shown(lab, "Fisher")
    assert largest == whole.max() and list(pages) == list(lab.task.pages)
    for digit, numbers in enumerate(pages.values()):
        np.testing.assert_array_equal(numbers, whole[:, digit])


def test_of_a_slice_of_a_variable_an_array_of_its_shape_is_taken(playground, own_task):
    lab = playground(own_task(cells=np.s_[::2, :, 0, 0]), overlays={"Fisher": np.ones((2, 3))})
    assert shown(lab, "Fisher")[1]["all"].size == 6


def test_a_closed_playground_keeps_its_overlays(playground):
    lab = playground(task=small(), overlays={"Fisher": HEAT})
    lab.close()
    assert lab.painter.overlays[0]["name"] == "Fisher"


WRONG = {
    "a list": ([HEAT], ["The overlays", "a dict from names to arrays"]),
    "an array": (HEAT, ["The overlays", "a dict from names to arrays"]),
    "a name of a view": ({"Moved": HEAT}, ["name of an overlay 'Moved'", "other than 'weights'"]),
    "no name": ({"": HEAT}, ["name of an overlay ''", "1 to 40 letters"]),
    "a number for a name": ({1: HEAT}, ["name of an overlay 1", "a text"]),
    "another shape": ({"F": HEAT[:8]}, ["'F' of shape (8, 12)", "(12, 12)"]),
    "one number": ({"F": 1.0}, ["'F' of shape ()", "(12, 12)"]),
    "a NaN": ({"F": np.where(HEAT == 3, np.nan, HEAT)}, ["cell (11, 11), nan", "finite"]),
    "infinity": ({"F": np.where(HEAT == 0, np.inf, HEAT)}, ["cell (0, 0), inf", "finite"]),
    "more than float32 holds": ({"F": 1e300 + HEAT}, ["cell (0, 0), 1e+300", "finite"]),
    "a negative number": ({"F": HEAT - 1}, ["cell (0, 0), -1.0", "from 0 up"]),
    "letters": ({"F": HEAT.astype(str)}, ["'F' of 'str", "a finite number from 0 up in each cell"]),
    "complex numbers": ({"F": HEAT + 1j}, ["'F' of 'complex128'", "a finite number from 0 up"]),
}


@pytest.mark.parametrize("name", WRONG)
def test_other_overlays_are_refused_in_words(playground, trainers, name):
    wrong, words = WRONG[name]
    with pytest.raises(ValueError, match="arrived; .* wanted") as refused:
        playground(task=small(), overlays=wrong)
    assert all(word in str(refused.value) for word in words), refused.value
    assert trainers() == []


def test_with_several_pages_an_array_of_one_is_refused(playground):
    with pytest.raises(ValueError, match=r"shape \(8, 8\) arrived; \(64, 10\)"):
        playground("digits", overlays={"Fisher": np.ones((8, 8))})


def test_its_picture_is_drawn_of_the_page_on_the_grid(playground):
    whole = np.zeros((64, 10))
    whole[:32, 3] = 1
    lab = playground("digits", page="3", overlays={"Fisher": whole})
    lab.paint(slice(0, 8), slice(0, 2))
    three = pixels(lab.picture(view="Fisher"))
    lab.use(page="4")
    four = pixels(lab.picture(view="Fisher"))
    dark = [(picture.sum(-1) < 150).mean() for picture in (three, four)]
    assert dark[0] > dark[1] + 0.1
    with pytest.raises(ValueError, match="The view 'weights' arrived; the known ones are 'Fisher'"):
        lab.picture(view="weights")


def pixels(image):
    return np.array(Image.open(io.BytesIO(image.data)).convert("RGB")).astype(int)
