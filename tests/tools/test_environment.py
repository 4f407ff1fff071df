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
from helpers.tools import copies, environment, pins

TEXT = environment.LISTED.read_text(encoding="utf-8")
PINS = environment.requirements(TEXT)
DIRECT = environment.requirements(pins.split(TEXT)[0])
SMALL = """name: x
dependencies:
  - python=3.12
  - pip
  # a comment
  - pip:
      - tensorflow==2.21.0  # the subject, with or without a GPU
      - numpy==2.4.6  # masks
      # For whoever changes the course
      - pytest==9.2.0  # runs every test
      # >>> generated
      - six==1.17.0 ; python_full_version < '3.12'

      # <<<
  - git
"""
DIRECT_OF_SMALL = ["tensorflow==2.21.0", "numpy==2.4.6", "pytest==9.2.0"]


def sentence(call, *arguments):
    """The one sentence with which a call gives up."""
    with pytest.raises(SystemExit) as stopped:
        call(*arguments)
    return str(stopped.value)


# The list


def test_parser_takes_the_pip_list_and_nothing_else():
    assert environment.requirements(SMALL) == [
        *DIRECT_OF_SMALL,
        "six==1.17.0 ; python_full_version < '3.12'",
    ]


def test_parser_agrees_with_yaml():
    assert yaml.safe_load(TEXT)["dependencies"][-1] == {"pip": PINS}
    assert len(PINS) > len(DIRECT) > 10


def test_parser_misses_the_pip_section():
    assert "no line `  - pip:`" in sentence(environment.requirements, "name: x\n")


def test_every_direct_pin_carries_a_reason():
    above = pins.split(TEXT)[0]
    lines = [line for line in above.splitlines() if line.startswith("      - ")]
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


def test_binders_copy_has_tensorflow_for_processors_and_nothing_for_developers():
    assert environment.requirements(pins.light(SMALL)) == [
        "tensorflow-cpu==2.21.0",
        "numpy==2.4.6",
        "six==1.17.0 ; python_full_version < '3.12'",
    ]
    assert pins.light(SMALL).endswith("# <<<\n  - git\n") and "GPU" in pins.light(SMALL)


def test_a_list_that_does_not_say_what_developers_need_is_named():
    without = SMALL.replace("For whoever changes the course", "")
    assert "restore the file" in sentence(pins.light, without)


def test_pin_leaves_direct_pins_out_of_the_block_and_hands_on_the_copy(tmp_path, monkeypatch):
    listed, copy = tmp_path / "environment.yml", tmp_path / "copy.yml"
    listed.write_text(SMALL)
    monkeypatch.setattr(pins, "LISTED", listed)
    monkeypatch.setattr(pins, "COPY", copy)
    monkeypatch.setattr(pins, "resolve", lambda direct: [*direct, "attrs==26.1.0"])
    assert pins.pin() == 0
    assert environment.requirements(listed.read_text()) == [*DIRECT_OF_SMALL, "attrs==26.1.0"]
    assert copy.read_text() == pins.light(listed.read_text())


def test_pin_says_how_to_get_uv(monkeypatch):
    monkeypatch.setattr(pins, "uv", lambda: None)
    assert "python3 -m pip install uv" in sentence(pins.resolve, DIRECT)


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

    def create(venv, fast):
        environment.interpreter(venv).parent.mkdir(parents=True, exist_ok=True)
        environment.interpreter(venv).touch()

    monkeypatch.setattr(environment, "VENV", venv)
    monkeypatch.setattr(environment, "satisfied", lambda pins: False)
    monkeypatch.setattr(environment, "create", create)
    monkeypatch.setattr(environment, "install", lambda venv, pins, fast: None)
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

    def interrupted(venv, pins, fast):
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
    advice = sentence(environment.check_version, version)
    assert f"This is Python {version[0]}.{version[1]}," in advice
    assert "Python 3.11 to 3.13" in advice and "`python3.13 -m helpers lab`" in advice


@pytest.mark.parametrize("version", [(3, 11, 0), (3, 12, 1), (3, 13, 9)])
def test_supported_pythons_pass(version):
    environment.check_version(version)


def test_a_missing_ensurepip_is_named_before_anything_is_touched(venv, monkeypatch):
    monkeypatch.setattr(environment.shutil, "which", lambda name: None)
    monkeypatch.setattr(environment.importlib.util, "find_spec", lambda name: None)
    advice = sentence(environment.build, venv, PINS)
    assert "ensurepip" in advice and f"python{environment.short(sys.version_info)}-venv" in advice
    assert not venv.exists()


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_an_environment_that_is_a_link_is_never_emptied(tmp_path, monkeypatch):
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "used by others").touch()
    (tmp_path / ".venv").symlink_to(shared)
    assert "is a link" in sentence(environment.build, tmp_path / ".venv", PINS)
    assert (shared / "used by others").exists()


@pytest.fixture
def stand_in(tmp_path):
    """A function that makes a program which writes down its arguments and ends with a code."""
    if os.name == "nt":
        pytest.skip("a shell script stands in for a program")

    def make(program, code=0):
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\nexit {code}\n')
        program.chmod(0o755)
        return program

    return make


def test_a_failed_pip_says_how_to_go_on(tmp_path, stand_in):
    stand_in(environment.interpreter(tmp_path), code=3)
    advice = sentence(environment.install, tmp_path, PINS, None)
    assert "code 3" in advice and "same command again" in advice
    assert "-m pip install" in (tmp_path / "calls").read_text()


def test_what_pip_says_goes_to_the_error_stream(capfd):
    assert environment.aloud([sys.executable, "-c", "print('Collecting'); exit(4)"]) == 4
    assert capfd.readouterr() == ("", "Collecting\n")


