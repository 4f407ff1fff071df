"""The list of versions, the environment made of it, and the commands that run in it."""

import ast
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from helpers import __main__ as commands
from helpers.tools import environment, pins

TEXT = environment.LISTED.read_text(encoding="utf-8")
PINS = environment.requirements(TEXT)
DIRECT = environment.requirements(pins.split(TEXT)[0])
SMALL = """name: x
dependencies:
  - python=3.12
  - pip
  # a comment
  - pip:
      - numpy==2.4.6  # masks
      # >>> generated
      - six==1.17.0 ; python_full_version < '3.12'

      # <<<
  - git
"""


def sentence(call, *arguments):
    """The one sentence with which a call gives up."""
    with pytest.raises(SystemExit) as stopped:
        call(*arguments)
    return str(stopped.value)


# The list


def test_parser_takes_the_pip_list_and_nothing_else():
    found = environment.requirements(SMALL)
    assert found == ["numpy==2.4.6", "six==1.17.0 ; python_full_version < '3.12'"]


def test_parser_agrees_with_yaml():
    assert yaml.safe_load(TEXT)["dependencies"][-1] == {"pip": PINS}
    assert len(PINS) > len(DIRECT) > 10


def test_parser_misses_the_pip_section():
    assert "no line `  - pip:`" in sentence(environment.requirements, "name: x\n")


def test_every_direct_pin_carries_a_reason():
    above = pins.split(TEXT)[0]
    lines = [line for line in above[above.index("- pip:") :].splitlines()[1:] if line.strip()]
    assert len(lines) == len(DIRECT)
    assert [line for line in lines if len(line.partition("  # ")[2].split()) < 3] == []


def test_every_pin_is_exact_and_no_package_is_pinned_twice_for_one_python():
    wanted = [Requirement(pin) for pin in PINS]
    assert [str(want) for want in wanted if [s.operator for s in want.specifier] != ["=="]] == []
    for python in ("3.11.7", "3.12.1", "3.13.0"):
        here = {"python_full_version": python}
        names = [w.name for w in wanted if not w.marker or w.marker.evaluate(here)]
        assert len(names) == len(set(names))


def test_no_address_of_any_kind():
    assert "://" not in TEXT
    assert [pin for pin in PINS if "--" in pin or "@" in pin] == []


def test_python_is_spelt_as_binder_wants_it():
    assert yaml.safe_load(TEXT)["dependencies"][0] == "python=3.12"


def test_this_very_environment_is_the_listed_one():
    assert environment.satisfied(PINS)


# The generated block


def test_splice_replaces_the_block_alone():
    again = pins.splice(SMALL, ["attrs==26.1.0"])
    assert again == SMALL.replace(
        "      - six==1.17.0 ; python_full_version < '3.12'\n\n", "      - attrs==26.1.0\n"
    )
    assert "".join(pins.split(SMALL)) == SMALL


@pytest.mark.parametrize("broken", [SMALL.replace("<<<", ""), SMALL * 2, SMALL.replace(">>>", "")])
def test_broken_markers_are_named(broken):
    assert "one of each is wanted" in sentence(pins.split, broken)


def test_pin_leaves_direct_pins_out_of_the_block_and_copies_the_file(tmp_path, monkeypatch):
    listed, copy = tmp_path / "environment.yml", tmp_path / "copy.yml"
    listed.write_text(SMALL)
    monkeypatch.setattr(pins, "LISTED", listed)
    monkeypatch.setattr(pins, "COPY", copy)
    monkeypatch.setattr(pins, "resolve", lambda direct: [*direct, "attrs==26.1.0"])
    assert pins.pin() == 0
    assert environment.requirements(listed.read_text()) == ["numpy==2.4.6", "attrs==26.1.0"]
    assert copy.read_bytes() == listed.read_bytes()


def test_pin_says_how_to_get_uv(monkeypatch):
    monkeypatch.setattr(pins.shutil, "which", lambda name: None)
    monkeypatch.setattr(pins.importlib.util, "find_spec", lambda name: None)
    assert "python3 -m pip install uv" in sentence(pins.uv)


# Which Python is used


@pytest.fixture
def installed(monkeypatch):
    """What the running Python pretends to have installed."""
    versions = {}

    def version(name):
        if name not in versions:
            raise metadata.PackageNotFoundError(name)
        return versions[name]

    monkeypatch.setattr(environment.metadata, "version", version)
    return versions


