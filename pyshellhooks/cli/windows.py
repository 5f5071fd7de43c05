"""The command line on Windows: paths in the one form (decisions paths on Windows), and lines that end as elsewhere."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

from ..regexes import lazy_pattern
from ..windows_paths import script_path

#: ``-c`` of sh, alone or behind other letters, and the options whose value is a command.
_TAKES_A_SCRIPT = lazy_pattern(r"-[A-Za-z]*c|--against|--hook-[a-z-]+")


def in_one_form(words: Sequence[str]) -> list[str]:
    """Return the words of a command line with every path in the form that messages show.

    Absolute paths are recognized by their drive or share, others only if the file exists. The word after an option that
    takes a script stays, and so does everything after ``--``.
    """
    converted: list[str] = []
    is_script = False
    for at, word in enumerate(words):
        if word == "--":
            return [*converted, *words[at:]]
        converted.append(word if is_script else _converted(word))
        is_script = _TAKES_A_SCRIPT.fullmatch(word) is not None
    return converted


def _converted(word: str) -> str:
    option, equals, value = word.partition("=")
    if equals and option.startswith("--"):
        if _TAKES_A_SCRIPT.fullmatch(option):
            return word
        return f"{option}={_converted(value)}"
    path = script_path(word, os.path.isdir)
    if path is not None:
        return path
    # A backslash alone proves nothing: a pattern or a command has them too.
    if "\\" in word and os.path.exists(word):
        return word.replace("\\", "/")
    return word


def write_line_feeds() -> None:
    """Write lines to stdout and stderr that end with a line feed alone."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(newline="\n")
