"""Measurements, each printed as a table: python3 -m helpers bench live [--help]."""

import argparse
import json
import pathlib

from helpers.bench import freeze, live

BENCHES = {"live": live, "freeze": freeze}


def main(argv):
    """Run the bench that `argv` names, print its table, and write it as JSON if asked to."""
    parser = argparse.ArgumentParser(prog="python3 -m helpers bench", description=__doc__)
    names = parser.add_subparsers(dest="name", required=True)
    for name, module in BENCHES.items():
        one = names.add_parser(name, help=module.__doc__.splitlines()[0])
        one.add_argument("--json", type=pathlib.Path, help="write the rows to this file as well")
        module.add_arguments(one)
    arguments = parser.parse_args(argv)
    rows = BENCHES[arguments.name].measure(arguments)
    print(table(rows))
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=2) + "\n")
    return 0


def table(rows):
    """Lay out a list of dicts with the same keys as a table of text."""
    lines = [list(rows[0]), *([str(cell) for cell in row.values()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines)]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join("  ".join(c.ljust(w) for c, w in zip(line, widths)).rstrip() for line in lines)
