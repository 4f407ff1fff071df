"""The leak laboratory: which technique leaks, under which optimizer, in which situation, and why.

regression   the small regression on which everything here is tried
situations   what a run and its optimizer are given, and which cells are watched
run          a run of the regression, in which a technique freezes half of the kernel
verdicts     judge: how many cells leak, and how far, for each technique, optimizer and situation
rehearsal    such a run on a playground's loop: which step does the harm
replay       a verdict's run in a playground, paused before that step
step_chooser  the drawing of a step, for a recipe and a situation that are chosen
laboratory/  the verdicts as squares to click on, each of which opens its run

A situation is one of training steps; what passes them by, such as an `assign` in a callback, is for
`freezing.LeakCheck` to find.
"""

from helpers.leaks.situations import SITUATIONS, Situation
from helpers.leaks.verdicts import AFTER_THE_LAST_STEP, Verdict, judge

__all__ = ["AFTER_THE_LAST_STEP", "SITUATIONS", "Situation", "Verdict", "judge"]
