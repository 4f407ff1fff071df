"""The playground in a real JupyterLab, in a real Chromium, with real mouse, touch and keys."""

import functools
import itertools
import math
import os
import random
import time

import numpy as np
import pytest

from helpers.tools import browser
from tests.playground.hands import Hands, unfold

pytestmark = pytest.mark.browser

# Computes without a pause until a painted row is in force, or for longer than it may take. The
# widget speaks from this cell last: left alone, ipykernel would send paint to where that was.
BUSY = """import time
lab.painter.send_state("shape")
obeyed = []
lab.session.after_steps.append(obeyed.append)
stop = time.time() + 20
while not (in_force := bool(lab.frozen[2].all() and obeyed and max(obeyed[-1].values()))):
    if time.time() > stop: break"""

# Loses the first messages with paint that leave the page.
LOSING = """(count) => {
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (data) {
        const text = typeof data === "string" ? data : new TextDecoder().decode(data);
        if (text.includes('"paint"') && count-- > 0) return;
        send.call(this, data);
    };
}"""

# Counts how often the page asks for the value of a cell.
COUNTING = """() => {
    window.asked = 0;
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (data) {
        const text = typeof data === "string" ? data : new TextDecoder().decode(data);
        window.asked += text.includes('"kind":"value"');
        send.call(this, data);
    };
}"""


def crossed(shape, *cells):
    """The cells whose inside a path through cell middles touches, by walking it in small steps."""
    touched = np.zeros(shape, bool)
    for (r0, c0), (r1, c1) in itertools.pairwise(cells):
        for t in np.linspace(0, 1, 2001):
            row, column = r0 + t * (r1 - r0), c0 + t * (c1 - c0)
            touched[math.floor(row + 0.5), math.floor(column + 0.5)] = True
    return touched


@pytest.mark.everyday
def test_a_drag_freezes_exactly_the_cells_crossed_and_they_keep_their_bits(show):
    hands = show()
    path = (1, 1), (3.2, 6.1), (6, 2)
    hands.drag(*path)
    frozen = hands.settle()
    np.testing.assert_array_equal(frozen, crossed((8, 8), *path))
    before = hands.python("lab.weights.view('uint32').tolist()")
    hands.python("lab.train(500)")
    after = np.array(hands.python("lab.weights.view('uint32').tolist()"))
    np.testing.assert_array_equal(after[frozen], np.array(before)[frozen])
    assert (after != before)[~frozen].mean() > 0.9
    hands.wait_for_leaks(f"0 of {frozen.sum()} frozen cells have changed")


@pytest.mark.everyday
def test_a_drag_while_it_trains_freezes_and_shift_thaws(show):
    hands = show()
    hands.button("Train").click()
    hands.drag((2, 1), (2, 6))
    assert hands.settle()[2, 1:7].all()
    hands.drag((2, 3), (2, 4), thaw=True)
    assert hands.settle()[2].tolist() == [False, True, True, False, False, True, True, False]
    hands.button("Pause").click()
    hands.button("Train").wait_for()


@pytest.mark.everyday
def test_gradient_times_mask_with_warm_adam_makes_the_leak_meter_rise(show):
    hands = show("Playground(optimizer='adam', technique='gradient_times_mask')")
    hands.python("lab.train(200)")
    hands.drag((3, 3), (3, 5))
    hands.settle()
    hands.wait_for_leaks("0 of 3 frozen cells have changed")
    hands.button("Train").click()
    hands.wait_for_leaks("3 of 3 frozen cells have changed")
    assert hands.python("int(lab.leaks().sum())") == 3


@pytest.mark.everyday
def test_undo_and_redo_by_button_and_by_key(show):
    hands = show().unfold()
    hands.drag((1, 1), (1, 4))
    hands.drag((5, 1), (5, 4))
    both = hands.settle()
    hands.widget.get_by_role("button", name="Undo").click()
    assert hands.settle(operated=True).sum() == 4
    hands.grid.focus()
    hands.page.keyboard.press("Control+z")
    assert hands.settle(operated=True).sum() == 0
    hands.page.keyboard.press("Control+y")
    hands.page.keyboard.press("Control+Shift+Z")
    again = hands.settle_to(functools.partial(np.array_equal, both))
    np.testing.assert_array_equal(again, both)


