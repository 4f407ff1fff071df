"""An exercise: a function to write, judged by what it does."""

import inspect
import textwrap

from helpers.exercises.guess import WIDTH

HELP = "exercise.hint() helps, and exercise.solution() shows one way."


class NotYet(Exception):
    """An attempt falls short; the text is the hint that fits."""


def expect(condition, hint):
    """Raise NotYet with `hint` unless the condition holds."""
    if not condition:
        raise NotYet(hint)


class Exercise:
    """A function to write. Nothing here raises, so that a notebook runs to its end.

    `solution` is a reference, whose source is what `solution()` shows. `judge(attempt)` calls an
    attempt as it likes; it raises NotYet with the hint that fits, or returns a sentence that says
    what was shown. `hints` are given one at a time, and help before anything is written.
    """

    def __init__(self, solution, judge, hints):
        self.reference, self._judge, self._hints, self._given = solution, judge, list(hints), 0

    def verdict(self, attempt):
        """Return what `check` prints."""
        if _is_blank(attempt):
            name = self.reference.__name__
            return f"Not attempted yet: write {name} in the cell above. {HELP}"
        try:
            return f"Correct. {self._judge(attempt)}"
        except NotYet as hint:
            return f"Not yet. {hint}"
        except Exception as error:  # of the attempt, whatever it is
            return f"Not yet. It raised {type(error).__name__}: {str(error).partition(chr(10))[0]}"

    def check(self, attempt):
        """Print how an attempt, a function, fares."""
        print(textwrap.fill(self.verdict(attempt), WIDTH))

    def hint(self):
        """Print the next hint; after the last one, the first again."""
        number = self._given % len(self._hints)
        self._given += 1
        text = f"Hint {number + 1} of {len(self._hints)}: {self._hints[number]}"
        print(textwrap.fill(text, WIDTH))

    def solution(self):
        """Print the reference solution."""
        print(inspect.getsource(self.reference))


def _blank(): ...


def _is_blank(attempt):
    """Return whether nothing but `...` stands in a function."""
    code = getattr(attempt, "__code__", None)
    return code is not None and code.co_code == _blank.__code__.co_code
