"""A container's limits for processes of a bench: one core, and so much memory; Linux, as root."""

import contextlib
import os
import signal
import time
from pathlib import Path

from helpers import room

GROUPS = Path("/sys/fs/cgroup")
NAME = "freezing-tensors"


class Container:
    """A cgroup with a limit of memory; `enter`, called in a new process, puts it inside, and on
    one core. Raises OSError where no cgroup can be made."""

    def __init__(self, megabytes):
        old = (GROUPS / "memory").is_dir()  # version 1 has a folder for each thing that it limits
        self._folder = (GROUPS / "memory" if old else GROUPS) / f"{NAME}-{os.getpid()}"
        self._limit = "memory.limit_in_bytes" if old else "memory.max"
        self._folder.mkdir()
        (self._folder / self._limit).write_text(str(megabytes * room.MEGABYTE))

    def enter(self):
        """Put the calling process, and all that it will start, into the container."""
        (self._folder / "cgroup.procs").write_text(str(os.getpid()))
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

    def taken(self):
        """Return how many megabytes the programs inside take, an int; see `room.taken`."""
        return room.taken(self._folder)

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
