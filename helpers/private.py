"""What is private to TensorFlow, in one place, and what is done where it is not to be found.

`tests/test_private.py` says after an upgrade whether it still is.
"""

import concurrent.futures
import contextlib
import sys


def registered_gradients():
    """Return the names under which custom gradients stand in TensorFlow's register, a set.

    Keras' sum over replicas enters one for each step that is traced, for ever, and with it the
    graph and its variables: 13 MB for a playground's loop. Without a register, nothing is listed,
    and that memory stays taken.
    """
    return {name for name in _register() if name.startswith("CustomGradient-")}


def forget_gradients(names):
    """Take names out of the register: once a step is traced, nobody asks for the gradient of the
    whole of it."""
    for name in names:
        _register().pop(name, None)


@contextlib.contextmanager
def gradients_forgotten():
    """Afterwards take those names out of the register that were entered while this was open."""
    known = registered_gradients()
    try:
        yield
    finally:
        forget_gradients(registered_gradients() - known)


def without_name(create, **options):
    """Create a variable under a name that others have, within tf.variable_creator_scope.

    TensorFlow makes a kernel for each name that it meets, and keeps it, some 30 kB, for ever; and
    Keras names each slot after its variable. Keras' own names stay.
    """
    return create(**options | {"name": "Variable"})


def call(graph, arguments, captured):
    """Run a concrete function on `captured` in place of the inputs that it captured; return its
    list of outputs.

    The public way, the op StatefulPartitionedCall, keeps some 10 MB of each graph for ever; called
    by its own name, a graph is let go with its function.
    """
    if hasattr(graph, "_call_flat"):
        return graph._call_flat(arguments, captured)
    from helpers.device import tf  # not above: whoever forgets gradients may do without TensorFlow

    outputs = [output.dtype for output in graph.outputs]
    return tf.raw_ops.StatefulPartitionedCall(args=[*arguments, *captured], Tout=outputs, f=graph)


def call_apart(function, *arguments):
    """Call a function on a thread of its own; return what it returns, or raise what it raises.

    TensorFlow keeps every path of calls by which Python came to an operation, for ever, and a cell
    that runs again is new code each time: 50 to 70 kB for a playground's variables. A new thread's
    paths begin here, where they are always the same.
    """
    with concurrent.futures.ThreadPoolExecutor(1) as thread:
        return thread.submit(function, *arguments).result()


def _register():
    framework = sys.modules.get("tensorflow.python.framework.ops")
    return getattr(getattr(framework, "gradient_registry", None), "_registry", {})
