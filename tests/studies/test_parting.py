"""Which settings spoil a freeze on several replicas, and the form on which they are chosen."""

import subprocess
import sys

from helpers import ROOT

FOUND = """
import tensorflow as tf
cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 4)
from helpers.studies.parting import Parting
on_one = tf.distribute.ReductionToOneDevice()

def mirrored(replicas):
    names = [f"CPU:{number}" for number in range(replicas)]
    return tf.distribute.MirroredStrategy(names, cross_device_ops=on_one)

parting = Parting(mirrored)
mask, adam, aggregation = parting.goals
for replicas in (2, 3, 4):
    parting.replicas.value, parting.mask.value = replicas, "one for all"
    assert parting.train() == (0, 0), replicas
    parting.mask.value = "sum"
    assert parting.train() == (0, 0), replicas
assert not parting.reached and "✓" not in parting._told.value

parting.replicas.value, parting.mask.value = 2, "own"
differ, moved = parting.train()
assert differ > 50 and not moved and parting.reached == {mask}
parting.adam.value = "outside"
parting.train()
assert parting.reached == {mask}, "with two settings changed, nobody knows which it was"
parting.mask.value = "one for all"
differ, moved = parting.train()
assert differ == 320 and not moved and parting.reached == {mask, adam}
parting.adam.value, parting.aggregation.value = "within", "mean"
assert parting.train() == (0, 0)
parting.replicas.value = 3
differ, moved = parting.train()
assert not differ and moved > 20
assert parting.reached == {mask, adam, aggregation}
assert parting._told.value.count("✓") == 3
shown = parting._repr_mimebundle_()
assert shown["image/png"].startswith(b"\\x89PNG") and "Parting" in shown["text/plain"]
print("HELD")
"""


def test_each_setting_alone_spoils_something_and_none_of_the_others_does():
    # In a process of its own: a processor is divided before TensorFlow's first operation.
    command = [sys.executable, "-c", FOUND]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.split() == ["HELD"], done.stderr
