"""Plausible attempts at the exercise of Choose what the optimizer sees that fall short, and the
hint that each gets."""


def by_in(gradients, variables, groups):
    for optimizer, members in groups:
        own = [(g, v) for g, v in zip(gradients, variables) if v in members]
        optimizer.apply([g for g, _ in own], [v for _, v in own])


def by_name(gradients, variables, groups):
    for optimizer, members in groups:
        names = {member.name for member in members}
        own = [(g, v) for g, v in zip(gradients, variables) if v.name in names]
        optimizer.apply([g for g, _ in own], [v for _, v in own])


def one_by_one(gradients, variables, groups):
    for optimizer, members in groups:
        for g, v in zip(gradients, variables):
            if any(v is member for member in members):
                optimizer.apply([g], [v])


def in_the_order_of_the_groups(gradients, variables, groups):
    gradients = list(gradients)
    for optimizer, members in groups:
        optimizer.apply([gradients.pop(0) for _ in members], members)


def all_by_the_first(gradients, variables, groups):
    groups[0][0].apply(gradients, variables)


def members_by_the_first(gradients, variables, groups):
    members = [member for _, group in groups for member in group]
    own = [(g, v) for g, v in zip(gradients, variables) if any(v is m for m in members)]
    groups[0][0].apply([g for g, _ in own], [v for _, v in own])


def the_first_group_only(gradients, variables, groups):
    for optimizer, members in groups:
        own = [(g, v) for g, v in zip(gradients, variables) if any(v is m for m in members)]
        optimizer.apply([g for g, _ in own], [v for _, v in own])
        return


def by_value_of_one_cell(gradients, variables, groups):
    for optimizer, members in groups:
        own = [
            (g, v)
            for g, v in zip(gradients, variables)
            if any(v is m or (v.shape != (1,) and v == m) for m in members)
        ]
        optimizer.apply([g for g, _ in own], [v for _, v in own])


MISTAKES = {
    by_in: "in no group has moved",
    by_name: "in no group has moved",
    one_by_one: "in one call",
    in_the_order_of_the_groups: "not its own",
    all_by_the_first: "in no group has moved",
    members_by_the_first: "not its own",
    the_first_group_only: "1 of 3 variables",
    by_value_of_one_cell: "compared by ==",
}
