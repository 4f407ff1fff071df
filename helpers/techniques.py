"""Every recipe for freezing cells, as a learner would take it home: one short function each.

A recipe acts at one of four places in a training step, and its signature says which:

    weights   (value, frozen) -> what the model sees of the variable
    shadow    (shadow, value, frozen) -> the same, from a copy that was made as cells were frozen
    gradient  (gradient, frozen) -> what the optimizer sees of the gradient
    after     (before, after, frozen) -> what the variable holds when the step is over

All tensors have the variable's shape; `frozen` is bool, True = frozen; `before` is what stood there
before this very step. A recipe is told no number of the step and remembers nothing between two: one
that does needs another argument here, in `step.Cells`, and from all who make those, which
`CONTRIBUTING.md` lists.

Two recipes act at none of these places. One trains another variable, a vector of the free values
alone:

    values    (held, places, free) -> what the model sees, of the shape of `held`

The exact freeze is a property of the optimizer, see `helpers/freezing`.
"""

from collections.abc import Callable
from dataclasses import dataclass

from helpers.device import tf


def gradient_times_mask(gradient, frozen):
    """Multiply the gradient by 0 where frozen and 1 where free.

    Does not protect from momentum left over in the optimizer, from weight decay, or from NaN
    in a frozen cell's gradient, because 0 × NaN is NaN.
    """
    return gradient * tf.cast(~frozen, gradient.dtype)


def where_gradient(gradient, frozen):
    """Replace the gradient by 0 where frozen, whatever stood there, NaN included.

    Does not protect from momentum left over in the optimizer or from weight decay.
    """
    return tf.where(frozen, tf.zeros_like(gradient), gradient)


def stop_gradient(value, frozen):
    """Give the model the same value, but let no gradient back to its frozen cells.

    Must be called inside the tape. Does not protect from momentum left over in the optimizer,
    from weight decay, or from a regularizer that sees the raw variable.
    """
    return tf.where(frozen, tf.stop_gradient(value), value)


def shadow_copy(shadow, value, frozen):
    """Show the model a frozen cell's copy, made when it was frozen, in place of the cell.

    Exact in what the model sees. Does not protect the variable itself: momentum, weight decay and
    a regularizer move its frozen cells unseen; they are saved so, and a thaw makes them jump.
    """
    return tf.where(frozen, shadow, value)


def scatter_update(before, after, frozen):
    """Write the step's values of the free cells, by their indexes, into the tensor before the step.

    The same as `restore`, bit for bit, and several times slower: an index takes more room than a
    value, and cells are written one by one.
    """
    free = tf.where(~frozen)
    return tf.tensor_scatter_nd_update(before, free, tf.gather_nd(after, free))


def restore(before, after, frozen):
    """Put the frozen cells back as they stood before the step.

    Exact for the cells themselves. Does not keep the optimizer's own state for them, which goes
    on growing, so a thawed cell starts with a jump.
    """
    return tf.where(frozen, before, after)


def free_values(held, places, free):
    """Show the model the free values, a vector that trains, at their places among held ones.

    held    what frozen cells hold; of free cells it does not matter. No optimizer knows it
    places  int (free cells, dimensions): the indexes of the free cells
    free    the one variable that trains: a number for each free cell, in that order

    Exact by construction, under any optimizer, penalty and average: whatever an optimizer does, it
    has no variable with a frozen cell in it. It needs a layer of one's own and another file, see
    `helpers/free_values.py`, and another mask needs another vector: a cell that is thawed begins
    with an empty memory. An optimizer that looks at a matrix as a whole, such as Muon, Adafactor or
    Lamb, sees a vector.

    Where a mask changes, values and slots are packed anew before the next step: into a new vector
    in the leak laboratory; in the playground, which must not be traced again, to the front of one
    that has room for all cells. Both are Keras' own optimizers, see `helpers/packing.py`.
    """
    return tf.tensor_scatter_nd_update(held, places, free)


@dataclass(frozen=True)
class Technique:
    """A recipe: its name on screen, and where it acts; None = nothing is done there.

    `values` says that a vector of the free values trains, see `helpers/packing.py`, and `exact`
    that the optimizer itself keeps frozen cells, by `freezable`.
    """

    label: str
    weights: Callable | None = None
    shadow: Callable | None = None
    gradient: Callable | None = None
    after: Callable | None = None
    values: Callable | None = None
    exact: bool = False

    @property
    def acts_in_step(self):
        """Tell whether it does anything in a step, for which it must know the frozen cells; the
        exact freeze tells the optimizer instead."""
        return any((self.weights, self.shadow, self.gradient, self.after))

    def act(self, place, *values, frozen):
        """Return what the recipe makes of `values` at a place, by name; where it does not act, the
        last of them as it is. Shapes as above."""
        function = getattr(self, place)
        return function(*values, frozen) if function else values[-1]


TECHNIQUES = {
    "none": Technique("none: every cell trains"),
    "gradient_times_mask": Technique("gradient × mask", gradient=gradient_times_mask),
    "where_gradient": Technique("tf.where on the gradient", gradient=where_gradient),
    "stop_gradient": Technique("stop_gradient", weights=stop_gradient),
    "shadow_copy": Technique("shadow copy", shadow=shadow_copy),
    "scatter_update": Technique("restore by scatter", after=scatter_update),
    "restore": Technique("restore after the step", after=restore),
    "free_values": Technique("train the free values only", values=free_values),
    "exact": Technique("exact freeze", exact=True),
}


def label_of(name):
    """Return what a technique is called on screen, which for one of your own is its name."""
    technique = TECHNIQUES.get(name)
    return technique.label if technique else name
