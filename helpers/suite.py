"""Every test: most of them in two processes, then those of the browser, which need both cores."""

import subprocess
import sys

PARTS = [["-m", "not browser", "-n", "2", "--dist", "loadfile"], ["-m", "browser"]]


def main(rest):
    """Run pytest with the arguments `rest`, or every test if there are none; return its code."""
    codes = [subprocess.call([sys.executable, "-m", "pytest", *part]) for part in commands(rest)]
    return next(filter(None, codes), 0)


def commands(rest):
    """The lists of arguments with which pytest is started, one after the other."""
    return [rest] if rest else PARTS
