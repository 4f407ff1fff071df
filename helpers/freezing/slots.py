"""Slots: what a Keras optimizer keeps for each cell of a variable, such as momentum or an average.

A slot has the shape of its variable. `Cells` is a variable with its slots and the mask over them
all; `SlotRegistry` finds the Cells of a variable. Sources: keras.io/api/optimizers; Shazeer and
Stern 2018 (Adafactor); McMahan et al. 2013 (Ftrl); Defazio et al. 2024 (schedule-free).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import keras
import tensorflow as tf

from . import private
from .kinds import Before, Gradient, Update, Variable
from .masks import path_of

K = keras.optimizers


def classes(**reasons: str) -> dict[type, str]:
    """Return a dict from those optimizer classes that this Keras has to a text about each."""
    return {getattr(K, name): text for name, text in reasons.items() if hasattr(K, name)}


# Each finds a cell's step from that cell alone, and writes by self.assign* and weight decay only.
CELL_BY_CELL = {K.SGD, K.RMSprop, K.Adam, K.AdamW, K.Adadelta, K.Adagrad, K.Adamax, K.Nadam}
CELL_BY_CELL |= {K.Ftrl, K.Lion}
NO_RESET = classes(
    Adafactor="keeps statistics of rows and columns, shared with cells that were never frozen",
    Ftrl="computes the weight from its slots, so that empty ones would throw the weight away",
    ScheduleFreeAdamW="keeps the weight's own path in a slot, which cannot be empty",
)
BY_MEANS = tuple(classes(Adafactor="divides by means over rows and columns"))
# From so many cells on, XLA's one pass over memory in place of two pays for calling it.
LARGE = 2**18


def raw(variable: Any) -> tf.Variable:
    """Return the tf.Variable inside a keras.Variable; anything else is returned as it is."""
    return variable.value if isinstance(variable, keras.Variable) else variable


def of_tf_keras(kind: type) -> bool:
    """Return whether a class is one of tf_keras (Keras 2), or made of one."""
    return any(each.__module__.split(".")[0] == "tf_keras" for each in kind.__mro__)


@dataclass(eq=False)
class Slot:
    """A slot: the variable, Keras' name for it, and the optimizer that made it. It starts with
    `start`, an initializer (None: it is not known); an average (`is_average`) starts as a copy of
    the weight, as which Keras fills it in its first step."""

    variable: Variable
    name: str
    maker: keras.Optimizer
    start: object = "zeros"

    @property
    def is_average(self) -> bool:
        """Whether it holds moving averages of the weights."""
        return self.maker.use_ema and self.name == "average"

    @property
    def gathers(self) -> bool:
        """Whether it gathers gradients, of which a later step takes the mean."""
        return bool(self.maker.gradient_accumulation_steps) and self.name == "gradient_accumulator"

    def fresh(self, weights: Any) -> tf.Tensor:
        """Return what a fresh optimizer keeps for cells with these weights."""
        if self.is_average:
            return tf.convert_to_tensor(weights)
        if self.start is None:
            message = f"{self.maker.name!r} was built before it was put inside another optimizer"
            raise ValueError(
                f'{message}, so what its {self.name!r} starts with is not known: "keep".'
            )
        return keras.initializers.get(self.start)(tf.shape(weights), dtype=weights.dtype)


class Cells:
    """A variable and its slots, and the mask over them all: bool, True = frozen.

    `number` is the variable's place among those that the optimizer was built for, and `given` the
    variable as it was given; `variable` is the tf.Variable inside. `trained` is what Keras trains,
    and of its shape is what the step sees of the mask.
    """

    holder: Any = None  # a freezable optimizer inside this one, which keeps these cells itself
    mask_variable: keras.Variable  # which holds the mask
    was_told = False  # whether a mask has been given or loaded

    def __init__(self, number: int, given: Variable) -> None:
        self.number, self.given, self.variable = number, given, raw(given)
        self.slots: list[Slot] = []
        self.mask: Any = None
        self.now: Any = None  # the mask of the step that is taken

    @property
    def path(self) -> str:
        """What Keras calls the variable, with the layers it is in."""
        return path_of(self.given)

    @property
    def trained(self) -> Variable:
        """What Keras trains."""
        return self.given

    @property
    def changes_itself(self) -> bool:
        """Whether something else than the optimizer writes to it in a step: its constraint, or
        Keras, if it is to be overwritten with its gradient."""
        return bool(
            getattr(self.given, "constraint", None)
            or getattr(self.given, "overwrite_with_gradient", False)
        )

    def read_mask(self) -> None:
        """Read the mask, once for the step that begins: it may be painted meanwhile."""
        self.now = self.holder.frozen_cells(self.given) if self.holder else tf.identity(self.mask)

    def gradient(self, grad: Gradient) -> Gradient:
        """Return the gradient of what is trained, if its shape fits that of the variable."""
        if grad is None or isinstance(grad, tf.IndexedSlices):
            return grad if grad is None else self._rows(grad)
        if getattr(grad, "shape", None) == self.variable.shape:
            return grad
        return self._fitting(grad, self.variable.shape)

    def spares(self, variable: tf.Variable) -> bool:
        """Return whether what frozen cells have in the weight or in a slot must stay."""
        return True

    def spare(
        self, variable: tf.Variable, update: Callable[..., tf.Tensor], value: tf.Tensor
    ) -> None:
        """Assign `update(variable, value)` to the free cells of the weight or of a slot."""
        write_free(variable, self.now, update, value, self.kept(variable))

    def spare_rows(self, variable: tf.Variable, rows: tf.Tensor, write: Callable[[], None]) -> None:
        """Let `write` change some rows of the weight or of a slot, but for their frozen cells."""
        frozen, kept = (tf.gather(each, rows) for each in (self.now, self.kept(variable)))
        write()
        after = tf.where(frozen, kept, tf.gather(variable, rows))
        variable.scatter_update(tf.IndexedSlices(after, rows))

    def kept(self, variable: tf.Variable) -> tf.Tensor:
        """Return what frozen cells hold after a step, of the weight or of a slot."""
        return variable

    def held(self, slot: Slot | None, before: Before) -> tf.Tensor:
        """Return what a slot of frozen cells is put back to; `before` finds a variable's value."""
        if slot is not None and slot.is_average:
            return before(self.variable)
        held = before(slot.variable if slot else self.variable)
        if slot is not None and slot.gathers:  # what it had gathered ends with its round
            return tf.where(private.begins_round(slot.maker), tf.zeros_like(held), held)
        return held

    def settle(self, frozen: tf.Tensor) -> None:
        """Make what is kept of frozen cells true of cells that do not move: an average is the cell
        itself."""
        for slot in self.slots:
            if slot.is_average:
                _keep(raw(slot.variable), frozen, raw(self.trained))

    def hide_gathered(self, update: Update) -> None:
        """Let the gradients that frozen cells have gathered be 0 for a step, in which they would
        count in norms. `update` is that of a tf.distribute strategy."""
        for slot in self.slots:
            if slot.gathers and self.mask is not None:
                nothing = tf.zeros((), slot.variable.dtype)
                update(raw(slot.variable), _keep, (self.mask, nothing), group=False)

    def divides_by_zero(self, frozen: tf.Tensor) -> bool:
        """Return whether Adafactor divides by 0 under such a mask, which makes NaN of all cells: in
        a frozen row and a frozen column, its mean squares of gradients go to 0 together."""
        by_means = any(isinstance(slot.maker, BY_MEANS) for slot in self.slots)
        if not by_means or len(frozen.shape) < 2 or not tf.executing_eagerly():
            return False
        rows, columns = tf.reduce_all(frozen, -1), tf.reduce_all(frozen, -2)
        some = ~tf.reduce_all(rows, -1)
        return bool(tf.reduce_any(some & tf.reduce_any(rows, -1) & tf.reduce_any(columns, -1)))

    def freezes(self) -> bool:
        """Return whether the mask freezes any cell."""
        with tf.init_scope():
            return self.mask is not None and bool(tf.reduce_any(self.mask))

    def reset_slots(self, where: tf.Tensor) -> None:
        """Make the slots those of a fresh optimizer where `where` (bool, of the variable's shape)
        is True. Raises ValueError for an optimizer to which that would do harm."""
        for unsound, reason in NO_RESET.items():
            if any(isinstance(slot.maker, unsound) for slot in self.slots):
                raise ValueError(f'{unsound.__name__} {reason}: thaw with on_thaw="keep".')
        for slot in self.slots:
            _keep(raw(slot.variable), where, slot.fresh(self.variable))

    def _rows(self, grad: tf.IndexedSlices) -> tf.IndexedSlices:
        """Return a list of rows, if they are as long as those of the variable and exist."""
        values = self._fitting(grad.values, [None, *self.variable.shape[1:]])
        limit = tf.cast(self.variable.shape[0], grad.indices.dtype)
        exist = tf.debugging.assert_less(
            grad.indices, limit, f"A gradient arrived for a row that {self.path!r} does not have."
        )
        with tf.control_dependencies([exist] if exist is not None else []):
            return tf.IndexedSlices(tf.identity(values), grad.indices, grad.dense_shape)

    def _fitting(self, grad: tf.Tensor, shape: Any) -> tf.Tensor:
        wanted = tf.TensorShape(shape)
        known = tf.TensorShape(getattr(grad, "shape", None))
        if not known.is_compatible_with(wanted):
            what = f"A gradient of shape {known} arrived for {self.path!r}"
            message = f"{what}, which has shape {tuple(self.variable.shape)}."
            raise tf.errors.InvalidArgumentError(None, None, message)
        return tf.ensure_shape(grad, wanted, name="gradient_of_" + _op_name(self.path))


