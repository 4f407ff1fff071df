"""What a stored picture shows, in words: taken from the code that drew it."""

import ast

from helpers.site import live

LABELS = {"title", "xlabel", "ylabel", "label", "suptitle"}
SETTERS = {"set_title", "set_xlabel", "set_ylabel", "suptitle", "legend"}
# What the course's own functions draw, by how the code calls them.
DRAWN = {
    "step_drawing.picture": "A drawing of a training step",
    "animation": "A film of the grid: frozen cells are outlined, and red if they have changed",
    "microscope": "Curves of what the pinned cells went through",
}


def alt_text(tree, kind, heading):
    """Return a sentence on a picture.

    tree     the code of its cell, as ast has it
    kind     what Jupyter calls the output where it has no picture, such as "Board with 4 tiles"
    heading  of the section in which it stands, or ""
    """
    if not kind.startswith("<"):
        return f"{_widget(kind)}, {_when(tree)}."
    what = _chart(tree) if kind.startswith("<Figure") else _drawn(tree)
    place = f", in the section {heading}" if heading else ""
    return f"{what}. The code above draws it{place}."


def _when(tree):
    """Return when a widget looks so: after the example that its code gives it, if it gives one."""
    named = {node.arg for node in ast.walk(tree) if isinstance(node, ast.keyword)}
    if live.PICTURED in named:
        return "as it is after a short run"
    return "as it is before anybody has played with it"


def _widget(kind):
    return f"A grid of weights to paint on: {kind}" if kind.startswith("Playground(") else kind


def _chart(tree):
    named = ", ".join(_labels(tree))
    return f"A chart with the labels {named}" if named else "A chart"


def _drawn(tree):
    """Return what a call in the code draws; of something that draws itself, its name."""
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    named = {ast.unparse(each): each for each in calls if isinstance(each, ast.Attribute)}
    for name, function in named.items():
        what = DRAWN.get(name) or DRAWN.get(function.attr)
        if what:
            return what
    own = [ast.unparse(each.value) for each in named.values() if each.attr == "picture"]
    return f"A picture of {own[-1]} as it is now" if own else "A picture"


def _labels(tree):
    """Return the texts that code writes into a chart, in its order, each once."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            texts = [each.value for each in node.keywords if each.arg in LABELS]
            setter = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            texts += node.args[:1] if setter in SETTERS else []
            found |= {word: None for text in texts for word in _words(text)}
    return found


def _words(node):
    """Return the literal texts in an expression: one, or a list of them."""
    nodes = node.elts if isinstance(node, ast.List | ast.Tuple) else [node]
    constants = [each.value for each in nodes if isinstance(each, ast.Constant)]
    return [" ".join(each.split()) for each in constants if isinstance(each, str) and each.strip()]
