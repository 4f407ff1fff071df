"""Random runs of a playground on a task, as the site trains them and as TensorFlow does."""

import json
import random
import shutil

import numpy as np

from helpers import ROOT, bits
from helpers.device import keras
from helpers.freezing import freezable
from helpers.optimizers import freezable_optimizer
from helpers.playground import tasks
from helpers.playground.loop import Loop
from helpers.site import given
from helpers.techniques import TECHNIQUES

TASKS = ("digits", "snowflake")
USUAL = {  # the knobs of each optimizer on the digits
    "sgd": {"rate": 0.3},
    "momentum": {"rate": 0.05, "momentum": 0.9},
    "adam": {"rate": 0.01, "momentum": 0.9},
    "adamw": {"rate": 0.01, "momentum": 0.9, "decay": 0.01},
    "rmsprop": {"rate": 0.001},
}
OPTIMIZERS = tuple(USUAL)
CELLS = {"digits": 640, "snowflake": 2304}
RATES = {  # the usual ones of a task
    "digits": {name: knobs["rate"] for name, knobs in USUAL.items()},
    "snowflake": {"sgd": 0.12, "momentum": 0.012, "adam": 0.02, "adamw": 0.02, "rmsprop": 0.001},
}
# Takes runs as JSON, and prints what has come of each.
TAKE = """
import { readFileSync } from "node:fs";
import { Run } from "./trainer/run.mjs";
import { made } from "./trainer/tasks.mjs";
const { task, runs } = JSON.parse(readFileSync(0, "utf-8"));
const read = (name) => Uint8Array.from(readFileSync(name)).buffer;
const trained = await made(task, JSON.parse(readFileSync("start.json", "utf-8")).tasks[task], read);
console.log(JSON.stringify(runs.map(({ optimizer, batches, technique, parts }) => {
  const run = new Run(trained);
  run.useOptimizer(optimizer);
  run.accumulate(batches);
  run.technique = technique;
  return parts.map(({ frozen, steps, knobs }) => {
    run.freeze(frozen);
    for (const [name, number] of Object.entries(knobs)) run.turn(name, number);
    for (let i = 0; i < steps; i++) run.take();
    return { leaks: [...run.leaks], values: [...run.seen] };
  });
})));
"""


def drawn_knobs(draw, optimizer, rate):
    """Draw numbers for some of an optimizer's knobs, or for none; `rate` is its usual one."""
    numbers = {
        "rate": rate * 10 ** draw.uniform(-1, 0.3),
        "momentum": draw.choice([0, 0.3, 0.8, draw.random(), 0.97]),
        "decay": draw.choice([0, 0.003, 0.1, draw.random()]),
    }
    turned = [name for name in USUAL[optimizer] if draw.random() < 0.4]
    return {name: float(numbers[name]) for name in turned}


def draw(task, number, batches=1):
    """Draw the run of this number: the steps before a freeze, those under it, and after a thaw; in
    each part, some knobs are turned. Where several batches make a step, it is plain descent."""
    draw, cells, count = random.Random(number), np.random.default_rng(number), CELLS[task]
    frozen = cells.random(count) < draw.choice([0.05, 0.3, 0.6])
    thawed = frozen & (cells.random(count) < 0.5)
    masks = [np.zeros(count, bool), frozen, thawed]
    steps = [draw.choice([0, 60]), draw.choice([5, 50, 500]), draw.choice([1, 20])]
    if batches > 1:  # so that it is frozen in the middle of a round, too
        steps[0] += draw.randrange(batches)
    parts = [{"frozen": m.astype(int).tolist(), "steps": n} for m, n in zip(masks, steps)]
    run = {
        "optimizer": draw.choice(OPTIMIZERS if batches == 1 else ["sgd"]),
        "batches": batches,
        "technique": draw.choice(list(TECHNIQUES)),
        "parts": parts,
    }
    for part in parts:
        part["knobs"] = drawn_knobs(draw, run["optimizer"], RATES[task][run["optimizer"]])
    return run


