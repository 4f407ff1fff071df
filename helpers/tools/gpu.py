"""The CUDA libraries with which TensorFlow trains on an NVIDIA GPU: 4 GB, for whoever asks.

environment.yml leaves them out, for most laptops could not use them. TensorFlow's own package names
them as its extra `and-cuda` (https://www.tensorflow.org/install/pip); they exist for Linux.
"""

import shutil
import subprocess
import sys

from helpers.tools import environment

SIZE = "about 4 GB more"
THERE = "import importlib.util, sys; sys.exit(importlib.util.find_spec('nvidia.cudnn') is None)"


def name():
    """Return what the driver calls the first NVIDIA GPU, or None where it sees none."""
    if shutil.which("nvidia-smi") is None:
        return None
    ask = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
    told = subprocess.run(ask, capture_output=True, text=True)
    return told.stdout.splitlines()[0].strip() if told.returncode == 0 and told.stdout else None


def stand(python):
    """Return whether this Python, a path, has the libraries."""
    return subprocess.run([python, "-c", THERE], capture_output=True).returncode == 0


def offer(command):
    """Say in one line what a GPU that is there would take to be used, if it is not used yet."""
    found = name() if sys.platform == "linux" else None
    if found and not stand(environment.python()):
        environment.say(
            f"{found} is not used yet: `python3 -m helpers {command} --gpu` installs what "
            f"TensorFlow needs for it ({SIZE})."
        )


def bring():
    """Install the libraries beside what stands; end the program where they would be of no use."""
    if sys.platform != "linux":
        sys.exit(
            f"TensorFlow uses NVIDIA GPUs under Linux alone, and this is {sys.platform}. Under "
            "Windows, start the course in WSL 2; here, go on without --gpu."
        )
    found, python = name(), environment.python()
    if found is None:
        sys.exit(
            "No NVIDIA GPU was found: nvidia-smi, which comes with the driver, is not there or "
            "sees none. Install the driver, or go on without --gpu."
        )
    if stand(python):
        return
    environment.say(f"Installing what TensorFlow needs for {found}: {SIZE}, once.")
    environment.install_more(python, with_cuda(environment.pins()))


def with_cuda(pins):
    """Return the pin of TensorFlow, of a list of pins, with its CUDA libraries."""
    (pin,) = (one for one in pins if one.startswith("tensorflow=="))
    return pin.replace("tensorflow", "tensorflow[and-cuda]", 1)
