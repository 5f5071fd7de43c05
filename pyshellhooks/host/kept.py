"""The words that start a program which must not outlive this process (``keeper.py``)."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from os.path import dirname, isfile, join


def kept(name: str, command: Sequence[str]) -> list[str]:
    """Return the words that start a program under a keeper; its own where there can be none.

    On Windows a Job Object does what the keeper does. A program that embeds Python is itself ``sys.executable``: it
    would be started anew.
    """
    script = join(dirname(__file__), "keeper.py")
    if sys.platform == "win32" or not sys.executable or getattr(sys, "frozen", False) or not isfile(script):
        return list(command)
    return [sys.executable, "-I", "-S", script, name, *command]
