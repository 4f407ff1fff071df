"""A heading of a page: what it is called, and how an address names it."""

import dataclasses
import html
import re


@dataclasses.dataclass(frozen=True)
class Heading:
    """A heading: its level from 1 to 6, and its HTML."""

    level: int
    html: str

    @property
    def text(self):
        """The heading without its markup."""
        return html.unescape(re.sub(r"<[^>]+>", "", self.html))

    @property
    def anchor(self):
        """Its name at the end of an address."""
        return anchor(self.text)


def anchor(text):
    """Return the name of a heading with this text at the end of an address."""
    return re.sub(r"\W+", "-", text).strip("-").lower()
