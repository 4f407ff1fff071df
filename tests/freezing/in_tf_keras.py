"""What holds in tf_keras (Keras 2), of which `freezable` takes no optimizer: judged by bits.

`.ci/wheel` runs it where tf_keras is installed beside the wheel. Frozen are 20 of 30 rows of an
embedding, and half of the cells behind it.
"""

import functools
import warnings

import keras
import numpy as np
import tensorflow as tf
import tf_keras
from freezing_tensors import LeakCheck, freezable, frozen_rows

K, layers = tf_keras.optimizers, tf_keras.layers
OPTIMIZERS = {
    "SGD, momentum": lambda: K.SGD(0.01, momentum=0.9),
    "Adam": lambda: K.Adam(0.01),
    "Adam, decay": lambda: K.Adam(0.01, weight_decay=0.1),
    "AdamW": lambda: K.AdamW(0.01, weight_decay=0.1),
    "AdamW, clipped": lambda: K.AdamW(0.01, weight_decay=0.1, global_clipnorm=0.1),
    "AdamW, averages": lambda: K.AdamW(0.01, use_ema=True, ema_overwrite_frequency=2),
    "Adam, legacy": lambda: K.legacy.Adam(0.01),
}
# When training ends, `fit` writes averages over the weights, and asks no constraint.
LEAKS = {("constraint", "AdamW, averages"), *(("nothing", name) for name in OPTIMIZERS)}
# A lookup's gradient is sparse, for which the optimizers of `legacy` take no constraint.
REFUSED = {("constraint", "Adam, legacy")}
sentences = np.random.default_rng(0).integers(0, 30, (64, 4)).astype("int32")
targets = sentences.mean(axis=1, keepdims=True).astype("float32")


class PutsBack(tf_keras.constraints.Constraint):
    def __init__(self, frozen, values):
        self.frozen, self.values = frozen, values  # True = frozen

    def __call__(self, weights):
        return tf.where(self.frozen, self.values, weights)


class PutBack(tf_keras.callbacks.Callback):
    def __init__(self, variable, frozen):
        super().__init__()
        self.variable, self.frozen, self.values = variable, frozen, tf.identity(variable)

    def on_train_batch_end(self, batch, logs=None):  # or after steps_per_execution of them
        self.variable.assign(tf.where(self.frozen, self.values, self.variable))

    def on_train_end(self, logs=None):  # after the averages are written
        self.on_train_batch_end(None)


def network(table=None, kernel=None):
    """Return a model, and the two variables of which cells are to be frozen."""
    tf_keras.utils.set_random_seed(0)
    words = layers.Embedding(30, 8, embeddings_constraint=table)
    out = layers.Dense(1, kernel_constraint=kernel)
    model = tf_keras.Sequential([layers.Input((4,), dtype="int32"), words, layers.Flatten(), out])
    return model, [words.embeddings, out.kernel]


def masks(variables):
    """Return what is frozen of the two."""
    table, kernel = variables
    return frozen_rows(table, slice(20)), frozen_rows(kernel, slice(0, None, 2))


def fit(model, callbacks=()):
    """Train for two epochs."""
    model.fit(sentences, targets, 16, 2, shuffle=False, verbose=0, callbacks=list(callbacks))


def warm(make):
    """Return a model that has trained, its optimizer, the variables, and what they hold."""
    model, variables = network()
    optimizer = make()
    model.compile(optimizer, "mse")
    fit(model)
    return model, optimizer, variables, [variable.numpy() for variable in variables]


# --- recipes: each trains, and returns two variables and what they held -----------------------


def nothing(make):
    model, _, variables, before = warm(make)
    fit(model)
    return variables, before


def constraint(make):
    """The constraints stand in a new model, which takes the weights of the old one."""
    old, _, variables, before = warm(make)
    model, variables = network(*map(PutsBack, masks(variables), before))
    model.set_weights(old.get_weights())
    model.compile(make(), "mse")
    fit(model)
    return variables, before


def callback(make):
    model, _, variables, before = warm(make)
    fit(model, map(PutBack, variables, masks(variables)))
    return variables, before


