"""What the page says of decay, and does not show."""

# Without old digits: coasting costs a point or so, the decay by default two.
coasting, by_default = [lost[f"tf.where, {name}, no old digits"] for name in ("Adam", "AdamW")]
assert 0 < -coasting.mean() < 1.5 and 1 < -by_default.mean() < 3

default = keras.optimizers.AdamW
assert adamw().weight_decay == 25 * default().weight_decay

# With a tenth of the penalty the leak costs a tenth.
weak = {"penalty": 0.0001}
_, leaky, _ = learn_two_more(TECHNIQUES[stop], adam(), **weak)
_, exact, _ = learn_two_more(TECHNIQUES["exact"], adam(), **weak)
assert 0.3 < 100 * (exact - leaky).mean() < 2
