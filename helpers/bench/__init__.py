"""Measurements, each printed as a table: python3 -m helpers bench live [--help].

options     what several benches take from the command line
quantiles   the median of measured values, and how long it takes at the worst
cells       how times and their ratios stand in the cells of a table
memory      the most memory that a kernel has taken
freeze      what the exact freeze costs: its training step over the plain one
compact     what the compact freeze costs and saves
leakcheck   what a leak check adds to an epoch of training
peers       the freeze beside PyTorch and Optax, where they are installed
techniques  what every technique costs
structure   what freezing saves: by mask, by rows and columns, by layers
freezeout   a schedule that freezes layers, beside plain training at the same cost
words       what training a table of words holds: the peaks of its memory
device      the tables of freeze and structure on a GPU
dragging    a drag over a painter in a browser, and what its page notes of it
live        how fast painting and training answer in a browser
site        how fast the site's start page is there, trains and answers
notebooks   how long each notebook runs, and how much memory it takes
container   limits for the processes of a bench, as a container has them
launch      the course as on Binder: first paint, two notebooks at once, a third refused
garbage     messages that no page would send to a widget
soak        restless play in a browser: memory, threads, errors
"""

import argparse
import importlib
import json
import pathlib

BENCHES = {  # each a file of this folder, imported when it is asked for: some start TensorFlow
    "live": "how fast painting and training answer in a browser",
    "site": "how fast the site's start page is there, trains and answers",
    "freeze": "what the exact freeze costs: its training step over the plain one",
    "compact": "what the compact freeze costs and saves, over plain optimizer and mask",
    "leakcheck": "what a leak check adds to an epoch of training",
    "peers": "the freeze beside what PyTorch and Optax offer, where they are installed",
    "techniques": "what every technique costs: its training step over the plain one",
    "structure": "what freezing saves: by mask, by rows and columns, by layers",
    "freezeout": "a schedule that freezes layers, beside plain training at the same cost",
    "words": "what training a table of words holds: the peaks of its memory",
    "device": "the tables of freeze and structure on a GPU, in absolute times",
    "notebooks": "how long each notebook runs, and how much memory it takes",
    "launch": "the course as on Binder: first paint, two notebooks at once, a third refused",
    "soak": "restless play in a browser: whether memory grows, a thread dies, a page errs",
}


def main(argv):
    """Run the bench that `argv` names, print its table, and write it as JSON if asked to."""
    listed = "\n".join(f"  {name:10} {about}" for name, about in BENCHES.items())
    parser = argparse.ArgumentParser(
        "python3 -m helpers bench",
        usage="%(prog)s {" + ",".join(BENCHES) + "} [--help] ...",
        description=f"{__doc__.splitlines()[0]}\n\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("name", choices=BENCHES, help=argparse.SUPPRESS)
    name = parser.parse_args(argv[:1]).name
    rows, path = _measure(importlib.import_module(f"helpers.bench.{name}"), name, argv[1:])
    print(table(rows))
    if path:
        path.write_text(json.dumps(rows, indent=2) + "\n")
    return 0


def _measure(module, name, argv):
    """Return the rows that a bench measures, and the file in which they are wanted, or None."""
    parser = argparse.ArgumentParser(
        f"python3 -m helpers bench {name}",
        description=module.__doc__,
        conflict_handler="resolve",  # a bench may take the options of two others
    )
    parser.add_argument("--json", type=pathlib.Path, help="write the rows to this file as well")
    module.add_arguments(parser)
    arguments = parser.parse_args(argv)
    return module.measure(arguments), arguments.json


def table(rows):
    """Lay out a list of dicts with the same keys as a table of text."""
    lines = [list(rows[0]), *([str(cell) for cell in row.values()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines)]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join("  ".join(c.ljust(w) for c, w in zip(line, widths)).rstrip() for line in lines)
