"""Imports TensorFlow once, and forks a kernel for everyone who asks at the socket that it is given.

A request is one line of JSON: the kernel's arguments, folder and environment; with its first byte
come the three standard streams. The answer is the kernel's process number. When the one who asked
is gone, the kernel ends, and with it what it has started.
"""

import gc
import json
import os
import select
import signal
import socket
import sys
import threading


def main(listening):
    """Serve until standard input is closed."""
    import numpy
    import tensorflow

    assert tensorflow.__version__  # nothing is run with it: a fork has no threads but its own
    gc.freeze()  # no kernel looks for garbage in it
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for a kernel
    while listening in select.select([listening, sys.stdin], [], [])[0]:  # until stdin is closed
        connection, _ = listening.accept()
        if os.fork() == 0:
            listening.close()
            numpy.random.seed()  # or every kernel would draw the same numbers
            become_kernel(connection)
        connection.close()


def become_kernel(connection):
    """Turn this process into the kernel that is asked for."""
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _, streams, _, _ = socket.recv_fds(connection, 1, 3)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    with connection.makefile("r") as lines:
        request = json.loads(lines.readline())
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    connection.sendall(b"%d\n" % os.getpid())
    threading.Thread(target=end_with, args=[connection], daemon=True).start()

    from ipykernel import kernelapp

    sys.path.remove(
        os.path.dirname(os.path.abspath(__file__))
    )  # the script's; a kernel has its own
    sys.argv = ["ipykernel", *request["arguments"]]
    kernelapp.launch_new_instance()
    sys.exit()


def end_with(connection):
    """End this process and its children when the other side of the connection is gone."""
    connection.recv(1)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))
