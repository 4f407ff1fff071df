"""What a page is told of a widget that a cell shows, whichever version of ipywidgets there is."""

VIEW = "application/vnd.jupyter.widget-view+json"


def view_of(widget):
    """Return the data by which a page shows an ipywidgets widget, by their type.

    ipywidgets 8 has a method for that, and version 7, which Colab has, does not.
    """
    return {VIEW: {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}}
