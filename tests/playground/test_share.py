"""A playground as a line of text: short, whole or refused, and the same playground again."""

import string

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from helpers import masks
from helpers.device import keras
from helpers.optimizers import LISTED, name_of
from helpers.playground import Playground, share, tasks
from helpers.techniques import TECHNIQUES, where_gradient
from tests.playground.small import small

WORD = st.text(string.ascii_letters + string.digits + "-_", min_size=1, max_size=30)
WORDS = st.lists(WORD, min_size=5, max_size=5)
NUMBERS = {
    "rate": st.floats(0, 3e38),
    "momentum": st.floats(0, 1, exclude_max=True),
    "decay": st.floats(0, 3e38),
}
NOISE = st.text(" \t\r\n\u00a0\u200b\ufeff", max_size=3)
WHOLE = ["digits-0", "none", "sgd", "3", masks.as_text(np.zeros((10, 8, 8), bool))]


@pytest.fixture(scope="module")
def digits():
    """One playground over the digits, whose masks and choices each test sets."""
    lab = Playground("digits", device="cpu")
    yield lab
    lab.close()


@pytest.fixture
def opened():
    """Playground.from_code on the processor, closed when the test is over."""
    labs = []

    def make(text):
        labs.append(Playground.from_code(text, device="cpu"))
        return labs[-1]

    yield make
    for lab in labs:
        lab.close()


def paint(lab, frozen):
    """Paint the masks of all pages, an array (pages, rows, columns)."""
    for page, mask in zip(lab.task.pages, frozen):
        lab.use(page=page)
        lab.frozen = mask


def painted(lab):
    """The masks of all pages, an array (pages, rows, columns)."""
    lab.session.settle()
    return np.stack([lab.task.grid(lab.session.loop.frozen, page) for page in lab.task.pages])


# There and back


@settings(max_examples=6)
@given(
    frozen=hnp.arrays(bool, (10, 8, 8)),
    technique=st.sampled_from(list(TECHNIQUES)),
    optimizer=st.sampled_from(list(LISTED)),
    page=st.integers(0, 9),
    numbers=st.fixed_dictionaries({}, optional=NUMBERS),
)
def test_a_line_makes_the_same_playground_again(
    digits, frozen, technique, optimizer, page, numbers
):
    paint(digits, frozen)
    digits.use(technique, optimizer, page)
    has = digits.session.loop.knobs.usual
    digits.use(**{name: number for name, number in numbers.items() if name in has})
    line = digits.code()
    lab = Playground.from_code(line, device="cpu")
    try:
        np.testing.assert_array_equal(painted(lab), frozen)
        np.testing.assert_array_equal(lab.frozen, frozen[page])
        assert lab.initial.tobytes() == digits.initial.tobytes()
        assert lab.session.loop.history.now == digits.session.loop.history.now
        assert lab.session.loop.knobs.now == digits.session.loop.knobs.now
        assert lab.code() == line and lab.steps == 0
    finally:
        lab.close()


@pytest.mark.parametrize(
    "task", [("snowflake", 7, 12, 20), ("hidden", -3, 5), ("snowflake", 2, 48, 48), ("hidden", 1)]
)
def test_seed_and_sizes_travel_too(playground, opened, task):
    lab = playground(tasks.TASKS[task[0]](*task[1:]))
    lab.paint(slice(0, 3), slice(2, 5))
    lab.train(3)
    other = opened(lab.code())
    assert other.initial.tobytes() == lab.initial.tobytes() and other.steps == 0
    other.frozen = np.zeros_like(other.frozen)
    other.train(0)
    np.testing.assert_array_equal(opened(lab.code()).frozen, lab.frozen)


def test_the_playground_of_a_line_trains_as_the_one_that_gave_it(playground, opened, half):
    lab = playground(small(3), "momentum", "where_gradient")
    lab.frozen = half
    other = opened(lab.code())
    for each in (lab, other):
        each.train(20)
    assert other.weights.tobytes() == lab.weights.tobytes()
    lab.reset()
    assert lab.code() == other.code()


@pytest.mark.parametrize("optimizer", ["Adam", "rmsprop"])
def test_an_optimizer_of_keras_has_a_name_in_the_line(playground, opened, optimizer):
    lab = playground(small(), optimizer)
    assert opened(lab.code()).session.loop.history.now["optimizer"] == optimizer.lower()


def test_a_named_task_is_asked_for_by_its_name(playground, opened):
    lab = opened(playground("hidden", "sgd", "restore", seed=4).code())
    assert repr(lab) == "Playground(task='hidden', optimizer='sgd', technique='restore')"


def test_an_undo_does_not_thaw_what_the_line_has_frozen(playground, opened, half):
    lab = playground(small())
    lab.frozen = half
    other = opened(lab.code())
    other.undo()
    np.testing.assert_array_equal(other.frozen, half)


