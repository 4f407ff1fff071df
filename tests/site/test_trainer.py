"""The site's trainer and TensorFlow: in random runs the same cells leak, and weights agree."""

import pytest

from helpers.device import tf
from tests.site.runs import TensorFlow, differences, on_the_site

FEW, ALL, CHUNK = 50, 500, 50
FAULTS = {
    "batches of another seed": ("run.mjs", "uniform(this.step, this.seed,", "uniform(this.seed, this.step,"),
    "a memory that is not shortened": ("optimizers.mjs", "f(f(m[i] * shared.alpha)", "f(f(m[i] * shared.rate)"),
    "decay after the step": (
        "optimizers.mjs",
        "    shrink(variable, i, shared);\n    m[i]",
        "    if (!gradient) return;\n    shrink(variable, i, shared);\n    m[i]",
    ),
    "momentum that sees half of the rate": ("optimizers.mjs", "f(past[i] * fading) - f(gradient * rate)", "f(past[i] * fading) - f(gradient * rate * 0.5)"),
    "epsilon under the root": ("optimizers.mjs", "f(f(sqrt(v[i])) + EPSILON)", "f(sqrt(f(v[i] + EPSILON)))"),
    "an exact freeze that forgets slots": ("techniques.mjs", "exact: { keeps: true }", "exact: { after: putBack }"),
    "a copy that is made at every freeze": ("run.mjs", "if (frozen[i] && !this.frozen[i]) this.shadow[i]", "if (frozen[i]) this.shadow[i]"),
    "a copy of the moment before": ("run.mjs", "    this.frozen = Uint8Array.from(frozen);\n", "    this.frozen = Uint8Array.from(frozen);\n    this.shadow = this.kernel.value.slice();\n"),
    "free values that keep frozen slots": ("run.mjs", "if (this.packed[i]) slot[i] = 0;", "if (!this.packed[i]) continue;"),
    "a bias that is frozen, too": ("run.mjs", "step(this.bias, found.bias);", "step(this.bias, found.bias, this.frozen);"),
    "leaks by numbers and not by bits": ("run.mjs", "new Uint32Array(values.slice().buffer)", "values.map(Math.fround).map((v) => Number(v.toPrecision(4)))"),
}  # fmt: skip


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


SEEDS = [(0, 0), (1, 0), (2**31 - 1, 5), (2**31, 5), (2**32 + 7, 3), (12345, 2**33)]


def test_batches_are_tensorflow_s_own(node):
    from helpers import ROOT

    module = (ROOT / "helpers" / "site" / "trainer" / "philox.mjs").as_uri()
    code = f"import {{ uniform }} from {module!r};\n"
    code += f"console.log(JSON.stringify({[list(s) for s in SEEDS]}.map(([a, b]) => [...uniform(a, b, 9, 1347)])))"
    status, printed = node("--input-type=module", "-e", code)
    wanted = [tf.random.stateless_uniform((9,), tf.constant(s, tf.int64), 0, 1347, tf.int32) for s in SEEDS]
    assert status == 0 and printed.strip() == str([w.numpy().tolist() for w in wanted]).replace(" ", "")
