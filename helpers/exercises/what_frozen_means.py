"""What "frozen" means: which cells have the same bits, whatever numbers the bits mean."""

import numpy as np

from helpers.exercises.exercise import Exercise, expect


def same_bits(before, after):
    """Read the bits of each number as a whole number, and compare those."""
    return before.view(np.uint32) == after.view(np.uint32)


def judge(attempt):
    """Pairs for which equality, tolerance and bits disagree."""
    one = np.float32(1)
    pairs = np.array([[one, one], [one, 2], [np.nan] * 2, [one, np.nextafter(one, 2 * one)]])
    before, after = pairs.T.astype("float32")
    found = np.asarray(attempt(before, after))
    expect(found.shape == (4,), "Return one answer for each cell: an array of their shape.")
    expect(found.dtype == bool, "Return truth values, a bool array.")
    expect(found[0] and not found[1], "1 and 1 are the same, 1 and 2 are not; True = the same.")
    expect(found[2], "NaN is not equal to itself, but its bits are.")
    expect(not found[3], "Neighbours differ in a bit: no tolerance.")
    zeros, signed = np.zeros((2, 3), "float32"), np.array([[0, -0.0, 0]] * 2, "float32")
    found = np.asarray(attempt(zeros, signed))
    expect(found.shape == (2, 3), "Two dimensions went in, and others came out.")
    expect(not found[:, 1].any(), "0.0 and -0.0 are equal, and differ in the bit of the sign.")
    expect(found[:, ::2].all(), "0.0 and 0.0 have the same bits.")
    one, other = np.array([0x7FC00000, 0x7FC00001], np.uint32).view("float32").reshape(2, 1)
    expect(not np.any(attempt(one, other)), "There are many NaN, and these two differ in a bit.")
    return "Zeros, NaN and neighbours are told apart by their bits."


exercise = Exercise(
    same_bits,
    judge,
    [
        "Numbers are what bits mean. Can the same 32 bits be read as something simpler?",
        "Whole numbers are equal exactly if their bits are.",
        "An array's view(np.uint32) reads its memory anew, and converts nothing.",
    ],
)