def test_what_was_painted_counts_at_once(playground, half):
    lab = playground(small())
    lab.painter.mask.replace(half)  # as a browser's message does, without waiting for a step
    assert masks.from_text(lab.code().split(".")[-2], (1, 12, 12)).sum() == half.sum()


# Into a playground that is there already


def test_a_pasted_line_brings_masks_and_choices_and_takes_no_step_back(playground, half):
    giver, taker = playground(small(), "momentum", "where_gradient"), playground(small())
    giver.frozen = half
    taker.train(3)
    before = taker.weights.tobytes()
    assert taker.paste(giver.code()) is None
    assert taker.code() == giver.code()
    assert taker.steps == 3 and taker.weights.tobytes() == before
    taker.train(3)
    giver.train(3)
    assert taker.code() == giver.code()


def test_every_page_gets_its_mask_as_one_stroke(playground):
    giver, taker = playground("digits", page="4"), playground("digits", page="2")
    masks_of_pages = np.random.default_rng(0).random((10, 8, 8)) < 0.5
    paint(giver, masks_of_pages)
    giver.use(page="4")
    taker.paint(1, 1)
    taker.paste(giver.code())
    np.testing.assert_array_equal(painted(taker), masks_of_pages)
    assert taker.painter.page == "4"
    for page, earlier in (("4", 0), ("2", 1)):
        taker.use(page=page)
        taker.undo()
        assert taker.frozen.sum() == earlier
        taker.redo()
    np.testing.assert_array_equal(painted(taker), masks_of_pages)


@pytest.mark.parametrize("optimizer", ["adamw", "adam"])
def test_a_pasted_line_turns_its_knobs_and_the_others_back(playground, optimizer):
    giver, taker = playground(small(), "adamw"), playground(small(), optimizer)
    giver.use(decay=0.3)
    taker.use(rate=0.5)
    assert taker.paste(giver.code()) is None
    assert taker.session.loop.knobs.now == giver.session.loop.knobs.now
    assert taker.code() == giver.code()


def test_a_line_of_before_there_were_knobs_opens_with_the_usual_ones(opened):
    lab = opened("freeze1.digits-0.restore.adam.3.Y2CgLgAA.af57d26b")
    assert lab.session.loop.knobs.turned == {}
    lab.use(rate=0.05, momentum=0)
    assert lab.code().startswith("freeze1.digits-0.restore.adam-rate5e-2-momentum0.3.Y2CgLgAA.")


@pytest.mark.parametrize(
    ("number", "written"),
    [(0.0, "0"), (0.05, "5e-2"), (1.0, "1"), (100.0, "1e2"), (0.123, "123e-3"), (1e-7, "1e-7")],
)
def test_a_number_has_no_point_in_the_line(number, written):
    assert share._digits(number) == written


@pytest.mark.parametrize(("optimizer", "goes_on"), [("adam", True), ("sgd", False)])
def test_an_optimizer_in_use_keeps_its_state(playground, half, optimizer, goes_on):
    giver, taker, other = (playground(small(), name) for name in (optimizer, "adam", "adam"))
    giver.frozen = half
    for lab in (taker, other):
        lab.train(5)
    taker.paste(giver.code())
    other.frozen = half
    for lab in (taker, other):
        lab.train(5)
    assert (taker.weights.tobytes() == other.weights.tobytes()) == goes_on


def test_another_seed_is_told_of_and_changes_no_weight(playground, half):
    giver, taker = playground(small(7)), playground(small(0))
    giver.frozen = half
    before = taker.weights.tobytes()
    told = taker.paste(giver.code())
    assert "seed 7" in told and "seed 0" in told and "Playground.from_code" in told
    np.testing.assert_array_equal(taker.frozen, half)
    assert taker.weights.tobytes() == before


def test_a_line_may_be_pasted_while_it_trains(playground, half, until, watched_locks):
    giver, taker = playground(small(), "sgd", "exact"), playground(small())
    giver.frozen = half
    taker.start()
    until(lambda: taker.steps > 5)
    taker.paste(giver.code())
    at = taker.steps
    until(lambda: taker.steps > at + 5)
    taker.stop()
    assert taker.code() == giver.code() and not taker.leaks().any()


