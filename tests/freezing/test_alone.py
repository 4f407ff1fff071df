"""The folder of the exact freeze works in anybody's project: copied, or installed."""

import os
import shutil
import subprocess
import sys
import zipfile

import pytest

from helpers import ROOT

PROJECT = """
import keras
import numpy as np

from {name} import freezable

keras.utils.set_random_seed(0)
inputs = np.random.default_rng(0).normal(size=(32, 4)).astype("float32")
targets = inputs.sum(axis=1, keepdims=True)
layers = [keras.layers.Input((4,)), keras.layers.Dense(3), keras.layers.Dense(1)]
model = keras.Sequential(layers)
optimizer = freezable(keras.optimizers.AdamW)(0.01, weight_decay=0.1)
model.compile(optimizer, "mse")
model.fit(inputs, targets, 8, 2, verbose=0)
kernel = model.layers[0].kernel
frozen = np.arange(12).reshape(4, 3) % 2 == 0
optimizer.freeze_cells(kernel, frozen)
before = kernel.numpy()
model.fit(inputs, targets, 8, 2, verbose=0)
assert ((kernel.numpy() != before) == ~frozen).all()

model.save("model.keras")
loaded = keras.models.load_model("model.keras")
kernel = loaded.layers[0].kernel
assert (loaded.optimizer.frozen_cells(kernel).numpy() == frozen).all()
loaded.fit(inputs, targets, 8, 2, verbose=0)
bits = kernel.numpy().view("uint32"), before.view("uint32")
assert ((bits[0] != bits[1]) == ~frozen).all()
print("FROZEN BITS EQUAL")
"""


def copied(folder):
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "helpers" / "freezing", folder / "my_freeze", ignore=ignored)
    return "my_freeze"


def installed(folder):
    """As pip does: setuptools makes a wheel, which is unpacked."""
    source = folder / "source"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "helpers" / "freezing", source / "helpers" / "freezing", ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    build = f"from setuptools import build_meta; print(build_meta.build_wheel({str(folder)!r}))"
    run(["-c", build], source)
    (wheel,) = folder.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(folder)
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


@pytest.mark.parametrize("bring", [copied, installed])
def test_the_folder_alone_trains_freezes_saves_and_goes_on(tmp_path, bring):
    name = bring(tmp_path)
    (tmp_path / "project.py").write_text(PROJECT.replace("{name}", name), encoding="utf-8")
    ran = run(["project.py"], tmp_path)
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert "FROZEN BITS EQUAL" in ran.stdout
