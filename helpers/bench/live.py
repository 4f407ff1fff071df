"""How fast painting and training answer in JupyterLab, in headless Chromium."""

import tempfile
import time

import numpy as np
from tqdm import tqdm

from helpers.bench.dragging import CLEAR, PROBE, drag, each_second, waits
from helpers.bench.memory import PEAK
from helpers.bench.options import count
from helpers.bench.quantiles import quantiles
from helpers.tools import browser

IMPORTS = "import time\nfrom helpers.playground import Playground, tasks"
SHOW = "lab = Playground(task=tasks.snowflake(0, {0}, {0}), technique='restore')\nlab"
BUSY = "stop = time.time() + {0}\nwhile time.time() < stop:\n    pass"

# The least that a widget of this size can be; the first display is told as its multiple, too. What
# it is sent it paints, in shades of red, and of every eighth picture it says so.
BARE = """import anywidget

class Bare(anywidget.AnyWidget):
    _esm = \'\'\'export default {{ render({{ model, el }}) {{
        const canvas = document.createElement("canvas");
        canvas.className = "bare";
        canvas.width = canvas.height = {0};
        const context = canvas.getContext("2d");
        context.fillRect(0, 0, {0}, {0});
        el.append(canvas);
        const cells = new ImageData({1}, {1}), small = new OffscreenCanvas({1}, {1});
        let pictures = 0;
        model.on("msg:custom", (_, [bytes]) => {{
            cells.data.fill(255);
            for (let i = 0; i < {1} * {1}; i += 1) cells.data[4 * i] = bytes.getUint8(i);
            small.getContext("2d").putImageData(cells, 0, 0);
            context.drawImage(small, 0, 0, {0}, {0});
            document.dispatchEvent(new Event("painter:frame"));
            if (++pictures % 8 === 0) model.send({{}});
        }});
    }} }}\'\'\'

bare = Bare()
bare"""

# A message that comes straight back: the least that any answer of the kernel can take.
ECHO = """import anywidget

class Echo(anywidget.AnyWidget):
    _esm = \'\'\'export default { render({ model }) {
        window.echoes = (seconds) => new Promise((done) => {
            const times = [], until = performance.now() + 1000 * seconds;
            let sent;
            const send = () => { sent = performance.now(); model.send({}); };
            const back = () => {
                times.push(performance.now() - sent);
                if (performance.now() < until) return setTimeout(send, 20 + 40 * Math.random());
                model.off("msg:custom", back);
                done(times);
            };
            model.on("msg:custom", back);
            send();
        });
    } }\'\'\'

echo = Echo()
echo.on_msg(lambda widget, content, buffers: widget.send({}))
echo"""

# The sides of the canvas; see canvas.mjs.
ROOM, LARGE_ROOM = 420, 512
# From the command to the frame after the one in which an element first stood on the page.
FIRST_DISPLAY = """(selector) => new Promise((done) => {
    const begun = performance.now();
    const seen = new MutationObserver(() => {
        if (!document.querySelector(selector)) return;
        seen.disconnect();
        requestAnimationFrame(() => done(performance.now() - begun));
    });
    seen.observe(document, { subtree: true, childList: true, attributes: true });
    window.jupyterapp.commands.execute("notebook:run-cell");
})"""


def add_arguments(parser):
    """Say what can be asked for on the command line."""
    parser.add_argument("--sides", type=count, nargs="+", default=[64, 512], help="grids, in cells")
    parser.add_argument("--seconds", type=float, default=10, help="length of each drag")
    parser.add_argument("--displays", type=count, default=5, help="first displays, each afresh")
    parser.add_argument(
        "--pairs", type=count, default=5, help="pairs of windows for the step ratio"
    )


def measure(arguments):
    """Return the rows of the table, one a measurement and grid."""
    rows = []
    with (
        tempfile.TemporaryDirectory() as root,
        browser.chromium() as chromium,
        browser.server(root) as address,
        tqdm(total=len(PARTS) * len(arguments.sides), desc="live") as progress,
    ):
        for side in arguments.sides:
            size = LARGE_ROOM if _large(side) else ROOM // side * side
            cells = [IMPORTS, SHOW.format(side), BUSY.format(arguments.seconds + 2)]
            cells += [BARE.format(size, side), ECHO]
            notebook = browser.Notebook(chromium, address, root, cells, f"live{side}.ipynb")
            least = {}  # what a bare widget takes or shows in the same run: name -> values
            for part in PARTS:
                rows += part(notebook, side, arguments, least)
                progress.update()
            notebook.close()
    return rows


