"""The ways to freeze that this course has tried, and what is known of each."""

import dataclasses
from typing import Any

LAYERS, VARIABLES, ROWS, CELLS = "whole layers", "whole variables", "whole rows", "any cells"
COARSEST_FIRST = [LAYERS, VARIABLES, ROWS, CELLS]


@dataclasses.dataclass(frozen=True)
class Way:
    """A way to freeze.

    name       how it is called
    finest     the smallest thing that it can freeze, one of COARSEST_FIRST
    page       the number of the notebook that tries it
    technique  its row in the leak matrix, a name in `techniques.TECHNIQUES`; None for a way that
               keeps what is frozen from the optimizer altogether, and has no row
    repaints   whether the mask can change while it trains, and nothing is built anew
    saves      whether time or memory is saved
    in_fit     whether it serves in `model.fit` without a train step of one's own
    drifts     whether the variable itself moves behind what the model sees
    forgets    whether a thawed cell begins with an empty memory
    code       a line or two to begin with
    note       what to know of it that no question asks
    """

    name: str
    finest: str
    page: str
    technique: str | None = None
    repaints: bool = True
    saves: bool = False
    in_fit: bool = False
    drifts: bool = False
    forgets: bool = False
    code: str = ""
    note: str = ""


APART: dict[str, Any] = {
    "repaints": False,
    "saves": True,
    "in_fit": True,
}  # what a step never sees, costs nothing
WAYS = [
    Way("layer.trainable = False", LAYERS, "11", code="layer.trainable = False", **APART),
    Way(
        "variable.trainable = False",
        VARIABLES,
        "13",
        code="kernel.trainable = False",
        note="The flag of a variable is not saved with the model.",
        **APART,
    ),
    Way(
        "a list of variables",
        VARIABLES,
        "14",
        repaints=False,
        saves=True,
        code="free = [v for v in model.trainable_variables if v is not kernel]",
    ),
    Way(
        "frozen rows split off",
        ROWS,
        "19",
        code="layer = split_rows(layer, frozen_rows)",
        note="It needs to be known beforehand which rows these are.",
        **APART,
    ),
    Way(
        "gradient × mask",
        CELLS,
        "01",
        "gradient_times_mask",
        code="gradient *= tf.cast(~frozen, gradient.dtype)",
    ),
    Way(
        "tf.where on the gradient",
        CELLS,
        "01",
        "where_gradient",
        code="gradient = tf.where(frozen, 0.0, gradient)",
    ),
    Way(
        "stop_gradient",
        CELLS,
        "06",
        "stop_gradient",
        in_fit=True,
        note="In a layer of your own, it serves in fit.",
        code="seen = tf.where(frozen, tf.stop_gradient(kernel), kernel)",
    ),
    Way(
        "shadow copy",
        CELLS,
        "07",
        "shadow_copy",
        in_fit=True,
        drifts=True,
        code="seen = tf.where(frozen, copy, kernel)",
        note="In a layer of your own, it serves in fit. It holds what the model sees. The "
        "variable behind it moves on, and is saved so.",
    ),
    Way(
        "restore after the step",
        CELLS,
        "02",
        "restore",
        in_fit=True,
        note="In fit as a constraint; measured was the same in a loop. It holds the weights, and "
        "not what the optimizer remembers of them.",
        code="class PutBack(keras.constraints.Constraint):\n"
        "    def __call__(self, now):\n"
        "        return tf.where(frozen, held, now)\n\n"
        "kernel.constraint = PutBack()",
    ),
    Way(
        "train the free values",
        CELLS,
        "04",
        "free_values",
        code="layer = FreeDense.from_layer(layer, frozen)  # helpers/free_values.py",
        note="The plainest way to hold single cells, if the mask is known before training and a "
        "layer of your own will do: what is frozen is in no variable that trains. The file has "
        "another layer in it, too.",
        **APART,
    ),
    Way(
        "exact freeze",
        CELLS,
        "02",
        "exact",
        in_fit=True,
        code="optimizer = freezable(keras.optimizers.AdamW)(1e-3)\n"
        "optimizer.build(model.trainable_variables)\n"
        "optimizer.freeze_cells(kernel, frozen)",
    ),
    Way(
        "exact freeze, compact",
        CELLS,
        "19",
        "exact",
        saves=True,
        in_fit=True,
        forgets=True,
        note="Judged by the row of the exact freeze. It saves where less than a sixth of a large "
        "variable is free, and takes SGD, Adam, AdamW and six more.",
        code="optimizer = freezable(keras.optimizers.AdamW, compact=True)(1e-3)\n"
        "optimizer.build(model.trainable_variables)\n"
        "optimizer.freeze_cells(kernel, frozen)",
    ),
]
