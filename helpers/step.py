"""One training step, in which a technique acts: what playground, leak laboratory and costs all run.

weights → what the model sees → loss → gradient → the optimizer's step → what is kept of it
"""

from helpers.device import tf


def training_step(technique, variables, painted, frozen, loss, apply, shadow=None, places=None):
    """Take one training step in which `technique` freezes cells of one variable; return the loss.

    technique  a Technique; see `helpers/techniques.py` for the four places at which it acts
    variables  the Keras variables that train
    painted    which of them has frozen cells: its place among them
    frozen     bool, of that variable's shape, True = frozen: a tensor or a variable
    loss       (values) -> scalar tensor; `values` is what the model is to compute with, a tensor a
               variable. A penalty on a variable itself, as of a regularizer, reads the variable.
    apply      (gradients) -> the optimizer takes its step with them; None where there is none
    shadow     the copy for a technique that shows the model one, of the variable's shape
    places     for a technique that trains the free values alone, where they belong: int (free,
               dimensions). The variable is then their vector, and `shadow` holds the frozen cells
    """

    def act(place, *values):
        return technique.act(place, *values, frozen=frozen)

    variable, raw = variables[painted], [v.value for v in variables]
    with tf.GradientTape() as tape:
        values = [tf.convert_to_tensor(v) for v in raw]
        if technique.values:
            values[painted] = technique.values(shadow, places, values[painted])
        else:
            values[painted] = act("shadow", shadow, act("weights", values[painted]))
        value = loss(values)
    gradients = [_whole(gradient) for gradient in tape.gradient(value, raw)]
    gradients[painted] = act("gradient", gradients[painted])
    before = tf.identity(variable.value)
    apply(gradients)
    if technique.after:
        variable.assign(act("after", before, variable.value))
    return value


def _whole(gradient):
    """The gradient of an embedding table comes as a list of rows; techniques want every cell."""
    rows = isinstance(gradient, tf.IndexedSlices)
    return tf.convert_to_tensor(gradient) if rows else gradient
