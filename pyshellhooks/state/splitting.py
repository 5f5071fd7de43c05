"""Field splitting (POSIX XCU 2.6.5)."""

from __future__ import annotations

import re

from ..regexes import lazy_pattern
from ..text import PIECE, characters, paced, remembered

DEFAULT_IFS = " \t\n"

# Characters for which an unquoted value needs field splitting (default IFS) or pathname expansion.
NEEDS_WORK = lazy_pattern(r"[ \t\n*?\[\\]")
NEEDS_WORK_EXTGLOB = lazy_pattern(r"[ \t\n*?\[\\(]")


def split(text: str, ifs: str) -> tuple[bool, list[str], bool]:
    """Split a value. Return (whether a delimiter leads, the fields, whether a delimiter trails).

    Without a leading delimiter the first field is joined to the preceding part of the word; likewise the last field.
    """
    if not text:
        return False, [], False
    if ifs == DEFAULT_IFS:
        plain = text.replace("\t", " ").replace("\n", " ")
        return plain[0] == " ", list(filter(None, plain.split(" "))), plain[-1] == " "
    if not ifs:
        return False, [text], False
    return _split_custom(text, ifs)


@remembered(32)
def _delimiter(ifs: str) -> re.Pattern[str]:
    """Return a pattern for a delimiter: one non-blank character of IFS with the blanks around it, or blanks."""
    blanks = "[" + re.escape("".join(c for c in ifs if c in DEFAULT_IFS)) + "]"
    hard = "[" + re.escape("".join(c for c in ifs if c not in DEFAULT_IFS)) + "]"
    if hard == "[]":
        return re.compile(f"{blanks}+")
    if blanks == "[]":
        return re.compile(hard)
    return re.compile(f"{blanks}*{hard}{blanks}*|{blanks}+")


def _split_custom(text: str, ifs: str) -> tuple[bool, list[str], bool]:
    if len(ifs) > 16:
        ifs = "".join(sorted(characters(ifs)))
    blanks = "".join(c for c in ifs if c in DEFAULT_IFS)
    body = text.lstrip(blanks) if blanks else text
    if not body:
        return True, [], False
    fields = _cut(_delimiter(ifs), body)
    trail = not fields[-1]
    if trail:
        fields.pop()
    # The empty first field before a non-blank delimiter is joined to the preceding part of the word.
    lead = len(body) != len(text) and fields[0] != ""
    return lead, fields, trail


def _cut(delimiter: re.Pattern[str], text: str) -> list[str]:
    if len(text) <= PIECE:
        return delimiter.split(text)
    fields: list[str] = []
    at = 0
    for found in paced(delimiter.finditer(text)):
        fields.append(text[at : found.start()])
        at = found.end()
    return [*fields, text[at:]]


def join_separator(ifs: str | None) -> str:
    """Return the separator of ``"$*"``: the first character of IFS, a space if IFS is unset."""
    return " " if ifs is None else ifs[:1]
