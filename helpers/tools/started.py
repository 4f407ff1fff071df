"""Runs what a module calls `main`; an interrupt ends it with a sentence, not with a traceback.

Only the standard library is used, as by every command that runs before anything is installed.
"""

import _thread
import importlib
import os
import signal
import sys
import threading


def until_stopped(main, arguments):
    """Call `main` with what the command line gave, and end the program with its exit code."""
    sys.unraisablehook = _again
    try:
        sys.exit(main(arguments))
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second one would end it by a traceback
        print("\nStopped. Run the same command again to go on.", file=sys.stderr)
        # What is cut short may complain while Python cleans up, and has nothing to say to anybody.
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 (until the process ends)
        sys.exit(130)


def _again(ignored):
    """Interrupt again where an interrupt came while an object was cleaned up, and led nowhere."""
    if issubclass(ignored.exc_type, KeyboardInterrupt):
        # A moment later: from here it would lead nowhere, too.
        threading.Timer(0.01, _thread.interrupt_main).start()
    else:
        sys.__unraisablehook__(ignored)


def named(arguments):
    """Call the `main` of the module that is named first with the arguments that follow."""
    name, *rest = arguments
    return importlib.import_module(name).main(rest)


if __name__ == "__main__":
    until_stopped(named, sys.argv[1:])