@pytest.mark.everyday
def test_painting_with_the_keyboard_alone(show):
    hands = show()
    hands.page.mouse.move(2, 2)
    hands.widget.get_by_label("Optimizer").focus()
    hands.page.keyboard.press("Tab")  # on to the grid
    cells = hands.page.locator(".jp-Cell").count()
    for key in ["Home", "PageUp", "ArrowDown", "ArrowRight", "Space", "Shift+ArrowRight"]:
        hands.page.keyboard.press(key)
    assert np.argwhere(hands.settle()).tolist() == [[1, 1], [1, 2]]
    hands.page.keyboard.press("Space")
    assert np.argwhere(hands.settle()).tolist() == [[1, 1]]
    said = hands.widget.locator(".painter-readout")
    said.get_by_text("row 1, column 2").wait_for()
    for key in "ddxabm":  # would delete, cut, insert or convert the notebook's cell
        hands.page.keyboard.press(key)
    assert hands.page.locator(".jp-Cell").count() == cells
    assert hands.page.evaluate("document.activeElement.className") == "painter-grid"


def test_a_key_paints_one_cell_with_the_rectangle_tool(show):
    hands = show().unfold()
    hands.widget.get_by_role("button", name="Rectangle").click()
    hands.grid.focus()
    for key in ["Home", "PageUp", "ArrowDown", "Space", "Shift+ArrowRight"]:
        hands.page.keyboard.press(key)
    assert np.argwhere(hands.settle()).tolist() == [[1, 0], [1, 1]]


def test_painting_with_a_finger(show):
    hands = show()
    session = hands.notebook.context.new_cdp_session(hands.page)
    path = [(4, 1 + step / 4) for step in range(17)]
    for kind, cells in (("touchStart", path[:1]), *(("touchMove", [cell]) for cell in path[1:])):
        points = [dict(zip("xy", hands.place(*cell))) for cell in cells]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    frozen = hands.settle()
    assert frozen[4].tolist() == [False, True, True, True, True, True, False, False]
    assert frozen.sum() == 5


def test_tools_brush_sizes_and_presets(show):
    hands = show("Playground('hidden', technique='restore')").unfold()
    hands.widget.get_by_role("button", name="Rectangle").click()
    hands.drag((10, 4), (20, 9))
    assert hands.settle()[10:21, 4:10].all() and hands.frozen.sum() == 66
    hands.widget.get_by_role("button", name="Row", exact=True).click()
    hands.drag((30, 4), (32, 4))
    assert hands.settle()[30:33].all() and hands.frozen.sum() == 66 + 3 * 32
    hands.widget.get_by_role("button", name="Thaw").click()
    hands.widget.get_by_role("button", name="Column").click()
    hands.drag((40, 5), (40, 5))
    assert not hands.settle()[:, 5].any()
    hands.widget.get_by_role("button", name="Clear").click()
    hands.widget.get_by_label("Preset masks").select_option("largest 0.1")
    magnitude = np.abs(hands.python("lab.weights.tolist()"))
    frozen = hands.settle_to(lambda frozen: frozen.sum() == 205)
    assert frozen.sum() == 205 and magnitude[frozen].min() >= magnitude[~frozen].max()
    hands.widget.get_by_label("Preset masks").select_option("random 0.5")
    scattered = hands.settle_to(lambda frozen: frozen.sum() == 1024)
    assert scattered.sum() == 1024 and scattered.any(0).all() and scattered.any(1).all()
    hands.widget.get_by_role("button", name="Clear").click()
    hands.widget.get_by_role("button", name="Freeze").click()
    hands.widget.get_by_role("button", name="Brush").click()
    hands.widget.get_by_label("Brush size").select_option("5")
    hands.drag((40, 16), (40, 16))
    frozen = hands.settle_to(lambda frozen: frozen.sum() == 25)
    assert frozen[38:43, 14:19].all() and frozen.sum() == 25


def test_technique_optimizer_class_and_mask_change_while_it_trains(show):
    hands = show("Playground(technique='none')").unfold()
    hands.python("1", "lab.train(1)")  # compiled, however slow the machine is
    hands.button("Train").click()
    for label, choice in [
        ("Freeze by", "restore after the step"),
        ("Optimizer", "adamw"),
        ("Class", "7"),
        ("Freeze by", "gradient × mask"),
        ("Optimizer", "sgd"),
    ]:
        hands.page.get_by_label(label, exact=True).select_option(choice)
        hands.drag((1, 1), (1, 3))
        hands.widget.get_by_role("button", name="Undo").click()
        hands.until(f"lab.steps > {hands.python('lab.steps')}")
    assert hands.python("lab.session.loop.traces") == 3  # adam, adamw, sgd
    assert hands.widget.get_attribute("data-status") == "training"


