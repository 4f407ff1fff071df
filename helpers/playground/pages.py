"""The masks of all pages of a task, and what somebody predicts on each; one page is on the grid."""

import numpy as np

from helpers.playground.painter.painted_mask import PaintedMask


class Pages:
    """A PaintedMask for each page's mask, and another for its bets.

    task   a Task
    shape  of the whole variable
    page   the name of the one that is on the grid
    """

    def __init__(self, task, shape, page):
        self.task, self.shape, self.page = task, shape, page
        grid = task.grid(np.zeros(shape, bool), page).shape
        self.masks = {name: PaintedMask(grid) for name in task.pages}
        self.bets = {name: PaintedMask(grid) for name in task.pages}

    def turn_to(self, page):
        """Lay another page on the grid."""
        self.page = page

    @property
    def mask(self):
        """The PaintedMask that is painted on."""
        return self.masks[self.page]

    @property
    def bet(self):
        """The PaintedMask of what is predicted of this page's cells."""
        return self.bets[self.page]

    @property
    def versions(self):
        """What changes with each change of any mask."""
        return [mask.version for mask in self.masks.values()]

    @property
    def bets_made(self):
        """What changes with each change of any bet."""
        return [bet.version for bet in self.bets.values()]

    def grid(self, whole):
        """Return the cells of a whole variable that stand on the grid, a view (rows, columns)."""
        return self.task.grid(whole, self.page)

    def frozen(self):
        """Return the masks of all pages as one, a new bool array of the variable's shape."""
        whole = np.zeros(self.shape, bool)
        for name, mask in self.masks.items():
            self.task.grid(whole, name)[:] = mask.frozen
        return whole

    def replace(self, frozen):
        """Replace the masks of all pages, bool (pages, rows, columns); an undo takes each back."""
        for mask, cells in zip(self.masks.values(), frozen):
            mask.replace(cells)

    def place(self, cell):
        """Return the flat index in the variable of a cell (page, row, column)."""
        page, *where = cell
        places = np.arange(np.prod(self.shape, dtype=int)).reshape(self.shape)
        return self.task.grid(places, page)[tuple(where)]

    def keep_one(self):
        """Forget all pages but the one on the grid, and the task's model and data."""
        self.task = self.task.pages_alone
        self.masks = {self.page: self.mask}
        self.bets = {self.page: self.bet}
