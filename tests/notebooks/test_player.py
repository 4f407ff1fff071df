"""Play never breaks a page: somebody plays with each playground that is shown, and reads on.

A page that trains from five seeds trains from two here: the question is whether its cells run.
"""

import copy
import os
import re

import nbformat
import pytest

from helpers.tools import notebooks
from tests.notebooks import margins
from tests.notebooks.pictures import code

SEEDS = range(int(os.environ.get("PLAYER_SEEDS", 1)))


def with_play(notebook, seed):
    """The notebook with somebody at play after each cell, in all that has been shown by then."""
    played, shown = copy.deepcopy(notebook), []
    for number, cell in enumerate(code(notebook)):
        last = cell.source.rstrip().rpartition("\n")[2]
        shown += [last] if re.fullmatch(r"\w+", last) and last not in shown else []
        with_them = f"[{', '.join(shown)}], {seed + number}"
        source = f"from tests.notebooks import player\nplayer.play({with_them})"
        place = next(i for i, other in enumerate(played.cells) if other.id == cell.id)
        played.cells[place].source = margins.SEEDS.sub("seeds = [0, 1]", cell.source)
        played.cells.insert(place + 1, nbformat.v4.new_code_cell(source))
    return played


@pytest.mark.thorough
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("path", notebooks.paths(), ids=lambda path: path.stem)
def test_whatever_a_reader_does_every_later_cell_runs(path, seed):
    notebooks.execute(with_play(notebooks.read(path), 1000 * seed))
