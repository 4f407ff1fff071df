"""Node.js and TypeScript, for the tests of what runs in a browser."""

import os
import shutil
import subprocess

import pytest


def _runner(name, advice):
    """A function that runs a program, and returns its exit status and what it said."""
    path = shutil.which(name)
    if path is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(advice)

    def run(*arguments, **options):
        command = [path, *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", **options)
        return done.returncode, done.stdout + done.stderr

    return run


@pytest.fixture(scope="session")
def node():
    """A function that runs Node, and returns its exit status and what it said."""
    how = "install Node 20 or later, for example apt-get install nodejs"
    return _runner("node", f"Node is not on the PATH: {how}.")


@pytest.fixture(scope="session")
def tsc():
    """The same for the compiler of TypeScript."""
    how = "apt-get install node-typescript, or npm's typescript"
    return _runner("tsc", f"tsc is not on the PATH: {how}.")
