"""The program of a run: run by itself, it ends in the very bits of the playground's weights."""

import ast
import contextlib
import hashlib
import io
import os
import re
import runpy
import shutil
import subprocess
import sys

import numpy as np
import pytest

from helpers import ROOT
from helpers.optimizers import LISTED
from helpers.playground import Playground, tasks
from helpers.techniques import TECHNIQUES
from tests.playground.small import small

INEXACT = [name for name in TECHNIQUES if name != "exact"]
# Each of the four with --all.
SOME = ["momentum", "adam"]
SOME += [pytest.param(name, marks=pytest.mark.thorough) for name in ("sgd", "adamw")]


@pytest.fixture(scope="module", params=list(tasks.TASKS))
def lab(request):
    """One playground over each task for many tests; each of them begins with a reset."""
    lab = Playground(request.param, device="cpu", seed=3)
    yield lab
    lab.close()


@pytest.fixture
def printed(tmp_path):
    """A function that runs a program in this process and returns the last line of its output."""

    def run(text):
        (tmp_path / "program.py").write_text(text, encoding="utf-8")
        with contextlib.redirect_stdout(io.StringIO()) as output:
            runpy.run_path(str(tmp_path / "program.py"))
        return output.getvalue().splitlines()[-1]

    return run


def alone(text, folder):
    """The last line that a program prints in a Python and a folder of its own."""
    (folder / "program.py").write_text(text, encoding="utf-8")
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    command = [sys.executable, "program.py"]  # which looks for helpers in its own folder
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


def hashed(lab):
    """The hash of the bytes of a playground's weights."""
    return hashlib.sha256(lab.weights.tobytes()).hexdigest()


def begin(lab, technique, optimizer):
    """Take a playground back to the start, with nothing frozen and these choices."""
    lab.use(technique, optimizer)
    lab.frozen = np.zeros_like(lab.frozen)
    lab.reset()


def masks_of(lab, seed):
    """Random masks for a grid, without end."""
    generator = np.random.default_rng(seed)
    while True:
        yield generator.random(lab.frozen.shape) < 0.4


# Equal bits


@pytest.mark.parametrize("optimizer", SOME)
def test_a_program_repeats_the_other_recipes_in_turn_under_masks_that_change(
    lab, printed, optimizer
):
    masks = masks_of(lab, 0)
    begin(lab, INEXACT[0], optimizer)
    lab.train(6)
    for technique in INEXACT:
        lab.use(technique)
        lab.frozen = next(masks)
        lab.train(8)
        lab.frozen = next(masks)
        lab.train(5)
    assert printed(lab.script()) == hashed(lab)


@pytest.mark.parametrize("optimizer", SOME)
def test_a_program_repeats_the_exact_freeze_and_leaves_it_and_comes_back(lab, printed, optimizer):
    masks = masks_of(lab, 1)
    begin(lab, "exact", optimizer)
    for technique in ("exact", "restore", "exact"):
        lab.use(technique)
        lab.train(5)
        lab.frozen = next(masks)
        lab.train(8)
    lab.use("none")
    lab.train(4)
    assert printed(lab.script()) == hashed(lab)


@pytest.mark.thorough
@pytest.mark.parametrize("technique", list(TECHNIQUES))
@pytest.mark.parametrize("optimizer", list(LISTED))
def test_a_program_repeats_one_recipe_from_the_first_step_on(lab, printed, technique, optimizer):
    masks = masks_of(lab, 2)
    begin(lab, technique, optimizer)
    for steps in (20, 30):
        lab.frozen = next(masks)
        lab.train(steps)
    assert printed(lab.script()) == hashed(lab)


def test_a_newly_chosen_optimizer_starts_empty_in_the_program_too(lab, printed):
    begin(lab, "exact", "adam")
    lab.paint(slice(0, 3), slice(1, 4))
    for optimizer in ("adam", "momentum", "momentum", "adamw"):
        lab.use(optimizer=optimizer)
        lab.train(7)
    assert printed(lab.script()) == hashed(lab)


def test_pages_are_painted_one_by_one_and_the_hash_is_of_the_one_on_the_grid(playground, printed):
    lab = playground("digits", technique="restore")
    for page in ("3", "7"):
        lab.use(page=page)
        lab.paint(slice(2, 5), slice(int(page) - 3, 8))
    lab.train(10)
    lab.use(page="0")
    seen = {}
    for page in ("0", "3", "7"):
        lab.use(page=page)
        seen[page] = printed(lab.script())
        assert seen[page] == hashed(lab)
    assert len(set(seen.values())) == 3


