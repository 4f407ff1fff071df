"""What notebook 17 says of its figures, in its order; `margins.py` runs it behind the notebook."""

# Plain descent leaks by a half; decay acts once a step.
assert masked(keras.optimizers.SGD(1.0, gradient_accumulation_steps=4), mask)[-1] == 0.5
assert moved.tolist() == [4, 8, 12]
assert int(adamw.iterations.numpy()) == 3
assert ends == [1.5, 1.0]
assert held == [1] * 8

# The playgrounds that nobody touches.
assert with_mask.leaks().sum() == with_mask.frozen.sum() == 12
assert with_exact.leaks().sum() == 0
assert with_exact.frozen.sum() == 12
assert counts == [0, 6, 0]

# Replicas.
assert rounded[:2] == [0, 0]
assert rounded[2] > 50
masks_on_all, changed_on_all = np.array(exact["masks"]), np.array(exact["changed"])
assert (masks_on_all[:, 0] == masks_on_all[:, 1]).all()
assert (masks_on_all[0] != masks_on_all[1]).all()
assert (changed_on_all == 1 - masks_on_all).all()
assert exact["differing"] == 0
assert apart > 200
assert [frozen, free, differing] == [0, 640, 0]
assert found["scatter"] == "NotImplementedError"

# Workers.
assert equal
assert all(a["mask"] == b["mask"] for a, b in halves)
assert halves[0][0]["mask"] != halves[1][0]["mask"]
assert max(report["frozen changed"] for report in reports) == 0
assert min(report["free changed"] for report in reports) > 280
