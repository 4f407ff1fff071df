"""A curious reader's hand, in a notebook's kernel: it plays with whatever is shown, playgrounds and
boards."""

import random

import ipywidgets

from helpers.board import Board
from helpers.capstone import Desk
from helpers.exercises.guess import GUESSES, Estimate, Guess
from helpers.guide import Guide
from helpers.studies.corner import Corner
from helpers.studies.dial import Dial
from helpers.studies.drawn import Drawn
from helpers.studies.fits import Fits
from helpers.studies.parting import Parting
from helpers.studies.race import Race
from helpers.studies.way_back import WayBack

FORMS = Corner, Desk, Dial, Drawn, Fits, Guide, Parting, Race, WayBack
ACTS = []


def act(function):
    """Have the hand do this, too."""
    ACTS.append(function)
    return function


def play(shown, seed):
    """Do some things at random with what is shown, playgrounds and others; the same for a seed."""
    hand = random.Random(seed)
    for board in filter(lambda each: isinstance(each, Board), shown):
        for _ in range(hand.randrange(4)):
            press(board, hand)
    for form in filter(lambda each: isinstance(each, FORMS), shown):
        fill_in(form, hand)
    for lab in shown:
        lab = getattr(lab, "playground", lab)  # of a laboratory, a contest …
        if hasattr(lab, "painter") and lab.painter.status != "closed":
            for _ in range(hand.randrange(4)):
                hand.choice(ACTS)(lab, hand)
    answer(hand)


def press(board, hand):
    """Press something on a board: a button, a switch, a tile, Start over."""
    state = board.state
    tiles = [tile for row in state["rows"] for tile in row["tiles"]]
    switches = [each["key"] for each in [*state["rows"], *tiles] if each["lockable"]]
    pressed = [("run", line) for lines in state["buttons"].values() for line in lines]
    pressed += [("switch", key) for key in switches]
    pressed += [("bet", tile["key"]) for tile in tiles] + [("reset", "")]
    what, key = hand.choice(pressed)
    board.widget._handle_custom_msg({"press": what, "key": key}, [])


def fill_in(form, hand):
    """Choose something in each field of a form, and send it off where there is a button."""
    for field in vars(form).values():
        for each in field.values() if isinstance(field, dict) else [field]:
            if isinstance(each, ipywidgets.Dropdown | ipywidgets.SelectionSlider):
                each.index = hand.randrange(len(each.options))
            elif isinstance(each, ipywidgets.Checkbox):
                each.value = hand.random() < 0.5
            elif isinstance(each, ipywidgets.IntSlider):
                each.value = hand.randint(each.min, each.max)
            elif isinstance(each, ipywidgets.FloatSlider):
                each.value = hand.uniform(each.min, each.max)
    if isinstance(form, Desk) and hand.random() < 0.5:
        form.ship()
    if isinstance(form, Corner | Parting) and hand.random() < 0.5:
        form.train()
    if isinstance(form, Race) and hand.random() < 0.5:
        form.run()


def answer(hand):
    """Answer a question by its widget, or leave it."""
    for question in GUESSES.values():
        if isinstance(question, Guess):
            question._widget.value = hand.choice([None, *question.options])
        elif isinstance(question, Estimate) and hand.random() < 0.5:
            question._widget.value = hand.randint(question._widget.min, question._widget.max)


def block(lab, hand):
    """Some rows and columns of the grid."""
    return [slice(*sorted(hand.choices(range(side + 1), k=2))) for side in lab.frozen.shape]


@act
def freeze(lab, hand):
    lab.paint(*block(lab, hand))


@act
def thaw(lab, hand):
    lab.paint(*block(lab, hand), frozen=False)


@act
def freeze_all(lab, hand):
    lab.paint(slice(None), slice(None))


@act
def undo(lab, hand):
    lab.undo()


@act
def change_technique(lab, hand):
    lab.use(technique=hand.choice(list(lab.session.loop.techniques)))


@act
def change_optimizer(lab, hand):
    lab.use(optimizer=hand.choice(list(lab.optimizers)))


@act
def change_page(lab, hand):
    lab.use(page=hand.choice(list(lab.task.pages)))


@act
def bet(lab, hand):
    lab.predict(lab.frozen, hand.choice(["leak", "stay"]))


@act
def pin(lab, hand):
    if len(lab.session.run.microscope.cells) < 4:
        lab.pin(*(hand.randrange(side) for side in lab.frozen.shape))


@act
def unpin(lab, hand):
    for _, row, column in lab.session.run.microscope.cells[:1]:
        lab.unpin(row, column)


@act
def train(lab, hand):
    lab.train(hand.randrange(60))


@act
def leave_training(lab, hand):
    lab.painter.speed = hand.choice([1, 10, 200, lab.painter.speed])
    lab.start()


@act
def reset(lab, hand):
    lab.reset()
