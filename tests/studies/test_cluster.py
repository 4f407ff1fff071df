"""Two real workers over loopback: equal masks, frozen bits, and no waiting for the dead."""

import json
import time

import pytest

from helpers.studies import cluster


@pytest.fixture(scope="module")
def reports():
    return cluster.run(2, steps=100)


def test_both_workers_take_every_step_with_one_trace(reports):
    assert [(r["worker"], r["steps"]) for r in reports] == [(0, 50), (0, 100), (1, 50), (1, 100)]
    assert {r["traces"] for r in reports} == {1}


def test_frozen_cells_keep_their_bits_on_both_and_every_free_cell_moves(reports):
    assert [r["frozen"] for r in reports] == [320] * 4
    assert [r["frozen changed"] for r in reports] == [0] * 4
    assert min(r["free changed"] for r in reports) > 280  # a pixel without ink has no gradient


def test_masks_and_weights_are_equal_on_both_and_changed_half_way(reports):
    names = ("mask", "weights", "frozen weights")
    first, second = [[[r[n] for n in names] for r in reports[i : i + 2]] for i in (0, 2)]
    assert first == second and first[0][0] != first[1][0]


def test_a_worker_that_is_killed_is_reported_and_the_other_is_stopped():
    seen = []

    def kill(processes):
        seen[:] = processes
        if not killed:
            processes[1].kill()
            killed.append(time.monotonic())

    killed = []
    with pytest.raises(cluster.WorkerLost, match="Worker 1 ended with code -9"):
        cluster.run(2, steps=100_000, watch=kill)
    assert [process.poll() for process in seen] == [-9, -9]


def test_workers_that_take_too_long_are_stopped():
    seen = []
    with pytest.raises(cluster.WorkerLost, match="1 of 1 workers were not done in time"):
        cluster.run(1, steps=100_000, seconds=1, watch=lambda processes: seen.extend(processes))
    assert seen[0].poll() == -9


def test_a_worker_that_fails_is_quoted():
    with pytest.raises(cluster.WorkerLost, match="(?s)code 1.*'Nonsense' arrived"):
        cluster.run(1, optimizer="Nonsense")


def test_each_worker_hears_of_all_and_of_its_own_place():
    first, second = map(json.loads, cluster.configs(["host0:2222", "host1:2222"]))
    assert first["cluster"] == second["cluster"] == {"worker": ["host0:2222", "host1:2222"]}
    assert (first["task"]["index"], second["task"]["index"]) == (0, 1)
