"""The start page: what stands on it, and what its trainer is given."""

import base64
import dataclasses
import itertools
import json
import re
from pathlib import Path

import numpy as np

from helpers import ROOT, datasets
from helpers.optimizers import freezable_optimizer
from helpers.pictures import pixels, plots
from helpers.playground import goals, tasks
from helpers.playground.knobs import Knobs
from helpers.playground.settings import FEW, REST_AFTER, RESTS, SPEEDS
from helpers.site.highlighting import highlight
from helpers.site.live import OPTIMIZERS
from helpers.stations import Conditions, describe_step
from helpers.techniques import TECHNIQUES

PAGE = Path(__file__).parent / "page" / "index.html"
FOCUSED = '<pre tabindex="0" role="region" aria-label="Code to take home">'  # if it scrolls
CONTROLS = (*FEW, "pin", "tour")
TEXTS = {
    "disconnected": "The trainer of this page has stopped. Load the page again.",
    "silent": "The trainer of this page does not answer. What you painted is kept until it does.",
}


def write(folder, course):
    """Write the page into the site's folder, its picture, and what a live grid begins with: on
    this page and on those of the course, a list of `course_pages.Page`."""
    task = tasks.digits(0)
    (folder / "index.html").write_text(_page(course), encoding="utf-8")
    (folder / "start.json").write_text(json.dumps(_start(task), ensure_ascii=False), "utf-8")
    train, test = datasets.digits_split()
    (folder / "train.bin").write_bytes(_bytes(*train))
    (folder / "test.bin").write_bytes(_bytes(*test))
    kernel = task.grid(task.variable.numpy(), "3")
    (folder / "grid.png").write_bytes(pixels.bare(kernel))


def _page(course):
    """Return the page, with the code of README in it and the list of the course's pages."""
    (code,) = re.findall(r"```python\n(.+?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    listed = [f'<li><a href="course/{page.name}.html">{page.title}</a></li>' for page in course]
    page = PAGE.read_text(encoding="utf-8")
    page = page.replace("<!-- the code of README -->", highlight(code).replace("<pre>", FOCUSED))
    return page.replace("<!-- the pages of the course -->", "\n".join(listed))


def _bytes(images, labels):
    """Return the digits as bytes: 64 of ink from 0 to 16 for each picture, then all labels."""
    return np.rint(images * 16).astype(np.uint8).tobytes() + labels.astype(np.uint8).tobytes()


def _start(task):
    """Return what the worker is given: values to begin with, stations, and the model's traits."""
    kernel, bias = (_base64(v.numpy()) for v in task.model.trainable_variables)
    stations = {
        called: {
            name: [dataclasses.asdict(one) for one in describe_step(technique, conditions)]
            for name, technique in TECHNIQUES.items()
        }
        for called, conditions in _conditions()
    }
    choices = {
        "technique": [[name, technique.label] for name, technique in TECHNIQUES.items()],
        "optimizer": [[name, name] for name in OPTIMIZERS],
        "page": [[page, page] for page in task.pages],
        "speed": SPEEDS,
    }
    colours = list(plots.COLOURS.tobytes())
    traits = dict(shape=[8, 8], colours=colours, choices=choices, controls=CONTROLS, texts=TEXTS)
    traits["names"] = task.names.on_screen((8, 8))
    judged = [dataclasses.asdict(goal) for goal in goals.FIRST]
    words = [task.names.row, task.names.column]
    rest = {"after": REST_AFTER, "text": RESTS}
    start = dict(kernel=kernel, bias=bias, goals=judged, words=words)
    return dict(start, stations=stations, rest=rest, traits=traits)


def _conditions():
    """Yield the Conditions of each optimizer under its name, behind which stand the knobs at 0."""
    for optimizer in OPTIMIZERS:
        has = Knobs(freezable_optimizer(optimizer)).usual
        ends = [["", f" {name}"] if name in has else [""] for name in ("momentum", "decay")]
        for still, at0 in itertools.product(*ends):
            conditions = Conditions(optimizer, warm=not still, decay=False if at0 else None)
            yield f"{optimizer}{still}{at0}", conditions


def _base64(array):
    return base64.b64encode(array.astype(np.float32).tobytes()).decode()
