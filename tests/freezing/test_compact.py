"""The compact freeze: what it keeps, what it refuses, and that it holds wherever a model trains."""

import functools
import itertools
import re
import warnings

import numpy as np
import pytest

from helpers.bits import changed_bits
from helpers.device import keras, tf
from helpers.freezing import CompactCells, freezable
from helpers.freezing.compact import UNFIT
from tests.freezing.cases import OPTIONS
from tests.freezing.compact import FIT, KINDS, take_for
from tests.freezing.networks import odd_rows
from tests.freezing.steps import assert_unchanged_by, interrupt

K = keras.optimizers
compact = functools.partial(freezable, compact=True)


def built(cls=K.Adam, shape=(4, 6), **options):
    variable = keras.Variable(np.arange(np.prod(shape), dtype="float32").reshape(shape), name="a")
    optimizer = compact(cls)(**options)
    optimizer.build([variable])
    return optimizer, variable


def some(shape, seed=0, share=0.5):
    return np.random.default_rng(seed).random(shape) < share


# --- the same steps as under a mask ----------------------------------------------------------


def steps(optimizer, way):
    """The weights of two variables after six steps, while the mask of the first one changes."""
    draw = np.random.default_rng(1)
    variables = [keras.Variable(draw.normal(size=s), dtype="float32") for s in [(7, 5), (3,)]]
    optimizer.build(variables)
    optimizer.freeze_cells(variables[0], np.zeros((7, 5), bool), on_thaw="reset")

    def step(*gradients):
        optimizer.apply(gradients, variables)

    if way != "eager":
        step = tf.function(step, jit_compile=way == "jit")
    for number in range(6):
        frozen, before = some((7, 5), number // 2), variables[0].numpy()
        optimizer.freeze_cells(variables[0], frozen, on_thaw="reset")
        step(*(tf.constant(draw.normal(size=v.shape), tf.float32) for v in variables))
        assert (changed_bits(before, variables[0].numpy()) == ~frozen).all()
        assert (optimizer.frozen_cells(variables[0]).numpy() == frozen).all()
    return [variable.numpy() for variable in variables]


def ways():
    """Every optimizer and kind of variable in every way; XLA and most graphs wait for --all."""
    for cls, kind, way in itertools.product(FIT, KINDS, ("eager", "graph", "jit")):
        quick = way == "eager" or (way == "graph" and cls is K.Adam)
        name = f"{cls.__name__}-{kind}-{way}"
        yield pytest.param(cls, kind, way, id=name, marks=[] if quick else pytest.mark.thorough)


@pytest.mark.parametrize(("cls", "kind", "way"), list(ways()))
def test_steps_are_those_of_the_mask_while_masks_change(monkeypatch, cls, kind, way):
    """To the last bit, if thawed cells start with empty slots.

    But a quotient by a root may be turned into a product with its reciprocal, which TensorFlow
    (RMSprop in a graph) and XLA round by where in an array a cell stands.
    """
    take_for(monkeypatch, kind)
    options = OPTIONS.get(cls, [{}])[-1]
    pairs = zip(*(steps(make(cls)(0.1, **options), way) for make in (freezable, compact)))
    for masked, picked in pairs:
        if way == "eager" or (way == "graph" and cls is not K.RMSprop):
            assert not changed_bits(masked, picked).any()
        np.testing.assert_allclose(picked, masked, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "graph"])
def test_large_variables_of_several_shapes(monkeypatch, compiled):
    """They share compiled functions, of which each knows the length of one variable."""
    take_for(monkeypatch, "large")
    variables = [keras.Variable(np.ones(s, "float32")) for s in [(8, 9), (20, 3), (4, 5), (6,)]]
    optimizer = compact(K.SGD)(1.0)
    optimizer.build(variables)
    for variable in variables:
        optimizer.freeze_cells(variable, some(variable.shape))

    def step():
        optimizer.apply([tf.ones(variable.shape) for variable in variables], variables)

    (tf.function(step) if compiled else step)()
    for variable in variables:
        assert (variable.numpy() == some(variable.shape)).all()