def test_running_the_cell_again_leaves_one_trainer(show):
    hands = show()
    hands.button("Train").click()
    for _ in range(3):
        hands.notebook.run(1)
        time.sleep(0.5)
    threads = "[t.name for t in __import__('threading').enumerate()].count('freezing-trainer')"
    assert hands.python(threads) == 1
    hands.python("lab.close()")
    assert hands.python(threads) == 0
    hands.notebook.run(1)
    hands.grid.wait_for()


def test_two_views_of_one_playground_agree(show):
    first = show()
    first.notebook.run(2)
    second = Hands(first.notebook, view=1)
    second.drag((6, 1), (6, 6))
    second.settle()
    np.testing.assert_array_equal(first.pixels, second.pixels)
    first.grid.scroll_into_view_if_needed()
    first.drag((0, 0), (0, 7))
    first.settle()
    np.testing.assert_array_equal(first.pixels, second.pixels)
    assert first.frozen.sum() == 14


def test_two_playgrounds_on_one_page_keep_their_masks_apart(show):
    above = show("Playground()\nother = Playground()\ndisplay(other)")
    below = Hands(above.notebook, view=1)
    below.drag((2, 2), (2, 5))
    assert below.settle().sum() == 4
    assert not above.pixels.any() and not above.python("bool(other.frozen.any())")
    above.python("other.close()")


def test_a_reloaded_page_shows_the_truth(show):
    hands = show()
    hands.drag((1, 1), (4, 4))
    hands.settle()
    hands.notebook.command("docmanager:save")
    hands.python("lab.paint(7, slice(0, 8))")
    hands.notebook.open(hands.notebook.address.replace("?reset", ""))
    again = Hands(hands.notebook)
    assert again.settle()[7].all()
    again.drag((0, 5), (0, 6))
    assert again.settle()[0, 5]


def test_a_busy_cell_does_not_keep_paint_waiting(show):
    """The cell is busy until the paint is in force; if that has to wait for the cell, it fails."""
    hands = show()
    hands.python("1", "lab.train(1)")  # compiled
    hands.python("lab.start()")
    hands.notebook.write(3, BUSY)
    hands.notebook.run(3)
    hands.grid.scroll_into_view_if_needed()
    hands.drag((2, 0), (2, 7))
    assert hands.settle()[2].all()  # Python answers once the cell is over
    assert hands.python("in_force"), "the mask came into force only after the busy cell"


def test_paint_that_was_lost_on_the_way_is_sent_again(show):
    """While frames keep coming in, so that the kernel is not silent."""
    hands = show()
    hands.python("lab.start()")
    hands.page.evaluate(LOSING, 3)
    hands.drag((2, 0), (2, 7))
    assert not hands.frozen.any()
    hands.until("bool(lab.frozen[2].all())")
    assert hands.settle()[2].all()


def test_a_grid_of_a_fresh_canvas_s_very_size_is_shown(show):
    hands = show("Playground(tasks.snowflake(0, 150, 300), technique='restore')")
    hands.drag((10, 10), (10, 20))
    assert hands.settle().sum() == 11


def test_a_failure_is_shown_where_the_person_looks(show):
    hands = show()
    hands.python("1", "lab.task.variable.assign(lab.task.variable.numpy() * float('nan'))")
    hands.button("Train").click()
    alert = hands.widget.get_by_role("alert")
    alert.get_by_text("not finite at step 1").wait_for()
    assert hands.widget.get_attribute("data-status") == "failed"
    with pytest.raises(RuntimeError, match="NotFinite"):
        hands.python("lab.train(1)")
    hands.page.get_by_role("button", name="Reset").click()
    alert.wait_for(state="hidden")
    assert hands.python("[lab.train(3), lab.steps][1]") == 3


def test_nothing_that_is_said_moves_the_grid(show):
    """Else a stroke would go on in another row than the one where the hand is."""
    hands = show("Playground('hidden', technique='restore')")
    stood = hands.place(0, 0)
    height = hands.widget.bounding_box()["height"]
    hands.page.mouse.move(*hands.place(3, 3))
    hands.widget.get_by_text("feature 3, unit 3").wait_for()
    assert hands.widget.bounding_box()["height"] == height
    alert = hands.widget.get_by_role("alert")
    with hands.stopped_kernel():
        hands.drag((30, 4), (32, 4))
        alert.get_by_text("The kernel does not answer").wait_for(timeout=90_000)
        assert hands.place(0, 0) == stood
    alert.wait_for(state="hidden")
    assert hands.settle().sum() == 3


