"""The course's pages on the site, read as files: all there, whole, pointing at what is there."""

import ast
import dataclasses
import functools
import json
import re

import nbformat
import pytest
from bs4 import BeautifulSoup

from helpers import ROOT
from helpers.playground import FEW, goals
from helpers.site import alt_texts, build, cells, links, live, questions
from helpers.site.alt_texts import alt_text
from helpers.site.formulas import mathml
from helpers.site.highlighting import highlight
from helpers.site.prose import prose
from helpers.tools import address, notebooks

NAMES = [path.stem for path in notebooks.paths()]
FILES = ["index.html", *(f"course/{name}.html" for name in NAMES)]

each_page = pytest.mark.parametrize("name", NAMES)
each_file = pytest.mark.parametrize("file", FILES)


@functools.cache
def parsed(path):
    """A page; whoever reads it changes nothing in it."""
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


@functools.cache
def anchors(path):
    return {place["id"] for place in parsed(path).select("[id]")}


def words(text):
    return re.findall(r"\w+", text)


@each_page
def test_a_page_has_all_that_is_printed_and_drawn_in_its_notebook(site, name):
    page, stored = parsed(site / "course" / f"{name}.html"), []
    told = page.get_text()
    for cell in nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4).cells:
        outputs = (
            [] if cell.source.startswith(("exercise.check", "score")) else cell.get("outputs", [])
        )
        stored += [each for each in outputs if "image/png" in each.get("data", {})]
        printed = "".join(each.text for each in outputs if each.output_type == "stream")
        assert printed.strip("\n") in told
    pictures = [site / "course" / image["src"] for image in page.select("main img")]
    assert len(pictures) == len(stored)
    assert all(picture.read_bytes().startswith(b"\x89PNG") for picture in pictures)


@each_page
def test_a_page_has_all_prose_but_what_is_about_kernels(site, name):
    page = " ".join(words(parsed(site / "course" / f"{name}.html").main.get_text()))
    for cell in nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4).cells:
        told = cell.cell_type == "markdown" and not cell.source.startswith("Run a cell")
        for line in cell.source.splitlines() if told else ():
            line = re.sub(r"^(> )?\d+\. ", "", line)  # of a list, which counts by itself
            plain = not re.search(r"[$|`<\[*_\\]", line)
            assert not plain or " ".join(words(line)) in page, line


@each_file
def test_no_formula_is_left_as_latex(site, file):
    texts = parsed(site / file).find_all(string=True)
    told = "".join(text for text in texts if not text.find_parent(["code", "pre"]))
    assert re.findall(r".{0,9}(?:\$|\\[a-z(\[{]|&).{0,9}", told) == []


@each_file
def test_what_is_linked_and_shown_is_there(site, file):
    page = parsed(site / file)
    for place in page.select("[href], [src]"):
        url = place.get("href") or place["src"]
        if url.startswith("https:"):
            assert place.name == "a", url  # to press, and never fetched by itself
            continue
        path, _, anchor = url.partition("#")
        target = (site / file).parent / path if path else site / file
        assert target.is_file() and site in target.resolve().parents, url
        assert not anchor or anchor in anchors(target), url


@each_file
def test_it_has_what_its_security_policy_and_a_screen_reader_ask_for(site, file):
    page = parsed(site / file)
    assert page.select("[style], style, script:not([src]), [onclick], [onload]") == []
    assert "default-src 'none'" in page.find("meta", {"http-equiv": True})["content"]
    assert all(image["alt"].strip() for image in page.select("img"))
    names = [place["id"] for place in page.select("[id]")]
    assert len(names) == len(set(names))
    assert [len(page.select(part)) for part in ("h1", "main", "title")] == [1, 1, 1]


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("00_start_here", ["gradient_times_mask", "adam", "3"]),
        ("02_restore_after_the_step", ["restore", "momentum", "3"]),
        ("03_hold_the_memory", ["restore", "momentum", "3"]),
        ("04_train_only_the_free_values", ["free_values", "adamw", "3"]),
        ("10_masks_that_change", ["where_gradient", "adam", "3"]),
        ("11_thaw_a_weight", ["exact", "adam", "3"]),
        ("26_what_a_freeze_can_cost", ["exact", "adam", "3"]),
        ("01_mask_the_gradient", None),
        ("32_accumulate", ["where_gradient", "sgd", "3"]),
        ("19_new_rows_in_an_old_table", None),
    ],
)
def test_grids_of_the_digits_are_live_and_others_say_where_they_are(site, name, begins):
    page = parsed(site / "course" / f"{name}.html")
    grids = [json.loads(place["data-choices"]) for place in page.select(".live")]
    assert [[each[trait] for trait in ("technique", "optimizer", "page")] for each in grids] == (
        [begins] if begins else []
    )
    assert ("In JupyterLab this grid is live" in page.get_text()) == (not begins)


