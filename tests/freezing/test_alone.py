"""The folder of the exact freeze works in anybody's project: copied, or installed."""

import os
import shutil
import subprocess
import sys
import zipfile

import pytest

from helpers import ROOT

PROJECT = (ROOT / "tests" / "freezing" / "at_home.py").read_text(encoding="utf-8")


def copied(folder):
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "helpers" / "freezing", folder / "my_freeze", ignore=ignored)
    return "my_freeze"


def wheel(folder):
    """Let setuptools make the wheel, as pip does; return its path."""
    source = folder / "source"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "helpers" / "freezing", source / "helpers" / "freezing", ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    build = f"from setuptools import build_meta; print(build_meta.build_wheel({str(folder)!r}))"
    run(["-c", build], source)
    return next(folder.glob("*.whl"))


def installed(folder):
    zipfile.ZipFile(wheel(folder)).extractall(folder)
    return "freezing_tensors"


def run(arguments, folder):
    """Run Python in a folder that knows nothing of the course; return what it did."""
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=clean,
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.mark.thorough
@pytest.mark.parametrize("bring", [copied, installed])
def test_the_folder_alone_trains_freezes_saves_and_goes_on(tmp_path, bring):
    name = bring(tmp_path)
    project = PROJECT.replace("freezing_tensors", name)
    (tmp_path / "project.py").write_text(project, encoding="utf-8")
    ran = run(["project.py"], tmp_path)
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert "FROZEN BITS EQUAL" in ran.stdout


def test_the_wheel_has_the_folder_and_nothing_else(tmp_path):
    folder = ROOT / "helpers" / "freezing"
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    names = zipfile.ZipFile(wheel(tmp_path)).namelist()
    packed = {name for name in names if ".dist-info/" not in name}
    wanted = {f"freezing_tensors/{name}" for name in files if "__pycache__" not in name}
    assert packed == wanted
