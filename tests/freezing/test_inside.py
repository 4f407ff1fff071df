"""Optimizers inside an optimizer, and optimizers built side by side."""

import concurrent.futures

import numpy as np
import pytest

from helpers.device import keras, tf
from helpers.freezing import freezable
from tests.freezing.cases import MULTI

K = keras.optimizers


class Wrapper(K.Optimizer):
    """An optimizer of one's own around two others, in a dict."""

    def __init__(self):
        super().__init__(0.0)
        self.parts = {"one": K.Adam(0.1), "other": K.SGD(0.1, momentum=0.9)}
        self.parts["one"].owner = self  # a circle
        self.first = self.parts["one"]  # held twice

    def build(self, variables):
        for part, variable in zip(self.parts.values(), variables):
            part.build([variable])
        super().build(variables)

    @property
    def variables(self):
        return super().variables + [v for part in self.parts.values() for v in part.variables]

    def apply(self, grads, trainable_variables=None):
        for part, grad, variable in zip(self.parts.values(), grads, trainable_variables):
            part.apply([grad], [variable])


def chosen(variable):
    """What a MultiOptimizer may be given: a function that makes an optimizer when it is asked."""
    return K.Adam(0.1) if variable.name == "first" else K.SGD(0.1, momentum=0.9)


AROUND = {
    "scale": lambda: freezable(K.LossScaleOptimizer)(K.Adam(0.1), 1.0),
    "scale, freezable": lambda: freezable(K.LossScaleOptimizer)(freezable(K.Adam)(0.1), 1.0),
    "one's own": lambda: freezable(Wrapper)(),
}
if MULTI:
    AROUND |= {
        "map": lambda: freezable(MULTI)(K.OptimizerMap(K.SGD(), {"first": K.Adam(0.1)})),
        "function": lambda: freezable(MULTI)(chosen),
        "both": lambda: freezable(K.LossScaleOptimizer)(MULTI(chosen), 1.0),
        "both, freezable": lambda: freezable(K.LossScaleOptimizer)(freezable(MULTI)(chosen), 1.0),
    }


@pytest.mark.parametrize("make", AROUND.values(), ids=AROUND)
def test_slots_of_optimizers_inside_are_kept(make):
    variables = [keras.Variable(np.ones(4, "float32"), name=name) for name in ("first", "second")]
    optimizer, frozen = make(), np.array([True, False, True, False])
    optimizer.build(variables)
    for _ in range(2):
        optimizer.apply([tf.ones(4)] * 2, variables)
        held = [*variables, *optimizer.slots_of(variables[0]).values()]
        assert len(held) == 4
        before = [np.asarray(variable) for variable in held]
        optimizer.freeze_cells(variables[0], frozen)
        optimizer.apply([tf.ones(4)] * 2, variables)
        changed = [(old != np.asarray(new)).tolist() for old, new in zip(before, held)]
        free = (~frozen).tolist()
        assert changed == [free, [True] * 4, free, free]
        optimizer.freeze_cells(variables[0], np.zeros(4, bool))


@pytest.mark.parametrize("make", AROUND.values(), ids=AROUND)
def test_building_leaves_optimizers_inside_as_they_are(make):
    """Nothing that listened stays behind, also if the build failed."""
    class_method, variable = K.Optimizer.add_variable_from_reference, keras.Variable(np.ones(4))
    for variables in ([variable], [variable, "no variable"]):
        optimizer = make()
        choose = getattr(optimizer, "_optimizer_map", None)
        try:
            optimizer.build(variables)
        except AttributeError:
            assert len(variables) == 2
        assert getattr(optimizer, "_optimizer_map", None) is choose
        held = [optimizer, *everything_inside(optimizer)]
        assert len(held) > 1 or choose is chosen
        assert not any("add_variable_from_reference" in vars(one) for one in held)
    assert K.Optimizer.add_variable_from_reference is class_method


def everything_inside(optimizer):
    parts = getattr(optimizer, "parts", {}).values()
    inner = [getattr(optimizer, "inner_optimizer", None), *getattr(optimizer, "optimizers", ())]
    for one in (*parts, *inner):
        if one is not None:
            yield one
            yield from everything_inside(one)


@pytest.mark.parametrize("graph", [False, True], ids=["eager", "graph"])
@pytest.mark.parametrize(
    "inside",
    [
        lambda: K.Adam(0.1),
        lambda: freezable(K.Adam)(0.1),
        lambda: freezable(K.Adam, compact=True)(0.1),
    ],
    ids=["plain", "freezable", "compact"],
)
def test_a_frozen_cell_without_a_finite_gradient_costs_the_others_no_step(inside, graph):
    """Whichever of the two optimizers keeps the mask."""
    variable = keras.Variable(np.ones(4, "float32"))
    optimizer = freezable(K.LossScaleOptimizer)(inside(), initial_scale=8.0)
    optimizer.build([variable])
    optimizer.freeze_cells(variable, [True, False, False, False])

    def step():
        optimizer.apply([tf.constant([np.inf, 8.0, 8.0, 8.0])], [variable])

    (tf.function(step) if graph else step)()
    assert (variable.numpy() != 1).tolist() == [False, True, True, True]
    assert optimizer.dynamic_scale.numpy() == 8


def test_optimizers_built_side_by_side_keep_their_slots_apart():
    class_method = K.Optimizer.add_variable_from_reference

    def build(number):
        variable = keras.Variable(np.ones(3, "float32"), name=f"v{number}")
        inner = K.Adam()
        optimizer = freezable(K.LossScaleOptimizer)(inner) if number % 2 else freezable(K.Adam)()
        optimizer.build([variable])
        return [len(cells.slots) for cells in optimizer.registry.cells]

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(build, range(64))) == [[2]] * 64
    assert K.Optimizer.add_variable_from_reference is class_method
