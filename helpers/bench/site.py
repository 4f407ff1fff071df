"""How fast the site's start page is there, trains and answers, in headless Chromium."""

import gzip
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
from tqdm import tqdm

from helpers.bench.dragging import PROBE, drag, each_second, waits
from helpers.bench.options import count
from helpers.bench.quantiles import quantiles
from helpers.site.build import build
from helpers.tools import browser

# The least that a page can be: its first paint is told beside that of the start page.
BARE = "<!doctype html><title>Bare</title><p>A page with one line of text."
# Functions of the page itself, whose content security policy lets no text be run.
WHEN = """(name) => new Promise((done) => {
    const look = () => {
        const [mark] = performance.getEntriesByName(name);
        if (mark) done(mark.startTime);
        else setTimeout(look, 20);
    };
    look();
})"""
FIRST_PAINT, USABLE = "first-contentful-paint", "playground"
# Notes when a frame arrives that holds the last operations of the page, which trains meanwhile.
IN_FORCE = """
localStorage.setItem("freezing-tour", "seen");
window.inForce = [];
window.Worker = class extends Worker {
    constructor(...given) {
        super(...given);
        this.addEventListener("message", ({ data: { message } }) => {
            const last = Math.max(0, ...Object.values(message?.applied ?? {}));
            if (last) window.inForce.push([performance.timeOrigin + performance.now(), last]);
        });
    }
};
"""
STEPS = """async (steps) => {
    const begun = performance.now();
    await window.playground.train(steps);
    return (1000 * steps) / (performance.now() - begun);
}"""


def add_arguments(parser):
    """Say what can be asked for on the command line."""
    parser.add_argument("--loads", type=count, default=15, help="how often the page is loaded")
    parser.add_argument("--seconds", type=float, default=10, help="length of the drag")


def measure(arguments):
    """Return the rows of the table."""
    with (
        tempfile.TemporaryDirectory() as folder,
        browser.chromium() as chromium,
        tqdm(total=4, desc="site") as progress,
    ):
        build(Path(folder))
        (Path(folder) / "bare.html").write_text(BARE)
        progress.update()
        rows = []
        with browser.static(folder) as address:
            for part in (_loads, _steps, _drags):
                rows += part(chromium, address, arguments)
                progress.update()
        return rows


def _row(what, values, unit, goal):
    return {"measurement": what, **quantiles(values), "unit": unit, "goal": goal}


def _loads(chromium, address, arguments):
    """Load a bare page and the start page in turn, each in a browser that knows neither."""
    bare, first, usable = [], [], []
    for _ in range(arguments.loads):
        bare += _marks(chromium, f"{address}bare.html", FIRST_PAINT)
        for times, value in zip((first, usable), _marks(chromium, address, FIRST_PAINT, USABLE)):
            times.append(value)
    return [
        _row("first paint of a bare page", bare, "ms", "–"),
        _row("first paint", first, "ms", "≤ 300"),
        _row("first paint / bare page", np.divide(first, bare), "×", "–"),
        _row("grid usable", usable, "ms", "≤ 800"),
        _row("all that it asks for, compressed", [_kilobytes(chromium, address)], "KB", "≤ 150"),
    ]


def _marks(chromium, address, *marks):
    """Return when these moments came, in ms after the page was asked for."""
    context = chromium.new_context()
    page = context.new_page()
    page.goto(address)
    times = [page.evaluate(WHEN, mark) for mark in marks]
    context.close()
    return times


def _kilobytes(chromium, address):
    asked, context = [], chromium.new_context()
    context.on("response", lambda response: asked.append(response))
    page = context.new_page()
    page.goto(address)
    page.evaluate(WHEN, USABLE)
    page.wait_for_load_state("networkidle")
    files = {urlsplit(response.url).path: response.body() for response in asked}
    context.close()
    return sum(len(gzip.compress(body)) for body in files.values()) / 1000


def _steps(chromium, address, _):
    page = chromium.new_context().new_page()
    page.goto(address)
    page.evaluate(WHEN, USABLE)
    speeds = [page.evaluate(STEPS, 2000) for _ in range(9)]
    page.context.close()
    return [_row("steps, as fast as it goes", speeds, "1/s", "≥ 2,000")]


def _drags(chromium, address, arguments):
    """Drag over the grid while it trains."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    context.add_init_script(IN_FORCE)
    page = context.new_page()
    page.goto(address)
    page.get_by_role("button", name="Train").click()
    page.evaluate(PROBE)
    page.locator(".painter-grid").scroll_into_view_if_needed()
    time.sleep(1)
    probe = drag(page, arguments.seconds, seed=0)
    time.sleep(1)
    in_force = waits(probe["operations"], page.evaluate("window.inForce"))
    context.close()
    return [
        _row("animation frames, dragging", each_second(probe["ticks"]), "1/s", "≥ 55"),
        _row("pointer move to cell drawn", probe["drawn"], "ms", "–"),
        _row("pointer move to a frame that obeys it", in_force, "ms", "p95 ≤ 30"),
    ]
