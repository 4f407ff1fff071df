"""Files that are written whole or not at all: a full disk or an interrupt leaves the former one.

Only the standard library is used, as by every command that runs before anything is installed.
"""

import os
import sys


def write(path, content):
    """Put text, as UTF-8 with the line ends that it has, or bytes into a file.

    Where there is no room, or no leave to write, the program ends with a sentence, and the file is
    as it was before.
    """
    fresh = path.with_name(f"{path.name}.part")
    try:
        fresh.write_bytes(content.encode() if isinstance(content, str) else content)
        os.replace(fresh, path)
    except OSError as error:
        sys.exit(
            f"{path} could not be written ({error.strerror}), and is as it was. Make room or give "
            "leave to write there, then run the same command again."
        )
    finally:
        fresh.unlink(missing_ok=True)
