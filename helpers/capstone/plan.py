"""What is decided before the work begins: which cells train, and what holds the others."""

import dataclasses

from helpers.names import known

NEW = 9  # the digit that is to be learnt, and its output
BUDGET = 522  # cells that the patch may change: 2 % of 26,122

# What a plan may train, by name, and what is said of it on the form.
TRAINS = {
    "new output": "the new output's weights and its bias",
    "new output, all biases": "the new output's weights, and all ten biases of the last layer",
    "last layer": "the last layer, with all ten outputs",
    "Fisher": f"the {BUDGET} cells that matter most to the new digit",
    "at random": f"{BUDGET} cells drawn at random",
    "everything": "all cells",
}
FREEZE_BY = {
    "gradient_times_mask": "gradient × mask",
    "where_gradient": "tf.where on the gradient",
    "flags": "trainable = False, layer by layer",
    "restore": "restore after the step",
    "exact": "exact freeze",
    "compact": "exact freeze, compact",
}
HELD_BY_OPTIMIZER = "exact", "compact"  # other recipes are part of the loop, flags of the model
# The optimizers that a plan may name, and with which settings each of them works.
OPTIMIZERS = {
    "sgd": {"learning_rate": 0.1},
    "momentum": {"learning_rate": 0.02, "momentum": 0.9},
    "adam": {"learning_rate": 0.01},
    "adamw": {"learning_rate": 0.01},  # with Keras' decay of 0.004
}


@dataclasses.dataclass(frozen=True)
class Plan:
    """How the reader is to learn the new digit.

    trains        which cells train, by a name in TRAINS; or a bool mask for each of the network's
                  six variables, True = frozen
    freeze_by     what holds all the other cells, by a name in FREEZE_BY
    freeze_again  whether the masks of the interrupted training are handed to the new optimizer;
                  a recipe that is part of the loop, or a layer's flag, needs no such line
    ahead         by how much the new digit's score must lead before the reader says the new digit
    optimizers    the optimizers before and after the interruption, names in OPTIMIZERS
    all_pictures  whether it trains on all pictures, of which a tenth are of the new digit; if not,
                  half of those that it trains on are

    Raises ValueError for a name that is not known, or an optimizer too many or too few.
    """

    trains: str | list = "new output"
    freeze_by: str = "exact"
    freeze_again: bool = True
    ahead: float = 0.0
    optimizers: tuple = ("adam", "adamw")
    all_pictures: bool = False

    def __post_init__(self):
        if isinstance(self.trains, str):
            known("choice of cells", self.trains, TRAINS)
        known("way to freeze", self.freeze_by, FREEZE_BY)
        if len(self.optimizers) != 2:
            raise ValueError(
                f"{len(self.optimizers)} optimizers arrived; two were wanted, one before the "
                "interruption and one after it."
            )
        for name in self.optimizers:
            known("optimizer", name, OPTIMIZERS)
