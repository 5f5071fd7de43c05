"""Field splitting (POSIX XCU 2.6.5)."""

from __future__ import annotations

import re

DEFAULT_IFS = " \t\n"

# What makes an unquoted value more than itself under the default IFS: splitting or pathname expansion.
needs_work = re.compile(r"[ \t\n*?\[\\]").search
needs_work_extglob = re.compile(r"[ \t\n*?\[\\(]").search


def split(text: str, ifs: str) -> tuple[bool, list[str], bool]:
    """Split a value. Gives (a delimiter leads, the fields, a delimiter trails).

    The flags tell whether the first field is joined to what stands before it in the word, and the last to what follows.
    """
    if not text:
        return False, [], False
    if ifs == DEFAULT_IFS:
        plain = text.replace("\t", " ").replace("\n", " ")
        return plain[0] == " ", [f for f in plain.split(" ") if f], plain[-1] == " "
    if not ifs:
        return False, [text], False
    return _split_custom(text, ifs)


def _split_custom(text: str, ifs: str) -> tuple[bool, list[str], bool]:
    blanks = "".join(c for c in ifs if c in " \t\n")
    hard = "".join(c for c in ifs if c not in " \t\n")
    body = text.lstrip(blanks) if blanks else text
    lead = len(body) != len(text)
    fields: list[str] = []
    start = 0
    size = len(body)
    at = 0
    trail = False
    while at < size:
        char = body[at]
        if char in hard:
            fields.append(body[start:at])
            at += 1
        elif char in blanks:
            fields.append(body[start:at])
            while at < size and body[at] in blanks:
                at += 1
            if at < size and body[at] in hard:  # blanks around a delimiter belong to it
                at += 1
        else:
            at += 1
            continue
        while at < size and body[at] in blanks:
            at += 1
        start = at
        trail = at >= size
    if start < size:
        fields.append(body[start:])
        trail = False
    if body and body[0] in hard:
        lead = False  # its empty first field is joined to what stands before
    return lead, fields, trail


def join_separator(ifs: str | None) -> str:
    """Give what ``"$*"`` joins with: the first character of IFS, a space if IFS is unset."""
    return " " if ifs is None else ifs[:1]
