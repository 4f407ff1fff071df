"""The browser's side as one module: a widget's module is loaded from a Blob address, where it
cannot import its neighbours.

The parts are ordinary ES modules in browser/, and Node tests them as they are. Joining them drops
what they import from each other, and lets only the last one export.
"""

import pathlib
import re

HERE = pathlib.Path(__file__).parent / "browser"
# Each part imports only from those before it.
PARTS: tuple[str, ...] = (
    "bytes",
    "elements",
    "geometry",
    "pixels",
    "controls",
    "link",
    "store",
    "canvas",
)
PARTS += ("cursor", "readout", "pins", "bets", "hand", "run", "popup", "hints", "share")
PARTS += ("toolbar", "meters", "stations", "traces", "microscope", "view", "widget")

IMPORT = re.compile(r'^import \{[^}]*\} from "(?:\.{1,2}/)+[\w/]+\.mjs";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?!default\b)", re.MULTILINE)


def part(name):
    """The text of one part, as it stands in its file."""
    return (HERE / f"{name}.mjs").read_text(encoding="utf-8")


def joined(*texts):
    """Return the text of the one module that the browser loads; its names are the parts' names.

    `texts` are the parts, each below those that it imports; without any, they are the painter's.
    """
    texts = texts or map(part, PARTS)
    return "\n".join(EXPORT.sub("", IMPORT.sub("", text)) for text in texts)
