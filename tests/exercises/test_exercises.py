"""Guesses are kept and compared; exercises accept their solution and say what others lack."""

import importlib

import numpy as np
import pytest

from helpers.exercises import Estimate, Guess, Painted, guess, score
from helpers.exercises.exercise import Exercise, NotYet
from helpers.tools import notebooks

NOTEBOOKS = {path.stem[3:]: path for path in notebooks.paths()}
NAMES = [name for name in NOTEBOOKS if importlib.util.find_spec(f"helpers.exercises.{name}")]
MISTAKES_OF = "tests.exercises.mistakes.{}"
MISTAKES = {name: importlib.import_module(MISTAKES_OF.format(name)).MISTAKES for name in NAMES}


def exercise_of(name):
    return importlib.import_module(f"helpers.exercises.{name}").exercise


def test_every_notebook_but_the_first_has_an_exercise():
    assert sorted(NAMES) == sorted(set(NOTEBOOKS) - {"start_here"})


@pytest.mark.parametrize("name", NAMES)
def test_the_solution_is_correct_and_shown(name, capsys):
    exercise = exercise_of(name)
    exercise.check(exercise.reference)
    exercise.solution()
    said = capsys.readouterr().out
    assert said.startswith("Correct. ") and f"def {exercise.reference.__name__}(" in said


@pytest.mark.parametrize(
    ("name", "mistake"),
    [(n, m) for n in NAMES for m in MISTAKES[n]],
    ids=lambda v: getattr(v, "__name__", v),
)
def test_a_plausible_mistake_gets_the_hint_that_fits(name, mistake):
    said = exercise_of(name).verdict(mistake)
    assert said.startswith("Not yet. ") and MISTAKES[name][mistake] in said, said
    assert "It raised" not in MISTAKES[name][mistake], "a crash is not a hint"


def test_to_thaw_the_last_none_of_a_base_thaws_nothing():
    """A schedule that thaws little by little begins there."""
    transfer = importlib.import_module("helpers.exercises.transfer")
    base = transfer.sequential()
    transfer.thaw_last(base, 0)
    assert not base.trainable_variables


@pytest.mark.parametrize("name", NAMES)
def test_three_mistakes_are_named_and_hints_come_in_steps(name):
    assert len(MISTAKES[name]) >= 3 and len(set(MISTAKES[name].values())) >= 3
    assert len(exercise_of(name)._hints) >= 2


@pytest.mark.parametrize("name", NAMES)
def test_without_an_attempt_the_notebook_says_so(name):
    notebook = notebooks.read(NOTEBOOKS[name])
    outputs = [o for cell in notebook.cells for o in cell.get("outputs", [])]
    assert "Not attempted yet" in "".join(output.get("text", "") for output in outputs)


# The machinery


def double(number):
    """Twice the number."""
    return 2 * number


def judge_double(attempt):
    if attempt(2) != 4:
        raise NotYet("Twice two is four.")
    return "It doubles."


@pytest.fixture
def exercise():
    return Exercise(double, judge_double, ["Add it to itself.", "number + number"])


def test_verdicts(exercise):
    def blank(number): ...

    def raises(number):
        raise KeyError("row 3\nand more")

    assert exercise.verdict(blank).startswith("Not attempted yet: write double")
    assert exercise.verdict(double) == "Correct. It doubles."
    assert exercise.verdict(lambda number: number) == "Not yet. Twice two is four."
    assert exercise.verdict(raises).startswith("Not yet. It raised KeyError: 'row 3")
    assert exercise.verdict(None).startswith("Not yet. It raised TypeError")


def test_hints_come_one_at_a_time_and_begin_again(exercise, capsys):
    for _ in range(3):
        exercise.hint()
    told = capsys.readouterr().out.splitlines()
    assert [line[:11] for line in told] == ["Hint 1 of 2", "Hint 2 of 2", "Hint 1 of 2"]


