"""A page without a browser."""


class Page:
    """A page that shows a panel: it sends operations as store.mjs does."""

    def __init__(self, panel):
        self.panel, self.seq = panel, 0

    def ask(self, kind, **message):
        """Send an operation with the next number."""
        self.seq += 1
        sender = dict(client="page", seen=self.seq - 1, seq=self.seq, mask=0)
        self.panel._receive(None, {"kind": kind, **sender, **message}, [])

    def choose(self, name, value):
        """Choose from a list."""
        self.ask("choose", name=name, value=value)