def test_a_thawed_cell_starts_with_empty_slots_and_the_others_keep_theirs():
    optimizer, variable = built(shape=(2, 3))
    optimizer.freeze_cells(variable, [[True, False, False], [False, False, True]])
    optimizer.apply([tf.ones((2, 3))], [variable])
    optimizer.freeze_cells(variable, [[False, False, True], [False, True, True]])
    momentum = optimizer.slots_of(variable)["momentum"].numpy()
    np.testing.assert_allclose(momentum, [0, 0.1, 0.1], rtol=1e-6)  # (0, 0) (0, 1) (1, 0)


def test_an_average_of_a_thawed_cell_starts_at_its_weight():
    optimizer, variable = built(K.SGD, (4,), use_ema=True, ema_momentum=0.5)
    optimizer.freeze_cells(variable, [True, False, True, False])
    optimizer.apply([tf.ones(4)], [variable])
    optimizer.freeze_cells(variable, np.zeros(4, bool))
    average = optimizer.slots_of(variable)["average"].numpy()
    np.testing.assert_allclose(average[[0, 2]], variable.numpy()[[0, 2]])


@pytest.mark.parametrize("jit", [False, True], ids=["graph", "jit"])
def test_a_vector_that_began_as_all_free_follows_its_mask(jit):
    optimizer, variable = built(K.Adam, (6,))
    optimizer.freeze_cells(variable, np.zeros(6, bool))
    step = tf.function(lambda: optimizer.apply([tf.ones(6)], [variable]), jit_compile=jit)
    step()
    frozen, before = np.arange(6) > 1, variable.numpy()
    optimizer.freeze_cells(variable, frozen)
    step()
    assert (changed_bits(before, variable.numpy()) == ~frozen).all()
    momentum = optimizer.slots_of(variable)["momentum"].numpy()
    np.testing.assert_allclose(momentum, [0.19, 0.19], rtol=1e-6)


def test_averages_are_of_all_variables_though_one_alone_takes_a_step():
    after = []
    for make in (freezable, compact):
        optimizer = make(K.SGD)(0.5, use_ema=True, ema_momentum=0.5)
        one, other = (keras.Variable(np.ones(4, "float32"), name=name) for name in ("a", "b"))
        optimizer.build([one, other])
        for variable in (one, other):
            optimizer.freeze_cells(variable, [True, False, False, False])
        for trained in ([one], [one, other], [other], [one]):
            optimizer.apply([tf.ones(4)] * len(trained), trained)
        optimizer.finalize_variable_values([one, other])
        after.append([one.numpy(), other.numpy()])
    np.testing.assert_array_equal(*after)


# --- what is kept ----------------------------------------------------------------------------


def numbers(optimizer):
    """How many numbers the optimizer keeps, working copies of weights included."""
    working = [cells.weights for cells in optimizer.registry.cells]
    return sum(v.numpy().size for v in (*optimizer.variables, *working) if v.ndim)


@pytest.mark.parametrize(
    ("free", "places"),
    [
        (np.s_[3:5, :], 2 + 30),
        (np.s_[:, [0, 7]], 20 + 2),
        (np.s_[2:4, 5:9], 2 + 4),
        (([0, 1, 2], [0, 1, 2]), 3 + 1),
    ],
    ids=["rows", "columns", "a block", "cells"],
)
def test_rows_columns_and_blocks_need_no_number_a_cell(free, places):
    optimizer, variable = built(shape=(20, 30))
    frozen = np.ones((20, 30), bool)
    frozen[free] = False
    optimizer.freeze_cells(variable, frozen)
    assert (optimizer.frozen_cells(variable).numpy() == frozen).all()
    assert numbers(optimizer) == 3 * (~frozen).sum() + places


def test_a_convolution_s_filters_are_columns():
    optimizer, variable = built(shape=(3, 3, 4, 8))
    frozen = np.ones((3, 3, 4, 8), bool)
    frozen[..., 5] = False
    optimizer.freeze_cells(variable, frozen)
    assert numbers(optimizer) == 3 * 36 + 36 + 1


