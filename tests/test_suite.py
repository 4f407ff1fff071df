"""The tables of `tests/suite.py` name what is there: a file that is renamed stays in its table."""

import pytest

from helpers import ROOT
from tests import suite

TABLES = "ALONE", "LONG", "SAMPLED", "SECONDS", "TIMEOUTS"


@pytest.mark.parametrize("table", TABLES)
def test_each_name_in_a_table_begins_the_name_of_a_file_or_folder(table):
    missing = [name for name in getattr(suite, table) if not list(ROOT.glob(f"{name}*"))]
    assert missing == []
