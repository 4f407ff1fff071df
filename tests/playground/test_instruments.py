"""The instruments in a real browser: microscope, drawing of a step, accuracy."""

import numpy as np
import pytest

from tests.playground.hands import Hands

pytestmark = pytest.mark.browser

COASTING = "Playground(technique='where_gradient', page='3')"
# How many of the microscope's pixels are neither empty nor the ink of its frames.
INKED = """() => {
    const canvas = document.querySelector(".painter-traces");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) {
        const [red, green, blue, alpha] = data.subarray(i, i + 4);
        count += alpha > 100 && Math.max(red, green, blue) - Math.min(red, green, blue) > 60;
    }
    return count;
}"""


def microscope(hands):
    return hands.widget.locator(".painter-microscope")


def station(hands, name):
    return hands.widget.locator(f".painter-station[data-station={name}]")


def pinned(hands):
    return hands.python("[list(cell) for cell in lab.session.run.microscope.cells]")


def click(hands, row, column):
    hands.stand_still()
    hands.page.mouse.click(*hands.place(row, column))


def test_a_cell_is_pinned_with_the_mouse_and_its_curves_are_drawn(show):
    hands = show(COASTING).unfold()
    assert microscope(hands).is_hidden()
    hands.button("Pin").click()
    click(hands, 3, 4)
    hands.until("len(lab.session.run.microscope.cells) == 1")
    assert pinned(hands) == [["3", 3, 4]] and hands.frozen.sum() == 0
    microscope(hands).get_by_text("class 3, pixel row 3, column 4").wait_for()
    hands.widget.locator(".painter-pinned").wait_for()
    hands.python("1", "lab.train(40)")
    hands.page.wait_for_function(f"({INKED})() > 500")
    hands.widget.locator(".painter-traces").hover(position={"x": 200, "y": 30})
    weight = hands.python("float(lab.traces(3, 4)['weight'][0])")
    assert weight and "weight" in microscope(hands).locator(".painter-values").inner_text()
    microscope(hands).get_by_role("button", name="Unpin").click()
    hands.until("not lab.session.run.microscope.cells")
    microscope(hands).wait_for(state="hidden")
    assert hands.widget.locator(".painter-pinned").count() == 0


def test_a_cell_is_pinned_and_its_curves_are_read_with_keys(show):
    hands = show(COASTING)
    hands.grid.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "p"):
        hands.page.keyboard.press(key)
    hands.until("len(lab.session.run.microscope.cells) == 1")
    assert pinned(hands) == [["3", 2, 1]]
    hands.python("1", "lab.train(9)")
    values = microscope(hands).locator(".painter-values")
    hands.page.wait_for_function(f"({INKED})() > 100")
    hands.widget.locator(".painter-traces").focus()
    for key, step in [("End", 9), ("ArrowLeft", 8), ("Home", 1), ("ArrowRight", 2)]:
        hands.page.keyboard.press(key)
        values.get_by_text(f"step {step}, free").wait_for()
    shown = values.inner_text()
    weight = hands.python("float(lab.traces(2, 1)['weight'][1])")
    assert f"weight {float(f'{weight:.3g}')}" in shown
    hands.grid.focus()
    hands.page.keyboard.press("p")
    hands.until("not lab.session.run.microscope.cells")
    assert hands.page.locator(".jp-Cell").count() == 4


def test_a_fifth_pin_is_refused_in_words(show):
    hands = show(COASTING).unfold()
    hands.button("Pin").click()
    for column in range(5):
        click(hands, 0, column)
    hands.widget.get_by_text("4 cells are pinned already").wait_for()
    assert len(pinned(hands)) == 4


def test_marks_stand_on_the_page_of_their_cells_alone(show):
    hands = show(COASTING)
    hands.python("1", "lab.pin(1, 1)")
    marks = hands.widget.locator(".painter-pinned")
    marks.wait_for()
    hands.python("1", "lab.use(page='4')")
    marks.wait_for(state="detached")
    microscope(hands).get_by_text("class 3, pixel row 1, column 1").wait_for()
    hands.python("1", "lab.use(page='3')")
    marks.wait_for()


