"""What is printed and drawn of tasks that share out cells, and how a painted room is judged."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from helpers.studies import rooms


class Painter:
    def safely(self, function):
        function()


class Lab:
    painter = Painter()
    frozen = np.zeros((4, 2), bool)


def judge(frozen):
    """A stand-in: an answer changes for each cell that is free."""
    return {"changed": (~frozen).sum()}


def told(board):
    return [(name, *found.values()) for name, _, found in board.tries]


def test_a_press_adds_the_painted_mask_to_the_table_by_the_same_measure():
    lab = Lab()
    board = rooms.Scoreboard(lab, {"all <b>": np.ones((4, 2), bool)}, judge, {})
    assert told(board) == [("all <b>", 0)] and "all &lt;b&gt;" in board._table.value
    for columns in (1, 2):
        lab.frozen = np.arange(2) < np.full((4, 1), columns)
        board._button.click()
    assert told(board)[1:] == [("yours, 1", 4), ("yours, 2", 0)]
    assert not board._button.disabled and board.score() == {"changed": 0}
    _, least, *_ = repr(board).splitlines()
    assert least.split() == ["yours,", "1", "1.0", "4"]
    shown = board._repr_mimebundle_()
    assert shown["text/plain"] == repr(board) and len(shown) == 2


def test_a_second_judge_looks_at_former_masks_as_they_were_and_at_later_ones():
    lab = Lab()
    board = rooms.Scoreboard(lab, {"all": np.ones((4, 2), bool)}, judge, {})
    lab.frozen = np.zeros((4, 2), bool)
    board.score()
    lab.frozen[:] = True  # painted over
    board.judge_also(lambda frozen: {"held": frozen.sum()}, {})
    board.score()
    assert told(board) == [("all", 0, 8), ("yours, 1", 8, 0), ("yours, 2", 0, 8)]
    heads, least, *_ = board._table.value.split("<pre>")[1].splitlines()
    assert heads.endswith("columns   changed   held") and least.split()[-2:] == ["8", "0"]
    assert len(heads) == len(least)


def test_a_goal_is_reached_by_a_mask_of_the_readers_alone_and_stays_so():
    lab = Lab()
    goals = {"all held": lambda frozen, found: not found["changed"]}
    board = rooms.Scoreboard(lab, {"all": np.ones((4, 2), bool)}, judge, goals)
    assert "○ all held" in board._table.value
    lab.frozen = np.ones((4, 2), bool)
    board.score()
    lab.frozen = np.zeros((4, 2), bool)
    board.score()
    assert "✓ all held" in board._table.value
    more = {"none held": lambda frozen, found: not found["held"]}
    board.judge_also(lambda frozen: {"held": frozen.sum()}, more)
    assert "✓ all held" in board._table.value and "✓ none held" in board._table.value


def test_a_press_works_again_after_a_mask_that_cannot_be_judged():
    board = rooms.Scoreboard(Lab(), {}, lambda _: 1 / 0, {})
    with pytest.raises(ZeroDivisionError):
        board.score()
    assert not board._button.disabled and board.tries == []


def test_five_panels_show_the_steps_and_whose_each_cell_is():
    figure = rooms.draw_steps()
    assert [axes.get_title()[0] for axes in figure.axes] == ["1", "2", "3", "4", "a"]
    shown = [axes.images[0].get_array() for axes in figure.axes]
    zeros = [int((np.asarray(values) == 0).sum()) for values in shown]
    assert zeros == [0, 8, 8, 0, 2]
    numbers = ["".join(sorted(text.get_text() for text in axes.texts)) for axes in figure.axes]
    assert numbers == ["", "1" * 8, "1" * 8, "1" * 8, "1" * 8 + "2" * 4 + "3" * 2]
    plt.close(figure)


def test_cells_are_counted_for_the_task_that_has_them_alone(capsys):
    one, two = np.arange(6) < 3, np.arange(6) < 5
    rooms.print_owned([[one, one], [two, one]], ["first", "second"])
    lines = [line.rsplit(maxsplit=1) for line in capsys.readouterr().out.splitlines()]
    assert lines == [["first", "6"], ["second", "2"], ["still free", "4"]]


def test_a_line_has_the_mean_and_the_range_of_each_task_and_who_is_ahead_of_the_last(capsys):
    one, two = np.array([[[90, 10], [94, 30]], [[80, 20], [84, 20]]])
    runs = {(100, "one"): one, (100, "two"): two, (10, "a"): two, (10, "b"): one, (10, "c"): one}
    rooms.print_right(runs, ["first", "second"])
    _, heads, line, other, told, *further = capsys.readouterr().out.splitlines()
    assert heads.split() == ["steps", "first", "second"]
    assert line.split() == ["100", "one", "92", "(90", "to", "94)", "20", "(10", "to", "30)"]
    assert other.split()[:3] == ["100", "two", "82"]
    assert told.split() == ["one's", "lead", "+10.0", "ahead", "+0.0", "not", "clear"]
    assert told.index("+10") == line.index("92") and told.index("+0") == line.index("20")
    assert line.index("92") - heads.index("first") == line.index("20") - heads.index("second")
    assert [each.split()[1] for each in further[:3]] == ["a", "b", "c"]
    assert [each.split()[2] for each in further[3:]] == ["-10.0", "+0.0"]


def test_points_lost_are_taken_seed_by_seed(capsys):
    rooms.print_leaks({"Adam": np.array([[1000, 2, 90, 80], [3000, 4, 92, 88]])})
    *_, line = capsys.readouterr().out.splitlines()
    assert line.split() == ["Adam", "2,000", "3.0", "91.0", "7.0", "(4.0", "to", "10.0)"]
