"""What *Restore after the step* says of its scenes; `margins.py` runs it behind the notebook."""

# The first step after the thaw, beside the longest one before the freeze.
trace = again.traces(1, 5)
steps, first = np.diff(trace["weight"]), list(trace["step"]).index(55)
assert 2.7 < abs(steps[first]) / np.abs(steps[:9]).max() < 3.4
assert not steps[9:first].any(), "it stays during the freeze"

# A frozen gradient of NaN goes to the neighbour by the norm.
optimizer.apply([tf.constant([np.nan, 1.0], tf.float64)], [cells])
assert cells.numpy()[0] == 0 and np.isnan(cells.numpy()[1])

# With `clipnorm` only free cells of the same variable suffer.
pair = [keras.Variable([0.0, 0.0], dtype="float64") for _ in range(2)]
optimizer = keras.optimizers.SGD(0.1, clipnorm=1.0)
optimizer.build(pair)
optimizer.apply([gradients, tf.constant([0.0, 1.0], tf.float64)], pair)
assert round(-pair[0].numpy()[1], 4) == 0.0001 and round(-pair[1].numpy()[1], 4) == 0.1

# Without a `compile`, a constraint is ignored until Keras happens to trace again.
optimizer = keras.optimizers.Adam(0.01)


def kept_in(train):
    """Whether all of the output bias is as before after some training."""
    before = out.bias.numpy()
    train()
    return not changed_bits(before, out.bias.numpy()).any()


def own_loop():
    """Two steps by hand."""
    for _ in range(2):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        trained = model.trainable_variables
        optimizer.apply(tape.gradient(loss, [each.value for each in trained]), trained)


def fit(**settings):
    """Something that trains for two epochs."""
    return lambda: model.fit(x, y, epochs=2, verbose=0, **settings)


out.bias.constraint = None
model.compile(optimizer, "mse")
model.fit(x, y, verbose=0)
out.bias.constraint = Keep(out.bias, all_four)
assert not kept_in(fit())
out.bias.constraint = Keep(out.bias, all_four)
assert kept_in(fit(batch_size=16)), "traced again, with the constraint"
assert not kept_in(fit()), "and the first graph is still in use"

# What the table says of other loops: the constraint holds, the callback is late or not called.
out.bias.constraint = Keep(out.bias, all_four)
assert kept_in(own_loop)
model.compile(optimizer, "mse")
assert kept_in(lambda: model.train_on_batch(x, y))
model.compile(optimizer, "mse", steps_per_execution=4)
assert kept_in(fit(batch_size=8))


class Late(PutBack):
    """Notes how often it is called, and how often frozen cells had moved until then."""

    calls = late = 0

    def on_train_batch_end(self, batch, logs=None):
        self.calls += 1
        self.late += bool(changed_bits(self.held.numpy(), self.variable.numpy()).any())
        super().on_train_batch_end(batch)


out.bias.constraint = None
late = Late(out.bias, all_four)
model.compile(optimizer, "mse", steps_per_execution=4)
assert kept_in(fit(batch_size=8, callbacks=[late]))
assert late.calls == 2 * 2 + 1 and late.late == 4, "each time after four batches, and at the end"
