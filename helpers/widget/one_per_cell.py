"""One cell of a notebook has one trainer: what its earlier run has left is closed."""

from IPython import get_ipython

_LIVE: dict[object, tuple] = {}


def close_former(made):
    """Close what an earlier run of the same cell has left, so that one cell has one trainer.

    `made` has a method `close`. What is made outside of a cell, by a click on a widget, belongs to
    whoever was clicked.
    """
    shell = get_ipython()
    parent = shell.get_parent() if hasattr(shell, "get_parent") else {}
    if not parent:
        return
    cell = parent["metadata"].get("cellId") or parent["content"].get("code")
    if cell is None:
        return
    run = parent["header"]["msg_id"]
    former_run, former = _LIVE.get(cell, (run, []))
    if former_run != run:
        for one in former:
            one.close()
        former = []
    _LIVE[cell] = run, [*former, made]
