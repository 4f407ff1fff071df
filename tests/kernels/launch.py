"""What Jupyter starts in a kernel's place: asks the nursery for a kernel, passes signals on to it,
and lives as long as it does. Needs the standard library alone, so that it starts at once."""

import json
import os
import signal
import socket
import sys


def main(address, *arguments):
    """Ask for a kernel with these arguments, and wait for its end."""
    request = {"arguments": arguments, "folder": os.getcwd(), "environment": dict(os.environ)}
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(address)
        socket.send_fds(connection, [b"\n"], [0, 1, 2])
        connection.sendall(json.dumps(request).encode() + b"\n")
        with connection.makefile("r") as lines:
            kernel = int(lines.readline())
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, lambda number, frame: os.killpg(kernel, number))
            lines.readline()  # which ends with the kernel


if __name__ == "__main__":
    main(*sys.argv[1:])
