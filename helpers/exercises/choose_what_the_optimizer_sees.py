"""Notebook 04: the list of variables to train, made by identity."""

from helpers.device import keras
from helpers.exercises.exercise import Exercise, expect

Dense = keras.layers.Dense


def choose(model, frozen):
    """List the model's trainable variables that are none of those in `frozen`."""
    return [v for v in model.trainable_variables if all(v is not f for f in frozen)]


def judge(attempt):
    """Models in which several variables share a value, a name, a shape or a path."""
    judge_names(attempt)
    judge_values(attempt)
    judge_paths(attempt)
    judge_many(attempt)
    return "It tells apart variables that share a value, a name, a shape and a path."


def judge_names(attempt):
    """Three kernels, two of one shape."""
    model = chain(3, 3, 3, 2)
    first, second, third = (layer.kernel for layer in model.layers)
    _, extra = compared(attempt, model, [first])
    shared = [v for v in extra if v is third]
    expect(not shared, "Every kernel is left out: they share the name 'kernel'.")
    shared = [v for v in extra if v is second]
    expect(not shared, "A kernel of the same shape is left out, too.")
    expect(not extra, f"{len(extra)} variables that should train are left out.")


def judge_values(attempt):
    """Every variable is one cell, and it holds 1."""
    model = chain(1, 1, 1)
    for variable in model.weights:
        variable.assign(variable * 0 + 1)
    first = model.layers[0].kernel
    _, extra = compared(attempt, model, [first])
    hint = "Variables that hold the same value are left out, too, and do so only until they move."
    expect(not extra, hint)


def judge_paths(attempt):
    """Two towers made alike, then joined, as two loaded models are."""
    towers = [keras.Sequential([built(Dense(2, name="hidden"), 3)]) for _ in "ab"]
    inputs = keras.Input((3,))
    joined = keras.layers.Concatenate()([tower(inputs) for tower in towers])
    _, extra = compared(attempt, keras.Model(inputs, joined), [towers[0].layers[0].kernel])
    hint = "Another variable has the same path, and is left out, too: a path is no identity."
    expect(not extra, hint)


def judge_many(attempt):
    """Several frozen ones or none, and variables that the model itself does not train."""
    model = chain(3, 3, 2)
    first, last = model.layers
    for frozen in ([], [first.kernel, last.bias]):
        _, extra = compared(attempt, model, frozen)
        expect(not extra, f"With {len(frozen)} frozen variables too many are left out.")
    first.bias.trainable = False
    chosen, _ = compared(attempt, model, [first.kernel])
    hint = "A variable that is set to not trainable is on the list."
    expect(not any(v is first.bias for v in chosen), hint)


def compared(attempt, model, frozen):
    """Return what was chosen, and what should have been as well."""
    try:
        chosen = list(attempt(model, list(frozen)))
    except Exception as error:
        asked = "truth value" in str(error) or "Incompatible shapes" in str(error)
        hint = "Variables were compared by == or `in`, cell by cell: ask whether one is the other."
        expect(not asked, hint)
        raise
    kept = [v for v in chosen if any(v is f for f in frozen)]
    expect(not kept, f"{len(kept)} of {len(frozen)} frozen variables are on the list.")
    free = [v for v in model.trainable_variables if all(v is not f for f in frozen)]
    return chosen, [v for v in free if all(v is not c for c in chosen)]


def chain(inputs, *sizes):
    """Dense layers, one after another."""
    return keras.Sequential([keras.Input((inputs,)), *map(Dense, sizes)])


def built(layer, inputs):
    """Return the layer, with its variables made."""
    layer.build((None, inputs))
    return layer


exercise = Exercise(
    choose,
    judge,
    [
        "Start from model.trainable_variables, and leave out what is in the list.",
        "Names, shapes, values and paths can be shared. What does a variable share with no other?",
        "`v is f` asks whether v and f are one variable; all(... for f in frozen) asks for each.",
    ],
)
