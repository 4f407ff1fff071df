"""python3 -m helpers site [FOLDER]: writes the static site, which any web server can serve."""

import base64
import dataclasses
import html
import json
import re
import shutil
import sys
from pathlib import Path

import numpy as np

from helpers import ROOT, datasets
from helpers.optimizers import LISTED
from helpers.pictures import pixels, plots
from helpers.playground import goals, tasks
from helpers.playground.painter import Painter
from helpers.playground.settings import FEW, SPEEDS
from helpers.stations import Conditions, describe_step
from helpers.techniques import TECHNIQUES
from helpers.widget import bundle

HERE = Path(__file__).parent
OPTIMIZERS = (*LISTED, "rmsprop")
CONTROLS = (*FEW, "pin", "tour")
TEXTS = {
    "disconnected": "The trainer of this page has stopped. Load the page again.",
    "silent": "The trainer of this page does not answer. What you painted is kept until it does.",
}


def build(folder):
    """Write the site into a folder, which is made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in ("page", "trainer"):
        only = shutil.ignore_patterns("*.html", "*.css")
        shutil.copytree(HERE / part, folder / part, dirs_exist_ok=True, ignore=only)
    task = tasks.digits(0)
    texts = {
        "index.html": _page(),
        "page/painter.mjs": Painter.javascript,
        "site.css": bundle.styled(
            HERE.parent / "playground/painter/painter.css", HERE / "page" / "page.css"
        ),
        "start.json": json.dumps(_start(task), ensure_ascii=False),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    train, test = datasets.digits_split()
    (folder / "train.bin").write_bytes(_bytes(*train))
    (folder / "test.bin").write_bytes(_bytes(*test))
    kernel = task.grid(task.variable.numpy(), "3")
    still = pixels.still(kernel, np.zeros((8, 8), bool), "weights, before training")
    (folder / "grid.png").write_bytes(still)


def _page():
    """Return the start page, with the code of README in it."""
    (code,) = re.findall(r"```python\n(.+?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    page = (HERE / "page" / "index.html").read_text(encoding="utf-8")
    return page.replace("<!-- the code of README -->", html.escape(code, quote=False))


def _bytes(images, labels):
    """Return the digits as bytes: 64 of ink from 0 to 16 for each picture, then all labels."""
    return np.rint(images * 16).astype(np.uint8).tobytes() + labels.astype(np.uint8).tobytes()


def _start(task):
    """Return what the worker is given: values to begin with, stations, and the model's traits."""
    kernel, bias = (_base64(v.numpy()) for v in task.model.trainable_variables)
    stations = {
        optimizer: {
            name: [
                dataclasses.asdict(one) for one in describe_step(technique, Conditions(optimizer))
            ]
            for name, technique in TECHNIQUES.items()
        }
        for optimizer in OPTIMIZERS
    }
    choices = {
        "technique": [[name, technique.label] for name, technique in TECHNIQUES.items()],
        "optimizer": [[name, name] for name in OPTIMIZERS],
        "page": [[page, page] for page in task.pages],
        "speed": SPEEDS,
    }
    colours = list(plots.COLOURS.tobytes())
    traits = dict(shape=[8, 8], colours=colours, choices=choices, controls=CONTROLS, texts=TEXTS)
    traits["goals"] = [goal.text for goal in goals.FIRST]
    traits["names"] = task.names.on_screen((8, 8))
    judged = [dataclasses.asdict(goal) for goal in goals.FIRST]
    return {
        "kernel": kernel,
        "bias": bias,
        "goals": judged,
        "words": [task.names.row, task.names.column],
        "stations": stations,
        "traits": traits,
    }


def _base64(array):
    return base64.b64encode(array.astype(np.float32).tobytes()).decode()


def main(arguments):
    """Build the site where the command line says, or in build/site."""
    if len(arguments) > 1:
        sys.exit(f"{' '.join(arguments)} arrived; a folder was wanted, or nothing.")
    folder = Path(arguments[0]) if arguments else ROOT / "build" / "site"
    build(folder)
    print(f"The site is in {folder}. To see it: python3 -m http.server --directory {folder}")


if __name__ == "__main__":
    main(sys.argv[1:])
