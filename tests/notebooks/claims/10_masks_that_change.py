"""What the page says of a leak and of a thaw; `margins.py` runs it behind the notebook."""

# The weight at the top: one free step, fifty more while frozen, each a tenth shorter.
assert (~frozen[200:]).sum() == 1 and (frozen & changed).sum() >= 50
assert 13 < distance.max() / rate < 14

# The order of the memories, from five steps after the thaw on; the old one is never the worst.
for found, wanted in ((at_once, "empty"), (at_twice, "old")):
    tenth = {name: each[:, 10].mean() for name, each in found.items()}
    assert min(tenth, key=tenth.get) == wanted
    assert max(tenth, key=tenth.get) != "old"

# At twice the rate the loss of the empty memory jumps with every seed, and no other does.
for name, each in at_twice.items():
    assert (each[:, 1:].max(axis=1) > 1.1 * each[:, 0]).all() == (name == "empty")
    assert name == "empty" or (each[:, 1:].max(axis=1) < each[:, 0]).all()

# Too long are steps after a freeze that came early and lasted long; six or seven rates at the most.
of_old = [max(step_lengths(25, thawed_at)) for thawed_at in (26, 125, 1_000)]
assert of_old[0] < 1.1 < 1.8 < of_old[1] < of_old[2]
assert max(step_lengths(1_000, 1_100)) < 1.1 and max(step_lengths(300, 300)) < 1.01
assert 6 < max(step_lengths(0, 5_000)) < 7
