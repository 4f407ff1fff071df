"""One training step, in which a technique acts; whoever trains in this course comes through here.

weights → what the model sees → loss → gradient → the optimizer's step → what is kept of it
"""

from dataclasses import dataclass
from typing import Any

from helpers.device import tf


@dataclass(frozen=True)
class Cells:
    """Hold what a technique is told of the cells of one variable.

    frozen  bool, of the variable's shape, True = frozen: a tensor or a variable
    shadow  the copy for a technique that shows the model one, of the variable's shape
    places  for a technique that trains the free values alone, where they belong: int (free,
            dimensions). The variable is then their vector, `shadow` holds the frozen cells, and
            nothing reads `frozen`
    """

    frozen: Any = None
    shadow: Any = None
    places: Any = None


def training_step(technique, variables, cells, loss, apply):
    """Take one training step in which `technique` freezes cells; return the loss.

    technique  a Technique; see `helpers/techniques.py` for the four places at which it acts
    variables  the Keras variables that train
    cells      a dict: the Cells of each variable that has frozen ones, by its place among them
    loss       (values) -> scalar tensor; `values` is what the model is to compute with, a tensor a
               variable. A penalty on a variable itself, as of a regularizer, reads the variable.
    apply      (gradients) -> the optimizer takes its step with them; None where there is none
    """
    raw = [variable.value for variable in variables]
    with tf.GradientTape() as tape:
        values = [tf.convert_to_tensor(variable) for variable in raw]
        for place, each in cells.items():
            values[place] = _shown(technique, values[place], each)
        value = loss(values)
    gradients = [_whole(gradient) for gradient in tape.gradient(value, raw)]
    for place, each in cells.items():
        gradients[place] = technique.act("gradient", gradients[place], frozen=each.frozen)
    before = {place: tf.identity(raw[place]) for place in cells if technique.after}
    apply(gradients)
    for place, held in before.items():
        after = technique.act("after", held, raw[place], frozen=cells[place].frozen)
        variables[place].assign(after)
    return value


def _shown(technique, value, cells):
    """Return what the model is shown of a variable."""
    if technique.values:
        return technique.values(cells.shadow, cells.places, value)
    value = technique.act("weights", value, frozen=cells.frozen)
    return technique.act("shadow", cells.shadow, value, frozen=cells.frozen)


def _whole(gradient):
    """Return a gradient of every cell, which techniques want; that of a table is a list of rows."""
    rows = isinstance(gradient, tf.IndexedSlices)
    return tf.convert_to_tensor(gradient) if rows else gradient
