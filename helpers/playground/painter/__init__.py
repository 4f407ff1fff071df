"""The widget on which a mask is painted: Python in the kernel, the modules of browser/ on the page.

painted_mask  a mask under editing: strokes go in, and can be undone one by one
frames        what the browser needs to draw the grid, as bytes
messages      what browser and kernel say to each other, as types
checks        what arrives from a browser is checked, not trusted
clients       the pages that speak to a widget, and how far each has come
link          the conversation with the browsers: how messages travel
operations    what a browser may ask of a painted mask
painter       the widget: it owns the mask, and tells the browser what to draw
"""

from helpers.playground.painter.painter import Painter

__all__ = ["Painter"]
