"""A GPU in one step: what is there is named, and nothing of 4 GB comes unasked."""

import sys
from importlib import metadata

import pytest

from helpers import __main__ as commands
from helpers.tools import copies, environment, gpu


@pytest.fixture
def driver(monkeypatch, tmp_path):
    """A function that puts an nvidia-smi on the path which prints this, or fails."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(environment, "python", lambda: sys.executable)

    def put(printed):
        smi = tmp_path / "nvidia-smi"
        smi.write_text(f"#!/bin/sh\necho '{printed}'\n" if printed else "#!/bin/sh\nexit 9\n")
        smi.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    return put


@pytest.fixture
def installed(monkeypatch):
    """What would have been installed; into which environment is another test's."""
    seen = []
    monkeypatch.setattr(environment, "install_more", lambda python, *what: seen.extend(what))
    return seen


@pytest.fixture
def ran(monkeypatch, tmp_path):
    seen = []
    monkeypatch.setattr(copies, "YOURS", tmp_path / "yours")
    monkeypatch.setattr(environment, "run", seen.extend)
    return seen


def test_a_gpu_that_is_not_used_is_named_with_what_it_takes(driver, installed, ran, capsys):
    driver("NVIDIA T4")
    commands.main(["lab"])
    said = capsys.readouterr().err
    assert "NVIDIA T4 is not used yet" in said and "lab --gpu" in said and gpu.SIZE in said
    assert installed == []


@pytest.mark.parametrize("printed", ["", None])
def test_without_a_gpu_nothing_is_said_and_to_ask_for_it_names_the_next_step(
    driver, installed, ran, capsys, printed
):
    driver(printed)
    commands.main(["lab"])
    assert "GPU" not in capsys.readouterr().err
    with pytest.raises(SystemExit, match="No NVIDIA GPU was found: .* or go on without --gpu"):
        commands.main(["lab", "--gpu"])
    assert installed == []


def test_elsewhere_than_under_linux_the_way_that_there_is_is_named(driver, monkeypatch, ran):
    driver("NVIDIA T4")
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(SystemExit, match="WSL 2"):
        commands.main(["test", "--gpu"])


def test_what_is_listed_is_installed_with_its_cuda_libraries_once(
    driver, installed, ran, monkeypatch
):
    driver("NVIDIA T4")
    commands.main(["lab", "--gpu", "--no-browser"])
    version = metadata.version("tensorflow")
    assert installed == [f"tensorflow[and-cuda]=={version}"]
    assert "and-cuda" in metadata.metadata("tensorflow").get_all("Provides-Extra")
    assert ran[0] == "jupyterlab.labapp" and "--gpu" not in ran and ran[-1] == "--no-browser"
    monkeypatch.setattr(gpu, "THERE", "")
    commands.main(["test", "--gpu", "-x"])
    assert len(installed) == 1 and ran[-5:] == ["pytest", *commands.ON_A_GPU, "-x"]
    assert all((environment.ROOT / path).exists() for path in commands.ON_A_GPU)
