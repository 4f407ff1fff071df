"""LeakCheck finds the cells that an independent comparison of bits finds, says by which way they
changed, and raises no alarm where no bit did."""

import itertools
import subprocess
import sys
import warnings

import numpy as np
import pytest

from helpers import ROOT
from helpers.bits import changed_bits, ulps
from helpers.device import keras, tf
from helpers.freezing import LeakCheck, LeakError, LeakWarning, freezable
from helpers.freezing.watched import SAMPLE, distances
from tests.freezing.cases import CLASSES, MULTI
from tests.freezing.leak_runs import Run, judge, plan
from tests.freezing.networks import INPUTS, TARGETS, fit, odd_rows

K, C = keras.optimizers, keras.callbacks
RUNS, CHUNKS = 500, 4


def plain(optimizer, layers=(), **compiled):
    """A small network without constraint and regularizer."""
    keras.utils.set_random_seed(0)
    dense = [keras.layers.Dense(5, "relu"), *layers, keras.layers.Dense(1)]
    model = keras.Sequential([keras.layers.Input((4,)), *dense])
    model.compile(optimizer, "mse", **compiled)
    return model, dense[0].kernel


def warned(do, check):
    """What was reported while something ran, without the warnings themselves."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LeakWarning)
        do()
    return check.reports


def held(variable, frozen=None, **options):
    return LeakCheck([(variable, odd_rows(variable) if frozen is None else frozen)], **options)


class PutBack(keras.constraints.Constraint):
    """The recipe of a constraint that writes frozen cells back after each step."""

    def __init__(self, variable):
        self.held, self.frozen = tf.identity(variable.value), odd_rows(variable)

    def __call__(self, values):
        return tf.where(self.frozen, self.held, values)


def averaging():
    """A network in which such a constraint holds cells, and averages are kept of all."""
    model, kernel = plain(K.SGD(0.01, use_ema=True, ema_momentum=0.9))
    kernel.constraint = PutBack(kernel)
    return model, kernel


class Doing(C.Callback):
    """A callback that calls a function at the end of an epoch."""

    def __init__(self, do):
        super().__init__()
        self.do = do

    def on_epoch_end(self, epoch, logs=None):
        self.do()


# Random runs of every recipe of the course


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_leaks_are_those_of_the_bits_and_the_first_way_in_is_right(pytestconfig, chunk):
    """`python3 -m pytest … --all` takes 500 runs, without it they are 60."""
    runs = RUNS if pytestconfig.option.all else 60
    judged, wrong, doubtful = 0, [], 0
    for seed in range(chunk, runs, CHUNKS):
        run = Run(plan(seed))
        for leaks, bits, report, truth in judge(run):
            np.testing.assert_array_equal(leaks, bits, err_msg=str(run.plan))
            assert report is None or report.ways
            if not truth:  # nothing leaked, or by two ways either of which would do
                continue
            right = {way for way, cells in truth.items() if cells >= 0.5 * max(truth.values())}
            missed = report.ways[0] not in right
            # Half of the numbers of bfloat16 and special values leave no trace to judge by.
            if run.plan.special or run.plan.dtype == "bfloat16":
                doubtful += missed
            else:
                judged += 1
                wrong += [(run.plan, report.ways, truth)] if missed else []
    assert judged and wrong == [] and doubtful <= 0.05 * runs


NON_NEGATIVE = keras.constraints.NonNeg()
WAYS = {  # a recipe that masks the gradient: what lets cells through, and what is named first
    "nothing": (lambda: K.SGD(0.1), {}, 0, None),
    "cold momentum": (lambda: K.SGD(0.01, momentum=0.9), {}, 0, None),
    "warm momentum": (lambda: K.SGD(0.01, momentum=0.9), {}, 3, "momentum"),
    "warm adam": (lambda: K.Adam(0.01), {}, 3, "momentum"),
    "warm lion": (lambda: K.Lion(0.01), {}, 3, "momentum"),
    "warm muon": (lambda: K.Muon(0.01), {}, 3, "momentum"),
    "cold ftrl": (lambda: K.Ftrl(0.01), {}, 0, "momentum"),
    "cold adamw": (lambda: K.AdamW(0.01, weight_decay=0.1), {}, 0, "decay"),
    "decay": (lambda: K.SGD(0.01, weight_decay=0.1), {}, 0, "decay"),
    "constraint": (
        lambda: K.SGD(0.01),
        {"constraint": NON_NEGATIVE},
        0,
        "constraint",
    ),
    "gathered": (
        lambda: K.Adam(0.01, gradient_accumulation_steps=2, weight_decay=0.1),
        {},
        0,
        "decay",
    ),
    "scaled": (lambda: K.LossScaleOptimizer(K.SGD(0.01, momentum=0.9)), {}, 3, "momentum"),
    "several": (
        lambda: K.MultiOptimizer(K.OptimizerMap(K.AdamW(0.01, weight_decay=0.1), {})),
        {},
        0,
        "decay",
    ),
    "last average": (lambda: K.SGD(0.01, use_ema=True, ema_momentum=0.5), {}, 3, "average"),
    "freezable": (lambda: freezable(K.SGD)(0.01, weight_decay=0.1), {}, 0, "decay"),
    "compact": (lambda: freezable(K.SGD, compact=True)(0.01, weight_decay=0.1), {}, 0, "decay"),
}


def masked_steps(optimizer, variable, frozen, steps, gap=1, check=None):
    """Steps of a loop of one's own, with a gradient that is 0 where frozen."""
    draw = np.random.default_rng(1)
    for number in range(steps):
        gradient = np.where(frozen, 0, draw.normal(size=variable.shape)).astype("float32")
        optimizer.apply([tf.constant(gradient)], [variable])
        if check and number % gap == gap - 1:
            check.compare()


