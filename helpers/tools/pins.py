"""Regenerates what the direct pins bring along, and hands Binder its copy of the list.

The copy is lighter by a quarter of what is installed: Binder has no GPU, and nobody changes the
course there. What the lines that it leaves out bring along stays; it is little.
"""

import re
import subprocess
import sys

from helpers.tools import files
from helpers.tools.environment import LISTED, OLDEST, ROOT, requirements, say, short, uv

BEGIN, END = "      # >>>", "      # <<<"
DEVELOPERS = "      # For whoever changes the course"
COPY = ROOT / "binder" / "environment.yml"


def pin():
    """Resolve the direct pins anew, write the generated block, copy the file to binder/."""
    text = LISTED.read_text(encoding="utf-8")
    direct = requirements(split(text)[0])
    generated = [line for line in resolve(direct) if line not in direct]
    files.write(LISTED, splice(text, generated))
    files.write(COPY, light(LISTED.read_text(encoding="utf-8")))
    say(f"{len(direct)} direct pins and {len(generated)} that come along; the copy is in binder/.")
    return 0


def resolve(direct):
    """Return the whole consistent list for every supported Python and system, as requirement
    lines."""
    fast = uv()
    if not fast:
        sys.exit(
            "`pin` needs uv, which is neither on the PATH nor a module of this Python: "
            "run `python3 -m pip install uv`, then the same command again."
        )
    command = [*fast, "pip", "compile", "--quiet", "--no-annotate", "--no-header", "-"]
    command += ["--universal", "--python-version", short(OLDEST)]
    result = subprocess.run(command, input="\n".join(direct), stdout=subprocess.PIPE, text=True)
    if result.returncode:
        sys.exit("uv found no list that fits these pins: change a direct pin that it names above.")
    return result.stdout.splitlines()


def splice(text, generated):
    """Return the file's text with the block between the markers replaced."""
    before, begin, _, end = split(text)
    return before + begin + "".join(f"      - {line}\n" for line in generated) + end


def light(text):
    """Binder's copy of the list: with TensorFlow for processors alone, and nothing from the line
    DEVELOPERS to the generated block."""
    before, *rest = split(text)
    kept, found, _ = before.partition(DEVELOPERS)
    if not found:
        sys.exit(f"environment.yml has no line `{DEVELOPERS.strip()} …`: restore the file.")
    subject = r"- tensorflow-cpu==\1  # the subject; Binder has no GPU"
    return "".join([re.sub(r"- tensorflow==(\S+).*", subject, kept), *rest])


def split(text):
    """Return what stands before the block, its first marker, the block, its last marker and the
    rest."""
    lines = text.splitlines(keepends=True)
    begins = [i for i, line in enumerate(lines) if line.startswith(BEGIN)]
    ends = [i for i, line in enumerate(lines) if line.startswith(END)]
    if not (len(begins) == len(ends) == 1 and begins < ends):
        sys.exit(
            f"environment.yml has {len(begins)} lines `{BEGIN.strip()}` and {len(ends)} lines "
            f"`{END.strip()}`; one of each is wanted, in this order: restore the file."
        )
    (begin,), (end,) = begins, ends
    pieces = lines[:begin], lines[begin : begin + 1], lines[begin + 1 : end], lines[end:]
    return ["".join(piece) for piece in pieces]
