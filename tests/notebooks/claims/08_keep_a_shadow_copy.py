"""What the page says of the weights after a thaw."""

# Most go above their approved values in either case, and the one that is drawn with a snap alone.
assert 14 <= (without[approved] > 1.02).sum() < 21
assert without[watched] < 1.02 and with_a_snap[watched] > 1.1
