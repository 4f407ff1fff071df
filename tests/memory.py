"""Gives memory back between test files, and says how much each process took at the most."""

import ctypes
import gc
import re
import sys
from pathlib import Path

import pytest

from helpers import private

WANTED = 2.0  # GB a process: a few of them fit beside a browser
PEAKS = pytest.StashKey()
_highest = []  # (GB, file) in this process, each time that a file has ended higher than before


def pytest_collection_finish():
    """What has been imported by now stays: no longer look for garbage in it, which took a quarter
    of a second each time, several times a file."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="module")
def memory_is_given_back(request):
    """After each file, note how high it went, and forget Keras' models and compiled functions that
    no test holds any more."""
    yield
    reached = peak()
    if reached and (not _highest or reached > _highest[-1][0]):
        _highest.append((reached, request.node.name))
    if "keras" in sys.modules:
        sys.modules["keras"].backend.clear_session()
        private.forget_gradients(private.registered_gradients())
    _give_back()


def _give_back():
    gc.collect()
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)  # glibc keeps what was freed, unless it is told


def taken():
    """The memory in use in this process, in kB; None where the system does not say."""
    _give_back()
    return _status("VmRSS")


def peak():
    """The most memory this process has held, in GB; None where the system does not say."""
    kilobytes = _status("VmHWM")
    return kilobytes and kilobytes / 1024**2


def _status(name):
    status = Path("/proc/self/status")
    lines = status.read_text() if status.exists() else ""
    kilobytes = re.search(name + r":\s+(\d+)", lines)
    return int(kilobytes[1]) if kilobytes else None


def pytest_sessionfinish(session):
    """A process that runs tests sends its peak to the one that hands them out."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["peak"] = _highest[-1] if _highest else None


def pytest_testnodedown(node):
    """Note the peak of a process that has ended in good order."""
    peaks = node.config.stash.setdefault(PEAKS, {})
    peaks[node.gateway.id] = getattr(node, "workeroutput", {}).get("peak")


def pytest_terminal_summary(terminalreporter, config):
    """Print the peaks, and in which files; more than is wanted is marked."""
    for name, highest in sorted(config.stash.get(PEAKS, {}).items()):
        if highest is not None:
            gigabytes, where = highest
            over = gigabytes > WANTED
            told = f", more than the {WANTED:.0f} GB that are wanted" if over else ""
            told = f"{name}: {gigabytes:.2f} GB at the most{told}, in {where}"
            terminalreporter.write_line(told, red=over)
