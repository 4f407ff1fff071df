"""The course as on Binder: one core and 2 GB, started by binder/start, in a real browser."""

import contextlib
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tqdm import tqdm

from helpers import ROOT
from helpers.bench.container import Container
from helpers.tools import browser, notebooks

PATIENCE = 600  # seconds; a kernel that the system has ended never runs its last cell
MEMORY = 2048  # megabytes, as on mybinder.org
FIRST, LARGEST = "00", ("20", "24")
KEPT = "helpers", "notebooks", "binder", "environment.yml", "pyproject.toml"
YARDSTICK = "import time; began = time.time(); import tensorflow; print(time.time() - began)"
# Does not wait until the last cell has run.
RUN_ALL = "() => { window.jupyterapp.commands.execute('notebook:run-all-cells'); }"
SHOWN = "document.querySelector('.jp-OutputArea-output img, .jp-OutputArea-output canvas')"
GRID = "document.querySelector('.painter canvas')"


def add_arguments(parser):
    """Say what can be asked for on the command line."""
    parser.add_argument("--largest", nargs=2, default=LARGEST, help="two that are open at once")


def measure(arguments):
    """Return the rows of the table."""
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.closing(Container(MEMORY)) as container,
        browser.chromium() as chromium,
        tqdm(total=4, desc="launch") as progress,
    ):
        yardstick = _imports(container)
        progress.update()
        root = _copy(Path(folder))
        with browser.server(root, [root / "binder" / "start"], container.enter) as address:
            launch = Launch(chromium, f"{address}/lab/tree/yours", progress.update)
            return [
                _row("TensorFlow imported on that core, the yardstick", f"{yardstick:.1f} s"),
                *launch.first_paint(yardstick),
                _row("memory of JupyterLab alone", f"{container.taken():,} MB"),
                *launch.two_at_once(arguments.largest, container),
                launch.a_third(),
            ]


class Launch:
    """A reader at a server's address, who opens one notebook after the other."""

    def __init__(self, chromium, address, done):
        self._chromium, self._address, self._done = chromium, address, done
        self._pages = []

    def first_paint(self, yardstick):
        """Open the first notebook as soon as the server answers, and run it from the top."""
        began = time.monotonic()
        page = self._open(FIRST)
        page.evaluate(RUN_ALL)
        for what, shown in ("first picture", SHOWN), ("the grid to paint on", GRID):
            page.wait_for_function(f"{shown} !== null", timeout=240_000)
            seconds = time.monotonic() - began
            message = f"{seconds:.1f} s = {seconds / yardstick:.1f} × the yardstick"
            yield _row(f"{what} in {FIRST}, after the server answered", message, "≤ 30 s")
        self._end(page)

    def two_at_once(self, names, container):
        """Open two notebooks and run both to their ends."""
        most = 0
        for name in names:
            page = self._open(name)
            page.evaluate(RUN_ALL)
            self._pages.append(page)
        for _ in _until_finished(self._pages):
            most = max(most, container.taken())
        for name, page in zip(names, self._pages):
            yield _row(f"{name}, open beside another", _told(page), "finished")
        yield _row("memory with both, at most", f"{most:,} MB", f"< {MEMORY:,} MB")
        self._done()

    def a_third(self):
        """Open one more, and return what its first cell says."""
        page = self._open(FIRST)
        page.evaluate(RUN_ALL)
        for _ in _until_finished([page]):
            pass
        self._done()
        return _row("a third", _told(page), "refused")

    def _open(self, name):
        (path,) = notebooks.paths([f"{name}_"])
        page = self._chromium.new_page()
        page.goto(f"{self._address}/{path.name}?reset", timeout=120_000)
        page.wait_for_selector(".jp-NotebookPanel .jp-Cell", timeout=120_000)
        page.wait_for_function(f"{browser.KERNEL}?.status === 'idle'", timeout=120_000)
        return page

    def _end(self, page):
        page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
        page.close()
        self._done()


def _state(page):
    """Return what stands on a page: how many code cells have not been run, and its errors'
    names."""
    return page.evaluate(
        """() => {
            const cells = [...window.jupyterapp.shell.currentWidget.content.model.cells]
                .filter((cell) => cell.type === "code");
            const errors = cells.flatMap((cell) => cell.outputs.toJSON())
                .filter((output) => output.output_type === "error");
            return {
                left: cells.filter((cell) => cell.executionCount === null).length,
                errors: errors.map(({ ename, evalue }) => `${ename}: ${evalue}`),
            };
        }"""
    )


def _finished(page):
    """Return whether every code cell has been run, or one has failed."""
    state = _state(page)
    return state["errors"] or not state["left"]


def _until_finished(pages):
    """Yield twice a second until all pages have finished, or nobody would wait any longer."""
    until = time.monotonic() + PATIENCE
    while not all(map(_finished, pages)) and time.monotonic() < until:
        yield
        time.sleep(0.5)


def _told(page):
    state = _state(page)
    unfinished = f"{state['left']} cells were never run" if state["left"] else "finished"
    return ", ".join(state["errors"]) or unfinished


def _row(what, found, goal=""):
    return {"as on Binder": what, "found": found, "goal": goal}


def _imports(container):
    """Seconds that TensorFlow takes to be imported in the container."""
    command = [sys.executable, "-c", YARDSTICK]
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=container.enter)
    return float(done.stdout)


def _copy(folder):
    """Return the repository as Binder would have it, in a folder of its own."""
    for name in KEPT:
        source = ROOT / name
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, folder / name)
    return folder
