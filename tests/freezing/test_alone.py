"""The folder of the exact freeze works in anybody's project: copied, under another name."""

import os
import shutil
import subprocess
import sys

from helpers import ROOT

PROJECT = """
import keras
import numpy as np

from my_freeze import freezable

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


def test_the_folder_alone_trains_freezes_saves_and_goes_on(tmp_path):
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "helpers" / "freezing", tmp_path / "my_freeze", ignore=ignored)
    (tmp_path / "project.py").write_text(PROJECT, encoding="utf-8")
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    ran = subprocess.run(
        [sys.executable, "project.py"],
        cwd=tmp_path,
        env=clean,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert ran.stdout.strip().endswith("FROZEN BITS EQUAL")
