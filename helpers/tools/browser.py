"""A real JupyterLab or Notebook 7 in a real Chromium, driven by Playwright, for tests and bench."""

import ast
import contextlib
import functools
import http.server
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

import nbformat
from playwright.sync_api import TimeoutError as TookTooLong
from playwright.sync_api import sync_playwright

from helpers import ROOT
from helpers.tools.environment import LAB_SETTINGS

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MISSING = (
    "No Chromium was found. Install one, for example with `apt-get install chromium`, so that it "
    "is on the PATH."
)
# Chromium as root, in a container, without a screen and without calling home.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--font-render-hinting=none",
]
# Where one server shows a notebook in its two front ends.
LAB, NOTEBOOK_7 = "lab/tree", "notebooks"
# The kernel of the notebook on screen, for code that runs in the page.
KERNEL = "window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel"
# So long nothing is heard of a kernel before it is asked how it is; and how often that is done.
PATIENCE, TIMES = 30_000, 4  # ms


def find():
    """Return the path of an installed Chromium, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextlib.contextmanager
def chromium():
    """Yield a headless Chromium as a Playwright browser; ends the program if none is found."""
    if find() is None:
        sys.exit(MISSING)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


@contextlib.contextmanager
def server(root, start=(), enter=None):
    """Yield the address of a JupyterLab over the folder `root`, with settings of its own.

    `start` is the beginning of the command that starts it, such as a script; `enter` is called in
    the new process before that.
    """
    with tempfile.TemporaryDirectory() as home:
        command = [*start, sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={root}"]
        apps = ("LabApp", "JupyterNotebookApp")
        command += [*(f"--{app}.expose_app_in_browser=True" for app in apps)]
        command += ["--IdentityProvider.token="]
        own = {"REPO_DIR": str(root), "JUPYTER_CONFIG_PATH": str(LAB_SETTINGS)}
        with answering(command, root, home, enter, **own) as address:
            yield address


@contextlib.contextmanager
def answering(command, root, home, enter=None, **environment):
    """Yield the address of the Jupyter server that a command starts in the folder `root`, once it
    answers; its settings stand in the folder `home`."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command = [*command, "--no-browser", "--allow-root", f"--port={port}", "--ip=127.0.0.1"]
    names = ("CONFIG", "DATA", "RUNTIME")
    environment |= {f"JUPYTER_{name}_DIR": f"{home}/{name}" for name in names}
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | environment
    log = pathlib.Path(home) / "log"
    with log.open("w") as out:
        process = subprocess.Popen(
            command, stdout=out, stderr=out, env=environment, cwd=root, preexec_fn=enter
        )
    try:
        yield _wait_for(f"http://127.0.0.1:{port}", process, log)
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()


@contextlib.contextmanager
def static(folder):
    """Yield the address at which a web server answers with the files of a folder."""
    handler = functools.partial(_Quiet, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Print nothing."""


def _wait_for(address, process, log):
    for _ in range(600):
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"{address}/api/status", timeout=5)
            return address
        if process.poll() is not None:
            raise RuntimeError(f"The server did not start:\n{log.read_text()}")
        time.sleep(0.1)
    raise TimeoutError("The server did not answer within a minute.")


def write(file, cells):
    """Write a notebook of the given code cells to a file."""
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(code) for code in cells],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )
    nbformat.write(notebook, file)


class Notebook:
    """A notebook of the given code cells, open in JupyterLab or in Jupyter Notebook 7."""

    def __init__(self, browser, address, root, cells, name="test.ipynb", front=LAB, **context):
        write(pathlib.Path(root) / name, cells)
        context.setdefault("viewport", {"width": 1280, "height": 900})
        self.context = browser.new_context(**context)
        self.page = self.context.new_page()
        self.page.set_default_timeout(150_000)  # beside busy processes a page may take long
        self.open(f"{address}/{front}/{name}?reset")

    def open(self, address):
        """Load a notebook's address and wait until its kernel is idle."""
        self.address = address
        self.page.goto(address)
        self.page.wait_for_selector(".jp-NotebookPanel .jp-Cell")
        self.wait_until_idle()

    def wait_until_idle(self):
        """Return when the kernel has nothing to do.

        What a kernel says of itself while it starts is lost if the server does not listen yet, as
        may be on a busy machine. It says it again when it has run nothing.
        """
        idle = f"{KERNEL}?.status === 'idle'"
        for _ in range(TIMES):
            with contextlib.suppress(TookTooLong):
                self.page.wait_for_function(idle, timeout=PATIENCE)
                return
            self.page.evaluate(f"void {KERNEL}?.requestExecute({{code: '', silent: true}})")
        self.page.wait_for_function(idle, timeout=PATIENCE)

    def restart(self):
        """Restart the kernel, as its menu does, and wait until it is back."""
        self.page.evaluate(f"{KERNEL}.restart()")
        self.wait_until_idle()

    def write(self, cell, code):
        """Put other code into a cell, by number."""
        self.page.evaluate(
            """([cell, code]) => window.jupyterapp.shell.currentWidget.content.widgets[cell]
                .model.sharedModel.setSource(code)""",
            [cell, code],
        )

    def select(self, cell):
        """Make a cell, by number, the active one."""
        self.page.locator(".jp-Notebook .jp-CodeCell").nth(cell).locator(".cm-content").click()

    def command(self, name, **arguments):
        """Run a JupyterLab command, for example "notebook:run-all-cells"."""
        execute = "([name, given]) => window.jupyterapp.commands.execute(name, given)"
        return self.page.evaluate(execute, [name, arguments])

    def run(self, cell):
        """Run one cell, by number, as a person does: click, then Ctrl+Enter."""
        self.select(cell)
        self.page.keyboard.press("Control+Enter")

    def show(self, cell, code):
        """Put code into a cell, by number, and run it, on a page without any outputs."""
        self.write(cell, code)
        self.command("notebook:clear-all-cell-outputs")
        self.run(cell)

    def python(self, expression, setup=""):
        """Return the value of a Python expression in the notebook's kernel, by way of JSON."""
        reply = self.page.evaluate(
            """async ([code, expression]) => {
                const user_expressions = { value: expression };
                const request = { code, user_expressions, store_history: false };
                return (await KERNEL.requestExecute(request).done).content;
            }""".replace("KERNEL", KERNEL),
            [setup, f"__import__('json').dumps({expression})"],
        )
        result = reply.get("user_expressions", {}).get("value", reply)
        if result.get("status") != "ok":
            raise RuntimeError(f"{result.get('ename')}: {result.get('evalue')}")
        return json.loads(ast.literal_eval(result["data"]["text/plain"]))

    def close(self):
        """Shut the kernel down and close the page."""
        with contextlib.suppress(Exception):
            self.page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
        self.context.close()
