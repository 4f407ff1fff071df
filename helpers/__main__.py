"""Frozen values in tensors: a course to run, paint in and test.

  python3 -m helpers lab            open the course in JupyterLab, in copies of your own
  python3 -m helpers lab --renew    the same in fresh copies; those you have changed are kept
  python3 -m helpers lab --gpu      the same on an NVIDIA GPU (4 GB more, once)
  python3 -m helpers test           run the tests, a browser and notebooks 00 to 06 (minutes)
  python3 -m helpers test --all     also what takes long, as before a release
  python3 -m helpers test --gpu     the freeze and the playground on an NVIDIA GPU
  python3 -m helpers site [FOLDER]  write the course as pages that train in the browser
  python3 -m helpers bench NAME     measure something again
  python3 -m helpers run NAME …     execute notebooks and keep their outputs
  python3 -m helpers pin            renew the list of versions (needs uv)
  python3 -m helpers address        let badge, links and notebooks lead to this repository on GitHub

What follows the command is passed on: `lab --no-browser --port 8890` to JupyterLab,
`test tests/test_masks.py -k row` to pytest. The first start sets up an environment of its own in
.venv; later starts skip that.
"""

import argparse
import os
import sys

from helpers.tools import address, copies, environment, gpu, pins, started

FIRST = "/lab/tree/yours/00_start_here.ipynb"
WHOLE = ["--dist", "loadfile", "--no-loadscope-reorder", "--durations=10"]

ON_A_GPU = ["tests/freezing", "tests/playground/test_gpu.py", "tests/test_device.py"]


def lab(rest):
    """JupyterLab over the repository, on the reader's own copy of the first notebook."""
    for name in copies.bring(renew="--renew" in rest):
        environment.say(f"yours/{name} has your changes; the course has a newer one: lab --renew.")
    if "--gpu" in rest:
        gpu.bring()
    else:
        gpu.offer("lab")
    rest = [each for each in rest if each not in ("--renew", "--gpu")]
    settings = environment.before(environment.LAB_SETTINGS, os.environ.get("JUPYTER_CONFIG_PATH"))
    os.environ["JUPYTER_CONFIG_PATH"] = settings
    root, first = f"--ServerApp.root_dir={environment.ROOT}", f"--LabApp.default_url={FIRST}"
    return environment.run(["jupyterlab.labapp", root, first, *as_root(), *rest])


def as_root():
    """Return what JupyterLab wants to be told before it starts for root, who owns most
    containers."""
    if os.name != "posix" or os.geteuid() != 0:
        return []
    environment.say("You are root, as in a container: JupyterLab is started with --allow-root.")
    return ["--allow-root"]


def test(rest):
    """pytest; pyproject.toml says which folders, and that notebooks are run and compared. The
    whole suite runs in several processes, in the order and the parts that tests/suite.py gives it:
    in two, or with --all in three, since much of that waits for a browser."""
    if "--gpu" in rest:
        gpu.bring()
        return environment.run(["pytest", *ON_A_GPU, *(one for one in rest if one != "--gpu")])
    whole = not set(rest) - {"--all", "--every-case"}
    processes = ["-n", "3" if "--all" in rest else "2", *WHOLE]
    return environment.run(["pytest", *(processes if whole else []), *rest])


def bench(rest):
    """One of the measurements in helpers/bench."""
    return environment.run(["helpers.bench", *rest])


def site(rest):
    """Write the static site, in build/site if nothing else is said."""
    return environment.run(["helpers.site.build", *rest])


def run(rest):
    """Execute notebooks, and write them back."""
    return environment.run(["helpers.tools.notebooks", *rest])


def pin(rest):
    """Write a new generated block into environment.yml, from the direct pins."""
    return pins.pin() if not rest else f"pin takes no arguments; {' '.join(rest)} arrived."


COMMANDS = {
    "lab": lab,
    "test": test,
    "site": site,
    "bench": bench,
    "run": run,
    "pin": pin,
    "address": address.move,
}


def main(arguments):
    """Look the command up and hand it the rest."""
    parser = argparse.ArgumentParser(
        "python3 -m helpers",
        usage=f"python3 -m helpers {{{','.join(COMMANDS)}}} ...",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", choices=COMMANDS, help=argparse.SUPPRESS)
    parser.add_argument("rest", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    if not arguments:
        parser.print_help()
        return 0
    chosen = parser.parse_args(arguments)
    return COMMANDS[chosen.command](chosen.rest)


if __name__ == "__main__":
    started.until_stopped(main, sys.argv[1:])
