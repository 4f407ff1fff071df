"""Kernels that need not import TensorFlow: forked from one process that has done so.

The import takes a kernel some four seconds of a core, and a whole run of the tests starts dozens
of kernels. While several processes run the tests, nbval, JupyterLab and the player get theirs from
the nursery. A test with the fixture `from_nothing`, such as the soak, does not. The notebooks'
second runs have a nursery of their own, in which TensorFlow takes the processor for an older one.

nursery  has imported TensorFlow, and nothing of the course; forks for everyone who asks
launch   what Jupyter starts in a kernel's place: asks for one, and lives as long as it does
"""

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

HERE = Path(__file__).parent
NAME = "python3"  # of every notebook's kernel; Jupyter searches JUPYTER_PATH before other places
RESOURCES = pytest.StashKey()
# What a page says is to hold on other processors, too, which round otherwise. These make TensorFlow
# compute as on one that knows neither fused multiplication nor vectors of 512 bits; it reads the
# second while it is imported.
OLDER_PROCESSOR = {"XLA_FLAGS": "--xla_cpu_max_isa=AVX", "TF_ENABLE_ONEDNN_OPTS": "0"}
OLDER = "JUPYTER_PATH_OF_AN_OLDER_PROCESSOR"


def pytest_xdist_setupnodes(config):
    """Before the processes that run tests start: open the nurseries, and lead Jupyter to one."""
    if sys.platform == "linux":  # where TensorFlow is known to survive a fork
        resources = config.stash[RESOURCES] = contextlib.ExitStack()
        os.environ["JUPYTER_PATH"] = resources.enter_context(nursery())
        if config.option.all:
            os.environ[OLDER] = resources.enter_context(nursery(**OLDER_PROCESSOR))


def pytest_configure(config):
    """In a process that runs tests, have nbval ask for a kernel by its name."""
    if hasattr(config, "workerinput") and "JUPYTER_PATH" in os.environ:
        config.option.nbval_current_env, config.option.nbval_kernel_name = False, NAME


@pytest.fixture
def from_nothing(monkeypatch):
    """While a test has this, its kernels start as a reader's does."""
    monkeypatch.delenv("JUPYTER_PATH", raising=False)


@pytest.fixture
def older_processor(monkeypatch):
    """While a test has this, its kernels compute as an older processor does."""
    for name, value in OLDER_PROCESSOR.items():
        monkeypatch.setenv(name, value)
    if OLDER in os.environ:
        monkeypatch.setenv("JUPYTER_PATH", os.environ[OLDER])


def pytest_unconfigure(config):
    """Close the nurseries."""
    config.stash.get(RESOURCES, contextlib.ExitStack()).close()


@contextlib.contextmanager
def nursery(**variables):
    """Open a nursery with these variables in its environment; yield the folder in which Jupyter
    finds how to ask it for a kernel."""
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listening:
        address = f"{folder}/nursery"
        listening.bind(address)
        listening.listen()  # whoever asks early waits until TensorFlow is there
        _write_spec(Path(folder), [sys.executable, "-S", str(HERE / "launch.py"), address])
        number = listening.fileno()
        command = [sys.executable, HERE / "nursery.py", str(number)]
        # Keras imports Matplotlib, which reads this once; a kernel would set it before.
        environment = {"MPLBACKEND": "module://matplotlib_inline.backend_inline", **os.environ}
        environment |= variables
        streams = {"stdin": subprocess.PIPE, "stderr": subprocess.DEVNULL}  # its import is noisy
        with subprocess.Popen(command, pass_fds=[number], env=environment, **streams):
            yield folder  # afterwards its standard input is closed, and it ends


def _write_spec(folder, command):
    command = [*command, "-f", "{connection_file}"]
    spec = {"argv": command, "display_name": "Python 3", "language": "python"}
    (folder / "kernels" / NAME).mkdir(parents=True)
    (folder / "kernels" / NAME / "kernel.json").write_text(json.dumps(spec))
