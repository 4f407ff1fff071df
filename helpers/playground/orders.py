"""What a browser may ask of a run, beside painting: one short function each.

As those of `painter/operations`, each gets the panel, the message and its buffers, checks them, and
runs under the link's lock; so it only posts to the driver what is to be done between two steps.
"""

from typing import get_args

from helpers.names import known
from helpers.playground.driver import Claim, Order
from helpers.playground.painter import checks
from helpers.playground.settings import SETTINGS

ORDERS, CLAIMS = get_args(Order), get_args(Claim)
LONGEST_LINE = 2**16  # that of a mask of 512×512 cells drawn at random has 44,000 letters


def order(panel, message, _):
    """Train, pause, take one step, or go back to the start."""
    panel.post(panel.driver.order, message["kind"])


def choose(panel, message, _):
    """Choose a technique, an optimizer, a page or a speed, or turn a knob."""
    name = known("setting", checks.text(message, "name"), SETTINGS)
    panel.post(panel.choose_or_tell, name, message.get("value"))


def pin(panel, message, _):
    """Record a cell from the next step on, or no more."""
    rows, columns = panel.shape_of_grid
    cell = checks.whole(message, "cell", high=rows * columns)
    page = known("page", checks.text(message, "page"), dict(panel.choices["page"]))
    pinned = checks.truth(message, "pinned")
    panel.post(panel.driver.pin, (page, *divmod(cell, columns)), pinned)


def bet(panel, message, _):
    """Let the predicted cells be a bet on a claim."""
    panel.post(panel.driver.bet, known("claim", checks.text(message, "claim"), CLAIMS))


def share(panel, message, _):
    """Send all browsers masks and choices as a line, and the address at which the site opens it, if
    there is one."""
    panel.post(_send_line, panel)


def _send_line(panel):
    panel.send_answer("code", panel.driver.code)
    address = panel.driver.link()
    if address:
        panel.send_answer("link", lambda: address)


def paste(panel, message, _):
    """Put in force what a line says, and send all browsers the remark on it."""
    line = checks.text(message, "line", LONGEST_LINE)
    panel.post(panel.send_answer, "pasted", panel.driver.paste, line)


OF_A_RUN = {
    **dict.fromkeys(ORDERS, order),
    "choose": choose,
    "pin": pin,
    "bet": bet,
    "share": share,
    "paste": paste,
}
