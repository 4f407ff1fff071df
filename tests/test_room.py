"""What is told where a container's memory does not suffice for one more notebook."""

import contextlib

import pytest
from jupyter_client.manager import start_new_kernel

from helpers import room

MEGABYTE = 2**20


def machine(root, group, files):
    """A machine's files: /proc/self/cgroup, and those of one folder of cgroups."""
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/cgroup").write_text(group + "\n")
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def stat(**counts):
    return "".join(f"{name} {megabytes * MEGABYTE}\n" for name, megabytes in counts.items())


def test_version_2_counts_what_cannot_be_given_back(tmp_path):
    files = {
        "sys/fs/cgroup/memory.max": f"{2048 * MEGABYTE}\n",
        "sys/fs/cgroup/memory.stat": stat(anon=1500, file=900, shmem=48),
    }
    assert room.left(machine(tmp_path, "0::/", files)) == 500


@pytest.mark.parametrize(("own", "whole", "left"), [(2048, 1500, 200), (1100, 4096, 100)])
def test_version_1_is_read_in_a_group_of_its_own_and_below_it(tmp_path, own, whole, left):
    files = {
        "sys/fs/cgroup/memory/course/memory.limit_in_bytes": f"{own * MEGABYTE}\n",
        "sys/fs/cgroup/memory/course/memory.stat": stat(total_rss=1000, total_shmem=0),
        "sys/fs/cgroup/memory/memory.limit_in_bytes": f"{whole * MEGABYTE}\n",
        "sys/fs/cgroup/memory/memory.stat": stat(total_rss=1200, total_shmem=100),
    }
    assert room.left(machine(tmp_path, "4:memory:/course", files)) == left


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"sys/fs/cgroup/memory.max": "max\n", "sys/fs/cgroup/memory.stat": stat(anon=1, shmem=0)},
        {
            "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
            "sys/fs/cgroup/memory/memory.stat": stat(total_rss=1, total_shmem=0),
        },
    ],
)
def test_where_nothing_is_limited_nothing_is_said(tmp_path, files, monkeypatch):
    assert room.left(machine(tmp_path, "4:memory:/\n0::/", files)) is None
    assert room.left(tmp_path / "another system") is None
    monkeypatch.setattr(room, "left", lambda: None)
    room.check()


@pytest.fixture
def say(monkeypatch):
    """A function that makes a machine have some megabytes left, and other kernels take some."""

    def make(left, others):
        monkeypatch.setattr(room, "left", lambda: left)
        monkeypatch.setattr(room, "others", lambda: others)

    return make


def test_a_page_is_refused_with_a_sentence_and_no_traceback(say):
    say(left=312, others=[900, 450])
    told = "312 MB of memory left, .* may yet take 250 MB, .*Shut one down"
    with pytest.raises(room.NotEnoughMemoryError, match=told) as refused:
        room.check()
    assert refused.value._render_traceback_() == [str(refused.value)]


@pytest.mark.parametrize(("others", "fits"), [([], True), ([335], True), ([335, 400], False)])
def test_room_is_left_for_what_open_notebooks_will_take(say, others, fits):
    """As with 2 GB, of which JupyterLab takes 120 MB: two fit, a third does not."""
    say(left=2048 - 120 - sum(others), others=others)
    with contextlib.nullcontext() if fits else pytest.raises(room.NotEnoughMemoryError):
        room.check()


def test_another_kernel_is_seen(from_nothing):
    manager, client = start_new_kernel()
    try:
        client.execute_interactive("kept = bytearray(300 * 2**20)", timeout=60)
        assert any(300 <= taken < 500 for taken in room.others())
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
