"""What a page shows for tf_keras (Keras 2), which the course does not install, is code that
`.ci/wheel` runs."""

import re

import pytest

from helpers import ROOT
from helpers.tools import notebooks

RUN = (ROOT / "tests" / "freezing" / "in_tf_keras.py").read_text(encoding="utf-8")
PROSE = [cell.source for path in notebooks.paths() for cell in notebooks.read(path).cells]
BLOCKS = re.findall(r"^```python\n(.*?)^```$", "\n".join(PROSE), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("block", [block for block in BLOCKS if "tf_keras." in block])
def test_it_is_run_word_for_word(block):
    assert block in RUN
