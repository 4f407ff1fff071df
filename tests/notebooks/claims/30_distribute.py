"""What Distribute says of its figures, in its order; `margins.py` runs it behind the notebook."""

import json
import re

from helpers import ROOT

# A constraint in `fit`, on as many replicas as the page offers to try.
for count in (2, 3, 4):
    held_before, held_after = in_fit(count)
    turned = changed_bits(held_before, held_after)
    assert not turned[:, half].any() and turned[:, ~half].all()
    assert not changed_bits(held_after, held_after[:1].repeat(count, 0)).any()

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
with mirrored(2).scope():
    layer = keras.layers.Dense(10)
    parts = keras.Sequential([keras.Input((64,)), layer])
built = keras.optimizers.Adam(0.01)
built.build(parts.trainable_variables)
with mirrored(2).scope():
    parts.compile(built, "mse", jit_compile=False)
parts.fit(inputs, targets, batch_size=48, verbose=0)
one, other = copies(mirrored(2), layer.kernel)
assert changed_bits(one, other).all()

assert fit_with(freezable(keras.optimizers.Adam)()) == "ValueError"

# Accumulated by Keras, and by hand, as the fold has it.
adamw = keras.optimizers.AdamW
with mirrored(2).scope():
    accumulates = adamw(0.01, gradient_accumulation_steps=4)
assert fit_with(accumulates) == "RuntimeError"
page = json.loads((ROOT / "notebooks" / "30_distribute.ipynb").read_text("utf-8"))
texts = ["".join(cell["source"]) for cell in page["cells"] if cell["cell_type"] == "markdown"]
(program,) = re.findall(r"```python\n(def accumulating.*?)```", "\n".join(texts), re.DOTALL)
exec(program)
strategy = mirrored(2)
with strategy.scope():
    dense = keras.layers.Dense(10)
    fitted, exact = keras.Sequential([keras.Input((64,)), dense]), freezable(adamw)(0.01)
add_up, take_step = accumulating(strategy, fitted, exact, 4)
rows = tf.data.Dataset.from_tensor_slices((inputs, targets)).batch(24).repeat(2)
for place, some in enumerate(strategy.experimental_distribute_dataset(rows), 1):
    if place == 7:  # in the middle of a round
        exact.freeze_cells(dense.kernel, half)
        held_before = copies(strategy, dense.kernel)
    strategy.run(add_up, args=some)
    if place % 4 == 0:
        strategy.run(take_step)
held_after = copies(strategy, dense.kernel)
turned = changed_bits(held_before, held_after)
assert int(exact.iterations.numpy()) == 5
assert not turned[:, half].any() and turned[:, ~half].all()
assert not changed_bits(held_after, held_after[:1].repeat(2, 0)).any()
# A step of it is one of a single device with four times the batch.
shared = freezable(keras.optimizers.AdamW)
kernels = []
for strategy, batch in ((mirrored(2), 24), (mirrored(1), 96)):
    with strategy.scope():
        dense = keras.layers.Dense(10, kernel_initializer="ones")
        fitted, same = keras.Sequential([keras.layers.Input((64,)), dense]), shared(0.01)
    gather, move = accumulating(strategy, fitted, same, 96 // batch)
    rows = tf.data.Dataset.from_tensor_slices((inputs[:192], targets[:192])).batch(batch)
    for place, some in enumerate(strategy.experimental_distribute_dataset(rows), 1):
        strategy.run(gather, args=some)
        if place * batch % 96 == 0:
            strategy.run(move)
    assert int(same.iterations.numpy()) == 2
    kernels.append(dense.kernel.numpy())
assert np.allclose(*kernels, atol=1e-5) and (kernels[0] != 1).all()

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
