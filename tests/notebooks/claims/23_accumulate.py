"""What notebook 17 says of its figures, in its order; `margins.py` runs it behind the notebook."""

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

# One large batch, or four accumulated: apart by rounding, where not frozen.
assert differ[~left_half].any()
assert not differ[left_half].any()
assert furthest < 1e-14

# Decay acts once a step; clipping limits the mean, and the exact freeze keeps or resets.
assert moved.tolist() == [4, 8, 12]
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
assert steps_after_thaw == [1.5, 1.0]

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

# At home on one device.
assert not changed[frozen_cells].any() and changed[~frozen_cells].all()


# By a callback the mask changes in `fit`, where it is called; a table's gradient is of rows.
class FreezeLater(keras.callbacks.Callback):
    done = False

    def __init__(self):
        super().__init__()
        self.called = []

    def on_train_batch_begin(self, batch, logs=None):
        self.called.append(batch)
        if batch >= 20 and not self.done:
            self.model.optimizer.freeze_cells(table.embeddings, rows)
            self.done, self.held = True, table.embeddings.numpy()


table = keras.layers.Embedding(9, 4)
layers = [keras.Input((5,)), table, keras.layers.Flatten(), keras.layers.Dense(3)]
reader = keras.Sequential(layers)
rows = np.arange(9)[:, None] * np.ones((1, 4), int) < 3
looked_up = np.random.default_rng(0).integers(0, 7, (1024, 5))
for at_once, called in ((1, list(range(32))), (8, [0, 8, 16, 24])):
    guarded = AdamW(0.01, gradient_accumulation_steps=4)
    reader.compile(guarded, loss, steps_per_execution=at_once)
    guarded.build(reader.trainable_variables)
    later = FreezeLater()
    reader.fit(looked_up, looked_up[:, 0] % 3, verbose=0, callbacks=[later])
    turned = bits.changed_bits(later.held, table.embeddings.numpy()).astype(bool)
    assert later.called == called and not turned[rows].any() and turned[~rows].all()

# The playgrounds that nobody touches.
assert with_mask.leaks().sum() == 9
assert with_mask.leaks()[2:5, 1:4].all()
assert with_exact.leaks().sum() == 0
assert with_exact.frozen.sum() == with_mask.frozen.sum() == 12
assert [each_batch, plain, with_adam, exact_adam] == [6, 0, 6, 0]

# Replicas.
assert rounded[:2] == [0, 0]
assert rounded[2] > 50
masks_on_all, changed_on_all = np.array(exact["masks"]), np.array(exact["changed"])
assert (masks_on_all[:, 0] == masks_on_all[:, 1]).all()
assert (masks_on_all[0, 0] == np.array(painted)).all()
assert (masks_on_all[0] != masks_on_all[1]).all()
assert (changed_on_all == 1 - masks_on_all).all()
assert exact["differing"] == 0
assert apart > 200
assert [frozen, free, differing] == [0, 640, 0]
assert found["scatter"] == "NotImplementedError"
assert found["accumulated_by_keras"] == "RuntimeError"
assert found["accumulated"] == [0, 640, 0, 6]

# Workers.
assert kernels_equal == [True, True]
halves = [[r for r in reports if r["steps"] == count] for count in (50, 100)]
assert all(a["mask"] == b["mask"] for a, b in halves)
assert halves[0][0]["mask"] != halves[1][0]["mask"]
assert one["frozen weights"] == other["frozen weights"]
assert max(report["frozen changed"] for report in reports) == 0
assert min(report["free changed"] for report in reports) > 280

# Weights as Keras makes them take no mean over replicas.
assert keras.layers.Dense(1).add_weight(shape=(1,)).aggregation == "none"

# What was found: without the freeze the left half differs by rounding, in a few cells.
freeze_cells, Descent.freeze_cells = Descent.freeze_cells, lambda *_: None
unfrozen = [
    one_step(Descent(0.3), 1),
    one_step(Descent(0.3, gradient_accumulation_steps=4), 4),
]
Descent.freeze_cells = freeze_cells
assert 0 < bits.changed_bits(*unfrozen)[left_half].astype(bool).sum() < 60
