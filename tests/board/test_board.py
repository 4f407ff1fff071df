"""The board on the kernel's side: lines that are run, tiles that move, flags, bets."""

import numpy as np
import pytest

from helpers.board import Board
from helpers.board.lines import outcome
from helpers.board.rows import rows_of
from helpers.device import keras, tf
from helpers.exercises import Tapped

INPUTS = np.random.default_rng(0).normal(size=(32, 4, 4, 1)).astype("float32")


def network():
    layers = [
        keras.layers.Input((4, 4, 1)),
        keras.layers.Conv2D(2, 3, name="conv"),
        keras.layers.BatchNormalization(name="norm"),
        keras.layers.Flatten(name="flat"),
        keras.layers.Dense(1, name="head"),
    ]
    return keras.Sequential(layers)


def nested():
    inner = keras.Sequential(network().layers[:3], name="backbone")
    inputs = keras.Input((4, 4, 1))
    outputs = keras.layers.Dense(1, name="head")(keras.layers.Flatten()(inner(inputs)))
    return keras.Model(inputs, outputs)


def compile_model(model):
    model.compile(keras.optimizers.SGD(0.1), "mse")


def fit(model):
    model.fit(INPUTS, np.ones((32, 1)), verbose=0)


def clone(model):
    copy = keras.models.clone_model(model)
    copy.set_weights(model.get_weights())
    return copy


@pytest.fixture
def board(closed_later):
    """A board with a small network, and buttons to compile it, to clone it and to train it."""
    prepare = ["compile_model(model)", "model = clone(model)"]
    return closed_later(Board(globals(), "model = network()", prepare, ["fit(model)"]))


def press(board, what, key=""):
    """What arrives when somebody presses something."""
    board.widget._handle_custom_msg({"press": what, "key": key}, [])


def shown(board, key):
    """What the browser is told of a layer or of a tile."""
    things = [each for row in board.widget.state["rows"] for each in (row, *row["tiles"])]
    return [each for each in things if each["key"] == key][-1]


def test_each_layer_is_a_row_and_each_of_its_variables_a_tile(board):
    rows = board.widget.state["rows"]
    assert [(row["key"], row["depth"], len(row["tiles"])) for row in rows] == [
        ("model", 0, 0),
        ("conv", 1, 2),
        ("norm", 1, 4),
        ("flat", 1, 0),
        ("head", 1, 2),
    ]
    assert shown(board, "conv/kernel")["about"] == "3 × 3 × 1 × 2"
    assert shown(board, "norm/moving_mean")["trainable"] is False


def test_a_model_in_a_model_stands_inside_it():
    rows = rows_of("model", nested())
    keys = {row.key: row.depth for row in rows}
    assert keys["backbone"] == 1 and keys["backbone/conv"] == 2 and keys["head"] == 1
    tiles = [tile for row in rows for tile in row.tiles]
    assert len(tiles) == len({tile.key for tile in tiles}) == 8


@pytest.mark.parametrize("make", [network, nested])
def test_the_code_of_a_layer_and_of_a_tile_stands_for_it(make):
    model = make()
    for row in rows_of("model", model):
        assert isinstance(eval(row.code, {"model": model}), keras.Layer)
        for tile in row.tiles:
            assert eval(tile.code, {"model": model}) is tile.value


def test_tiles_light_up_where_a_bit_has_moved(board, capsys):
    board.run("compile_model(model)")
    assert board.moved is None and shown(board, "conv/kernel")["moved"] is None
    board.run("fit(model)")
    assert board.moved == set(board.tiles)
    board.run('model.get_layer("conv").trainable = False', "compile_model(model)", "fit(model)")
    assert board.tiles.keys() - board.moved == {"conv/kernel", "conv/bias"}
    assert shown(board, "conv/kernel")["moved"] is False
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.split(maxsplit=1) == ["fit(model)", "6 of 8 moved"]


def test_a_bit_of_a_zero_counts(board):
    board.run("model.get_layer('conv').bias.assign([-0.0, 0.0])")
    assert board.moved == {"conv/bias"}