LACKING = {"warm muon": getattr(K, "Muon", None) not in CLASSES, "several": MULTI is None}


@pytest.mark.parametrize("name", WAYS)
@pytest.mark.parametrize("gap", [1, 6], ids=["each step", "six steps"])
def test_a_way_in_is_named(name, gap):
    if LACKING.get(name):
        pytest.skip("this Keras has no such optimizer, or none that takes a step")
    make, attributes, warm, way = WAYS[name]
    variable = keras.Variable(np.random.default_rng(0).normal(size=(4, 5)), dtype="float32")
    optimizer, frozen = make(), odd_rows(variable)
    optimizer.build([variable])
    masked_steps(optimizer, variable, np.zeros((4, 5), bool), warm)
    for attribute, value in attributes.items():
        setattr(variable, attribute, value)
    check, before = held(variable, optimizer=optimizer), variable.numpy()

    def run():
        masked_steps(optimizer, variable, frozen, 6, gap, check)
        optimizer.finalize_variable_values([variable])
        check.compare()

    reports = warned(run, check)
    assert [report.ways[0] for report in reports] == ([way] if way else [])
    assert (check.leaks[0] == (changed_bits(before, variable.numpy()) & frozen)).all()


@pytest.mark.parametrize(("share", "way"), [(1.0, "gradient"), (0.0, "regularizer")])
def test_a_regularizer_is_told_from_the_gradient_of_the_loss(share, way):
    layer = keras.layers.Dense(5, kernel_regularizer="l2")
    model, _ = plain(K.Adam(0.01), [layer])
    model.compile(K.Adam(0.01), lambda wanted, given: share * (wanted - given) ** 2)
    check = held(layer.kernel)
    (report,) = warned(lambda: fit(model, callbacks=[check]), check)
    assert report.ways[0] == way


# model.fit

COMPILED = {
    "graph": {},
    "jit": {"jit_compile": True},
    "eager": {"run_eagerly": True},
    "several steps": {"steps_per_execution": 4},
}


def fits():
    """Each way to compile with each way to look; without --all, each of the two once."""
    for way, every, whole in itertools.product(COMPILED, ("epoch", "batch"), ("rows", "whole")):
        quick = (every, whole) == ("batch", "rows") or way == "graph"
        marks = [] if quick else pytest.mark.thorough
        yield pytest.param(way, every, whole == "whole", id=f"{whole}-{every}-{way}", marks=marks)


