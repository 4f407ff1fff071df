"""Several worker processes on this machine, joined over loopback, and watched while they run."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import time

from helpers import ROOT


class WorkerLost(RuntimeError):
    """A worker has ended before its time, or the time is over."""


def configs(addresses):
    """Return the TF_CONFIG of each worker, as JSON, for addresses such as "host0:2222"."""
    cluster = {"worker": list(addresses)}
    tasks = [{"type": "worker", "index": index} for index in range(len(cluster["worker"]))]
    return [json.dumps({"cluster": cluster, "task": task}) for task in tasks]


def run(count=2, steps=100, optimizer="AdamW", seconds=120, watch=None):
    """Run `worker.py` in `count` processes until all have ended, and return their reports.

    A report is a dict, two a worker, sorted by worker: "worker", "steps", "frozen", "frozen
    changed" and "free changed" (cells of the kernel since the mask was set), "mask", "weights" and
    "frozen weights" (digests of bits, the last of frozen cells alone), "traces". `optimizer` is a
    Keras class by name. `watch(processes)`, if given, is called about ten times a second.

    If a worker dies, the others fail some seconds later, or wait for ever if they had not met yet;
    so they are stopped as soon as it is seen, and WorkerLost says which one ended, how, and what it
    said last. It is raised as well when all together have run for `seconds`. No worker is left
    behind, unless this process is killed itself.
    """
    command = [sys.executable, "-m", "helpers.studies.worker", "--steps", str(steps)]
    command += ["--optimizer", optimizer]
    search_path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    with contextlib.ExitStack() as stack:
        logs = [stack.enter_context(tempfile.TemporaryFile("w+")) for _ in range(count)]
        processes = []
        stack.callback(_stop, processes)
        for config, log in zip(configs(_free_addresses(count)), logs):
            settings = os.environ | {"TF_CONFIG": config, "PYTHONPATH": search_path}
            settings["CUDA_VISIBLE_DEVICES"] = "-1"  # two workers cannot share one card
            processes.append(subprocess.Popen(command, env=settings, stdout=log, stderr=log))
        _watch(processes, logs, time.monotonic() + seconds, watch or (lambda _: None))
        reported = [line for log in logs for line in _read(log).splitlines()]
    return [json.loads(line) for line in reported if line.startswith('{"worker"')]


def _watch(processes, logs, end, watch):
    """Return when every process has ended well."""
    while True:
        watch(processes)
        codes = [process.poll() for process in processes]
        for number, code in enumerate(codes):
            if code:
                last = _last_lines(logs[number])
                raise WorkerLost(f"Worker {number} ended with code {code}. {last}".strip())
        if None not in codes:
            return
        if time.monotonic() > end:
            _stop(processes)  # before reading: a worker that writes shares the place in its log
            last = "\n".join(f"Worker {n}: {_last_lines(log)}" for n, log in enumerate(logs))
            raise WorkerLost(
                f"{codes.count(None)} of {len(codes)} workers were not done in time and have been "
                f"stopped; if they were at work, pass more `seconds`. They said last:\n{last}"
            )
        time.sleep(0.1)


def _stop(processes):
    for process in processes:
        process.kill()
        process.wait()


def _last_lines(log):
    return "\n".join(_read(log).splitlines()[-3:])


def _read(log):
    log.seek(0)
    return log.read()


def _free_addresses(count):
    """Addresses on loopback that nobody listens on; held together, so that no two are equal."""
    with contextlib.ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [f"127.0.0.1:{probe.getsockname()[1]}" for probe in probes]