MASK = masks.as_text(np.zeros((1, 12, 12), bool))
HERE = ["snowflake-0-12-12", "none", "sgd", "all", MASK]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("print('hello')", ["begins with freeze1.", "lab.code()"]),
        (share._line(HERE)[:-1], ["checksum"]),
        (share._line(WHOLE), ["task digits-0 arrived", "snowflake-0-12-12 is on", "from_code"]),
        (share._line(["snowflake-0-9-12", *HERE[1:]]), ["snowflake-0-9-12 arrived", "from_code"]),
        (share._line(["snowflake-0", *HERE[1:]]), ["snowflake-0 arrived", "from_code"]),
        (share._line(["snowflake", *HERE[1:]]), ["'snowflake' arrived", "seed"]),
        (share._line(["flake-0", *HERE[1:]]), ["'flake'", "'snowflake'"]),
        (share._line([HERE[0], "freeze", *HERE[2:]]), ["'freeze'", "'restore'"]),
        (share._line([*HERE[:2], "rmsprop", *HERE[3:]]), ["'rmsprop'", "from_code"]),
        (share._line([*HERE[:2], "sgd-momentum5e-1", *HERE[3:]]), ["sgd has no momentum"]),
        (share._line([*HERE[:3], "3", MASK]), ["'3'", "'all'"]),
        (share._line([*HERE[:4], "AAAA"]), ["a mask of 144 cells"]),
    ],
)
def test_a_line_that_does_not_fit_changes_nothing(lab, half, text, said):
    lab.frozen = half
    lab.train(2)
    before = lab.code(), lab.weights.tobytes()
    with pytest.raises(ValueError) as refused:
        lab.paste(text)
    assert all(words in str(refused.value) for words in said), str(refused.value)
    assert (lab.code(), lab.weights.tobytes()) == before


def test_a_line_fits_no_task_and_no_optimizer_of_ones_own(playground, own_task):
    line = share._line([*HERE[:2], "adam", *HERE[3:]])
    with pytest.raises(ValueError, match="task of your own is on this grid.*from_code"):
        playground(own_task()).paste(line)
    with pytest.raises(ValueError, match="'adam' and its usual settings.*from_code"):
        playground(small(), keras.optimizers.Adam(0.5, name="adam")).paste(line)


# As a link


def test_there_is_no_link_while_the_course_has_no_address(digits, monkeypatch):
    monkeypatch.setattr(share.home, "repository", lambda: share.home.PLACEHOLDER)
    assert digits.link() == ""


@pytest.mark.parametrize(
    ("task", "optimizer", "seed", "there"),
    [
        ("digits", "adam", 0, True),
        ("digits", "rmsprop", 0, True),
        ("snowflake", "adam", 0, True),
        ("digits", "nadam", 0, False),
        ("digits", "adam", 1, False),
        ("hidden", "adam", 0, False),
    ],
)
def test_a_link_opens_the_line_on_the_site_if_the_site_has_what_it_names(
    playground, monkeypatch, task, optimizer, seed, there
):
    monkeypatch.setattr(share.home, "repository", lambda: "someone/her.course")
    lab = playground(task, optimizer, seed=seed)
    assert lab.link() == (f"https://someone.github.io/her.course/#{lab.code()}" if there else "")


# How long


@settings(max_examples=20)
@given(hnp.arrays(bool, (8, 8)))
def test_a_grid_of_64_cells_takes_120_characters_at_most(digits, mask):
    paint(digits, np.zeros((10, 8, 8), bool))
    digits.use("gradient_times_mask", "momentum", "5")
    digits.frozen = mask
    assert len(digits.code()) <= 120


def test_ten_pages_take_less_than_250_characters_whatever_is_painted(digits):
    paint(digits, np.random.default_rng(0).random((10, 8, 8)) < 0.5)
    digits.use("gradient_times_mask", "momentum", "5")
    assert len(digits.code()) < 250


def test_simple_shapes_on_the_largest_grid_take_little(playground):
    lab = playground(tasks.snowflake(0, 512, 512))
    lab.paint(slice(100, 300), slice(50, 400))
    assert len(lab.code()) < 300
    rows, columns = np.indices((512, 512)) - 256
    lab.frozen = np.hypot(rows, columns) < 200
    assert len(lab.code()) < 2500


# The line, and what happens to it on its way


@given(WORDS, st.data())
def test_white_space_on_the_way_is_forgiven(words, data):
    line = share._line(words)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(line)), max_size=6)))
    parts = [line[a:b] for a, b in zip([0, *cuts], [*cuts, len(line)])]
    assert share._words(data.draw(NOISE).join(parts) + data.draw(NOISE)) == words


@given(WORDS, st.data())
def test_a_line_with_another_character_is_refused(words, data):
    line = share._line(words)
    place = data.draw(st.integers(0, len(line) - 1))
    letters = [c for c in string.ascii_letters + string.digits + "-_." if c != line[place]]
    with pytest.raises(ValueError, match=" arrived"):
        share._words(line[:place] + data.draw(st.sampled_from(letters)) + line[place + 1 :])


@given(WORDS, st.data())
def test_a_line_of_which_something_is_missing_is_refused(words, data):
    line = share._line(words)
    end = data.draw(st.integers(0, len(line) - 1))
    for cut in (line[:end], line[len(line) - end :]):
        with pytest.raises(ValueError, match=" arrived"):
            share._words(cut)


