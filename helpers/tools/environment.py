"""The Python that every command runs in: found where it stands, built in `.venv` where it does not.

Only the standard library is used, because this runs before anything is installed. The syntax stays
readable for older Pythons too, so that they get to say a sentence instead of a SyntaxError.
"""

import hashlib
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
from importlib import metadata
from itertools import takewhile
from pathlib import Path

from helpers import ROOT
from helpers.tools import files

LISTED = ROOT / "environment.yml"
VENV = ROOT / ".venv"
# JupyterLab's own, for the course alone: a reader is not asked whether to fetch news.
LAB_SETTINGS = Path(__file__).parent / "lab_settings"
OLDEST, NEWEST = (3, 11), (3, 13)
SIZE = "about 0.8 GB to download, 2.8 GB on disk"


def python():
    """Return a Python that has every pin: the one running now, or the one in `.venv`, built if need
    be."""
    check_version(sys.version_info)
    listed = pins()
    if not inside(VENV) and satisfied(listed):
        return Path(sys.executable)
    if not stands(VENV, listed):
        build(VENV, listed)
    return interpreter(VENV)


def pins():
    """Return what environment.yml lists, as requirements for pip."""
    return requirements(LISTED.read_text(encoding="utf-8"))


def run(arguments):
    """Hand over to the environment's Python, which calls the `main` of the module that is named
    first; it is started in the root, and `helpers` imports anywhere."""
    executable = python()
    command = [str(executable), "-m", "helpers.tools.started", *arguments]
    os.environ["PYTHONPATH"] = before(ROOT, os.environ.get("PYTHONPATH"))
    os.environ["PATH"] = before(executable.parent, os.environ.get("PATH"))
    os.chdir(ROOT)
    if os.name == "posix":
        sys.stdout.flush()
        os.execv(command[0], command)
    child = subprocess.Popen(command)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the child's to answer
    return child.wait()


def before(folder, path):
    """Return a search path with one more folder in front."""
    return str(folder) + (os.pathsep + path if path else "")


def check_version(version):
    """Only Pythons for which TensorFlow is published can go on."""
    if not OLDEST <= tuple(version[:2]) <= NEWEST:
        arrived, oldest, newest = map(short, (version, OLDEST, NEWEST))
        sys.exit(
            f"This is Python {arrived}, and the pinned TensorFlow is published for Python {oldest} "
            f"to {newest}: install one of those and start with it by name, for example "
            f"`python{newest} -m helpers lab`."
        )


def short(version):
    """Return the part of a Python version that packages are published for, such as 3.12."""
    return f"{version[0]}.{version[1]}"


def requirements(text):
    """Return the `pip:` list of an environment.yml, without its comments."""
    lines = [line.split(" #")[0].rstrip() for line in text.splitlines() if not line.startswith("#")]
    lines = [line for line in lines if line]
    if "  - pip:" not in lines:
        sys.exit(
            "environment.yml has no line `  - pip:` with the versions below it, "
            "so nothing says what to install: restore the file."
        )
    below = lines[lines.index("  - pip:") + 1 :]
    return [line.strip()[2:] for line in takewhile(lambda line: indent(line) > 2, below)]


def indent(line):
    """Return how many spaces a line begins with."""
    return len(line) - len(line.lstrip())


def satisfied(pins):
    """Return whether the running Python has every pin, as in a conda environment or on Binder."""
    try:
        from packaging.requirements import Requirement  # is itself among the pins
    except ImportError:
        return False
    wanted = (Requirement(pin) for pin in pins)
    return all(installed(want) for want in wanted if not want.marker or want.marker.evaluate())


def installed(want):
    """Return whether one requirement is met by what is installed."""
    try:
        return want.specifier.contains(metadata.version(want.name), prereleases=True)
    except metadata.PackageNotFoundError:
        return False


def inside(venv):
    """Return whether the running Python is the one of this virtual environment."""
    return Path(sys.prefix).resolve() == venv.resolve()


def stands(venv, pins):
    """Return whether an earlier build of exactly these pins with this Python ran to its end."""
    stamp = venv / "stamp"
    return stamp.exists() and stamp.read_text() == fingerprint(pins) and interpreter(venv).exists()


def fingerprint(pins):
    """Changes with every change of a pin and of the Python they are installed for."""
    return hashlib.sha256("\n".join([*pins, short(sys.version_info)]).encode()).hexdigest()


def interpreter(venv):
    """Return where a virtual environment keeps its Python."""
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def build(venv, pins):
    """Make the virtual environment afresh; the stamp comes last, so only a finished one counts."""
    fast = None if inside(venv) else uv()  # a uv in there would be cleared away with the rest
    check_tools(venv, fast)
    say(f"Setting up an environment in {venv.name}, as environment.yml lists it: {SIZE}.")
    say("This takes some minutes, once. Later starts skip it.")
    (venv / "stamp").unlink(missing_ok=True)
    create(venv, fast)
    install(venv, pins, fast)
    files.write(venv / "stamp", fingerprint(pins))
    say("The environment stands.")


def uv():
    """Return the command that runs uv, which fetches faster than pip; None where there is no uv."""
    if shutil.which("uv"):
        return ["uv"]
    if importlib.util.find_spec("uv"):
        return [sys.executable, "-m", "uv"]
    return None


def check_tools(venv, fast):
    """Say what building a virtual environment needs, before anything is touched."""
    if venv.is_symlink():
        sys.exit(
            f"{venv} is a link to {venv.resolve()}, which does not hold what environment.yml "
            "lists. A build would empty that folder, which others may use, so nothing was "
            "touched: remove the link, then run the same command again."
        )
    if not fast and not all(map(importlib.util.find_spec, ("venv", "ensurepip"))):
        version = short(sys.version_info)
        sys.exit(
            f"This Python {version} cannot build virtual environments, because its venv or "
            f"ensurepip module is missing: on Debian and Ubuntu run "
            f"`sudo apt install python{version}-venv`, then the same command again."
        )
    if os.name == "nt" and inside(venv):
        sys.exit(
            "The .venv has to be rebuilt, and Windows cannot replace a Python that is running: "
            "run `deactivate`, then the same command again."
        )


def create(venv, fast):
    """Make an empty environment of this Python's version, with pip for what is added later."""
    base = sys._base_executable
    if fast:
        command = [*fast, "venv", "--clear", "--seed", "--python", base, str(venv)]
    else:
        command = [base, "-m", "venv", "--clear", str(venv)]
    if aloud(command):
        sys.exit(f"Python could not build {venv}, for the reason above: mend it, then try again.")


def install(venv, pins, fast):
    """Let uv or pip install the pins, and show their own progress."""
    listed = venv / "requirements.txt"
    listed.write_text("\n".join(pins), encoding="utf-8")
    install_more(interpreter(venv), "-r", str(listed), fast=fast)


def install_more(python, *what, fast=None):
    """Let uv or pip add requirements to the environment of a Python, a path."""
    if fast:
        # Compiled here once, as pip does it; else the first notebook would wait for that.
        command = [*fast, "pip", "install", "--compile-bytecode", "--python", str(python)]
    else:
        command = [str(python), "-m", "pip", "install", "--disable-pip-version-check"]
    code = aloud([*command, *what])
    if code:
        sys.exit(
            f"\nThe installation stopped with code {code}; the reason stands above. Run the same "
            "command again once it is gone: finished downloads are kept."
        )


def aloud(command):
    """Run a command that speaks on the error stream; return its exit code."""
    return subprocess.call(command, stdout=2)


def say(sentence):
    """Speak on the error stream, so that a command's own output stays clean."""
    print(sentence, file=sys.stderr, flush=True)