@pytest.mark.parametrize(("way", "every", "whole"), list(fits()))
def test_fit_is_checked_however_it_is_compiled(way, every, whole):
    model, kernel = plain(K.Adam(0.01), **COMPILED[way])
    frozen = True if whole else odd_rows(kernel)
    check, before = held(kernel, frozen, every=every), kernel.numpy()
    (report,) = warned(lambda: fit(model, 2, callbacks=[check]), check)
    changed = changed_bits(before, kernel.numpy()) & frozen
    assert changed.any() and (check.leaks[0] == changed).all()
    assert report.ways[0] == "gradient" and report.frozen == np.sum(frozen | np.zeros((4, 5), bool))
    steps = "steps 1 to 4" if way == "several steps" else "step 1"
    assert report.when == ("in epoch 1" if every == "epoch" else f"in {steps} (epoch 1)")


@pytest.mark.parametrize("every", ["epoch", "batch"])
@pytest.mark.parametrize("compact", [False, True])
def test_fit_of_a_freezable_optimizer_raises_no_alarm(every, compact):
    options = {"weight_decay": 0.1, "use_ema": True, "ema_momentum": 0.5}
    model, kernel = plain(freezable(K.Adam, compact)(0.01, **options))
    model.optimizer.build(model.trainable_variables)
    model.optimizer.freeze_cells(kernel, odd_rows(kernel))
    check = held(kernel, every=every, action="raise")
    fit(model, 2, callbacks=[check])
    assert check.reports == [] and not check.leaks[0].any()


def test_the_last_overwrite_by_an_average_is_seen_in_fit():
    model, kernel = averaging()
    check = held(kernel, every="batch")
    (report,) = warned(lambda: fit(model, callbacks=[check]), check)
    assert report.ways == ("average",) and "after the last step" in report.when


def test_mixed_precision_has_the_optimizer_that_compile_wraps():
    keras.mixed_precision.set_global_policy("mixed_float16")
    try:
        model, kernel = plain(K.AdamW(0.01, weight_decay=0.1))
    finally:
        keras.mixed_precision.set_global_policy("float32")
    assert isinstance(model.optimizer, K.LossScaleOptimizer)
    kernel.regularizer = None
    check = held(kernel, every="batch")
    (report,) = warned(lambda: fit(model, callbacks=[check]), check)
    assert report.ways[0] == "gradient" and "AdamW" in report.advice


def test_callbacks_that_write_weights_are_told_apart(tmp_path):
    """The network trains by SGD without memory, and its kernel is not trained at all."""

    def reports(callbacks, optimizer=None, epochs=3, **options):
        model, kernel = plain(optimizer or K.SGD(0.01))
        if optimizer is None:
            kernel.trainable = False
            model.compile(K.SGD(0.01), "mse")
        check = held(kernel, **options)
        made = callbacks(model, kernel, check)
        return warned(lambda: fit(model, epochs, callbacks=made), check), check

    def halving(model, kernel, check):
        return [check, Doing(lambda: kernel.assign(kernel / 2))]

    (report,), _ = reports(halving)
    assert report.ways == ("assign",) and "Doing" in report.advice
    assert "before epoch 2" in report.when

    (report,), _ = reports(
        lambda m, k, check: [
            *halving(m, k, check),
            C.ModelCheckpoint(tmp_path / "best.weights.h5", save_weights_only=True),
        ],
        every="batch",
    )
    assert report.ways == ("assign",)


def test_restored_weights_are_told(tmp_path):
    model, kernel = plain(K.SGD(0.01))
    backup = C.BackupAndRestore(tmp_path / "backup", delete_checkpoint=False)
    fit(model, 2, callbacks=[backup])
    kernel.assign(kernel / 2)
    check = held(kernel)
    reports = warned(lambda: fit(model, 3, callbacks=[check, backup]), check)
    assert reports[0].ways == ("restored",) and "BackupAndRestore" in reports[0].advice


def test_the_best_weights_that_early_stopping_restores_are_told():
    """Of epochs with one loss the first is the best; at its end, other weights stood there."""
    model, kernel = plain(K.SGD(0.0))
    model.layers[-1].kernel.assign(tf.zeros((5, 1)))
    check, values = held(kernel), kernel.numpy()
    stood = iter([values + 1, values, values])
    stopping = C.EarlyStopping("loss", patience=9, restore_best_weights=True)
    callbacks = [check, Doing(lambda: kernel.assign(next(stood))), stopping]
    first, last = warned(lambda: fit(model, 3, callbacks=callbacks), check)
    assert first.ways == ("assign",) and last.ways == ("restored",)
    assert "EarlyStopping" in last.advice and (check.leaks[0] == odd_rows(kernel)).all()