class TensorFlow:
    """One loop for all runs of a task, taken back to the start for each; what it found is kept."""

    def __init__(self, name, batches=1):
        self.name, self.batches = name, batches
        self.task, self._found = tasks.make(name, 0), {}
        if batches > 1:
            rate, steps = RATES[name]["sgd"], dict(gradient_accumulation_steps=batches)
            self.loop = Loop(
                self.task, {"sgd": freezable(keras.optimizers.SGD)(rate, **steps)}, "cpu"
            )
            return
        made = {name: freezable_optimizer(name, self.task.rates.get(name)) for name in OPTIMIZERS}
        self.loop = Loop(self.task, made, "cpu")
        usual = {
            optimizer: USUAL[optimizer] | {"rate": RATES[name][optimizer]}
            for optimizer in OPTIMIZERS
        }
        assert {name: self.loop.knobs_of(name).usual for name in OPTIMIZERS} == usual

    def run(self, number):
        """Return what comes of a run: (leaks, values) after each part, arrays of all cells."""
        if number not in self._found:
            self._found[number] = list(self._parts(draw(self.name, number, self.batches)))
        return self._found[number]

    def _parts(self, plan):
        loop, shape = self.loop, self.task.variable.shape
        loop.freeze(np.zeros(shape, bool))
        loop.use_optimizer(plan["optimizer"])
        loop.use_technique(plan["technique"])
        loop.reset()
        watch = bits.Watch(loop.values)
        for part in plan["parts"]:
            frozen = np.array(part["frozen"], bool).reshape(shape)
            watch.freeze(frozen, loop.values)
            loop.freeze(frozen)
            loop.turn(**part["knobs"])
            loop.run(part["steps"])
            yield watch.leaks(loop.values).ravel(), loop.values.ravel()


def on_the_site(node, task, numbers, folder, fault=None, batches=1):
    """Return the same of the site's trainer; with a `fault`, (file, text, other text), of one into
    which that has been planted."""
    trainer = shutil.copytree(ROOT / "helpers" / "site" / "trainer", folder / "trainer")
    if fault:
        name, text, other = fault
        source = (trainer / name).read_text(encoding="utf-8")
        assert source.count(text) == 1, fault
        (trainer / name).write_text(source.replace(text, other), encoding="utf-8")
    (folder / "take.mjs").write_text(TAKE, encoding="utf-8")
    given.write(folder)
    runs = {"task": task, "runs": [draw(task, number, batches) for number in numbers]}
    status, printed = node(folder / "take.mjs", input=json.dumps(runs), cwd=folder)
    assert status == 0, printed
    return [
        [(np.array(part["leaks"], bool), np.array(part["values"], np.float32)) for part in run]
        for run in json.loads(printed)
    ]


def nearness(plan, part):
    """How near a weight must be. Adam divides the first gradient of a cell by its own size: of one
    whose memory is empty, the last bits of a gradient near 0 count."""
    thawed = part == 2 and plan["technique"] == "free_values"
    return 1e-4 if thawed and plan["optimizer"].startswith("adam") else 1e-5


def differences(tensorflow, numbers, found):
    """What is not as in TensorFlow: other cells leak, or a weight is too far away."""
    for number, parts in zip(numbers, found, strict=True):
        for part, (ours, theirs) in enumerate(zip(parts, tensorflow.run(number), strict=True)):
            plan = draw(tensorflow.name, number, tensorflow.batches)
            called = f"{number}.{part}, {plan['optimizer']}, {plan['technique']}"
            leaks, far = (ours[0] != theirs[0]).sum(), np.abs(ours[1] - theirs[1]).max()
            if leaks or not far < nearness(plan, part):
                yield f"{called}: {leaks} cells leak otherwise, {far:.0e} apart"
