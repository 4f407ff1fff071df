"""What the page says of five encoders; the one that it shows is the first."""

with_one, with_its_own = [], []
for seed in range(5):
    digits = trained(seed)
    stored = code(digits, images)
    model, adam = with_new_head(), keras.optimizers.Adam(0.01)
    adam.build(model.trainable_variables)
    train(model, adam, by_identity(model), steps=1000)
    train(model, adam, model.trainable_variables, steps=15)
    with_one.append(np.mean(labels[search(model)] == test_labels))
    own = with_an_adam_of_its_own()
    with_its_own.append(np.mean(labels[search(own)] == test_labels))
assert 0.2 < min(with_one) < max(with_one) < 0.6
assert 0.945 < min(with_its_own) < max(with_its_own) < 0.985
