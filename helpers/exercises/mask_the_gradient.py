"""Mask the gradient: does a mask hold under this optimizer? Try it, and compare bits."""

from helpers.bits import changed_bits
from helpers.device import keras, tf
from helpers.exercises.exercise import Exercise, expect


def mask_holds(optimizer):
    """Train a weight for three steps, then give it the gradient of a masked one."""
    cell = keras.Variable([1.0])
    optimizer.build([cell])
    for gradient in [1.0, 1.0, 1.0]:
        optimizer.apply([tf.constant([gradient])], [cell])
    before = cell.numpy()
    for gradient in [0.0, 0.0, 0.0]:
        optimizer.apply([tf.constant([gradient])], [cell])
    return not changed_bits(before, cell.numpy()).any()


optimizers = keras.optimizers
HOLDING = {
    "SGD(0.1)": lambda: optimizers.SGD(0.1),
    "RMSprop(0.01)": lambda: optimizers.RMSprop(0.01),
    "Adagrad(0.1)": lambda: optimizers.Adagrad(0.1),
    "Adam(0.01, beta_1=0.0)": lambda: optimizers.Adam(0.01, beta_1=0.0),
}
LEAKING = {
    "Adam(0.01), which remembers a direction,": lambda: optimizers.Adam(0.01),
    "SGD(0.1, momentum=0.9), which remembers a direction,": lambda: optimizers.SGD(
        0.1, momentum=0.9
    ),
    "SGD(0.1, weight_decay=0.01), which decays,": lambda: optimizers.SGD(0.1, weight_decay=0.01),
    "AdamW(1e-4, weight_decay=0.01, beta_1=0.0), which takes off a millionth,": lambda: (
        keras.optimizers.AdamW(1e-4, weight_decay=0.01, beta_1=0.0)
    ),
}


def judge(attempt):
    """Optimizers under which a mask holds, and some under which it does not."""
    for name, make in HOLDING.items():
        found = _answer(attempt, make())
        expect(found, f"Under {name} a masked weight keeps every bit, and False came back.")
    for name, make in LEAKING.items():
        found = _answer(attempt, make())
        expect(not found, f"{name} moves a masked weight, and True came back.")
    return f"It tells {len(HOLDING)} optimizers that hold from {len(LEAKING)} that leak."


def _answer(attempt, optimizer):
    found = attempt(optimizer)
    expect(found is not None, "Nothing came back; return True or False.")
    return bool(found)


exercise = Exercise(
    mask_holds,
    judge,
    [
        "A masked weight is a weight that gets the gradient 0 in each step.",
        "What Adam remembers of a weight is empty as long as the weight has had no gradient.",
        "Decay takes a share of the weight. What is a share of 0? And is np.allclose a bit?",
    ],
)
