"""What is printed and drawn of tasks that share out cells."""

import matplotlib.pyplot as plt
import numpy as np

from helpers.studies import rooms


def test_four_panels_show_the_steps():
    figure = rooms.draw_steps()
    assert [axes.get_title()[0] for axes in figure.axes] == ["1", "2", "3", "4"]
    shown = [axes.images[0].get_array() for axes in figure.axes]
    zeros = [int((np.asarray(values) == 0).sum()) for values in shown]
    assert zeros == [0, 8, 8, 0]
    plt.close(figure)


def test_a_line_has_the_mean_and_the_range_of_each_task_and_the_next_who_is_ahead(capsys):
    one, two = np.array([[[90, 10], [94, 30]], [[80, 20], [84, 20]]])
    rooms.print_right({(100, "one"): one, (100, "two"): two}, ["first", "second"])
    _, heads, line, other, told = capsys.readouterr().out.splitlines()
    assert heads.split() == ["steps", "first", "second"]
    assert line.split() == ["100", "one", "92", "(90", "to", "94)", "20", "(10", "to", "30)"]
    assert other.split()[:3] == ["100", "two", "82"]
    assert told.split() == ["one", "is", "ahead", "not", "clear"]
    assert told.index("ahead") == line.index("92") and told.index("not") == line.index("20")
    assert line.index("92") - heads.index("first") == line.index("20") - heads.index("second")


def test_points_lost_are_taken_seed_by_seed(capsys):
    rooms.print_leaks({"Adam": np.array([[1000, 2, 90, 80], [3000, 4, 92, 88]])})
    *_, line = capsys.readouterr().out.splitlines()
    assert line.split() == ["Adam", "2,000", "3", "91.0", "%", "7.0", "(4.0", "to", "10.0)"]
