"""How the whole suite is run: what only `--all` runs and what only `--every-case`, in which order,
and what stays together."""

import os
from collections import Counter

import pytest
from xdist.scheduler import LoadFileScheduling

from helpers import ROOT

# Each of their tests runs a notebook or a program of its own, and shares nothing with the others.
PAGES = "tests/notebooks/test_second_run.py", "tests/notebooks/test_player.py"
PROGRAMS = "tests/notebooks/test_take_home.py", "tests/guide/test_programs.py"
ALONE = (*PAGES, *PROGRAMS)
# Without --all the whole suite leaves these out: the pages beyond the road, some of which train on
# real data from five seeds, and what only they use; benches; and tests each of which starts
# TensorFlow, JupyterLab or a browser for itself. So it does with tests in a browser that are not
# marked `everyday`.
FIRST_LONG = "07"
NOTEBOOKS = sorted(path.name for path in (ROOT / "notebooks").glob("[0-9]*.ipynb"))
LONG = (
    *(f"notebooks/{name}" for name in NOTEBOOKS if name >= FIRST_LONG),
    *("tests/bench", "tests/capstone", "tests/studies", "tests/test_pretrained.py"),
    *(f"tests/notebooks/test_{name}.py" for name in ("alone", "without_the_table")),
    *(f"tests/playground/test_{name}.py" for name in ("hard_use", "notebook7")),
    *(f"tests/site/test_{name}.py" for name in ("prepared", "random_player")),
    "tests/tools/test_interrupts.py",
)
# Of a test here whose many cases train models, or open pages of the site, the whole suite tries one
# case in so many, unless --every-case is asked for.
ONE_IN = 12
SAMPLED = (
    "tests/capstone",
    "tests/exercises",
    "tests/freezing",
    "tests/leaks/test_replay.py",
    "tests/leaks/test_verdicts.py",
    "tests/pictures/test_leak_matrix.py",
    *(
        f"tests/playground/test_{name}.py"
        for name in (
            *("example", "knobs", "loop", "microscope", "playground", "refusals", "script"),
            *("share", "tasks", "training"),
        )
    ),
    *PAGES,
    "tests/site/test_course_in_a_browser.py",
    "tests/site/test_trainer.py",
    *PROGRAMS,
    *(f"tests/test_{name}.py" for name in ("cases", "free_values", "stations")),
)
# About how many seconds a file takes with --all, by the beginning of its name; the first that fits
# counts. Two processes end together if what takes longest begins first.
SECONDS = {
    "tests/freezing/test_everyday": 700,
    "tests/freezing/test_habits.py": 600,
    "tests/playground/test_soak.py": 200,
    "tests/site/test_course_in_a_browser.py": 80,
    "tests/bench": 230,
    "tests/freezing": 200,
    "tests/playground/test_browser.py": 170,
    "tests/playground/test_hard_use.py": 160,
    "tests/test_free_values.py": 150,
    "tests/playground/test_script.py": 140,
    "tests/test_stations.py": 120,
    **dict.fromkeys(PAGES, 100),
    **dict.fromkeys(LONG, 90),
    "tests/capstone": 70,
    "tests/board": 60,
    "tests/leaks": 50,
    "tests/playground": 50,
    "tests/studies": 30,
    **dict.fromkeys(PROGRAMS, 10),
    "notebooks": 25,
    "": 5,
}

# Seconds after which a test fails, where pyproject.toml's default is too little: random cases and
# random operations go on for minutes in one test, and longer with --all; and so does a whole page
# on a slow machine.
TIMEOUTS = {
    "tests/freezing": 1800,
    "tests/playground/test_browser.py": 3600,
    **dict.fromkeys(PAGES, 900),
}


def pytest_addoption(parser):
    """What can be added to `python3 -m helpers test`."""
    about = "also what takes long: more random cases, more work in the browser, second runs"
    parser.addoption("--all", action="store_true", help=about)
    about = "with --all: every case of each test, instead of one in twelve where they train models"
    parser.addoption("--every-case", action="store_true", help=about)
    about = "how many random cases of the exact freeze (default: 150, 400 with --all, or 1000)"
    parser.addoption("--freezing-cases", type=int, metavar="N", help=about)
    about = "let tests/playground/test_picture.py take README's picture anew"
    parser.addoption("--take-picture", action="store_true", help=about)


def pytest_configure(config):
    """Hand the size of the run to the tests that have one."""
    everything = config.option.all
    if config.option.freezing_cases is None:
        all_cases = 1000 if config.option.every_case else 400
        config.option.freezing_cases = all_cases if everything else 150
    os.environ.setdefault("BROWSER_OPERATIONS", "250" if everything else "30")
    if hasattr(config, "workerinput"):
        # TensorFlow's threads wait for work by looking out for it all the time, on cores that the
        # other processes need. Kernels and browsers inherit this.
        os.environ.setdefault("TF_NUM_INTRAOP_THREADS", "1")


def pytest_collection_modifyitems(config, items):
    """Skip what only `--all` runs; give time; in several processes put the longest files first."""
    for item in items:
        limits = [TIMEOUTS[start] for start in TIMEOUTS if item.nodeid.startswith(start)]
        if limits and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(limits[0]))
    whole, everything = hasattr(config, "workerinput"), config.option.all
    kept = items
    if not everything:
        kept = [item for item in items if not item.get_closest_marker("thorough")]
    if whole and not everything:
        kept = [item for item in kept if _is_everyday(item)]
    if whole and not config.option.every_case:
        kept = one_in_some(kept)
    asked = "--every-case" if everything else "--all"
    for item in set(items) - set(kept):
        item.add_marker(pytest.mark.skip(reason=f"only with {asked}"))
    if whole:
        items.sort(key=lambda item: seconds(item.nodeid), reverse=True)


def _is_everyday(item):
    browser, everyday = map(item.get_closest_marker, ("browser", "everyday"))
    return not item.nodeid.startswith(LONG) and bool(everyday or not browser)


def one_in_some(items):
    """Return these tests, but of one with many cases in a file of SAMPLED the first, and after it
    one in ONE_IN."""
    seen, kept = Counter(), []
    for item in items:
        test, case, _ = item.nodeid.partition("[")
        if not (case and test.startswith(SAMPLED) and seen[test] % ONE_IN):
            kept.append(item)
        seen[test] += 1
    return kept


def seconds(nodeid):
    """About how many seconds what a test's name begins with takes."""
    return next(SECONDS[start] for start in SECONDS if nodeid.startswith(start))


def pytest_xdist_make_scheduler(config, log):
    """Decide which tests must follow each other in one process."""
    return Together(config, log)


class Together(LoadFileScheduling):
    """A file stays together, for its fixtures or its kernel, but for those in `ALONE`."""

    def _split_scope(self, nodeid):
        return nodeid if nodeid.startswith(ALONE) else super()._split_scope(nodeid)
