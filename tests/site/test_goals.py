"""The site judges goals as the kernel does: the same states, the same verdicts."""

import dataclasses
import json

import numpy as np
import pytest

from helpers import ROOT
from helpers.playground import goals
from helpers.playground.goals import State

GOALS = [
    *goals.FIRST,
    *(goals.leak(cells) for cells in (2, 5)),
    *(goals.hold(row, steps) for row in (None, 0, 3) for steps in (1, 7)),
    *(goals.stay_above(share, part, 5) for share in (0.3, 0.6) for part in (0, 0.25, 0.6, 0.75)),
]
SITE = ROOT / "helpers" / "site" / "trainer" / "goals.mjs"


def drawn(draw):
    """A state in which each goal has a chance."""
    frozen = draw.random((4, 3)) < draw.choice([0.5, 0.9, 1.0])
    leaked = frozen & (draw.random((4, 3)) < draw.choice([0.02, 0.5]))
    step = int(draw.integers(0, 20))
    taken = dict(step=step, examined=int(draw.integers(step // 2, step + 1)))
    since = draw.integers(0, step // draw.integers(1, 5) + 1, (4, 3))
    return State(frozen, leaked, since, accuracy=float(draw.choice([0.2, 0.3, 0.5, 0.9])), **taken)


def as_the_site_has_it(state):
    cells = {name: np.ravel(getattr(state, name)).astype(int).tolist() for name in PLANES}
    numbers = {name: getattr(state, name) for name in ("step", "accuracy", "examined")}
    return {**cells, **numbers, "columns": state.frozen.shape[1]}


PLANES = ("frozen", "leaked", "since")
JUDGE = """
import {{ readFileSync }} from "node:fs";
import {{ CONDITIONS }} from {site};
const {{ goals, states }} = JSON.parse(readFileSync(0, "utf8"));
const judge = (state) => (goal) => CONDITIONS[goal.condition](state, goal.parameters);
console.log(JSON.stringify(states.map((state) => goals.map(judge(state)))));
"""


@pytest.fixture(scope="module")
def states():
    draw = np.random.default_rng(0)
    return [drawn(draw) for _ in range(1000)]


def on_the_site(node, states, site=SITE):
    """The site's verdicts: a list a state, a bool a goal."""
    asked = {"goals": [dataclasses.asdict(goal) for goal in GOALS]}
    asked["states"] = [as_the_site_has_it(state) for state in states]
    script = JUDGE.format(site=json.dumps(site.as_uri()))
    status, said = node("--input-type=module", "--eval", script, input=json.dumps(asked))
    assert status == 0, said
    return json.loads(said)


def test_the_site_and_the_kernel_say_the_same(node, states):
    wanted = [[goal.reached(state) for goal in GOALS] for state in states]
    assert on_the_site(node, states) == wanted
    # Two of the first goals ask for a hundred steps, which no state here has.
    common = np.mean(wanted, axis=0)[[0, *range(3, len(GOALS))]]
    assert (common > 0).all() and (common < 1).all()


@pytest.mark.parametrize(
    ("there", "instead"),
    [
        ("count(leaked, (one) => one) >= cells", "count(leaked, (one) => one) > cells"),
        ("one && !leaked[i] && step", "one && step"),
        ("step - since[i] >= steps)", "step - since[i] > steps)"),
        ("state.examined - state.since", "state.step - state.since"),
        ("state.accuracy > accuracy", "state.accuracy >= accuracy"),
        ("state.frozen.length - 0.5", "state.frozen.length"),
    ],
)
def test_another_condition_would_be_noticed(node, states, tmp_path, there, instead):
    text = SITE.read_text(encoding="utf-8")
    assert there in text
    changed = tmp_path / "goals.mjs"
    changed.write_text(text.replace(there, instead), encoding="utf-8")
    wanted = [[goal.reached(state) for goal in GOALS] for state in states]
    assert on_the_site(node, states, changed) != wanted


def test_the_kernel_and_the_site_know_the_same_conditions():
    text = SITE.read_text(encoding="utf-8")
    assert all(f"  {name}(" in text for name in goals.CONDITIONS)
