"""Measurements: their table, what can be asked for, and small runs of all but the browser's."""

import contextlib
import functools
import io
import json
import re
import subprocess
import sys
import types

import nbformat
import numpy as np
import pytest

from helpers import bench
from helpers.bench import cells, live, options
from helpers.studies import peaks
from helpers.tools import environment, notebooks

ROWS = [
    {"measurement": "first display", "median": "0.1", "n": 5},
    {"measurement": "drag", "median": "12.5", "n": 1000},
]


@pytest.fixture
def stand_in(monkeypatch):
    """A measurement that gives known rows, and keeps what it was asked for."""
    asked = []
    module = types.ModuleType("quick", "Takes no time.\n\nIndeed.")
    module.add_arguments = lambda parser: parser.add_argument(
        "--pairs", type=options.count, default=3
    )
    module.measure = lambda arguments: asked.append(arguments) or ROWS
    monkeypatch.setitem(bench.BENCHES, "quick", "takes no time")
    monkeypatch.setitem(sys.modules, "helpers.bench.quick", module)
    return asked


def test_a_table_lines_its_columns_up():
    assert bench.table(ROWS).splitlines() == [
        "measurement    median  n",
        "-------------  ------  ----",
        "first display  0.1     5",
        "drag           12.5    1000",
    ]


def test_a_bench_gets_its_options_and_its_table_is_printed(stand_in, capsys):
    assert bench.main(["quick", "--pairs", "7"]) == 0
    assert stand_in[0].pairs == 7
    assert capsys.readouterr().out == bench.table(ROWS) + "\n"


def test_the_rows_can_be_kept_as_json(stand_in, tmp_path, capsys):
    kept = tmp_path / "rows.json"
    assert bench.main(["quick", "--json", str(kept)]) == 0
    assert json.loads(kept.read_text()) == ROWS


WRONG = [[], ["nothing"], ["quick", "--pairs", "many"], ["quick", "--pairs", "0"], ["quick", "--x"]]


@pytest.mark.parametrize("argv", WRONG)
def test_what_is_not_known_is_refused_before_anything_runs(stand_in, argv, capsys):
    with pytest.raises(SystemExit) as stopped:
        bench.main(argv)
    assert stopped.value.code == 2 and not stand_in


@pytest.mark.parametrize("name", sorted(bench.BENCHES))
def test_every_bench_explains_itself(name, capsys):
    with pytest.raises(SystemExit) as stopped:
        bench.main([name, "--help"])
    assert stopped.value.code == 0 and f"bench {name}" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        bench.main(["--help"])
    assert f"{name:10} {bench.BENCHES[name]}" in capsys.readouterr().out


def test_the_live_bench_measures_both_sizes_unless_told_otherwise(monkeypatch):
    asked = []
    monkeypatch.setattr(live, "measure", lambda arguments: asked.append(arguments) or ROWS)
    bench.main(["live"])
    bench.main(["live", "--sides", "16", "32", "--seconds", "2.5"])
    assert asked[0].sides == [64, 512] and asked[0].seconds >= 5
    assert asked[1].sides == [16, 32] and asked[1].seconds == 2.5


def test_a_name_that_no_notebook_has_is_quoted():
    with pytest.raises(SystemExit, match="No notebook is named like 99_nothing"):
        bench.main(["notebooks", "99_nothing"])
    with pytest.raises(SystemExit, match="No notebook is named like 99_nothing"):
        notebooks.main(["99_nothing"])


def test_without_a_browser_the_bench_says_what_to_install(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SystemExit, match="apt-get install chromium"):
        bench.main(["live"])


@pytest.mark.thorough
def test_a_notebook_is_measured_from_top_to_bottom(tmp_path, monkeypatch):
    monkeypatch.setattr(notebooks, "FOLDER", tmp_path)
    cells = [nbformat.v4.new_code_cell(code) for code in ("import time", "time.sleep(1)")]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "00_short.ipynb")
    rows = tmp_path / "rows.json"
    bench.main(["notebooks", "short", "--json", str(rows)])
    (row,) = json.loads(rows.read_text())
    assert row["notebook"] == "00_short" and row["cells"] == 2
    assert float(row["over TensorFlow's import"]) > 0
    assert float(row["seconds"]) > 1 and 10 < int(row["peak memory"].removesuffix(" MB")) < 1024


def test_the_true_median_lies_in_its_range_as_often_as_promised():
    draw, true = np.random.default_rng(0), 1.5
    within = 0
    for rounds in (12, 25, 60) * 100:
        seconds = np.ones((rounds, 2))
        seconds[:, 1] = true * draw.lognormal(sigma=0.3, size=rounds)
        low, high = cells.certain(seconds, 1).split("(")[1].strip(")").split("–")
        within += float(low) <= true <= float(high)
    assert 0.92 < within / 300 < 0.99


SMALL = {
    "freeze": ["--widths", "16", "--optimizers", "Adam", "--rounds", "2", "--builds", "1"],
    "compact": ["--widths", "40", "--frozen", "0.5", "0.99", "--rounds", "2"],
    "peers": ["--width", "40", "--frozen", "0.9", "--rounds", "2"],
    "techniques": ["--sides", "8", "--rounds", "2"],
    "structure": ["--side", "40", "--layers", "2", "--width", "16", "--rounds", "2"],
    "leakcheck": ["--widths", "16", "--steps", "2", "--rounds", "2"],
    "freezeout": ["--steps", "4", "--seeds", "2"],
}
KINDS = ("mask", "compact")
SMALL["device"] = [*SMALL["freeze"], *SMALL["structure"]]


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """A function that takes a small measurement, once, and returns its rows and what it said."""

    @functools.cache
    def measure(name):
        kept = tmp_path_factory.mktemp(name) / "rows.json"
        with contextlib.redirect_stderr(io.StringIO()) as said:
            bench.main([name, *SMALL[name], "--json", str(kept)])
        return json.loads(kept.read_text()), said.getvalue()

    return measure


