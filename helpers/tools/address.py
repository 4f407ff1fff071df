"""Where the course can be fetched from: one address on GitHub, wherever it is named.

Only the standard library is used, as by every command that runs before anything is installed.
"""

import re

from helpers.tools import files
from helpers.tools.environment import ROOT, say

NAMED_IN = (
    "README.md",
    "CITATION.cff",
    "helpers/freezing/README.md",
    "notebooks/*.ipynb",
    "notebooks/*.md",
)
SHAPE = re.compile(r"[\w.-]+/[\w.-]+")
BADGE = re.compile(r"mybinder\.org/v2/gh/([\w.-]+/[\w.-]+)/")


def current():
    """Return the address that the badge in README.md leads to, as OWNER/REPOSITORY."""
    return BADGE.search((ROOT / "README.md").read_text(encoding="utf-8"))[1]


def move(rest):
    """Write another address wherever the present one stands; what the command line gave, `rest`,
    must be one address. Returns an exit code, or a sentence about what is wrong."""
    if len(rest) != 1 or not SHAPE.fullmatch(rest[0]):
        told = " ".join(rest) or "nothing"
        return f"{told} arrived; OWNER/REPOSITORY was wanted, as in {current()}."
    old, new = current(), rest[0]
    for path in sorted(each for pattern in NAMED_IN for each in ROOT.glob(pattern)):
        text = path.read_text(encoding="utf-8")
        if old in text:
            files.write(path, text.replace(old, new))
            say(f"{path.relative_to(ROOT)}: {text.count(old)} × {new}")
    return 0
