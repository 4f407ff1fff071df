"""The private names of Keras that the exact freeze relies on are as private.py says there.

A failure after an upgrade of Keras: read what the name is for there, look up in Keras' new source
what has taken its place, and change private.py. All other tests of this folder judge the outcome.
"""

import ast
import inspect

import numpy as np
import pytest

from helpers import ROOT
from helpers.device import keras, tf
from helpers.freezing import inside, private

K = keras.optimizers
ROOM = ROOT / "helpers" / "freezing"
SIGNATURES = {
    (K.Optimizer, "_var_key"): ["self", "variable"],
    (K.Optimizer, "_use_weight_decay"): ["self", "variable"],
    (K.Optimizer, "_apply_weight_decay"): ["self", "variables"],
    (K.Optimizer, "_track_variable"): ["self", "variable"],
    (K.Optimizer, "_update_model_variables_moving_average"): ["self", "trainable_variables"],
    (K.Optimizer, "_backend_reset_gradient_accumulators"): ["self"],
    (keras.Variable, "_initialize"): ["self", "value"],
    (keras.Variable, "_validate_shape"): ["self", "shape"],
    (keras.Variable, "_restore_from_tensors"): ["self", "restored_tensors"],
}
ATTRIBUTES = {"_distribution_strategy", "_optimizer_map", "_value"}
ATTRIBUTES |= {"_trainable_variables", "_iterations", "_model_variables_moving_average"}
ATTRIBUTES |= {"_exclude_from_weight_decay_cache"}
TO_DO = "is not as it was in Keras; helpers/freezing/private.py says what it is for, mend it there"


@pytest.mark.parametrize(
    ("owner", "name"), SIGNATURES, ids=lambda value: getattr(value, "__name__", value)
)
def test_private_method_has_the_signature_it_had(owner, name):
    method = getattr(owner, name, None)
    parameters = method and list(inspect.signature(method).parameters)
    assert parameters == SIGNATURES[owner, name], f"{owner.__name__}.{name} {TO_DO}: {parameters}"


def test_key_is_one_for_a_variable_of_keras_and_the_one_inside():
    optimizer, (one, other) = K.Adam(), [keras.Variable(np.ones(2)) for _ in range(2)]
    key = private.key(optimizer, one)
    assert key == private.key(optimizer, one.value), f"_var_key {TO_DO}"
    assert key != private.key(optimizer, other), f"_var_key {TO_DO}"


def test_strategy_is_that_of_the_scope():
    strategy = tf.distribute.OneDeviceStrategy("CPU:0")
    with strategy.scope():
        optimizer = K.Adam()
    assert private.strategy(optimizer) is strategy, f"_distribution_strategy {TO_DO}"


def test_decay_knows_what_is_excluded():
    optimizer = K.AdamW()
    kernel, bias = (keras.Variable(np.ones(2), name=name) for name in ("kernel", "bias"))
    optimizer.exclude_from_weight_decay(var_names=["bias"])
    optimizer.build([kernel, bias])
    decays = [private.decays(optimizer, variable) for variable in (kernel, bias)]
    assert decays == [True, False], f"_use_weight_decay {TO_DO}"


def test_keras_decays_by_the_method_that_is_overridden(monkeypatch):
    decayed = []
    monkeypatch.setattr(K.AdamW, "_apply_weight_decay", lambda self, these: decayed.extend(these))
    variable = keras.Variable(np.ones(2, "float32"))
    K.AdamW().apply([tf.ones(2)], [variable])
    assert decayed == [variable], f"_apply_weight_decay {TO_DO}"


@pytest.mark.skipif(not hasattr(K, "MultiOptimizer"), reason="an older Keras has none")
def test_a_multi_optimizer_asks_the_chooser_while_it_is_built():
    chosen_for, adam, variable = [], K.Adam(), keras.Variable(np.ones(2))
    choose = lambda variable: chosen_for.append(variable) or adam  # noqa: E731
    optimizer = K.MultiOptimizer(None)
    private.set_chooser(optimizer, choose)
    optimizer.build([variable])
    assert chosen_for == [variable] and optimizer.optimizers == [adam], f"_optimizer_map {TO_DO}"
    assert private.chooser(optimizer) is choose, f"_optimizer_map {TO_DO}"


def test_excluded_variables_are_known_by_these_names():
    optimizer, other, variable = K.AdamW(), K.AdamW(), keras.Variable(np.ones(2), name="bias")
    assert private.exclusions(optimizer) == {}
    optimizer.exclude_from_weight_decay(var_names=["bias"])
    assert private.decays(other, variable)  # which Keras remembers
    private.exclude(other, private.exclusions(optimizer))
    assert not private.decays(other, variable), f"_exclude_from_weight_decay {TO_DO}"


