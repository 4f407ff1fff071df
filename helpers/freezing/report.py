"""What is said of frozen cells that have changed: a Leak, which as text is the warning."""

import dataclasses

MANY = 10**6  # units in the last place: farther, they say less than the two numbers


class LeakWarning(UserWarning):
    """Frozen cells have changed."""


class LeakError(RuntimeError):
    """Frozen cells have changed, and the check was to stop training then."""


@dataclasses.dataclass(frozen=True)
class Leak:
    """What a warning says, in parts; as text it is the warning.

    `cells` of the `frozen` cells of the variable at `path` were newly found to have changed, `when`
    says since when, and `rows` in which rows, in words ("" for a variable of one axis or none). The
    cell at `farthest` moved farthest, from the first of `values` to the second, which is `ulps`
    units in the last place: inf to or from NaN or infinity, None for a dtype that is not
    floating-point. `ways` are the likely ways in, the likeliest first: names in `ways_in`. None if
    the optimizer is not known.
    """

    path: str
    cells: int
    frozen: int
    when: str
    rows: str
    ulps: float | None
    farthest: tuple[int, ...]
    values: tuple
    ways: tuple[str, ...] | None
    advice: str

    def __str__(self) -> str:
        of = f"{self.cells:,} of {self.frozen:,} frozen cells of {self.path!r}"
        old, new = map(_number, self.values)
        most = f"cell {list(self.farthest)} from {old} to {new}{_distance(self.ulps)}"
        rows = f", in {self.rows}" if self.rows else ""
        return f"{of} changed {self.when}{rows}, at most {most}. {self.advice}"


def _number(value: object) -> str:
    return f"{value:.9g}" if isinstance(value, float) else str(value)


def _distance(ulps: float | None) -> str:
    if ulps is None or ulps > MANY:
        return ""
    return f" ({ulps:,.0f} unit{'' if ulps == 1 else 's'} in the last place)"
