"""What a picture of a notebook is to those who do not see it: taken from the code that drew it."""

import ast

LABELS = {"title", "xlabel", "ylabel", "label", "suptitle"}
SETTERS = {"set_title", "set_xlabel", "set_ylabel", "suptitle", "legend"}


def alt_text(source, kind, heading):
    """Return a sentence on a picture.

    source   the code of its cell
    kind     what Jupyter calls the output where it has no picture, such as "Board with 4 tiles"
    heading  of the section in which it stands
    """
    named = ", ".join(_labels(ast.parse(source)))
    if kind.startswith("<Figure"):
        what = f"A chart with the labels {named}" if named else "A chart"
    elif kind.startswith("<"):
        what = "A picture"
    else:
        return f"{kind}, as it stands before anybody has played with it; section “{heading}”."
    return f"{what}; the code above draws it, in the section “{heading}”."


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
