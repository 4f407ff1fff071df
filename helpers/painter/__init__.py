"""The widget on which a mask is painted: painter.py in the kernel, painter.mjs in the browser."""

from helpers.painter.painter import Painter

__all__ = ["Painter"]
