"""The playground: paint a mask, train, and watch which cells move.

locks        the locks there are, and the order in which they may be taken
driver       Driver and FrontEnd: what those who train a grid and show it ask of each other
grids        the shape of a grid, and cells of it named by rows and columns
cell_names   what the rows and columns of a grid are called
tasks        what is trained, and which of its cells stand on the grid
painter/     the widget on which a mask is painted with mouse, finger or keys
settings     which controls are shown, and what can be chosen: technique, optimizer, page, speed
orders       carries out what a browser asks of a run: train, pin, bet, share, …
panel        the playground's one widget: a painter with controls, which can be linked
knobs        rate, momentum and decay of an optimizer, turned while it trains
compiled     one graph for all runs of a kind, each with its own variables
recording    what happens in chosen cells, written down inside the compiled loop
history      what was chosen and painted, and at which step; no weights
chunk        what the loop's graph does: some steps, each through the one training step
free_chunk   the same where a vector of the free values trains
loop         the compiled training loop: one trace, whatever is chosen
microscope   the pinned cells, and what was recorded of them
trainer      the thread that trains live, in chunks of a few milliseconds
cell_trainer  the same without a thread, for notebooks that do not show what a thread has changed
goals        what a page asks somebody to do, and whether it is done
progress     collects the loss curve, the accuracy, and how fast it goes
pages        the masks and the bets of all pages of a task
run          a run under way: what is noted of its steps, and the numbers of a frame
example      a short run for the picture of a playground that nobody has touched
session      the driver of a playground's panel: gives the trainer's thread what is asked of a run
share        a playground as one short line of text
optimizer_lines  the optimizers of a run, as lines of a program
script       a run as a program that stands alone
overlays     arrays that a page brings along, viewed as heat in place of the weights
offered      one playground's optimizers, made of the names that it lists
stills       pictures of a playground for readers without a kernel
playground   the thing people play with
"""

from helpers.playground.playground import Playground
from helpers.playground.settings import FEW

__all__ = ["FEW", "Playground"]
