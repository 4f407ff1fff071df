"""While several processes run the tests, one line says how far they are and what is running.

On a terminal the line moves; elsewhere a new one appears every 20 seconds. A failure is named at
once. In one process pytest's own display stays.
"""

import shutil
import threading
import time

import pytest


def pytest_xdist_setupnodes(config):
    """Take the display over in the process that hands the tests out."""
    reporter = config.pluginmanager.getplugin("terminalreporter")
    config.pluginmanager.register(Progress(reporter))


class Progress:
    """Follows what the processes report, and shows it from a thread of its own."""

    def __init__(self, reporter):
        self.reporter = reporter
        self.every = 0.5 if reporter.isatty else 20
        self.began, self.total, self.done, self.failed = time.monotonic(), 0, 0, 0
        self.running = {}  # names of tests in the order in which they began, each with None
        self.ended, self.writing = threading.Event(), threading.Lock()
        self.thread = threading.Thread(target=self._keep_showing, daemon=True)

    def pytest_xdist_node_collection_finished(self, ids):
        """Begin to show how far it is, once it is known how much there is."""
        self.total = len(ids)
        if not self.thread.ident:
            self.thread.start()

    def pytest_runtest_logstart(self, nodeid):
        """Remember that a test is running."""
        self.running[nodeid] = None

    def pytest_runtest_logreport(self, report):
        """Name a failure; count a test after its last phase, or when its process has died."""
        if report.failed:
            self.failed += 1
            self._write(f"FAILED {report.nodeid}\n")
        if report.when not in ("setup", "call"):
            self.running.pop(report.nodeid, None)
            self.done += 1

    @pytest.hookimpl(wrapper=True)
    def pytest_report_teststatus(self):
        """Count as pytest does, and print none of its letters before the summary."""
        category, letter, word = yield
        return (category, letter, word) if self.ended.is_set() else (category, "", "")

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self):
        """Leave the terminal to pytest's summary."""
        self.ended.set()
        if self.thread.ident:
            self.thread.join()
        self._write("")

    def line(self):
        """How many tests are done, for how long, and which are running."""
        failed = f" · {self.failed} failed" if self.failed else ""
        running = ", ".join(list(self.running)) or "nothing"
        elapsed = clock(time.monotonic() - self.began)
        return f"{self.done:,} of {self.total:,}{failed} · {elapsed} · running: {running}"

    def _keep_showing(self):
        while not self.ended.wait(self.every):
            if self.reporter.isatty:
                self._write(self.line()[: shutil.get_terminal_size().columns - 1])
            else:
                self._write(self.line() + "\n")

    def _write(self, text):
        """Write over the moving line, where there is one."""
        with self.writing:
            if self.reporter.isatty:
                self.reporter.rewrite("", erase=True)
            self.reporter.write(text, flush=True)


def clock(seconds):
    """Seconds as people say them."""
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"
