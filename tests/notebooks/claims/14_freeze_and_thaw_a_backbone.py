"""What the page says of its models, in its order."""

# `fit` overrules the functional model, and not the class.
assert "moving_mean" in functional and "moving_mean" not in own_class
