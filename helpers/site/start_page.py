"""The start page: what stands on it."""

import re
from pathlib import Path

from helpers import ROOT
from helpers.pictures import pixels
from helpers.playground import tasks
from helpers.site.highlighting import highlight

PAGE = Path(__file__).parent / "page" / "index.html"
FOCUSED = '<pre tabindex="0" role="region" aria-label="Code to take home">'  # if it scrolls


def write(folder, course):
    """Write the page into the site's folder, and its picture; `course` is a list of
    `course_pages.Page`."""
    (folder / "index.html").write_text(_page(course), encoding="utf-8")
    task = tasks.digits(0)
    kernel = task.grid(task.variable.numpy(), "3")
    (folder / "grid.png").write_bytes(pixels.bare(kernel))


def _page(course):
    """Return the page, with the code of README in it and the list of the course's pages."""
    (code,) = re.findall(r"```python\n(.+?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    listed = [f'<li><a href="course/{page.name}.html">{page.title}</a></li>' for page in course]
    page = PAGE.read_text(encoding="utf-8")
    page = page.replace("<!-- the code of README -->", highlight(code).replace("<pre>", FOCUSED))
    return page.replace("<!-- the pages of the course -->", "\n".join(listed))
