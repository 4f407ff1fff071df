"""Whether frozen cells hold in a run of one's own, beside any recipe and any optimizer.

    check = LeakCheck([(kernel, frozen)])
    model.fit(inputs, targets, callbacks=[check])
    check.leaks

`LeakCheck` compares the bits of the frozen cells with those that they had when training began. The
comparison runs where the variable is; one count for each pair comes back to Python. When cells have
changed, it says which, how far, since when, by which way they did (see `ways_in`), and what helps.
"""

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import keras
import numpy as np
import numpy.typing as npt
import tensorflow as tf

from . import private
from .advice import advice
from .called import levels_up
from .kinds import Variable
from .report import Leak, LeakError, LeakWarning
from .slots import of_tf_keras, raw
from .watched import SteppedBy, Watched, about, distances, farthest
from .ways_in import Move

Logs = dict[str, float] | None
State = dict[str, Any]  # what `SteppedBy.state` returns
Judged = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray | None]  # by `Watched.judged`


class LeakCheck(keras.callbacks.Callback):
    """A callback that finds frozen cells whose bits changed since training began.

    pairs      a list of (variable, frozen): a keras.Variable or tf.Variable, and a bool mask of its
               shape (array, lists or tensor; True = frozen), or True for the whole variable; or of
               (variable, frozen, values), to compare with these values, as of a checkpoint
    action     "warn" (a LeakWarning for each new way in, and once an epoch for cells that held
               until then) or "raise" (a LeakError, which ends training and leaves the weights as
               they are)
    every      "epoch" (before and after each one, and when training ends) or "batch" (before and
               after each step, too), which tells the step and finds the way in more surely
    optimizer  the optimizer of a loop of one's own, for the way in; `fit` brings its own

    Each `fit` is a training of its own: when it begins, leaks are forgotten, and the cells' values
    of that moment are the reference, if no values were given. Before that, it is the moment the
    check was made. A cell that is not what was given even then is told of at once, and then watched
    for whether it moves on. Masks are fixed. A cell that has come back to its old bits is no leak
    any more in `leaks`; `reports`, a list of Leak, keeps what was told since training began. A
    callback before this one in the list acts within the step or epoch that is checked: let the
    check be the first one. When training ends, it compares once more behind all others.

    It keeps the frozen cells' bits, their places (4 bytes each; none for a whole variable) and a
    flag for each. TypeError, ValueError: they say what arrived, and what was wanted.
    """

    def __init__(
        self,
        pairs: Sequence[tuple[Variable, npt.ArrayLike | bool]],
        action: str = "warn",
        every: str = "epoch",
        optimizer: keras.Optimizer | None = None,
    ) -> None:
        super().__init__()
        self._watched = [Watched(*pair) for pair in _pairs(pairs)]
        self._action = _one_of("action", action, ("warn", "raise"))
        self._every = _one_of("every", every, ("epoch", "batch"))
        self._loop_optimizer = _of_keras_3(optimizer)
        self._beside: list[keras.callbacks.Callback] = []
        self._traced_for: tuple[int, bool, bool] | None = None
        self._phase = ""
        self._epoch = self._steps = self._batch = self._comparisons = 0
        if every == "batch":  # with `epoch`, Keras needs not wait for each batch
            self.on_train_batch_begin = self._before_step
            self.on_train_batch_end = self._after_step
        self.restart()

    def __repr__(self) -> str:
        return f"LeakCheck: {', '.join(map(str, self._watched))}"

    @property
    def leaks(self) -> list[np.ndarray]:
        """A bool array for each pair, of its variable's shape: True where a frozen cell's bits
        differed from the reference when they were last compared."""
        return [each.whole(flags) for each, flags in zip(self._watched, self._differing)]

    def compare(self) -> list[np.ndarray]:
        """Compare now, as a loop of one's own does after its steps; warn or raise for what is new,
        and return `leaks`."""
        self._comparisons, self._phase = self._comparisons + 1, ""
        last = "the last comparison" if self._comparisons > 1 else "the check began"
        self._look(f"since {last}")
        return self.leaks

    def restart(self) -> None:
        """Take this moment for the beginning of training: it is the reference from now on."""
        self.reports: list[Leak] = []  # what there was to say since the beginning
        self._told: dict[tuple[int, str | None], int] = {}  # a pair and a way in -> when told last
        self._comparisons = 0
        self._reference = [each.reference() for each in self._watched]
        self._changed = [tf.zeros(each.count, bool) for each in self._watched]
        self._ever = [np.zeros(each.count, bool) for each in self._watched]
        self._set_aside_earlier()
        self._states: list[State] = [{} for _ in self._watched]
        if self._optimizer() is not None:
            *_, self._states = self._compared()

    def _set_aside_earlier(self) -> None:
        """Of values that were given, some may not stand there even now: these cells, `_earlier`,
        are held to what they are at this moment, so that it is seen whether training moves them."""
        pairs = list(zip(self._watched, self._reference))
        self._differing = [each.changed(bits) for each, bits in pairs]
        aside = {number: at.numpy() for number, at in enumerate(self._differing)}
        self._earlier = {number: at for number, at in aside.items() if at.any()}
        self._held = self._reference
        if self._earlier:
            found = zip(pairs, self._differing)
            self._held = [each.held_where(at, bits) for (each, bits), at in found]

    def set_model(self, model: keras.Model) -> None:
        """As in Keras. The `fit` of tf_keras wants callbacks of its own, and would not say so."""
        if of_tf_keras(type(model)):
            how = "tf_keras.callbacks.LambdaCallback(on_epoch_end=lambda *_: check.compare())"
            raise TypeError(f"A model of tf_keras (Keras 2) arrived; pass its fit a {how}.")
        super().set_model(model)

    def on_train_begin(self, logs: Logs = None) -> None:
        """Take note of what the cells hold, and say if a variable is not of this model."""
        beside = private.callbacks_beside()
        self._beside = [one for one in beside if not isinstance(one, (LeakCheck, _Behind))]
        if not any(isinstance(one, _Behind) and one.check is self for one in beside):
            beside.append(_Behind(self))
        self._epoch = self._steps = 0
        self._batch, self._phase = -1, "begin"
        for each in self._watched:
            _warn_unless_in(self.model, each.given)
        self.restart()

    def on_epoch_begin(self, epoch: int, logs: Logs = None) -> None:
        """Compare: what has changed since the last step or epoch, no step has done."""
        self._epoch, self._batch = epoch + 1, -1
        self._look(f"before epoch {self._epoch} began", stepped=False)
        self._phase = ""

    def on_epoch_end(self, epoch: int, logs: Logs = None) -> None:
        """Compare."""
        if self._every == "epoch":
            self._look(f"in epoch {self._epoch}")
        else:
            self._look(f"after the last step of epoch {self._epoch}", stepped=False)

    def on_train_end(self, logs: Logs = None) -> None:
        """Compare: averages have overwritten the weights by now."""
        self._phase = "end"
        self._look("after the last step, when training ended", stepped=False)

    def _before_step(self, batch: int, logs: Logs = None) -> None:
        self._look(f"after step {self._steps}, before the next one", stepped=False)

    def _after_step(self, batch: int, logs: Logs = None) -> None:
        first, self._steps = self._steps + 1, self._steps + batch - self._batch
        self._batch = batch
        step = f"step {first}" if first == self._steps else f"steps {first} to {self._steps}"
        self._look(f"in {step} (epoch {self._epoch})")

    def _optimizer(self) -> keras.Optimizer | None:
        return self._loop_optimizer or getattr(self.model, "optimizer", None)

    def _compared(self) -> tuple[tf.Tensor, list[tf.Tensor], list[tf.Tensor], list[State]]:
        """For each pair: how many cells have newly changed (a vector), which have, which differ
        from the reference, and the optimizer's state."""
        optimizer, two = self._optimizer(), self._held is not self._reference
        trace_for = (id(optimizer), getattr(optimizer, "built", False), two)
        if self._traced_for != trace_for:
            self._trainers = [SteppedBy(optimizer, each.given) for each in self._watched]
            self._trace, self._traced_for = self._new_trace(two), trace_for
        return self._trace(self._held, self._reference, self._changed)

    def _new_trace(self, two: bool) -> Callable[..., Any]:
        watched, trainers = self._watched, self._trainers

        def compared(
            held: list[list[tf.Tensor]], reference: list[list[tf.Tensor]], known: list[tf.Tensor]
        ) -> tuple[tf.Tensor, list[tf.Tensor], list[tf.Tensor], list[State]]:
            differ = [each.changed(bits) for each, bits in zip(watched, reference)]
            flags = differ
            if two:  # what has been put back since is right
                moved = [each.changed(bits) for each, bits in zip(watched, held)]
                flags = [far & new for far, new in zip(differ, moved)]
            counts = [tf.math.count_nonzero(new & ~old) for new, old in zip(flags, known)]
            states = [t.state(each.sampled) for t, each in zip(trainers, watched)]
            return tf.convert_to_tensor(counts), flags, differ, states

        # The traced function itself: of many checks, a tf.function would warn that it traces often.
        return tf.function(compared, autograph=False).get_concrete_function(
            self._held, self._reference, self._changed
        )

    def _look(self, when: str, stepped: bool = True) -> None:
        """Compare, and tell what is new; `stepped`: the optimizer may have stepped since the last
        comparison."""
        known, states = self._changed, self._states
        counts, self._changed, self._differing, self._states = self._compared()
        told = [
            self._leak(number, new, states, "before training began")
            for number, new in self._earlier.items()
        ]
        self._earlier = {}
        for number in np.flatnonzero(counts.numpy()).tolist():
            new = self._changed[number].numpy() & ~known[number].numpy()
            told.append(self._leak(number, new, states, when, stepped))
        self._tell(told)

    def _leak(
        self,
        number: int,
        new: np.ndarray,
        states: list[State],
        when: str,
        stepped: bool | None = None,
    ) -> tuple[int, Leak]:
        """Describe cells of a pair that are `new`; `stepped` is None for those that had changed
        before training began."""
        watched, held = self._watched[number], self._held[number]
        then, now = (self._reference[number], held) if stepped is None else (held, watched.held())
        before, after = watched.values(then), watched.values(now, then)
        move = self._move(number, watched.judged(new, before, after), bool(stepped), states)
        ways: tuple[str, ...] | None = ("earlier",)
        if stepped is not None:
            ways = move.ways() if self._optimizer() is not None else None
            if when.startswith("since") and move.steps > 0:
                when += f" ({_steps(move)} of the optimizer)"
        far = distances(before, after)
        most = farthest(before, after, far, new)
        return number, Leak(
            watched.path,
            int(new.sum()),
            watched.count,
            when,
            watched.rows(new),
            None if far is None else float(far[most]),
            watched.cell(most),
            (before[most].item(), after[most].item()),
            ways,
            advice(ways, move),
        )

    def _move(self, number: int, judged: Judged, stepped: bool, states: list[State]) -> Move:
        """Return how the cells of a pair came to move, as `ways_in` wants to know it."""
        return Move(
            self._watched[number].given,
            self._trainers[number],
            *judged,
            states=(states[number], self._states[number]),
            stepped=stepped,
            phase=self._phase,
            model=self.model,
            callbacks=self._beside,
        )

    def _tell(self, leaks: list[tuple[int, Leak]]) -> None:
        """Warn or raise: for each pair and likeliest way in once, and once an epoch (or comparison)
        for cells that had held until now."""
        fresh, now = [], self._epoch + self._comparisons
        for number, leak in leaks:
            changed = self._changed[number].numpy()
            held_until_now = (changed & ~self._ever[number]).any()
            self._ever[number] |= changed
            way = number, leak.ways[0] if leak.ways else None
            if way not in self._told or (held_until_now and self._told[way] != now):
                self._told[way] = now
                fresh.append(leak)
        self.reports += fresh
        if fresh and self._action == "raise":
            raise LeakError("\n".join(map(str, fresh)))
        for leak in fresh:
            warnings.warn(str(leak), LeakWarning, stacklevel=levels_up())


