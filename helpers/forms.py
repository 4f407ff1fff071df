"""What the forms of the course share: inputs, a sentence, a picture, and how a page is told of
them."""

import contextlib

import ipywidgets
from IPython.display import Image

from helpers.pictures import plots

VIEW = "application/vnd.jupyter.widget-view+json"
WIDE = {"style": {"description_width": "initial"}, "layout": {"width": "min(34em, 95%)"}}


class Form:
    """Inputs one below the other, a sentence about what is chosen, and a picture of it.

    A subclass makes its inputs, hands them over, and calls `show` whenever something has changed.
    `widget` is what is displayed. `goals` has what there is to look for -> whether a result reaches
    it, and `reached` those that were reached: a goal that was reached stays so.
    """

    def __init__(self, *inputs, goals=()):
        self.goals, self.reached = dict(goals), set()
        self._told, self._picture = ipywidgets.HTML(), ipywidgets.Image(format="png")
        # At its own size: a picture that is stretched to the width of a page is blurred.
        self._picture.layout = {"max_width": "100%", "align_self": "flex-start"}
        self.widget = ipywidgets.VBox([*inputs, self._told, self._picture])

    def reach(self, *result):
        """Note which goals a result reaches."""
        self.reached.update(goal for goal, reaches in self.goals.items() if reaches(*result))

    def show(self, figure, text=""):
        """Show a matplotlib Figure below a sentence and the goals, as in `told`."""
        goals = {goal: goal in self.reached for goal in self.goals}
        self._told.value = told(text, goals) if text else ""
        self._picture.value = plots.png(figure)

    def picture(self):
        """Return what is shown now as a picture."""
        return Image(bytes(self._picture.value))

    def still(self):
        """Return the picture that readers without a kernel see."""
        return self.picture()

    def _repr_mimebundle_(self, **_):
        """Return the form, and a picture for readers without a kernel."""
        shown = {**view_of(self.widget), "text/plain": repr(self)}
        return {**shown, "image/png": self.still().data}


@contextlib.contextmanager
def working(button):
    """A context in which the input by which one sets to work takes no second press."""
    button.disabled = True
    try:
        yield
    finally:
        button.disabled = False


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


def slider(name, values, begin, text="{:,}"):
    """Return a slider over some values, which are told by the format `text`; it counts as moved
    when it is let go."""
    options = [(text.format(value), value) for value in values]
    given = dict(options=options, value=begin, description=name, continuous_update=False)
    return ipywidgets.SelectionSlider(**given, **WIDE)


def told(text, goals=()):
    """Return the HTML of a sentence and, below it, of goals, {goal: whether it was reached}, that a
    screen reader says whenever it changes."""
    marks = [f"{'✓' if reached else '○'} {goal}" for goal, reached in dict(goals).items()]
    return f'<div role="status">{"<br>".join([text, *marks])}</div>'