def test_the_station_where_the_technique_acts_is_lit(show):
    hands = show(COASTING)
    for technique, lit in [
        ("where_gradient", ["gradient"]),
        ("restore", ["write"]),
        ("stop_gradient", ["seen"]),
        ("none", []),
    ]:
        hands.python("1", f"lab.use({technique!r})")
        told = "[...document.querySelectorAll('.painter-station[data-acts=true]')]"
        told += ".map((each) => each.dataset.station).join()"
        hands.page.wait_for_function(f"{told} === '{','.join(lit)}'")


def test_an_arrow_stands_where_a_leak_enters_once_there_is_one(show):
    hands = show(COASTING)
    hands.python("1", "lab.train(20)")
    hands.python("1", "lab.paint(3, 4)")
    assert hands.widget.locator(".painter-arrow").count() == 0
    hands.python("1", "lab.train(5)")
    station(hands, "memory").locator(".painter-arrow").wait_for()
    assert hands.widget.locator(".painter-arrow").count() == 1
    station(hands, "memory").focus()
    hands.page.keyboard.press("Enter")
    told = hands.widget.locator(".painter-station-text")
    told.get_by_text("still holds gradients from before").wait_for()
    assert "m ← β₁·m + (1−β₁)·g" in told.inner_text()
    hands.page.keyboard.press("Enter")
    assert told.inner_text() == ""
    hands.python("1", "lab.reset()")
    hands.page.wait_for_function("!document.querySelector('.painter-arrow')")


def test_accuracy_stands_beside_the_loss(show):
    hands = show(COASTING)
    hands.python("1", "lab.train(200)")
    share = hands.python("lab.accuracy()")
    hands.widget.get_by_text(f"right on held-out data: {100 * share:.1f} % · of class 3").wait_for()
    assert hands.python("lab.painter.accuracy") == share


NAMED = """names = dict(row="word", column="unit", row_names="the cat sat on a mat".split())
from helpers.device import keras
import numpy as np
model = keras.Sequential([keras.layers.Input((6,)), keras.layers.Dense(4)])
data = np.zeros((5, 6)), np.zeros((5, 4)), "mse"
lab.close()
lab = Playground(tasks.own(model, model.layers[0].kernel, *data, column_names="abcd", **names))
display(lab)"""


def test_rows_and_columns_are_called_by_what_they_are(show, width):
    hands = show("Playground(tasks.snowflake(0, 8, 8))")
    assert hands.widget.locator(".painter-row-names").is_hidden()
    hands.notebook.write(3, NAMED)
    hands.notebook.run(3)
    hands = Hands(hands.notebook)
    for pixels in (1000, 380):
        width(pixels)
        hands.stand_still()
        for row, name in enumerate(hands.widget.locator(".painter-row-names span").all()):
            box = name.bounding_box()
            assert abs(box["y"] + box["height"] / 2 - hands.place(row, 0)[1]) < 2
            assert box["x"] + box["width"] <= hands.place(row, -0.5)[0] + 1
        for column, name in enumerate(hands.widget.locator(".painter-column-names span").all()):
            box = name.bounding_box()
            assert abs(box["x"] + box["width"] / 2 - hands.place(0, column)[0]) < 2
    hands.drag((1, 1), (1, 2))
    hands.widget.get_by_text("word cat, unit c, frozen").wait_for()
    assert np.argwhere(hands.settle()).tolist() == [[1, 1], [1, 2]]
    grid = hands.widget.get_by_role("application")
    assert "from word the, unit a to word mat, unit d." in grid.get_attribute("aria-label")
    hands.page.keyboard.press("p")
    microscope(hands).get_by_text("word cat, unit c").wait_for()


def test_goals_stand_below_the_grid_and_tick_themselves_off(show):
    asked = "[goals.leak(), goals.hold(row=4, steps=20)]"
    hands = show(f"Playground(technique='where_gradient', page='3', goals={asked})")
    listed = hands.widget.get_by_role("list", name="Goals").get_by_role("listitem")
    assert listed.count() == 2 and hands.widget.get_by_label("not yet reached").count() == 2
    assert listed.first.bounding_box()["y"] > hands.place(8, 0)[1]
    stood, height = hands.place(0, 0), hands.widget.bounding_box()["height"]
    hands.python("1", "lab.train(30); lab.paint(3, 4); lab.train(5)")
    hands.widget.get_by_role("status").get_by_text("Reached: Make a frozen cell leak.").wait_for()
    assert hands.widget.get_by_label("reached", exact=True).count() == 1
    assert (hands.place(0, 0), hands.widget.bounding_box()["height"]) == (stood, height)
    hands.button("Reset").click()
    hands.until("lab.steps == 0")
    hands.widget.get_by_text("step 0 ·").wait_for()
    assert hands.widget.get_by_label("reached", exact=True).count() == 1


