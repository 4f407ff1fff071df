"""What forms share: how a page is told of a widget, whichever ipywidgets there is, a list, and what
is said of goals."""

import ipywidgets

VIEW = "application/vnd.jupyter.widget-view+json"


def view_of(widget):
    """Return the data by which a page shows an ipywidgets widget, by their type.

    ipywidgets 8 has a method for that, and version 7, which Colab has, does not.
    """
    return {VIEW: {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}}


def dropdown(name, options, chosen, **look):
    """Return a list of options, {value: what is said of it}, one of them chosen; `look` are more
    options of an ipywidgets Dropdown, such as its layout."""
    pairs = [(text, value) for value, text in options.items()]
    return ipywidgets.Dropdown(options=pairs, value=chosen, description=name, **look)


def told(text, goals):
    """Return the HTML of a sentence and, below it, of goals, {goal: whether it was reached}, that a
    screen reader says whenever it changes."""
    marks = [f"{'✓' if reached else '○'} {goal}" for goal, reached in goals.items()]
    return f'<div role="status">{"<br>".join([text, *marks])}</div>'
