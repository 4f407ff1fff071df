"""What compares the figures of a fetched table is skipped where it cannot be fetched."""

import functools

import pytest

from helpers import pretrained

PAGE = "19_new_rows_in_an_old_table"


@functools.cache
def missing():
    """Why the table is not here, a sentence; empty if it is."""
    try:
        pretrained.fetched(pretrained.cache())
    except pretrained.NotFetchedError as reason:
        return str(reason)
    return ""


@pytest.hookimpl(tryfirst=True)  # before a kernel is started for it
def pytest_runtest_setup(item):
    """Skip with the sentence that a reader of the page gets as well."""
    if needs_the_table(item.nodeid) and missing():
        pytest.skip(missing())


def needs_the_table(nodeid):
    """Whether a test compares what that page prints with what it has stored."""
    second = nodeid.startswith("tests/notebooks/test_second_run.py::test_a_run") and PAGE in nodeid
    return second or nodeid.startswith(f"notebooks/{PAGE}")
