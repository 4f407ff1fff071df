"""The course's code, read from top to bottom; imports only ever point up this list.

home            where the course lives: repository and site
names           names chosen from a list, and what an unknown one hears
masks           boolean masks: True = frozen, everywhere
bits            which cells changed, judged by their bits
datasets        real and made data that need no network
pretrained      a real table of words, fetched by pip when a page wants it
room            whether a small machine has memory for one more notebook
quiet           a start of TensorFlow without a word
device          TensorFlow, started quietly, on the GPU when there is one
private         what is private to TensorFlow, and what is done where it is not to be found
freezing/       the exact freeze: a subclass of your own optimizer
cases           what people come with: a padding row, a tied table, a head that grows, …
free_values     layers to take home of which the free values alone are a variable
optimizers      optimizers by their names, all of them able to freeze cells
networks        small networks for the digits
techniques      every recipe for freezing cells, one short function each
packing         a variable's free values as a vector, and an optimizer that trains this instead
own_techniques  a technique of one's own, and what is checked before anything trains with it
stations/       where in a step a technique acts, and where a frozen cell escapes: for its drawing
step            one training step, in which a technique acts; everybody trains through it
model_trainer   the one trainer of a Keras model: technique, optimizer, loss, batches
pictures/       heatmaps, charts, the leak matrix
forms           what forms share: inputs, a sentence, a picture, and how a page is told of them
widget/         what the course's own widgets are made of: code for the browser, colours
playground/     the painted grid, the thread that trains, and the thing people play with
studies/        what notebooks compute beside the playground: costs, split layers, tasks in turn
leaks/          the laboratory: which technique leaks, under which optimizer, in which situation
guide/          questions that narrow the ways to freeze down
capstone/       a delivery that is judged by bits, accuracy, patch and memory
board/          a model's variables as tiles that light up when a line of code moves them
exercises/      guesses that are kept and compared, functions to write that are checked
tools/          the environment, the notebooks' files, a real browser
site/           the course without a kernel: pages on which the playground trains in the browser
bench/          measurements, each a table of medians and ratios
__main__        python3 -m helpers lab | test | site | bench | run | pin | address

A folder's own `__init__.py` lists what is inside, in the same way.

Words, each for one thing:

cell        one number of a variable, such as a kernel
mask        which cells of a variable are frozen: bool, of its shape, True = frozen
slot        what an optimizer keeps for each cell; all slots and counts are its state, or memory
technique   code that is to hold frozen cells (Technique); in prose also a recipe
knob        a number of the optimizer that is turned while it trains: rate, momentum, decay
leak        a frozen cell whose bits have changed; an escape is the way it took past a technique
situation   what surrounds a technique in the leak laboratory; a verdict is what was found there
station     a place that every training step passes
page        a part of a variable that stands on the grid; a stroke is what one drag paints there
bet         what is said before a run: painted cells are a prediction, its claim what they will do
control     what a person uses on the playground; one is the list of tools, such as the brush
driver      whoever stands behind a grid; a session has a run, and the trainer that takes its steps
front end   whoever shows a run: the panel of a notebook, or another one
frame       all that a browser shows at one moment; an operation is what it asks for
study       what a notebook computes beside the playground
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
