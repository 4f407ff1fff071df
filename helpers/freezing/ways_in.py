"""By which way frozen cells changed: judged from what was there to change them, and from how they
moved against how each way would have moved them.

momentum     what the optimizer remembers of earlier gradients still moves a cell: its slots are not
             empty, and no gradient has fed them since. Also optimizers that compute a weight from
             its slots (Ftrl), or the step of a cell from other cells (Muon)
decay        weight decay: the weight was multiplied by 1 - rate · decay in each step
average      a moving average (use_ema) overwrote the weight: it has the average's bits; or
             SwapEMAWeights exchanged the two
constraint   the variable's constraint moves the cell
regularizer  a gradient came, and moved every cell against the slope of the variable's regularizer
gradient     a gradient came: nothing holds these cells
assign       something else than the optimizer assigned: a callback, set_weights, a layer
earlier      cells were not at the values that were given even before training began
restored     the weights of an earlier moment were put back, by EarlyStopping or BackupAndRestore

Several can have a part in one movement. Each takes its share of how far a cell moved, of what those
before it have left, and the one with the largest sum is the likeliest.
"""

import dataclasses
import functools
from collections.abc import Iterator
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from . import private
from .kinds import Variable
from .slots import raw
from .watched import SteppedBy

EPSILON = {"float16": 2**-10, "bfloat16": 2**-7, "float32": 2**-23, "float64": 2**-52}
DENORMAL = 2.0**-126  # of float32; smaller numbers are taken for 0
SMALLEST = {"float16": 6e-8}  # below it is zero to the optimizer; 1e-37 for other dtypes
FORGETTING = "momentum", "beta_1", "beta_2", "rho", "adam_beta_1", "adam_beta_2"
WORTH_NAMING = 0.05  # of the whole movement
UNWATCHED = "average", "accumulated", "gradient_accumulator"  # the last two gather, and are emptied
C = keras.callbacks


