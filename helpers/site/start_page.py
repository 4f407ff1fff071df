"""The start page: what stands on it."""

import re
from pathlib import Path

from helpers import ROOT
from helpers.pictures import pixels
from helpers.playground import tasks
from helpers.site.highlighting import highlight
from helpers.tools import notebooks

PAGE = Path(__file__).parent / "page" / "index.html"
FOCUSED = '<pre tabindex="0" role="region" aria-label="Program: {name}">'  # if it scrolls


def write(folder, course):
    """Write the page into the site's folder, and its picture; `course` is a list of
    `course_pages.Page`."""
    (folder / "index.html").write_text(_page(course), encoding="utf-8")
    task = tasks.digits(0)
    kernel = task.grid(task.variable.numpy(), "3")
    (folder / "grid.png").write_bytes(pixels.bare(kernel))


def _page(course):
    """Return the page, with programs to take home in it and the list of the course's pages."""
    (freeze,) = re.findall(
        r"```python\n(.+?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL
    )
    codes = {"a constraint that puts cells back": _first_program(), "the exact freeze": freeze}
    listed = [f'<li><a href="course/{page.name}.html">{page.title}</a></li>' for page in course]
    page = PAGE.read_text(encoding="utf-8")
    for name, code in codes.items():
        page = page.replace(
            f"<!-- {name} -->", highlight(code).replace("<pre>", FOCUSED.format(name=name))
        )
    return page.replace("<!-- the pages of the course -->", "\n".join(listed))


def _first_program():
    """Return the first program to take home of the course's first page."""
    first, *_ = notebooks.programs(notebooks.read(notebooks.paths()[0]))
    return first.source
