"""What the page says of its figures, in its order."""

from helpers import datasets

(images, labels), _ = datasets.digits_split()
apart = images[labels == 3].mean(axis=0) - images[labels != 3].mean(axis=0)
telling = np.ones(64, bool)
telling[np.argsort(-np.abs(apart))[:13]] = False
telling = telling.reshape(8, 8)


def reads(mask):
    """How many of a hundred test digits are read after 100 steps with this mask."""
    lab.reset()
    lab.frozen = mask
    lab.train(100)
    return 100 * lab.accuracy()


# The contest can be won, and the cross does not win it.
cross, gap = np.ones((2, 8, 8), bool)
cross[4, :] = cross[1:7, 3] = False
gap[2:6, 1:4] = gap[5, 4] = False  # at the left of a 3
assert round(reads(cross), 1) == 89.6 and round(reads(telling)) == 92
assert (~gap).sum() == 13 and reads(gap) > 90
assert round(reads(np.ones((8, 8), bool))) == 85
block = np.s_[2:6, 2:4]
assert (~telling[block]).sum() == 7
assert (apart.reshape(8, 8)[block][~telling[block]] < 0).all(), "a 3 has less ink there"


# The gradient of the whole kernel is computed, and the free ones are picked from it.


@tf.function
def gradient_of_the_free_values(x):
    """As in a step of fit."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((layer(x) - 1) ** 2)
    return tape.gradient(loss, layer.free.value)


batch = tf.ones((32, 64))
assert gradient_of_the_free_values(batch).shape == (20,)
graph = gradient_of_the_free_values.get_concrete_function(batch).graph
products = [each.outputs[0].shape for each in graph.get_operations() if each.type == "MatMul"]
assert products[-1] == (64, 10)

# A model that was cloned has the trained head beside an old table, until that is written back.
table.assign(swap[words].whole())
assert np.allclose(model(inputs), clone(inputs))
