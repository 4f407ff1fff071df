"""What is said of steps on other machines is what was measured there."""

import pytest

from helpers import ROOT
from helpers.studies import elsewhere
from helpers.tools import notebooks


def line_about_it(text):
    """Return the line that names the GPU."""
    return next(line for line in text.splitlines() if "NVIDIA H200" in line)


def medians(way):
    """Return the medians without XLA and with it."""
    return [median for _, median, _ in elsewhere.over_plain()[way]]


def test_each_way_was_timed_without_xla_and_masks_with_it():
    found = elsewhere.over_plain().values()
    assert len(found) == 4 and sum(with_xla is not None for _, with_xla in found) == 1
    for bar in (bar for bars in found for bar in bars if bar):
        assert 0.5 < bar[0] <= bar[1] <= bar[2] < 2.2
    assert elsewhere.over_plain()["mask, half of three layers"][0] == (1.187, 1.215, 1.244)


@pytest.mark.parametrize("machine", ["h200", "two_cores"])
def test_compact_slots_were_timed_beside_one_plain_step(machine):
    found = elsewhere.compact(machine)
    assert list(found) == ["plain", "compact, 10 % free", "compact, 1 % free"]
    (alone, under_xla), *ways = found.values()
    assert (alone == 1).all() and 0.2 < under_xla[0] == under_xla[2] < 0.5
    for bar in (bar for bars in ways for bar in bars):
        assert 0.1 < bar[0] <= bar[1] <= bar[2] < 2.2
    (row,) = (
        r
        for r in elsewhere._read(machine, "compact")
        if r["frozen"] == "99%" and r["compiled"] == "jit"
    )
    assert found["compact, 1 % free"][1][1] == pytest.approx(
        float(row["compact / plain"][:5]) * under_xla[0]
    )


def test_the_librarys_readme_gives_the_same_figures():
    sentence = line_about_it((ROOT / "helpers/freezing/README.md").read_text())
    picked = [each for each in elsewhere._read("h200", "compact") if each["frozen"] == "99%"]
    compact = [elsewhere._bar(each["compact / plain"])[1] for each in picked]
    for median in (*medians("mask, half of three layers"), *compact):
        assert f"{median:.2f}" in sentence


def test_the_page_on_masks_says_what_was_measured():
    (path,) = (path for path in notebooks.paths() if "why_a_mask_saves_nothing" in path.stem)
    prose = "\n".join(cell.source for cell in notebooks.read(path).cells)
    assert "a mask added a fifth to a third to a step without XLA" in prose
    assert "with XLA nothing that could be told apart" in prose
    (_, without, _), (low, _, _) = elsewhere.over_plain()["mask, half of three layers"]
    masked, again = {"graph": [], "jit": []}, []
    for row in elsewhere._read("h200", "compact"):
        masked[row["compiled"]].append(elsewhere._bar(row["mask / plain"])[1])
        again.append(elsewhere._bar(row["plain / plain"])[2])
    assert 1.15 < without < 1.25 and low < max(again), "the bars overlap"
    assert min(masked["graph"]) > 1.17 and 1.3 < max(masked["graph"]) < 1.36
    assert max(masked["jit"]) < 1.06
    assert "on a CPU a layer's step with it was four hundredths longer with a mask" in prose
    rows = [each for each in elsewhere._read("two_cores", "compact") if each["compiled"] == "jit"]
    by_mask = [elsewhere._bar(each["mask / plain"])[1] for each in rows]
    assert round(min(by_mask), 2) == 1.04 and max(by_mask) < 1.05
