"""Where the course can be fetched from: one address on GitHub, wherever it is named.

The repository ships without one, see `helpers.home`; then no notebook fetches anything. Only the
standard library is used, as by every command that runs before anything is installed.
"""

import json
import re
import subprocess

from helpers import home
from helpers.home import PLACEHOLDER
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
REMOTE = re.compile(r"github\.com[:/]([\w.-]+/[\w.-]+?)(?:\.git)?/?$")
# How the first cell of a notebook that is opened alone goes on, without an address and with one.
MISSING = """if not importlib.util.find_spec("helpers"):
    raise ModuleNotFoundError("Open this page in a clone of the course.")
"""
FETCH = """if not importlib.util.find_spec("helpers"):  # in Colab: fetch the course
    !git clone -q https://github.com/{} repo
    %cd -q repo
    !pip install -q anywidget
"""


def current():
    """Return the address that the badge in README.md leads to, as OWNER/REPOSITORY."""
    return home.repository(ROOT)


def guard(address):
    """Return how the first cell of every notebook begins, below its first import."""
    return MISSING if address == PLACEHOLDER else FETCH.format(address)


def of_remote():
    """Return the address of git's remote `origin` on GitHub, or None."""
    command = ["git", "-C", str(ROOT), "remote", "get-url", "origin"]
    remote = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    found = REMOTE.search(remote)
    return found and found[1]


def move(rest):
    """Write another address wherever the present one stands: the one that the command line gave in
    `rest`, or that of git's remote. Returns an exit code, or a sentence about what is wrong."""
    new = of_remote() if not rest else rest[0]
    if len(rest) > 1 or not new or not SHAPE.fullmatch(new):
        message = " ".join(rest) or "nothing"
        return (
            f"{message} arrived, and git's remote is {of_remote() or 'not on GitHub'}; "
            f"OWNER/REPOSITORY was wanted, as in {current()}."
        )
    old = current()
    for path in sorted(each for pattern in NAMED_IN for each in ROOT.glob(pattern)):
        before = path.read_text(encoding="utf-8")
        after = before.replace(_stored(path, guard(old)), _stored(path, guard(new)))
        after = after.replace(old, new).replace(home.pages_of(old), home.pages_of(new))
        if after != before:
            files.write(path, after)
            say(f"{path.relative_to(ROOT)}: {new}")
    return 0


def _stored(path, lines):
    """Lines of code as a notebook's file has them, a string each; elsewhere as they are."""
    if path.suffix != ".ipynb":
        return lines
    return "".join(
        f"    {json.dumps(line, ensure_ascii=False)},\n" for line in lines.splitlines(keepends=True)
    )
