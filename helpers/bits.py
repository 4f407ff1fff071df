"""Which cells changed, judged by their bits and by nothing softer, and by how many numbers."""

import numpy as np

BITS = {2: np.uint16, 4: np.uint32, 8: np.uint64}


def changed_bits(before, after):
    """Return a bool array, True where one bit or more differs. So -0.0 is not 0.0, and a NaN
    equals itself. Both arrays are floating point, of one shape and dtype; TypeError, ValueError."""
    before, after = _alike(before, after)
    bits = BITS[before.dtype.itemsize]
    return before.view(bits) != after.view(bits)


def ulps(before, after):
    """Return a float64 array: by how many representable numbers each cell moved (units in the
    last place), 0 only where no bit changed; so 0.0 is 1 from -0.0.

    Arrays as for `changed_bits`. A changed cell that was or is NaN or infinite moved by inf.
    Only float64 has distances of 2**53 and more; they are rounded.
    """
    before, after = _alike(before, after)
    one, other = _in_order(before), _in_order(after)
    apart = (np.maximum(one, other) - np.minimum(one, other)).astype(np.float64)
    finite = np.isfinite(before) & np.isfinite(after)
    return np.where(finite | (apart == 0), apart, np.inf)


def _alike(before, after):
    """Both as arrays, if their bits can be compared: views of other widths would not line up."""
    before, after = np.asarray(before, order="C"), np.asarray(after, order="C")
    if before.dtype != after.dtype or before.dtype.itemsize not in BITS:
        wanted = "one floating-point dtype of 2, 4 or 8 bytes was wanted for both"
        raise TypeError(f"dtypes {before.dtype} and {after.dtype} arrived; {wanted}.")
    if before.shape != after.shape:
        raise ValueError(f"shapes {before.shape} and {after.shape} arrived; one shape was wanted.")
    return before, after


def _in_order(values):
    """Return the bits, as unsigned integers that grow as the numbers do."""
    bits = values.view(BITS[values.dtype.itemsize])
    sign = bits.dtype.type(1 << (8 * bits.itemsize - 1))
    return np.where(bits & sign, ~bits, bits | sign)


class Watch:
    """Remembers what every frozen cell held when it was frozen, and tells which have changed.

    Arrays have the shape of the cells; masks are bool, True = frozen. `frozen` is the last mask.
    Of each frozen cell `held` is what it held when it was frozen, and `since` how many steps had
    been taken by then; of other cells both mean nothing.
    """

    def __init__(self, values):
        self.held, self.since = values.copy(), np.zeros(values.shape, np.int64)
        self.frozen = np.zeros(values.shape, bool)
        self._seen, self._leaked_at = values.copy(), None

    def freeze(self, frozen, values, step=0):
        """Take note of a new mask, after `step` steps: cells that it newly freezes hold `values`
        from now on."""
        newly = frozen & ~self.frozen
        self.held[newly], self.since[newly] = values[newly], step
        self._seen[newly] = values[newly]
        if not frozen.any():
            self._leaked_at = None
        self.frozen = frozen.copy()

    def leaks(self, values):
        """Return a bool array: frozen cells whose bits changed since they were frozen."""
        return self.frozen & changed_bits(self.held, values)

    def last_leak(self, values, step):
        """Note what the cells hold after `step` steps; return after how many of them a frozen cell
        was last found to hold something else than when this was asked before, or None."""
        if (self.frozen & changed_bits(self._seen, values)).any():
            self._leaked_at = step
        self._seen = values.copy()
        return self._leaked_at
