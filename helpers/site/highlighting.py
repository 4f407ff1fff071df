"""Code as HTML, coloured by classes of which the style sheet knows the colours."""

import re

from nbconvert.filters import Highlight2HTML

COLOURED = "k|s|m|c|ow"  # keywords, strings, numbers, comments, and words such as `not`
OTHER = re.compile(rf'<span class="(?!{COLOURED})\w+">(.*?)</span>')
_every_token = Highlight2HTML()


def highlight(code):
    """Return code as HTML. What has the colour of text stands in no element of its own, for a page
    has thousands of such words, and is shown later with each."""
    return OTHER.sub(r"\1", _every_token(code))