def test_satisfied_wants_every_pin_at_its_very_version(installed):
    wanted = ["numpy==2.4.6", "tqdm==4.70.1"]
    assert not environment.satisfied(wanted)
    installed.update(numpy="2.4.6", tqdm="4.70.0")
    assert not environment.satisfied(wanted)
    installed.update(tqdm="4.70.1")
    assert environment.satisfied(wanted)


def test_satisfied_leaves_out_what_is_for_other_systems(installed):
    assert environment.satisfied(["pywin32==312 ; sys_platform == 'nowhere'"])
    assert not environment.satisfied([f"pywin32==312 ; sys_platform == '{sys.platform}'"])


def test_satisfied_says_no_on_a_bare_python(monkeypatch):
    monkeypatch.setitem(sys.modules, "packaging.requirements", None)  # makes its import fail
    assert not environment.satisfied(PINS)


@pytest.fixture
def venv(tmp_path, monkeypatch):
    """A folder that stands in for `.venv`, in which nothing is really installed."""
    venv = tmp_path / ".venv"

    def create(command):
        environment.interpreter(venv).parent.mkdir(parents=True, exist_ok=True)
        environment.interpreter(venv).touch()
        return 0

    monkeypatch.setattr(environment, "VENV", venv)
    monkeypatch.setattr(environment, "satisfied", lambda pins: False)
    monkeypatch.setattr(environment.subprocess, "call", create)
    monkeypatch.setattr(environment, "install", lambda venv, pins: None)
    return venv


def builds(monkeypatch):
    """A list that grows by one with every real build."""
    seen, build = [], environment.build
    monkeypatch.setattr(environment, "build", lambda *a: (seen.append(1), build(*a)))
    return seen


def test_second_start_builds_nothing(venv, monkeypatch):
    seen = builds(monkeypatch)
    assert environment.python() == environment.python() == environment.interpreter(venv)
    assert len(seen) == 1


def test_a_changed_list_builds_again(venv, monkeypatch, tmp_path):
    seen = builds(monkeypatch)
    environment.python()
    changed = tmp_path / "environment.yml"
    changed.write_text(SMALL)
    monkeypatch.setattr(environment, "LISTED", changed)
    environment.python()
    environment.python()
    assert len(seen) == 2


def test_another_python_builds_again(venv, monkeypatch):
    environment.python()
    assert environment.stands(venv, PINS)
    monkeypatch.setattr(environment.sys, "version_info", (3, 99, 0))
    assert not environment.stands(venv, PINS)


def test_a_vanished_interpreter_builds_again(venv):
    environment.python()
    environment.interpreter(venv).unlink()
    assert not environment.stands(venv, PINS)


def test_an_interrupted_build_does_not_count_even_over_an_earlier_one(venv, monkeypatch):
    environment.python()

    def interrupted(venv, pins):
        raise KeyboardInterrupt

    monkeypatch.setattr(environment, "install", interrupted)
    with pytest.raises(KeyboardInterrupt):
        environment.build(venv, PINS)
    assert not environment.stands(venv, PINS)


def test_a_satisfied_python_is_used_as_it_is(venv, monkeypatch):
    seen = builds(monkeypatch)
    monkeypatch.setattr(environment, "satisfied", lambda pins: True)
    assert environment.python() == Path(sys.executable)
    assert not seen and not venv.exists()


def test_inside_the_own_environment_only_the_stamp_counts(venv, monkeypatch):
    """An interrupted pip may leave every package named but not every file written."""
    seen = builds(monkeypatch)
    monkeypatch.setattr(environment, "satisfied", lambda pins: True)
    monkeypatch.setattr(environment.sys, "prefix", str(venv))
    environment.python()
    assert len(seen) == 1


# What it says when it cannot go on


@pytest.mark.parametrize("version", [(3, 10, 13), (3, 14, 0), (4, 0, 0)])
def test_other_pythons_hear_which_are_wanted(version):
    said = sentence(environment.check_version, version)
    assert f"This is Python {version[0]}.{version[1]}," in said
    assert "Python 3.11 to 3.13" in said and "`python3.13 -m helpers lab`" in said


@pytest.mark.parametrize("version", [(3, 11, 0), (3, 12, 1), (3, 13, 9)])
def test_supported_pythons_pass(version):
    environment.check_version(version)


def test_a_missing_ensurepip_is_named_before_anything_is_touched(venv, monkeypatch):
    monkeypatch.setattr(environment.importlib.util, "find_spec", lambda name: None)
    said = sentence(environment.build, venv, PINS)
    assert "ensurepip" in said and f"python{environment.short(sys.version_info)}-venv" in said
    assert not venv.exists()


