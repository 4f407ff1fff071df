"""For pytest, given a notebook alone: what is skipped offline."""

from tests.fetched import pytest_runtest_setup

__all__ = ["pytest_runtest_setup"]
