"""The leak laboratory to click on: verdicts as buttons, each of which opens its run.

squares     the widget with the buttons
laboratory  the squares, and beside them the playground of the one that was clicked
"""

from helpers.leaks.laboratory.laboratory import Laboratory

__all__ = ["Laboratory"]