@pytest.mark.skipif(os.name == "nt", reason="a shell script stands in for Python")
def test_a_failed_pip_shows_its_last_words(tmp_path):
    stand_in = environment.interpreter(tmp_path)
    stand_in.parent.mkdir()
    stand_in.write_text("#!/bin/sh\necho ERROR: no space left\nexit 3\n")
    stand_in.chmod(0o755)
    said = sentence(environment.install, tmp_path, PINS)
    assert "no space left" in said and "code 3" in said and "same command again" in said


# What it shows while it works


def test_progress_follows_pip():
    log = "Ignoring appnope: markers\n"
    assert environment.progress(log, 0, 3) == "looking up: 0 of 2 packages"
    log += "Collecting numpy==2.4.6 (from -r x)\n  Downloading numpy-2.4.6.whl.metadata (6 kB)\n"
    assert environment.progress(log, 0, 3) == "looking up: 1 of 2 packages"
    log += "  Downloading numpy-2.4.6-cp312.whl (16.6 MB)\n"
    assert environment.progress(log, 0, 3) == "fetching: 1 of 2 packages, now numpy (16.6 MB)"
    log += "Processing /somewhere/tqdm-4.70.1-py3.whl (from -r x)\n"
    assert environment.progress(log, 0, 3) == "fetching: 2 of 2 packages, now tqdm"
    log += "Installing collected packages: numpy, tqdm\n"
    assert environment.progress(log, 1, 3) == "installing: 1 of 2 packages"


def test_clock():
    assert environment.clock(59.4) == "59 s"
    assert environment.clock(61) == "1 min 01 s"


# The commands


@pytest.fixture
def ran(monkeypatch):
    """The arguments that would have gone to the environment's Python."""
    seen = []
    monkeypatch.setattr(environment, "run", lambda arguments: seen.extend(arguments) or 7)
    return seen


@pytest.mark.parametrize("rest", [["-k", "row"], ["--help"], ["test_x.py", "-x", "--", "y"]])
def test_test_passes_everything_on_to_pytest(ran, rest):
    assert commands.main(["test", *rest]) == 7
    assert ran == ["-m", "pytest", *rest]


def test_the_whole_suite_keeps_the_cells_of_a_notebook_in_one_process(ran):
    assert commands.main(["test"]) == 7
    assert ran == ["-m", "pytest", "-n", "2", "--dist", "loadfile"]


def test_exit_codes_come_through_from_any_folder(tmp_path):
    command = [sys.executable, "-m", "helpers", "test", "--no-such-option"]
    where = {**os.environ, "PYTHONPATH": str(environment.ROOT)}
    result = subprocess.run(command, cwd=tmp_path, env=where, capture_output=True, text=True)
    assert result.returncode == pytest.ExitCode.USAGE_ERROR
    assert str(environment.ROOT / "pyproject.toml") in result.stderr


def test_lab_opens_the_first_notebook_and_takes_more_options(ran):
    commands.main(["lab", "--no-browser", "--port", "8890"])
    assert ran[:3] == ["-m", "jupyterlab", f"--ServerApp.root_dir={environment.ROOT}"]
    assert "--LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb" in ran
    assert ran[-3:] == ["--no-browser", "--port", "8890"]


def test_bench_passes_its_name_on(ran):
    commands.main(["bench", "step", "--fast"])
    assert "helpers.bench" in ran[1] and ran[2:] == ["step", "--fast"]


@pytest.mark.parametrize("arguments", [[], ["--help"]])
def test_help_names_every_command(arguments, capsys):
    try:
        assert commands.main(arguments) == 0
    except SystemExit as stopped:
        assert stopped.code == 0
    said = capsys.readouterr().out
    assert all(f"python3 -m helpers {name}" in said for name in commands.COMMANDS)


def test_an_unknown_command_hears_which_there_are(capsys):
    with pytest.raises(SystemExit) as stopped:
        commands.main(["tset"])
    assert stopped.value.code == 2
    said = capsys.readouterr().err
    assert "tset" in said and "lab" in said and "test" in said


BARE = ["__init__", "__main__", "tools/__init__", "tools/environment", "tools/pins"]


@pytest.mark.parametrize("name", BARE)
def test_it_starts_on_a_bare_and_even_on_an_old_python(name):
    """Standard library alone at import, and a syntax that an old Python can read."""
    source = (environment.ROOT / "helpers" / f"{name}.py").read_text(encoding="utf-8")
    tree = ast.parse(source, feature_version=(3, 7))
    assert "from __future__" not in source and "match " not in source.replace("re.match ", "")
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = getattr(node, "module", None) or node.names[0].name
            assert module.split(".")[0] in {*sys.stdlib_module_names, "helpers"}, module
