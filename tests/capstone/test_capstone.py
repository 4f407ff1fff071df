"""The capstone, played through: a right plan and plausible mistakes, their points and comments."""

import numpy as np
import pytest

from helpers import networks
from helpers.bits import changed_bits
from helpers.capstone import Desk, Order, Plan, drawing
from helpers.capstone.plan import FREEZE_BY, NEW, TRAINS

FROZEN = 26_122 - 129


@pytest.fixture(scope="module")
def order():
    return Order(seed=2)


# What is chosen; the points; how many frozen cells leak before the break and in all (None: nearly
# all); and words of the first comment.
WAYS = {
    "right": (
        dict(freeze_by="compact", ahead=1.0),
        (10, 0, 0),
        "All five lines are kept",
    ),
    "the popular recipe": (
        dict(freeze_by="where_gradient"),
        (2, 0, None),
        "asks for no gradient",
    ),
    "masks lost at the break": (
        dict(freeze_by="exact", freeze_again=False),
        (2, 0, None),
        "nobody handed them over",
    ),
    "the cells that matter most": (
        dict(trains="Fisher"),
        (3, 0, 0),
        "the choice of cells did not",
    ),
    "biases forgotten": (
        dict(trains="new output, all biases"),
        (3, 0, 0),
        "9 of the 138 cells",
    ),
    "nothing frozen": (dict(trains="everything"), (2, 0, 0), "Nothing was frozen"),
    "flags": (dict(freeze_by="flags"), (3, 918, 1_161), "A flag freezes a layer as a whole"),
    "no margin": (dict(freeze_by="compact"), (8, 0, 0), "There is a tenth score now"),
    "too large a margin": (
        dict(freeze_by="compact", ahead=4.0),
        (8, 0, 0),
        "more than many of its pictures have",
    ),
    "a mask saves no memory": (dict(ahead=1.0), (9, 0, 0), "A mask saves no memory"),
}


@pytest.mark.parametrize("name", WAYS)
def test_a_way_gets_its_points_and_the_comment_of_a_teacher(order, name):
    choices, (points, early, leaked), words = WAYS[name]
    report = order.ship(**choices)
    assert (report.points, sum(leak.sum() for leak in report.early)) == (points, early)
    assert report.leaked > 0.99 * FROZEN if leaked is None else report.leaked == leaked
    assert words in report.comments()[0]
    assert f"{points} of 10 points" in repr(report)
    assert max(len(line) for line in repr(report).splitlines()) <= 80


def test_flags_are_told_in_which_layers_they_are_too_coarse(order):
    (said, *_) = order.ship(trains="Fisher", freeze_by="flags").comments()
    assert "In 3 of the 3 layers" in said and "25,600 that should not" in said


def test_a_recipe_on_the_gradient_is_enough_for_plain_optimizers(order):
    report = order.ship(freeze_by="gradient_times_mask", optimizers=("sgd", "momentum"))
    assert report.leaked == 0 and report.contract["scores"].kept
    assert report.memory == pytest.approx(9 / 16, abs=0.001)  # momentum, and a byte for each mask


def test_praise_names_compact_slots_only_where_there_are_some(order):
    """Plain descent keeps nothing but the masks, so that an exact freeze is small enough, too."""
    report = order.ship(freeze_by="exact", optimizers=("momentum", "sgd"), ahead=1.5)
    (said,) = report.comments()
    assert report.points == 10 and "All five lines are kept" in said and "compact" not in said


def test_momentum_before_the_freeze_is_not_met_but_decay_first_is(order):
    report = order.ship(freeze_by="where_gradient", optimizers=("adamw", "adam"))
    assert sum(leak.sum() for leak in report.early) > 0.99 * FROZEN
    assert "before the interruption already" in report.comments()[0]


def test_what_leaks_before_and_after_is_told_as_one_thing(order):
    report = order.ship(freeze_by="where_gradient", optimizers=("adamw", "adamw"))
    assert any(leak.any() for leak in report.late)
    assert "before the interruption already" in report.comments()[0]
    assert not any("nothing leaked" in comment for comment in report.comments())


def test_what_moved_before_the_break_alone_is_not_counted_after_it(order):
    """Plain descent moves no cell of which the gradient is 0."""
    report = order.ship(freeze_by="where_gradient", optimizers=("adamw", "sgd"))
    assert sum(leak.sum() for leak in report.early) > 0.99 * FROZEN
    assert not any(leak.any() for leak in report.late)


def test_half_of_the_lessons_or_a_tenth_are_of_the_new_digit(order):
    (_, few), (pictures, labels) = order.lessons(), order.lessons(all_pictures=True)
    assert (few == NEW).mean() == 0.5 and len(pictures) == len(order.pictures["train"])
    assert (labels == NEW).mean() == pytest.approx(0.1, abs=0.01)
    report = order.ship(all_pictures=True)
    assert report.contract["scores"].kept and report.old_answers < order.ship().old_answers


