"""Costs: what is timed is timed in turn, and what a table says of memory is so."""

import numpy as np
import pytest

from helpers.device import keras, tf
from helpers.freezing import freezable
from helpers.studies import costs
from helpers.techniques import TECHNIQUES


def test_each_function_runs_once_a_round_in_turns_and_three_rounds_do_not_count():
    calls = []
    seconds = costs.times([lambda: calls.append("a"), lambda: calls.append("b")], rounds=4)
    assert seconds.shape == (4, 2) and (seconds > 0).all()
    assert "".join(calls) == "ba" + "ab" + "ba" + "ab" + "ba" + "ab" + "ba"


def test_a_ratio_is_taken_round_by_round():
    seconds = np.array([[1.0, 2.0], [10.0, 40.0], [100.0, 300.0]])
    assert costs.ratio(seconds, 1) == (2.5, 3.0, 3.5)
    assert costs.ratio(seconds, 1, base=1) == (1, 1, 1)


def test_a_step_takes_a_batch_of_ones_own_such_as_words():
    table = keras.layers.Embedding(50, 3)
    model = keras.Sequential([keras.Input((), dtype="int32"), table])
    step = costs.Step(model, keras.optimizers.Adam(0.1), inputs=np.array([4, 4, 7]))
    before = table.embeddings.numpy()
    step()
    moved = (before != table.embeddings.numpy()).any(axis=1)
    assert list(np.flatnonzero(moved)) == [4, 7]


@pytest.mark.parametrize("name", TECHNIQUES)
def test_each_technique_runs_and_says_what_it_keeps(name):
    step = costs.Recipe(name, 8)
    step()
    mask, copy = 64, 4 * 64
    wanted = {"none": 0, "shadow_copy": mask + copy}
    wanted["free_values"] = 32 * (2 * 8 + 4)  # row, column and value of each free cell
    assert step.kept == wanted.get(name, mask)


def test_where_the_free_values_alone_train_slots_are_theirs_alone():
    assert costs.slots(costs.Recipe("free_values", 8, fraction=0.75)._optimizer) == 2 * 4 * 16
    assert costs.slots(costs.Recipe("restore", 8, fraction=0.75)._optimizer) == 2 * 4 * 64


@pytest.mark.parametrize("name", TECHNIQUES)
def test_what_is_timed_does_freeze(name):
    """Under plain descent, which forgives every recipe, half of the cells stay."""
    step = costs.Recipe(name, 8, optimizer="SGD")
    before = step.weights()
    assert (before == step.kernel.numpy()).all()
    step()
    assert (step.weights() == before).sum() == (0 if name == "none" else 32)


def test_an_unknown_technique_is_named():
    with pytest.raises(ValueError, match="'sorcery' arrived"):
        costs.Recipe("sorcery", 8)


def test_an_optimizer_is_found_in_any_case_and_an_unknown_one_named():
    assert type(costs.Recipe("none", 8, "adamw")._optimizer) is keras.optimizers.AdamW
    with pytest.raises(ValueError, match="'sorcery' arrived"):
        costs.Recipe("none", 8, "sorcery")


def test_a_step_trains_and_freezes_a_share_of_every_kernel():
    step = costs.Step(costs.network(16, 2), freezable(keras.optimizers.Adam)(0.1))
    step.freeze(0.75)
    before = [v.numpy() for v in step.model.trainable_variables]
    step()
    moved = [np.mean(v.numpy() != b) for v, b in zip(step.model.trainable_variables, before)]
    assert moved[0] <= 0.25 and moved[2] <= 0.25 and moved[2] > 0


def test_slots_counts_what_is_kept_for_cells():
    step = costs.Step(costs.network(16, 1), keras.optimizers.Adam())
    assert costs.slots(step.optimizer) == 2 * 4 * (16 * 16 + 16)
    masked = costs.Step(costs.network(16, 1), freezable(keras.optimizers.Adam)())
    assert 16 * 16 <= costs.slots(masked.optimizer) - costs.slots(step.optimizer) <= 16 * 18 + 8


def test_a_released_step_holds_no_memory():
    step = costs.Step(costs.network(16, 2), freezable(keras.optimizers.Adam)(0.1))
    step()
    step.release()
    assert _held(step.model.variables + step.optimizer.variables) == 0


@pytest.mark.parametrize("name", ["none", "scatter_update", "free_values", "exact"])
def test_a_released_recipe_holds_no_kernel_and_no_slots(name):
    step = costs.Recipe(name, 8)
    step()
    step.release()
    assert _held([step.kernel, step._trained, *step._optimizer.variables]) == 0


def _held(variables):
    """How many bytes Keras variables hold."""
    resources = [variable.value for variable in variables]
    read = [tf.raw_ops.ReadVariableOp(resource=v.handle, dtype=v.dtype) for v in resources]
    return sum(tensor.numpy().nbytes for tensor in read)


def test_a_step_of_a_plain_optimizer_cannot_freeze_and_says_what_to_do():
    step = costs.Step(costs.network(4, 1), keras.optimizers.SGD())
    with pytest.raises(TypeError, match=r"freezable\(SGD\)"):
        step.freeze(0.5)


def _deep(frozen):
    model = costs.network(8, 4)
    for number in frozen:
        model.layers[number].trainable = False
    return model


@pytest.mark.parametrize(
    ("frozen", "count"), [((), 11), ((0, 1), 7), ((2, 3), 9), ((1,), 10), ((0, 1, 2), 5)]
)
def test_products_are_those_that_some_gradient_needs(frozen, count):
    """Forward one a layer; back one a free kernel, and one for what a layer hands on."""
    assert costs.products(_deep(frozen), batch=2) == [2 * 8 * 8] * count


def test_a_product_counts_by_its_size():
    """Of 3 × 8 by 8 × 5: forward, and for the kernel's gradient 8 × 3 by 3 × 5."""
    model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(5)])
    assert costs.products(model, batch=3) == [3 * 8 * 5] * 2


def test_the_graph_of_a_step_has_its_products_and_a_mask_leaves_none_out():
    plain = costs.Step(costs.network(16, 2), keras.optimizers.Adam())
    masked = costs.Step(costs.network(16, 2), freezable(keras.optimizers.Adam)(), frozen=0.9)
    operations = [step.graph.get_operations() for step in (plain, masked)]
    assert [sum(each.type == "MatMul" for each in one) for one in operations] == [5, 5]
