"""The site, built once, and a web server for it."""

import pytest

from helpers.site.build import build
from helpers.tools import browser


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The folder of the built site."""
    folder = tmp_path_factory.mktemp("site")
    build(folder)
    return folder


@pytest.fixture(scope="session")
def served(site):
    """Its address."""
    with browser.static(site) as address:
        yield address
