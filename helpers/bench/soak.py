"""Restless play in a real browser: does memory grow, a thread die, or a page report an error?

First come messages that no page would send, which must change nothing. Then a hand paints, presses,
chooses and types at random, runs its cells again, and closes its playgrounds.
"""

import collections
import operator
import random
import tempfile
import time

from playwright import sync_api as playwright
from tqdm import tqdm

from helpers.bench import garbage
from helpers.bench.options import count
from helpers.tools import browser

GROWTH = 1.1  # how much higher memory may get than it got while the kernel was warming up
WARM, EVERY = 180, 10  # seconds: of warming up, and between two readings
IMPORTS = """import threading
import keras, psutil
import tensorflow as tf
from helpers import datasets, private
from helpers.playground import Playground, tasks
images, labels = datasets.digits()
loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)"""
SMALL = "lab = Playground('digits', technique='gradient_times_mask', optimizer='adam')\nlab"
# TensorFlow keeps something of each name that Keras gives, and Keras counts the names up: with
# names of one's own, a model in a playground leaves next to nothing.
MODEL = """hidden = keras.layers.Dense(32, "relu")
model = keras.Sequential([keras.layers.Input((64,)), hidden, keras.layers.Dense(10)])"""
TRACED_MODEL = f"""{MODEL}
def gradients():
    with tf.GradientTape() as tape:
        value = loss(labels[:32], model(images[:32], training=True))
    return tape.gradient(value, model.trainable_variables)
private.call_apart(tf.function(gradients, autograph=False))"""
OWN_MODEL = f"""{MODEL}
lab = Playground(tasks.own(model, hidden.kernel, images, labels, loss), technique="exact")
lab"""
# A widget that shows nothing, and is as long as a playground's. JupyterLab, ipywidgets, the kernel
# and the instrument that looks inside the page keep some of it each time that it is shown.
BARE = """from helpers.playground.painter import Painter
from helpers.widget import Widget

class Bare(Widget):
    javascript = Painter.javascript.replace("export default", "const whole =")
    javascript += "export default () => ({ render({ el }) { el.className = 'bare'; } });"
    _css = Painter._css

bare = Bare()"""
SHOW_BARE = "bare.close()\nbare = Bare()\nbare"
CELLS = [IMPORTS, SMALL, OWN_MODEL, "lab.close()", BARE, SHOW_BARE]
IMPORT, DIGITS, OWN, CLOSE, MAKE_BARE, AGAIN_BARE = range(len(CELLS))  # their numbers
SHOWN = ".jp-OutputArea .painter-grid[style], .jp-OutputArea .bare"
# JupyterLab keeps some of the toolbar over the active cell, too, each time that it moves.
COUNT_TURNS = """window.turns = 0;
window.jupyterapp.shell.currentWidget.content.activeCellChanged.connect(() => { turns++; });"""
REPEATS = 40  # of 12, the error was as large as what half an hour may grow
RESIDENT = "psutil.Process().memory_info().rss / 2**20"
TRAINERS = "[thread.name for thread in threading.enumerate()].count('freezing-trainer')"
STATE = f"[{RESIDENT}, threading.active_count(), {TRAINERS}, lab.painter.status]"
HELD = "dict(mask=lab.frozen.tolist(), steps=lab.steps, status=lab.painter.status)"
BUTTONS = ".jp-OutputArea .painter button:enabled:visible"
REACH = 10_000  # milliseconds, in which a hand gets to what it sees
MENUS = ".jp-OutputArea .painter select:visible"
POPUP = ".jp-OutputArea .painter-popup:visible"
GRID = ".jp-OutputArea .painter-grid[style]"
FOCUSED = "document.activeElement?.matches('.painter-grid')"
Reading = collections.namedtuple("Reading", "at page kernel threads trainers status")
Left = collections.namedtuple("Left", "page kernel")  # MB that one act leaves
# What the yardsticks measure, by the memory that they are taken off.
TAKEN = {"page": ("runs", "turns"), "kernel": ("runs", "models")}
KEYS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Space", "Control+z", "Control+y", "p"]


def add_arguments(parser):
    """Say what can be asked for on the command line."""
    parser.add_argument("--minutes", type=float, default=30, help="of play, from 4 up")
    parser.add_argument("--messages", type=count, default=10_000, help="that no page would send")
    parser.add_argument("--seed", type=int, default=0, help="another one plays otherwise")


