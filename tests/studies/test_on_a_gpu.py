"""What is said of steps on a GPU is what was measured there."""

import re

from helpers import ROOT
from helpers.studies import on_a_gpu
from helpers.tools import notebooks


def test_each_way_has_a_ratio_with_its_range_wherever_it_was_timed():
    found = on_a_gpu.over_plain()
    for texts in found.values():
        for text in set(texts) - {on_a_gpu.NOT_TIMED}:
            median, low, high = map(float, re.findall(r"\d\.\d+", text))
            assert low <= median <= high


def test_the_librarys_readme_gives_the_same_figures():
    said = (ROOT / "helpers/freezing/README.md").read_text()
    found = on_a_gpu.over_plain()
    sentence = next(line for line in said.splitlines() if "NVIDIA H200" in line)
    wanted = [found["mask, half frozen"], found["compact, 99 % frozen"]]
    for without, with_xla in wanted:
        for text in (without, with_xla):
            assert f"{float(text.split()[0]):.2f}" in sentence


def test_the_page_on_masks_gives_the_same_figures():
    (path,) = (path for path in notebooks.paths() if path.stem.startswith("22_"))
    cells = [cell.source for cell in notebooks.read(path).cells]
    sentence = next(line for cell in cells for line in cell.splitlines() if "NVIDIA H200" in line)
    for text in on_a_gpu.over_plain()["mask, half frozen"]:
        assert f"{float(text.split()[0]) - 1:.0%}".replace("%", " %") in sentence
