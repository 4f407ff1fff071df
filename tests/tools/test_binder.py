"""binder/: a lighter copy of environment.yml, which repo2docker reads the way it is meant."""

import re
import subprocess
import sys
from importlib import metadata

import pytest

from helpers.tools import pins
from helpers.tools.environment import LISTED, ROOT, requirements

COPY = ROOT / "binder" / "environment.yml"
# Imports what readers use, where the modules of these names are not to be had: measurements and the
# site are for whoever changes the course.
IMPORT_WITHOUT = """
import importlib, pkgutil, sys
import helpers
sys.modules.update(dict.fromkeys({}))
for module in pkgutil.walk_packages(helpers.__path__, "helpers."):
    if not module.name.startswith(("helpers.bench.", "helpers.site.", "helpers.tools.browser")):
        importlib.import_module(module.name)
"""


def test_the_copy_is_what_the_list_makes_of_it():
    light = pins.light(LISTED.read_text(encoding="utf-8"))
    assert COPY.read_text(encoding="utf-8") == light, "run `python3 -m helpers pin` once more"
    assert not COPY.is_symlink(), "a link does not survive a checkout under Windows"


@pytest.mark.thorough
def test_the_course_needs_nothing_that_the_copy_leaves_out():
    names = [{pin.split("==")[0] for pin in requirements(p.read_text())} for p in (LISTED, COPY)]
    left_out = names[0] - names[1] - {"tensorflow"}
    owners = metadata.packages_distributions().items()
    modules = [module for module, packages in owners if left_out.intersection(packages)]
    assert {"pytest", "playwright", "hypothesis"} <= set(modules)
    code = IMPORT_WITHOUT.format(modules)
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


def test_nothing_in_the_list_points_at_a_file():
    """repo2docker installs before it copies the repository: a path would not be there yet."""
    pins = requirements(COPY.read_text())
    assert [pin for pin in pins if not re.match(r"[\w.-]+==\d", pin)] == []


@pytest.fixture(scope="module")
def rendered():
    """What repo2docker says, and the Dockerfile it would build, without a container engine."""
    if sys.platform == "win32":
        pytest.skip("repo2docker does not run under Windows")
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", str(ROOT)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    return result.stdout + result.stderr


def test_repo2docker_takes_the_conda_way_with_python_3_12(rendered):
    assert "Building conda environment for python=3.12" in rendered


def test_repo2docker_installs_the_copy_before_the_rest_arrives(rendered):
    """So that Binder rebuilds the environment only when the list has changed."""
    install = rendered.index('env update -p ${NB_PYTHON_PREFIX} --file "binder/environment.yml"')
    assert install < rendered.index("COPY --chown=0:0 src/ ${REPO_DIR}/")


def test_repo2docker_uses_the_start_script(rendered):
    """Without it the notebooks would not find `helpers`."""
    assert 'ENV R2D_ENTRYPOINT="${REPO_DIR}/binder/start"' in rendered
    assert 'export PYTHONPATH="${REPO_DIR}"' in (ROOT / "binder" / "start").read_text()
