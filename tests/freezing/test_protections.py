"""Each protection switched off in turn: the same check must then see it."""

import numpy as np

from helpers.bits import changed_bits
from helpers.device import keras, tf
from helpers.freezing import freezable, slots, writes
from helpers.freezing import optimizer as freezing
from tests.freezing.cases import AVERAGES, Case, Pair

K = keras.optimizers


def test_check_finds_weights_and_slots_that_are_not_put_back(monkeypatch):
    case = Case(K.Lamb)
    assert Pair(case).run() == (0, 0)
    monkeypatch.setattr(slots, "_keep", lambda variable, mask, old: None)
    assert Pair(case).run()[0] > 0


def test_check_finds_slots_that_are_not_put_back():
    pair = Pair(Case(K.Lamb, schedule=("none", "some", "some")))
    for cells in pair.ours.registry.cells:
        cells.slots.clear()
    assert pair.run()[0] > 0


def test_check_finds_writes_that_are_not_masked(monkeypatch):
    plainly = lambda self, write, variable, value, update: write(variable, value)  # noqa: E731
    monkeypatch.setattr(freezing.FreezesCells, "_write", plainly)
    assert Pair(Case(K.Adam, schedule=("none", "some", "some"))).run()[0] > 0


def test_check_finds_weight_decay_that_is_not_masked(monkeypatch):
    assert Pair(Case(K.AdamW)).run() == (0, 0)
    monkeypatch.setattr(freezing.FreezesCells, "_apply_weight_decay", K.Adam._apply_weight_decay)
    assert Pair(Case(K.AdamW)).run()[0] > 0


def test_check_finds_a_coupled_optimizer_taken_for_cell_by_cell(monkeypatch):
    monkeypatch.setattr(writes, "CELL_BY_CELL", {K.Lamb})
    assert Pair(Case(K.Lamb, schedule=("none", "some", "some"))).run()[1] > 0


class AssignsLast(Pair):
    """Frozen cells are given other values between the last step and the last overwrite."""

    def step(self, ours=None, plain=None, ulp=False):
        for variable, frozen in zip(self.mine, self.frozen) if ours else ():
            variable.assign(np.where(frozen, 7, variable.numpy()))
        super().step(ours, plain, ulp)


def test_check_finds_the_last_overwrite_of_an_average(monkeypatch):
    case = Case(K.SGD, AVERAGES[1], schedule=("none", "none", "some"))
    assert AssignsLast(case).run() == (0, 0)
    monkeypatch.delattr(freezing.FreezesCells, "finalize_variable_values")
    assert AssignsLast(case).run()[0] > 0


def test_check_finds_averages_that_are_not_the_cell(monkeypatch):
    case = Case(K.SGD, AVERAGES[1], schedule=("none", "none", "some"))
    assert Pair(case).run() == (0, 0)
    monkeypatch.setattr(slots.Cells, "settle", lambda self, frozen: None)
    assert Pair(case).run()[0] > 0


def test_check_finds_gathered_gradients_that_count_in_norms(monkeypatch):
    options = {"gradient_accumulation_steps": 3, "global_clipnorm": 0.1}
    case = Case(K.SGD, options, schedule=("none", "some", "same"))
    assert Pair(case).run() == (0, 0)
    monkeypatch.setattr(slots.Cells, "hide_gathered", lambda self, update: None)
    assert Pair(case).run()[1] > 0


def test_check_finds_gradients_that_are_not_masked(monkeypatch):
    monkeypatch.setattr(freezing, "without_frozen", lambda grad, frozen: grad)
    assert Pair(Case(K.Lamb, schedule=("some",))).run()[1] > 0


def test_check_finds_gradients_that_are_masked_after_clipping(monkeypatch):
    clip = K.Optimizer._clip_gradients

    def too_late(self, grads):
        clipped = clip(self, grads)
        return [mask(g, cells.mask) for g, cells in zip(clipped, self.registry.cells)]

    mask = freezing.without_frozen
    case = Case(K.SGD, {"global_clipnorm": 0.1}, schedule=("some",))
    assert Pair(case).run() == (0, 0)
    monkeypatch.setattr(freezing, "without_frozen", lambda grad, frozen: grad)
    monkeypatch.setattr(freezable(K.SGD), "_clip_gradients", too_late, raising=False)
    assert Pair(case).run()[1] > 0


def test_weight_decay_rounds_and_is_excluded_as_in_keras():
    """Many cells, because few of them show a product taken in another order."""
    values = np.random.default_rng(0).normal(size=5000).astype("float32")
    after = []
    for cls in (K.AdamW, freezable(K.AdamW)):
        variables = [keras.Variable(values, name=name) for name in ("kernel", "bias")]
        optimizer = cls(0.013, weight_decay=0.37)
        optimizer.exclude_from_weight_decay(var_names=["bias"])
        optimizer.build(variables)
        if cls is not K.AdamW:
            optimizer.freeze_cells(variables[0], np.arange(5000) == 0)
        optimizer.apply([tf.zeros(5000)] * 2, variables)
        after.append([variable.numpy() for variable in variables])
    (plain, same), (ours, bias) = after
    assert not changed_bits(plain, ours)[1:].any() and changed_bits(values, plain).all()
    assert not changed_bits(same, bias).any() and not changed_bits(values, bias).any()
    assert ours[0] == values[0]
