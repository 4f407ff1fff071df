"""Play that never rests, behind a thousand messages that no page would send: two minutes of it, or
five with --every-case."""

import json

import pytest

from helpers import bench


@pytest.mark.thorough
@pytest.mark.browser
@pytest.mark.timeout(1200)
def test_nothing_grows_dies_or_errs(pytestconfig, tmp_path, from_nothing):
    """A forked kernel holds less from the start, of which its growth would be a larger part."""
    kept = tmp_path / "rows.json"
    minutes = "5" if pytestconfig.option.every_case else "2"
    bench.main(["soak", "--minutes", minutes, "--messages", "1000", "--json", str(kept)])
    rows = json.loads(kept.read_text())
    assert len(rows) == 7 and [row for row in rows if row["held"] != "yes"] == []