def loop(make):
    """tf.where after apply_gradients."""
    model, optimizer, variables, before = warm(make)

    def step(gradients):
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        for variable, frozen, values in zip(variables, masks(variables), before):
            variable.assign(tf.where(frozen, values, variable))

    steps(model, step)
    return variables, before


def loop_of_keras_3(make):
    """A freezable optimizer, which takes a model's variables, whoever has made the model."""
    model, _, variables, before = warm(make)
    optimizer = freezable(keras.optimizers.AdamW)(0.01, weight_decay=0.1)
    optimizer.build(model.trainable_variables)
    for variable, frozen in zip(variables, masks(variables)):
        optimizer.freeze_cells(variable, frozen)
    steps(model, lambda gradients: optimizer.apply(gradients, model.trainable_variables))
    return variables, before


def steps(model, step):
    """Take as many steps as `fit`, in a graph; `step` takes the gradients."""

    @tf.function
    def train(inputs, wanted):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(inputs, training=True) - wanted))
        step(tape.gradient(loss, model.trainable_variables))

    for start in 2 * list(range(0, 64, 16)):
        train(sentences[start : start + 16], targets[start : start + 16])


# --- the verdict ------------------------------------------------------------------------------


def verdict(recipe, make):
    """Return "holds", how many frozen cells changed, or "refused". Free cells must train."""
    try:
        variables, before = recipe(make)
    except RuntimeError as error:
        assert "Cannot use a constraint function on a sparse variable" in str(error)  # noqa: PT017 - or it holds
        return "refused"
    leaks = 0
    for variable, frozen, values in zip(variables, masks(variables), before):
        changed = variable.numpy().view("uint32") != values.view("uint32")
        assert (changed | frozen).all(), "free cells train"
        leaks += (changed & frozen).sum()
    return f"{leaks} cells leak" if leaks else "holds"


def look(recipe, name, make):
    """Print the verdict on a recipe under an optimizer, and see that it is the one expected."""
    found, pair = verdict(recipe, make), (recipe.__name__, name)
    print(f"{name:16} {recipe.__name__:16} {found}")
    wanted = "leak" if pair in LEAKS else "refused" if pair in REFUSED else "holds"
    assert found.endswith(wanted), f"{wanted} was expected"


def refusal(call):
    """Return in which words something is refused."""
    try:
        call()
    except TypeError as error:
        return str(error)
    raise AssertionError("it was not refused")


def optimizers_are_refused():
    """See that `freezable` says what to do with optimizers that are none of Keras 3."""
    of_ones_own = type("Mine", (K.Adam,), {})
    for arrived in (K.Adam, K.Adam(), K.legacy.Adam, K.legacy.Adam(), of_ones_own):
        told = refusal(functools.partial(freezable, arrived))
        assert "takes optimizers of Keras 3" in told and "tf.where(frozen" in told, told


def leaks_are_found():
    """See that a check says what to do in `fit`, and finds leaks when it is done."""
    model, optimizer, (table, _), _ = warm(OPTIMIZERS["AdamW"])
    pairs = [(table, frozen_rows(table, slice(20)))]
    check = LeakCheck(pairs)
    assert "Leave it out" in refusal(lambda: LeakCheck(pairs, optimizer=optimizer))
    assert "LambdaCallback(on_epoch_end=" in refusal(lambda: fit(model, [check]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit(model, [tf_keras.callbacks.LambdaCallback(on_epoch_end=lambda *_: check.compare())])
    assert check.leaks[0].sum() == 160


def main():
    """Try every recipe under every optimizer."""
    optimizers_are_refused()
    leaks_are_found()
    for name, make in OPTIMIZERS.items():
        for recipe in (nothing, constraint, callback, loop):
            look(recipe, name, make)
    look(loop_of_keras_3, "AdamW", OPTIMIZERS["AdamW"])
    print(f"AS EXPECTED (tf_keras {tf_keras.__version__}, TensorFlow {tf.__version__})")


if __name__ == "__main__":
    main()