def _row(what, side, values, unit, goal):
    grid = {"measurement": what, "grid": f"{side}×{side}"}
    return {**grid, **quantiles(values), "unit": unit, "goal": goal}


def _multiple(what, side, values, yardstick, goal):
    """Return a row with the median and the 95th percentile as multiples of those of a yardstick."""
    row = _row(what, side, values, "×", goal)
    if len(values) and len(yardstick):
        for name, of in (("median", 50), ("p95", 95)):
            row[name] = f"{np.percentile(values, of) / np.percentile(yardstick, of):.3g}"
    return row


def _large(side):
    return side > 64


def _displays(notebook, side, arguments, _):
    """Time from running the cell to the grid on the page, each time in a fresh kernel, and that of
    a bare canvas of the same size."""
    bare, whole = [], []
    for _ in range(arguments.displays):
        notebook.restart()
        notebook.run(0)
        notebook.python("lab.close()", "lab = Playground(task='snowflake')")
        for cell, selector, times in ((3, ".bare", bare), (1, ".painter-grid[style]", whole)):
            notebook.command("notebook:clear-all-cell-outputs")
            notebook.select(cell)
            times.append(notebook.page.evaluate(FIRST_DISPLAY, selector) / 1000)
    ratios = [one / other for one, other in zip(whole, bare)]
    return [
        _row("first display", side, whole, "s", "–"),
        _row("first display, a bare canvas", side, bare, "s", "–"),
        _row("first display / bare canvas", side, ratios, "×", "≤ 4" if _large(side) else "≤ 3"),
    ]


def _pictures(notebook, side, arguments, least):
    """Count what a bare canvas shows while the same loop trains: it is sent as many bytes as a
    frame has, at the pace of frames, and the pointer wanders over it."""
    notebook.page.evaluate(PROBE)
    notebook.run(3)
    notebook.python("None", SEND.format(side))
    notebook.page.locator(".bare").scroll_into_view_if_needed()
    probe = drag(notebook.page, arguments.seconds, side, ".bare")
    least["frames"], least["pictures"] = each_second(probe["ticks"]), _count(probe["frames"])
    notebook.python("None", "stop_sending.set()\nheadless.close()")
    return [
        _row("animation frames, a bare canvas", side, least["frames"], "1/s", "–"),
        _row("pictures shown, a bare canvas", side, least["pictures"], "1/s", "–"),
    ]


def _count(times):
    """Return how many of these moments, in ms, lie in each whole second."""
    return np.histogram(times, np.arange(times[0], times[-1], 1000))[0] if times else []


def _drags(notebook, side, arguments, least):
    notebook.run(4)
    notebook.python("lab.start()", LOG)
    time.sleep(2)
    echoes = notebook.page.evaluate("window.echoes(5)")
    notebook.page.locator(".painter-grid").scroll_into_view_if_needed()
    probe = drag(notebook.page, arguments.seconds, side)
    time.sleep(1)
    least["echo"] = echoes + notebook.page.evaluate("window.echoes(5)")
    frames = each_second(probe["ticks"])
    in_force = waits(probe["operations"], notebook.python("in_force"))
    big = _large(side)
    drawn_goal = "p95 ≤ 50" if big else "p95 ≤ 40"
    return [
        _row("pointer move to cell drawn", side, probe["drawn"], "ms", drawn_goal),
        _row("animation frames, dragging", side, frames, "1/s", "≥ 50" if big else "≥ 55"),
        _multiple("animation frames / bare canvas", side, frames, least["frames"], "–"),
        _row("echo of a bare message, training", side, least["echo"], "ms", "–"),
        _row("drag to in force", side, in_force, "ms", "–"),
        _multiple("drag to in force / echo", side, in_force, least["echo"], "≤ 1.1, p95 ≤ 1.5"),
    ]


def _updates(notebook, side, arguments, least):
    notebook.page.evaluate(CLEAR)
    time.sleep(arguments.seconds)
    counts = _count(notebook.page.evaluate("window.probe.frames"))
    return [
        _row("heatmaps shown, training", side, counts, "1/s", "≥ 20" if _large(side) else "≥ 30"),
        _multiple("heatmaps / bare canvas", side, counts, least["pictures"], "–"),
    ]