@given(st.one_of(st.text(), st.text().map("freeze1.".__add__), st.none(), st.integers()))
def test_other_text_is_refused(text):
    with pytest.raises(ValueError, match=" arrived"):
        share._words(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("print('hello')", ["hello", "begins with freeze1.", "lab.code()"]),
        ("", ["''", "begins with freeze1."]),
        (None, ["None", "lab.code()"]),
        ("freeze2.digits-0.x", ["format freeze2", "reads freeze1"]),
        (share._line(WHOLE)[:-9], ["checksum", "Copy the whole line"]),
        (share._line(WHOLE[:4]), ["checksum"]),
        (share._line(["digit-0", *WHOLE[1:]]), ["'digit'", "'digits'"]),
        (share._line(["digits-0-8", *WHOLE[1:]]), ["digits-0-8", "digits(seed)"]),
        (share._line(["hidden-0-100000000000", *WHOLE[1:]]), ["64×100000000000"]),
        (share._line([*WHOLE[:1], "freeze", *WHOLE[2:]]), ["'freeze'", "'restore'"]),
        (share._line([*WHOLE[:2], "adamm", *WHOLE[3:]]), ["'adamm'", "'adam'"]),
        (share._line([*WHOLE[:2], "sgd-decay1", *WHOLE[3:]]), ["sgd has no decay", "rate"]),
        (share._line([*WHOLE[:2], "adam-momentum2", *WHOLE[3:]]), ["2.0", "less than 1"]),
        (share._line([*WHOLE[:2], "adam-rate", *WHOLE[3:]]), ["'adam-rate'", "adam-rate5e-2"]),
        (share._line([*WHOLE[:2], "adam-rate1e999", *WHOLE[3:]]), ["inf", "from 0 up"]),
        (share._line([*WHOLE[:3], "11", WHOLE[4]]), ["'11'", "'9'"]),
        (share._line([*WHOLE[:4], "AAAA"]), ["a mask of 640 cells"]),
    ],
)
def test_what_is_refused_is_named_and_leaves_no_thread(trainers, text, said):
    with pytest.raises(ValueError) as refused:
        Playground.from_code(text)
    assert all(words in str(refused.value) for words in said), str(refused.value)
    assert not trainers()


# What no line can hold


def changed(change):
    """A task of the course that was changed by `change` before it trained."""
    task = tasks.hidden(0, 8)
    change(task.model)
    return task


@pytest.mark.parametrize(
    "change",
    [
        lambda model: setattr(model.layers[1], "trainable", False),
        lambda model: model.layers[1].bias.assign_add([1] * 10),
        lambda model: model.layers[0].kernel.assign(model.layers[0].kernel * 2),
    ],
    ids=["fewer train", "another bias", "other weights"],
)
@pytest.mark.parametrize("ask", ["code", "script"])
def test_a_task_that_was_changed_before_it_trained_is_not_the_courses(playground, change, ask):
    with pytest.raises(ValueError, match=r"tasks\.hidden\(0, 8\).*changed.*Share your code"):
        getattr(playground(changed(change)), ask)()


@pytest.mark.parametrize("ask", ["code", "script"])
def test_a_task_of_ones_own_is_refused(playground, own_task, spoilt, ask):
    for task in (own_task(), spoilt(small(), 7)):
        with pytest.raises(ValueError, match="own.*digits, snowflake, hidden.*Share the code"):
            getattr(playground(task), ask)()


@pytest.mark.parametrize("ask", ["code", "script"])
@pytest.mark.parametrize(
    "optimizer", [keras.optimizers.Adam(0.5), keras.optimizers.SGD(0.3, name="mine")]
)
def test_an_optimizer_of_ones_own_is_refused_while_it_trains(playground, optimizer, ask):
    lab = playground(small(), optimizer)
    with pytest.raises(ValueError, match=f"{name_of(optimizer)!r}.*use.*'sgd'.*reset"):
        getattr(lab, ask)()
    lab.use(optimizer="sgd")
    lab.reset()
    assert getattr(lab, ask)()


def test_an_optimizer_with_the_usual_settings_is_no_ones_own(playground, opened):
    rate = tasks.snowflake(0).rates["adam"]
    lab = playground("snowflake", keras.optimizers.Adam(rate, name="adam"))
    assert opened(lab.code()).session.loop.history.now["optimizer"] == "adam"


@pytest.mark.parametrize("ask", ["code", "script"])
@pytest.mark.parametrize("name", ["mine", "restore"])
def test_a_technique_that_is_not_the_courses_is_refused(playground, name, ask):
    lab = playground(small())
    lab.use(technique=lab.add_technique(where_gradient, name))
    with pytest.raises(ValueError, match=f"{name!r}.*share your code"):
        getattr(lab, ask)()
    lab.use(technique="exact")
    lab.reset()
    assert getattr(lab, ask)()
