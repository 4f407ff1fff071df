"""The stations of a training step: what happens where, and where a frozen cell escapes.

weights → model sees → loss → gradient → clip → memory → step → write → average (→ the end)

A technique acts at a station and guards what comes before it. A leak enters after it, and needs no
gradient: the optimizer's memory, weight decay, a running average. Two guard the whole step: the
exact freeze, and a variable that has no frozen cell in it.

texts        what happens at each station: sentences, formulas, what their symbols mean
conditions   what loss, optimizer and loop around a step are like
escapes      the ways past a technique, a row each
description  describe_step: the stations of a step, with what acts and what leaks there
"""

from helpers.stations.conditions import Conditions
from helpers.stations.description import Station, describe_step
from helpers.stations.texts import NAMES

__all__ = ["NAMES", "Conditions", "Station", "describe_step"]
