"""What forms share: how a page is told of a widget, whichever ipywidgets there is, and a list."""

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
