"""A guess: kept before a run, compared after it."""

import html
import textwrap

import ipywidgets

WIDTH = 72  # characters of a printed line; JupyterLab breaks longer ones within words
GUESSES = {}  # by question, in the order in which they were asked


class Guess:
    """A question with options to choose from, shown as a list of radio buttons.

    `options` are texts or numbers, three words long at most; `popular` is the one that the course
    takes where nobody has chosen, as in a run without a browser. Run again, the same question keeps
    its choice. Raises ValueError if `popular` is not among the options.
    """

    def __init__(self, question, *options, popular):
        if popular not in options:
            listed = ", ".join(map(repr, options))
            raise ValueError(f"popular={popular!r} arrived; one of {listed} was wanted.")
        former = GUESSES.get(question)
        self.question, self.options, self.popular, self.right = question, options, popular, None
        chosen = former.choice if former and former.choice in options else None
        width = ipywidgets.Layout(width="max-content")
        named = [(str(option), option) for option in options]
        self._buttons = ipywidgets.RadioButtons(options=named, value=chosen, layout=width)
        GUESSES[question] = self

    @property
    def choice(self):
        """The option that was chosen, or None."""
        return self._buttons.value

    def compare(self, found, because=""):
        """Print the guess beside what was found, and `because`, if the guess was another.

        `found` is computed; it need not be among the options.
        """
        guess = self.popular if self.choice is None else self.choice
        self.right = bool(guess == found)
        whose = "Your guess" if self.choice is not None else "You made no guess; a common one"
        print(f"{whose}: {guess}")
        comment = "Right." if self.right else because
        print(textwrap.fill(f"Found: {found}. {comment}".strip(), WIDTH, break_long_words=False))

    def __repr__(self):
        lines = textwrap.wrap(self.question, WIDTH)
        return "\n".join([*lines, *(f"( ) {option}" for option in self.options)])

    def _repr_mimebundle_(self, **_):
        """The buttons, and the question as text for readers without a kernel."""
        question = ipywidgets.HTML(f"<b>{html.escape(self.question)}</b>")
        view = ipywidgets.VBox([question, self._buttons])._repr_mimebundle_()
        return {**view, "text/plain": repr(self)}


def score():
    """Print how many of this notebook's guesses were right."""
    chosen = [guess for guess in GUESSES.values() if guess.choice is not None]
    right = sum(guess.right is True for guess in chosen)
    print(f"{right} right of {len(chosen)} guesses made; {len(GUESSES)} were asked for.")