def test_a_kernel_is_asked_for_one_value_at_a_time_and_the_last_one_is_shown(show):
    hands = show()
    hands.page.evaluate(COUNTING)
    with hands.stopped_kernel():
        for column in range(8):
            hands.page.mouse.move(*hands.place(3, column))
        assert hands.page.evaluate("window.asked") == 1
    hands.widget.get_by_text("row 3, column 7, free").wait_for()
    assert hands.page.evaluate("window.asked") == 2


@pytest.mark.everyday
def test_every_operation_leaves_browser_python_and_tensorflow_with_one_mask(show):
    """Random strokes, keys, buttons, calls and speeds; after each the three masks must be equal."""
    hands = show(f"Playground(tasks.snowflake(0, {SIDE}, {SIDE}), technique='restore')").unfold()
    hands.button("Train").click()
    wander = random.Random(0)
    operations, frozen = int(os.environ.get("BROWSER_OPERATIONS", 500)), hands.settle()
    for _ in range(operations):
        name = wander.choice(sorted(RANDOM_OPERATIONS))
        expected = RANDOM_OPERATIONS[name](hands, wander, frozen.copy())
        frozen = hands.settle(operated=name in BUTTONS)
        if expected is not None:
            if not np.array_equal(
                frozen, expected
            ):  # the pointer's last events may be on their way
                frozen = hands.settle_to(functools.partial(np.array_equal, expected))
            np.testing.assert_array_equal(frozen, expected, err_msg=name)
    assert hands.python("int(lab.leaks().sum())") == 0


SIDE = 24


def random_drag(hands, wander, frozen):
    """Along a row or a column, where no path can graze a corner."""
    line, start, end = (wander.randrange(SIDE) for _ in range(3))
    along, thaw = wander.random() < 0.5, wander.random() < 0.4
    path = [(line, start), (line, end)] if along else [(start, line), (end, line)]
    hands.drag(*path, thaw=thaw)
    frozen[crossed(frozen.shape, *path)] = not thaw
    return frozen


def random_keys(hands, wander, frozen):
    hands.grid.focus()
    for _ in range(wander.randrange(1, 8)):
        hands.page.keyboard.press("Arrow" + wander.choice(["Up", "Down", "Left", "Right"]))
    hands.page.keyboard.press("Space")


def random_call(hands, wander, frozen):
    row, column, thaw = wander.randrange(SIDE), wander.randrange(SIDE), wander.random() < 0.3
    hands.python(f"lab.paint(slice({row}, {row} + 1), slice(0, {column} + 1), frozen={not thaw})")
    frozen[row, : column + 1] = not thaw
    return frozen


def random_speed(hands, wander, frozen):
    speed = wander.choice(["1 step a second", "10 steps a second", "200 steps a second"])
    hands.widget.get_by_label("Speed").select_option(speed)
    return frozen


def press(name):
    def pressed(hands, wander, frozen):
        hands.widget.get_by_role("button", name=name).click()
        return {"Invert": ~frozen, "Clear": np.zeros_like(frozen)}.get(name)

    return pressed


BUTTONS = {name: press(name) for name in ("Undo", "Redo", "Invert", "Clear")}
RANDOM_OPERATIONS = {
    "drag": random_drag,
    "drag again": random_drag,
    "keys": random_keys,
    "call": random_call,
    "speed": random_speed,
    **BUTTONS,
}


def test_after_a_kernel_restart_the_widget_says_so_and_refuses_paint(show):
    hands = show()
    hands.drag((1, 1), (1, 5))
    hands.settle()
    shown = hands.pixels
    hands.page.evaluate(f"{browser.KERNEL}.restart()")
    hands.widget.get_by_role("alert").get_by_text("Disconnected").wait_for(timeout=90_000)
    hands.drag((5, 1), (5, 5))
    np.testing.assert_array_equal(hands.pixels, shown)
    hands.notebook.wait_until_idle()
    hands.notebook.run(0)
    hands.notebook.python("1")
    hands.notebook.run(1)
    time.sleep(1)
    assert Hands(hands.notebook).settle().sum() == 0


def test_a_guess_is_chosen_with_the_mouse_kept_and_compared(notebook):
    asked = "from helpers.exercises import Guess\nhow = Guess('How many?', 0, 6, 12)\nhow"
    notebook.write(3, asked)
    notebook.run(3)
    options = notebook.page.locator(".widget-radio-box label", has_text="12")
    options.wait_for(timeout=90_000)
    options.click()
    notebook.run(3)  # as Run All does: the choice stays
    options.locator("input:checked").wait_for(timeout=90_000, state="attached")
    notebook.write(1, "how.settle(12)")
    notebook.run(1)
    said = notebook.page.locator(".jp-OutputArea-output", has_text="Your guess: 12")
    said.wait_for(timeout=90_000)
    assert "Found: 12. Right." in said.inner_text()


