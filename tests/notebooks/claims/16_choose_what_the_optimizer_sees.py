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
assert 0.16 < min(with_one) < 0.21 and 0.57 < max(with_one) < 0.63  # 18 to 60 %
assert 0.9 < min(with_its_own) < 0.945 and 0.965 < max(with_its_own) < 0.99  # 92 to 98 %
