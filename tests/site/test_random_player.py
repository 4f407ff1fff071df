"""Somebody who does whatever comes to mind, in a real browser: nothing breaks, no picture lies, and
memory does not grow.

FREEZING_SOAK is for how many seconds each page is played on: 20 of themselves.
"""

import os
import random
import time

import numpy as np
import pytest

from helpers.masks import from_text
from helpers.playground import share
from tests.playground.hands import HATCHED, unfold

pytestmark = pytest.mark.browser

SECONDS = float(os.environ.get("FREEZING_SOAK", 20))
FEW = 4  # seconds of the plain run
GROWTH = 6e6  # bytes that the page's heap may grow by after its first quarter
GRIDS = {"digits": (10, 8, 8), "snowflake": (1, 48, 48)}  # pages, rows, columns
CHOICES = [
    "{technique: 'exact', rate: 0.02}",
    "{optimizer: 'adamw', decay: 0.1}",
    "{optimizer: 'sgd', technique: 'none'}",
    "{momentum: 2}",
]


class Player:
    """Plays on the grid in sight; a page of the `course` has no window.playground."""

    def __init__(self, chromium, address, course, seed):
        self.context = chromium.new_context(viewport={"width": 1280, "height": 900})
        self.page, self.draw, self.course = self.context.new_page(), random.Random(seed), course
        self.said, self.acts = [], []
        self.page.on("console", lambda message: self.hear(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.cdp = self.context.new_cdp_session(self.page)
        self.cdp.send("Performance.enable")
        self.page.goto(address)
        self.page.locator(".live").first.scroll_into_view_if_needed()
        self.look()

    def hear(self, text):
        if "willReadFrequently" not in text:  # so reads the test itself
            self.said.append(text)

    def look(self):
        """Wait for the grid that is shown now, and unfold its tools."""
        self.widget = self.page.locator(".painter:visible")
        self.grid = self.widget.locator(".painter-grid[style]")
        self.grid.wait_for()
        unfold(self.widget)

    @property
    def task(self):
        return "digits" if self.course else self.page.get_by_label("What is trained").input_value()

    def act(self):
        acts = [self.drag] * 6 + [self.press] * 5 + [self.choose] * 3 + [self.keys, self.turn]
        acts += [self.look_otherwise]
        acts += [] if self.course else [self.call, self.open, self.switch]
        self.acts.append(self.draw.choice(acts))
        self.acts[-1]()
        self.page.wait_for_timeout(self.draw.choice([0, 5, 50, 200]))

    def drag(self):
        """Paint, or with Shift the opposite, in straight lines, and beside the grid."""
        self.grid.scroll_into_view_if_needed()
        box, shift = self.grid.bounding_box(), self.draw.random() < 0.3
        places = [(self.draw.uniform(-0.1, 1.1), self.draw.uniform(-0.1, 1.1)) for _ in "123"]
        places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in places]
        if shift:
            self.page.keyboard.down("Shift")
        self.page.mouse.move(*places[0])
        self.page.mouse.down()
        for place in places[1:]:
            self.page.mouse.move(*place, steps=4)
        self.page.mouse.up()
        if shift:
            self.page.keyboard.up("Shift")

    def press(self):
        """Press a button, whatever it does."""
        buttons = self.widget.locator("button:enabled:visible")
        buttons.nth(self.draw.randrange(buttons.count())).evaluate("button => button.click()")

    def choose(self):
        """Choose something from a list."""
        lists = self.widget.locator("select:enabled:visible")
        one = lists.nth(self.draw.randrange(lists.count()))
        one.select_option(index=self.draw.randrange(one.locator("option").count()))

    def keys(self):
        self.grid.focus()
        names = ["ArrowDown", "ArrowRight", "ArrowUp", "Space", "Shift+Space", "p", "Control+z"]
        for key in self.draw.choices([*names, "Control+y", "Escape"], k=6):
            self.page.keyboard.press(key)

    def turn(self):
        """Turn a knob by keys."""
        unfold(self.widget)
        knobs = self.widget.get_by_role("slider", disabled=False).and_(
            self.page.locator(":visible")
        )
        knobs.nth(self.draw.randrange(knobs.count())).focus()
        for key in self.draw.choices(["Home", "ArrowRight", "ArrowLeft", "PageUp"], k=4):
            self.page.keyboard.press(key)

    def look_otherwise(self):
        """By another theme, and on another screen."""
        self.page.emulate_media(color_scheme=self.draw.choice(["light", "dark"]))
        size = {"width": self.draw.choice([380, 800, 1280]), "height": 900}
        self.page.set_viewport_size(size)

    def call(self):
        """Call window.playground; what it refuses is no error of the page."""
        choices = self.draw.choice(CHOICES)
        cells = self.draw.sample(range(64), 5)
        calls = [
            f"use({choices})",
            "train(30)",
            "reset()",
            f"paint({cells}, {choices.count('e')} > 2)",
        ]
        self.page.evaluate(f"playground.{self.draw.choice(calls)}.catch(() => {{}})")

    def open(self):
        """Open an address with a line, or with none."""
        line = self.draw.choice(["", "freeze1.x", "freeze1.digits-0.none.adam.3.Y2.0", self.line()])
        self.page.evaluate("line => { location.hash = line }", line)
        self.look()

    def switch(self):
        self.page.get_by_label("What is trained").select_option(self.draw.choice(list(GRIDS)))
        self.look()

    def line(self):
        """The line that is shared: the masks in the worker, and what is chosen there."""
        unfold(self.widget)
        popup = self.widget.get_by_label("What is here now")
        if popup.is_visible():
            self.widget.get_by_role("button", name="Share").evaluate("button => button.click()")
        self.widget.get_by_role("button", name="Share").evaluate("button => button.click()")
        self.page.wait_for_timeout(300)
        return popup.input_value().partition("#")[2]

    def settle(self):
        pause = self.widget.get_by_role("button", name="Pause")
        pause.evaluate_all("all => all.forEach((one) => one.click())")  # or it rests by itself
        self.widget.get_by_role("button", name="Train").wait_for()
        self.page.mouse.move(1, 1)
        self.page.wait_for_timeout(500)

    def judge(self):
        """Nothing was said, and picture, page and worker have one mask."""
        self.settle()
        assert self.said == [], self.said[:3]
        pages, rows, columns = GRIDS[self.task]
        at = self.page.locator(".painter").evaluate_all(
            "all => all.findIndex((one) => one.checkVisibility())"
        )
        hatched = np.array(self.page.evaluate(HATCHED, [at, rows, columns]), bool)
        _, _, _, page, mask = share._words(self.line())
        masks = from_text(mask, (pages, rows, columns))
        painted = masks[int(page) if pages > 1 else 0]
        assert (hatched == painted).all(), np.argwhere(hatched != painted)
        if not self.course:
            in_force = np.reshape(self.page.evaluate("playground.frozen()"), (rows, columns))
            assert (in_force == painted).all(), np.argwhere(in_force != painted)
        self.widget.get_by_role("button", name="Share").evaluate("button => button.click()")

    def memory(self):
        """Bytes of the page's heap that are in use, and how many nodes it has."""
        self.cdp.send("HeapProfiler.collectGarbage")
        found = {
            one["name"]: one["value"] for one in self.cdp.send("Performance.getMetrics")["metrics"]
        }
        return found["JSHeapUsedSize"], found["Nodes"]

    def play(self, seconds):
        """Play for so long; judge, and measure the memory, after each quarter."""
        measured = []
        for _ in range(4):
            end = time.monotonic() + seconds / 4
            while time.monotonic() < end:
                self.act()
            self.judge()
            measured.append(self.memory())
        return measured


PLACES = {"index.html": False, "course/00_start_here.html": True}


def played(chromium, served, path, seconds):
    """What the memory was after each quarter."""
    player = Player(chromium, f"{served}{path}", PLACES[path], seed=0)
    try:
        measured = player.play(seconds)
    finally:
        player.context.close()
    told = ", ".join(f"{heap / 1e6:.1f} MB and {nodes} nodes" for heap, nodes in measured)
    print(f"{path}: {len(player.acts)} acts in {seconds:g} s; {told}")
    return measured


@pytest.mark.parametrize("path", PLACES)
def test_somebody_plays_for_a_moment(chromium, served, path):
    played(chromium, served, path, FEW)


@pytest.mark.thorough
@pytest.mark.timeout(2 * SECONDS + 300)
@pytest.mark.parametrize("path", PLACES)
def test_somebody_plays_for_long(chromium, served, path):
    (early, some), *_, (late, many) = played(chromium, served, path, SECONDS)
    assert late < early + GROWTH and many < 2 * some + 1000
