"""Which optimizers a playground offers, and what a choice of one's own is called."""

from helpers.optimizers import LISTED, freezable_optimizer, name_of


def optimizers(optimizer, task):
    """Every optimizer that can be chosen, by name: the task's or the usual ones, and the one asked
    for."""
    offered, name = task.listed or {name: name for name in LISTED}, called(optimizer, task.listed)
    if name not in task.listed:
        offered = {**offered, name: optimizer}
    return {name: freezable_optimizer(one, task.rates.get(name)) for name, one in offered.items()}


def called(optimizer, listed):
    """Return the name of an optimizer. One's own has a name that only the list knows; it was
    compiled with its settings."""
    return optimizer if optimizer in list(listed) else name_of(optimizer)


def known_optimizer(optimizer, listed):
    """Return the name of an optimizer, if it is one of a list's names; ValueError else."""
    name = called(optimizer, listed)
    if name not in listed or not isinstance(optimizer, str):
        raise ValueError(
            f"The optimizer {shown(optimizer)} arrived; this playground was compiled with "
            f"{', '.join(map(repr, listed))}. Choose one of these names, or make a new one: "
            f"Playground(optimizer={shown(optimizer)})."
        )
    return name


def shown(choice):
    """Return a name in quotes; of anything else, whose own text would change from run to run, its
    name or its class."""
    if isinstance(choice, str):
        return repr(choice)
    return getattr(choice, "__name__", type(choice).__name__)