def test_a_shadow_that_was_made_within_a_step_is_made_again(playground, printed, half):
    """A cell that is thawed and frozen once more without a step between has a new copy."""
    lab = playground(small(), "adam", "shadow_copy")
    lab.frozen = half
    lab.train(10)
    lab.use("none")
    lab.train(10)
    lab.use("shadow_copy")
    old = hashed(lab)
    lab.frozen = ~half
    lab.frozen = half
    assert hashed(lab) != old
    lab.train(5)
    assert printed(lab.script()) == hashed(lab)


def test_what_was_changed_after_the_last_step_counts(playground, printed, half):
    lab = playground(small(), "adam", "shadow_copy")
    lab.train(10)
    lab.frozen = half
    lab.train(10)
    before = hashed(lab)
    lab.frozen = np.zeros_like(half)
    assert printed(lab.script()) == hashed(lab) != before


def test_before_the_first_step_the_program_makes_the_first_weights(lab, printed):
    begin(lab, "none", "sgd")
    assert printed(lab.script()) == hashlib.sha256(lab.initial.tobytes()).hexdigest()


def test_a_reset_begins_the_program_anew(lab, printed):
    begin(lab, "where_gradient", "adam")
    lab.train(5)
    lab.paint(1, slice(0, 4))
    lab.train(5)
    lab.reset()
    lab.train(9)
    text = lab.script()
    assert printed(text) == hashed(lab)
    assert "After" not in text and len(re.findall("^for ", text, re.MULTILINE)) == 1


def test_what_is_painted_while_it_trains_is_told_at_the_step_where_it_came_into_force(
    playground, printed, until
):
    lab = playground(small(), "sgd", "restore")
    lab.start()
    for row in range(6):
        lab.paint(row, slice(None))
        until(lambda steps=lab.steps: lab.steps > steps)
    lab.stop()
    assert printed(lab.script()) == hashed(lab)


def drawn_knobs(lab, random):
    """Numbers for some knobs of the optimizer in use."""
    numbers = {"rate": 10 ** random.uniform(-4, -1), "momentum": 0.0, "decay": random.random()}
    numbers["momentum"] = random.choice([0.0, random.random()])
    has = lab.session.loop.knobs.usual
    return {name: float(n) for name, n in numbers.items() if name in has and random.random() < 0.6}


KNOBS = {"momentum": ["rate", "momentum"], "adamw": ["rate", "momentum", "decay"]}


@pytest.mark.parametrize("technique", ["none", "exact", "free_values"])
@pytest.mark.parametrize("optimizer", KNOBS)
def test_knobs_that_stand_at_the_beginning_are_told_the_optimizer(
    playground, printed, half, optimizer, technique
):
    lab = playground(small(), optimizer, technique)
    lab.use(**dict.fromkeys(KNOBS[optimizer], 0.0321))
    lab.frozen = half
    lab.train(15)
    text = lab.script()
    assert text.count("0.0321") == len(KNOBS[optimizer]) and "Number" not in text
    assert printed(text) == hashed(lab)


@pytest.mark.parametrize("technique", ["none", "exact", "free_values"])
@pytest.mark.parametrize("optimizer", KNOBS)
def test_knobs_that_are_turned_midway_are_turned_in_the_program(
    playground, printed, half, optimizer, technique
):
    lab = playground(small(), optimizer, technique)
    lab.frozen = half
    for number in (0.0, 0.0321, 0.0123):
        lab.use(**dict.fromkeys(KNOBS[optimizer], number))
        lab.train(9)
    assert printed(lab.script()) == hashed(lab)


