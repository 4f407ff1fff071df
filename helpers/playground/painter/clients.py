"""The pages that speak to a widget: how far each has come with its operations.

A page that is gone never says so; therefore only the last that were heard are known. Each message
names as `seen` the sender's last operation that a frame has named as applied. That is where the
numbers of a forgotten page go on when it comes back.
"""

KEPT = 64  # pages; a frame names each of them


class Clients:
    """The pages by their names. Not safe to use from several threads."""

    def __init__(self):
        self.numbers = {}  # name -> the number of its last operation; the last heard come last

    def __len__(self):
        return len(self.numbers)

    def hear(self, name, seen):
        """Note that a page is there, and has seen its operations applied up to number `seen`."""
        others = {one: last for one, last in self.numbers.items() if one != name}
        self.numbers = {**others, name: self.numbers.get(name, seen)}
        if len(self.numbers) > KEPT:
            del self.numbers[next(iter(self.numbers))]

    def is_next(self, name, seq):
        """Return whether an operation is the next one of its page; then it counts."""
        if seq != self.numbers[name] + 1:
            return False
        self.numbers = {**self.numbers, name: seq}
        return True
