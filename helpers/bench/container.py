"""A container's limits for processes of a bench: one core, and so much memory; Linux, as root."""

import contextlib
import os
import signal
import time
from pathlib import Path

GROUPS = Path("/sys/fs/cgroup")
NAME = "freezing-tensors"
MEGABYTE = 2**20


class Container:
    """A cgroup with a limit of memory; `enter`, called in a new process, puts it inside, and on
    one core. Raises OSError where no cgroup can be made."""

    def __init__(self, megabytes):
        old = (GROUPS / "memory").is_dir()  # version 1 has a folder for each thing that it limits
        self._folder = (GROUPS / "memory" if old else GROUPS) / f"{NAME}-{os.getpid()}"
        self._limit = "memory.limit_in_bytes" if old else "memory.max"
        self._counted = ("total_rss", "total_shmem") if old else ("anon", "shmem")
        self._folder.mkdir()
        (self._folder / self._limit).write_text(str(megabytes * MEGABYTE))

    def enter(self):
        """Put the calling process, and all that it will start, into the container."""
        (self._folder / "cgroup.procs").write_text(str(os.getpid()))
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

    def taken(self):
        """Return how many megabytes are taken by programs, without copies of files, an int."""
        lines = (self._folder / "memory.stat").read_text().splitlines()
        stat = dict(line.split() for line in lines)
        return sum(int(stat[name]) for name in self._counted) // MEGABYTE

    def close(self):
        """End what is still inside, and remove the cgroup."""
        for _ in range(100):
            inside = (self._folder / "cgroup.procs").read_text().split()
            if not inside:
                break
            for process in inside:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(process), signal.SIGKILL)
            time.sleep(0.1)
        self._folder.rmdir()
