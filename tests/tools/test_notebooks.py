"""The notebooks' files: what is no part of the lesson is left out of them, and nothing else."""

import nbformat.v4 as v4
import pytest

from helpers.tools import notebooks

LOG = "W0000 00:00:1795393440.443578   13678 loop_optimizer.cc:934] Skipping loop optimization\n"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (LOG, False),
        (2 * LOG, False),
        ("UserWarning: a reader should see this\n", True),
        (LOG + "UserWarning: and this\n", True),
    ],
)
def test_the_log_of_native_code_is_left_out_and_warnings_stay(text, kept):
    output = v4.new_output("stream", name="stderr", text=text)
    printed = v4.new_output("stream", name="stdout", text=LOG)
    cell = v4.new_code_cell("1", outputs=[output, printed])
    notebooks.clean(v4.new_notebook(cells=[cell]))
    assert cell.outputs == ([output] if kept else []) + [printed]
