"""A guess that is made by pressing tiles on a board: those that will move."""

from helpers.exercises.guess import GUESSES, Question


class Tapped(Question):
    """A question that is answered by pressing tiles: which of them move when something trains next.

    `board` is the Board on which they stand. Several questions can be asked on one board: a new one
    begins with no tile pressed.
    """

    told = ("Answer by pressing tiles on the board above.",)

    def __init__(self, question, board):
        former = GUESSES.get(question)
        pressed = (former and former.choice) or set()
        self._board, self._settled = board, None
        board.bet(*pressed & board.tiles.keys())
        super().__init__(question)

    @property
    def choice(self):
        """The keys of the tiles that were pressed, a set; None if there are none."""
        pressed = self._board.bets if self._settled is None else self._settled
        return pressed or None

    def settle(self, because=""):
        """Print which tiles moved, how many of them were guessed, and `because`; more is on the
        board. A guess is right if just these tiles were pressed."""
        self._settled = self._board.bets
        right, missed, wrong = map(len, self._board.verdict)
        guess, praise = None, ""
        if right + wrong:
            self.right = missed + wrong == 0
            guess = f"{right + wrong} tiles, of which {right} moved"
            praise = "Right. " if self.right else ""
        moved = len(self._board.moved or ())
        self._tell(guess, f"{moved} of {len(self._board.tiles)} tiles moved", praise + because)
