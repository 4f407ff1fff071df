"""Plausible attempts at notebook 14's exercise that fall short, and the hint that each gets."""


def by_in(model, frozen):
    return [v for v in model.trainable_variables if v not in frozen]


def by_cells(model, frozen):
    listed = [v.numpy().tolist() for v in frozen]
    return [v for v in model.trainable_variables if v.numpy().tolist() not in listed]


def by_name(model, frozen):
    names = {v.name for v in frozen}
    return [v for v in model.trainable_variables if v.name not in names]


def by_old_name(model, frozen):
    names = {f"{v.path}:0" for v in frozen}
    return [v for v in model.trainable_variables if v.name not in names]


def by_shape(model, frozen):
    shapes = [v.shape for v in frozen]
    return [v for v in model.trainable_variables if v.shape not in shapes]


def by_path(model, frozen):
    paths = {v.path for v in frozen}
    return [v for v in model.trainable_variables if v.path not in paths]


def the_first_only(model, frozen):
    return [v for v in model.trainable_variables if not frozen or v is not frozen[0]]


def all_weights(model, frozen):
    return [v for v in model.weights if not any(v is f for f in frozen)]


def the_wrong_way_round(model, frozen):
    return [v for v in model.trainable_variables if any(v is f for f in frozen)]


MISTAKES = {
    by_in: "ask whether one is the other",
    by_cells: "hold the same value",
    by_name: "share the name",
    by_old_name: "are on the list",
    by_shape: "of the same shape",
    by_path: "a path is no identity",
    the_first_only: "1 of 2 frozen variables",
    all_weights: "set to not trainable",
    the_wrong_way_round: "1 of 1 frozen variables",
}