def in_branch(grad: Gradient, variable: Variable) -> Gradient:
    """Return the same gradient of a variable in the graph of a branch, as Keras wants them all; of
    a list of rows, XLA must see the shape there, too."""
    if not isinstance(grad, tf.IndexedSlices):
        return grad if grad is None else tf.identity(grad)
    rows = tf.identity(grad.indices)
    return tf.IndexedSlices(tf.identity(grad.values), rows, tf.shape(raw(variable)))


def without_frozen(grad: Gradient, frozen: tf.Tensor) -> Gradient:
    """Return a gradient with 0 where `frozen`; by choosing, for 0 × NaN would be NaN."""
    if grad is None:
        return grad
    if isinstance(grad, tf.IndexedSlices):
        values = without_frozen(grad.values, tf.gather(frozen, grad.indices))
        return tf.IndexedSlices(values, grad.indices, grad.dense_shape)
    return tf.where(frozen, tf.zeros((), grad.dtype), grad)


def write_free(
    variable: tf.Variable,
    frozen: tf.Tensor,
    update: Callable[..., tf.Tensor],
    value: tf.Tensor,
    kept: tf.Tensor,
) -> None:
    """Assign `update(variable, value)` to the cells of a tf.Variable where `frozen` is False, and
    `kept` to the others."""

    def masked() -> None:
        new = update(variable, tf.cast(value, variable.dtype))
        variable.assign(tf.where(frozen, kept, new))

    in_graph = not tf.executing_eagerly() and "CPU" in variable.device
    if in_graph and variable.shape.num_elements() and variable.shape.num_elements() >= LARGE:
        masked = tf.function(masked, autograph=False, jit_compile=True)
    masked()


