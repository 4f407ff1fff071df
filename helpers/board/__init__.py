"""A model on a board: its variables as tiles that light up when a line of code moves them.

rows   what stands on the board: layers, and the variables of each
lines  a line of code that a reader runs, and what it led to
tiles  the widget with the tiles, and buttons that each run a line
board  the model, the lines that were run, and what they moved
"""

from helpers.board.board import Board

__all__ = ["Board"]
