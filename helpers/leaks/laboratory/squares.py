"""The leak matrix as a widget: a table of buttons, one situation at a time."""

import pathlib

import traitlets
from matplotlib import colors

from helpers.pictures import leak_matrix
from helpers.techniques import label_of
from helpers.widget import Widget, bundle

HERE = pathlib.Path(__file__).parent


class Squares(Widget):
    """Verdicts of `leaks.judge`, a button each: techniques × optimizers, and a tab a situation.

    abouts  situation -> a sentence on it
    press   (technique, optimizer, situation) -> None, called when somebody presses a square

    `preparing` and `opened` name a square by these three, or are empty. `outlook` is said below the
    squares, and `error` too, as an alert. A square is coloured as in the static picture.
    """

    javascript = bundle.joined(bundle.ELEMENTS, HERE / "squares.mjs")
    _css = bundle.styled(HERE / "squares.css")
    optimizers: traitlets.List = traitlets.List().tag(sync=True)
    panels: traitlets.List = traitlets.List().tag(sync=True)
    preparing: traitlets.List = traitlets.List().tag(sync=True)
    opened: traitlets.List = traitlets.List().tag(sync=True)
    outlook = traitlets.Unicode("").tag(sync=True)
    error = traitlets.Unicode("").tag(sync=True)

    def __init__(self, verdicts, abouts, press):
        self._press = press
        situations = list(dict.fromkeys(verdict.situation for verdict in verdicts))
        optimizers = list(dict.fromkeys(verdict.optimizer for verdict in verdicts))
        panels = [_panel(name, verdicts, optimizers, abouts) for name in situations]
        super().__init__(panels=panels, optimizers=optimizers)
        self.on_msg(self._receive)

    def _receive(self, _, message, buffers):
        """Pass a press on; what is wrong with the square that it names, the listener says."""
        if isinstance(message, dict) and isinstance(message.get("square"), list):
            self._press(*message["square"])


def _panel(situation, verdicts, optimizers, abouts):
    """Return what the browser shows of a situation, in lists and dicts."""
    here = [verdict for verdict in verdicts if verdict.situation == situation]
    square_at = {(verdict.technique, verdict.optimizer): _square(verdict) for verdict in here}
    rows = [
        {
            "technique": name,
            "label": label_of(name),
            "squares": [square_at.get((name, other)) for other in optimizers],
        }
        for name in dict.fromkeys(verdict.technique for verdict in here)
    ]
    harmed = sum(bool(verdict.cells) for verdict in here)
    return {"situation": situation, "about": abouts[situation], "harmed": harmed, "rows": rows}


def _square(verdict):
    """Return a verdict as its button shows it: two lines of text, a sentence, two colours."""
    face = leak_matrix.face(verdict)
    shown = {"face": colors.to_hex(face), "ink": leak_matrix.ink(face), "far": ""}
    if verdict.cells is None:
        return {**shown, "text": "–", "told": verdict.note}
    if verdict.holds:
        return {**shown, "text": "✓", "told": f"holds: none of {verdict.of} cells harmed"}
    text, below = leak_matrix.told(verdict)
    message = f"{verdict.cells} of {verdict.of} cells harmed, by {below or text} ulp at most"
    return {**shown, "text": text, "far": below, "told": message}