def test_free_columns_may_be_followed_by_many_single_cells():
    """In between, there are the new starts beside the old offsets: 240,000 by 1,000."""
    optimizer, variable = built(shape=(300, 8000))
    frozen = np.ones((300, 8000), bool)
    frozen[:, ::8] = False
    for mask in (frozen, some((300, 8000), share=0.9)):
        optimizer.freeze_cells(variable, mask)
    assert optimizer.bytes_kept() < 16.1 * 0.1 * 2.4e6


@pytest.mark.parametrize("share", [0.0, 1.0], ids=["nothing", "everything"])
def test_nothing_or_everything_can_be_frozen(share):
    optimizer, variable = built()
    for frozen in (np.full((4, 6), share == 1), np.full((4, 6), share == 0)):
        before = variable.numpy()
        optimizer.freeze_cells(variable, frozen)
        optimizer.apply([tf.ones((4, 6))], [variable])
        assert (changed_bits(before, variable.numpy()) == ~frozen).all()


def test_a_variable_without_a_mask_is_trained_by_keras_itself():
    optimizer, variable = built()
    optimizer.apply([tf.ones((4, 6))], [variable])
    assert optimizer.slots_of(variable)["momentum"].shape == (4, 6)
    assert numbers(optimizer) == 2 * 24


# --- wherever a model trains -----------------------------------------------------------------


def test_excluded_variables_do_not_decay():
    optimizer = compact(K.AdamW)(0.0, weight_decay=0.1)
    optimizer.learning_rate = 0.1
    one, other = (keras.Variable(np.ones(4, "float32"), name=name) for name in ("one", "other"))
    optimizer.exclude_from_weight_decay([one])
    optimizer.build([one, other])
    for variable in (one, other):
        optimizer.freeze_cells(variable, [True, False, False, False])
    optimizer.apply([tf.zeros(4)] * 2, [one, other])
    assert one.numpy().tolist() == [1] * 4
    assert (other.numpy() < 1).tolist() == [False, True, True, True]


def test_rows_of_an_embedding():
    """Its gradient is a list of rows, some of them twice."""
    optimizer, variable = built(K.SGD, (5, 2), learning_rate=1.0)
    frozen = np.zeros((5, 2), bool)
    frozen[[0, 3]] = True
    optimizer.freeze_cells(variable, frozen)
    before, rows = variable.numpy(), tf.constant([0, 1, 1, 3])
    gradient = tf.IndexedSlices(tf.ones((4, 2)), rows, tf.constant([5, 2]))
    optimizer.apply([gradient], [variable])
    assert (before - variable.numpy()).tolist() == [[0, 0], [2, 2], [0, 0], [0, 0], [0, 0]]


def test_a_mask_can_be_computed_in_a_graph():
    optimizer, variable = built(K.SGD, (4, 6), learning_rate=1.0)
    optimizer.freeze_cells(variable, np.zeros((4, 6), bool))

    @tf.function
    def step(limit):
        optimizer.freeze_cells(variable, variable.value > limit)
        optimizer.apply([tf.ones((4, 6))], [variable])

    for limit in (12.0, 3.0):
        before = variable.numpy()
        step(tf.constant(limit))
        assert (before - variable.numpy() == (before <= limit)).all()
        assert (optimizer.frozen_cells(variable).numpy() == (before > limit)).all()


# --- what is refused -------------------------------------------------------------------------


@pytest.mark.parametrize("cls", list(UNFIT), ids=lambda cls: cls.__name__)
def test_a_step_that_asks_for_other_cells_is_refused_with_the_reason(cls):
    with pytest.raises(TypeError, match=rf"^{cls.__name__} \w+ .*Use freezable\({cls.__name__}\)"):
        compact(cls)


class Mine(K.Adam):
    """Somebody's own optimizer, of which nothing is known."""


