"""What Accumulate says of its figures, in its order; `margins.py` runs it behind the notebook."""

# Plain descent leaks by a half; the sum is emptied by the step.
plain_places, plain_sums = masked(
    keras.optimizers.SGD(1.0, gradient_accumulation_steps=4), [False, False, True, True]
)
assert plain_places == [1.0, 1.0, 1.0, 1.0, 0.5]
assert plain_sums == [0.0, 1.0, 2.0, 2.0, 0.0]

# A mask that never changes: nothing is accumulated, and plain descent holds.
for constant in (
    keras.optimizers.SGD(1.0, gradient_accumulation_steps=4),
    keras.optimizers.SGD(1.0, momentum=0.9, gradient_accumulation_steps=4),
    keras.optimizers.Adam(1.0, gradient_accumulation_steps=4),
):
    constant_places, constant_sums = masked(constant, [True] * 8)
    assert constant_places == [1.0] * 9 and constant_sums == [0.0] * 9

# Which recipes hold.
assert table == {
    ("mask", "SGD"): [0, 0, 6],
    ("mask", "Adam"): [0, 6, 6],
    ("mask", "AdamW"): [6, 6, 6],
    **{(r, k): [0, 0, 0] for r in ("constraint", "freezable") for k in ("SGD", "Adam", "AdamW")},
}

# Decay acts once a step; clipping limits the mean, and the exact freeze keeps or resets.
assert moved_at.tolist() == [4, 8, 12]
assert int(adamw.iterations.numpy()) == 3
clipped = keras.Variable([0.0])
clipping = keras.optimizers.SGD(1.0, clipnorm=1.0, gradient_accumulation_steps=2)
clipping.build([clipped])
for gradient in (3.0, 0.0):
    clipping.apply([tf.constant([gradient])], [clipped])
assert clipped.numpy().tolist() == [-1.0]
pushed = keras.Variable([1.0], dtype="float64")
with_momentum = keras.optimizers.SGD(1.0, momentum=0.9, gradient_accumulation_steps=4)
with_momentum.build([pushed])
for _ in range(8):
    with_momentum.apply([tf.ones(1, tf.float64)], [pushed])
assert abs(float(pushed.numpy()[0]) - (1 - 1 - 1.9)) < 1e-6
excluded = keras.Variable([1.0])
without_decay = keras.optimizers.AdamW(0.1, gradient_accumulation_steps=2)
without_decay.exclude_from_weight_decay(var_list=[excluded])
without_decay.build([excluded])
for _ in range(4):
    without_decay.apply([tf.zeros(1)], [excluded])
assert excluded.numpy().tolist() == [1.0]
# A cell that is thawed under `freezable` counts no batch in which it was frozen, and of those
# before the ones of the same round alone.
same_round, next_round = [0, 1, 0, 0], [0, 0, 1, 1, 0, 0, 0, 0]
for masks_of_batches, on_thaw, step in (
    (same_round, "keep", 0.75),
    (same_round, "reset", 0.5),
    (next_round, "keep", 1.0),
    (next_round, "reset", 1.0),
):
    paused = keras.Variable([1.0], dtype="float64")
    descent = freezable(keras.optimizers.SGD)(1.0, gradient_accumulation_steps=4)
    descent.build([paused])
    places = [1.0]
    for now in masks_of_batches:
        descent.freeze_cells(paused, [bool(now)], on_thaw)
        descent.apply([tf.ones(1, tf.float64)], [paused])
        places.append(float(paused.numpy()[0]))
    assert places[-2] - places[-1] == step

# A schedule counts batches, and a moving average is updated with each of them.
assert by_schedule[::4] == [1.0, 0.0, 0.0, 0.0, 0.0]
averaging = keras.optimizers.SGD(1.0, use_ema=True, ema_momentum=0.5, gradient_accumulation_steps=4)
averaged = keras.Variable([1.0])
averaging.build([averaged])
for _ in range(9):  # the second step comes with the eighth batch
    averaging.apply([tf.ones(1)], [averaged])
assert averaged.numpy().tolist() == [-1.0]
(average,) = [v for v in averaging.variables if "average" in v.path]
assert average.numpy().tolist() == [-0.75]

# Four times as long is a step short, and 4b + 3 is exact; in a smooth schedule the 3 hardly counts.
assert six_steps == 6 and steps_until == {5: 1, 20: 5, 23: 6}
smooth = keras.optimizers.schedules.CosineDecay(1.0, 250)
four_times = keras.optimizers.schedules.CosineDecay(1.0, 1_000)
wide = [abs(smooth(step) - four_times(4 * step + 3)) for step in range(250)]
assert max(map(float, wide)) < 0.01

# With the same momentum the average forgets too fast; with its fourth root it is that of a plain
# run, three batches later.
plain_behind, same_behind, root_behind = behind.values()
assert abs(plain_behind - 9) < 0.05 and abs(same_behind - 2.6) < 0.05
assert abs(root_behind - 9.7) < 0.06 and abs(root_behind - plain_behind - 0.75) < 0.05

# The sums are four bytes a cell, beside the eight of Adam.
bytes_of_adam = {}
for batches in (None, 4):
    summed = keras.Variable(np.zeros((20, 10), "float32"))
    adam = keras.optimizers.Adam(gradient_accumulation_steps=batches)
    adam.build([summed])
    slots = [each.numpy() for each in adam.variables if each.shape == summed.shape]
    bytes_of_adam[batches] = sum(each.nbytes for each in slots) / 200
assert bytes_of_adam == {None: 8, 4: 12}

