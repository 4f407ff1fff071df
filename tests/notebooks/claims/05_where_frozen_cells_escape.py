"""What the page says of other optimizers, and does not show."""

# A gradient that was 0 from the first step on moves nothing under these two, and all under those.
muon = keras.optimizers.Muon(weight_decay=None)
others = ["rmsprop", "lion", "ftrl", muon]
cold = leaks.judge(["where_gradient"], others, ["cold"])
assert [verdict.cells for verdict in cold] == [0, 0, 24, 24]

# Without old digits it is the decay that takes the rest: under Adam alone the leak costs little.
leaked, leaky, _ = learn_two_more(TECHNIQUES[where], adam(), replay=False)
_, exact, _ = learn_two_more(TECHNIQUES["exact"], adam(), replay=False)
assert leaked.min() == 264 and abs((leaky - exact).mean()) < 0.03