@pytest.mark.parametrize("first", [True, False], ids=["check first", "check last"])
def test_swapped_averages_are_told(first):
    model, kernel = averaging()
    swap, check = C.SwapEMAWeights(swap_on_epoch=True), held(kernel)
    reports = warned(
        lambda: fit(model, 2, callbacks=[check, swap] if first else [swap, check]), check
    )
    assert reports[0].ways[0] == "average" and "SwapEMAWeights" in reports[0].advice


def test_what_a_layer_assigns_itself_is_told():
    norm = keras.layers.BatchNormalization()
    model, _ = plain(K.Adam(0.01), [norm])
    check = held(norm.moving_mean, True)
    (report,) = warned(lambda: fit(model, callbacks=[check]), check)
    assert report.ways == ("assign",) and "does not train this variable" in report.advice


def test_each_fit_is_a_training_of_its_own():
    model, kernel = plain(K.SGD(0.01))
    check = held(kernel)
    warned(lambda: fit(model, callbacks=[check]), check)
    assert check.leaks[0].any()
    model.optimizer.learning_rate = 0.0
    assert warned(lambda: fit(model, callbacks=[check]), check) == []
    assert not check.leaks[0].any()


def test_raising_stops_at_once_and_leaves_the_weights():
    model, kernel = plain(K.SGD(0.01))
    check, before = held(kernel, action="raise", every="batch"), kernel.numpy()
    with pytest.raises(LeakError, match=r"frozen cells of '.*kernel' changed in step 1"):
        fit(model, callbacks=[check])
    assert model.optimizer.iterations == 1
    assert (check.leaks[0] == (changed_bits(before, kernel.numpy()) & odd_rows(kernel))).all()


def test_a_way_in_is_told_once_and_at_the_line_that_trains():
    model, kernel = plain(K.SGD(0.01))
    with pytest.warns(LeakWarning) as told:
        model.fit(INPUTS, TARGETS, 8, 3, verbose=0, callbacks=[held(kernel, every="batch")])
    (told,) = [one for one in told if one.category is LeakWarning]
    assert told.filename == __file__
    check = held(kernel)
    kernel.assign(kernel + 1)
    with pytest.warns(LeakWarning, match="cannot be said without the optimizer") as told:
        check.compare()
    assert told[0].filename == __file__


def test_cells_that_follow_are_told_and_those_that_come_and_go_once():
    optimizer = K.SGD(0.1, weight_decay=0.1)
    variable = keras.Variable(np.ones((2, 4), "float32"))
    optimizer.build([variable])
    check = held(variable, True, optimizer=optimizer)
    for cell in range(3):
        values = variable.numpy()
        values[0, cell] += 1
        variable.assign(values)
        reports = warned(check.compare, check)
    assert [report.ways for report in reports] == 3 * [("assign",)] and check.leaks[0].sum() == 3
    for start in (values, variable.numpy() * 0 + 1, values):  # they come back, and go again
        variable.assign(start)
        reports = warned(check.compare, check)
    assert len(reports) == 3 and check.leaks[0].sum() == 3
    optimizer.apply([tf.zeros((2, 4))], [variable])
    reports = warned(check.compare, check)
    assert [report.ways for report in reports] == [*3 * [("assign",)], ("decay",)]
    assert [report.cells for report in reports] == [1, 1, 1, 5]
    assert [report.rows for report in reports] == [*3 * ["row 0"], "2 rows (0 to 1)"]


def test_within_an_epoch_cells_that_follow_by_the_same_way_are_told_once():
    """A table of which each batch moves other rows would else fill the screen."""
    model, kernel = plain(K.SGD(0.1))

    class Assigning(C.Callback):
        def on_train_batch_begin(self, batch, logs=None):
            values = kernel.numpy()
            values[batch] += 1
            kernel.assign(values)

    check = held(kernel, True, every="batch")
    kernel.trainable = False
    model.compile(K.SGD(0.1), "mse")
    data = dict(x=np.ones((12, 4)), y=np.ones((12, 1)), batch_size=3, verbose=0)
    reports = warned(lambda: model.fit(**data, callbacks=[Assigning(), check]), check)
    assert len(reports) == 1 and check.leaks[0].all()


