"""Train almost nothing: the patch that turns one network into another, found by comparing bits."""

import numpy as np

from helpers.bits import changed_bits
from helpers.exercises.exercise import Exercise, NotYet, expect


def make_patch(before, after):
    """Return for each array the places where a bit differs, row by row, and the new values."""
    patch = []
    for old, new in zip(before, after):
        places = np.flatnonzero(changed_bits(old, new))
        patch.append((places, new.flat[places]))
    return patch


def judge(attempt):
    """Kernels and biases, of which few cells, or none, differ; among them 0 and -0, and a NaN."""
    before, after = _networks()
    given = [array.copy() for array in before], [array.copy() for array in after]
    patch = list(attempt(*given))
    same = not any(_differ(a, b) for a, b in zip((*before, *after), (*given[0], *given[1])))
    expect(same, "An array that was given to it has changed: work on a copy.")
    expect(len(patch) == len(before), f"{len(patch)} pairs for {len(before)} arrays: one for each.")
    for array in given[1]:
        array.fill(7)  # a network trains on after its patch was made
    for number, (old, new, pair) in enumerate(zip(before, after, patch)):
        _judge_pair(f"array {number}", old, new, *pair)
    return "The patch brings every bit, and no cell that has not changed."


def _judge_pair(name, old, new, places, values):
    places, values = np.asarray(places), np.asarray(values)
    expect(places.ndim == 1, f"The places in {name} have {places.ndim} axes: count row by row.")
    expect(places.dtype.kind in "iu", f"The places in {name} are {places.dtype}, and not integers.")
    differ = np.flatnonzero(changed_bits(old, new))
    missing, needless = np.setdiff1d(differ, places), np.setdiff1d(places, differ)
    if len(missing):
        step = f"{old.flat[missing[0]]} became {new.flat[missing[0]]}"
        raise NotYet(f"Not in the patch of {name}, though its bits differ: {step}.")
    if len(needless):
        same = old.flat[needless[0]]
        nan = " NaN is not equal to itself, but its bits are." if np.isnan(same) else ""
        raise NotYet(f"In the patch of {name}, though no bit differs: {same}.{nan}")
    expect(values.dtype == new.dtype, f"Values of {name} are {values.dtype}: keep {new.dtype}.")
    patched = old.copy()
    patched.flat[places] = values
    trained_on = "its values follow the network, which trains on. Copy them."
    expect(not (values == 7).any(), f"The patch of {name} is no copy: {trained_on}")
    expect(not _differ(patched, new), f"Patched by it, {name} is not the new one.")


def _networks():
    """Return the arrays of two networks, in float32."""
    draw = np.random.default_rng(0)
    before = [draw.normal(size=size).astype("float32") for size in ((6, 8), (8,), (8, 3))]
    before[0][0, 0], before[0][1, 1] = 0, np.nan
    after = [array.copy() for array in before]
    after[0][2, 3] += 1e-7
    after[0][5, ::2] += 1
    after[0][0, 0] = -0.0
    after[2][1, 2] = 0
    return before, after


def _differ(one, other):
    return changed_bits(one, other).any()


exercise = Exercise(
    make_patch,
    judge,
    [
        "changed_bits(old, new) says of each cell whether a bit of it differs.",
        "np.flatnonzero counts cells row by row, and returns the places of those that are True.",
        "array.flat[places] picks the values at such places, and makes a copy of them.",
    ],
)
