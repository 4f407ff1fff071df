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

default = keras.optimizers.AdamW
assert adamw().weight_decay == 25 * default().weight_decay
_, leaky, _ = learn_two_more(TECHNIQUES[where], default(0.01), replay=False)
_, exact, _ = learn_two_more(TECHNIQUES["exact"], default(0.01), replay=False)
assert 1 < 100 * (exact - leaky).mean() < 3


def times_locked(gradient, frozen):
    """The mask the wrong way round: what is frozen keeps its gradient."""
    return gradient * tf.cast(frozen, gradient.dtype)


# So the old digits train, and are read better; the new ones are hardly read.
wrong = techniques.Technique("the wrong way round", gradient=times_locked)
of_wrong, of_right = (
    learn_two_more(recipe, keras.optimizers.SGD(0.1), warm=0)
    for recipe in (wrong, TECHNIQUES["gradient_times_mask"])
)
assert of_wrong[0].min() == 264 and of_right[0].max() == 0
assert of_wrong[1].mean() > of_right[1].mean() and of_wrong[2].mean() < of_right[2].mean() - 0.2