def test_cells_that_were_elsewhere_before_training_are_told_as_such():
    model, kernel = plain(K.AdamW(0.1, weight_decay=0.1))
    saved = kernel.numpy()
    fit(model)
    check = LeakCheck([(kernel, odd_rows(kernel), saved)])
    earlier, now = warned(lambda: fit(model, callbacks=[check]), check)
    assert earlier.ways == ("earlier",) and earlier.when == "before training began"
    assert "put those values back" in earlier.advice
    assert now.ways[0] == "gradient" and now.when == "in epoch 1"  # and that they move on


@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_a_cell_that_is_put_back_is_right_again_and_may_leave_again(dtype):
    variable = keras.Variable(np.ones((3, 2), dtype), name="table")
    saved = variable.numpy()
    variable.assign(saved * 2)
    check = LeakCheck([(variable, True, saved)])
    with pytest.warns(LeakWarning, match="before training began"):
        assert check.compare()[0].all()
    variable.assign(saved)
    assert not check.compare()[0].any() and len(check.reports) == 1
    variable.assign(saved * 3)
    with pytest.warns(LeakWarning, match="6 of 6 .* since the last comparison"):
        assert check.compare()[0].all()


def test_who_freezes_already_hears_that_the_mask_does_not_hold_these_cells():
    model, kernel = plain(freezable(K.AdamW)(0.1))
    check = held(kernel)
    (report,) = warned(lambda: fit(model, callbacks=[check]), check)
    assert "call freeze_cells" in report.advice and "use freezable" not in report.advice


@pytest.mark.parametrize("fed", [False, True], ids=["decay alone", "beside a gradient"])
def test_to_exclude_a_variable_from_decay_is_advised_where_that_would_hold_it(fed):
    model, kernel = plain(K.AdamW(0.1, weight_decay=0.1))
    if not fed:
        model.layers[-1].kernel.assign(np.zeros((5, 1)))  # through which no gradient comes
        model.layers[-1].trainable = False
        model.compile(model.optimizer, "mse")
    check = held(kernel)
    (report, *_) = warned(lambda: fit(model, callbacks=[check]), check)
    assert ("exclude_from_weight_decay" in report.advice) != fed
    assert "compiled into the model" in report.advice and "until you put it back" in report.advice


ROWS = {
    "row 3": [3],
    "2 rows (3 to 4)": [3, 4],
    "3 rows (0, 2, 5)": [0, 2, 5],
    "6 rows (0, 2, 4, 6, 8, …)": [0, 2, 4, 6, 8, 10],
}


@pytest.mark.parametrize("told", ROWS)
def test_rows_are_told_in_words(told):
    table = keras.Variable(np.zeros((12, 2, 3), "float32"))
    values = table.numpy()
    values[ROWS[told], 1] = 1
    check = LeakCheck([(table, True)])
    table.assign(values)
    (report,) = warned(check.compare, check)
    assert report.rows == told and f", in {told}, at most" in str(report)


def test_a_cell_whose_slots_are_not_followed_leaves_two_ways():
    """Of a large variable, slots are followed for a sample of cells alone."""
    variable = keras.Variable(np.ones(10 * SAMPLE), dtype="float32")
    optimizer, gradient = K.SGD(0.1, momentum=0.9), np.zeros(10 * SAMPLE, "float32")
    optimizer.build([variable])
    check = held(variable, True, optimizer=optimizer)
    gradient[5] = 1
    optimizer.apply([tf.constant(gradient)], [variable])
    (report,) = warned(check.compare, check)
    assert set(report.ways) == {"momentum", "gradient"}
    assert report.when == "since the check began (step 1 of the optimizer)"
    assert np.flatnonzero(check.leaks[0]).tolist() == [5]


def test_averages_that_are_swapped_for_validation_alone_leave_roundings():
    model, kernel = averaging()
    swap, check = C.SwapEMAWeights(), held(kernel)
    options = {"validation_data": (INPUTS, TARGETS), "callbacks": [check, swap]}
    reports = warned(lambda: fit(model, 3, **options), check)
    assert reports and {report.ways[0] for report in reports} == {"average"}


