"""The board as a widget: tiles, switches, and buttons that run a line of code each."""

import pathlib

import traitlets

from helpers.widget import Widget, bundle

HERE = pathlib.Path(__file__).parent


class Tiles(Widget):
    """What a Board shows, and what is pressed on it.

    state  what is shown, in dicts and lists, see `Board.state`
    press  (what, key) -> None, called when somebody presses something: "run" with a line of code,
           "switch" with the key of a row or a tile, "bet" with the key of a tile, "reset"
    """

    javascript = bundle.joined(bundle.ELEMENTS, HERE / "tiles.mjs")
    _css = bundle.styled(HERE / "tiles.css")
    state = traitlets.Dict().tag(sync=True)

    def __init__(self, state, press):
        self._press = press
        super().__init__(state=state)
        self.on_msg(self._receive)

    def _receive(self, _, message, buffers):
        """Pass a press on; a message of another form means nothing."""
        if isinstance(message, dict):
            what, key = message.get("press"), message.get("key")
            if isinstance(what, str) and isinstance(key, str):
                self._press(what, key)
