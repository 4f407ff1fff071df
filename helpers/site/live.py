"""Which cells of the course show a grid that can train in a page, and with which choices."""

import ast
import inspect

from helpers.optimizers import LISTED
from helpers.playground import Playground
from helpers.techniques import TECHNIQUES

OPTIMIZERS = (*LISTED, "rmsprop")  # those that the site's trainer has
PASSED = ("technique", "optimizer", "page", "controls")


def choices(tree):
    """Return how the playground that a cell shows begins in a page, from the tree of its code: a
    dict with those of PASSED that have a value. None if the cell does more than show one, or one
    that a page has not: another task, or an argument that is no literal."""
    call = _shown(tree.body)
    if not isinstance(call, ast.Call) or ast.unparse(call.func) != "Playground":
        return None
    try:
        positions = [ast.literal_eval(each) for each in call.args]
        names = {each.arg: ast.literal_eval(each.value) for each in call.keywords}
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


def _begun(arguments):
    there = (
        (arguments["task"], arguments["seed"]) == ("digits", 0)
        and arguments["optimizer"] in OPTIMIZERS
        and arguments["technique"] in TECHNIQUES
    )
    if not there:
        return None
    return {name: arguments[name] for name in PASSED if arguments[name] is not None}
