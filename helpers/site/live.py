"""Which cells of the course show a grid that can train in a page, and with which choices."""

import ast
import dataclasses
import inspect

import numpy as np

from helpers.optimizers import ON_SITE
from helpers.playground import FEW, Playground, goals
from helpers.techniques import TECHNIQUES

SIDE = 8  # of a digit's grid
PASSED = ("technique", "optimizer", "page")
PICTURED = "example"  # of its picture alone


def choices(tree):
    """Return how the playground that a cell shows begins in a page, from the tree of its code: a
    dict with its tools, its goals, those of PASSED that have a value, and the cells that the code
    freezes and the steps at which it pauses, if any. None if the cell does more than make one,
    freeze and show it, or shows one that a page has not: another task, or an argument that is
    computed.
    """
    call, paints, made = _shown(tree.body)
    if not isinstance(call, ast.Call) or ast.unparse(call.func) != "Playground":
        return None
    try:
        positions = [made.get(ast.unparse(each)) or _value(each) for each in call.args]
        names = {each.arg: _value(each.value) for each in call.keywords if each.arg != PICTURED}
        frozen = _frozen(paints)
    except ValueError:
        return None
    bound = inspect.signature(Playground).bind(*positions, **names)
    bound.apply_defaults()
    begun = _begun(bound.arguments)
    return begun and (begun | {"frozen": frozen} if frozen else begun)


def _shown(statements):
    """Return what a cell shows: `…`, or `lab` after `lab = …`, and perhaps some `lab.paint(…)`, all
    as calls; and by their names the optimizers and drawn recipes that stand before it."""
    match statements:
        case [ast.Expr(call)]:
            return call, [], {}
        case [*before, ast.Expr(ast.Name(shown))]:
            paints = []
            while before and ast.unparse(before[-1]).startswith(f"{shown}.paint("):
                paints.insert(0, before.pop().value)
            made = before.pop() if before else None
            readers = _optimizer, _drawn
            named = {n: one for each in before for read in readers for n, one in read(each)}
            if isinstance(made, ast.Assign) and ast.unparse(made.targets) == shown:
                return made.value, paints, named
    return None, [], {}


def _optimizer(statement):
    """Yield the name under which a statement keeps plain descent that steps once for some batches,
    and what a page is told of it, if it does."""
    match statement:
        case ast.Assign(
            [ast.Name(name)],
            ast.Call(
                args=[rate], keywords=[ast.keyword("gradient_accumulation_steps", batches)]
            ) as call,
        ) if ast.unparse(call.func) == "keras.optimizers.SGD":
            yield name, {"optimizer": "sgd", "rate": _value(rate), "batches": _value(batches)}


def _drawn(statement):
    """Yield the name under which a statement keeps one of some names, drawn with a seed, and which
    it is, if it does."""
    match statement:
        case ast.Assign(
            [ast.Name(name)],
            ast.Call(
                ast.Name("str"),
                [ast.Call(ast.Attribute(generator, "choice"), [ast.List() as names])],
            ),
        ) if ast.unparse(generator).startswith("np.random.default_rng("):
            seed = _value(generator.args[0])
            yield name, str(np.random.default_rng(seed).choice(_value(names)))


def _frozen(paints):
    """Return the cells of a digit's grid that some calls freeze, or freeze and thaw, one after the
    other, in order; ValueError if that is computed."""
    cells = set()
    for paint in paints:
        named = {each.arg: _value(each.value) for each in paint.keywords}
        if set(named) - {"frozen"} or len(paint.args) != 2:
            raise ValueError("Rows, columns and frozen are read.")
        rows, columns = [range(SIDE)[_slice(each)] for each in paint.args]
        painted = {SIDE * row + column for row in rows for column in columns}
        cells = cells | painted if named.get("frozen", True) else cells - painted
    return sorted(cells)


def _slice(node):
    """Return what `slice(0, 8)` makes, in code."""
    if not isinstance(node, ast.Call) or ast.unparse(node.func) != "slice":
        raise ValueError("A slice is read alone.")
    return slice(*map(_value, node.args))


def _value(node):
    """Return what an argument says: a literal, or one of the few names that pages write."""
    match node:
        case ast.List(items):
            parts = [
                (_value(i.value) if isinstance(i, ast.Starred) else [_value(i)]) for i in items
            ]
            return [one for part in parts for one in part]
        case ast.Name("FEW"):
            return FEW
        case ast.Attribute(ast.Name("goals"), "FIRST"):
            return goals.FIRST
        case ast.Call(ast.Attribute(ast.Name("goals"), name), args, keywords):
            named = {each.arg: _value(each.value) for each in keywords}
            return getattr(goals, name)(*map(_value, args), **named)
    return ast.literal_eval(node)


def _begun(arguments):
    own = arguments["optimizer"] if isinstance(arguments["optimizer"], dict) else {}
    arguments |= own and {"optimizer": own["optimizer"]}
    there = (
        (arguments["task"], arguments["seed"]) == ("digits", 0)
        and arguments["optimizer"] in ON_SITE
        and arguments["technique"] in TECHNIQUES
        and not arguments["overlays"]
    )
    if not there:
        return None
    begun = own | {name: arguments[name] for name in PASSED if arguments[name] is not None}
    controls = FEW if arguments["controls"] is None else arguments["controls"]
    if arguments["pauses"]:
        begun["pauses"] = list(arguments["pauses"])
    return begun | {
        "controls": list(controls),
        "goals": [dataclasses.asdict(goal) for goal in arguments["goals"]],
    }
