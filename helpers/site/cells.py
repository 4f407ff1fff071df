"""The cells of a notebook as a reader without a kernel gets them.

What only a kernel has a use for is left out: the lines that look for the course, the judging of
functions that nobody has written, the answers that nobody has given. Code that only imports, or
only asks a question, is folded.
"""

import ast
import base64
import dataclasses
import re
import struct

from IPython.core.inputtransformer2 import TransformerManager

from helpers.site import questions
from helpers.site.alt_texts import alt_text
from helpers.site.highlighting import highlight
from helpers.site.live import choices
from helpers.site.prose import prose
from helpers.tools import address

NEIGHBOURS = re.compile(r"^(?:Previous|Next): \[.*$", re.MULTILINE)  # a page has links of its own
HOW_TO_RUN = "Run a cell with Shift+Enter"
JUDGES = {"exercise.check", "score"}


@dataclasses.dataclass
class Prose:
    """A markdown cell: its HTML, and the headings in it."""

    html: str
    headings: list
    kind = "prose"


@dataclasses.dataclass
class Code:
    """A code cell: its HTML, what it put out, and the name of its fold, or ""; `live` has what a
    grid that trains in the page begins with, or None."""

    html: str
    outputs: list
    fold: str
    live: dict | None
    kind = "code"


@dataclasses.dataclass
class Text:
    """What a cell has printed."""

    text: str
    kind = "text"


@dataclasses.dataclass
class Question:
    """A question, as HTML, and what can be answered."""

    html: str
    options: list
    kind = "question"


@dataclasses.dataclass
class Picture:
    """A stored picture, the bytes of a PNG, and what it shows; `grid` if it is a playground's."""

    png: bytes
    alt: str
    grid: bool
    file: str = ""  # where its page finds it
    kind = "picture"

    @property
    def size(self):
        """Width and height in pixels."""
        return struct.unpack(">II", self.png[16:24])


def shown(notebook):
    """Return what stands on a page for the cells of a notebook: a list of Prose and Code."""
    parts, heading = [], ""
    for cell in notebook.cells:
        if cell.source.startswith(HOW_TO_RUN):
            continue
        if cell.cell_type == "markdown":
            parts.append(Prose(*prose(NEIGHBOURS.sub("", cell.source))))
            heading = ([heading] + [each.text for each in parts[-1].headings])[-1]
        else:
            parts.append(_code(cell, heading))
    return [part for part in parts if part]


def _code(cell, heading):
    """Return the Code of a cell, or None if it only judges what its reader has done."""
    source = cell.source.replace(_looks_for_the_course(), "").strip()
    tree = ast.parse(TransformerManager().transform_cell(source))  # with IPython's % and !
    if _judges(tree):
        return None
    outputs = [_output(each, tree, heading) for each in cell.outputs]
    return Code(highlight(source), [each for each in outputs if each], _fold(tree), choices(tree))


def _looks_for_the_course():
    """Return how the first cell of every notebook begins, see `address`."""
    return f"import importlib.util\n\n{address.guard(address.current())}"


def _fold(tree):
    """Return what the fold is called in which code stands; "" for code that is not folded."""
    if questions.asks(tree):
        return "The code of this question"
    return "Imports" if all(map(_imports, tree.body)) else ""


def _imports(statement):
    """Whether it imports something, or gives it another name: `Adam = keras.optimizers.Adam`."""
    other_name = isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Attribute)
    return other_name or isinstance(statement, ast.Import | ast.ImportFrom)


def _judges(tree):
    calls = [getattr(each, "value", None) for each in tree.body]
    return all(isinstance(each, ast.Call) and ast.unparse(each.func) in JUDGES for each in calls)


def _output(output, tree, heading):
    """Return a Text, a Question or a Picture, or None for what shows nothing without a kernel."""
    if output.output_type == "stream":
        text = output.text.strip("\n")
        return Text(text) if text else None
    told = output.data.get("text/plain", "")
    if "image/png" in output.data:
        png = base64.b64decode(output.data["image/png"])
        return Picture(png, alt_text(tree, told, heading), told.startswith("Playground("))
    asked = questions.read(told)
    if asked:
        question, options = asked
        return Question(prose(question)[0], options)
    return Text(told) if told else None
