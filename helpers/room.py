"""Whether there is memory for one more notebook, where a container has a limit, as on Binder.

Without it the system would end the kernel, and JupyterLab could not say why. What is counted is
what cannot be given back: memory of programs, and not copies of files. See cgroups(7), and the
kernel's documentation of the memory controller, versions 1 and 2.
"""

import contextlib
import os
from pathlib import Path

import psutil

NEEDED = 700  # megabytes; what the largest page of the course takes
MEGABYTE = 2**20
# The file with the limit, and what counts towards it, by version 2 of cgroups and by version 1,
# where the largest number stands for no limit.
LIMITS = {
    "memory.max": ("anon", "shmem"),
    "memory.limit_in_bytes": ("total_rss", "total_shmem"),
}
UNLIMITED = 2**40  # megabytes


class NotEnoughMemoryError(MemoryError):
    """There is no memory left for a notebook; IPython shows the sentence alone."""

    def _render_traceback_(self):
        return [str(self)]


def check():
    """Raise NotEnoughMemoryError if a limit of the container leaves less than a notebook may take,
    once every other one that is open has taken as much."""
    room = left()
    if room is None:
        return
    spoken_for = sum(max(0, NEEDED - taken) for taken in others())
    if room - spoken_for < NEEDED:
        raise NotEnoughMemoryError(
            f"This machine has {max(room, 0):,} MB of memory left, of which the notebooks that are "
            f"open may yet take {spoken_for:,} MB, and this one may take {NEEDED} MB. Shut one "
            "down that you have finished: in JupyterLab, press the square in a circle at the left "
            "edge (Running Terminals and Kernels), and the × beside its name. Then run this cell "
            "again."
        )


def left(root=Path("/")):
    """Return how many megabytes the processes of this container may take beside those they have,
    an int; None where nothing limits them."""
    rooms = [_left(folder) for folder in _folders(root)]
    return min((room for room in rooms if room is not None), default=None)


def others():
    """Return how many megabytes each other kernel in this container takes by itself, ints."""
    taken, here = [], _group("self")
    for process in psutil.process_iter(["cmdline", "memory_info"]):
        told, memory = process.info["cmdline"] or (), process.info["memory_info"]
        is_other = "ipykernel_launcher" in told and process.pid != os.getpid()
        if is_other and memory and _group(process.pid) == here:
            taken.append((memory.rss - memory.shared) // MEGABYTE)
    return taken


def _group(process, root=Path("/")):
    """Return what tells a process's container from others; empty where there is no such thing."""
    with contextlib.suppress(OSError):
        return (root / "proc" / str(process) / "cgroup").read_text()
    return ""


def taken(folder):
    """Return how many megabytes the programs of a cgroup's folder take, without copies of files."""
    (counted,) = (names for limit, names in LIMITS.items() if (folder / limit).exists())
    stat = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
    return sum(int(stat[name]) for name in counted) // MEGABYTE


def _folders(root):
    """Yield where a limit of memory may stand. Within a container a group's folder can be the root
    of what is mounted."""
    for line in _group("self", root).splitlines():
        _, controllers, path = line.split(":", 2)
        if not controllers or "memory" in controllers.split(","):
            base = root / "sys/fs/cgroup" / ("memory" if controllers else "")
            yield from {base / path.lstrip("/"), base}


def _left(folder):
    for limit in LIMITS:
        with contextlib.suppress(OSError, ValueError):  # no such group, or no limit: "max"
            most = int((folder / limit).read_text()) // MEGABYTE
            return None if most > UNLIMITED else most - taken(folder)
    return None
