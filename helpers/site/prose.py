"""The markdown cells of a notebook as HTML."""

import html
import posixpath

from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from helpers.site import links
from helpers.site.formulas import mathml
from helpers.site.headings import Heading


def prose(markdown):
    """Return the text of a markdown cell as HTML, and its headings."""
    renderer = _Renderer()
    return MarkdownWithMath(renderer=renderer).render(markdown), renderer.headings


class _Renderer(IPythonRenderer):
    """What nbconvert makes of markdown, but formulas, links, headings and tables as here."""

    def __init__(self):
        super().__init__(escape=False, exclude_anchor_links=True)
        self.headings = []

    def heading(self, text, level, **_):
        heading = Heading(level, text)
        self.headings.append(heading)
        return f'<h{level} id="{heading.anchor}">{text}</h{level}>\n'

    def inline_math(self, body):
        return mathml(body)

    def block_math(self, body):
        return mathml(body, "block")

    def paragraph(self, text):
        alone = text.startswith('<div class="wide">')  # a formula on a line of its own
        return f"{text}\n" if alone else super().paragraph(text)

    def table(self, text):
        return f'<div class="wide"><table>\n{text}</table></div>\n'

    def link(self, text, url, title=None):
        target = links.target(url)
        if target:
            return f'<a href="{html.escape(target)}">{text}</a>'
        file = links.file_of(url)
        named = posixpath.splitext(posixpath.basename(file))[0] in text
        return text if named else f"{text} (<code>{file}</code>)"

    def table_cell(self, text, align=None, head=False):
        kind = "th" if head and text else "td"  # an empty corner heads nothing
        return f"<{kind}>{text}</{kind}>\n"
