""".devcontainer: what Codespaces and VS Code are told holds here, as far as it can be tried."""

import json
import os
import re
import subprocess
import sys

import pytest

from helpers import ROOT
from helpers.tools.environment import NEWEST, OLDEST


@pytest.fixture
def container():
    text = (ROOT / ".devcontainer" / "devcontainer.json").read_text()
    return json.loads(re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE))


def test_its_python_is_one_that_the_course_runs_on(container):
    version = tuple(map(int, container["image"].rpartition(":")[2].split(".")))
    assert OLDEST <= version <= NEWEST


def test_what_it_runs_first_makes_the_page_that_it_opens(container):
    command = container["postCreateCommand"].split()
    done = subprocess.run(
        [sys.executable, *command[1:]], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0 and re.search(r"^\d+\.\d+\.\d+$", done.stdout, re.MULTILINE)
    (page,) = container["customizations"]["codespaces"]["openFiles"]
    assert (ROOT / page).exists()


def test_its_kernel_finds_the_helpers(container):
    path = container["remoteEnv"]["PYTHONPATH"].replace("${containerWorkspaceFolder}", str(ROOT))
    settings = container["customizations"]["vscode"]["settings"]
    assert settings["python.defaultInterpreterPath"].endswith("/.venv/bin/python")
    command = [sys.executable, "-c", "import helpers; print(helpers.ROOT)"]
    environment = os.environ | {"PYTHONPATH": path}
    done = subprocess.run(
        command, cwd=ROOT / "notebooks", env=environment, capture_output=True, text=True
    )
    assert done.stdout.strip() == str(ROOT)
