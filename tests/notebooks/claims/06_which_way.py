"""What the page says of its figures, in its order; `margins.py` runs it behind the notebook."""

from helpers.guide.ways import WAYS

assert len(WAYS) == 13
anns = guide.ask(finest="whole rows", optimizer="adamw", situations=["warm"], file=True)
assert anns[0] == "put back by a constraint" and "frozen rows split off" in anns
bens = guide.ask(optimizer="sgd", situations=["warm"], in_fit=False)
assert bens[0] == "tf.where on the gradient"
cleos = dict(optimizer="adam", situations=["warm", "clipping", "thaw"], repaints=True)
assert guide.ask(**cleos) == ["exact freeze"]

# Single cells: each wish alone is granted by some way.
for situation in guide._situations:
    assert guide.ask(situations=[situation])
for wish in ("repaints", "saves", "file"):
    assert guide.ask(**{wish: True})
