"""Names that are chosen from a list, and what somebody hears whose name is not on it."""


def known(kind, name, names, advice=""):
    """Return `name` if it is one of `names`; `kind` says of what, as in "technique".

    Raises ValueError that says which name arrived, lists the known ones, and adds the `advice`.
    """
    if name not in names:
        listed = ", ".join(map(repr, names))
        message = f"The {kind} {name!r} arrived; the known ones are {listed}. {advice}"
        raise ValueError(message.strip())
    return name
