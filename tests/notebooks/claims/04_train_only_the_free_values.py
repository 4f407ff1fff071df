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
cross = np.ones((8, 8), bool)
cross[4, :] = cross[1:7, 3] = False
assert round(reads(cross)) == 90 and round(reads(telling)) == 92
block = np.s_[2:6, 2:4]
assert (~telling[block]).sum() == 7
assert (apart.reshape(8, 8)[block][~telling[block]] < 0).all(), "a 3 has less ink there"
