"""What the loss, the optimizer and the loop around a training step are like."""

from dataclasses import dataclass

from helpers.stations.texts import ANY_MEMORY, DECAYING, MEMORY


@dataclass(frozen=True)
class Conditions:
    """Describe the loss, the optimizer and the loop around a step.

    optimizer  "sgd", "momentum", "adam" or "adamw". Any other name gets a general wording, and its
               memory is taken to move a cell even without steps from before, as that of Ftrl does
    penalty    whether the loss has a penalty on the variable itself, as of a regularizer
    clip       whether gradients are clipped by a norm over all cells
    average    whether a running average overwrites the weights (Keras: use_ema=True)
    warm       whether cells trained before they were frozen, so that memory is left over
    decay      whether there is weight decay; None: as the optimizer has it without being asked
    nan        whether a frozen cell's gradient can be NaN or infinite
    thaw       whether cells are thawed later: a leak is then also what makes them jump
    """

    optimizer: str
    penalty: bool = False
    clip: bool = False
    average: bool = False
    warm: bool = True
    decay: bool | None = None
    nan: bool = False
    thaw: bool = False

    @property
    def name(self) -> str:
        """Return the optimizer's name as it stands in MEMORY and STEP, if it does."""
        return str(self.optimizer).lower()

    @property
    def memory(self) -> tuple[str, str] | None:
        """Return what the optimizer remembers, a sentence and a formula, or None."""
        return MEMORY.get(self.name, ANY_MEMORY)

    @property
    def decays(self) -> bool:
        """Tell whether the weights decay, asked for or not."""
        return self.name in DECAYING if self.decay is None else self.decay

    @property
    def coasts(self) -> bool:
        """Tell whether memory from before the freeze can move a cell."""
        return self.memory is not None and (self.warm or self.name not in MEMORY)
