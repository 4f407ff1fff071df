"""A question that a page asks before a run, for a reader who answers it in thought."""

import ast
import re

ASKED = {"Guess", "Estimate", "Tapped", "Painted"}  # of helpers.exercises
OPTION = re.compile(r"\( \) (.+)")
SLIDER = re.compile(r"(-?\d+) \|-+\| (.+)")
BY_HAND = re.compile(r"Answer (?:by pressing|with Predict)")


def asks(tree):
    """Whether a cell with this tree of code does nothing but ask questions, and show them."""
    calls = [each.value for each in tree.body if isinstance(each, ast.Assign)]
    rest = [each for each in tree.body if not isinstance(each, ast.Assign)]
    return bool(calls) and all(map(_is_question, calls)) and all(map(_is_name, rest))


def read(text):
    """Return a question's printed text as (question, options), or None for another text."""
    lines = text.splitlines()
    told = [number for number, line in enumerate(lines) if _is_told(line)]
    if not told:
        return None
    return " ".join(lines[: told[0]]), [each for line in lines[told[0] :] for each in _option(line)]


def _option(line):
    """Return what can be answered, as the line of a printed question tells it: a list."""
    option, slider = OPTION.match(line), SLIDER.match(line)
    if slider:
        return [f"a number from {slider[1]} to {slider[2]}"]
    return [option[1]] if option else []


def _is_told(line):
    return any(pattern.match(line) for pattern in (OPTION, SLIDER, BY_HAND))


def _is_question(node):
    return isinstance(node, ast.Call) and ast.unparse(node.func) in ASKED


def _is_name(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Name)