def test_nothing_has_ever_trained_the_new_output(order):
    drawn = networks.dense(order.seed, dtype="float64").get_weights()
    for shipped, fresh in zip(order.shipped[4:], drawn[4:]):
        assert not changed_bits(shipped[..., NEW], fresh[..., NEW]).any()
        assert changed_bits(shipped, fresh).any()


def test_the_scores_are_those_of_the_network(order):
    model = networks.dense(0, dtype="float64")
    model.set_weights(order.shipped)
    old, new = order.scores(order.shipped)
    pictures, labels = order.pictures["test"], order.labels["test"]
    np.testing.assert_allclose(old, model(pictures[labels != 9]).numpy(), rtol=1e-12, atol=1e-12)
    assert len(old) == 405 and len(new) == 45


def test_parts_share_no_picture_and_the_new_digit_was_never_trained(order):
    assert [len(order.labels[part]) for part in order.labels] == [1_047, 300, 450]
    fresh = Order(2).shipped
    assert not any(changed_bits(a, b).any() for a, b in zip(fresh, order.shipped))
    lessons, labels = order.lessons()
    assert np.mean(labels == 9) == 0.5 and len(lessons) == 2 * (order.labels["train"] == 9).sum()


@pytest.mark.parametrize(
    ("trains", "free"),
    [
        ("new output", 129),
        ("new output, all biases", 138),
        ("last layer", 1_290),
        ("Fisher", 522),
        ("at random", 522),
        ("everything", 26_122),
    ],
)
def test_a_choice_frees_as_many_cells_as_it_says(order, trains, free):
    assert sum((~mask).sum() for mask in order.masks(trains)) == free


def test_masks_of_ones_own_are_taken_and_checked(order):
    masks = order.masks("new output")
    masks[4][0, 0] = False
    report = order.ship(trains=masks)
    assert report.patch == 130 and not report.contract["scores"].kept
    with pytest.raises(ValueError, match="shape"):
        order.masks([mask[:1] for mask in masks])
    with pytest.raises(ValueError, match="5 masks arrived; one for each of 6 .*last kernel"):
        order.masks(masks[:5])


def test_a_patch_holds_what_differs_and_the_counts_are_of_bits(order):
    report = order.ship(trains="at random")
    differs = [changed_bits(a, b) for a, b in zip(order.shipped, report.weights)]
    assert report.patch == sum(d.sum() for d in differs) <= 522
    assert not any((d & m).any() for d, m in zip(differs, report.frozen))


def test_a_picture_shows_each_cell_by_what_became_of_it(order):
    """Grey has three equal parts; a leaked cell is red, a trained one blue."""
    report = order.ship(freeze_by="where_gradient")
    for number in (drawing.FIRST, drawing.SECOND, drawing.LAST):
        red, green, blue = np.moveaxis(drawing.coloured(report, number), -1, 0)
        same = ~changed_bits(report.shipped[number], report.weights[number])
        leaked = report.early[number] | report.late[number]
        np.testing.assert_array_equal((red == green) & (green == blue), same)
        np.testing.assert_array_equal(red > blue, leaked)
        np.testing.assert_array_equal(blue > red, ~same & ~leaked)


def test_the_farther_a_cell_has_moved_the_darker_it_is(order):
    report = order.ship(freeze_again=False)
    number = drawing.SECOND
    far = np.abs(report.weights[number] - report.shipped[number]).ravel()
    shade = drawing.coloured(report, number).sum(-1).ravel()[np.argsort(far)]
    assert (np.diff(shade) <= 1e-9).all() and shade[0] > shade[-1] + 1


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (dict(trains="all"), "'new output'"),
        (dict(freeze_by="magic"), "'restore'"),
        (dict(optimizers=("adam",)), "two were wanted"),
        (dict(optimizers=("adam", "lion")), "'adamw'"),
    ],
)
def test_a_plan_says_what_it_does_not_know(wrong, told):
    with pytest.raises(ValueError, match=told):
        Plan(**wrong)


@pytest.mark.thorough
def test_the_form_does_what_is_chosen_and_shows_it(order):
    desk = Desk(order)
    assert desk.report is None and desk._picture.layout.display == "none"
    desk.trains.value, desk.freeze_by.value = "new output", "compact"
    desk.freeze_again.value, desk.ahead.value = True, 1.0
    desk._button.click()
    assert desk.report.points == 10 and "10 of 10 points" in desk._told.value
    assert bytes(desk._picture.value).startswith(b"\x89PNG") and desk._picture.layout.display == ""
    desk.ahead.value = 0.0
    desk.ship()
    assert "Your deliveries: 10 · 8 points" in desk._told.value
    assert desk.plan == Plan(freeze_by="compact")
    desk.freeze_by.value = "flags"
    desk.ship()
    assert "<td>last kernel</td><td>1,152</td>" in desk._told.value


def test_the_form_offers_every_choice(order):
    desk = Desk(order)
    assert [value for _, value in desk.trains.options] == list(TRAINS)
    assert [value for _, value in desk.freeze_by.options] == list(FREEZE_BY)
    told = desk._repr_mimebundle_()["text/plain"]
    assert "Train: the new output's weights and its bias, " in told
    assert told.splitlines()[-1] == "[Train and deliver]"
