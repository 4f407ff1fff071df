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

# Summed or not, training comes as far, at other rates and by RMSprop as well.
assert abs(np.subtract(*losses.values())).max() < 0.1
about_the_in_a_batch = 256 * counts[0][1] / len(inputs)
assert counts[0][0] == "the" and 15 < about_the_in_a_batch < 25


class SummedRMSprop(keras.optimizers.RMSprop):
    def apply(self, gradients, variables=None):
        super().apply([sum_list(each) for each in gradients], variables)


def last_loss(kind, rate):
    model = make_model()
    model.compile(kind(rate), cross_entropy)
    pairs = np.array(known[:-1]), np.array(known[1:])
    return model.fit(*pairs, epochs=6, batch_size=256, verbose=0).history["loss"][-1]


for listed, summed in (
    (keras.optimizers.Adam, SummedAdam),
    (keras.optimizers.RMSprop, SummedRMSprop),
):
    for rate in (0.003, 0.03):
        assert abs(last_loss(listed, rate) / last_loss(summed, rate) - 1) < 0.03
