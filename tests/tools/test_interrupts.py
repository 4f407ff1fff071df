"""Ctrl+C ends each command with a sentence, and leaves nothing running."""

import os
import signal
import subprocess
import sys

import psutil
import pytest

from helpers import ROOT

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows has no such signal")
# While TensorFlow is imported, before anything is there that could answer.
EARLY = [
    ["lab", "--no-browser", "--port", "0"],
    ["test", "tests/test_masks.py"],
    ["bench", "freeze"],
    ["run", "01"],
]


@pytest.fixture(autouse=True)
def heard():
    """Let the commands hear an interrupt; one that a shell starts in the background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def start(from_nothing):
    """Start a command in a session of its own, as a terminal does; return its process."""
    started = []

    def begin(arguments):
        command = [sys.executable, "-m", "helpers", *arguments]
        where = dict(cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
        piped = dict(stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        started.append(psutil.Popen(command, **where, **piped, start_new_session=True))
        return started[-1]

    yield begin
    for process in started:
        if process.is_running():
            process.kill()


def stop(process):
    """Press Ctrl+C; return what has been said, and which processes are left."""
    family = [process, *process.children(recursive=True)]
    os.killpg(process.pid, signal.SIGINT)
    said, _ = process.communicate(timeout=60)
    _, left = psutil.wait_procs(family, timeout=30)
    return said, left


def handed_over(process):
    return "helpers.tools.started" in process.cmdline()


@pytest.mark.parametrize("arguments", EARLY, ids=lambda arguments: arguments[0])
def test_a_command_that_is_stopped_as_it_starts_says_so(start, until, arguments):
    process = start(arguments)

    def importing():
        return handed_over(process) and process.memory_info().rss > 30 * 2**20

    until(importing, seconds=90)
    said, left = stop(process)
    assert process.returncode == 130 and "Run the same command again to go on." in said
    assert "Traceback" not in said and left == []


@pytest.mark.parametrize("arguments", [["run", "01"], ["bench", "notebooks", "01"]])
def test_a_notebook_that_is_being_run_is_stopped_with_its_kernel(start, until, arguments):
    """It has got as far as its first cells, which import TensorFlow."""
    kept = [path.read_bytes() for path in (ROOT / "notebooks").glob("01_*.ipynb")]
    process = start(arguments)

    def computing():
        family = process.children(recursive=True)
        return any(each.memory_info().rss > 400 * 2**20 for each in family)

    until(computing, seconds=90)
    said, left = stop(process)
    assert process.returncode == 130 and "Traceback" not in said and left == []
    assert [path.read_bytes() for path in (ROOT / "notebooks").glob("01_*.ipynb")] == kept


def test_what_complains_while_it_is_cleaned_up_is_not_heard():
    """As nbclient does, when it is stopped while a kernel starts."""
    source = """import atexit
from helpers.tools import started

def main(_):
    atexit.register(lambda: 1 / 0)
    raise KeyboardInterrupt

started.until_stopped(main, [])"""
    command = [sys.executable, "-c", source]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert ran.returncode == 130
    assert ran.stderr == "\nStopped. Run the same command again to go on.\n"


@pytest.mark.thorough
def test_an_interrupt_that_meets_an_object_at_its_end_is_not_lost():
    """Python swallows what a destructor raises, and has then forgotten that Ctrl+C was pressed."""
    source = """import time
from helpers.tools import started

class Interrupted:
    def __del__(self):
        raise KeyboardInterrupt

def main(_):
    Interrupted()
    time.sleep(20)

started.until_stopped(main, [])"""
    command = [sys.executable, "-c", source]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert ran.returncode == 130
    assert ran.stderr == "\nStopped. Run the same command again to go on.\n"
