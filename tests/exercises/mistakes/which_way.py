"""Plausible attempts at the exercise of Which way that fall short, and the hint that each gets."""


def a_list():
    return ["saves", "thaw"]


def a_name_of_ones_own():
    return {"memory": True, "situations": ["thaw"]}


def a_situation_that_is_none():
    return {"situations": ["thaw", "saves"]}


def one_wish():
    return {"situations": ["thaw"]}


def all_that_there_is():
    return {"saves": True, "repaints": True, "situations": ["thaw", "clipping"]}


def whole_rows():
    return {"finest": "whole rows", "saves": True, "situations": ["thaw"]}


def a_mask_that_changes():
    return {"saves": True, "repaints": True}


def what_cleo_wants():
    return {"situations": ["clipping", "thaw"], "optimizer": "adam"}


MISTAKES = {
    a_list: "Return a dict",
    a_name_of_ones_own: "The guide asks nothing called ['memory']",
    a_situation_that_is_none: "The situation 'saves' arrived",
    one_wish: "and there are 1",
    all_that_there_is: "and there are 4",
    whole_rows: "Let single cells be frozen",
    a_mask_that_changes: "There is still exact freeze, compact.",
    what_cleo_wants: "There is still exact freeze.",
}