# A mask that is there from the first batch on is enough under three, and not under two others.
scattered = np.random.default_rng(0).random((6, 5)) < 0.5
pushes = np.random.default_rng(1).normal(size=(12, 6, 5)).astype("float32")
for kind, holds in (
    (keras.optimizers.SGD(0.1, gradient_accumulation_steps=4), True),
    (keras.optimizers.RMSprop(0.1, gradient_accumulation_steps=4), True),
    (keras.optimizers.Adam(0.1, gradient_accumulation_steps=4), True),
    (keras.optimizers.Ftrl(0.1, gradient_accumulation_steps=4), False),
    (keras.optimizers.Muon(0.1, weight_decay=0.0, gradient_accumulation_steps=4), False),
):
    matrix = keras.Variable(np.ones((6, 5), "float32"))
    kind.build([matrix])
    for push in np.where(scattered, 0, pushes):
        kind.apply([tf.constant(push)], [matrix])
    changed_cells = matrix.numpy() != 1
    assert changed_cells[~scattered].all() and changed_cells[scattered].any() != holds

# At home.
assert not moved[frozen].any() and moved[~frozen].all()


# By a callback the mask changes in `fit`, where it is called; a table's gradient is of rows.
class FreezeLater(keras.callbacks.Callback):
    done = False

    def __init__(self):
        super().__init__()
        self.called = []

    def on_train_batch_begin(self, batch, logs=None):
        self.called.append(batch)
        if batch >= 20 and not self.done:
            self.model.optimizer.freeze_cells(words.embeddings, rows)
            self.done, self.held = True, words.embeddings.numpy()


words = keras.layers.Embedding(9, 4)
layers = [keras.Input((5,)), words, keras.layers.Flatten(), keras.layers.Dense(3)]
reader = keras.Sequential(layers)
rows = np.arange(9)[:, None] * np.ones((1, 4), int) < 3
looked_up = np.random.default_rng(0).integers(0, 7, (1024, 5))
for at_once, called in ((1, list(range(32))), (8, [0, 8, 16, 24])):
    guarded = freezable(keras.optimizers.AdamW)(0.01, gradient_accumulation_steps=4)
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    reader.compile(guarded, loss, steps_per_execution=at_once)
    guarded.build(reader.trainable_variables)
    waiting = FreezeLater()
    reader.fit(looked_up, looked_up[:, 0] % 3, verbose=0, callbacks=[waiting])
    turned = changed_bits(waiting.held, words.embeddings.numpy())
    assert waiting.called == called and not turned[rows].any() and turned[~rows].all()

# Another playground, which nobody touches: in the middle of a round, and right after a step.
descent = keras.optimizers.SGD(0.3, gradient_accumulation_steps=4)
untouched = Playground("digits", descent, "where_gradient", page="3")
for technique, batches, leaked in (
    ("where_gradient", 202, 9),
    ("where_gradient", 200, 0),
    ("restore", 202, 0),
    ("exact", 202, 0),
):
    untouched.use(technique=technique)
    untouched.paint(slice(None), slice(None), frozen=False)
    untouched.reset()
    untouched.train(batches)
    untouched.paint(slice(2, 5), slice(0, 4))
    untouched.train(2 if batches == 202 else 200)
    assert untouched.leaks().sum() == leaked
    if leaked:
        assert untouched.leaks()[2:5, 1:4].all()

# One large batch, or four accumulated: apart by rounding.
pictures, labels = keras.ops.ones((128, 3)), keras.ops.arange(128.0)[:, None]


def one_step(optimizer, parts):
    kernel = keras.Variable(np.full((3, 1), 0.1), dtype="float64")
    optimizer.build([kernel])
    for some, wanted in zip(np.split(pictures, parts), np.split(labels, parts)):
        with tf.GradientTape() as tape:
            error = tf.reduce_mean((tf.cast(some, "float64") @ kernel.value - wanted) ** 2)
        optimizer.apply([tape.gradient(error, kernel.value)], [kernel])
    return kernel.numpy()


at_once = one_step(keras.optimizers.SGD(0.001), 1)
assert np.allclose(at_once, one_step(keras.optimizers.SGD(0.001, gradient_accumulation_steps=4), 4))

# A constraint keeps the cell, and its sum gathers while the cell is frozen.
kept = keras.Variable([1.0], dtype="float64")
gathering = keras.optimizers.SGD(1.0, gradient_accumulation_steps=4)
gathering.build([kept])
for number in range(8):
    kept.constraint = Keep(kept, [True]) if 2 <= number < 6 else None
    gathering.apply([tf.ones(1, tf.float64)], [kept])
assert kept.numpy().tolist() == [0.0]  # of the four gradients two came while it was frozen


# A callback that puts cells back from the middle of a round on.
class PutBack(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        if batch == 5:
            self.held = guarded_layer.kernel.numpy()
        if batch >= 5:
            now = guarded_layer.kernel.numpy()
            guarded_layer.kernel.assign(np.where(frozen, self.held, now))


guarded_layer = keras.layers.Dense(4)
guarded_model = keras.Sequential([keras.layers.Input((8,)), guarded_layer])
guarded_model.compile(keras.optimizers.AdamW(0.01, gradient_accumulation_steps=4), "mse")
put_back = PutBack()
guarded_model.fit(x, y, callbacks=[put_back], shuffle=False, verbose=0)
turned = changed_bits(put_back.held, guarded_layer.kernel.numpy())
assert not turned[frozen].any() and turned[~frozen].all()
