"""Techniques against optimizers, in situations in which frozen cells escape.

`judge` computes every verdict by bits, in a small run of its own; `leak_matrix` shows them.
"""

import itertools
import math
from dataclasses import dataclass

import numpy as np
from IPython import get_ipython
from IPython.display import display
from tqdm import tqdm
from tqdm.notebook import tqdm as tqdm_notebook

from helpers.bits import changed_bits, ulps
from helpers.device import tf
from helpers.forms import view_of
from helpers.leaks.regression import SHAPE
from helpers.leaks.run import STEPS, Contender, run_of, with_held
from helpers.leaks.situations import SITUATIONS
from helpers.names import known
from helpers.optimizers import LISTED
from helpers.techniques import TECHNIQUES

AFTER_THE_LAST_STEP = "only in finalize_variable_values, after the last step"


@dataclass(frozen=True)
class Verdict:
    """How many of the watched cells (`of`) escaped or were harmed in one run (`cells`), and the
    largest drift among them in units in the last place (`ulps`: an int, or inf).

    `note` says more, if there is more to say. A run that TensorFlow or Keras refuses (a
    TypeError, ValueError or OpError) has cells None, and says why.
    """

    technique: str
    optimizer: str
    situation: str
    cells: int | None
    of: int = 0
    ulps: int | float | None = None
    note: str | None = None

    @property
    def watched(self):
        """Return what is counted in its situation: "cells", or "free cells", to which a recipe may
        do harm without moving a frozen one."""
        return "free cells" if SITUATIONS[self.situation].watched == "free" else "cells"

    @property
    def holds(self):
        """Whether the run was possible and did no watched cell any harm."""
        return self.cells == 0


# Each returns the watched cells, the values that they should have, those that they have, a note.


def _moved(recipe, contender, situation):
    run = run_of(recipe, contender, situation)
    held, trained = run.values(), run.train(STEPS)
    run.finalize()
    values = run.values()
    wanted = np.where(run.frozen | ~np.isfinite(values), held, values)
    watched = run.frozen | situation.nan
    late = not changed_bits(wanted, trained)[watched].any()
    note = AFTER_THE_LAST_STEP if late else None
    return watched, wanted, values, note


def _influenced(recipe, contender, situation):
    run = run_of(recipe, contender, situation)
    return ~run.frozen, contender.wanted(situation), run.train(1), None


def _landed(recipe, contender, situation):
    run = run_of(recipe, contender, situation)
    held = run.held()
    run.train(STEPS)
    run.freeze(np.zeros(SHAPE, bool))
    now, landed = run.state(), run.train(1)
    run.load([with_held(h, n, run.frozen) for h, n in zip(held, now)])
    return run.frozen, run.train(1), landed, None


COUNTS = {"frozen": _moved, "free": _influenced, "thawed": _landed}  # by what is watched


def judge(techniques=None, optimizers=None, situations=None, progress=True):
    """Return a list of Verdicts, by technique, then optimizer, then situation; None = all of them,
    or of the optimizers all that a playground lists.

    Techniques are names in TECHNIQUES, or a dict from names of your own to Techniques; optimizers
    are names, or Keras optimizers or their classes. In each run half of 48 cells are frozen for 4
    steps. Watched are the frozen cells, and harmed are those of which the model sees a changed bit,
    where nothing else is said:

    cold      frozen from the first step on; so are all that are not called warm
    warm      frozen after 3 steps in which every cell trained
    decay     weight_decay=0.1
    EMA       warm; moving averages overwrite the weights every other step and after the last one
    L2        a penalty on the raw variable, as a Keras regularizer adds it
    NaN       one frozen cell's gradient is NaN; free cells that are no longer finite count too
    clipping  warm, global_clipnorm=0.1; free cells whose first step is not the one that they take
              when the frozen cells' gradient is 0
    thaw      warm, then thawed; cells whose first step leads elsewhere than it would, had they
              and their slots (momentum and the like) been held while they were frozen

    `progress` shows a bar, which goes away. Raises ValueError for unknown names.
    """
    recipes = techniques if isinstance(techniques, dict) else TECHNIQUES
    techniques = _all_known("technique", techniques, recipes)
    situations = _all_known("situation", situations, SITUATIONS)
    optimizers = LISTED if optimizers is None else optimizers
    contenders = [Contender(optimizer) for optimizer in optimizers]
    names = [contender.name for contender in contenders]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        apart = "tell them apart: SGD(0.1, name='slow')"
        raise ValueError(f"Two optimizers have one name, {twice[0]!r}; {apart}.")
    runs = list(itertools.product(techniques, contenders, situations))
    with _bar(len(runs), progress) as bar, tf.device("/CPU:0"):
        return [_verdict(name, recipes[name], *rest, bar) for name, *rest in runs]


def _all_known(kind, names, names_known):
    if names is None:
        return list(names_known)
    return [known(kind, name, names_known) for name in names]


def _verdict(technique, recipe, contender, situation, bar):
    setting, given = (technique, contender.name, situation), SITUATIONS[situation]
    count = COUNTS[given.watched]
    try:
        watched, wanted, values, note = count(recipe, contender, given)
    except (TypeError, ValueError, tf.errors.OpError) as error:
        return Verdict(*setting, None, note=f"impossible: {error}")
    finally:
        bar.update()
    harmed = watched & changed_bits(wanted, values)
    far = ulps(wanted, values)[harmed].max(initial=0)
    cells, far = int(harmed.sum()), int(far) if np.isfinite(far) else math.inf
    return Verdict(*setting, cells, int(watched.sum()), far, note if cells else None)


def _bar(total, progress):
    """Return a progress bar that goes away; a stored notebook keeps neither its text nor its
    times."""
    if not progress or not hasattr(get_ipython(), "kernel"):
        return tqdm(total=total, desc="leaks", leave=False, disable=None if progress else True)
    bar = tqdm_notebook(total=total, desc="leaks", leave=False, display=False)
    display(view_of(bar.container), raw=True)
    return bar