def _busy(notebook, side, arguments, least):
    """Drag while another cell computes, and count the operations that never came into force."""
    notebook.python("in_force.clear()")
    notebook.run(2)
    time.sleep(0.5)
    notebook.page.locator(".painter-grid").scroll_into_view_if_needed()
    probe = drag(notebook.page, arguments.seconds, side + 1)
    notebook.wait_until_idle()
    time.sleep(1)
    in_force = waits(probe["operations"], notebook.python("in_force"))
    lost = len(probe["operations"]) - len(in_force)
    what = f"drag to in force, kernel busy ({lost} lost)"
    return [
        _row(what, side, in_force, "ms", "–"),
        _multiple("the same / echo, not busy", side, in_force, least["echo"], "p95 ≤ 4"),
    ]


def _ratios(notebook, side, arguments, _):
    """Steps a second with the live view over the same loop without it, window by window, also with
    four cells pinned in both; and what pinning them costs by itself."""
    rows = []
    for pinned in (0, 4):
        for speed, name in ((200, "200 steps/s"), (None, "as fast as it goes")):
            setup = COUNT.format(side, speed, arguments.pairs, pinned)
            ratios = notebook.python("ratios", setup)
            what = f"steps live / headless, {name}, {pinned} pinned"
            rows.append(_row(what, side, ratios, "×", "≥ 0.85"))
    recording = notebook.python("recording", COUNT_RECORDING.format(side, arguments.pairs))
    return [*rows, _row("steps 4 pinned / none, headless", side, recording, "×", "–")]


def _memory(notebook, side, *_):
    peak = notebook.python("peak_megabytes()", PEAK)
    return [_row("kernel memory, peak", side, [peak], "MB", "≤ 900")]


PARTS = (_displays, _pictures, _drags, _updates, _busy, _ratios, _memory)

# What follows runs in the notebook's kernel. The first trains without a view, and sends pictures to
# the bare canvas at the pace of frames.
SEND = """
import threading
from helpers.playground.painter import link

headless = Playground(task=tasks.snowflake(0, {0}, {0}), technique="restore")
headless.start()
picture = b"".join(headless.painter.compose()[1].values())
room, stop_sending = threading.Semaphore(link.FRAMES_IN_FLIGHT), threading.Event()
bare.on_msg(lambda *_: room.release(8))

def send_pictures():
    while not stop_sending.wait(link.INTERVAL + link.INTERVAL_PER_CELL * {0} * {0}):
        room.acquire(timeout=1)
        bare.send({{}}, buffers=[picture])

threading.Thread(target=send_pictures, daemon=True).start()
"""

# This notes when a step has been taken under the last operations that a browser sent.
LOG = """
in_force = []

def note(applied):
    last = max(applied.values(), default=0)
    if last and (not in_force or in_force[-1][1] != last):
        in_force.append([1000 * time.time(), last])

lab.session.after_steps.append(note)
"""

# A second playground that nobody has displayed makes and sends no frames.
COUNT = """
headless = Playground(task=tasks.snowflake(0, {0}, {0}), technique="restore")

def steps_in(playground, speed={1}, seconds=2):
    playground.painter.speed = speed
    playground.start()
    time.sleep(0.2)
    first, began = playground.steps, time.perf_counter()
    time.sleep(seconds)
    taken = (playground.steps - first) / (time.perf_counter() - began)
    playground.stop()
    return taken

lab.stop()
for playground in (lab, headless):
    for column in range({3}):
        playground.pin(0, column)
    playground.train(1)
ratios = [steps_in(lab) / steps_in(headless) for _ in range({2})]
headless.close()
for column in range({3}):
    lab.unpin(0, column)
"""

COUNT_RECORDING = """
plain, pinned = [Playground(task=tasks.snowflake(0, {0}, {0}), technique="restore") for _ in "12"]
for column in range(4):
    pinned.pin(0, column)
for playground in (plain, pinned):
    playground.train(1)
recording = [steps_in(pinned, None) / steps_in(plain, None) for _ in range({1})]
for playground in (plain, pinned):
    playground.close()
"""
