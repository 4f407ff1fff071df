"""The freeze beside what other libraries offer for it: each one's step over its own plain step.

One square layer, mean square error, Adam; some share of the kernel is frozen at random. All steps
are taken in turn, in one process. PyTorch and JAX with Optax are no part of the course: where one
is not installed its rows are left out, and the bench says so.

hook and restore   PyTorch: a gradient hook puts 0 where frozen, and after the step the old weights
                   are put back
prune              torch.nn.utils.prune: the weight is multiplied by a mask in each forward pass
free cells added   PyTorch, as SHiRA does (Bhardwaj and others 2024): the free cells are a parameter
                   of their own, which is added to a constant kernel in each forward pass
where on updates   Optax under jit: jnp.where puts 0 for the update of a frozen cell
"""

import importlib.util
import sys

import numpy as np
from tqdm import tqdm

from helpers import masks
from helpers.bench.cells import certain, milliseconds
from helpers.bench.options import count
from helpers.device import keras
from helpers.freezing import freezable
from helpers.studies import costs

RATE = 1e-4


def add_arguments(parser):
    """Say what can be asked for on the command line."""
    parser.add_argument("--width", type=count, default=4096, help="of the layer")
    parser.add_argument("--batch", type=count, default=32, help="rows of a batch")
    parser.add_argument("--rounds", type=count, default=30, help="steps of each kind")
    shares = [0.5, 0.9, 0.99]
    parser.add_argument("--frozen", type=float, nargs="+", default=shares, help="shares")


def measure(arguments):
    """Return the rows of the table: frozen share, library and way of freezing."""
    rows = []
    for share in tqdm(arguments.frozen, desc="peers"):
        frozen = masks.random((arguments.width, arguments.width), share, 0)
        families = [make(frozen, arguments.batch) for make in _installed()]
        steps = [step for family in families for step in family.values()]
        seconds = costs.times(steps, arguments.rounds)
        for family in families:
            rows += _rows(family, steps, seconds, share)
        for step in steps:
            getattr(step, "release", bool)()
    return rows


def _installed():
    """Yield what makes the steps of each library that is there."""
    yield tensorflow
    for name, title, make in (("torch", "PyTorch", torch), ("optax", "Optax", optax)):
        if importlib.util.find_spec(name):
            yield make
        else:
            print(f"{title} is not installed here: its rows are left out.", file=sys.stderr)


def _rows(family, steps, seconds, share):
    """Yield a row for each way of freezing: over the plain step of its library, which stands above
    it."""
    for (library, way), step in family.items():
        base = next(b for (lib, kind), b in family.items() if lib == library and kind == "plain")
        which, plain = steps.index(step), steps.index(base)
        yield {
            "frozen": f"{share:.0%}",
            "library": library,
            "way": way,
            "step": milliseconds(seconds, which),
            "over plain": certain(seconds, which, plain),
            "memory over plain": f"{step.kept / base.kept:.3f}",
        }


def tensorflow(frozen, batch):
    """Steps of Keras' own Adam, of the masking one and the compact one, in a graph and by XLA."""
    steps, cls = {}, keras.optimizers.Adam
    ways = {"plain": cls, "mask": freezable(cls), "compact": freezable(cls, compact=True)}
    for jit in (False, True):
        for way, make in ways.items():
            share = 0 if way == "plain" else frozen.mean()
            network = costs.network(len(frozen), 1, None)
            step = costs.Step(network, make(RATE), jit, batch, share)  # which draws the same mask
            step.kept = costs.slots(step.optimizer)
            steps["Keras, XLA" if jit else "Keras", way] = step
    return steps


class Call:
    """A step, and how many bytes the optimizer and the way of freezing keep."""

    def __init__(self, step, kept):
        self._step, self.kept = step, kept

    def __call__(self):
        """Take the step, and wait until it is over."""
        self._step()


