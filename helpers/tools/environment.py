"""The Python that every command runs in: found where it stands, built in `.venv` where it does not.

Only the standard library is used, because this runs before anything is installed. The syntax stays
readable for older Pythons too, so that they get to say a sentence instead of a SyntaxError.
"""

import contextlib
import hashlib
import importlib.util
import os
import re
import signal
import subprocess
import sys
import sysconfig
import time
from importlib import metadata
from itertools import takewhile
from pathlib import Path
from subprocess import STDOUT, Popen

from helpers import ROOT

LISTED = ROOT / "environment.yml"
VENV = ROOT / ".venv"
OLDEST, NEWEST = (3, 11), (3, 13)
SIZE = "about 0.8 GB to download, 2.8 GB on disk"
# A line of pip's log about a package file, and the file's size where pip says it.
WHEEL = re.compile(
    r"^ *(?:Downloading|Using cached|Processing) (\S+)\.whl(?: \(([\d.]+ \w+)\)| |$)", re.MULTILINE
)


def python():
    """A Python that has every pin: the one running now, or the one in `.venv`, built if need be."""
    check_version(sys.version_info)
    pins = requirements(LISTED.read_text(encoding="utf-8"))
    if not inside(VENV) and satisfied(pins):
        return Path(sys.executable)
    if not stands(VENV, pins):
        build(VENV, pins)
    return interpreter(VENV)


def run(arguments):
    """Hand over to the environment's Python, started in the root; `helpers` imports anywhere."""
    executable = python()
    command = [str(executable), *arguments]
    os.environ["PYTHONPATH"] = before(ROOT, os.environ.get("PYTHONPATH"))
    os.environ["PATH"] = before(executable.parent, os.environ.get("PATH"))
    os.chdir(ROOT)
    if os.name == "posix":
        sys.stdout.flush()
        os.execv(command[0], command)
    child = Popen(command)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the child's to answer
    return child.wait()


def before(folder, path):
    """A search path with one more folder in front."""
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
    """The part of a Python version that packages are published for, such as 3.12."""
    return f"{version[0]}.{version[1]}"


def requirements(text):
    """The `pip:` list of an environment.yml, without its comments."""
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
    """How many spaces a line begins with."""
    return len(line) - len(line.lstrip())


def satisfied(pins):
    """Whether the running Python has every pin, as in a conda environment or on Binder."""
    try:
        from packaging.requirements import Requirement  # is itself among the pins
    except ImportError:
        return False
    wanted = (Requirement(pin) for pin in pins)
    return all(installed(want) for want in wanted if not want.marker or want.marker.evaluate())


def installed(want):
    """Whether one requirement is met by what is installed."""
    try:
        return want.specifier.contains(metadata.version(want.name), prereleases=True)
    except metadata.PackageNotFoundError:
        return False


def inside(venv):
    """Whether the running Python is the one of this virtual environment."""
    return Path(sys.prefix).resolve() == venv.resolve()


def stands(venv, pins):
    """Whether an earlier build of exactly these pins with this Python ran to its end."""
    stamp = venv / "stamp"
    return stamp.exists() and stamp.read_text() == fingerprint(pins) and interpreter(venv).exists()


def fingerprint(pins):
    """Changes with every change of a pin and of the Python they are installed for."""
    return hashlib.sha256("\n".join([*pins, short(sys.version_info)]).encode()).hexdigest()


def interpreter(venv):
    """Where a virtual environment keeps its Python."""
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def build(venv, pins):
    """Make the virtual environment afresh; the stamp comes last, so only a finished one counts."""
    check_tools(venv)
    say(f"Setting up an environment in {venv.name}, as environment.yml lists it: {SIZE}.")
    say("This takes some minutes, once. Later starts skip it.")
    started = time.monotonic()
    (venv / "stamp").unlink(missing_ok=True)
    if subprocess.call([sys._base_executable, "-m", "venv", "--clear", str(venv)]):
        sys.exit(f"Python could not build {venv}, for the reason above: mend it, then try again.")
    install(venv, pins)
    (venv / "stamp").write_text(fingerprint(pins))
    say(f"The environment stands after {clock(time.monotonic() - started)}.")


def check_tools(venv):
    """What building a virtual environment needs, said before anything is touched."""
    if not importlib.util.find_spec("venv") or not importlib.util.find_spec("ensurepip"):
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


def install(venv, pins):
    """Let pip install the pins, and show how far it is; all that pip says goes to a log."""
    listed, log = venv / "requirements.txt", venv / "set-up.log"
    listed.write_text("\n".join(pins), encoding="utf-8")
    command = [str(interpreter(venv)), "-m", "pip", "install", "--disable-pip-version-check"]
    command += ["-r", str(listed)]
    with log.open("wb") as out, Popen(command, stdout=out, stderr=STDOUT) as pip:
        try:
            watch(pip, venv, len(pins))
        finally:
            if pip.poll() is None:
                pip.terminate()
    if pip.returncode:
        tail = "\n".join(said(venv).splitlines()[-12:])
        sys.exit(
            f"{tail}\n\npip stopped with code {pip.returncode}; its last lines stand above, all of "
            f"them in {log}. Run the same command again once the cause is gone: finished downloads "
            "are kept."
        )


def said(venv):
    """What pip has said so far."""
    return (venv / "set-up.log").read_text(encoding="utf-8", errors="replace")


def watch(pip, venv, total):
    """One line that moves until pip has ended; without a terminal, a new line every 20 seconds."""
    started, terminal = time.monotonic(), sys.stderr.isatty()
    while pip.poll() is None:
        state = progress(said(venv), unpacked(venv), total)
        line = f"  {state}, {clock(time.monotonic() - started)}"
        sys.stderr.write(f"\r{line:<78.78}" if terminal else f"{line}\n")
        sys.stderr.flush()
        wait(pip, 0.2 if terminal else 20.0)
    sys.stderr.write("\n" if terminal else "")


def wait(process, seconds):
    """Sleep, but wake up as soon as the process ends."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(seconds)


def progress(log, unpacked, total):
    """What a person wants to know of pip's log so far."""
    total -= log.count("Ignoring ")  # the pins of other systems and Pythons
    if "Installing collected packages" in log:
        return f"installing: {min(unpacked, total)} of {total} packages"
    wheels = WHEEL.findall(log)
    if not wheels:
        return f"looking up: {log.count('Collecting ')} of {total} packages"
    file, size = wheels[-1]
    now = re.split(r"[/\\]", file)[-1].split("-")[0] + (f" ({size})" if size else "")
    return f"fetching: {len(wheels)} of {total} packages, now {now}"


def unpacked(venv):
    """How many packages lie in the environment, pip itself not counted."""
    packages = Path(sysconfig.get_path("purelib", "venv", {"base": str(venv)}))
    return max(0, len(list(packages.glob("*.dist-info"))) - 1)


def clock(seconds):
    """Seconds as people say them."""
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes} min {seconds:02d} s" if minutes else f"{seconds} s"


def say(sentence):
    """Speak on the error stream, so that a command's own output stays clean."""
    print(sentence, file=sys.stderr, flush=True)