def test_an_unknown_optimizer_is_refused():
    with pytest.raises(TypeError, match="Mine may step a cell by what other cells hold"):
        compact(Mine)
    with pytest.raises(TypeError, match="a Keras optimizer class was wanted"):
        compact("adam")


def test_the_class_is_one_and_can_be_told_from_the_masking_one():
    assert compact(K.Adam) is compact(K.Adam) is compact(compact(K.Adam))
    assert issubclass(compact(K.Adam), CompactCells) and compact(K.Adam) is not freezable(K.Adam)
    assert freezable(K.Adam) is freezable(K.Adam, compact=False) is freezable(compact(K.Adam))
    assert compact(freezable(K.Adam)) is compact(K.Adam)


def test_slots_of_frozen_cells_cannot_be_kept():
    optimizer, variable = built()
    with pytest.raises(ValueError, match="on_thaw='keep' arrived; frozen cells have no slots here"):
        optimizer.freeze_cells(variable, np.zeros((4, 6), bool), on_thaw="keep")


def test_a_constraint_is_refused():
    variable = keras.Variable(np.ones(3, "float32"), name="kernel")
    variable.constraint = keras.constraints.NonNeg()
    with pytest.raises(ValueError, match="kernel' has a constraint"):
        compact(K.Adam)().build([variable])


@pytest.mark.parametrize("jit", [False, True], ids=["graph", "jit"])
def test_a_first_mask_after_a_compiled_step_is_held_over_all_cells(jit):
    optimizer, variable = built()
    step = tf.function(lambda: optimizer.apply([tf.ones((4, 6))], [variable]), jit_compile=jit)
    step()
    before = variable.numpy()
    optimizer.freeze_cells(variable, some((4, 6)))
    step()
    assert (changed_bits(before, variable.numpy()) == ~some((4, 6))).all()
    assert optimizer.slots_of(variable)["momentum"].shape == (4, 6)


@pytest.mark.parametrize(
    ("mask", "error"), [(np.zeros((6, 4), bool), ValueError), (np.zeros((4, 6)), TypeError)]
)
def test_a_mask_that_does_not_fit_changes_nothing(mask, error):
    optimizer, variable = built()
    optimizer.freeze_cells(variable, some((4, 6)))
    with pytest.raises(error, match="mask of"):
        optimizer.freeze_cells(variable, mask)
    assert (optimizer.frozen_cells(variable).numpy() == some((4, 6))).all()


@pytest.mark.parametrize("raised", [KeyboardInterrupt, ValueError])
def test_a_step_that_raises_midway_is_undone(monkeypatch, raised):
    names = ("a", "b")
    variables = [keras.Variable(np.ones((2, 3), "float32"), name=name) for name in names]
    optimizer = compact(K.Adam)()
    optimizer.build(variables)
    optimizer.freeze_cells(variables[0], odd_rows(variables[0]))
    interrupt(monkeypatch, compact(K.Adam), raised)
    step = functools.partial(optimizer.apply, [tf.ones((2, 3))] * 2, variables)
    assert_unchanged_by(step, raised, optimizer, variables)
    step()
    assert (variables[0].numpy() != 1).tolist() == [[True] * 3, [False] * 3]


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "graph"])
def test_a_gradient_of_a_wrong_shape_changes_nothing(compiled):
    optimizer, variable = built()
    optimizer.freeze_cells(variable, some((4, 6)))
    step = lambda gradient: optimizer.apply([gradient], [variable])  # noqa: E731
    if compiled:
        step = tf.function(step, input_signature=[tf.TensorSpec(None)])
    for wrong in (tf.ones((6, 4)), tf.ones(6)):
        wrong_step = functools.partial(step, wrong)
        error = tf.errors.InvalidArgumentError
        assert_unchanged_by(wrong_step, error, optimizer, [variable])


# --- where many cells of a large variable are free -------------------------------------------


def kinds(optimizer, variable, *shares):
    """Whether slots are of all cells or of free ones, after each mask with this frozen share."""
    for share in shares:
        frozen = some(variable.shape, share=share)
        optimizer.freeze_cells(variable, frozen)
        assert (optimizer.frozen_cells(variable).numpy() == frozen).all()
        size = optimizer.slots_of(variable)["momentum"].shape.num_elements()
        yield "all" if size == variable.shape.num_elements() else "free"


