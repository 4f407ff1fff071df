"""What is said of steps on a GPU is what was measured there."""

from helpers import ROOT
from helpers.studies import on_a_gpu
from helpers.tools import notebooks


def line_about_it(text):
    """Return the line that names the GPU."""
    return next(line for line in text.splitlines() if "NVIDIA H200" in line)


def medians(way):
    """Return the medians without XLA and with it."""
    return [median for _, median, _ in on_a_gpu.over_plain()[way]]


def test_each_way_was_timed_without_xla_and_four_with_it():
    found = on_a_gpu.over_plain().values()
    assert len(found) == 7 and sum(with_xla is not None for _, with_xla in found) == 4
    for bar in (bar for bars in found for bar in bars if bar):
        assert 0.5 < bar[0] <= bar[1] <= bar[2] < 2.2
    assert on_a_gpu.over_plain()["mask, half of three layers"][0] == (1.187, 1.215, 1.244)


def test_the_librarys_readme_gives_the_same_figures():
    sentence = line_about_it((ROOT / "helpers/freezing/README.md").read_text())
    for median in (*medians("mask, half of three layers"), *medians("compact, 1 % free")):
        assert f"{median:.2f}" in sentence


def test_the_page_on_masks_says_what_was_measured():
    (path,) = (path for path in notebooks.paths() if "why_a_mask_saves_nothing" in path.stem)
    prose = "\n".join(cell.source for cell in notebooks.read(path).cells)
    assert "a mask added a fifth to a third to a step without XLA" in prose
    assert "with XLA nothing that could be told apart" in prose
    (_, without, _), (low, _, _) = on_a_gpu.over_plain()["mask, half of three layers"]
    plain = on_a_gpu.over_plain()["plain, again"][1]
    assert 1.15 < without < 1.25 and low < plain[2], "the bars overlap"
    masked = {"graph": [], "jit": []}
    for row in on_a_gpu._read("compact"):
        masked[row["compiled"]].append(on_a_gpu._bar(row["mask / plain"])[1])
    assert min(masked["graph"]) > 1.17 and 1.3 < max(masked["graph"]) < 1.36
    assert max(masked["jit"]) < 1.06