ROUNDS = "four = keras.optimizers.SGD(0.3, gradient_accumulation_steps=4"
DRAWN = "of = str(np.random.default_rng"


@pytest.mark.parametrize(
    ("code", "begins"),
    [
        ("Playground()", {"optimizer": "adam", "technique": "none", "controls": list(FEW)}),
        (
            "lab = Playground('digits', technique='exact', controls=['train'])\nlab",
            {"optimizer": "adam", "technique": "exact", "controls": ["train"]},
        ),
        (
            "Playground(page='3', controls=[*FEW, 'tour'], goals=goals.FIRST)",
            {"optimizer": "adam", "technique": "none", "page": "3", "controls": [*FEW, "tour"]}
            | {"goals": [dataclasses.asdict(goal) for goal in goals.FIRST]},
        ),
        (
            "Playground(page='3', example=[60, np.s_[2:5, 2:6], 60])",
            {"optimizer": "adam", "technique": "none", "page": "3", "controls": list(FEW)},
        ),
        (
            "x = 1\nlab = Playground()\nlab.paint(slice(0, 1), slice(None))\nlab",
            {"optimizer": "adam", "technique": "none", "controls": list(FEW)}
            | {"frozen": list(range(8))},
        ),
        (
            f"{DRAWN}(1).choice(['restore', 'exact']))\nlab = Playground('digits', 'sgd', of)\nlab",
            {"optimizer": "sgd", "technique": "restore", "controls": list(FEW)},
        ),
        (f"{DRAWN}(1).choice(found))\nlab = Playground('digits', 'sgd', of)\nlab", None),
        ("lab = Playground()\nlab.train(5)\nlab", None),
        ("lab = Playground()\nlab.paint(slice(0, n), slice(None))\nlab", None),
        ("lab = Playground()\nlab.paint(0, 0)\nlab", None),
        (
            "lab = Playground()\nlab.paint(slice(0, 1), slice(0, 3))\n"
            "lab.paint(slice(0, 8), slice(1, 2), frozen=False)\nlab",
            {"optimizer": "adam", "technique": "none", "controls": list(FEW), "frozen": [0, 2]},
        ),
        (
            "lab = Playground()\nlab.paint(slice(0, 8), slice(1, 2), frozen=False)\n"
            "lab.paint(slice(0, 1), slice(0, 3))\nlab",
            {"optimizer": "adam", "technique": "none", "controls": list(FEW), "frozen": [0, 1, 2]},
        ),
        ("lab = Playground()\nlab.paint(slice(1), slice(1), frozen=n)\nlab", None),
        ("lab = Playground()\nlab.paint(slice(1), slice(1), colour=1)\nlab", None),
        ("task = tasks.make('digits', 0)\nlab = Playground(task)\nlab", None),
        ("lab = Playground()\nother", None),
        (
            "Playground('digits', 'sgd', pauses=[100])",
            {"optimizer": "sgd", "technique": "none", "controls": list(FEW), "pauses": [100]},
        ),
        (
            f"{ROUNDS})\nlab = Playground('digits', four)\nlab",
            {"optimizer": "sgd", "rate": 0.3, "batches": 4, "technique": "none"}
            | {"controls": list(FEW)},
        ),
        (f"{ROUNDS}, momentum=0.9)\nlab = Playground('digits', four)\nlab", None),
        ("Playground('digits', overlays={'one': [[1.0]]})", None),
        ("Playground('hidden')", None),
        ("Playground(seed=1)", None),
        ("Playground(optimizer='lion')", None),
        ("Playground(optimizer=adam)", None),
        ("Guess('digits')", None),
        ("1 + 1", None),
    ],
)
def test_what_a_grid_begins_with_is_read_from_its_call(code, begins):
    assert live.choices(ast.parse(code)) == (begins and {"goals": [], **begins})


@pytest.mark.parametrize(
    ("more", "when"), [("", "before anybody"), ("example=[9]", "after a short")]
)
def test_a_grids_picture_is_told_with_what_it_shows(more, when):
    told = alt_texts.alt_text(ast.parse(f"Playground({more})"), "Playground(task='digits')", "")
    assert f"as it is {when}" in told


@pytest.mark.parametrize(
    ("url", "without", "ours"),
    [
        ("01_mask_the_gradient.ipynb", "01_mask_the_gradient.html", None),
        ("17_transfer.ipynb#Is-the-base-frozen?", "17_transfer.html#is-the-base-frozen", None),
        ("#In-three-sentences", "#in-three-sentences", None),
        ("https://keras.io/", "https://keras.io/", None),
        ("../README.md", None, "https://github.com/me/course/blob/HEAD/README.md"),
        ("../README.md#start", None, "https://github.com/me/course/blob/HEAD/README.md#start"),
        ("../helpers/site", None, "https://github.com/me/course/tree/HEAD/helpers/site"),
    ],
)
def test_where_a_link_leads_with_and_without_an_address(monkeypatch, url, without, ours):
    monkeypatch.setattr(address, "current", lambda: address.PLACEHOLDER)
    assert links.target(url) == without
    monkeypatch.setattr(address, "current", lambda: "me/course")
    assert links.target(url) == (ours or without)


