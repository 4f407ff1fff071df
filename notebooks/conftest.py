"""For pytest, where it is given a notebook alone: what is skipped without a connection."""

from tests.fetched import pytest_runtest_setup

__all__ = ["pytest_runtest_setup"]