def _keep(variable: tf.Variable, mask: tf.Tensor, old: Any) -> None:
    variable.assign(tf.where(mask, tf.cast(old, variable.dtype), variable))


def _op_name(path: str) -> str:
    return "".join(sign if sign.isalnum() else "_" for sign in path)


class SlotRegistry:
    """The Cells of each variable, in `cells`; `key` is a function that tells variables apart, and
    takes the copies of a mirrored variable for one."""

    def __init__(self, cells: list[Cells], key: Callable[[Any], Any]) -> None:
        self.key = key
        self.cells: list[Any] = []
        self._of: dict[Any, Any] = {}
        for each in cells:
            self.add(each)

    def add(self, cells: Cells) -> None:
        """Enter the Cells of one more variable."""
        self.cells.append(cells)
        self.note(cells.variable, cells)

    @property
    def variables(self) -> list[Variable]:
        """The variables that the optimizer was built for, as they were given: Keras looks up the
        constraint of its own ones."""
        return [each.given for each in self.cells]

    @property
    def everything(self) -> list[tf.Variable]:
        """All weights, what is trained in place of them, and slots: a list of tf.Variables."""
        slots = [slot.variable for cells in self.cells for slot in cells.slots]
        weights = [each for cells in self.cells for each in (cells.variable, cells.trained)]
        return [raw(variable) for variable in (*weights, *slots)]

    def enter(
        self,
        slot: Variable,
        reference: Variable,
        maker: keras.Optimizer,
        name: str,
        initializer: Any,
    ) -> None:
        """Enter a slot that the optimizer `maker` made for the variable `reference`, by the
        arguments of its `add_variable_from_reference`; of other variables, nothing."""
        cells = self.find(reference)
        if cells is not None:
            cells.slots.append(Slot(slot, name, maker, initializer))
            self.note(slot, cells)

    def note(self, variable: Variable, cells: Cells) -> None:
        """Note that a variable beside the trained one belongs to its Cells, too."""
        self._of[self.key(variable)] = cells

    def find(self, variable: Any) -> Any:
        """Return the Cells to which a variable or a slot belongs, or None."""
        return self._of.get(self.key(variable))

    def __getitem__(self, variable: Variable) -> Any:
        try:
            return self._of[self.key(variable)]
        except (KeyError, AttributeError):
            raise ValueError(self._stranger(variable)) from None

    def _stranger(self, variable: Any) -> str:
        if not isinstance(variable, Variable):
            message = f"{type(variable).__name__} arrived where a variable was wanted"
            how = "Pass one of layer.trainable_variables, such as layer.embeddings or layer.kernel"
            if tf.is_tensor(variable):
                how += ". (After enable_lora, layer.kernel is computed from others, and is none)"
            return f"{message}. {how}."
        path = path_of(variable)
        if path in (cells.path for cells in self.cells):
            return (
                f"{path!r} arrived, which is not the variable of that name for which this "
                "optimizer was built, but that of another model or layer."
            )
        some = ", ".join(repr(cells.path) for cells in self.cells[:3])
        more = f" and {len(self.cells) - 3} more" if len(self.cells) > 3 else ""
        return (
            f"{path!r} arrived, for which this optimizer was not built (but for {some}{more}). "
            "Pass a variable that it trains. If the model has trained this one only since then, "
            "make a new optimizer, "
            "new.build(model.trainable_variables), new.take_over(this one), and compile."
        )

    def put_back(self, update: Update, cells: list[Cells], before: dict[Any, tf.Tensor]) -> None:
        """Give frozen cells and their slots what they held in `before`, a dict from key to tensor.

        `update` is that of a tf.distribute strategy: each replica writes its own, for the mean of
        equal numbers would round.
        """
        find = lambda variable: before[self.key(variable)]  # noqa: E731
        for each in cells:
            for slot in (None, *each.slots) if each.mask is not None else ():
                target = raw(slot.variable if slot else each.trained)
                arguments = each.mask, each.held(slot, find)
                update(target, _keep, arguments, group=False)