CONTEST = """
import threading
from helpers import datasets, masks, networks
from helpers.playground import tasks
from helpers.studies.contest import Contest
from helpers.device import keras

(images, labels), _ = datasets.digits_split()
model = networks.dense(0, (8,))
loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
task = tasks.own(model, model.layers[0].kernel, images, labels, loss)
threads = set()


def judge(frozen):
    threads.add(threading.current_thread())
    return [100 * (~frozen).mean()]


contest = Contest(task, {"random": masks.random((64, 8), 0.5, 0)}, judge)
contest
"""


def test_a_painted_mask_is_scored_with_the_mouse(notebook):
    notebook.write(1, CONTEST)
    notebook.run(1)
    said = notebook.page.locator(".jp-OutputArea-output span[role=status]")
    said.get_by_text("Free cells: 0 of 256.").wait_for(timeout=60_000)
    unfold(notebook.page.locator(".painter"))
    notebook.page.locator(".painter").get_by_role("button", name="Invert").click()
    said.get_by_text("Too many.").wait_for(timeout=90_000)
    notebook.page.get_by_role("button", name="Score my mask").click()
    alert = notebook.page.locator(".painter").get_by_role("alert")
    alert.get_by_text("freeze 256 more").wait_for(timeout=90_000)
    notebook.python("1", "contest.playground.paint(slice(0, 32), slice(None))")
    notebook.page.get_by_role("button", name="Score my mask").click()
    said.get_by_text("yours").wait_for(timeout=90_000)
    assert notebook.python("contest.scores['yours'][0]") == 50
    # A judge trains the page's own model, so a press waits for the cell that runs.
    assert notebook.python("threads == {threading.main_thread()}")
    notebook.python("contest.playground.close()")


def test_training_pauses_where_the_page_says_and_train_goes_on(show):
    hands = show("Playground('digits', 'adam', page='3', pauses=[1200])")
    stood = hands.place(0, 0)
    hands.button("Train").click()
    told = hands.widget.get_by_role("alert").get_by_text("Training pauses at step 1,200, as this")
    told.wait_for()
    hands.button("Train").wait_for()
    assert hands.widget.get_attribute("data-status") == "paused"
    assert hands.python("lab.steps") == 1200 and hands.place(0, 0) == stood
    hands.drag((2, 1), (2, 6))
    assert hands.settle()[2, 1:7].all() and told.is_visible()
    hands.button("Train").click()
    told.wait_for(state="hidden")
    hands.until("lab.steps > 1300")


# The colour of a cell's middle on the picture, without the hatch: three bytes.
COLOUR = """([row, column]) => {
    const picture = document.querySelector(".painter-picture");
    return [...picture.getContext("2d").getImageData(column, row, 1, 1).data.subarray(0, 3)];
}"""
FISHER = "{'Fisher': (np := __import__('numpy')).arange(640).reshape(64, 10) / 639}"


def test_an_overlay_is_drawn_under_the_hatch_read_and_turned_with_the_page(show, width):
    hands = show(f"Playground('digits', page='3', controls=['view', 'page'], overlays={FISHER})")
    for pixels in (1000, 380):
        width(pixels)
        hands.stand_still()
        button = hands.widget.get_by_role("button", name="Fisher")
        button.click()
        assert button.bounding_box()["x"] < hands.widget.bounding_box()["x"] + pixels - 40
        legend = hands.widget.locator(".painter-ends")
        assert legend.inner_text().split() == ["0", "Fisher", "1.0"]
        low, high = (hands.page.evaluate(COLOUR, [row, row]) for row in (0, 7))
        assert sum(low) > sum(high) + 300
        hands.widget.get_by_role("button", name="Weights").click()
        assert hands.page.evaluate(COLOUR, [7, 7]) != high
    hands.widget.get_by_role("button", name="Fisher").click()
    hands.drag((7, 1), (7, 6))
    assert hands.settle()[7, 1:7].all()  # the hatch lies on top
    told = f"frozen: Fisher {623 / 639:.4g}; weight "
    hands.widget.locator(".painter-readout", has_text=told).wait_for()
    was = hands.page.evaluate(COLOUR, [7, 0])  # before the page can have turned
    hands.widget.get_by_label("Class").select_option("0")
    hands.page.wait_for_function(
        f"([at, was]) => ({COLOUR})(at).join() != was.join()", arg=[[7, 0], was]
    )
