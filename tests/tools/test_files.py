"""A file is written whole or not at all."""

import subprocess
import sys

import pytest

from helpers import ROOT
from helpers.tools import copies, files

# No file of this process may grow beyond 1,000 bytes, as on a disk that is full.
FULL = """import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
"""
WRITE = (
    "import pathlib\nfrom helpers.tools import files\nfiles.write(pathlib.Path(sys.argv[1]), {})"
)
COPY = (
    "import pathlib\nfrom helpers.tools import copies\ncopies.YOURS = pathlib.Path(sys.argv[1])\n"
)


def on_a_full_disk(code, path):
    command = [sys.executable, "-c", FULL + code, str(path)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


@pytest.mark.parametrize(("content", "held"), [("ä\n", "ä\n".encode()), (b"\0\1", b"\0\1")])
def test_text_and_bytes_arrive_as_they_are(tmp_path, content, held):
    path = tmp_path / "there"
    for former in (None, b"former"):
        if former:
            path.write_bytes(former)
        files.write(path, content)
        assert path.read_bytes() == held
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
@pytest.mark.parametrize("content", ["'new' * 1000", "b'new' * 1000"])
def test_on_a_full_disk_the_former_file_stays_and_a_sentence_says_so(tmp_path, content):
    path = tmp_path / "there"
    path.write_text("former")
    result = on_a_full_disk(WRITE.format(content), path)
    assert result.returncode == 1 and path.read_text() == "former"
    assert result.stderr.startswith(f"{path} could not be written (File too large)")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_on_a_full_disk_no_copy_is_left_that_is_no_notebook(tmp_path, monkeypatch):
    """Half a notebook would stay: it might be one that somebody has changed."""
    result = on_a_full_disk(COPY + "copies.bring()", tmp_path)
    assert "could not be written" in result.stderr and list(tmp_path.iterdir()) == []
    monkeypatch.setattr(copies, "YOURS", tmp_path)
    assert copies.bring() == [] and len(list(tmp_path.iterdir())) > 10