@dataclasses.dataclass(frozen=True, eq=False)
class Move:
    """How frozen cells of a variable moved between two comparisons, and what was there to do it.

    `places` are flat, `before` and `after` 1-D arrays of the variable's dtype, `in_sample` says
    which of the sampled cells these are, or is None if none is. `states` are two of
    `SteppedBy.state`. `stepped` is False if the optimizer cannot have stepped in between. `phase`
    is "begin" before the first step of `fit`, "end" when training has ended, and "" otherwise.
    """

    variable: Variable
    trainer: SteppedBy
    places: np.ndarray
    before: np.ndarray
    after: np.ndarray
    in_sample: np.ndarray | None
    states: tuple[dict, dict]
    stepped: bool
    phase: str
    model: Any  # None in a loop of one's own
    callbacks: list[keras.callbacks.Callback]

    def ways(self) -> tuple[str, ...]:
        """Return the likely ways in, the likeliest first."""
        if not self.by_optimizer or self.trainer.holds(self.places):
            return (self._beside_the_optimizer(),)
        left, shares = np.ones(len(self.before)), dict.fromkeys(dict(SHARES), 0.0)
        with np.errstate(all="ignore"):
            for way, share in SHARES:
                taken = left * np.clip(np.nan_to_num(share(self)), 0, 1)
                shares[way] += taken.sum()
                left -= taken
        ranked = sorted(shares, key=shares.__getitem__, reverse=True)
        named = [way for way in ranked if shares[way] >= WORTH_NAMING * len(left)]
        unsure = named[0] == "gradient" and not self._watched_slots and self.foreign_callbacks
        return (*named, "assign") if unsure and "assign" not in named else tuple(named)

    @property
    def by_optimizer(self) -> bool:
        """Whether the optimizer has stepped this variable in between."""
        return self.stepped and self.trainer.optimizer is not None and self.steps > 0

    @property
    def optimizer(self) -> Any:
        """What `trainer` holds."""
        return self.trainer.optimizer

    @functools.cached_property
    def steps(self) -> int:
        """How many steps the optimizer took in between. Gathering gradients is none."""
        first, last = self.counted
        return last - first

    @property
    def foreign_callbacks(self) -> list[str]:
        """The names of callbacks that are none of Keras' own."""
        kinds = [type(one) for one in self.callbacks]
        return [kind.__name__ for kind in kinds if kind.__module__.split(".")[0] != "keras"]

    def has_callback(self, name: str) -> bool:
        """Return whether a callback of this Keras class, by its name, takes part."""
        return any(isinstance(one, getattr(C, name, ())) for one in self.callbacks)

    @functools.cached_property
    def swapped(self) -> np.ndarray:
        """Whether SwapEMAWeights exchanged weights and averages: a float array, 1 for such cells.
        Back and forth, it rounds."""
        average = self._average
        if average is None or not self.has_callback("SwapEMAWeights"):
            return np.zeros(len(self.before))
        old, new = self.numbers
        there = np.abs(average - old) <= 4 * self._ulp(average, old)
        back = np.abs(new - old) <= 2 * self._ulp(np.maximum(np.abs(average), np.abs(old)), old)
        return np.where(there | back, 1.0, 0.0)

    @property
    def restoring(self) -> str | None:
        """The name of the callback that put weights back, or None."""
        if self.phase == "begin" and self.has_callback("BackupAndRestore"):
            return "BackupAndRestore"
        ended = self.phase == "end"
        stopping = [one for one in self.callbacks if ended and isinstance(one, C.EarlyStopping)]
        found = any(self._mostly(self._equals_best(one)) for one in stopping)
        return "EarlyStopping" if found else None

    def _beside_the_optimizer(self) -> str:
        if self.restoring:
            return "restored"
        averaged = np.maximum(self.swapped, self._equals_average)
        return "average" if self._mostly(averaged) else "assign"

    @property
    def counted(self) -> list[int]:
        """What the optimizer's count of steps was before and after."""
        return [int(state["steps"]) if state else 0 for state in self.states]

    @functools.cached_property
    def _rate(self) -> float:
        rates = [float(state["rate"]) for state in self.states if state]
        return sum(rates) / len(rates)

    @functools.cached_property
    def numbers(self) -> tuple[np.ndarray, np.ndarray]:
        """The values before and after, as float64."""
        return np.real(self.before).astype(np.float64), np.real(self.after).astype(np.float64)

    @property
    def _precision(self) -> str:
        return self.before.dtype.name

    def _ulp(self, *values: np.ndarray) -> np.ndarray:
        """About one unit in the last place of the larger of these numbers."""
        return EPSILON.get(self._precision, 0) * np.maximum.reduce([np.abs(v) for v in values])

    def _slots(self, when: int) -> dict[str, np.ndarray]:
        """Return the slots of the judged cells, as float64: a dict from names. Before there were
        any, it is empty."""
        if self.in_sample is None:
            return {}
        slots = self.states[when].get("slots", {})
        return {
            name: slot.numpy()[self.in_sample].astype(np.float64) for name, slot in slots.items()
        }

    @property
    def _average(self) -> np.ndarray | None:
        found = [slot for name, slot in self._slots(-1).items() if "average" in name]
        return found[0] if found and getattr(self.optimizer, "use_ema", False) else None

    @property
    def _watched_slots(self) -> list[str]:
        """Those that a gradient changes when it is used."""
        return [name for name in self._slots(-1) if not any(part in name for part in UNWATCHED)]

    @property
    def _equals_average(self) -> np.ndarray:
        average, (_, new) = self._average, self.numbers
        if average is None:
            return np.zeros(len(new))
        return ((average == new) | np.isnan(average) & np.isnan(new)).astype(float)

    def _equals_best(self, early_stopping: keras.callbacks.EarlyStopping) -> np.ndarray:
        best = early_stopping.best_weights if early_stopping.restore_best_weights else None
        for weight, value in zip(self.model.weights, best or ()):
            if raw(weight) is raw(self.variable):
                there = np.ravel(value)[self.places]
                same = there.view(np.uint8) == self.after.view(np.uint8)
                return same.reshape(len(there), -1).all(1)
        return np.zeros(1)

    @staticmethod
    def _mostly(flags: np.ndarray) -> bool:
        return bool(np.mean(flags) > 0.5)

    @functools.cached_property
    def _rest(self) -> np.ndarray:
        """How far cells moved beyond weight decay."""
        old, new = self.numbers
        return new - old - self._by_decay

    @functools.cached_property
    def _by_decay(self) -> np.ndarray:
        """How far weight decay alone would have moved the cells."""
        old, _ = self.numbers
        rate = self._rate * float(self.optimizer.weight_decay) if self.decays else 0
        return old * ((1 - rate) ** self.steps - 1)

    @property
    def decays(self) -> bool:
        """Whether the optimizer decays this variable."""
        return bool(self.optimizer.weight_decay) and private.decays(self.optimizer, self.variable)

    @functools.cached_property
    def _fed(self) -> np.ndarray:
        """Whether gradients have changed a cell's slots in between: without any, a slot shrinks by
        a factor that the optimizer's settings give. Without slots: True, for nobody knows."""
        before, after = self._slots(0), self._slots(-1)
        if not self._watched_slots:
            return np.ones(len(self.before), bool)
        unfed = [_forgot(self, before.get(n, 0 * after[n]), after[n]) for n in self._watched_slots]
        old, new = self.numbers
        return ~np.logical_and.reduce(unfed) | np.isfinite(old) & ~np.isfinite(new)

    @property
    def _remembered(self) -> np.ndarray:
        """Whether a cell had a slot that was not empty."""
        before = self._slots(0)
        full = [before.get(name, np.zeros(1)) != 0 for name in self._watched_slots]
        return np.logical_or.reduce(full) if full else np.zeros(len(self.before), bool)