def test_a_bet_that_cells_do_not_move_is_painted_and_judged(show):
    hands = show("Playground('digits', 'sgd', 'none', page='3')").unfold()
    hands.button("Predict still").click()
    hands.drag((0, 0), (0, 3))
    hands.until("int(lab.prediction.sum()) == 4")
    assert hands.frozen.sum() == 0 and hands.python("lab.claim") == "stay"
    hands.widget.get_by_text("You predict that 4 cells will not move").wait_for()
    hands.python("1", "lab.train(10)")
    right, missed, wrong = hands.python("[int(each.sum()) for each in lab.judge_prediction()]")
    assert right + wrong == 4 and 0 < right < 4
    told = f"{right} right (✓), {missed} missed (!), {wrong} wrong (✗)"
    hands.widget.get_by_text(f"Your prediction: {told}").wait_for()
    hands.button("Predict leaks").click()
    hands.widget.get_by_text("You predict that 4 cells will leak").wait_for()


def test_curves_of_a_run_that_rests_are_drawn_anew_when_the_page_grows_wider(show, width):
    hands = show(COASTING)
    hands.python("1", "lab.pin(3, 4)\nlab.train(40)")
    fits = """name => {
        const canvas = document.querySelector(name);
        return Math.abs(canvas.width - canvas.clientWidth * devicePixelRatio) < 2;
    }"""
    for pixels in (900, 1400, 1000):
        width(pixels)
        for name in (".painter-traces", ".painter-curve", ".painter-accuracies"):
            hands.page.wait_for_function(fits, arg=name, timeout=20_000)
    width(0)


# What stands in the notebook before: a task that holds out two parts of the digits.
TWO = """from helpers import datasets
images, labels = datasets.digits()
def part(which): return images[which], labels[which]
def two():
    keras = __import__('keras')
    drawn = keras.initializers.GlorotUniform(seed=0)
    dense = keras.layers.Dense(10, kernel_initializer=drawn)
    model = keras.Sequential([keras.layers.Input((64,)), dense])
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    held_out = {"old digits": part(labels < 5), "new digits": part(labels > 4)}
    return tasks.own(model, model.layers[0].kernel, *part(labels > 4), loss, held_out=held_out)"""
# How many pixels of the curves have the colour of each of two, which the theme gives.
COLOURED = """() => {
    const canvas = document.querySelector(".painter-accuracies");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return [0, 1].map((number) => {
        const named = getComputedStyle(canvas).getPropertyValue(`--curve-${number}`).trim();
        const wanted = [1, 3, 5].map((at) => parseInt(named.slice(at, at + 2), 16));
        let count = 0;
        for (let i = 0; i < data.length; i += 4)
            if (data[i + 3] > 200)
                count += wanted.every((each, k) => Math.abs(each - data[i + k]) < 20);
        return count;
    });
}"""


def test_each_held_out_part_has_a_curve_of_its_own(show, width, theme):
    hands = show("Playground('digits', page='3')")
    one = hands.widget.locator(".painter-accuracies")
    assert "held-out accuracy; now: digits not yet" in one.get_attribute("aria-label")
    hands.python("1", TWO)
    hands.notebook.write(3, "lab.close()\nlab = Playground(two())\ndisplay(lab)")
    hands.notebook.run(3)
    hands = Hands(hands.notebook)
    height = hands.widget.bounding_box()["height"]
    hands.python("1", "lab.train(300)")
    name = "Curves of held-out accuracy; now: old digits 0 %, new digits 9"
    for pixels in (1000, 380):
        width(pixels)
        drawn = hands.widget.get_by_role("img", name=name)
        drawn.wait_for()
        hands.page.wait_for_function(f"({COLOURED})().every((count) => count > 60)")
        box, around = drawn.bounding_box(), hands.widget.bounding_box()
        assert box["width"] > 150 and box["x"] + box["width"] <= around["x"] + pixels
    width(0)
    assert hands.widget.bounding_box()["height"] == height
    hands.button("Reset").click()
    hands.page.wait_for_function(f"({COLOURED})().every((count) => count === 0)")
