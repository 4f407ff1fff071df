"""A quick task for tests, and its weights as bytes."""

from helpers.playground import tasks


def small(seed=0):
    """A quick task of 12×12 cells, all of which move in every step."""
    return tasks.snowflake(seed, 12, 12)


def bits(lab):
    """The weights on the grid, as bytes."""
    return lab.weights.tobytes()
