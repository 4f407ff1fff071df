"""A line of Python that a reader runs on a board, and what it led to."""

import textwrap
import warnings

LONGEST = 120  # characters of what is told


def outcome(line, names):
    """Run a line of Python with these names; return (told, whether it failed).

    An expression's value is told, if it has one, else what Keras warned of, else nothing. What a
    line raises is told as well.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = _run(line, names)
        except Exception as error:  # whatever the line does wrong
            return _short(f"{type(error).__name__}: {error}"), True
    if value is not None:
        return _short(str(value)), False
    # Keras warns its users so; libraries warn each other in other ways.
    warned = [str(each.message) for each in caught if each.category is UserWarning]
    return _short(" ".join(warned)), False


def _run(line, names):
    """Execute a line; the value of an expression, else None."""
    try:
        code = compile(line, "<board>", "eval")
    except SyntaxError:
        exec(compile(line, "<board>", "exec"), names)
        return None
    return eval(code, names)


def _short(text):
    """Return the first sentence or so."""
    return textwrap.shorten(text.partition(". ")[0], LONGEST, placeholder=" …")
