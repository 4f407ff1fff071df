"""The pages that speak to a widget: how far each has come with its operations.

A page that is gone never says so; therefore the ones that have long been silent are forgotten. Each
message names as `seen` the sender's last operation that a frame has named as applied. That is where
the numbers of a forgotten page go on when it comes back, and it is why nothing is done twice: as
long as an operation may be sent again, because its page has not seen it applied, the page is kept.
"""

import time
from dataclasses import dataclass

KEPT = 8  # so many are never forgotten, those heard from last
PATIENCE = 600  # seconds of silence after which a page may be forgotten
# With an operation that it has not seen applied, a page may come back and send it again.
LONG_PATIENCE = 24 * 3600


@dataclass
class Client:
    """A page: its last operation that was carried out, the last it has seen applied, and when it
    was heard."""

    last: int
    seen: int
    heard: float


class Clients:
    """The pages by their names. Not safe to use from several threads."""

    def __init__(self):
        self._known = {}

    def __len__(self):
        return len(self._known)

    @property
    def numbers(self):
        """For each page, the number of its last operation."""
        return {name: client.last for name, client in self._known.items()}

    def hear(self, name, seen):
        """Note that a page is there, and has seen its operations applied up to number `seen`."""
        now = time.perf_counter()
        client = self._known.pop(name, None) or Client(seen, seen, now)
        client.seen, client.heard = min(max(client.seen, seen), client.last), now
        self._known[name] = client  # at the end: those heard from last come last
        self._forget(now)

    def is_next(self, name, seq):
        """Return whether an operation is the next one of its page; then it counts."""
        client = self._known[name]
        if seq != client.last + 1:
            return False
        client.last = seq
        return True

    def _forget(self, now):
        """Forget who has long been silent."""
        for name in list(self._known)[:-KEPT]:
            client = self._known[name]
            patience = PATIENCE if client.seen == client.last else LONG_PATIENCE
            if now - client.heard > patience:
                del self._known[name]
