"""Guesses: asked for before a run, kept, and compared with what was found."""

import bisect
import html
import textwrap

import ipywidgets

from helpers.forms import view_of

WIDTH = 72  # characters of a printed line; JupyterLab breaks longer ones within words
GUESSES: dict[str, "Question"] = {}  # by question, in the order in which they were asked


class Question:
    """A question that a reader answers before a run.

    `choice` is the answer, or None. Run again, the same question keeps its answer. A subclass has
    the widget by which it is answered, and says in `told` what can be answered.
    """

    right = None  # whether the answer was right, once that is known

    def __init__(self, question, widget=None):
        self.question, self._widget = question, widget
        GUESSES[question] = self

    @property
    def choice(self):
        """The answer, or None."""
        return self._widget.value

    def _tell(self, guess, found, because):
        """Print the answer as text, if there is one, then what was found, and why."""
        if guess is not None:
            print(f"Your guess: {guess}")
        found = f"Found: {found}. {because}".strip()
        print(textwrap.fill(found, WIDTH, break_long_words=False))

    def __repr__(self):
        return "\n".join([*textwrap.wrap(self.question, WIDTH), *self.told])

    def _repr_mimebundle_(self, **_):
        """Return the question above its widget, and as text for readers without a kernel."""
        asked = ipywidgets.HTML(f"<b>{html.escape(self.question)}</b>")
        box = ipywidgets.VBox([asked, *filter(None, [self._widget])])
        return {**view_of(box), "text/plain": repr(self)}


class Guess(Question):
    """A question with options to choose from: short texts, or numbers.

    `bounds` are the values at which one option ends and the next begins, one less than there are
    options, which stand in rising order: with "none", "some", "all 12" and bounds [1, 12], what is
    found is a number, and 0 is none, 11 some, 12 all. A condition has the bounds [True].
    """

    def __init__(self, question, *options, bounds=()):
        if bounds and len(bounds) != len(options) - 1:
            wanted = f"{len(options)} options want {len(options) - 1} bounds between them"
            raise ValueError(f"{wanted}, not {len(bounds)}.")
        self._bounds = list(bounds)
        former = GUESSES.get(question)
        chosen = former.choice if former and former.choice in options else None
        self.options, self.told = options, [f"( ) {option}" for option in options]
        width = ipywidgets.Layout(width="max-content")
        named = [(str(option), option) for option in options]
        super().__init__(
            question, ipywidgets.RadioButtons(options=named, value=chosen, layout=width)
        )

    def settle(self, found, because=""):
        """Print the guess beside what was found, and `because`.

        `found` is computed. Where the question has bounds, they say which option it is; elsewhere
        it need not be among the options.
        """
        if self._bounds:
            found = self.options[bisect.bisect_right(self._bounds, found)]
        self.right = None if self.choice is None else bool(self.choice == found)
        praise = "Right. " if self.right else ""
        self._tell(self.choice, found, praise + because)


class Estimate(Question):
    """A question for a number, answered on a slider from `low` to `high`, whole numbers both;
    `unit` stands behind it."""

    def __init__(self, question, low, high, unit=""):
        former, self._range, self._unit = GUESSES.get(question), (low, high), unit
        self._moved = former is not None and former.choice is not None
        value = former.choice if self._moved else (low + high) // 2
        slider = ipywidgets.IntSlider(value, low, high, layout=ipywidgets.Layout(width="24em"))
        slider.observe(self._move, "value")
        self.told = [f"{low} |-----------------| {high} {unit}".rstrip()]
        super().__init__(question, slider)

    @property
    def choice(self):
        """The number on the slider, once it was moved; else None."""
        return self._widget.value if self._moved else None

    def settle(self, found, because=""):
        """Print the guess beside the number that was found, and `because`. A guess is right that is
        off by a tenth of the slider at the most."""
        low, high = self._range
        near = ""
        if self._moved:
            off = self.choice - found
            self.right = bool(abs(off) <= (high - low) / 10)
            near = "Close enough. " if self.right else f"Too {'high' if off > 0 else 'low'}. "
        unit = f" {self._unit}".rstrip()
        guess = None if self.choice is None else f"{self.choice}{unit}"
        self._tell(guess, f"{found}{unit}", near + because)

    def _move(self, _):
        self._moved = True


def score():
    """Print how many of this notebook's guesses were right."""
    made = [guess for guess in GUESSES.values() if guess.choice is not None]
    right = sum(guess.right is True for guess in made)
    print(f"{right} right of {len(made)} guesses made; {len(GUESSES)} were asked for.")
