"""TensorFlow's register of gradient functions, in which every traced training step stays for ever.

Keras' sum over replicas enters a function for each step that is traced, and with it the graph and
its variables: 13 MB for a playground's loop. Once a step is traced, nobody asks for the gradient of
the whole of it, so that its entries may go. The register is private to TensorFlow: where there is
no such thing, nothing is listed, and memory stays taken.
"""

import sys


def registered():
    """Return the set of names under which custom gradients stand in the register."""
    return {name for name in _register() if name.startswith("CustomGradient-")}


def forget(names):
    """Take these names out of the register, and with them whatever nobody else holds."""
    for name in names:
        _register().pop(name, None)


def _register():
    framework = sys.modules.get("tensorflow.python.framework.ops")
    return getattr(getattr(framework, "gradient_registry", None), "_registry", {})