def _forgot(move: Move, before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Return whether each number of a slot is what is left of it when no gradient comes: a bool
    array."""
    # A sum of squares that stays as it was proves little: what little was added is rounded off.
    factors = {1.0, *_factors(move)} if move.trainer.moves_without_gradient else _factors(move)
    near = min(0.5, 1e-5 + 2 * move.steps * EPSILON.get(move._precision, 0))
    tiny = SMALLEST.get(move._precision, 1e-37)
    left = [before * factor for factor in factors] or [np.full(1, np.inf)]
    return np.logical_or.reduce(
        [np.isclose(after, one, rtol=near, atol=tiny, equal_nan=True) for one in left]
    )


def _factors(move: Move) -> set[float]:
    """By what the optimizer's settings shrink a slot in so many steps."""
    settings = [getattr(move.optimizer, name, None) for name in FORGETTING]
    return {float(one) ** move.steps for one in settings if isinstance(one, (int, float))}


# What follows tells, for each cell, which share of its movement a way explains: 0 to 1.


def _averaged(move: Move) -> np.ndarray:
    """Return the share of an overwrite in between, or, in a loop of one's own, behind the steps."""
    often = getattr(move.optimizer, "ema_overwrite_frequency", None)
    first, last = move.counted
    overwritten = last // often > first // often if often else last > 1
    same = move._equals_average * float(overwritten)
    if not often:
        same *= np.isfinite(move.numbers[1])
    if overwritten and often and move._average is not None and move.steps > 1:
        old, new = move.numbers  # since then, the average of a cell that rests has been rounded
        near = np.abs(new - move._average) <= 4 * move._ulp(new, old)
        same = np.maximum(same, near & (np.abs(new - old) > 8 * move._ulp(new, old)))
    return np.maximum(same, move.swapped)


def _constrained(move: Move) -> np.ndarray:
    constraint = getattr(move.variable, "constraint", None)
    if constraint is None:
        return np.zeros(len(move.before))
    old, new = move.numbers
    put = np.ravel(constraint(tf.constant(_with_old(move))))[move.places].astype(np.float64) - old
    share = np.where(np.abs(put) > 4 * move._ulp(old), put / (new - old), 0)
    same = (put + old == new) & (put != 0)
    if not np.isnan(_with_old(move).astype(np.float64)).any():  # whose NaN would be the step's
        same |= np.isnan(put + old) & np.isnan(new)
    return np.where(same | (share > 0.3), 1, share)


def _decayed(move: Move) -> np.ndarray:
    old, new = move.numbers
    decay, rest = move._by_decay, move._rest
    rounding = (0.5 * move.steps + 0.1) * move._ulp(old)
    alone = np.abs(rest) <= 0.02 * np.abs(decay) + rounding
    ratio = (new / old)[old != 0]
    if len(ratio) > 2 and decay.any() and ratio.min() > 0 and ratio.max() < 1:
        # A rate that changes: still every weight shrank by one factor.
        alone |= np.ptp(ratio) <= 2 * (move.steps + 2) * EPSILON.get(move._precision, 0)
    share = np.where(alone, 1, np.abs(decay) / (np.abs(decay) + np.abs(rest)))
    return np.where(decay == 0, 0, share)


def _by_arithmetic(move: Move) -> np.ndarray:
    """Any step that computes with a cell makes 0.0 of -0.0, and of what TensorFlow takes for 0."""
    old, new = move.numbers
    return (new == 0) & (np.abs(old) < DENORMAL)


def _remembered(move: Move) -> np.ndarray:
    if not move.trainer.moves_without_gradient:
        return np.zeros(len(move.before))
    if move.in_sample is None:
        return np.full(len(move.before), 0.5)
    return ~move._fed & (move._remembered | move.trainer.is_coupled)


def _regularized(move: Move) -> np.ndarray:
    """All or none: whether the cells, or what gradients added to a slot of theirs, moved along the
    regularizer's slope."""
    regularizer, fed = getattr(move.variable, "regularizer", None), move._fed
    if regularizer is None or fed.sum() < 4:  # few would do so by chance
        return np.zeros(len(fed))
    with tf.GradientTape() as tape:
        values = tf.constant(_with_old(move))
        tape.watch(values)
        penalty = regularizer(values)
    slope = np.ravel(tape.gradient(penalty, values))[move.places].astype(np.float64)
    cells = fed & np.isfinite(move._rest) & np.isfinite(slope) & (slope != 0)
    signs = np.sign(move._rest), np.sign(slope)
    along = cells.sum() >= 8 and abs(_cosine(*signs, cells)) > 0.99
    for signal in (move._rest, *_added_to_slots(move)):
        along |= abs(_cosine(signal, slope, cells)) > 0.99
        along |= abs(_cosine(signal, slope**2, cells)) > 0.999
    return fed * float(along)


def _added_to_slots(move: Move) -> Iterator[np.ndarray]:
    """Yield what gradients may have added to each slot, for each factor by which it may have
    shrunk."""
    before, after = move._slots(0), move._slots(-1)
    for name in move._watched_slots:
        for factor in _factors(move):
            yield after[name] - factor * before.get(name, 0)


def _cosine(one: np.ndarray, other: np.ndarray, cells: np.ndarray) -> float:
    one, other = one[cells], other[cells]
    return np.dot(one, other) / np.sqrt(np.dot(one, one) * np.dot(other, other))


def _with_old(move: Move) -> np.ndarray:
    """Return the variable's values, an array, with the judged cells as they were before."""
    values = np.array(raw(move.variable).numpy())
    values.reshape(-1)[move.places] = move.before
    return values


SHARES = [
    ("average", _averaged),
    ("constraint", _constrained),
    ("decay", lambda move: _by_arithmetic(move) & move.decays),
    ("gradient", _by_arithmetic),
    ("decay", _decayed),
    ("momentum", _remembered),
    ("regularizer", _regularized),
    ("gradient", lambda move: move._fed),
    ("assign", lambda move: np.ones(len(move.before))),
]
