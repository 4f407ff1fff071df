"""The locks of the playground, and the one order in which they may be taken.

link     a painter's conversation with its browsers: which operations came, which frames left
step     the variables under training: who holds it sees no step half taken
mask     a painted mask and its history
mailbox  what the training thread is asked to do between two chunks
graphs   the traced loops that playgrounds of one kind share

A thread that holds a lock may take those below it, and none above it or of the same name:
then no two threads can wait for each other for ever.
"""

import threading

from helpers.names import known

ORDER = ("link", "step", "mask", "mailbox", "graphs")


def make(name):
    """Return a new lock for `name`, one of `ORDER`; the thread that holds it may take it again.

    Raises ValueError for another name.
    """
    known("lock", name, ORDER, "Give a new one its place in ORDER first.")
    return threading.RLock()