# No bit, no alarm; one bit, one alarm

DTYPES = ["float16", "bfloat16", "float32", "float64", "int8", "uint8", "int16", "int32", "int64"]
DTYPES += ["uint16", "uint32", "uint64", "bool", "complex64", "complex128"]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("whole", [False, True], ids=["some", "whole"])
def test_one_cell_of_every_dtype_is_seen(dtype, whole):
    variable = keras.Variable(np.zeros((3, 4)), dtype=dtype, trainable=False)
    check = held(variable, True if whole else odd_rows(variable))
    warned(check.compare, check)
    assert not check.leaks[0].any()
    for row in (1, 0):  # the first row is frozen with the whole alone
        values = np.zeros((3, 4))
        values[row, 2] = 1
        variable.assign(values)
        warned(check.compare, check)
        assert (check.leaks[0] == ((values != 0) & (whole or row == 1))).all()


BITS = np.array(
    [0, 0x80000000, 1, 0x80000001, 0x7F800000, 0xFF800000, 0x7F800001, 0x7FC00000, 0xFFC12345],
    np.uint32,
)


def put(variable, bits):
    """Write bits as they are: a cast of floats might change them."""
    raw = variable.value if isinstance(variable, keras.Variable) else variable
    tf.raw_ops.AssignVariableOp(resource=raw.handle, value=tf.bitcast(bits, raw.dtype))


@pytest.mark.parametrize("make", [keras.Variable, tf.Variable])
@pytest.mark.parametrize("whole", [False, True], ids=["some", "whole"])
def test_special_values_are_their_bits(make, whole):
    variable = make(np.zeros(len(BITS), "float32"))
    put(variable, BITS)
    check = held(variable, True if whole else np.arange(len(BITS)) < len(BITS) - 1)
    put(variable, BITS.copy())
    assert warned(check.compare, check) == [] and not check.leaks[0].any()
    for cell, other in itertools.permutations(range(len(BITS) - 1), 2):
        changed = BITS.copy()
        changed[cell] = BITS[other]
        put(variable, changed)
        warned(check.compare, check)
        assert np.flatnonzero(check.leaks[0]).tolist() == [cell]
        put(variable, BITS)
        warned(check.compare, check)
        assert not check.leaks[0].any()


def test_special_values_under_fit_raise_no_alarm():
    model, kernel = plain(freezable(K.Adam)(0.01, weight_decay=0.1))
    model.optimizer.build(model.trainable_variables)
    frozen = np.zeros((4, 5), bool)
    frozen[:, 0] = True
    model.layers[-1].kernel.assign(np.zeros((5, 1)))  # so that NaN stays where it is
    values = kernel.numpy()
    values[:, 0] = BITS[[1, 2, 3, 0]].view("float32")
    put(kernel, values.view(np.uint32))
    model.optimizer.freeze_cells(kernel, frozen)
    check = held(kernel, frozen, action="raise", every="batch")
    fit(model, 2, callbacks=[check])
    assert (kernel.numpy().view(np.uint32)[:, 0] == BITS[[1, 2, 3, 0]]).all()


def test_distances_are_those_of_the_course():
    draw = np.random.default_rng(0)
    for dtype in ("float16", "bfloat16", "float32", "float64"):
        kind = tf.as_dtype(dtype).as_numpy_dtype
        one, other = draw.normal(size=(2, 99)).astype(kind)
        np.testing.assert_array_equal(distances(one, other), ulps(one, other))
    assert distances(np.float32([1.0]), np.float32([np.nan])) == np.inf
    assert distances(np.array([1]), np.array([2])) is None


@pytest.mark.parametrize(
    ("dtype", "told"),
    [
        ("float32", "cell [1, 0] from 3 to 4"),
        ("int32", "cell [1, 0] from 3 to 4"),
    ],
)
def test_the_cell_that_moved_farthest_is_told_with_its_values(dtype, told):
    table = keras.Variable(np.arange(6).reshape(2, 3), dtype=dtype, name="table")
    check = LeakCheck([(table, [[False] * 3, [True] * 3])])
    table.assign([[9, 9, 9], [4, 4, 6]])
    with pytest.warns(LeakWarning, match="changed since the check began, in row 1, at most"):
        check.compare()
    (leak,) = check.reports
    assert f"at most {told}." in str(leak)
    assert table.numpy()[leak.farthest] == leak.values[1]


