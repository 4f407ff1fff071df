"""The most memory that a kernel has taken so far: code that the kernel itself runs."""

# Linux knows; elsewhere it is NaN. Not `ru_maxrss`: a process inherits that from its parent.
PEAK = """
import pathlib

def peak_megabytes():
    status = pathlib.Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    peaks = [int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")]
    return peaks[0] if peaks else float("nan")
"""
