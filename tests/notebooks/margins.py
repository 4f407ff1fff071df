"""How much room each claim of a notebook has, under other seeds than its own.

  .venv/bin/python tests/notebooks/margins.py 13 14        both notebooks, twice five fresh seeds
  .venv/bin/python tests/notebooks/margins.py 13 --groups 1

What a notebook says of its figures stands as assertions in the folder `claims`, in a file of its
name, which runs behind the notebook; the page itself has none. The notebook's line `seeds = [...]`
is replaced by five seeds that it has never seen, and again by five others. A comparison's room is
how far it is from failing; below zero it fails. Not a test: it takes minutes, and pytest does not
collect it (that the claims hold for the stored page is one). Exits with 1 if a claim failed.
"""

import argparse
import ast
import collections
import contextlib
import linecache
import multiprocessing
import operator
import os
import re
import sys
from pathlib import Path

import nbformat
from IPython.core.inputtransformer2 import TransformerManager

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
CLAIMS = Path(__file__).parent / "claims"
# The first fresh seed, and how many are a group; pages choose settings with seeds from 100 on.
FIRST, EACH = 200, 5
SEEDS = re.compile(r"^seeds = \[.*\]$", re.MULTILINE)
HOLDS = {"Lt": operator.lt, "LtE": operator.le, "Gt": operator.gt, "GtE": operator.ge}


class Claims(ast.NodeTransformer):
    """Turns each assertion into a call that measures it and lets the notebook go on."""

    def visit_Assert(self, node):
        """Measure the parts of `and` and of chained comparisons one by one."""
        return [self._measured(part) for part in self._parts(node.test)]

    def _parts(self, test):
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            return [part for value in test.values for part in self._parts(value)]
        if isinstance(test, ast.Compare):
            sides = [test.left, *test.comparators]
            links = zip(sides, test.ops, sides[1:])
            return [ast.Compare(left, [op], [right]) for left, op, right in links]
        return [test]

    def _measured(self, part):
        compared = isinstance(part, ast.Compare) and type(part.ops[0]).__name__ in HOLDS
        values = [part.left, part.comparators[0]] if compared else [part]
        kind = type(part.ops[0]).__name__ if compared else ""
        start = ast.parse(f"__claim__({ast.unparse(part)!r}, {kind!r})").body[0]
        start.value.args += values
        return ast.fix_missing_locations(start)


def measure(source, name="<notebook>"):
    """Run Python source; return (claim, room) in order, the room True or False if not a number.

    A comparison that fails by nothing (5 > 5) or with NaN has no room: False.
    """
    rooms = []

    def claim(text, kind, *values):
        held = bool(HOLDS[kind](*values) if kind else values[0])
        room = float(_room(kind, *values)) if kind else held
        rooms.append((text, room if held or room < 0 else False))

    # Where AutoGraph and inspect look for the source of a function that stands in no file.
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    tree = ast.fix_missing_locations(Claims().visit(ast.parse(source)))
    exec(compile(tree, name, "exec"), {"__claim__": claim, "__name__": "__main__"})
    return rooms


def _room(kind, left, right):
    return right - left if kind.startswith("Lt") else left - right


def claims(stem):
    """The source of what a notebook claims, or nothing."""
    path = CLAIMS / f"{stem}.py"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def run(path, seeds):
    """The claims of one notebook under a list of seeds."""
    cells = nbformat.read(path, as_version=4).cells
    source = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    source = TransformerManager().transform_cell(source)  # lines with ! and % are IPython's
    source, replaced = SEEDS.subn(f"seeds = {seeds}", source)
    if replaced > 1:
        raise ValueError(f"{path.name} has {replaced} lines `seeds = [...]`; one was wanted.")
    source += "\n" + claims(path.stem)
    os.chdir(path.parent)
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        return measure(source, f"<{path.stem}>")


def groups_of(path, groups):
    """How often a notebook is to run: once, if it has no line of seeds to replace."""
    cells = nbformat.read(path, as_version=4).cells
    return groups if any(SEEDS.search(cell.source) for cell in cells) else 1


def failed(room):
    """Whether a claim has failed."""
    return room is False or room < 0


def table(rooms):
    """Lines: the least and the greatest room of each claim, and the groups that broke it."""
    for claim, by_group in rooms.items():
        values = list(by_group.values())
        broken = [group for group, room in by_group.items() if failed(room)]
        numbers = not any(isinstance(room, bool) for room in values)
        spread = f"{min(values):9.3g} {max(values):9.3g}" if numbers else ""
        yield f"{spread:19}  {claim}" + (f"  BROKEN by groups {broken}" if broken else "")


def main(arguments):
    """Print a table a notebook."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="+", help="their numbers, for example 13")
    parser.add_argument("--groups", type=int, default=2, help="of five fresh seeds")
    options, broken = parser.parse_args(arguments), False
    for number in options.notebooks:
        (path,) = (ROOT / "notebooks").glob(f"{number}_*.ipynb")
        rooms = collections.defaultdict(dict)
        # A process a group: each starts with TensorFlow as the notebook finds it.
        with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
            for group in range(groups_of(path, options.groups)):
                first = FIRST + EACH * group
                for claim, room in pool.apply(run, (path, [*range(first, first + EACH)])):
                    # Of a claim in a loop, the least.
                    rooms[claim][group] = min(room, rooms[claim].get(group, room))
        print(path.stem, "least and greatest room", sep="\n")
        print(*table(rooms), sep="\n", flush=True)
        broken |= any(failed(room) for each in rooms.values() for room in each.values())
    return int(broken)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
