"""What the course's own widgets are made of: the painter, the board, the leak laboratory.

subshell      lets a widget answer its page while a cell keeps the kernel busy
bundle        the modules of a widget's browser side as the one that a widget may load
base          loads that one once for each page, and leaves nothing behind when it is closed
one_per_cell  closes what an earlier run of the same cell has left

browser/elements.mjs makes the elements of a page, browser/model.mjs says what a widget's model is;
look.css has the colours (the host's, light or dark), buttons and outlines that all of them share;
each adds a sheet of its own. Forms of buttons and lists, as the guide's, are ipywidgets.
"""

from helpers.widget.base import Widget

__all__ = ["Widget"]
