"""What A room for each task says of its figures; `margins.py` runs it behind the notebook."""

from helpers.freezing import freezable
from helpers.masks import random

# The painted room: it keeps every answer, and one forgotten unit can cost more than a hundred.
scored = {name: found for name, _, found in board.tries}
by_nothing = scored["nothing"]["changed"]
assert by_nothing > 90
assert scored["the room"]["changed"] == scored["everything"]["changed"] == 0
assert most > 110
# A frozen cell cannot learn camera 2.
assert scored["the room"]["camera 2, %"] > 85
assert scored["everything"]["camera 2, %"] < 40
# The next unit costs 52, and in another network each costs fewer than 60.
other = by_hand.Student(cameras[:2], in_room, seed=1)
assert max(changed_answers(room & (np.arange(64) != unit), other) for unit in range(32)) < 60
assert sorted(without_one)[-2:] == [52, 131]
other.close()
# As many cells at random hold little: nearly as many answers change as with no freeze.
assert random(room.shape, 0.5, seed=0).sum() == room.sum() == 32 * 64
at_random = [changed_answers(random(room.shape, 0.5, seed)) for seed in seeds]
assert 0.75 * by_nothing < np.mean(at_random) < 1.25 * by_nothing
assert min(at_random) > 50
# It is the page's own student that is judged; a mask that held may fail with camera 3, and so does
# the one with some 17 columns. Dark pixels may be free whatever comes.
before_and_after = ["changed", "camera 3 instead"]
assert [scored["dead units free"][column] > 10 for column in before_and_after] == [False, True]
for name in ("empty pixels free", "the room"):
    assert [scored[name][column] for column in before_and_after] == [0, 0]
assert 0 < empty.sum() < 16
for name, _, found in board.tries:
    assert sorted(found) == sorted([*before_and_after, "camera 2, %"]), name
assert changed_answers(room, student) == 0

# The nine needless units are dead, and still Adam moves most of their cells.
assert changed == 0
assert 300 < moved.sum() < moved.size == 9 * 64
assert 0 < furthest < 0.00001
# The other cells had not moved before, either.
assert not (moved & ~before).any()

# They give 0 for every picture of camera 1, and for those that camera 2 trains on. The student goes
# on after the page's comparison.
assert len(needless) == 9
white = [unit for unit in range(32) if not fisher[:, unit].any()]
assert white == needless.tolist()
student.learn_first()
seen_by_them = []  # before camera 2 comes, and after it
for _ in range(2):
    for number, part in [(0, "train"), (0, "test"), (1, "train")]:
        pixels = student.examples(number, part)[0][:, :64]
        seen_by_them.append(np.maximum(pixels @ student.kernel.numpy()[:, needless], 0).max())
    student.learn_both(without_these)
assert not any(seen_by_them)
# Without their 16 palest rows, too, and some 17 columns are left.
thawed = without_these.copy()
thawed[np.argsort(fisher.sum(axis=1), kind="stable")[:16]] = False
assert changed_answers(thawed) == 0
assert changed_answers(thawed, to_camera_3) > 5
assert 16.5 < thawed.sum() / 64 < 17.5

# The goals, reached by masks of a reader's.
lab.frozen = thawed
board.score()
fewer_than_32, fewer_than_20, for_camera_3 = board._goals
assert "✓ " + fewer_than_20 in board._table.value and "○ " + for_camera_3 in board._table.value
lab.frozen = without_empty
board.score()
assert board._table.value.count("✓") == 3

# The whole room holds the answers of all networks; the others' dead units are woken, by camera 3
# in most networks, and in some by camera 2. Where none wakes, no answer changes.
DEAD, WAKE, WHOLE, FREE = found_of = [name for name in table if name[0] == "camera 2"]
assert [len(table[name]) for name in found_of] == [5] * 4
for camera in ("camera 2", "camera 3"):
    dead_units, awake, by_whole, by_free = (table[camera, name] for _, name in found_of)
    assert by_whole == [0] * 5
    assert sum(count > 0 for count in by_free) > (0 if camera == "camera 2" else 2)
    assert not any(count for count, woke in zip(by_free, awake) if woke == 0)
    assert all(woke <= units for woke, units in zip(awake, dead_units))
if seeds == [0, 1, 2, 3, 4]:  # the first is the page's student
    assert table[DEAD][0] == len(needless)
    mine, *others = table[FREE]
    assert mine == table[WAKE][0] == 0
    assert sum(count > 0 for count in others) == 2
    assert table["camera 3", FREE[1]][0] == scored["dead units free"]["camera 3 instead"] > 30
    assert table["camera 3", WAKE[1]][0] == 7
# Woken by camera 3, they give more than 0 for pictures of camera 1.
waking = by_hand.Student([cameras[0], cameras[2]], in_room)
seen = []
for part, number in [("train", 1), ("test", 0)]:
    waking.learn_first()
    if part == "test":
        waking.learn_both(without_these)
    pixels = waking.examples(number, part)[0][:, :64]
    seen.append(np.maximum(pixels @ waking.kernel.numpy()[:, needless], 0).any(axis=0).sum())
waking.close()
assert 0 < seen[0] < 9
assert 0 < seen[1] < 9
to_camera_3.close()

# At home each of the four masks is needed: without it answers change.
for left_out in range(4):
    optimizer = freezable(keras.optimizers.AdamW)(0.01, weight_decay=0.1)
    keras.utils.set_random_seed(0)
    kernel, bias = keras.layers.Dense(32, "relu"), keras.layers.Dense(8)
    mixed = keras.layers.Multiply()([kernel(inputs), used])
    another = keras.Model([inputs, used], bias(mixed))
    optimizer.build(another.trainable_variables)
    another.compile(optimizer, "mse")
    another.fit(*first, epochs=2, verbose=0)
    held = another.predict(first[0], verbose=0)
    of_home = [columns, first_half, rows, np.ones(8, bool)]
    for place, mask in enumerate(of_home):
        if place != left_out:
            optimizer.freeze_cells(another.trainable_variables[place], mask)
    another.fit(*second, epochs=2, verbose=0)
    assert (another.predict(first[0], verbose=0) != held).any()