def test_a_short_way_is_told_in_units_in_the_last_place_and_the_longest_is_by_difference():
    table = keras.Variable([1.0, 1e-6, 1.0], name="table")
    check = LeakCheck([(table, True)])
    table.assign([1 + 2**-19, 2e-6, 1.0])
    with pytest.warns(LeakWarning, match=r"cell \[0\] from 1 to 1.00000191 \(16 units in the"):
        check.compare()


# What is refused, before training begins

KERNEL = keras.Variable(np.zeros((2, 3), "float32"), name="kernel")
REFUSED = {
    "no list": (lambda: LeakCheck(KERNEL), TypeError, r"'kernel' of shape \(2, 3\), float32"),
    "a bare pair": (lambda: LeakCheck((KERNEL, True)), TypeError, "a list of pairs was wanted"),
    "no pair": (lambda: LeakCheck([]), ValueError, "No pair arrived"),
    "an array": (lambda: held(np.zeros(3), True), TypeError, r"ndarray of shape \(3,\), float64"),
    "a pair the other way round": (
        lambda: LeakCheck([(np.ones((2, 3), bool), KERNEL)]),
        TypeError,
        r"ndarray .*, bool, arrived; first in a pair, a keras.Variable .* \(variable, frozen\)",
    ),
    "a tensor": (lambda: held(tf.zeros(3), True), TypeError, "layer.kernel is computed"),
    "a mask of ints": (
        lambda: held(KERNEL, np.zeros((2, 3), int)),
        TypeError,
        r"A mask of dtype int64 arrived for 'kernel'.* pass mask > 0.5",
    ),
    "another shape": (
        lambda: held(KERNEL, np.zeros(3, bool)),
        ValueError,
        r"A mask of shape \(3,\) arrived for 'kernel', which has shape \(2, 3\)",
    ),
    "ragged": (lambda: held(KERNEL, [[True], [True, False]]), TypeError, "mask of 'kernel'"),
    "text": (lambda: held(tf.Variable("a"), True), TypeError, "string"),
    "open": (
        lambda: held(tf.Variable([1.0], shape=[None]), True),
        ValueError,
        "a shape that is known",
    ),
    "action": (lambda: held(KERNEL, True, action="stop"), ValueError, "'stop'.*'warn' or 'raise'"),
    "old optimizer": (
        lambda: held(KERNEL, True, optimizer=tf.compat.v1.train.AdamOptimizer()),
        TypeError,
        "Leave it out: cells are compared",
    ),
    "a model of tf_keras": (
        lambda: held(KERNEL, True).set_model(type("Model", (), {"__module__": "tf_keras.src"})()),
        TypeError,
        r"tf_keras .* arrived; pass its fit .*LambdaCallback\(on_epoch_end",
    ),
    "every": (lambda: held(KERNEL, True, every=1), ValueError, "every=1.*'epoch' or 'batch'"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_wrong_is_named(name):
    make, kind, told = REFUSED[name]
    with pytest.raises(kind, match=told):
        make()


def test_masks_may_be_lists_tensors_and_variables():
    wanted = np.array([[True, False, True], [False, False, True]])
    for mask in (
        wanted,
        wanted.tolist(),
        tf.constant(wanted),
        keras.Variable(wanted, dtype="bool"),
    ):
        check = held(variable := keras.Variable(np.zeros((2, 3))), mask)
        variable.assign(np.ones((2, 3)))
        warned(check.compare, check)
        assert (check.leaks[0] == wanted).all()


def test_a_variable_that_quantization_has_replaced_is_told():
    model, kernel = plain(K.SGD(0.01))
    check = held(kernel)
    model.layers[0].quantize("int8")
    model.compile(K.SGD(0.01), "mse")
    with pytest.warns(LeakWarning, match="not among the variables of this model.*quantized"):
        fit(model, callbacks=[check])


def test_lora_has_a_kernel_to_watch_and_one_that_is_computed():
    model, kernel = plain(K.SGD(0.01))
    model.layers[0].enable_lora(2)
    model.compile(K.SGD(0.01), "mse")
    with pytest.raises(TypeError, match="With LoRA"):
        held(model.layers[0].kernel, True)
    check = held(kernel, action="raise")
    fit(model, callbacks=[check])
    assert not check.leaks[0].any()


MIRRORED = """
import numpy as np, warnings
import tensorflow as tf
cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
import keras
from helpers.freezing import LeakCheck, freezable
from tests.freezing.networks import INPUTS, TARGETS, odd_rows
from tests.freezing.test_leak_check import plain, warned
K = keras.optimizers
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
late = tf.distribute.InputOptions(experimental_fetch_to_device=False)
batches = tf.data.Dataset.from_tensor_slices((INPUTS, TARGETS)).batch(8)
batches = strategy.experimental_distribute_dataset(batches, late)
for every in ("epoch", "batch"):
    for make in (freezable(K.AdamW), K.AdamW):
        with strategy.scope():
            model, kernel = plain(make(0.01, use_ema=True))
            model.optimizer.build(model.trainable_variables)
        frozen = odd_rows(kernel)
        if make is not K.AdamW:
            model.optimizer.freeze_cells(kernel, frozen)
        check, before = LeakCheck([(kernel, frozen)], every=every), kernel.numpy()
        reports = warned(lambda: model.fit(batches, verbose=0, callbacks=[check]), check)
        assert (check.leaks[0] == (frozen & (before != kernel.numpy()))).all()
        assert check.leaks[0].any() == (make is K.AdamW) == bool(reports)
        assert not reports or reports[0].ways[0] == "gradient", reports
        print("SEEN")
copies = strategy.experimental_local_results(kernel.value)
check = LeakCheck([(kernel, frozen)])
copies[1].assign_add(tf.ones_like(copies[1]))
warned(check.compare, check)
assert (check.leaks[0] == frozen).all()
print("SEEN")
"""


@pytest.mark.thorough
def test_two_replicas_are_checked():
    command = [sys.executable, "-c", MIRRORED]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert ran.stdout.count("SEEN") == 5, ran.stdout


def test_values_of_an_earlier_session_are_the_reference_of_every_fit():
    variable = keras.Variable(np.ones((3, 2), "float32"), name="table")
    saved = variable.numpy()
    frozen = np.arange(6).reshape(3, 2) < 2
    variable.assign(variable + tf.cast(frozen, "float32"))
    check = LeakCheck([(variable, frozen, saved)])
    with pytest.warns(LeakWarning, match="2 of 2 frozen cells of 'table'"):
        assert (check.compare()[0] == frozen).all()
    variable.assign(saved)
    check.restart()
    assert not check.compare()[0].any()
    for wrong in (saved[:2], saved.astype("float64")):
        with pytest.raises(ValueError, match="'table' of shape .* pass those of the variable"):
            LeakCheck([(variable, frozen, wrong)])


def test_it_says_what_it_covers_and_refuses_to_cover_nothing():
    variable = keras.Variable(np.ones((3, 2), "float32"), name="table")
    check = LeakCheck([(variable, np.arange(6).reshape(3, 2) < 2), (variable, True)])
    assert repr(check) == "LeakCheck: 2 of 6 cells of 'table', 6 of 6 cells of 'table'"
    with pytest.raises(ValueError, match="no cell is True, so there is nothing to check"):
        LeakCheck([(variable, np.zeros((3, 2), bool))])
    with pytest.raises(TypeError, match="a list of pairs was wanted"):
        LeakCheck(variable, np.ones((3, 2), bool))


def test_what_a_freezable_optimizer_holds_has_been_assigned():
    """As EarlyStopping does that brings back weights from before they were pruned."""
    variable = keras.Variable(np.ones((3, 2), "float32"), name="kernel")
    optimizer = freezable(keras.optimizers.Adam)(0.1)
    optimizer.build([variable])
    optimizer.apply([tf.ones((3, 2))], [variable])
    frozen = np.arange(6).reshape(3, 2) < 3
    optimizer.freeze_cells(variable, frozen)
    check = LeakCheck([(variable, frozen)], optimizer=optimizer)
    optimizer.apply([tf.ones((3, 2))], [variable])
    variable.assign(variable + 1)
    with pytest.warns(LeakWarning, match="3 of 3 frozen cells of 'kernel' .* assign"):
        check.compare()
    assert check.reports[0].ways == ("assign",)
