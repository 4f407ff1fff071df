"""A warning points at the user's line, wherever his program lies."""

import os

import pytest

from helpers.freezing import called

FOLDER = os.path.dirname(called.__file__)


@pytest.mark.parametrize(
    ("file", "levels"), [(f"{FOLDER}/kinds.py", 2), (f"{FOLDER}_run.py", 1), ("run.py", 1)]
)
def test_a_program_beside_the_folder_is_the_users_own(file, levels):
    program = compile("levels = called.levels_up()", file, "exec")
    found = {"called": called}
    exec(program, found)
    assert found["levels"] == levels
