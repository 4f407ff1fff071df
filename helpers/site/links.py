"""Where a link of a notebook leads on the site."""

import posixpath
import re
import urllib.parse

from helpers import ROOT
from helpers.site.headings import anchor
from helpers.tools import address

PAGE = re.compile(r"(\d\d_\w+)\.ipynb")


def target(url):
    """Return where a link of a notebook leads on the site; None for a file that is neither there
    nor in a repository with an address of its own."""
    if urllib.parse.urlsplit(url).scheme:
        return url
    path, _, heading = url.partition("#")
    fragment = "#" + anchor(urllib.parse.unquote(heading)) if heading else ""
    page = PAGE.fullmatch(path)
    if page:
        return f"{page[1]}.html{fragment}"
    if not path:
        return fragment
    file = _in_repository(file_of(path))
    return file and file + fragment


def file_of(path):
    """Return a path that starts from the folder of the notebooks as one that starts from the
    repository's."""
    return posixpath.normpath(posixpath.join("notebooks", path))


def _in_repository(file):
    if address.current() == address.PLACEHOLDER:
        return None
    kind = "tree" if (ROOT / file).is_dir() else "blob"
    return f"https://github.com/{address.current()}/{kind}/HEAD/{file}"


def openings(name):
    """Return where a notebook opens with a kernel, as pairs (what it is called, address); none as
    long as the repository has no address."""
    repository = address.current()
    if repository == address.PLACEHOLDER:
        return []
    binder = f"https://mybinder.org/v2/gh/{repository}/HEAD?urlpath=lab/tree/yours/{name}.ipynb"
    colab = (
        f"https://colab.research.google.com/github/{repository}/blob/main/notebooks/{name}.ipynb"
    )
    return [("JupyterLab on Binder", binder), ("Colab", colab)]
