"""Which way: two wishes that no way to freeze grants together."""

import dataclasses

from helpers.exercises.exercise import Exercise, NotYet, expect
from helpers.guide.questions import Answers, narrow

USUAL = Answers()
GIVEN = "finest", "optimizer", "in_fit"  # what a case is; all the rest are wishes


def two_wishes():
    """Return a case that leaves nothing: to save memory, and to thaw cells as if only paused."""
    return {"saves": True, "situations": ["thaw"]}


def judge(attempt):
    """Let the guide look for a way, with four optimizers, in fit and in a loop."""
    case = attempt()
    expect(isinstance(case, dict), 'Return a dict of answers, for example {"repaints": True}.')
    answers = _answers(case)
    finest = "Let single cells be frozen: leave finest out. What is coarser has more ways."
    expect(answers.finest == USUAL.finest, finest)
    wishes = _wishes(answers)
    expect(len(wishes) == 2, f"Two wishes were asked for, and there are {len(wishes)}: {wishes}.")
    left = [found.way.name for found in narrow(answers) if not found.reason]
    expect(not left, f"There is still {' and '.join(left)}. Which wish takes that away?")
    return (
        "If you keep what the optimizer remembers of frozen cells, you save nothing, and if you "
        "save it, a thawed cell has nothing to go on with. One of the two wishes has to go."
    )


def _answers(case):
    """Return a dict as Answers; NotYet for what the guide does not ask."""
    names = [field.name for field in dataclasses.fields(Answers)]
    strange = [name for name in case if name not in names]
    expect(not strange, f"The guide asks nothing called {strange}; it asks for {names}.")
    try:
        return Answers(**case)
    except (TypeError, ValueError) as error:
        raise NotYet(str(error)) from error


def _wishes(answers):
    """Return what is ticked, by name."""
    given = dataclasses.asdict(answers)
    ticked = [name for name, value in given.items() if name not in GIVEN and value is True]
    return [*dict.fromkeys(answers.situations), *ticked]


exercise = Exercise(
    two_wishes,
    judge,
    [
        "Tick single boxes on the form, and note which ways each of them leaves.",
        "Two wishes do, if no way is left by both: the last two ways on the list are the last to "
        "go.",
        "One of them is about memory that is spared, the other about memory that is needed.",
    ],
)
