"""What the page says of decay, and does not show."""

# Without old digits it is the decay that takes the rest: under Adam alone the leak costs little.
leaked, leaky, _ = learn_two_more(TECHNIQUES[where], adam(), replay=False)
_, exact, _ = learn_two_more(TECHNIQUES["exact"], adam(), replay=False)
assert leaked.min() == 264 and abs((leaky - exact).mean()) < 0.03

default = keras.optimizers.AdamW
assert adamw().weight_decay == 25 * default().weight_decay
_, leaky, _ = learn_two_more(TECHNIQUES[where], default(0.01), replay=False)
_, exact, _ = learn_two_more(TECHNIQUES["exact"], default(0.01), replay=False)
assert 1 < 100 * (exact - leaky).mean() < 3

# With a tenth of the penalty the leak costs a tenth.
weak = {"penalty": 0.0001}
_, leaky, _ = learn_two_more(TECHNIQUES[stop], adam(), **weak)
_, exact, _ = learn_two_more(TECHNIQUES["exact"], adam(), **weak)
assert 0.3 < 100 * (exact - leaky).mean() < 2
