"""Guesses are kept and compared; exercises accept their solution and say what others lack."""

import importlib

import pytest

from helpers.exercises import Guess, guess, score
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
    "name, mistake",
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
    return Guess("How many change?", 0, 6, 12, popular=0)


def test_without_a_choice_the_course_guesses(asked, capsys):
    asked.compare(12, "Adam remembers.")
    score()
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "You made no guess; a common one: 0"
    assert said[1] == "Found: 12. Adam remembers."
    assert said[2] == "0 right of 0 guesses made; 1 were asked for."


def test_a_choice_is_compared_and_counted(asked, capsys):
    asked._buttons.index = 2
    asked.compare(12, "not shown")
    score()
    said = capsys.readouterr().out.splitlines()
    assert said == [
        "Your guess: 12",
        "Found: 12. Right.",
        "1 right of 1 guesses made; 1 were asked for.",
    ]


def test_a_cell_that_runs_again_keeps_the_choice(asked):
    asked._buttons.index = 1
    assert Guess("How many change?", 0, 6, 12, popular=0).choice == 6
    assert Guess("How many change?", "none", "all", popular="none").choice is None


def test_what_was_found_need_not_be_among_the_options(asked, capsys):
    asked.compare(11)
    assert "Found: 11." in capsys.readouterr().out


def test_a_popular_guess_that_is_no_option_is_refused():
    with pytest.raises(ValueError, match=r"popular=3 arrived; one of 1, 2 was wanted"):
        Guess("How many?", 1, 2, popular=3)


def test_a_reader_without_a_kernel_sees_question_and_options(asked):
    bundle = asked._repr_mimebundle_()
    assert bundle["text/plain"].splitlines() == ["How many change?", "( ) 0", "( ) 6", "( ) 12"]
    assert "application/vnd.jupyter.widget-view+json" in bundle
