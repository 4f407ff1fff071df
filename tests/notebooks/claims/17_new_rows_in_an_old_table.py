"""What New rows in an old table says of its figures."""

# Nothing frozen: some of the old words get another neighbour at once, and more with time.
assert min(early) > 4 and min(late) > 10
assert min(np.subtract(late, early)) > 2
assert changed[in_text].mean() > 2 * changed[~in_text].mean() > 0

# No gradient: every row changes, no neighbour does, and a strong decay changes other answers.
for decay, least, most in ((0.004, 0.5, 1.5), (0.3, 50, 80)):
    rows = at_end[decay]
    assert other_neighbours(rows) == 0 and kept == 0
    assert least <= other_answers(rows) < most
    left = np.linalg.norm(rows) / np.linalg.norm(old_rows)
    assert abs(left - (1 - 0.01 * decay) ** 1000) < 1e-6

# Frozen after a start: rows that had a gradient leak under Adam, the others do not.
assert ((by_row > 0) == in_text[-8:]).all() and in_text[-8:].sum() == 4
lab.reset()
lab.use(optimizer="adamw")
lab.train(5)
assert (lab.leaks()[:8].sum(axis=1) == 16).all()
lab.use(optimizer="adam")
assert min(pushed) > 0.5 and 1 < np.mean(pushed) < 3

# Decay turns no row, and momentum those alone that had a gradient.
for decay in masked:
    assert length_and_angle(old_rows, at_end[decay])[1].max() < 1e-3
turned = length_and_angle(at_freeze, warm.old_rows())[1]
assert turned[in_text].mean() > 0.1
assert turned[~in_text].max() < 1e-3

# What holds: no old bit moves, and the new task loses a little.
assert not any(bits_moved)
for reader in ways.values():
    assert not changed_bits(old_rows, reader.old_rows()).any()
for moved in rows_moved.values():
    assert not moved[:old].any() and moved[old:].all()
assert difference.min() > 0 and difference.mean(axis=0).max() < 3
assert max(intruders) < 0.01 * old

# Two thirds more are wrong than if everything trains, and the head alone is far behind.
wrong = 100 - np.mean(accuracy[:, 1]), 100 - np.mean(held_accuracy[:, 1])
assert 1.4 < wrong[1] / wrong[0] < 2.2
assert np.max(head_accuracy) < np.min(held_accuracy) - 5
