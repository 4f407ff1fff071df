"""What the page says of Keras' other optimizers, and of clipping."""


def length_of_step(optimizer, gradient):
    """How far one step moves a number of the row that is listed three times."""
    row = keras.Variable(np.zeros((5, 2)))
    optimizer.apply([gradient], [row])
    return abs(row.numpy()[0, 0])


too_long, alike = set(), set()
for name in [
    "SGD",
    "RMSprop",
    "Adam",
    "AdamW",
    "Nadam",
    "Adagrad",
    "Adadelta",
    "Ftrl",
    "Lamb",
    "Adamax",
    "Lion",
]:
    kind = getattr(keras.optimizers, name)
    by_list, by_sum = (
        length_of_step(kind(0.01), each) for each in (listed, tf.convert_to_tensor(listed))
    )
    (alike if abs(by_list / by_sum - 1) < 0.01 else too_long).add(name)
    assert by_list > 0.99 * by_sum
assert alike == {"SGD", "Adamax", "Lion"}

# A step by the list is longer than the norm to which it is clipped.
clipped = keras.optimizers.SGD(1.0, global_clipnorm=1.0)
assert np.sqrt(2) * length_of_step(clipped, listed) > 1.5
