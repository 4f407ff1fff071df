"""The line that is shared is one, whether Python or the site writes and reads it."""

import json
import random

import numpy as np
import pytest

from helpers import ROOT
from helpers.masks import as_text
from helpers.playground import share, tasks
from helpers.site import given
from tests.site.runs import USUAL

MODULE = (ROOT / "helpers" / "site" / "trainer" / "share.mjs").as_uri()
CODE = f"""
import {{ readFileSync }} from "node:fs";
import {{ lineOf, read }} from {MODULE!r};
const {{ task, shared, lines }} = JSON.parse(readFileSync(0, "utf-8"));
const written = await Promise.all(shared.map((each) =>
  lineOf(task, {{ ...each, masks: each.masks.map((mask) => Uint8Array.from(mask)) }})));
const plain = ({{ masks, ...rest }}) => ({{ ...rest, masks: masks.map((mask) => [...mask]) }});
const found = await Promise.all(lines.map((line) =>
  read(task, line).then(plain, (error) => error.message)));
console.log(JSON.stringify({{ written, found }}));
"""


@pytest.fixture
def on_the_site(node):
    """A function that has the site write and read lines: (what is shared, lines, the task) ->
    (lines, what it has read, or the error instead)."""

    def ask(shared, lines, task="digits"):
        told = given.told(tasks.make(task, 0))
        asked = json.dumps({"task": told, "shared": shared, "lines": lines})
        status, printed = node("--input-type=module", "-e", CODE, input=asked)
        assert status == 0, printed
        answer = json.loads(printed)
        return answer["written"], answer["found"]

    return ask


GRIDS = {"digits-0": (10, 8, 8), "snowflake-0-48-48": (1, 48, 48)}  # pages, rows, columns


def drawn(task, number):
    """Draw what a line of a task holds, as the site has it."""
    pages, rows, columns = GRIDS[task]
    draw, cells = random.Random(number), np.random.default_rng(number)
    optimizer = draw.choice(list(USUAL))
    numbers = {
        "rate": draw.choice([0, 1, 250, 10 ** draw.uniform(-12, 30), draw.random()]),
        "momentum": draw.choice([0, 0.5, draw.random()]),
        "decay": draw.choice([0, 3, 1e21, draw.random() / 1000]),
    }
    turned = {name: float(numbers[name]) for name in USUAL[optimizer] if draw.random() < 0.7}
    masks = (
        (cells.random((pages, rows * columns)) < draw.choice([0, 0.02, 0.5])).astype(int).tolist()
    )
    page = str(draw.randrange(10)) if pages > 1 else "all"
    return dict(technique="restore", optimizer=optimizer, turned=turned, page=page, masks=masks)


def by_python(task, shared):
    """The line as the course writes it."""
    word = share._turned_word(shared["optimizer"], shared["turned"])
    mask = as_text(np.array(shared["masks"], bool).reshape(GRIDS[task]))
    return share._line([task, shared["technique"], word, shared["page"], mask])


@pytest.mark.parametrize("task", GRIDS)
def test_each_reads_what_the_other_writes(on_the_site, task):
    shared = [drawn(task, number) for number in range(80)]
    lines = [by_python(task, each) for each in shared]
    written, found = on_the_site(shared, lines, task.partition("-")[0])
    assert found == shared
    for line, each in zip(written, shared, strict=True):
        named, technique, word, page, _ = share._words(line)
        assert share._optimizer(word) == (each["optimizer"], each["turned"])
        assert (named, technique, page) == (task, each["technique"], each["page"])
        assert word == share._turned_word(each["optimizer"], each["turned"])


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("sgd-momentum5e-1", "sgd has no momentum"),
        ("adam-momentum1", "less than 1"),
        ("adam-rate1e999", "The rate Infinity arrived"),
        ("adam-rate", "a number for each knob"),
        ("adam-rate5e-2x", "a number for each knob"),
        ("adam-colour5", "names the optimizer adam-colour5"),
    ],
)
def test_a_number_that_does_not_fit_is_told(on_the_site, word, told):
    line = share._line(["digits-0", "none", word, "3", as_text(np.zeros((10, 8, 8), bool))])
    _, (found,) = on_the_site([], [line])
    assert told in found


def test_a_line_of_another_task_is_told_where_it_opens(on_the_site):
    line = by_python("snowflake-0-48-48", drawn("snowflake-0-48-48", 0))
    _, (found,) = on_the_site([], [line])
    assert "of the task snowflake-0-48-48; this grid has digits-0" in found
