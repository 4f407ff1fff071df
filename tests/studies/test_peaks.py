"""Peaks of memory: NaN where the system does not tell. Their figures: in the bench's tests."""

import math

from helpers.studies import peaks


def test_where_the_system_does_not_tell_nothing_runs(monkeypatch, tmp_path):
    monkeypatch.setattr(peaks, "PROCESS", tmp_path)
    found = peaks.of(["nothing", "by mask"])
    assert [*found] == ["nothing", "by mask"]
    assert all(math.isnan(each) for pair in found.values() for each in pair)
    assert all(math.isnan(each) for each in peaks.of_layers([], [0, 1]))
    of_shares = peaks.at_shares(["compact slots"], [1, 20])
    assert [*of_shares] == [1, 20] and math.isnan(of_shares[20]["compact slots"][1])


def test_a_dense_layer_is_frozen_by_each_way_and_takes_its_steps():
    table = peaks._table(200, "dense")
    before = table.get_weights()[0].copy()
    for way in peaks.WAYS:
        model, optimizer = peaks._steps(*peaks._ready(way, 10, peaks._table(200, "dense")), False)
        assert optimizer.iterations.numpy() == 4 and model.count_params() >= before.size