def test_slots_are_of_free_cells_alone_where_less_than_a_third_is_free():
    optimizer, variable = built(shape=(512, 512))
    shares, held = (0, 0.67, 0.99, 1, 0), ["all", "free", "free", "free", "all"]
    with warnings.catch_warnings(action="error"):
        assert list(kinds(optimizer, variable, *shares)) == held


@pytest.mark.parametrize("at_first", [False, True])
def test_a_mask_that_saves_no_memory_is_told(at_first):
    frozen = some((512, 512), share=0.6)
    told = "40% of the cells of 'a' are free; slots are kept for all cells.*saves no memory"
    variable = keras.Variable(tf.zeros((512, 512)), name="a")
    optimizer = freezable(keras.optimizers.Adam, compact=True)()
    masks = [(variable, frozen)]
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        optimizer.build([variable], frozen=masks if at_first else [])
        if not at_first:
            optimizer.freeze_cells(*masks[0])
    assert re.match(told, str(warned[0].message))
    assert [each.filename for each in warned] == [__file__]
    assert optimizer.slots_of(variable)["momentum"].shape == (512, 512)


@pytest.mark.parametrize(
    ("first", "second", "kept"), [(0.9, 0.5, "free"), (0.5, 0.9, "all"), (0, 0.9, "all")]
)
def test_after_a_compiled_step_it_stays_so_and_a_warning_says_what_that_costs(first, second, kept):
    optimizer, variable = built(shape=(512, 512), learning_rate=1.0)
    with warnings.catch_warnings(action="ignore"):  # that half of the cells get a mask
        assert list(kinds(optimizer, variable, first))
    step = tf.function(lambda: optimizer.apply([tf.ones((512, 512))], [variable]))
    step()
    told = f"0% of the cells of 'a' are free; slots are kept for {kept} cells.*Another optimizer"
    with pytest.warns(UserWarning, match=told):
        assert list(kinds(optimizer, variable, second)) == [kept]
    before = variable.numpy()
    step()
    assert (changed_bits(before, variable.numpy()) != some((512, 512), share=second)).all()
    with warnings.catch_warnings(action="error"):
        assert list(kinds(optimizer, variable, first)) == [kept]


def test_slots_of_cells_that_stay_free_go_along_from_one_way_to_the_other():
    optimizer, variable = built(shape=(512, 512))
    frozen = [some((512, 512), seed, share) for seed, share in enumerate((0.9, 0.5, 0.9))]
    for now in frozen:
        with warnings.catch_warnings(action="ignore"):  # that half of the cells get a mask
            optimizer.freeze_cells(variable, now)
        optimizer.apply([tf.ones((512, 512))], [variable])
    momentum = optimizer.slots_of(variable)["momentum"].numpy()
    always = np.all([~frozen[0], ~frozen[1]], 0)[~frozen[2]]
    since_the_second = (frozen[0] & ~frozen[1])[~frozen[2]]
    np.testing.assert_allclose(momentum[always], 1 - 0.9**3, rtol=1e-6)
    np.testing.assert_allclose(momentum[since_the_second], 1 - 0.9**2, rtol=1e-6)
    np.testing.assert_allclose(momentum[~always & ~since_the_second], 0.1, rtol=1e-6)


@pytest.mark.parametrize("jit", [False, True], ids=["graph", "jit"])
@pytest.mark.parametrize("option", ["clipnorm", "global_clipnorm"])
def test_a_norm_is_of_free_cells_in_a_masked_variable(monkeypatch, option, jit):
    take_for(monkeypatch, "masked")
    optimizer, variable = built(K.SGD, (4,), learning_rate=1.0, **{option: 1.0})
    optimizer.freeze_cells(variable, [True, False, False, True])
    gradient, before = tf.constant([np.inf, 3.0, 4.0, np.nan]), variable.numpy()
    tf.function(lambda: optimizer.apply([gradient], [variable]), jit_compile=jit)()
    np.testing.assert_allclose(before - variable.numpy(), [0, 0.6, 0.8, 0], rtol=1e-6)


