"""What the page says of its figures, in its order; `margins.py` runs it behind the notebook."""

from helpers.guide.ways import WAYS

assert len(WAYS) == 13
anns = guide.ask(finest="whole rows", optimizer="adamw", situations=["warm"], file=True)
assert anns[0] == "put back by a constraint" and "frozen rows split off" in anns
bens = guide.ask(optimizer="sgd", situations=["warm"], in_fit=False)
assert bens[0] == "tf.where on the gradient"
cleos = dict(optimizer="adam", situations=["warm", "clipping", "thaw"], repaints=True)
assert guide.ask(**cleos) == ["exact freeze"]
assert len(held) == 8 and gone == [held[0], "gradient × mask", "stop_gradient"]
assert all(person["exact freeze"] == "holds" for person in people.values())

# Single cells: each wish alone is granted by some way.
for situation in guide._situations:
    assert guide.ask(situations=[situation])
for wish in ("repaints", "saves", "file"):
    assert guide.ask(**{wish: True})

# A run under way: a constraint, and the optimizer that goes on with what it remembers.
rows = keras.layers.Embedding(50, 8)
under_way = keras.Sequential(
    [keras.layers.Input([5]), rows, keras.layers.Flatten(), keras.layers.Dense(1)]
)
under_way.compile(keras.optimizers.AdamW(0.01), "mse")
numbers, wanted = np.arange(3200).reshape(640, 5) % 50, np.ones(640)
from_file, held_rows = rows.embeddings.numpy(), np.arange(50)[:, None] < 40
under_way.fit(numbers, wanted, verbose=0)
rows.embeddings.assign(np.where(held_rows, from_file, rows.embeddings.numpy()))
rows.embeddings.constraint = lambda now: keras.ops.where(held_rows, from_file, now)
under_way.compile(under_way.optimizer, "mse")
under_way.fit(numbers, wanted, verbose=0)
differs = rows.embeddings.numpy() != from_file
assert not differs[:40].any() and differs[40:].all()
assert int(under_way.optimizer.iterations) == 40

# Under mixed precision weights stay float32, and the constraint holds.
keras.config.set_dtype_policy("mixed_float16")
half = keras.layers.Dense(3)
in_half = keras.Sequential([keras.layers.Input([4]), half])
keras.config.set_dtype_policy("float32")
held_half, some = half.kernel.numpy(), np.arange(12).reshape(4, 3) < 6
half.kernel.constraint = lambda now: keras.ops.where(some, held_half, now)
in_half.compile(keras.optimizers.AdamW(0.01, weight_decay=0.1), "mse")
in_half.fit(np.ones((64, 4)), np.ones((64, 3)), verbose=0)
assert type(in_half.optimizer).__name__ == "LossScaleOptimizer"
assert half.kernel.dtype == "float32"
differs = half.kernel.numpy() != held_half
assert not differs[some].any() and differs[~some].all()
