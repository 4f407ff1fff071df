"""Small networks: what a seed decides, what a trial keeps and takes back, what Fisher measures."""

import numpy as np

from helpers import datasets, masks, networks
from helpers.device import keras, tf
from helpers.freezing import freezable
from helpers.studies import trials

(IMAGES, LABELS), (TEST_IMAGES, TEST_LABELS) = datasets.digits_split()


def trial(seed=0, **more):
    return trials.Trial(networks.dense(seed, (16,)), freezable(keras.optimizers.Adam)(3e-3), **more)


def equal(first, second):
    return all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))


def test_a_seed_decides_the_weights_and_no_two_layers_share_them():
    weights = networks.dense(3).get_weights()
    assert equal(weights, networks.dense(3).get_weights())
    assert not equal(weights, networks.dense(4).get_weights())
    kernels = [w.ravel()[:20] for w in weights if w.ndim > 1]
    assert len({tuple(k / np.abs(k).max()) for k in kernels}) == len(kernels)


def test_a_network_learns_the_digits_within_seconds():
    learning = trials.Trial(networks.dense(0), keras.optimizers.Adam(3e-3))
    before = learning.accuracy(TEST_IMAGES, TEST_LABELS)
    learning.train(IMAGES, LABELS, 300)
    assert before < 40 < 90 < learning.accuracy(TEST_IMAGES, TEST_LABELS)


def test_accuracy_counts_per_cent():
    model = keras.Sequential([keras.layers.Input((64,)), keras.layers.Dense(2)])
    model.set_weights([np.zeros((64, 2)), np.array([0.0, 1.0])])
    still = trials.Trial(model, keras.optimizers.SGD(0.0))
    assert still.accuracy(IMAGES[:4], [1, 1, 1, 0]) == 75.0


def test_the_seed_of_a_training_decides_its_batches():
    runs = []
    for seed in (0, 0, 1):
        one = trial()
        one.train(IMAGES, LABELS, 5, seed)
        runs.append(one.model.get_weights())
    assert equal(runs[0], runs[1]) and not equal(runs[0], runs[2])


def test_a_restarted_trial_repeats_the_first_run_bit_for_bit_even_after_freezing():
    one = trial()
    start = one.model.get_weights()
    one.train(IMAGES, LABELS, 5)
    first, kernel = one.model.get_weights(), one.model.trainable_variables[0]
    one.optimizer.freeze_cells(kernel, np.ones(kernel.shape, bool))
    one.train(IMAGES, LABELS, 5)
    one.restart(start)
    one.train(IMAGES, LABELS, 5)
    assert equal(first, one.model.get_weights())
    assert not one.optimizer.frozen_cells(kernel).numpy().any()


def test_frozen_cells_of_a_trial_keep_their_bits_and_nothing_is_traced_again():
    one = trial()
    one.train(IMAGES, LABELS, 5)
    kernel = one.model.trainable_variables[0]
    frozen, before = masks.random(kernel.shape, 0.5, 0), kernel.numpy()
    one.optimizer.freeze_cells(kernel, frozen)
    one.train(TEST_IMAGES, TEST_LABELS, 5)
    assert (kernel.numpy() == before)[frozen].all() and (kernel.numpy() != before)[~frozen].any()
    assert one._run.experimental_get_tracing_count() <= 2  # one for each number of images


def test_a_penalty_is_added_and_chosen_variables_alone_are_trained():
    model = networks.dense(0, (16,))
    bias, before = model.trainable_variables[-1], model.get_weights()
    pulled = trials.Trial(
        model,
        keras.optimizers.SGD(0.1),
        loss=lambda labels, logits: tf.constant(0.0),
        penalty=lambda: tf.reduce_sum(tf.square(bias - 1.0)),
        variables=[bias],
    )
    pulled.train(IMAGES, LABELS, 100)
    np.testing.assert_allclose(bias.numpy(), 1.0, atol=1e-4)
    assert equal(before[:-1], model.get_weights()[:-1])


def test_fisher_is_the_mean_of_the_squared_gradients_one_example_at_a_time():
    model = networks.dense(0, (4,))
    found = trials.fisher(model, IMAGES[:7], LABELS[:7])
    total = [np.zeros(v.shape) for v in model.trainable_variables]
    for n in range(7):
        with tf.GradientTape() as tape:
            loss = networks.cross_entropy(LABELS[n : n + 1], model(IMAGES[n : n + 1]))
        for t, g in zip(total, tape.gradient(loss, model.trainable_variables)):
            t += g.numpy() ** 2 / 7
    for ours, theirs in zip(found, total, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-12)