def test_what_keras_keeps_for_each_variable_is_in_lists_by_these_names():
    optimizer = K.Nadam(use_ema=True, gradient_accumulation_steps=2)
    optimizer.build([keras.Variable(np.ones(2), name="a")])
    assert [variable.name for variable in private.built_for(optimizer)] == ["a"]
    ((_, slots),) = inside.slots_by_variable(optimizer)
    assert {private.GATHERED, private.AVERAGES} < set(slots), f"{private.GATHERED} {TO_DO}"
    assert list(private.numbers(optimizer)) == ["_u_product"], f"_learning_rate {TO_DO}"


def test_a_variable_of_any_shape_takes_and_restores_any_shape(tmp_path):
    variable = private.AnyShape(tf.zeros((), tf.bool), trainable=False, name="any")
    variable.assign = variable.put
    for shape in ((0,), (3,), (2, 1), ()):
        variable.put(np.ones(shape, bool))
        assert variable.numpy().all() and variable.shape == shape, f"_initialize {TO_DO}"
        assert variable.ndim == len(shape)
    path = tf.train.Checkpoint(variable=variable).save(tmp_path / "here")
    variable.put(np.zeros(5, bool))
    assigned = []
    variable.assign = lambda value: assigned.append(value) or variable.put(value)
    tf.train.Checkpoint(variable=variable).restore(path).assert_consumed()
    assert variable.numpy().tolist() is True and len(assigned) == 1, (
        f"_restore_from_tensors {TO_DO}"
    )


def test_a_mask_tells_of_every_value_it_is_given(tmp_path):
    told = []
    mask = private.Told("zeros", told.append, shape=(2,), dtype="bool", name="mask")
    path = tf.train.Checkpoint(mask=mask).save(tmp_path / "here")
    mask.assign([True, False])
    tf.train.Checkpoint(mask=mask).restore(path).assert_consumed()
    assert [value.numpy().tolist() for value in told] == [[True, False], [False, False]]


def test_callbacks_find_what_is_beside_them():
    class Looks(keras.callbacks.Callback):
        def on_train_begin(self, logs=None):
            self.found = private.callbacks_beside()

    looks = Looks()
    callbacks = keras.callbacks.CallbackList([looks, keras.callbacks.EarlyStopping()])
    callbacks.on_train_begin()
    assert looks.found is callbacks.callbacks, f"CallbackList {TO_DO}"
    assert private.callbacks_beside() == [], "outside of fit there is none"


def own_names(tree):
    """The underscored names that a file of the room defines itself."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def underscored(tree):
    """The underscored names by which a file reaches into objects."""
    names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return {name for name in names if name.startswith("_") and not name.startswith("__")}


def test_private_names_stand_in_private_py_alone():
    trees = {path.name: ast.parse(path.read_text("utf-8")) for path in ROOM.glob("*.py")}
    table = trees.pop("private.py")
    foreign = {name for _, name in SIGNATURES} | ATTRIBUTES
    assert underscored(table) <= foreign
    for name in foreign:
        assert name in ast.get_docstring(table), f"{name} is missing in the table of private.py"
    own = {name for tree in trees.values() for name in own_names(tree)}
    reached = {name: underscored(tree) - own for name, tree in trees.items()}
    assert {name: names for name, names in reached.items() if names} == {}
    # A name of the room's own that Keras has as well would override it by accident.
    private_names = {name for name in own if name.startswith("_") and not name.startswith("__")}
    optimizer, variable = K.Adam(), keras.Variable(np.ones(1))
    optimizer.build([variable])
    shared = {name for name in private_names if hasattr(optimizer, name) or hasattr(variable, name)}
    assert shared == {
        "_apply_weight_decay",
        "_backend_reset_gradient_accumulators",
        "_trainable_variables",
        "_update_model_variables_moving_average",
        "_use_weight_decay",
        "_var_key",
    }


def test_nothing_of_tensorflow_and_keras_is_imported_but_their_public_modules():
    for path in ROOM.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                names = {alias.name for alias in node.names}
                public = {"keras", "tensorflow", "numpy", "numpy.typing"}
                library = {"contextlib", "copyreg", "functools", "operator", "threading"}
                library |= {"dataclasses", "inspect", "os", "reprlib", "warnings", "weakref"}
                assert names <= public | library, path.name
            elif isinstance(node, ast.ImportFrom) and not node.level:
                assert node.module in {"collections", "collections.abc", "dataclasses", "typing"}, (
                    path.name
                )
