"""Node.js, for the tests of what runs in a browser."""

import os
import shutil
import subprocess

import pytest

ADVICE = "Node is not on the PATH: install Node 20 or later, for example apt-get install nodejs."


@pytest.fixture(scope="session")
def node():
    """A function that runs Node, and returns its exit status and what it said."""
    path = shutil.which("node")
    if path is None and os.environ.get("CI") == "true":
        pytest.fail(ADVICE)
    if path is None:
        pytest.skip(ADVICE)

    def run(*arguments, **options):
        command = [path, *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", **options)
        return done.returncode, done.stdout + done.stderr

    return run
