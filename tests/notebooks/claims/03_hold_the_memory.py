"""What the page says of its class and does not show, in its order."""

import inspect
import tempfile

from helpers.bits import changed_bits


def ran(optimizer):
    """A model that this optimizer has trained for some steps."""
    dense = keras.layers.Dense(4, kernel_initializer="ones")
    model = keras.Sequential([keras.layers.Input((8,)), dense])
    model.compile(optimizer, "mse")
    model.fit(np.eye(8), np.ones((8, 4)), epochs=3, verbose=0)
    return model


# An optimizer that holds keeps what Keras' own keeps, and no more: their files fit each other.
options = dict(use_ema=True, weight_decay=0.1)
plain, holding = ran(keras.optimizers.AdamW(0.01, **options)), ran(FreezingAdamW(0.01, **options))
both = [[v.shape for v in each.optimizer.variables] for each in (plain, holding)]
assert both[0] == both[1]
with tempfile.TemporaryDirectory() as folder:
    plain.save_weights(f"{folder}/a.weights.h5")
    holding.load_weights(f"{folder}/a.weights.h5")
pairs = zip(plain.optimizer.variables, holding.optimizer.variables)
assert all(np.array_equal(one.numpy(), other.numpy()) for one, other in pairs)
assert int(holding.optimizer.iterations.numpy()) == 3


def freezing(name):
    """The page's class for another optimizer, whose name is written instead of AdamW."""
    cell = "".join(inspect.findsource(FreezingAdamW.build)[0])  # a cell's class has no getsource
    source = cell[cell.index("@keras.saving.register") :].split("\n\n\n")[0]
    space = dict(keras=keras, tf=tf)
    exec(source.replace("AdamW", name), space)
    return space[f"Freezing{name}"]


# It passes the three scenes, of which the steps up to it pass some.
class InTheScenes(freezing("SGD")):
    def freeze_cells(self, variable, frozen):
        variable.frozen.assign(frozen)


passed = [scenes.as_wanted(kind) for kind in (WeightsBack, GradientsToo, SlotsToo, TheEndToo)]
no, yes = False, True
assert passed == [[no, no, no], [no, yes, no], [yes, yes, no], [yes, yes, yes]]
assert all(scenes.as_wanted(InTheScenes))

# Without a gradient the momentum fades: a thawed cell starts almost from rest, which were 0.1.
path = scenes.thaw(GradientsToo)
assert 0.1 < path[35] - path[36] < 0.15


def moved(name):
    """How many of 8 frozen cells and of 8 free ones change, in a matrix and a bias."""
    optimizer = freezing(name)(0.1, global_clipnorm=1.0, use_ema=True, weight_decay=0.1)
    start = np.linspace(-1, 1, 12, dtype="float32").reshape(3, 4)
    both = [keras.Variable(start), keras.Variable(start[0])]
    halves = [np.arange(12).reshape(3, 4) < 6, np.arange(4) < 2]
    optimizer.build(both)
    draw = np.random.default_rng(0)
    for number in range(20):
        if number == 10:
            held = [each.numpy() for each in both]
            for each, half in zip(both, halves):
                each.frozen.assign(half)
        gradients = [tf.constant(draw.normal(size=each.shape), "float32") for each in both]
        optimizer.apply(gradients, both)
    optimizer.finalize_variable_values(both)
    changed = [changed_bits(old, new.numpy()) for old, new in zip(held, both)]
    pairs = list(zip(changed, halves))
    return sum(int(c[h].sum()) for c, h in pairs), sum(int(c[~h].sum()) for c, h in pairs)


# It holds with fourteen optimizers, also where a cell's step is computed from the whole matrix.
kinds = ["SGD", "RMSprop", "Adam", "AdamW", "Adagrad", "Adadelta", "Adamax", "Nadam", "Ftrl"]
kinds += ["Lion", "Lamb", "Adafactor", "Muon", "ScheduleFreeAdamW"]
assert len(kinds) == 14 and all(moved(name) == (0, 8) for name in kinds)

# The average saw the cell a step away, at -1.1, and sees it at -1.0 without its gradient.
ends = [scenes.ending(kind)[-1] for kind in (WeightsBack, GradientsToo)]
assert abs(ends[0] + 0.873) < 0.001 and abs(ends[1] + 0.808) < 0.001


# It holds under mixed precision, and compiled by XLA, also beside a layer of the same shape.
x = np.random.default_rng(0).normal(size=(64, 8))


def moved_while_held_and_after(policy, jit_compile):
    """How many of 40 and of 5 cells move while they are frozen, and once they are thawed."""
    keras.config.set_dtype_policy(policy)
    layer, same_shape = keras.layers.Dense(8, "tanh"), keras.layers.Dense(8)
    model = keras.Sequential([keras.layers.Input((8,)), layer, same_shape])
    optimizer = FreezingAdamW(0.01, weight_decay=0.1, global_clipnorm=0.5)
    optimizer.build(model.trainable_variables)
    model.compile(optimizer, "mse", jit_compile=jit_compile)
    model.fit(x, x, epochs=5, verbose=0)
    frozen = [np.arange(64).reshape(8, 8) < 40, np.arange(8) < 5]
    for masks in (frozen, [np.zeros_like(mask) for mask in frozen]):
        before = [each.numpy() for each in layer.weights]
        for each, mask in zip(layer.weights, masks):
            each.frozen.assign(mask)
        model.fit(x, x, epochs=5, verbose=0)
        moved = [changed_bits(*pair) for pair in zip(before, layer.weights)]
        yield [int(each[mask].sum()) for each, mask in zip(moved, frozen)]


for setting in (("mixed_float16", False), ("float32", True)):
    assert list(moved_while_held_and_after(*setting)) == [[0, 0], [40, 5]]
keras.config.set_dtype_policy("float32")

# At the freeze, the average of the third scene stood at -0.45.
assert abs((ends[0] + 1.1) / 0.9**10 - 0.65) < 0.01