class _Behind(keras.callbacks.Callback):
    """Has a check compare when all other callbacks have acted on the end of training."""

    def __init__(self, check: LeakCheck) -> None:
        super().__init__()
        self.check = check

    def on_train_end(self, logs: Logs = None) -> None:
        self.check.on_train_end()


def _steps(move: Move) -> str:
    first, last = move.counted
    return f"step {last}" if last == first + 1 else f"steps {first + 1} to {last}"


def _one_of(name: str, value: str, wanted: tuple[str, ...]) -> str:
    if value not in wanted:
        raise ValueError(f"{name}={value!r} arrived; pass {' or '.join(map(repr, wanted))}.")
    return value


def _of_keras_3(optimizer: keras.Optimizer | None) -> keras.Optimizer | None:
    if optimizer is not None and not isinstance(optimizer, keras.Optimizer):
        message = "one of Keras 3 was wanted. Leave it out: cells are compared without it as well"
        raise TypeError(f"optimizer={optimizer!r} arrived; {message}.")
    return optimizer


def _pairs(pairs: object) -> list[Any]:
    """Return the pairs as a list, each of two or three things; what they are is checked later."""
    wanted = "a list of pairs was wanted: LeakCheck([(variable, frozen), …])"
    if not isinstance(pairs, (list, tuple)):
        raise TypeError(f"{about(pairs)} arrived; {wanted}.")
    for pair in pairs:
        if not isinstance(pair, (list, tuple)) or len(pair) not in (2, 3):
            raise TypeError(f"{about(pair)} arrived as a pair; {wanted}.")
    if not pairs:
        raise ValueError(f"No pair arrived; {wanted}.")
    return list(pairs)


def _warn_unless_in(model: keras.Model, variable: Variable) -> None:
    """Warn if the variable is none of the model's: nothing says that `fit` reaches it."""
    if any(raw(each) is raw(variable) for each in model.variables):
        return
    message = f"{about(variable)} is not among the variables of this model"
    why = "A layer that was quantized or built anew has other variables now"
    ask = "if it is one of these, make the check with the variable in model.variables"
    warnings.warn(f"{message}. {why}; {ask}.", LeakWarning, stacklevel=levels_up())
