"""Every notebook of the course as a page, with its stored outputs; nothing is run."""

import dataclasses
import json
from pathlib import Path

import jinja2

from helpers.site import cells, links
from helpers.tools import notebooks

TEMPLATES = Path(__file__).parent / "page"
FOLDER = "course"  # of the site


@dataclasses.dataclass
class Page:
    """A page of the course: its notebook's name, and its parts, see `cells`."""

    name: str
    parts: list

    @property
    def headings(self):
        """The headings, title first."""
        return [each for part in self.parts if part.kind == "prose" for each in part.headings]

    @property
    def title(self):
        """The number and the title, as HTML."""
        return f"{self.name[:2]} {self.headings[0].html}"

    @property
    def live(self):
        """Whether a grid on it trains in the page."""
        return any(part.kind == "code" and part.live for part in self.parts)

    @property
    def openings(self):
        """Where it opens with a kernel, see `links`."""
        return links.openings(self.name)


def pages():
    """Return the pages of the course, in its order."""
    return [Page(path.stem, cells.shown(notebooks.read(path))) for path in notebooks.paths()]


def write(folder, course):
    """Write the pages into a folder of the site, each beside a folder of its pictures, and the
    list of headings in which a reader can search."""
    loader = jinja2.FileSystemLoader(TEMPLATES)
    environment = jinja2.Environment(
        loader=loader, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    template = environment.get_template("course.html.j2")
    (folder / FOLDER).mkdir(exist_ok=True)
    for before, page, after in zip([None, *course], course, [*course[1:], None]):
        _write_pictures(folder / FOLDER, page)
        text = template.render(page=page, course=course, before=before, after=after)
        (folder / FOLDER / f"{page.name}.html").write_text(text, encoding="utf-8")
    (folder / "search.json").write_text(json.dumps(_index(course), ensure_ascii=False), "utf-8")


def _write_pictures(folder, page):
    """Write the pictures of a page as files, and note where they are."""
    (folder / page.name).mkdir(exist_ok=True)
    outputs = [each for part in page.parts if part.kind == "code" for each in part.outputs]
    for number, picture in enumerate(each for each in outputs if each.kind == "picture"):
        picture.file = f"{page.name}/{number}.png"
        (folder / picture.file).write_bytes(picture.png)


def _index(course):
    """Return all headings, each with its page's title and its address from the site's root."""
    return [
        {
            "page": f"{page.name[:2]} {page.headings[0].text}",
            "heading": heading.text,
            "address": f"{FOLDER}/{page.name}.html#{heading.anchor}",
        }
        for page in course
        for heading in page.headings
    ]
