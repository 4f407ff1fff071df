"""Formulas as MathML, which every browser shows without a script."""

import functools

from latex2mathml.converter import convert


@functools.cache
def mathml(latex, display="inline"):
    """Return a formula as MathML, written in LaTeX without its dollars.

    display  "inline", or "block" for one on a line of its own, which scrolls if it is too long
    """
    known = latex.strip().replace("{aligned}", "{align*}")  # which it does not know by that name
    formula = convert(known, display=display)
    return f'<div class="wide">{formula}</div>' if display == "block" else formula
