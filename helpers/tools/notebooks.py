"""Executes the notebooks and writes them so that the same run gives the same bytes.

python3 -m helpers run [name …] executes all of notebooks/, or the named ones, and keeps their new
outputs. What changes from run to run without being part of the lesson is left out: execution
times, widget models, the language's patch version, the order in which output was chopped.
"""

import argparse
import asyncio
import base64
import os
import re
import signal
import sys

import nbformat
from nbclient import NotebookClient
from tqdm import tqdm

from helpers import ROOT
from helpers.tools import files

FOLDER = ROOT / "notebooks"
# The README's pictures that a notebook has drawn: its number, and which of its pictures.
SHOWN = {"leaks.png": ("05", 2)}
WIDGET = "application/vnd.jupyter.widget-view+json"
TAKE_HOME = "take-home"  # tags a cell that is a whole program
TIMES = "nbval-ignore-output"  # tags one that prints times, which each run takes anew
SECONDS_A_CELL = 240
LOG = re.compile(r"[IWE]\d{4} \d\d:\d\d:\d+\.\d+ ")


def paths(names=()):
    """Return the course's notebooks, in the order in which they are read; with `names`, parts of
    file names such as "05", only those that hold one of them."""
    course = sorted(FOLDER.glob("[0-9][0-9]_*.ipynb"))
    return [path for path in course if not names or any(name in path.name for name in names)]


def named(names):
    """Return the paths for names given on the command line; ends the program if there are none."""
    chosen = paths(names)
    if not chosen:
        sys.exit(f"No notebook is named like {' or '.join(names)}; leave it out for all.")
    return chosen


def execute(notebook):
    """Run every cell of a notebook in a fresh kernel, from its folder; return it cleaned."""
    client = NotebookClient(
        notebook,
        timeout=SECONDS_A_CELL,
        resources={"metadata": {"path": str(FOLDER)}},
        coalesce_streams=True,
        # Or every kernel says that loopback is plain TCP, and one that is stopped has a traceback.
        extra_arguments=["--log-level=CRITICAL"],
        on_notebook_start=_interrupts_as_always,
    )
    return clean(client.execute())


def _interrupts_as_always(**_):
    """Let Ctrl+C raise KeyboardInterrupt: nbclient would end the kernel twice, and then fail."""
    if os.name == "posix":
        asyncio.get_running_loop().remove_signal_handler(signal.SIGINT)


def clean(notebook):
    """Strip what is not part of the lesson, in place; return the notebook."""
    notebook.metadata = nbformat.from_dict(
        {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        }
    )
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if "outputs" in cell:
            cell.outputs = [output for output in cell.outputs if not _is_log(output)]
        for output in cell.get("outputs", []):
            # A model's random name leads nowhere without its kernel; the picture beside it stays.
            output.get("data", {}).pop(WIDGET, None)
    return notebook


def _is_log(output):
    """Return whether TensorFlow's native code has written this to its log, with a time in every
    line."""
    lines = output.get("text", "").splitlines()
    return output.get("name") == "stderr" and all(map(LOG.match, lines))


def read(path):
    """Read a notebook file as nbformat 4."""
    return nbformat.read(path, as_version=4)


def text(notebook):
    """Return the bytes of a notebook's file, as text."""
    return nbformat.writes(notebook) + "\n"


def pictures(notebook):
    """Return the PNG pictures of a notebook, in order: (cell, bytes) each."""
    outputs = [(cell, each) for cell in notebook.cells for each in cell.get("outputs", [])]
    found = [(cell, output.get("data", {}).get("image/png")) for cell, output in outputs]
    return [(cell, base64.b64decode(png)) for cell, png in found if png]


def tags(cell):
    """Return the tags of a cell, a list of strings."""
    return cell.metadata.get("tags", [])


def programs(notebook):
    """Return the cells of a notebook that are programs to take home, in order."""
    return [cell for cell in notebook.cells if TAKE_HOME in tags(cell)]


def printed(cell):
    """Return what a cell has printed; of one that prints times, with N for each number."""
    text = "".join(output.get("text", "") for output in cell.get("outputs", []))
    return without_numbers(text) if TIMES in tags(cell) else text


def without_numbers(text):
    """Return a text with N for each number, however wide it was."""
    return re.sub(r" *\d+(\.\d+)?", " N", text)


def write(path, notebook):
    """Write a notebook, and those of its pictures that the README shows, too."""
    files.write(path, text(notebook))
    for name, (number, place) in SHOWN.items():
        if path.name.startswith(number):
            files.write(FOLDER / "pictures" / name, pictures(notebook)[place][1])


def main(argv):
    """Execute the named notebooks, or all of them, and write them back."""
    parser = argparse.ArgumentParser(prog="python3 -m helpers run", description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of file names, such as 00")
    for path in tqdm(named(parser.parse_args(argv).names), desc="notebooks"):
        try:
            write(path, execute(read(path)))
        except RuntimeError as error:  # the kernel died; at Ctrl+C nbclient ends it
            message = f"its kernel ended before it was done ({error}), and the file is as it was"
            sys.exit(f"\n{path.name}: {message}. Run the same command again to go on.")
    return 0
