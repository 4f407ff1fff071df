"""The widget on which a mask is painted: Python in the kernel, the modules of browser/ on the page.

painted_mask  a mask under editing: strokes go in, and can be undone one by one
planes        the grid in a frame, as bytes; a frame's numbers come from whoever trains
messages      what browser and kernel say to each other, as types
checks        what arrives from a browser is checked, not trusted
clients       the pages that speak to a widget, and how far each has come
link          the conversation with the browsers: how messages travel
operations    carries out what a browser asks of a painted mask
painter       the widget: it owns the mask, and tells the browser what to draw

The modules of browser/, each below those that it imports; messages.mjs has the types of messages:

bytes         bytes and bits as Python sends them
geometry      which cells a tool touches as the pointer crosses the grid
pixels        what a cell looks like
controls      the names, groups and hints of all controls
overlays      arrays that a page brings along, as heat
link          the browser's end of the conversation
store         what is known of the grid, and of what is painted and not yet confirmed
canvas        the grid on the screen, and the hatch of frozen cells
ticks         names of rows and columns beside it
cursor        the cell that pointer or keys point at
readout       its exact value
pins          marks of pinned cells
bets          signs of what is predicted, and of what came
pointer       pointer and keys over the grid: strokes
run           the buttons that train, and the lists beside them
knobs         sliders for numbers of the optimizer
popup         what a button opens over the grid
hints         a sentence on each tool
share         masks and choices as a line of text
more          the tools that unfold below the grid
toolbar       the tools, and what is chosen among them: brush, rectangle, …
curves        the loss and the accuracy over the steps
meters        beside the grid: leak meter, step, loss, accuracy, curves, legend
goals         what a page asks somebody to do, ticked off
stations      the drawing of a training step
traces        what was recorded of pinned cells
microscope    their curves
tour          five steps over the figure, for whoever opens it first
view          one place on the page where the widget is shown
widget        its life cycle, as anywidget calls it
"""

from helpers.playground.painter.painter import Painter

__all__ = ["Painter"]
