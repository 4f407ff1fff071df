"""The browser's side of a widget as one module: it is loaded from a Blob address, where it cannot
import its neighbours.

The parts are ordinary ES modules, and Node tests them as they are. Joining them drops what they
import from each other, and lets only the last one export.
"""

import pathlib
import re

HERE = pathlib.Path(__file__).parent
ELEMENTS = HERE / "browser" / "elements.mjs"
LOOK = HERE / "look.css"

IMPORT = re.compile(r'^import \{[^}]*\} from "(?:\.{1,2}/)+[\w/]+\.mjs";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?!default\b)", re.MULTILINE)


def joined(*parts):
    """Return the text of the one module that a page loads; its names are the parts' names.

    parts  the files, each below those that it imports; only the last one exports a default
    """
    return "\n".join(EXPORT.sub("", IMPORT.sub("", _text(part))) for part in parts)


def styled(*sheets):
    """Return the style of a widget as text: the look that all share, and its own sheets."""
    return "\n".join(map(_text, (LOOK, *sheets)))


def _text(file):
    return file.read_text(encoding="utf-8")