def measure(arguments):
    """Return the rows of the table."""
    with (
        tempfile.TemporaryDirectory() as root,
        browser.chromium() as chromium,
        browser.server(root) as address,
        tqdm(total=arguments.messages, desc="messages") as sent,
        tqdm(total=round(60 * arguments.minutes), desc="soak", unit="s") as played,
    ):
        notebook = browser.Notebook(chromium, address, root, CELLS, "soak.ipynb")
        soak = Soak(notebook, random.Random(arguments.seed))
        rows = [soak.take_garbage(arguments.messages, sent.update)]
        soak.play(60 * arguments.minutes, played.update)
        notebook.close()
    return [*rows, *soak.rows()]


class Soak:
    """A notebook with a playground, in the hands of somebody who never rests."""

    def __init__(self, notebook, hand):
        self._notebook, self._page, self._hand = notebook, notebook.page, hand
        self._errors, self._acts, self._readings = [], collections.Counter(), []
        self._page.on("pageerror", lambda error: self._errors.append(str(error)))
        self._page.on("console", self._hear)
        self._inside = self._page.context.new_cdp_session(self._page)
        for cell in (IMPORT, MAKE_BARE, AGAIN_BARE):
            self._run(cell)
        by_kernel = operator.attrgetter("kernel")
        self._left = {
            "runs": self._left_by(lambda _: self._run(AGAIN_BARE)),
            "turns": self._left_by(lambda n: notebook.select((CLOSE, MAKE_BARE)[n % 2])),
            # The first models leave more, while the kernel is warming up.
            "models": min((self._left_by(self._trace_model) for _ in range(4)), key=by_kernel),
        }
        self._times = collections.Counter()
        self._page.evaluate(COUNT_TURNS)
        self._run(DIGITS)

    def take_garbage(self, number, done):
        """Send the playground messages that no page would send; return a row."""
        before = self._notebook.python(HELD, "lab.paint([0, 1, 1], [0, 0, 1])")
        arrived = garbage.send(self._notebook, "lab.painter", number, self._hand, done)
        after = self._notebook.python(HELD)
        self._notebook.python("lab.train(3)")  # it still trains
        changed = [name for name in before if after[name] != before[name]]
        found = ", ".join(changed) if changed else "the same"
        found += f"; {arrived:,} came as far as the widget"
        what = f"{', '.join(before)} after {number:,} bad messages"
        return _row(what, found, "the same", not changed)

    def play(self, seconds, done):
        """Do one thing after the other for so long, and read what there is to read."""
        acts = {self.drag: 6, self.press: 6, self.choose: 4, self.type: 3, self.run_again: 2}
        began = time.monotonic()
        while (elapsed := time.monotonic() - began) < seconds:
            if elapsed >= EVERY * len(self._readings):
                self._readings.append(Reading(elapsed, *self._read()))
                done(EVERY)
            (act,) = self._hand.choices(list(acts), acts.values())
            act()
            self._acts[act.__name__] += 1

    def rows(self):
        """Return what was read as rows of the table."""
        dead = [each for each in self._readings if each.status == "training" and not each.trainers]
        early, late = self._parts()
        threads = [max(each.threads for each in part) for part in (early, late)]
        message = ", ".join(
            f"{count:,} × {act.replace('_', ' ')}" for act, count in self._acts.items()
        )
        return [
            _row("what was done", message, "", True),
            self._memory("kernel"),
            self._memory("page"),
            _row(
                "threads in the kernel",
                "{} → {}".format(*threads),
                "no more",
                threads[1] <= threads[0],
            ),
            _row("readings with training, and no thread for it", len(dead), "0", not dead),
            _row("errors in the console", _told(self._errors), "0", not self._errors),
        ]

    # What a hand does

    def drag(self):
        """Paint a line; sometimes thaw along it."""
        ends = self._places(2)
        keys = ["Shift"] if self._hand.random() < 0.3 else []
        for key in keys:
            self._page.keyboard.down(key)
        self._page.mouse.move(*ends[0])
        self._page.mouse.down()
        self._page.mouse.move(*ends[1], steps=8)
        self._page.mouse.up()
        for key in keys:
            self._page.keyboard.up(key)

    def press(self):
        """Press any button of the widget; what opens above the grid is read and closed."""
        self._on_any(BUTTONS, lambda button: button.click(timeout=REACH))
        if self._page.locator(POPUP).count():
            self._page.keyboard.press("Escape")

    def choose(self):
        """Choose anything from any of the lists."""

        def any_option(menu):
            count = len(menu.query_selector_all("option"))
            menu.select_option(index=self._hand.randrange(count), timeout=REACH)

        self._on_any(MENUS, any_option)

    def type(self):
        """Click a cell, and press some keys on the grid."""
        self._page.mouse.click(*self._places(1)[0])
        self._page.wait_for_function(FOCUSED)
        for key in self._hand.choices(KEYS, k=8):
            self._page.keyboard.press(key)

    def run_again(self):
        """Run a cell with a playground again, sometimes another one, or after closing the last."""
        if self._hand.random() < 0.3:
            self._run(CLOSE)
        cell = self._hand.choice([DIGITS, OWN])
        self._times.update(runs=1, models=cell == OWN)
        self._run(cell)

    def _on_any(self, selector, act):
        """Act on any of these, unless the widget takes it away before a hand is there."""
        one = self._hand.choice(self._page.query_selector_all(selector))
        try:
            act(one)
        except playwright.Error:
            if one.is_visible():
                raise

    def _places(self, number):
        """Return places on the grid, as it stands on the screen now."""
        grid = self._page.locator(GRID)
        grid.hover()  # which brings it into view, waits until it stands still, and is not covered
        box = grid.bounding_box()
        shares = [[self._hand.uniform(0.02, 0.98) for _ in range(2)] for _ in range(number)]
        return [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in shares]

    def _run(self, cell):
        """Run a cell on a page without outputs, and wait until what it shows is there."""
        self._notebook.command("notebook:clear-all-cell-outputs")
        self._notebook.run(cell)
        self._notebook.python("None")
        if cell in (DIGITS, OWN, AGAIN_BARE):
            self._page.locator(SHOWN).wait_for(state="attached")

    # What there is to read

    def _left_by(self, act):
        """Return how much one act leaves in the page's memory and in the kernel's, in MB."""
        before = self._page_memory(), self._kernel_memory()
        for number in range(REPEATS):
            act(number)
        after = self._page_memory(), self._kernel_memory()
        return Left(*(max(0, now - then) / REPEATS for then, now in zip(before, after)))

    def _trace_model(self, _):
        self._notebook.python("None", TRACED_MODEL)

    def _hear(self, message):
        if message.type == "error":
            self._errors.append(message.text)

    def _read(self):
        """Return what a Reading holds beside its time; the memory without what was there in any
        case."""
        self._times["turns"] = self._page.evaluate("turns")
        kernel, *others = self._notebook.python(STATE)
        page = self._page_memory() - self._taken("page")
        return page, kernel - self._taken("kernel"), *others

    def _taken(self, of):
        """Return what so many acts of the yardsticks would have left, in MB."""
        return sum(getattr(self._left[act], of) * self._times[act] for act in TAKEN[of])

    def _kernel_memory(self):
        return self._notebook.python(RESIDENT, "import gc\ngc.collect()")

    def _page_memory(self):
        self._inside.send("HeapProfiler.collectGarbage")
        return self._inside.send("Runtime.getHeapUsage")["usedSize"] / 2**20

    def _parts(self):
        """Return the readings while the kernel was warming up, and those after it."""
        early = [each for each in self._readings if each.at < WARM]
        return early, self._readings[len(early) :] or early[-1:]

    def _memory(self, of):
        highest = [max(getattr(each, of) for each in part) for part in self._parts()]
        growth = highest[1] / highest[0]
        found = f"{highest[0]:,.0f} → {highest[1]:,.0f} MB, {growth - 1:+.1%}"
        less = [
            f"{getattr(self._left[act], of):.2f} MB × {self._times[act]:,} {act}"
            for act in TAKEN[of]
        ]
        what = f"{of}'s memory, less {' and '.join(less)}"
        return _row(
            f"{what}, at most: {WARM} s, then", found, f"≤ +{GROWTH - 1:.0%}", growth <= GROWTH
        )


def _told(errors):
    """Return how many there were, and some of them."""
    some = "; ".join(f"{text[:100]!r}" for text in sorted(set(errors))[:3])
    return f"{len(errors)}: {some}" if errors else "0"


def _row(what, found, goal, held):
    return {"soak": what, "found": found, "goal": goal, "held": "yes" if held else "NO"}
