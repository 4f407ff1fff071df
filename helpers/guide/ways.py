"""The ways to freeze that this course has tried, and what is known of each."""

import dataclasses
import pathlib

PROGRAMS = pathlib.Path(__file__).with_name("programs")
LAYERS, VARIABLES, ROWS, CELLS = "whole layers", "whole variables", "whole rows", "any cells"
COARSEST_FIRST = [LAYERS, VARIABLES, ROWS, CELLS]


@dataclasses.dataclass(frozen=True)
class Way:
    """A way to freeze.

    name       how it is called
    finest     the smallest thing that it can freeze, one of COARSEST_FIRST
    page       the file of the notebook that tries it
    program    the file in `programs` that shows it, without its ending
    technique  its row in the leak matrix, a name in `techniques.TECHNIQUES`; None for a way that
               keeps what is frozen from the optimizer altogether, and has no row
    taken_for  the way whose run in the laboratory is taken for its own, or ""
    in_fit     whether it serves in `model.fit` without a train step of one's own
    in_loop    whether it serves in a loop of one's own
    repaints   whether the mask can change while it trains, and nothing is built anew
    saves      whether time or memory is saved
    drifts     whether the variable itself moves behind what the model sees
    forgets    whether a thawed cell begins with an empty memory
    acts_last  whether it acts once more when training has ended
    note       what to know of it that no question asks
    """

    name: str
    finest: str
    page: str
    program: str
    technique: str | None = None
    taken_for: str = ""
    in_fit: bool = True
    in_loop: bool = True
    repaints: bool = True
    saves: bool = False
    drifts: bool = False
    forgets: bool = False
    acts_last: bool = False
    note: str = ""

    @property
    def title(self):
        """The title of its page."""
        return self.page.removesuffix(".ipynb")[3:].replace("_", " ").capitalize()

    @property
    def rests_on(self):
        """What its verdict rests on: a run of its own, that of another way, or none."""
        if not self.technique:
            return "no run"
        return f"the run of “{self.taken_for}”" if self.taken_for else "a run"

    @property
    def code(self):
        """Its program, as text."""
        return (PROGRAMS / f"{self.program}.py").read_text(encoding="utf-8")


def _apart(*names, **more):
    """Return a way by which the optimizer never sees what is frozen, so that it costs nothing."""
    return Way(*names, repaints=False, saves=True, **more)


MASK, RESTORE = "01_mask_the_gradient.ipynb", "02_restore_after_the_step.ipynb"
MEMORY, SAVES = "03_hold_the_memory.ipynb", "30_what_saves_memory.ipynb"
# From the simplest to the one that asks for most.
WAYS = [
    _apart(
        "layer.trainable = False",
        LAYERS,
        "13_freeze_a_layer.ipynb",
        "layer",
        note="Set it before compile. It is saved with the model.",
    ),
    _apart(
        "variable.trainable = False",
        VARIABLES,
        "15_freeze_a_variable.ipynb",
        "variable",
        note="Set it before compile. The flag of a variable is not saved with the model.",
    ),
    _apart(
        "a list of variables",
        VARIABLES,
        "16_choose_what_the_optimizer_sees.ipynb",
        "list_of_variables",
        in_fit=False,
    ),
    Way(
        "tf.where on the gradient",
        CELLS,
        MASK,
        "where_gradient",
        "where_gradient",
        in_fit=False,
        note="It holds as long as nobody changes the optimizer. In fit it needs a train_step.",
    ),
    Way(
        "gradient × mask",
        CELLS,
        MASK,
        "gradient_times_mask",
        "gradient_times_mask",
        in_fit=False,
        note="It turns a frozen −0.0 into 0.0, and 0 times NaN is NaN. Take tf.where instead.",
    ),
    Way(
        "put back by a constraint",
        CELLS,
        RESTORE,
        "constraint",
        "restore",
        note="Set it before compile. It is not saved with the model. It holds the values, and not "
        "what the optimizer remembers of them. In a loop of your own, kernel.assign(tf.where("
        "frozen, values, kernel)) behind optimizer.apply does the same.",
    ),
    Way(
        "put back by a callback",
        CELLS,
        RESTORE,
        "callback",
        "restore",
        taken_for="put back by a constraint",
        in_loop=False,
        acts_last=True,
        note="As the constraint, and it also undoes what is written after the last step. With "
        "steps_per_execution above 1 it comes only after so many steps.",
    ),
    Way(
        "stop_gradient",
        CELLS,
        "07_stop_the_gradient.ipynb",
        "stop_gradient",
        "stop_gradient",
        note="It holds as long as nobody changes the optimizer. The model has another layer.",
    ),
    _apart(
        "train the free values",
        CELLS,
        "04_train_only_the_free_values.ipynb",
        "free_values",
        "free_values",
        note="The mask is known before training. The model has another layer, and so has its "
        "file. Ready-made layers stand in helpers/free_values.py.",
    ),
    _apart(
        "frozen rows split off",
        ROWS,
        "19_new_rows_in_an_old_table.ipynb",
        "split_rows",
        note="The rows are known before training. The model has another layer, and so has its "
        "file.",
    ),
    Way(
        "shadow copy",
        CELLS,
        "08_keep_a_shadow_copy.ipynb",
        "shadow_copy",
        "shadow_copy",
        drifts=True,
        note="It holds what the model sees. The variable behind it moves, and is saved so.",
    ),
    Way("exact freeze", CELLS, MEMORY, "exact", "exact"),
    Way(
        "exact freeze, compact",
        CELLS,
        SAVES,
        "compact",
        "exact",
        taken_for="exact freeze",
        saves=True,
        forgets=True,
        note="It saves where less than a third of a large "
        "variable is free, and takes SGD, Adam, AdamW and six more.",
    ),
]
