"""The command line on Windows: paths in the one form (decisions paths on Windows), and lines that end as elsewhere."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

from ..windows_paths import script_path

_TAKES_A_SCRIPT = frozenset({"-c", "--field", "--against"})


def in_one_form(words: Sequence[str]) -> list[str]:
    """Return the words of a command line with every path in the form that messages show.

    Absolute paths are recognized by their drive or share, others only if the file exists. The word after an option that
    takes a script stays, and so does everything after ``--``.
    """
    converted: list[str] = []
    previous = ""
    for at, word in enumerate(words):
        if word == "--":
            return [*converted, *words[at:]]
        converted.append(word if previous in _TAKES_A_SCRIPT else _converted(word))
        previous = word
    return converted


def _converted(word: str) -> str:
    option, equals, value = word.partition("=")
    if equals and option.startswith("--") and option not in _TAKES_A_SCRIPT:
        return f"{option}={_converted(value)}"
    path = script_path(word, os.path.isdir)
    if path is not None:
        return path
    return word.replace("\\", "/") if "\\" in word and os.path.exists(word) else word


def write_line_feeds() -> None:
    """Write lines to stdout and stderr that end with a line feed alone."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(newline="\n")
