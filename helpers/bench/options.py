"""What several benches take from the command line."""

import argparse


def count(text):
    """Return a whole number from 1 up, as an argument."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} arrived; a whole number from 1 up was wanted")
    return int(text)
