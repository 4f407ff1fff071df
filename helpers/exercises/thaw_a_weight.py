"""The rate after a thaw: one with which Adam's first step is as long as usual."""

import numpy as np

from helpers.exercises.exercise import Exercise, expect


def calm_rate(rate, seen, count, beta_1=0.9, beta_2=0.999):
    """Return the rate with which this step is `rate` long, if each gradient is 1."""
    m = (1 - beta_1**seen) / (1 - beta_1**count)
    v = (1 - beta_2**seen) / (1 - beta_2**count)
    return rate * np.sqrt(v) / m


def judge(attempt):
    """A memory that missed nothing, some that missed a hundred steps, and other betas."""
    missed_nothing = float(attempt(0.01, 40, 40))
    hint = "A memory that has seen every step needs no other rate: divide by how full Adam thinks."
    expect(np.isclose(missed_nothing, 0.01), hint)
    _judge_old(attempt)
    hint = "With seen=1 the step is {:.2f} rates long: m is emptier than Adam believes, too."
    found = _length(attempt, 1, 101)
    expect(np.isclose(found, 1), hint.format(found))
    found = _length(attempt, 30, 200, 0.8, 0.99)
    expect(np.isclose(found, 1), "With other betas the step is not as long as usual: use them.")
    tenth = float(attempt(0.1, 26, 126)) / float(attempt(0.01, 26, 126))
    expect(np.isclose(tenth, 10), "With ten times the rate, the answer is ten times as high.")
    return "The first step after the thaw is as long as usual."


def _judge_old(attempt):
    """The old memory of the page, of which m is nearly full and v is not."""
    found = _length(attempt, 26, 126)
    longer = "With seen=26, count=126 the step is {:.2f} rates long: its {} than usual, so {}."
    expect(found < 4, longer.format(found, "rate has to be lower", "divide by the step's length"))
    hint = "With seen=26, count=126 the step is {:.2f} rates long: the root of v divides, not v."
    expect(found > 0.6, hint.format(found))
    hint = "With seen=26, count=126 the step is {:.2f} rates long, and not 1."
    expect(abs(found - 1) < 0.1, hint.format(found))


def _length(attempt, seen, count, *betas):
    """How long the step is, in old rates, as Adam takes it: gradient by gradient."""
    beta_1, beta_2 = betas or (0.9, 0.999)
    m = v = 0.0
    for _ in range(seen):
        m, v = beta_1 * m + 1 - beta_1, beta_2 * v + 1 - beta_2
    m, v = m / (1 - beta_1**count), v / (1 - beta_2**count)
    return float(attempt(0.01, seen, count, *betas)) / 0.01 * m / np.sqrt(v)


exercise = Exercise(
    calm_rate,
    judge,
    [
        "How full is m after `seen` gradients, and how full does Adam take it to be by `count`?",
        "m becomes (1 - beta_1**seen) / (1 - beta_1**count), and v likewise with beta_2.",
        "With the rate 1 the step would be m / √v long. Which rate makes it 1 long?",
    ],
)
