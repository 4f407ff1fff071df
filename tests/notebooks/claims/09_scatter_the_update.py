"""What the page says of Keras' other optimizers, and of clipping."""


def ratio(kind, three):
    """How long a step is by a list of three gradients of one row, over that by their sum."""
    column = tf.constant(three, tf.float32)[:, None]
    listed = tf.IndexedSlices(column, tf.constant([0, 0, 0]), (5, 1))
    steps = []
    for gradient in (listed, tf.convert_to_tensor(listed)):
        row = keras.Variable(np.zeros((5, 1)))
        kind().apply([gradient], [row])
        steps.append(abs(row.numpy()[0, 0]))
    return steps[0] / steps[1]


# Most optimizers take a wrong step by a list, too long or too short.
wrong = 0
for name in ["RMSprop", "Adam", "AdamW", "Nadam", "Adagrad", "Adadelta", "Ftrl", "Lamb", "Adamax"]:
    kind = getattr(keras.optimizers, name)
    wrong += ratio(kind, [1, 1, 1]) > 1.2 and ratio(kind, [1, -1, 0.1]) < 0.8
assert wrong >= 6
assert abs(ratio(keras.optimizers.SGD, [1, 1, 1]) - 1) < 1e-6


def clipped():
    return keras.optimizers.SGD(1.0, global_clipnorm=0.1)


assert ratio(clipped, [1, 1, 1]) > 1.2 and ratio(clipped, [1, -1, 0.1]) < 0.8

# Three gradients of one row, by the list and by their sum, in the first step.
for kind in (keras.optimizers.RMSprop, keras.optimizers.Adam, keras.optimizers.AdamW):
    assert abs(ratio(kind, [1, 1, 1]) - 3**0.5) < 0.01
    assert 1 / 15 < ratio(kind, [1, -1, 0.1]) < 1 / 13


# Summed or not, training comes as far, at other rates and by RMSprop as well.
def summing(kind):
    """A class of the optimizer that sums the gradients of a row first."""

    class Summing(kind):
        def apply(self, gradients, variables=None):
            super().apply([sum_list(each) for each in gradients], variables)

    return Summing


def sum_list(gradient):
    if not isinstance(gradient, tf.IndexedSlices):
        return gradient
    rows, place = tf.unique(gradient.indices)
    values = tf.math.unsorted_segment_sum(gradient.values, place, tf.size(rows))
    return tf.IndexedSlices(values, rows, gradient.dense_shape)


def last_loss(kind, rate):
    model = make_model()
    model.compile(kind(rate), cross_entropy)
    pairs = np.array(known[:-1]), np.array(known[1:])
    return model.fit(*pairs, epochs=6, batch_size=256, verbose=0).history["loss"][-1]


for kind, rates in (
    (keras.optimizers.Adam, (0.003, 0.01, 0.03)),
    (keras.optimizers.RMSprop, (0.003, 0.03)),
):
    for rate in rates:
        assert abs(last_loss(kind, rate) / last_loss(summing(kind), rate) - 1) < 0.03

# A step by a list that reads by tf.gather does not care about the length of the table.
few, many = milliseconds(1_000), milliseconds(100_000)
assert (many[:2, 0] < 3 * few[:2, 0]).all() and (many[2:, 0] > 5 * few[2:, 0]).all()
assert (many[:2, 1] > 2 * many[:2, 0]).all()
assert (many[2:, 0] > 0.7 * many[2:, 1]).all()


# Once it has been read by rows, a variable is copied when it is read as a whole.
def reading(variable):
    return costs.compiled(lambda: variable.read_value()[0, 0])


fresh, by_rows = [tf.Variable(tf.zeros((100_000, 64))) for _ in range(2)]
tf.gather(by_rows, [0])
wholes = [reading(fresh), reading(by_rows)]
cheap, copied = costs.times(wholes, 20).min(axis=0)
assert copied > 2 * cheap
