"""A guess that is painted on the grid of a playground: the cells that will leak, or stay."""

from helpers.exercises.guess import Question

RIGHT = 0.8  # of all cells that were predicted or came


class Painted(Question):
    """A question that is answered by painting, with *Predict* on a playground's grid.

    `lab` is the Playground, on which the question is about the cells that leak or, if the reader
    chose so there, the cells that stay.
    """

    told = ("Answer with Predict leaks, on the grid above.",)

    def __init__(self, question, lab):
        self._lab = lab
        super().__init__(question)

    @property
    def choice(self):
        """The predicted cells, bool (rows, columns); None if there are none."""
        painted = self._lab.prediction
        return painted if painted.any() else None

    def settle(self, because=""):
        """Print how many of the cells that came were predicted, how many came of those that could
        (only frozen ones leak), and `because`; more is on the grid. A guess is right if hits are
        four fifths of all cells that were predicted or came."""
        hits, missed, wrong = (int(cells.sum()) for cells in self._lab.judge_prediction())
        guess, praise = None, ""
        if self.choice is not None:
            self.right = hits >= RIGHT * (hits + missed + wrong)
            guess = f"{hits + wrong} cells, of which {hits} were right"
            praise = "Right. " if self.right else ""
        frozen = self._lab.frozen
        could, did = {"leak": (frozen.sum(), "leaked"), "stay": (frozen.size, "stayed")}[
            self._lab.claim
        ]
        self._tell(guess, f"{hits + missed} of {could} cells {did}", praise + because)
