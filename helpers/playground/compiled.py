"""A function over variables, traced once and run with the variables of many.

Tracing a playground's loop takes about a second and some megabytes. What comes out depends on the
kind of run alone: TensorFlow hands the variables that a graph reads and writes to it as inputs,
like arguments. So the graph of the first run of a kind serves the later ones, each with variables
of its own.
"""

from collections.abc import Hashable

from helpers import private
from helpers.device import tf
from helpers.playground import locks

KINDS = 24  # so many graphs are kept; one beyond them is forgotten, the one used longest ago

_kept: dict[Hashable, "Compiled"] = {}
_lock = locks.make("graphs")


def compiled(kind, function, variables):
    """Return the Compiled `function` of a kind of run: a new one, or the one that the kind has.

    kind       hashable: whatever decides what is traced, but for which variables; None = no
               other run is like this one, so that nothing is kept
    function   (count) -> list of tensors, where count is an int32 scalar; reads `variables`
    variables  list of tf.Variable, in the same order for all runs of the kind
    """
    with _lock:
        found = _kept.pop(kind, None) or Compiled(function, variables)
        if kind is not None and found.of_variables_alone:
            _kept[kind] = found  # at the end: those used last come last
        if len(_kept) > KINDS:
            del _kept[next(iter(_kept))]
        return found


class Compiled:
    """A traced function, and which of the variables each of its further inputs is."""

    def __init__(self, function, variables):
        count = tf.TensorSpec((), tf.int32)
        with private.gradients_forgotten():
            self._graph = tf.function(function, [count], autograph=False).get_concrete_function()
        places = {id(variable.handle): place for place, variable in enumerate(variables)}
        inputs = self._graph.captured_inputs
        self._inputs = [places.get(id(tensor), tensor) for tensor in inputs]

    @property
    def of_variables_alone(self):
        """Whether all that it changes is among the variables that it was traced with."""
        others = (each for each in self._inputs if not isinstance(each, int))
        return all(each.dtype != tf.resource for each in others)

    def __call__(self, count, variables):
        """Run it through these variables; return its list of tensors."""
        inputs = [variables[i].handle if isinstance(i, int) else i for i in self._inputs]
        return private.call(self._graph, [tf.constant(count, tf.int32)], inputs)
