"""What the trainer of a live grid is given: files from which it begins, for every task."""

import base64
import dataclasses
import itertools
import json

import numpy as np

from helpers import datasets
from helpers.optimizers import ON_SITE, freezable_optimizer
from helpers.pictures import plots
from helpers.playground import goals, tasks
from helpers.playground.knobs import Knobs
from helpers.playground.settings import FEW, PAUSES, REST_AFTER, RESTS, SPEEDS
from helpers.stations import Conditions, describe_step
from helpers.techniques import TECHNIQUES

PAGES = {"digits": "3", "snowflake": "all"}  # a task -> the page that stands on its grid at first
CONTROLS = (*FEW, "pin", "tour")
TEXTS = {
    "disconnected": "The trainer of this page has stopped. Load the page again.",
    "silent": "The trainer of this page does not answer. What you painted is kept until it does.",
}


def write(folder):
    """Write the files into the site's folder."""
    (folder / "start.json").write_text(json.dumps(_start(), ensure_ascii=False), "utf-8")
    train, test = datasets.digits_split()
    (folder / "train.bin").write_bytes(_bytes(*train))
    (folder / "test.bin").write_bytes(_bytes(*test))
    picture = datasets.snowflake(*told(tasks.snowflake(0))["shape"])
    (folder / "snowflake.bin").write_bytes(picture.tobytes())


def told(task):
    """Return what the page is told of one of the course's tasks, see `trainer/tasks.mjs`."""
    name, arguments = task.made_by
    shape = task.grid(task.variable.numpy(), PAGES[name]).shape
    judged = [goal for goal in goals.FIRST if task.held_out or "accuracy" not in goal.parameters]
    return {
        "shape": shape,
        "pages": list(task.pages),
        "page": PAGES[name],
        "words": [task.names.row, task.names.column],
        "names": task.names.on_screen(shape),
        "rates": {optimizer: _rate(optimizer, task) for optimizer in ON_SITE},
        "goals": [dataclasses.asdict(goal) for goal in judged],
        "line": "-".join(map(str, (name, *arguments))),
    }


def _rate(optimizer, task):
    return Knobs(freezable_optimizer(optimizer, task.rates.get(optimizer))).usual["rate"]


def _start():
    """Return the tasks, the stations of all conditions, and the model's traits."""
    digits, snowflake = tasks.digits(0), tasks.snowflake(0)
    kernel, bias = (_base64(v.numpy()) for v in digits.model.trainable_variables)
    both = {"digits": told(digits) | dict(kernel=kernel, bias=bias), "snowflake": told(snowflake)}
    stations = {
        called: {
            name: [dataclasses.asdict(one) for one in describe_step(technique, conditions)]
            for name, technique in TECHNIQUES.items()
        }
        for called, conditions in _conditions()
    }
    choices = {
        "technique": [[name, technique.label] for name, technique in TECHNIQUES.items()],
        "optimizer": [[name, name] for name in ON_SITE],
        "speed": SPEEDS,
    }
    colours = list(plots.COLOURS.tobytes())
    traits = dict(colours=colours, choices=choices, controls=CONTROLS, texts=TEXTS)
    rest = {"after": REST_AFTER, "text": RESTS}
    sentences = dict(rest=rest, pause=PAUSES)
    return dict(tasks=both, stations=stations, traits=traits, **sentences)


def _conditions():
    """Yield the Conditions of each optimizer under its name, behind which stand the knobs at 0."""
    for optimizer in ON_SITE:
        has = Knobs(freezable_optimizer(optimizer)).usual
        ends = [["", f" {name}"] if name in has else [""] for name in ("momentum", "decay")]
        for still, at0 in itertools.product(*ends):
            conditions = Conditions(optimizer, warm=not still, decay=False if at0 else None)
            yield f"{optimizer}{still}{at0}", conditions


def _bytes(images, labels):
    """Return the digits as bytes: 64 of ink from 0 to 16 for each picture, then all labels."""
    return np.rint(images * 16).astype(np.uint8).tobytes() + labels.astype(np.uint8).tobytes()


def _base64(array):
    return base64.b64encode(array.astype(np.float32).tobytes()).decode()
