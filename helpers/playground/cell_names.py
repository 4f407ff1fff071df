"""What the rows, the columns and the cells of a grid are called."""

from dataclasses import dataclass


@dataclass(frozen=True)
class CellNames:
    """Names of a grid's rows and columns: by a word and a number, or one by one.

    row, column    what a row or a column is, in one word: "letter", "unit"
    rows, columns  a name for each, from the top or from the left; empty if they have numbers alone
    """

    row: str = "row"
    column: str = "column"
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    def of_cell(self, row: int, column: int) -> str:
        """Return what a cell is called: "row 3, column 5", "letter q, unit 5"."""
        places = ("row", self.row, self.rows, row), ("column", self.column, self.columns, column)
        return ", ".join(_called(*place) for place in places)

    def on_screen(self, shape: tuple[int, int]) -> dict:
        """Return what a browser is told of a grid of this shape: the names beside it, and those of
        its first and its last cell."""
        last = self.of_cell(shape[0] - 1, shape[1] - 1)
        return {**self.beside(), "first": self.of_cell(0, 0), "last": last}

    def beside(self) -> dict[str, list[str]]:
        """Return the names that stand beside a grid: "rows" and "columns"."""
        return {"rows": list(self.rows), "columns": list(self.columns)}

    @property
    def words(self) -> tuple[str, str]:
        """What a row and a column is, for the axes of a picture; empty where only one of them has a
        word of its own: such a grid is looked at as a picture already."""
        usual = self.row == CellNames.row or self.column == CellNames.column
        return ("", "") if usual else (self.row, self.column)


def _called(usual, word, names, number):
    """Return what a row or column is called; a name that no word goes with keeps its number."""
    if not names:
        return f"{word} {number}"
    return f"{usual} {number} ({names[number]})" if word == usual else f"{word} {names[number]}"