@pytest.mark.parametrize(
    "options", [{"use_ema": True}, {"gradient_accumulation_steps": 2}], ids=str
)
def test_averages_and_gathered_gradients_may_be_masked_too(monkeypatch, options):
    take_for(monkeypatch, "masked")
    optimizer, variable = built(**options)
    assert list(kinds(optimizer, variable, 0.5)) == ["all"]
    before = variable.numpy()
    for _ in range(2):
        optimizer.apply([tf.ones((4, 6))], [variable])
    assert (changed_bits(before, variable.numpy()) == ~some((4, 6))).all()


def test_frozen_cells_are_put_back_for_a_class_of_one_s_own(monkeypatch):
    """It may write where it likes, so that a mask over its writes would not do."""

    class Own(compact(K.Adam)):
        def update_step(self, gradient, variable, learning_rate):
            variable.assign_sub(gradient)

    take_for(monkeypatch, "masked")
    optimizer, variable = Own(), keras.Variable(np.ones((4, 6), "float32"), name="a")
    optimizer.build([variable])
    assert list(kinds(optimizer, variable, 0.5)) == ["all"]
    optimizer.apply([tf.ones((4, 6))], [variable])
    assert (variable.numpy() == some((4, 6))).all()


@pytest.mark.parametrize("way", ["graph", "jit"])
def test_a_mask_of_all_cells_can_be_computed_in_a_graph(monkeypatch, way):
    take_for(monkeypatch, "masked")
    optimizer, variable = built(K.SGD, (4, 6), learning_rate=1.0)
    optimizer.freeze_cells(variable, np.zeros((4, 6), bool))

    def step(limit):
        optimizer.freeze_cells(variable, variable.value > limit)
        optimizer.apply([tf.ones((4, 6))], [variable])

    step = tf.function(step, jit_compile=way == "jit")
    for limit in (12.0, 3.0):
        before = variable.numpy()
        step(tf.constant(limit))
        assert (before - variable.numpy() == (before <= limit)).all()
        assert (optimizer.frozen_cells(variable).numpy() == (before > limit)).all()
        optimizer.freeze_cells(variable, np.zeros((4, 6), bool))


@pytest.mark.parametrize(("here", "there"), [("masked", "small"), ("small", "masked")])
@pytest.mark.parametrize("kind", ["by hand", "checkpoint"])
def test_what_was_held_one_way_is_loaded_by_an_optimizer_that_held_the_other(
    monkeypatch, tmp_path, here, there, kind
):
    pairs = []
    for number, way in enumerate((here, there)):
        take_for(monkeypatch, way)
        optimizer, variable = built()
        optimizer.freeze_cells(variable, some((4, 6), number))
        optimizer.apply([tf.ones((4, 6)) * (1 + number)], [variable])
        pairs.append((optimizer, variable))
    (old, kernel), (new, twin) = pairs
    if kind == "by hand":
        new.set_weights([each.numpy() for each in old.variables])
    else:
        path = tf.train.Checkpoint(optimizer=old).save(tmp_path / "here")
        tf.train.Checkpoint(optimizer=new).restore(path).assert_consumed()
    twin.assign(kernel)
    for optimizer, variable in pairs:
        assert (optimizer.frozen_cells(variable).numpy() == some((4, 6), 0)).all()
        optimizer.apply([tf.ones((4, 6))], [variable])
    assert not changed_bits(kernel.numpy(), twin.numpy()).any()


def test_memory_is_that_of_the_free_cells():
    optimizer, variable = built(shape=(100, 100))
    frozen = some((100, 100), share=0.9)
    optimizer.freeze_cells(variable, frozen)
    each = 2 * 4 + 4 + 4  # bytes: two slots, a place, a working copy
    assert optimizer.bytes_kept() == each * (~frozen).sum() + 4