def test_a_switch_runs_the_line_that_turns_a_flag_over(board):
    press(board, "switch", "norm")
    last = board.widget.state["log"][-1]
    assert last["line"] == 'model.get_layer("norm").trainable = False'
    assert last["told"] == "2 of 8 flags changed"  # gamma's and beta's; averages never train
    press(board, "switch", "norm/gamma")
    assert board["model"].get_layer("norm").gamma.trainable
    board.switch("norm/gamma")
    assert not board["model"].get_layer("norm").gamma.trainable
    with pytest.raises(ValueError, match="'nrm' arrived"):
        board.switch("nrm")


def test_a_new_model_has_not_moved_and_a_flag_that_it_lost_is_told(board):
    board.switch("conv/kernel")
    board.run("compile_model(model)", "fit(model)", "model = clone(model)")
    assert board.moved is None
    assert board.widget.state["log"][-1]["told"] == "1 of 8 flags changed"
    turned = [entry["turned"] for entry in board.widget.state["log"]]
    assert turned == [True, False, False, True]


def test_what_goes_wrong_is_told_and_nothing_is_raised(board):
    board.run("fit(modle)", "this is no Python")
    first, second = board.widget.state["log"]
    assert first["failed"] and first["told"].startswith("NameError: name 'modle'")
    assert second["failed"] and second["told"].startswith("SyntaxError")


def test_the_value_of_an_expression_is_told_and_a_warning_of_keras_too(board):
    board.run("1 + 1", "model.trainable = False", "compile_model(model)", "fit(model)")
    told = [entry["told"] for entry in board.widget.state["log"]]
    assert told[0] == "2"
    assert told[-1] == "0 of 8 moved; The model does not have any trainable weights."


def test_a_library_s_warnings_to_other_libraries_are_not_told():
    line = "__import__('warnings').warn('old', DeprecationWarning)"
    assert outcome(line, {}) == ("", False)


def test_what_the_page_defines_later_can_be_used_on_the_board(closed_later):
    page = {"network": network}
    board = closed_later(Board(page, "model = network()"))
    page["later"] = lambda: "here I am"
    board.run("later()")
    assert board.widget.state["log"][-1]["told"] == "here I am"


def test_a_line_that_fails_judges_no_bets(board):
    board.bet("head/kernel")
    board.run("fit(model)")  # not compiled
    assert board.log[-1]["failed"] and board.verdict == (set(), set(), set())


def test_the_page_keeps_its_own_names(closed_later):
    names = {"network": network, "model": "the page's own"}
    closed_later(Board(names, "model = network()"))
    assert names["model"] == "the page's own"


def test_bets_are_judged_when_something_trains(board):
    board.run("compile_model(model)", 'model.get_layer("conv").trainable = False')
    board.bet("head/kernel", "conv/bias")
    assert board.verdict == (set(), set(), set())
    assert shown(board, "conv/bias")["bet"] and shown(board, "conv/bias")["mark"] == ""
    board.run("compile_model(model)")
    assert shown(board, "conv/bias")["mark"] == ""
    board.run("fit(model)")
    assert shown(board, "head/kernel")["mark"] == "right"
    assert shown(board, "conv/bias")["mark"] == "wrong"
    assert shown(board, "norm/gamma")["mark"] == "missed"
    assert shown(board, "conv/kernel")["mark"] == ""
    press(board, "bet", "conv/bias")
    assert board.bets == {"head/kernel"} and shown(board, "head/kernel")["mark"] == ""


def test_without_bets_nothing_is_missed(board):
    board.run("compile_model(model)", "fit(model)")
    assert shown(board, "norm/gamma")["mark"] == ""


def test_start_over_makes_the_model_anew(board):
    board.run("compile_model(model)", "fit(model)")
    board.bet("head/bias")
    former = board["model"]
    press(board, "reset")
    assert board["model"] is not former and board.moved is None
    assert board.widget.state["log"] == [] and board.bets == {"head/bias"}


