"""What the page says of its class and does not show, in its order."""

import tempfile


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

# The average saw the cell a step away, at -1.1, and sees it at -1.0 without its gradient.
ends = [scenes.ending(kind)[-1] for kind in (WeightsBack, GradientsToo)]
assert abs(ends[0] + 0.873) < 0.001 and abs(ends[1] + 0.808) < 0.001
