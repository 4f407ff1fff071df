"""What the page says of other optimizers, and does not show."""

# A gradient that was 0 from the first step on moves nothing under these two, and all under those.
muon = keras.optimizers.Muon(weight_decay=None)
others = ["rmsprop", "lion", "ftrl", muon]
cold = leaks.judge(["where_gradient"], others, ["cold"])
assert [verdict.cells for verdict in cold] == [0, 0, 24, 24]
