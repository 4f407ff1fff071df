"""python3 -m helpers site [FOLDER]: writes the static site, which any web server can serve."""

import argparse
import shutil
import sys
from pathlib import Path

from helpers import ROOT
from helpers.playground.painter import Painter
from helpers.site import course_pages, given, prepared, start_page
from helpers.widget import bundle

HERE = Path(__file__).parent
STYLE = (
    HERE.parent / "playground" / "painter" / "painter.css",
    HERE / "page" / "page.css",
    HERE / "page" / "course.css",
)


def build(folder):
    """Write the site into a folder, which is made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in ("page", "trainer"):
        only = shutil.ignore_patterns("*.html", "*.css", "*.j2")
        shutil.copytree(HERE / part, folder / part, dirs_exist_ok=True, ignore=only)
    (folder / "page" / "painter.mjs").write_text(Painter.javascript, encoding="utf-8")
    (folder / "site.css").write_text(bundle.styled(*STYLE), encoding="utf-8")
    given.write(folder)
    course = course_pages.pages()
    start_page.write(folder, course)
    course_pages.write(folder, course)
    prepared.write(folder)


def main(arguments):
    """Build the site where the command line says, or in build/site."""
    parser = argparse.ArgumentParser("python3 -m helpers site", description=__doc__)
    parser.add_argument("folder", nargs="?", default=ROOT / "build" / "site", type=Path)
    folder = parser.parse_args(arguments).folder
    build(folder)
    print(f"The site is in {folder}. To see it: python3 -m http.server --directory {folder}")


if __name__ == "__main__":
    main(sys.argv[1:])
