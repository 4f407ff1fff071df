"""Plausible attempts at the exercise of *What frozen layers save*, and the hint each gets."""


def _free(frozen):
    return frozen.count(False)


def three_for_each_free_layer(frozen):
    return 3 * _free(frozen)


def hands_nothing_back(frozen):
    return len(frozen) + _free(frozen)


def forward_through_free_layers_alone(frozen):
    return 2 * _free(frozen) + len(frozen) - 1 - frozen.index(False)


def hands_back_to_the_first_layer(frozen):
    return 2 * len(frozen) + _free(frozen) - 1


def only_free_layers_hand_back(frozen):
    return len(frozen) + 2 * _free(frozen) - 1


def ends_at_the_highest_free_layer(frozen):
    return len(frozen) + _free(frozen) + frozen[::-1].index(False)


def reads_true_as_free(frozen):
    return len(frozen) + frozen.count(True) + len(frozen) - 1


def prints_it(frozen):
    str(len(frozen) + _free(frozen))


MISTAKES = {
    three_for_each_free_layer: "who hands a gradient back",
    hands_nothing_back: "who hands a gradient back",
    forward_through_free_layers_alone: "ends at the first free layer",
    hands_back_to_the_first_layer: "ends at the first free layer",
    only_free_layers_hand_back: "come through frozen layers",
    ends_at_the_highest_free_layer: "who hands a gradient back",
    reads_true_as_free: "who hands a gradient back",
    prints_it: "Return how many",
}
