"""The playground's controls: train, step, reset, and the lists to choose from."""

import ipywidgets
from ipywidgets.widgets.widget_description import DescriptionStyle

from helpers.playground.painter.subshell import answer_while_busy
from helpers.techniques import TECHNIQUES

SPEEDS = {
    "1 step a second": 1,
    "10 steps a second": 10,
    "200 steps a second": 200,
    "as fast as it goes, fewer pictures": None,
}


class Controls:
    """Buttons and lists above the painter; each calls the playground's method of its name."""

    def __init__(self, playground):
        self._playground, self._silent = playground, False
        # Shared, because every layout and style of its own is one more message at the display.
        self._slim = ipywidgets.Layout(width="auto")
        self._style = DescriptionStyle(description_width="initial")
        self._plain = ipywidgets.ButtonStyle()
        self.train = self._button("Train", "play", self._toggle)
        self.step = self._button("Step", "step-forward", playground.step)
        self.reset = self._button("Reset", "refresh", playground.reset)
        self.speed = self._list("Speed", SPEEDS, 200, lambda _: playground.change_speed())
        labels = {technique.label: name for name, technique in TECHNIQUES.items()}
        self.technique = self._list("Freeze by", labels, "none", self._use("technique"))
        names = list(playground.optimizers)
        self.optimizer = self._list("Optimizer", names, names[0], self._use("optimizer"))
        pages = list(playground.task.pages)
        self.page = self._list("Class", pages, pages[0], self._use("page"))
        shown = [self.train, self.step, self.reset, self.speed, self.technique, self.optimizer]
        shown += [self.page] if len(pages) > 1 else []
        row = ipywidgets.Box(shown, layout=ipywidgets.Layout(flex_flow="row wrap"))
        wide = ipywidgets.Layout(width="100%")
        self.box = ipywidgets.VBox([row, playground.painter], layout=wide)
        for widget in (*shown, playground.painter):
            answer_while_busy(widget)
        playground.painter.observe(self._show_status, "status")

    @property
    def limit(self):
        """Steps a second at most; None = as fast as it goes."""
        return self.speed.value

    def show(self, technique=None, optimizer=None, page=None):
        """Show choices that were made from Python."""
        self._silent = True
        lists = {self.technique: technique, self.optimizer: optimizer, self.page: page}
        for chosen, value in lists.items():
            if value is not None:
                chosen.value = str(value)
        self._silent = False

    def offer_techniques(self, techniques):
        """Let these be chosen: name -> Technique."""
        self._silent, chosen = True, self.technique.value
        labels = [(technique.label, name) for name, technique in techniques.items()]
        self.technique.options = labels
        self.technique.value = chosen
        self._silent = False

    def _show_status(self, change):
        """Let the first button say what a press would do now."""
        training = change["new"] == "training"
        self.train.description = "Pause" if training else "Train"
        self.train.icon = "pause" if training else "play"

    def close(self):
        """Take everything off the page, and let go of it."""
        self._playground.painter.unobserve(self._show_status, "status")
        row, painter = self.box.children
        for widget in (*row.children, self.page, row, painter, self.box):
            widget.close()

    def _button(self, label, icon, press):
        button = ipywidgets.Button(
            description=label, icon=icon, layout=self._slim, style=self._plain
        )
        button.on_click(lambda _: self._safely(press))
        return button

    def _list(self, label, options, value, choose):
        options = list(options.items()) if isinstance(options, dict) else options
        chosen = ipywidgets.Dropdown(
            options=options, value=value, description=label, layout=self._slim, style=self._style
        )

        def changed(change):
            if not self._silent:
                self._safely(choose, change["new"])

        chosen.observe(changed, "value")
        return chosen

    def _use(self, what):
        return lambda value: self._playground.use(**{what: value})

    def _toggle(self):
        if self._playground.training:
            self._playground.stop()
        else:
            self._playground.start()

    def _safely(self, function, *values):
        safely(self._playground.painter, function, *values)


def safely(painter, function, *values):
    """Show an exception where the person looks; nobody reads the log of a button."""
    try:
        painter.error = ""
        function(*values)
    except Exception as error:
        painter.error = str(error)