# They compile most; "device" is the tables of two others.
SLOW = [pytest.param(name, marks=pytest.mark.thorough) for name in ("freeze", "compact", "device")]


@pytest.mark.parametrize(
    "name", ["peers", "techniques", "structure", "leakcheck", "freezeout", *SLOW]
)
def test_what_is_measured_in_pairs_gives_a_row_a_case(name, measured):
    rows, said = measured(name)
    wanted = {"freeze": 4, "compact": 4, "peers": 6, "techniques": 9, "structure": 8, "device": 12}
    assert len(rows) == {**wanted, "leakcheck": 2, "freezeout": 2}[name]
    assert all(len(row) == len(rows[0]) for row in rows)
    assert "100%" in said, "a progress bar"


def test_the_memory_that_structure_saves_is_that_of_the_slots(measured):
    column = [row["optimizer memory over plain"] for row in measured("structure")[0]]
    assert column[0] == column[4] == "1.000" and float(column[1]) > 1
    assert 0.1 < float(column[2]) < 0.15 and 0.1 < float(column[3]) < 0.15
    assert column[6] == column[7] == "0.500"


def test_peers_that_are_not_installed_are_left_out_with_a_sentence(measured):
    rows, said = measured("peers")
    assert {row["library"] for row in rows} == {"Keras", "Keras, XLA"}
    for library in ("PyTorch", "Optax"):
        assert f"{library} is not installed here: its rows are left out." in said


@pytest.mark.thorough
def test_the_memory_of_a_compact_optimizer_is_that_of_free_cells(measured):
    mask, compact = ([row[f"memory, {kind}"] for row in measured("compact")[0]] for kind in KINDS)
    assert all(float(share) > 1.1 for share in mask)
    assert all(abs(float(share) - 1) < 0.05 for share in compact[::2]), "half of the cells are free"
    assert all(float(share) < 0.1 for share in compact[1::2])


@pytest.mark.thorough
def test_a_table_with_its_rows_split_off_trains_in_the_least_memory(tmp_path):
    kept = tmp_path / "rows.json"
    with contextlib.redirect_stderr(io.StringIO()):
        bench.main(["words", "--words", "100000", "--compiled", "graph", "--json", str(kept)])
    rows = {row["99 % frozen"]: row for row in json.loads(kept.read_text())}
    steps = {way: float(row["steps / table"]) for way, row in rows.items()}
    nothing, mask, compact, split, free = (steps[way] for way in peaks.WAYS)
    assert split < compact < nothing < mask and split < free
    assert compact < 0.75 * nothing and split < 0.5 * nothing
    set_up = {way: float(row["set up / table"]) for way, row in rows.items()}
    assert set_up["rows split off"] < set_up["free values"] < 0.75 * nothing
    assert set_up["compact slots"] < 0.95 * nothing


@pytest.mark.thorough
@pytest.mark.browser
@pytest.mark.timeout(600)
def test_the_live_bench_says_every_figure_of_a_small_grid(tmp_path):
    kept = tmp_path / "rows.json"
    small = ["--sides", "16", "--seconds", "2.2", "--displays", "1", "--pairs", "1"]
    bench.main(["live", *small, "--json", str(kept)])
    rows = {row["measurement"]: row for row in json.loads(kept.read_text())}
    assert len(rows) == 21 and all(row["n"] > 0 for row in rows.values())
    assert all(float(row["median"]) > 0 for row in rows.values())
    assert float(rows["drag to in force / echo"]["p95"]) < 100


@pytest.mark.thorough
@pytest.mark.browser
def test_the_site_bench_says_every_figure(tmp_path):
    kept = tmp_path / "rows.json"
    bench.main(["site", "--loads", "1", "--seconds", "2.2", "--json", str(kept)])
    rows = {row["measurement"]: row for row in json.loads(kept.read_text())}
    assert len(rows) == 9 and all(float(row["median"]) > 0 for row in rows.values())
    assert rows["pointer move to a frame that obeys it"]["n"] > 5


def test_an_optimizer_without_slots_has_no_share_of_memory(tmp_path):
    kept = tmp_path / "rows.json"
    bench.main(["structure", *SMALL["structure"], "--optimizer", "sgd", "--json", str(kept)])
    assert {row["optimizer memory over plain"] for row in json.loads(kept.read_text())} == {"–"}


@pytest.mark.thorough
def test_without_a_gpu_the_device_table_says_so(measured):
    from helpers.device import GPUS

    rows, said = measured("device")
    assert ("sees no GPU" in said) != bool(GPUS)
    assert ("CPU" in rows[0]["device"]) != bool(GPUS)


LOGICAL = """
import sys
import tensorflow as tf
cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
from helpers import bench
from helpers.studies import costs
times, used = costs.times, set()
def watched(steps, rounds):
    used.update(v.value.device for s in steps for v in [*s.model.variables, *s.optimizer.variables])
    return times(steps, rounds)
costs.times = watched
bench.main(["device", "--device", "/CPU:1", *sys.argv[1:]])
print(used)
"""


@pytest.mark.thorough
def test_the_device_table_is_measured_on_the_device_that_was_asked_for():
    """With two logical processors, as there may be no GPU."""
    command = [sys.executable, "-c", LOGICAL, *SMALL["device"]]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=environment.ROOT)
    assert ran.returncode == 0, ran.stderr[-2000:]
    used = set(re.findall(r"device:(\w+:\d)", ran.stdout.splitlines()[-1]))
    assert used == {"CPU:1"}