def test_uv_is_used_where_it_is_on_the_path(tmp_path, stand_in, monkeypatch):
    monkeypatch.setenv("PATH", str(stand_in(tmp_path / "bin" / "uv").parent))
    environment.build(stand_in(environment.interpreter(tmp_path / ".venv")).parents[1], PINS)
    made, installed = (tmp_path / "calls").read_text().splitlines()
    assert made.startswith("venv --clear") and made.endswith(str(tmp_path / ".venv"))
    assert installed.startswith("pip install --compile-bytecode --python")
    assert environment.stands(tmp_path / ".venv", PINS)


# The commands


@pytest.fixture
def ran(monkeypatch, tmp_path):
    """The arguments that would have gone to the environment's Python; copies are made elsewhere."""
    seen = []
    monkeypatch.setattr(copies, "YOURS", tmp_path / "yours")
    monkeypatch.setattr(environment, "run", lambda arguments: seen.extend(arguments) or 7)
    return seen


@pytest.mark.parametrize("rest", [["-k", "row"], ["--help"], ["test_x.py", "-x", "--", "y"]])
def test_test_passes_everything_on_to_pytest(ran, rest):
    assert commands.main(["test", *rest]) == 7
    assert ran == ["pytest", *rest]


@pytest.mark.parametrize(
    ("rest", "processes"), [([], "2"), (["--all"], "3"), (["--all", "--every-case"], "3")]
)
def test_the_whole_suite_runs_in_several_processes(ran, rest, processes):
    assert commands.main(["test", *rest]) == 7
    assert ran == ["pytest", "-n", processes, *commands.WHOLE, *rest]


def test_exit_codes_come_through_from_any_folder(tmp_path):
    # The real command would build an environment that is out of date anew: the one we run in.
    own = environment.inside(environment.VENV)
    assert not own or environment.stands(environment.VENV, PINS), "renew .venv first"
    command = [sys.executable, "-m", "helpers", "test", "--no-such-option"]
    where = {**os.environ, "PYTHONPATH": str(environment.ROOT)}
    result = subprocess.run(command, cwd=tmp_path, env=where, capture_output=True, text=True)
    assert result.returncode == pytest.ExitCode.USAGE_ERROR
    assert str(environment.ROOT / "pyproject.toml") in result.stderr


def test_lab_opens_the_first_notebook_and_takes_more_options(ran):
    commands.main(["lab", "--no-browser", "--port", "8890"])
    assert ran[:2] == ["jupyterlab.labapp", f"--ServerApp.root_dir={environment.ROOT}"]
    assert "--LabApp.default_url=/lab/tree/yours/00_start_here.ipynb" in ran
    assert ran[-3:] == ["--no-browser", "--port", "8890"]
    assert (copies.YOURS / "00_start_here.ipynb").exists()


def test_lab_renews_the_copies_when_asked_and_names_those_that_have_changed(ran, capsys):
    commands.main(["lab"])
    page = copies.YOURS / "00_start_here.ipynb"
    page.write_text(page.read_text().replace('"course": "', '"course": "older'))
    commands.main(["lab"])
    assert "yours/00_start_here.ipynb has your changes" in capsys.readouterr().err
    commands.main(["lab", "--renew"])
    assert "--renew" not in ran and "your changes" not in capsys.readouterr().err
    assert len(list(copies.YOURS.glob("before/*/00_start_here.ipynb"))) == 1


def test_lab_and_binder_bring_the_settings_that_the_course_has_for_jupyterlab(ran, monkeypatch):
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", "a reader's own")
    commands.main(["lab"])
    ours, own = os.environ["JUPYTER_CONFIG_PATH"].split(os.pathsep)
    assert (ours, own) == (str(environment.LAB_SETTINGS), "a reader's own")
    start = (environment.ROOT / "binder" / "start").read_text()
    relative = environment.LAB_SETTINGS.relative_to(environment.ROOT).as_posix()
    assert f'export JUPYTER_CONFIG_PATH="${{REPO_DIR}}/{relative}"' in start


@pytest.mark.skipif(os.name == "nt", reason="Windows has no root")
@pytest.mark.parametrize(("user", "allowed"), [(0, True), (1000, False)])
def test_lab_starts_for_root_too_and_says_so(ran, user, allowed, monkeypatch, capsys):
    monkeypatch.setattr(os, "geteuid", lambda: user)
    commands.main(["lab"])
    assert ("--allow-root" in ran) == ("--allow-root" in capsys.readouterr().err) == allowed


def test_bench_passes_its_name_on(ran):
    commands.main(["bench", "step", "--fast"])
    assert ran == ["helpers.bench", "step", "--fast"]


@pytest.mark.parametrize("arguments", [[], ["--help"]])
def test_help_names_every_command(arguments, capsys):
    try:
        assert commands.main(arguments) == 0
    except SystemExit as stopped:
        assert stopped.code == 0  # noqa: PT017 - argparse stops for --help alone
    said = capsys.readouterr().out
    assert all(f"python3 -m helpers {name}" in said for name in commands.COMMANDS)


def test_an_unknown_command_hears_which_there_are(capsys):
    with pytest.raises(SystemExit) as stopped:
        commands.main(["tset"])
    assert stopped.value.code == 2
    said = capsys.readouterr().err
    assert "tset" in said and "lab" in said and "test" in said


BARE = ["__init__", "__main__", "tools/__init__"]
BARE += [
    f"tools/{name}" for name in ("address", "copies", "environment", "files", "pins", "started")
]


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
