"""The site's trainer and TensorFlow: in random runs the same cells leak, and weights agree."""

import functools
import json

import numpy as np
import pytest

from helpers import ROOT
from helpers.device import tf
from helpers.optimizers import ON_SITE
from helpers.techniques import TECHNIQUES
from tests.site.runs import TensorFlow, differences, on_the_site

FEW, ALL, CHUNK = {"digits": 50, "snowflake": 8}, 500, 50
RUN, STEP, RECIPE, TASK = "run.mjs", "optimizers.mjs", "techniques.mjs", "tasks.mjs"
NEWLY = "if (frozen[i] && !this.frozen[i]) this.shadow[i]"
FREEZE = "    this.frozen = Uint8Array.from(frozen);\n"
ADAM = "    shrink(variable, i, shared);\n    m[i]"
FAULTS = {  # a file, what stands there, and what is put in its place
    "batches of another seed": (TASK, "uniform(step, SEED,", "uniform(SEED, step,"),
    "a rate of another task": (RUN, "this.task.rates[this.optimizer]", "0.02"),
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


OF_SNOWFLAKE = {
    "inputs of another seed": (TASK, "normal(step, SEED,", "normal(SEED, step,"),
    "another start": (TASK, "=> one * FIRST", "=> one"),
    "half of the gradient": ("linear.mjs", "sum / count)", "sum / (2 * count))"),
    "another picture": ("linear.mjs", "value - picture[i]", "value - picture[0]"),
    "a sine for a cosine": ("philox.mjs", "f(Math.cos(angle))", "f(Math.sin(angle))"),
}
ACCUMULATING = {
    "a sum for a mean": ("f(sum[i] / batches)", "sum[i]"),
    "a sum that is kept": ("if (due) sum[i] = 0;", ""),
    "a step too early": ("t % batches === 0", "t % batches === 1"),
}
EVERY = [("digits", name) for name in FAULTS] + [("snowflake", name) for name in OF_SNOWFLAKE]
CHUNKS = [
    pytest.param(task, first, CHUNK if first else many, marks=marks)
    for task, many in FEW.items()
    for first, marks in [(0, ()), *((n, pytest.mark.thorough) for n in range(many, ALL, CHUNK))]
]


@pytest.fixture(scope="module")
def tensorflow():
    """A function that returns the one TensorFlow of a task."""
    return functools.cache(TensorFlow)


@pytest.mark.parametrize(("task", "first", "count"), CHUNKS)
def test_the_same_cells_leak_as_in_tensorflow(node, tmp_path, tensorflow, task, first, count):
    numbers = range(first, first + count)
    found = on_the_site(node, task, numbers, tmp_path)
    assert list(differences(tensorflow(task), numbers, found)) == []


@pytest.mark.parametrize("batches", [4, 3])
def test_the_same_cells_leak_where_several_batches_make_a_step(node, tmp_path, tensorflow, batches):
    found = on_the_site(node, "digits", range(30), tmp_path, batches=batches)
    assert list(differences(tensorflow("digits", batches), range(30), found)) == []


@pytest.mark.thorough
@pytest.mark.parametrize("name", ACCUMULATING)
def test_a_fault_of_accumulation_is_found(node, tmp_path, tensorflow, name):
    fault = (STEP, *ACCUMULATING[name])
    found = on_the_site(node, "digits", range(30), tmp_path, fault, batches=4)
    assert list(differences(tensorflow("digits", 4), range(30), found))


@pytest.mark.thorough
@pytest.mark.parametrize(("task", "name"), EVERY)
def test_a_planted_fault_is_found(node, tmp_path, tensorflow, task, name):
    numbers, fault = range(FEW[task]), (FAULTS | OF_SNOWFLAKE)[name]
    found = on_the_site(node, task, numbers, tmp_path, fault)
    assert list(differences(tensorflow(task), numbers, found))


def test_what_the_site_offers_its_trainer_knows(node):
    trainer = (ROOT / "helpers" / "site" / "trainer").as_uri()
    code = f"""import {{ OPTIMIZERS }} from "{trainer}/optimizers.mjs";
    import {{ TECHNIQUES }} from "{trainer}/techniques.mjs";
    console.log(JSON.stringify([OPTIMIZERS, TECHNIQUES].map(Object.keys)));"""
    status, printed = node("--input-type=module", "-e", code)
    assert (status, json.loads(printed)) == (0, [list(ON_SITE), list(TECHNIQUES)])


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


def test_inputs_are_those_of_tensorflow(node):
    module = (ROOT / "helpers" / "site" / "trainer" / "philox.mjs").as_uri()
    drawn = f"{SEEDS}.map(([first, second]) => [...normal(first, second, 1531)])"
    code = f"import {{ normal }} from {module!r}; console.log(JSON.stringify({drawn}))"
    status, printed = node("--input-type=module", "-e", code)
    assert status == 0
    for seeds, numbers in zip(SEEDS, json.loads(printed), strict=True):
        wanted = tf.random.stateless_normal((1531,), tf.constant(seeds, tf.int64)).numpy()
        assert (
            np.abs(wanted - numbers).max() < 1e-6 and (wanted == np.float32(numbers)).mean() > 0.9
        )
