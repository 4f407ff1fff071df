"""Pictures of a playground that stay as they are, for readers without a kernel."""

import re

import numpy as np
from IPython.display import Image

from helpers.pictures import microscope, pixels, plots
from helpers.playground import example

COUNT = re.compile(r"_\d+$")  # which Keras puts behind the name of a second optimizer of a kind


def stand_in(lab):
    """Return the picture that stands in for the live grid, a PNG as bytes: the grid as it is, or,
    while nobody has trained, after the playground's example."""
    session, shown = lab.session, None
    if lab.painter.status != "closed":
        session.settle()
        shown = lab.example and session.do(lambda: example.played(session, lab.example))
    shown = shown or lab.painter.driver.snapshot()
    grids, progress = (shown["values"], shown["frozen"]), shown["header"]
    shares = progress and {**progress["accuracy"], **{k: progress[k] for k in ("by_page", "page")}}
    told = f"{_meter(shown)}{_after(progress.get('step', 0))}{_chosen(lab)}"
    return pixels.still(*grids, told, shown["leaked"], shares=shares, **_names(lab))


def _names(lab):
    """Return what rows and columns are called in pictures."""
    names = lab.task.names
    return {**names.beside(), "words": (names.row, names.column)}


def _meter(shown):
    """Return what the leak meter says."""
    frozen, leaked = shown["frozen"].sum(), shown["leaked"].sum()
    cells = "cell has" if frozen == 1 else "cells have"
    return f"{leaked:,} of {frozen:,} frozen {cells} changed" if frozen else "Nothing is frozen yet"


def _after(steps):
    return f", after {steps:,} {'step' if steps == 1 else 'steps'}" if steps else ""


def _chosen(lab):
    """Return what steps are taken with, and the page on the grid where there are several. A recipe
    that is not on show is not named, so that a page can ask which it is."""
    panel = lab.painter
    labels = dict(panel.choices["technique"])
    chosen = [labels[panel.technique]] if "technique" in panel.controls else []
    chosen.append(COUNT.sub("", panel.optimizer))
    if len(panel.choices["page"]) > 1:
        chosen.append(f"class {panel.page}")
    return f" · {', '.join(chosen)}"


def picture(lab):
    """Return what the cells held when they were frozen, hold now, and how far they have moved."""
    lab.session.settle()
    at_freeze = lab.session.pages.grid(lab.session.when_frozen())
    grids, names = (at_freeze, lab.weights, lab.frozen, lab.leaks()), lab.task.names
    return plots.image(plots.frozen_now_moved(*grids, **names.beside(), words=names.words))


def heat(lab, name, overlay):
    """Return the numbers of an overlay, a dict from pages to arrays, on the page of the grid."""
    lab.session.settle()
    names, page = lab.task.names, lab.session.pages.page
    grids = overlay[page], lab.frozen, lab.leaks()
    return plots.image(plots.heat(*grids, name, **names.beside(), words=names.words))


def traces(lab):
    """Return what the pinned cells went through; ValueError if nothing was recorded."""
    return plots.image(microscope.draw(*lab.session.records()))


def animation(lab, steps, frames, scale):
    """Train `steps` steps, and return the grid at up to `frames` moments as a moving picture."""
    shown, captions = [], []
    moments = np.linspace(steps, 0, frames)[::-1].round().astype(int)  # a single one is the end
    for more in np.diff(moments, prepend=0):
        lab.train(int(more))
        lab.session.settle()
        now = lab.painter.driver.snapshot()
        shown.append((now["values"], now["frozen"], now["leaked"]))
        captions.append(f"Step {lab.steps:,}: {_meter(now)}")
    planes = map(np.stack, zip(*shown))
    return Image(pixels.animation(*planes, scale=scale, captions=captions, **_names(lab)))
