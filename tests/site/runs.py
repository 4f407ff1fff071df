"""Random runs of a playground on the digits, as the site trains them and as TensorFlow does."""

import json
import random
import shutil

import numpy as np

from helpers import ROOT, bits, datasets
from helpers.optimizers import freezable_optimizer
from helpers.playground import tasks
from helpers.playground.loop import Loop
from helpers.techniques import TECHNIQUES

USUAL = {  # the knobs of each optimizer on the digits
    "sgd": {"rate": 0.3},
    "momentum": {"rate": 0.05, "momentum": 0.9},
    "adam": {"rate": 0.01, "momentum": 0.9},
    "adamw": {"rate": 0.01, "momentum": 0.9, "decay": 0.01},
    "rmsprop": {"rate": 0.001},
}
OPTIMIZERS = tuple(USUAL)
SHAPE = 64, 10
# Turns another file into one that takes runs as JSON and prints what has come of each.
TAKE = """
import { readFileSync } from "node:fs";
import { Run } from "RUN";
const { images, labels, kernel, bias, runs } = JSON.parse(readFileSync(0, "utf-8"));
const data = { images: Float32Array.from(images), labels: Uint8Array.from(labels) };
const start = { kernel: Float32Array.from(kernel), bias: Float32Array.from(bias) };
console.log(JSON.stringify(runs.map(({ optimizer, technique, parts }) => {
  const run = new Run(data, start);
  run.useOptimizer(optimizer);
  run.technique = technique;
  return parts.map(({ frozen, steps, knobs }) => {
    run.freeze(frozen);
    for (const [name, number] of Object.entries(knobs)) run.turn(name, number);
    for (let i = 0; i < steps; i++) run.take();
    return { leaks: [...run.leaks], values: [...run.seen] };
  });
})));
"""


def drawn_knobs(draw, optimizer):
    """Draw numbers for some of an optimizer's knobs, or for none."""
    numbers = {
        "rate": USUAL[optimizer]["rate"] * 10 ** draw.uniform(-1, 0.3),
        "momentum": draw.choice([0, 0.3, 0.8, draw.random(), 0.97]),
        "decay": draw.choice([0, 0.003, 0.1, draw.random()]),
    }
    turned = [name for name in USUAL[optimizer] if draw.random() < 0.4]
    return {name: float(numbers[name]) for name in turned}


def draw(number):
    """Draw the run of this number: the steps before a freeze, those under it, and after a thaw; in
    each part, some knobs are turned."""
    draw, cells = random.Random(number), np.random.default_rng(number)
    frozen = cells.random(640) < draw.choice([0.05, 0.3, 0.6])
    thawed = frozen & (cells.random(640) < 0.5)
    masks = [np.zeros(640, bool), frozen, thawed]
    steps = [draw.choice([0, 60]), draw.choice([5, 50, 500]), draw.choice([1, 20])]
    parts = [{"frozen": m.astype(int).tolist(), "steps": n} for m, n in zip(masks, steps)]
    run = {
        "optimizer": draw.choice(OPTIMIZERS),
        "technique": draw.choice(list(TECHNIQUES)),
        "parts": parts,
    }
    for part in parts:
        part["knobs"] = drawn_knobs(draw, run["optimizer"])
    return run


class TensorFlow:
    """One loop for all runs, taken back to the start for each; what it found is kept."""

    def __init__(self):
        self.task, self._found = tasks.digits(0), {}
        made = {name: freezable_optimizer(name, self.task.rates.get(name)) for name in OPTIMIZERS}
        self.loop = Loop(self.task, made, "cpu")
        assert {name: self.loop.knobs_of(name).usual for name in OPTIMIZERS} == USUAL

    def run(self, number):
        """Return what comes of a run: (leaks, values) after each part, arrays (640,)."""
        if number not in self._found:
            self._found[number] = list(self._parts(draw(number)))
        return self._found[number]

    def _parts(self, plan):
        loop = self.loop
        loop.freeze(np.zeros(SHAPE, bool))
        loop.use_optimizer(plan["optimizer"])
        loop.use_technique(plan["technique"])
        loop.reset()
        watch = bits.Watch(loop.values)
        for part in plan["parts"]:
            frozen = np.array(part["frozen"], bool).reshape(SHAPE)
            watch.freeze(frozen, loop.values)
            loop.freeze(frozen)
            loop.turn(**part["knobs"])
            loop.run(part["steps"])
            yield watch.leaks(loop.values).ravel(), loop.values.ravel()


def on_the_site(node, numbers, folder, fault=None):
    """Return the same of the site's trainer; with a `fault`, (file, text, other text), of one into
    which that has been planted."""
    trainer = shutil.copytree(ROOT / "helpers" / "site" / "trainer", folder / "trainer")
    if fault:
        name, text, other = fault
        source = (trainer / name).read_text(encoding="utf-8")
        assert source.count(text) == 1, fault
        (trainer / name).write_text(source.replace(text, other), encoding="utf-8")
    (folder / "take.mjs").write_text(TAKE.replace("RUN", "./trainer/run.mjs"), encoding="utf-8")
    (images, labels), _ = datasets.digits_split()
    kernel, bias = (v.numpy().ravel().tolist() for v in tasks.digits(0).model.trainable_variables)
    given = {"images": images.ravel().tolist(), "labels": labels.tolist(), "kernel": kernel}
    given |= {"bias": bias, "runs": [draw(number) for number in numbers]}
    status, printed = node(folder / "take.mjs", input=json.dumps(given))
    assert status == 0, printed
    return [
        [(np.array(part["leaks"], bool), np.array(part["values"], np.float32)) for part in run]
        for run in json.loads(printed)
    ]


def differences(tensorflow, numbers, found):
    """What is not as in TensorFlow: other cells leak, or a weight is 1e-5 away or more."""
    for number, parts in zip(numbers, found, strict=True):
        for part, (ours, theirs) in enumerate(zip(parts, tensorflow.run(number), strict=True)):
            plan = f"{number}.{part}, {draw(number)['optimizer']}, {draw(number)['technique']}"
            leaks, far = (ours[0] != theirs[0]).sum(), np.abs(ours[1] - theirs[1]).max()
            if leaks or not far < 1e-5:
                yield f"{plan}: {leaks} cells leak otherwise, {far:.0e} apart"