def test_a_page_opens_elsewhere_only_with_an_address(monkeypatch):
    monkeypatch.setattr(address, "current", lambda: address.PLACEHOLDER)
    assert links.openings("00_start_here") == []
    monkeypatch.setattr(address, "current", lambda: "me/course")
    urls = dict(links.openings("00_start_here"))
    assert "mybinder.org/v2/gh/me/course/HEAD" in urls["JupyterLab on Binder"]
    assert urls["Colab"].endswith("me/course/blob/main/notebooks/00_start_here.ipynb")


@pytest.mark.parametrize("repository", [address.PLACEHOLDER, "me/course"])
def test_a_first_cell_begins_with_what_it_imports(monkeypatch, repository):
    monkeypatch.setattr(address, "current", lambda: repository)
    begins = f"import importlib.util\n\n{address.guard(repository)}\nimport numpy as np"
    cell = nbformat.v4.new_code_cell(begins)
    (shown,) = cells.shown(nbformat.v4.new_notebook(cells=[cell]))
    assert shown.fold == "Imports" and words(BeautifulSoup(shown.html, "html.parser").text) == (
        words("import numpy as np")
    )


def test_a_cell_with_ipythons_own_words_is_a_page_s_too():
    cell = nbformat.v4.new_code_cell("%timeit 1\n!ls")
    (shown,) = cells.shown(nbformat.v4.new_notebook(cells=[cell]))
    assert "timeit" in shown.html and not shown.live


def test_a_file_that_is_nowhere_to_be_read_is_named(monkeypatch):
    monkeypatch.setattr(address, "current", lambda: address.PLACEHOLDER)
    assert prose("[its code](../helpers/bits.py)")[0] == (
        "<p>its code (<code>helpers/bits.py</code>)</p>\n"
    )
    assert "bits.py)" not in prose("[`helpers/bits.py`](../helpers/bits.py)")[0]


def test_aligned_lines_of_a_formula_are_rows():
    formula = mathml(r"\begin{aligned} a &= b \\ c &= d \end{aligned}", "block")
    assert formula.count("<mtr>") == 2 and "&<" not in formula and "(1)" not in formula


def test_only_what_has_a_colour_of_its_own_stands_in_an_element():
    code = "total = 1 if not words else f'{a < b}'  # why"
    html = BeautifulSoup(highlight(code), "html.parser")
    coloured = {span.get_text() for span in html.select("span[class]")}
    assert {"1", "if", "not", "else", "# why"} <= coloured
    assert not {"total", "=", "words", "a"} & coloured
    assert html.get_text().strip() == code


def test_a_question_is_read_as_it_is_printed():
    assert questions.read("How\nmany?\n( ) one\n( ) two") == ("How many?", ["one", "two"])
    assert questions.read("How many?\n0 |----| 24 points") == (
        "How many?",
        ["a number from 0 to 24 points"],
    )
    assert questions.read("Which?\nAnswer by pressing tiles on the board above.") == ("Which?", [])
    assert questions.read("left:\n  restore") is None
    asks = [questions.asks(ast.parse(f"one = {what}\none")) for what in ("Guess('?', 1)", "1")]
    assert asks == [True, False]


@pytest.mark.parametrize(
    ("code", "kind", "told"),
    [
        ("a.set_title('one')\na.set(xlabel='two', ylabel=f'{b}')", "<Figure>", "labels one, two."),
        ("board.run('x')\nboard.picture()", "<Image>", "A picture of board as it is now"),
        ("step_drawing.picture(None)", "<Image>", "A drawing of a training step"),
        ("lab", "Playground(task='digits')", "A grid of weights to paint on"),
    ],
)
def test_a_picture_is_told_in_words(code, kind, told):
    assert told in alt_text(ast.parse(code), kind, "Play")


def test_the_headings_can_be_searched(site):
    found = json.loads((site / "search.json").read_text(encoding="utf-8"))
    assert {one["page"][:2] for one in found} == {name[:2] for name in NAMES}
    assert {"page", "heading", "address"} == set(found[0])


@pytest.mark.parametrize(("arguments", "status"), [(["--help"], 0), (["one", "two"], 2)])
def test_a_question_or_a_folder_too_many_writes_nothing(
    arguments, status, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stopped:
        build.main(arguments)
    told = capsys.readouterr()
    assert stopped.value.code == status and "[folder]" in told.out + told.err
    assert not list(tmp_path.iterdir())
