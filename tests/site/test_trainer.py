"""The site's trainer and TensorFlow: in random runs the same cells leak, and weights agree."""

import json

import pytest

from helpers import ROOT
from helpers.device import tf
from tests.site.runs import TensorFlow, differences, on_the_site

FEW, ALL, CHUNK = 50, 500, 50
RUN, STEP, RECIPE = "run.mjs", "optimizers.mjs", "techniques.mjs"
NEWLY = "if (frozen[i] && !this.frozen[i]) this.shadow[i]"
FREEZE = "    this.frozen = Uint8Array.from(frozen);\n"
ADAM = "    shrink(variable, i, shared);\n    m[i]"
FAULTS = {  # a file, what stands there, and what is put in its place
    "batches of another seed": (RUN, "this.step, this.seed,", "this.seed, this.step,"),
    "a memory that is not corrected": (STEP, "f(m[i] * shared.alpha)", "f(m[i] * shared.rate)"),
    "no decay without a gradient": (STEP, ADAM, "    if (!gradient) return;\n" + ADAM),
    "knobs as usual": (RUN, "this.knobs[name] = number;", ""),
    "a decay that is not turned": (STEP, "f(knobs.decay ?? 0)", "f(knobs.decay ? 0.01 : 0)"),
    "β₁ of the powers alone": (STEP, "f(1 - knobs.momentum), new2", "f(1 - 0.9), new2"),
    "half of the rate": (
        STEP,
        "fading) - f(gradient * rate)",
        "fading) - f(gradient * rate * 0.5)",
    ),
    "epsilon in the root": (STEP, "f(f(sqrt(v[i])) + EPSILON)", "f(sqrt(f(v[i] + EPSILON)))"),
    "exact, but for slots": (RECIPE, "exact: { keeps: true }", "exact: { after: putBack }"),
    "a copy at every freeze": (RUN, NEWLY, "if (frozen[i]) this.shadow[i]"),
    "a copy of now": (RUN, FREEZE, FREEZE + "    this.shadow = this.kernel.value.slice();\n"),
    "slots of frozen cells kept": (RUN, "if (this.packed[i]) slot[i] = 0;", "slot[i] += 0;"),
    "a bias that freezes, too": (
        RUN,
        "(this.bias, found.bias)",
        "(this.bias, found.bias, this.frozen)",
    ),
    "leaks by four digits": (
        RUN,
        "new Uint32Array(each.slice().buffer)",
        "each.map((value) => Number(value.toPrecision(4)))",
    ),
}


@pytest.fixture(scope="module")
def tensorflow():
    return TensorFlow()


@pytest.mark.parametrize(
    "first",
    [
        pytest.param(first, marks=pytest.mark.thorough if first >= FEW else ())
        for first in range(0, ALL, CHUNK)
    ],
)
def test_the_same_cells_leak_as_in_tensorflow(node, tmp_path, tensorflow, first):
    numbers = range(first, first + CHUNK)
    found = on_the_site(node, numbers, tmp_path)
    assert list(differences(tensorflow, numbers, found)) == []


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found(node, tmp_path, tensorflow, name):
    numbers = range(FEW)
    found = on_the_site(node, numbers, tmp_path, FAULTS[name])
    assert list(differences(tensorflow, numbers, found))


SEEDS = [[0, 0], [1, 0], [2**31 - 1, 5], [2**31, 5], [2**32 + 7, 3], [12345, 2**33]]


def test_batches_are_those_of_tensorflow(node):
    module = (ROOT / "helpers" / "site" / "trainer" / "philox.mjs").as_uri()
    drawn = f"{SEEDS}.map(([first, second]) => [...uniform(first, second, 9, 1347)])"
    code = f"import {{ uniform }} from {module!r}; console.log(JSON.stringify({drawn}))"
    status, printed = node("--input-type=module", "-e", code)
    assert status == 0
    for seeds, numbers in zip(SEEDS, json.loads(printed), strict=True):
        pair = tf.constant(seeds, tf.int64)
        wanted = tf.random.stateless_uniform((9,), pair, 0, 1347, tf.int32)
        assert numbers == wanted.numpy().tolist()
