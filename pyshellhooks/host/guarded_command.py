"""Command line of a program that must not outlive this process (``parent_guard.py``)."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from os.path import dirname, isfile, join


def guarded_command(name: str, command: Sequence[str]) -> list[str]:
    """Return the command line that runs a program under ``parent_guard.py``, or the command itself if that is impossible.

    On Windows a Job Object replaces the subreaper. In a program that embeds Python, ``sys.executable`` is that program,
    not an interpreter.
    """
    has_interpreter = bool(sys.executable) and not getattr(sys, "frozen", False)
    if sys.platform == "win32" or not has_interpreter:
        return list(command)
    script = join(dirname(__file__), "parent_guard.py")
    if not isfile(script):  # the package is in an archive
        return list(command)
    return [sys.executable, "-I", "-S", script, name, *command]
