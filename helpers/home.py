"""Where the course lives: its repository on GitHub, and its site; README names them.

The repository ships without an address: PLACEHOLDER has an underscore, which no account on GitHub
can have in its name, so that nobody can register it and have his code run on a reader's machine.
`helpers.tools.address` writes another one. Only the standard library is used.
"""

import re

from helpers import ROOT

PLACEHOLDER = "your_account/freezing-tensors"
BADGE = re.compile(r"mybinder\.org/v2/gh/([\w.-]+/[\w.-]+)/")


def repository(root=ROOT):
    """Return the address that the badge in README.md leads to, as OWNER/REPOSITORY."""
    return BADGE.search((root / "README.md").read_text(encoding="utf-8"))[1]


def pages_of(address):
    """Return where GitHub Pages serves the site of OWNER/REPOSITORY, without the scheme."""
    owner, name = address.split("/")
    return f"{owner}.github.io/{name}"


def site():
    """Return the address of the site's start page, or "" while the course has none."""
    address = repository()
    return "" if address == PLACEHOLDER else f"https://{pages_of(address)}/"
