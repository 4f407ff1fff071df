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