@pytest.fixture
def asked(monkeypatch):
    monkeypatch.setattr(guess, "GUESSES", {})
    return Guess("How many change?", 0, 6, 12)


def said_by(capsys):
    return capsys.readouterr().out.splitlines()


def test_without_a_choice_only_what_was_found_is_told(asked, capsys):
    asked.settle(12, "Adam remembers.")
    score()
    assert said_by(capsys) == [
        "Found: 12. Adam remembers.",
        "0 right of 0 guesses made; 1 were asked for.",
    ]


def test_a_choice_is_compared_and_counted(asked, capsys):
    asked._widget.index = 2
    asked.settle(12, "Adam remembers.")
    score()
    assert said_by(capsys) == [
        "Your guess: 12",
        "Found: 12. Right. Adam remembers.",
        "1 right of 1 guesses made; 1 were asked for.",
    ]


def test_a_cell_that_runs_again_keeps_the_choice(asked):
    asked._widget.index = 1
    assert Guess("How many change?", 0, 6, 12).choice == 6
    assert Guess("How many change?", "none", "all").choice is None


def test_what_was_found_need_not_be_among_the_options(asked, capsys):
    asked.settle(11)
    assert "Found: 11." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("found", "told"), [(0, "none"), (1, "some"), (11, "some"), (12, "all 12")]
)
def test_bounds_say_which_option_was_found(capsys, found, told):
    Guess("How many of 12?", "none", "some", "all 12", bounds=[1, 12]).settle(found)
    assert said_by(capsys) == [f"Found: {told}."]


def test_a_condition_is_one_bound(capsys):
    which = Guess("Which mask?", "the new one", "the old one", bounds=[True])
    for same in [False, np.bool_(True)]:
        which.settle(same)
    assert said_by(capsys) == ["Found: the new one.", "Found: the old one."]


def test_bounds_of_another_number_are_refused():
    with pytest.raises(ValueError, match="3 options want 2 bounds between them, not 1"):
        Guess("How many?", "none", "some", "all", bounds=[1])


def test_a_slider_is_a_guess_once_it_was_moved(asked, capsys):
    share = Estimate("How much is left?", 0, 100, "%")
    share.settle(26)
    share._widget.value = 30
    share.settle(26, "It decays.")
    assert Estimate("How much is left?", 0, 100, "%").choice == 30
    share._widget.value = 80
    share.settle(26)
    assert said_by(capsys) == [
        "Found: 26 %.",
        "Your guess: 30 %",
        "Found: 26 %. Close enough. It decays.",
        "Your guess: 80 %",
        "Found: 26 %. Too high.",
    ]


class Lab:
    """What a painted guess asks of a playground: of four frozen cells the first three leaked."""

    frozen, claim = np.ones((2, 2), bool), "leak"

    def __init__(self, *cells):
        self.prediction = np.isin(np.arange(4), cells).reshape(2, 2)

    def judge_prediction(self):
        leaked, bet = np.array([[1, 1], [1, 0]], bool), self.prediction
        return bet & leaked, leaked & ~bet, bet & ~leaked


@pytest.mark.parametrize(
    ("cells", "told", "right"),
    [
        ([], [], None),
        ([0, 1, 2], ["Your guess: 3 cells, of which 3 were right"], True),
        ([0, 3], ["Your guess: 2 cells, of which 1 were right"], False),
    ],
)
def test_a_painted_guess_is_judged_by_its_overlap(asked, capsys, cells, told, right):
    painted = Painted("Which cells leak?", Lab(*cells))
    painted.settle()
    *guess, found = said_by(capsys)
    assert guess == told and found.startswith("Found: 3 of 4 cells leaked.")
    assert painted.right is right


def test_a_reader_without_a_kernel_sees_question_and_options(asked):
    bundle = asked._repr_mimebundle_()
    assert bundle["text/plain"].splitlines() == ["How many change?", "( ) 0", "( ) 6", "( ) 12"]
    assert "application/vnd.jupyter.widget-view+json" in bundle