def test_a_rate_alone_is_turned_as_in_keras(playground, printed):
    lab = playground(small(), "adam")
    lab.train(5)
    lab.use(rate=0.5)
    lab.train(5)
    text = lab.script()
    assert "\n# After 5 steps\noptimizer.learning_rate = 0.5\n" in text and "Number" not in text
    assert printed(text) == hashed(lab)


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(s, marks=pytest.mark.thorough) for s in range(1, 12))]
)
def test_random_runs_are_repeated(playground, printed, seed):
    random = np.random.default_rng(seed)
    lab = playground(small(seed))
    actions = {
        "use": lambda: lab.use(random.choice(list(TECHNIQUES))),
        "optimizer": lambda: lab.use(optimizer=random.choice(list(LISTED))),
        "paint": lambda: lab.paint(random.integers(12), slice(None), bool(random.integers(2))),
        "mask": lambda: setattr(lab, "frozen", random.random((12, 12)) < 0.5),
        "undo": lab.undo,
        "redo": lab.redo,
        "train": lambda: lab.train(random.integers(12)),
        "reset": lab.reset,
        "turn": lambda: lab.use(**drawn_knobs(lab, random)),
    }
    weights = np.array([2, 1, 3, 2, 2, 1, 6, 0.5, 3])
    for name in random.choice(list(actions), 30, p=weights / weights.sum()):
        actions[name]()
    assert printed(lab.script()) == hashed(lab)


# The program stands alone


@pytest.mark.thorough
def test_a_program_needs_nothing_of_the_course(tmp_path):
    """In a process of its own, in an empty folder, where no helpers can be found."""
    lab = Playground("digits", "adam", "gradient_times_mask", device="cpu")
    lab.train(40)
    lab.paint(slice(2, 6), slice(2, 6))
    lab.train(40)
    text, wanted = lab.script(), hashed(lab)
    lab.close()
    assert alone(text, tmp_path) == wanted


@pytest.mark.thorough
def test_a_program_with_the_exact_freeze_needs_that_one_folder(tmp_path):
    lab = Playground(tasks.snowflake(0, 40, 30), "adamw", "exact", device="cpu")
    lab.train(20)
    lab.paint(slice(2, 26), slice(2, 16))
    lab.train(20)
    text, wanted = lab.script(), hashed(lab)
    lab.close()
    shutil.copytree(ROOT / "helpers" / "freezing", tmp_path / "helpers" / "freezing")
    assert alone(text, tmp_path) == wanted


ALLOWED = {
    "base64",
    "hashlib",
    "math",
    "zlib",
    "keras",
    "numpy",
    "tensorflow",
    "sklearn.datasets",
    "sklearn.model_selection",
}


@pytest.mark.parametrize("technique", list(TECHNIQUES))
def test_a_program_imports_little_and_is_tidy(lab, tmp_path, technique):
    begin(lab, technique, "adam")
    for row in range(2):
        lab.use(rate=1 / (3 + row), momentum=1 / (7 + row))
        lab.train(1)
        lab.paint(row, slice(0, 3))
    text = lab.script()
    tree = ast.parse(text)
    imported = {
        name.name for node in tree.body if isinstance(node, ast.Import) for name in node.names
    }
    imported |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported - ({"helpers.freezing"} if technique == "exact" else set()) <= ALLOWED
    assert max(map(len, text.splitlines())) <= 100
    path = tmp_path / "program.py"
    path.write_text(text, encoding="utf-8")
    for check in (["check"], ["format", "--diff"]):
        settings = ["--config", str(ROOT / "pyproject.toml"), "--no-cache"]
        command = [sys.executable, "-m", "ruff", *check, *settings, str(path)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("technique", list(TECHNIQUES))
def test_the_recipe_stands_there_as_in_the_course(playground, technique):
    lab = playground(small(), technique=technique)
    text = lab.script()
    for name in INEXACT[1:]:
        assert (f"\ndef {name}(" in text) == (name == technique)
    assert ("freezable(keras.optimizers.Adam)(0.02)" in text) == (technique == "exact")


def test_a_small_mask_is_drawn(playground):
    lab = playground("digits", page="3")
    lab.paint(1, slice(0, 3))
    text = lab.script()
    assert "mask[:, :, 3] = picture(" in text and "\n........\n###.....\n........\n" in text
    assert "mask[:, :, 2]" not in text


def test_a_recipe_that_is_used_again_stands_there_once(playground, half):
    lab = playground(small())
    for technique in ("restore", "none", "exact", "restore"):
        lab.use(technique)
        lab.train(1)
    text = lab.script()
    assert text.count("def restore(") == text.count("def plain_step(") == 1
    assert text.count("@tf.function") == 2 and "def freeze(" not in text