def torch(frozen, batch):
    """Steps of PyTorch's Adam: plain, with a hook, pruned, and with free cells added."""
    # Triton brings another LLVM, which ends a process with TensorFlow's. A CPU needs none of it.
    sys.modules.setdefault("triton", None)
    ways = {"plain": _plain, "hook and restore": _hook, "prune": _prune, "free cells added": _added}
    return {("PyTorch", way): make(frozen, batch) for way, make in ways.items()}


def _plain(frozen, batch):
    layer, _ = _layer(frozen)
    return _torch_step(layer, layer, layer.parameters(), batch, len(frozen))


def _hook(frozen, batch):
    layer, mask = _layer(frozen)
    held = layer.weight.detach().clone()
    layer.weight.register_hook(lambda gradient: gradient.masked_fill(mask, 0))

    def put_back():
        layer.weight.data = held.where(mask, layer.weight.data)

    kept = held.nbytes + mask.nbytes
    return _torch_step(layer, layer, layer.parameters(), batch, len(frozen), kept, put_back)


def _prune(frozen, batch):
    from torch.nn.utils import prune

    layer, mask = _layer(frozen)
    prune.custom_from_mask(layer, "weight", ~mask)
    kept = layer.weight_mask.nbytes + layer.weight.nbytes
    return _torch_step(layer, layer, layer.parameters(), batch, len(frozen), kept)


def _added(frozen, batch):
    import torch

    layer, mask = _layer(frozen)
    places = (~mask).flatten().nonzero()[:, 0]
    values = torch.zeros(len(places), requires_grad=True)
    kernel = layer.weight.detach().flatten()

    def forward(inputs):
        whole = kernel.index_add(0, places, values).view_as(mask)
        return torch.nn.functional.linear(inputs, whole, layer.bias)

    kept = places.nbytes + values.nbytes
    return _torch_step(layer, forward, [values, layer.bias], batch, len(frozen), kept)


def _layer(frozen):
    import torch

    torch.manual_seed(0)
    return torch.nn.Linear(*frozen.shape), torch.from_numpy(frozen.copy())


def _torch_step(layer, forward, trained, batch, width, kept=0, afterwards=bool):
    """Return a Call of PyTorch: `forward` is the layer's, `trained` are tensors, `kept` bytes."""
    import torch

    trained = list(trained)
    optimizer, pictures = torch.optim.Adam(trained, RATE), torch.randn(2, batch, width)

    def step():
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(forward(pictures[0]), pictures[1]).backward()
        optimizer.step()
        afterwards()

    return Call(step, kept + 2 * sum(each.nbytes for each in trained))


def optax(frozen, batch):
    """Steps of Optax' Adam, compiled: plain, and with 0 for the updates of frozen cells."""
    import jax
    import optax

    width = len(frozen)
    adam, draw = optax.adam(RATE), np.random.default_rng(0)
    inputs, targets = draw.normal(size=(2, batch, width)).astype("float32")

    def loss(kernel, bias):
        return ((inputs @ kernel + bias - targets) ** 2).mean()

    def make(mask):
        def one(weights, state):
            updates, state = adam.update(jax.grad(loss, (0, 1))(*weights), state)
            if mask is not None:
                updates = (jax.numpy.where(mask, 0, updates[0]), updates[1])
            return optax.apply_updates(weights, updates), state

        compiled = jax.jit(one, donate_argnums=(0, 1))
        kernel = draw.normal(size=(width, width)).astype("float32") / width
        weights = tuple(map(jax.numpy.asarray, (kernel, np.zeros(width, "float32"))))
        held = {"now": (weights, adam.init(weights))}

        def step():
            held["now"] = jax.block_until_ready(compiled(*held["now"]))

        slots = sum(each.nbytes for each in jax.tree.leaves(held["now"][1]))
        return Call(step, slots + (0 if mask is None else mask.nbytes))

    return {("Optax", "plain"): make(None), ("Optax", "where on updates"): make(frozen)}
