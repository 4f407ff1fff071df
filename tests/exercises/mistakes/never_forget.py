"""Plausible attempts at the exercise of Never forget that fall short, and the hint that each
gets."""

import numpy as np


def _each(labels):
    return [np.flatnonzero(labels == each) for each in np.unique(labels)]


def the_first_of_all(labels, count):
    return np.arange(count)


def as_many_as_all_classes_want(labels, count):
    return np.arange(min(count * len(np.unique(labels)), len(labels) - 1))


def a_mask(labels, count):
    kept = np.zeros(len(labels), bool)
    kept[np.concatenate([places[:count] for places in _each(labels)])] = True
    return kept


def the_labels_themselves(labels, count):
    return np.concatenate([labels[places[:count]] for places in _each(labels)])


def a_rare_class_twice(labels, count):
    return np.concatenate([np.resize(places, count) for places in _each(labels)])


def a_rare_class_left_out(labels, count):
    return np.concatenate([places[:count] for places in _each(labels) if len(places) >= count])


def the_last(labels, count):
    return np.concatenate([places[-count:] for places in _each(labels)])


def one_more(labels, count):
    return np.concatenate([places[: count + 1] for places in _each(labels)])


def a_list_for_each_class(labels, count):
    return np.stack([np.resize(places, count) for places in _each(labels)])


MISTAKES = {
    the_first_of_all: "each class must have some",
    as_many_as_all_classes_want: "and 3 were asked for",
    a_mask: "and not a True or False",
    the_labels_themselves: "An example is kept twice",
    a_rare_class_twice: "An example is kept twice",
    a_rare_class_left_out: "Of class 9, 0 of 1",
    the_last: "not others",
    one_more: "4 of 5 examples are kept, and 3",
    a_list_for_each_class: "one row of places",
}
