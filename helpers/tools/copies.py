"""The reader's own copies of the notebooks, in `yours`: to run and to change, without outputs.

The notebooks of the course keep theirs, for those who read them elsewhere. In a copy nothing is
given away before it is run, and whatever is written into it changes nothing that git knows.

Only the standard library is used, because this runs before anything is installed.
"""

import hashlib
import json
from datetime import datetime

from helpers import ROOT
from helpers.tools import files

COURSE, YOURS = ROOT / "notebooks", ROOT / "yours"
FORMER = "before"  # the folder in `yours` for copies that were replaced when that was asked for
MARK = "course"  # in a copy's metadata: the digest of what it was when it was made


def bring(renew=False):
    """Make the copies that are missing, and renew those that nobody has changed.

    Returns the names of copies that somebody has changed while the course has changed, too: they
    stay as they are. With `renew`, all are made anew, and the former ones move to `yours/before`.
    """
    if renew:
        _put_aside()
    YOURS.mkdir(exist_ok=True)
    return [path.name for path in sorted(COURSE.glob("[0-9][0-9]_*.ipynb")) if not _bring(path)]


def _bring(original):
    """Make or renew a copy where that loses nothing; False where it would."""
    page, copy = json.loads(original.read_text(encoding="utf-8")), YOURS / original.name
    made_from, now = _marks(copy) if copy.exists() else (None, None)
    if made_from == now != _digest(page):  # missing, or only ever run
        _write(copy, page)
        return True
    return made_from == _digest(page)


def _marks(copy):
    """Return the digest of what a copy was when it was made, and of what it is now; "" and None
    where the file is no notebook any more."""
    try:
        there = json.loads(copy.read_text(encoding="utf-8"))
        return there["metadata"].get(MARK, ""), _digest(there)
    except (ValueError, LookupError, AttributeError, TypeError):
        return "", None


def _write(copy, page):
    """Write a copy of a page, without its outputs."""
    for cell in page["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
    page["metadata"][MARK] = _digest(page)
    files.write(copy, json.dumps(page, indent=1, ensure_ascii=False) + "\n")


def _digest(notebook):
    """Return a short name for what stands in the cells of a notebook, whatever they have put
    out."""
    cells = [[cell["cell_type"], "".join(cell["source"])] for cell in notebook["cells"]]
    return hashlib.sha256(json.dumps(cells).encode()).hexdigest()[:16]


def _put_aside():
    """Move all copies to a folder of their own, named by the time."""
    copies = sorted(YOURS.glob("*.ipynb"))
    if copies:
        place = YOURS / FORMER / f"{datetime.now():%Y-%m-%d %H.%M.%S}"
        place.mkdir(parents=True)
        for path in copies:
            path.rename(place / path.name)
