"""The situations in which frozen cells escape: what a run is given, and which cells are watched.

A situation is something that happens within training steps, where a technique could hold: the exact
freeze holds in all of them. What passes every optimizer by, such as an `assign` in a callback, is
for LeakCheck to find.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Situation:
    """Describe what a run and its optimizer are given, and what is watched.

    about    a sentence for whoever looks at its verdicts
    watched  "frozen": whether cells move while they are frozen; "free": whether free cells step as
             if the frozen cells' gradient were 0; "thawed": whether cells that were frozen and are
             free again step as if they, and what the optimizer keeps for them, had been held
    warm     how many steps every cell trains before the freeze
    decay    the optimizer's weight decay
    average  whether a running average overwrites the weights every other step
    clip     the length to which gradients are clipped, over all cells; 0 for none
    penalty  the factor of a penalty on the squares of the variable's cells
    nan      whether the gradient of one frozen cell is NaN; then free cells are watched as well
    asked    what somebody ticks whose training is like that; empty for what is always looked at
    """

    about: str
    watched: str = "frozen"
    warm: int = 0
    decay: float = 0.0
    average: bool = False
    clip: float = 0.0
    penalty: float = 0.0
    nan: bool = False
    asked: str = ""

    @property
    def options(self):
        """Return what its optimizer is made with: a dict, by the names that Keras has for it."""
        options: dict[str, float] = {}
        if self.decay:
            options |= {"weight_decay": self.decay}
        if self.average:
            options |= {"use_ema": True, "ema_momentum": 0.9, "ema_overwrite_frequency": 2}
        if self.clip:
            options |= {"global_clipnorm": self.clip}
        return options


SITUATIONS = {
    "cold": Situation("Half of the cells are frozen from the first step on."),
    "warm": Situation(
        "The cells are frozen after 3 steps in which every cell trained.",
        asked="trained before the freeze",
        warm=3,
    ),
    "decay": Situation(
        "The optimizer shrinks every weight a little at each step.",
        asked="weight decay",
        decay=0.1,
    ),
    "EMA": Situation(
        "Every other step, a running average overwrites the weights.",
        asked="a running average of the weights",
        average=True,
        warm=3,
    ),
    "L2": Situation(
        "A penalty on the weights in the variable is part of the loss.",
        asked="a penalty on the weights (L2)",
        penalty=0.01,
    ),
    "NaN": Situation(
        "One frozen cell's gradient is NaN. All cells are watched.",
        asked="NaN in a gradient now and then",
        nan=True,
    ),
    "clipping": Situation(
        "Long gradients are shortened. The free cells are watched: do they step as if the "
        "frozen cells' gradient were 0?",
        asked="gradients clipped by their norm",
        watched="free",
        clip=0.1,
        warm=3,
    ),
    "thaw": Situation(
        "The frozen cells are freed again: do they go on as if they had been held?",
        asked="thawed cells are to go on as if paused",
        watched="thawed",
        warm=3,
    ),
}
