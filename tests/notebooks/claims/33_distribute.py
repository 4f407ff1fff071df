"""What Distribute says of its figures, in its order; `margins.py` runs it behind the notebook."""

import pytest

# A constraint in `fit`, on as many replicas as the page offers to try.
for count in (2, 3, 4):
    held_before, held_after = in_fit(count)
    turned = changed_bits(held_before, held_after)
    assert not turned[:, half].any() and turned[:, ~half].all()
    assert not changed_bits(held_after, held_after[:1].repeat(count, 0)).any()


def first_batch_of(size, replicas, examples=240):
    """How `fit` ends with batches of this size, with nothing frozen."""
    with mirrored(replicas).scope():
        plain_model = keras.Sequential([keras.Input((64,)), keras.layers.Dense(10)])
        plain_model.compile("adam", "mse")
    try:
        plain_model.fit(inputs[:examples], targets[:examples], batch_size=size, verbose=0)
    except tf.errors.InvalidArgumentError:
        return "stops"
    return "runs"


# `fit` stops if the first batch cannot be shared out evenly; a short last batch is no matter.
assert first_batch_of(32, 3) == first_batch_of(33, 2) == "stops"
assert first_batch_of(48, 3) == first_batch_of(48, 3, examples=230) == "runs"

# The mean of three is rounded; Keras makes its weights without one.
assert by_mean[1] == by_mean[2] == by_mean[4] == 0 and by_mean[3] > 50
assert keras.layers.Dense(1).add_weight(shape=(1,)).aggregation == "none"

# A mask of each replica's own, and an optimizer from outside.
assert 50 < by_masks < 128
assert apart == 640 and apart_within == 0 and steps == 4
assert outcome == "in all"
plain, own = keras.optimizers.Adam(0.01), tf.distribute.DistributedValues
cells = ones()
plain.build([cells])
assert four_steps(plain, cells) == 640
assert not any(isinstance(v.value, own) for v in plain.variables)  # one memory for both
slotless, cells = keras.optimizers.SGD(0.01), ones()
slotless.build([cells])
assert four_steps(slotless, cells) == 0 and int(slotless.iterations.numpy()) == 8


def fit_with(optimizer):
    with mirrored(2).scope():
        fitted = keras.Sequential([keras.Input((64,)), keras.layers.Dense(10)])
        fitted.compile(optimizer, "mse", jit_compile=False)
    try:
        fitted.fit(inputs, targets, verbose=0)
    except (RuntimeError, ValueError) as error:
        return type(error).__name__
    return "no error"


assert fit_with(keras.optimizers.Adam()) == "RuntimeError"

# Built outside it stops with no error, and the copies part.
assert changed_bits(one, other).all()

assert fit_with(freezable(keras.optimizers.Adam)()) == "ValueError"

# Accumulated by Keras, it stops.
adamw = keras.optimizers.AdamW
with mirrored(2).scope():
    accumulates = adamw(0.01, gradient_accumulation_steps=4)
assert fit_with(accumulates) == "RuntimeError"

# To take home, on as many devices as the page has.
assert len(names) == len(local) == 4
assert not moved[:, frozen].any() and moved[:, ~frozen].all()

# Where it ends.
with mirrored(2).scope():
    scattered = tf.Variable(tf.zeros((64, 10)))
try:
    mirrored(2).run(lambda: scattered.scatter_nd_update([[0, 0]], [1.0]))
    refused = False
except NotImplementedError:
    refused = True
assert refused


def in_fit_by(build):
    """Train by `fit` with an Adam from outside of the scope, and return the copies of a kernel."""
    with mirrored(2).scope():
        dense = keras.layers.Dense(10)
        model = keras.Sequential([keras.Input((64,)), dense])
    outside = keras.optimizers.Adam(0.01)
    if build:
        outside.build(model.trainable_variables)
    model.compile(outside, "mse")
    model.fit(inputs, inputs[:, :10], batch_size=48, epochs=2, verbose=0)
    return copies(mirrored(2), dense.kernel)


# An Adam from outside parts the copies in `fit` as well if it is built there; else `fit` stops.
inputs = np.random.default_rng(0).normal(size=(240, 64)).astype("float32")
first, second = in_fit_by(build=True)
assert changed_bits(first, second).all()
with pytest.raises(Exception, match="(?i)strategy"):
    in_fit_by(build=False)
