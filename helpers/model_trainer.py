"""The one trainer of a Keras model: a technique, an optimizer, a loss, and batches to step through.

A batch is inputs, labels and whatever else the loss takes. Nothing here is compiled by itself, so
that a step can stand in anybody's tf.function.
"""

from helpers import masks
from helpers.device import keras, tf
from helpers.freezing import CompactCells
from helpers.networks import cross_entropy
from helpers.step import Cells, training_step
from helpers.techniques import TECHNIQUES


class ModelTrainer:
    """Trains a Keras model while a technique freezes cells of its variables.

    model      a built Keras model, or a layer
    optimizer  a Keras optimizer, not built
    loss       (labels, outputs, *more) -> scalar tensor, the mean loss of a batch
    technique  a Technique. The exact one leaves the freeze to the optimizer, and any optimizer will
               do until cells are frozen
    penalty    () -> scalar tensor that is added to the loss; it reads the variables themselves
    variables  those that train, the model's trainable ones if left out

    Raises ValueError for a technique that trains other variables than the model's.
    """

    def __init__(
        self,
        model,
        optimizer,
        loss=cross_entropy,
        technique=TECHNIQUES["exact"],
        penalty=None,
        variables=None,
    ):
        if technique.values:
            wanted = "trains another variable; one that acts on the model's own was wanted"
            raise ValueError(f"{technique.label!r} arrived, which {wanted}, such as 'restore'.")
        self.model, self.optimizer, self.technique = model, optimizer, technique
        self._loss, self._penalty = loss, penalty
        self.variables = model.trainable_variables if variables is None else variables
        optimizer.build(self.variables)
        masked = self.variables if technique.acts_in_step else ()
        self.frozen = [tf.Variable(tf.zeros(v.shape, bool)) for v in masked]
        self._shadows = [tf.Variable(v.value) if technique.shadow else None for v in masked]
        self._freeze = tf.function(self._freeze_all)

    def freeze(self, frozen, on_thaw=None):
        """Freeze cells, and thaw the others.

        frozen   a mask for each of the variables: bool, True = frozen
        on_thaw  for the exact technique, as in `freeze_cells` of the optimizer

        Raises ValueError, with nothing frozen, if there are more or fewer masks than variables.
        """
        masks.check_one_each(frozen, [variable.path for variable in self.variables])
        settings = [tf.constant(mask) for mask in frozen], on_thaw
        freeze = self._freeze_all
        if not isinstance(self.optimizer, CompactCells):  # which makes its slots outside of graphs
            # The concrete function, for a tf.function that is made often would warn.
            freeze = self._freeze.get_concrete_function(*settings)
        freeze(*settings)

    def step(self, inputs, labels, *more):
        """Take one step on a batch; return its loss before the step, a scalar tensor."""

        def loss(values):
            loss = self._loss(labels, self._outputs(values, inputs), *more)
            return loss + self._penalty() if self._penalty else loss

        cells = dict(enumerate(map(Cells, self.frozen, self._shadows)))
        return training_step(self.technique, self.variables, cells, loss, self._apply)

    def seen(self):
        """Return what the model computes with now, an array for each variable: its values, or what
        the technique shows the model in their place."""
        if not self.technique.acts_in_step:
            return [variable.numpy() for variable in self.variables]
        each = zip(self._shadows, self.variables, self.frozen)
        return [
            self.technique.act("shadow", shadow, variable.value, frozen=frozen).numpy()
            for shadow, variable, frozen in each
        ]

    def steps(self, batch, count):
        """Take `count` steps, in a graph: `batch(number)` is what `step` takes."""
        number = tf.zeros((), tf.int32)
        while number < count:
            self.step(*batch(number))
            number += 1

    def _outputs(self, values, inputs):
        """Return what the model makes of inputs, in training mode, with other values in its
        variables."""
        with keras.StatelessScope(list(zip(self.variables, values))) as scope:
            outputs = self.model(inputs, training=True)
        for variable in self.model.non_trainable_variables:  # such as the means of BatchNorm
            value = scope.get_current_value(variable)
            if value is not None:
                variable.assign(value)
        return outputs

    def _apply(self, gradients):
        self.optimizer.apply(gradients, self.variables)

    def _freeze_all(self, frozen, on_thaw):
        if self.technique.exact:
            for variable, mask in zip(self.variables, frozen):
                self.optimizer.freeze_cells(variable, mask, on_thaw=on_thaw)
        for held, mask, shadow, variable in zip(self.frozen, frozen, self._shadows, self.variables):
            if shadow is not None:  # of a cell that is frozen already, the copy stays
                shadow.assign(tf.where(held, shadow, variable.value))
            held.assign(mask)