@pytest.mark.parametrize(
    "message",
    [
        None,
        {},
        {"press": "run", "key": "1 / 0"},  # no button
        {"press": "switch", "key": "norm/moving_men"},
        {"press": "bet", "key": 3},
        {"press": "bet", "key": "conv"},  # no tile
        {"press": ["run"], "key": "fit(model)"},
    ],
)
def test_a_broken_message_changes_nothing(board, message):
    before = board.state
    board.widget._handle_custom_msg(message, [])
    assert board.state == before


def test_constants_variables_and_optimizers_stand_on_a_board_too(closed_later):
    start = """
constant = tf.constant([1.0, 2.0])
fixed = tf.Variable([1.0, 2.0], trainable=False, name="fixed")
sgd = keras.optimizers.SGD(1.0, momentum=0.9)
sgd.build([fixed])
"""
    names = {"tf": tf, "keras": keras}
    board = closed_later(Board(names, start, show=["constant", "fixed", "sgd"]))
    assert shown(board, "sgd")["about"] == "SGD"
    assert shown(board, "fixed")["trainable"] is False
    assert shown(board, "constant")["trainable"] is None
    assert not any(shown(board, key)["lockable"] for key in ("constant", "sgd"))
    board.run("sgd.apply([tf.ones(2)], [fixed])")
    assert "fixed" in board.moved and "constant" not in board.moved
    assert board.moved == {"fixed", "sgd/iteration", "sgd/momentum"}


def test_variables_that_belong_to_no_layer_share_a_row(closed_later):
    start = """
one, two, model = keras.Variable([1.0]), keras.Variable([2.0]), network()
three = keras.Variable([3.0])
"""
    names = {"keras": keras, "network": network}
    board = closed_later(Board(names, start, show=["one", "two", "model", "three"]))
    rows = [(row.name, [tile.key for tile in row.tiles]) for row in board.rows]
    assert rows[0] == ("variables", ["one", "two"])
    assert rows[-1] == ("three", ["three"])
    board.switch("two")
    assert not board["two"].trainable and board["one"].trainable


def test_a_question_is_answered_by_pressing_tiles(board, capsys):
    question = Tapped("Which tiles will move?", board)
    assert question.choice is None
    question.settle()
    board.run("compile_model(model)", 'model.get_layer("conv").trainable = False')
    board.bet(*(key for key in board.tiles if "conv" not in key))
    board.run("fit(model)")
    question.settle("So it is.")
    out = capsys.readouterr().out
    assert out.startswith("Found: ") and out.count("guess") == 1
    assert "Your guess: 6 tiles, of which 6 moved" in out
    assert "Found: 6 of 8 tiles moved. Right. So it is." in out
    assert question.right
    board.bet("conv/kernel")
    board.run("fit(model)")
    question.settle()
    assert not question.right


def test_a_second_question_begins_with_no_tile_pressed(board):
    first = Tapped("Which tiles move at first?", board)
    board.bet("conv/kernel")
    board.run("compile_model(model)", "fit(model)")
    first.settle()
    second = Tapped("And then?", board)
    assert second.choice is None and first.choice == {"conv/kernel"}
    board.bet("conv/bias")
    assert second.choice == {"conv/bias"} and first.choice == {"conv/kernel"}
    again = Tapped("Which tiles move at first?", board)
    assert again.choice == board.bets == {"conv/kernel"}


def test_a_question_that_was_not_answered_does_not_take_the_answer_of_the_next(board):
    first = Tapped("Who moves first?", board)
    board.run("compile_model(model)", "fit(model)")
    first.settle()
    second = Tapped("And who moves then?", board)
    board.bet("conv/bias")
    assert second.choice == {"conv/bias"} and first.choice is None


def test_without_a_kernel_there_is_the_static_picture(board):
    data = board._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["image/png"].startswith(b"\x89PNG") and data["text/plain"] == "Board with 8 tiles"
