"""Which cells of the course show a grid that can train in a page, and with which choices."""

import ast
import dataclasses
import inspect

from helpers.playground import FEW, Playground, goals
from helpers.playground.share import OPTIMIZERS_OF_SITE as OPTIMIZERS
from helpers.techniques import TECHNIQUES

PASSED = ("technique", "optimizer", "page")
PICTURED = "example"  # of its picture alone


def choices(tree):
    """Return how the playground that a cell shows begins in a page, from the tree of its code: a
    dict with its tools, its goals, and those of PASSED that have a value. None if the cell does
    more than show one, or one that a page has not: another task, or an argument that is computed.
    """
    call = _shown(tree.body)
    if not isinstance(call, ast.Call) or ast.unparse(call.func) != "Playground":
        return None
    try:
        positions = [_value(each) for each in call.args]
        names = {each.arg: _value(each.value) for each in call.keywords if each.arg != PICTURED}
    except ValueError:
        return None
    bound = inspect.signature(Playground).bind(*positions, **names)
    bound.apply_defaults()
    return _begun(bound.arguments)


def _shown(statements):
    """Return what a cell shows that does nothing else: `lab = …; lab`, or `…` alone."""
    match statements:
        case [ast.Expr(call)]:
            return call
        case [ast.Assign([ast.Name(name)], call), ast.Expr(ast.Name(shown))] if name == shown:
            return call
    return None


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
    there = (
        (arguments["task"], arguments["seed"]) == ("digits", 0)
        and arguments["optimizer"] in OPTIMIZERS
        and arguments["technique"] in TECHNIQUES
    )
    if not there:
        return None
    begun = {name: arguments[name] for name in PASSED if arguments[name] is not None}
    controls = FEW if arguments["controls"] is None else arguments["controls"]
    return begun | {
        "controls": list(controls),
        "goals": [dataclasses.asdict(goal) for goal in arguments["goals"]],
    }
