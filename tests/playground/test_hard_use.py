"""A killed kernel, two browsers, a laptop asleep: the playground says so, and loses no paint. And a
full disk, of which JupyterLab speaks."""

import contextlib
import copy
import os
import signal
import subprocess

import numpy as np
import pytest

from helpers.playground import settings
from helpers.tools import browser
from tests.playground.hands import Hands
from tests.playground.proxy import Proxy

pytestmark = pytest.mark.browser
ASLEEP = 60  # seconds for which a laptop sleeps


@pytest.fixture
def awake(chromium, address):
    """A notebook with a playground behind a network that can be cut; its hands, and the Proxy."""
    server, root = address
    cells = ["from helpers.playground import Playground", "lab = Playground()\nlab"]
    with contextlib.closing(Proxy(server)) as proxy:
        notebook = browser.Notebook(chromium, proxy.address, root, cells, "asleep.ipynb")
        with contextlib.closing(notebook):
            for cell in range(2):
                notebook.run(cell)
                notebook.python("1")
            yield Hands(notebook), proxy


def accept_dialogs(page):
    """Press the last button of whatever JupyterLab has to say above the page."""
    while (dialog := page.locator(".jp-Dialog")).count():
        dialog.first.locator(".jp-Dialog-footer button").last.click()
        dialog.first.wait_for(state="detached")


def test_a_killed_kernel_is_told_on_the_page_and_the_cells_run_again(show):
    hands = show()
    hands.drag((1, 1), (1, 5))
    hands.settle()
    hands.button("Train").click()
    hands.until("lab.steps > 10")
    shown = hands.pixels
    os.kill(hands.python("__import__('os').getpid()"), signal.SIGKILL)
    hands.widget.get_by_role("alert").get_by_text("Disconnected").wait_for(timeout=90_000)
    accept_dialogs(hands.page)
    hands.drag((5, 1), (5, 5))
    np.testing.assert_array_equal(hands.pixels, shown)
    hands.notebook.wait_until_idle()
    for cell in range(2):
        hands.notebook.run(cell)
        hands.notebook.python("1")
    again = Hands(hands.notebook)
    again.drag((2, 2), (2, 4))
    assert again.settle().sum() == 3


def test_two_browsers_on_one_kernel_paint_one_mask(show, chromium):
    here = show()
    here.notebook.command("docmanager:save")
    elsewhere = copy.copy(here.notebook)
    elsewhere.context = chromium.new_context(viewport={"width": 1280, "height": 900})
    elsewhere.page = elsewhere.context.new_page()
    with contextlib.closing(elsewhere.context):
        elsewhere.open(here.notebook.address.replace("?reset", ""))
        there = Hands(elsewhere)
        assert there.python("id(lab)") == here.python("id(lab)")
        here.button("Train").click()
        there.drag((6, 1), (6, 6))
        assert there.settle().sum() == 6
        here.drag((0, 0), (0, 7))
        assert here.settle()[0].all() and here.frozen.sum() == 14
        np.testing.assert_array_equal(there.settle(), here.frozen)
        there.button("Pause").click()
        here.page.wait_for_selector(".painter[data-status=paused]")


@pytest.mark.thorough
def test_what_is_painted_while_the_network_is_cut_arrives_when_it_is_back(awake):
    """Meanwhile the page says that nobody answers, and training rests, since nobody watches."""
    hands, network = awake
    hands.button("Train").click()
    hands.until("lab.steps > 10")
    before = hands.python("lab.steps")
    network.cut()
    silent = hands.widget.get_by_role("alert").get_by_text("does not answer")
    while not silent.is_visible():  # JupyterLab's own words may have come between hand and grid
        accept_dialogs(hands.page)
        hands.drag((2, 1), (2, 6))
        hands.page.wait_for_timeout(5_000)
    hands.page.wait_for_timeout(1000 * ASLEEP)
    network.mend()
    connected = f"{browser.KERNEL}.connectionStatus === 'connected'"
    hands.page.wait_for_function(connected, timeout=150_000)
    accept_dialogs(hands.page)
    hands.until("bool(lab.frozen[2, 1:7].all())")
    assert hands.settle().sum() == 6 and hands.python("lab.steps") > before
    hands.widget.get_by_text(settings.RESTS).wait_for()
    rested = hands.python("lab.steps")
    hands.button("Train").click()
    hands.until(f"lab.steps > {rested + 10}")


@pytest.fixture
def disk(tmp_path):
    """A folder on a disk of a megabyte of its own."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", tmp_path]
    if not hasattr(os, "geteuid") or os.geteuid() or subprocess.run(mount).returncode:
        pytest.skip("only root can mount a small disk, and not in every container")
    yield tmp_path
    subprocess.run(["umount", "--lazy", tmp_path], check=True)


def fill(path):
    """Write into a file until the disk is full."""
    with contextlib.suppress(OSError), path.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))


@pytest.mark.thorough
def test_on_a_full_disk_a_save_fails_aloud_and_the_file_stays(chromium, disk):
    with browser.server(disk) as address:
        notebook = browser.Notebook(chromium, address, disk, ["1 + 1"], "full.ipynb")
        with contextlib.closing(notebook):
            stored, filling = disk / "full.ipynb", disk / "filling"
            before = stored.read_bytes()
            fill(filling)
            notebook.write(0, "# new\n" + 50_000 * "#")
            save = "() => void window.jupyterapp.commands.execute('docmanager:save')"
            notebook.page.evaluate(save)
            notebook.page.get_by_text("No space left on device").wait_for()
            assert stored.read_bytes() == before
            accept_dialogs(notebook.page)
            filling.unlink()
            notebook.command("docmanager:save")
            assert "# new" in stored.read_text()
