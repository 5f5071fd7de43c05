"""File modes in chmod's syntax: ``755``, ``u+rwx,go-w``, ``a=rX`` (POSIX XCU chmod)."""

from __future__ import annotations

from collections.abc import Callable

Change = Callable[[int, bool, int], int]

_OCTAL = frozenset("01234567")
_WHO = {"u": 0o4700, "g": 0o2070, "o": 0o1007, "a": 0o7777}
_BITS = {"r": 0o444, "w": 0o222, "x": 0o111, "s": 0o6000, "t": 0o1000}


def parse_mode(text: str) -> Change | None:
    """Parse a mode. Return a function of (old mode, is it a directory, umask), or None if the text is not a mode."""
    if text and text.isascii() and text.isdigit():
        if set(text) - set("01234567") or int(text, 8) > 0o7777:
            return None
        value = int(text, 8)
        return lambda old, directory, umask: value | (old & 0o6000 if directory and len(text) < 5 else 0)
    clauses = []
    for clause in text.split(","):
        parsed = _clause(clause)
        if parsed is None:
            return None
        clauses.append(parsed)

    def change(old: int, directory: bool, umask: int) -> int:
        mode = old & 0o7777
        for who, actions in clauses:
            for operator, what in actions:
                mode = _apply(mode, who, operator, what, directory, umask)
        return mode

    return change


def _clause(clause: str) -> tuple[str, list[tuple[str, str]]] | None:
    rest = clause.lstrip("ugoa")
    who = clause[: len(clause) - len(rest)]
    actions: list[tuple[str, str]] = []
    while rest:
        operator, rest = rest[0], rest[1:]
        if operator not in "+-=":
            return None
        if not who and rest[:1] in _OCTAL:
            good = not set(rest) - _OCTAL and int(rest, 8) <= 0o7777
            return (who, [*actions, (operator, rest)]) if good else None
        tail = rest.lstrip("rwxXstugo")
        what = rest[: len(rest) - len(tail)]
        if set(what) & set("ugo") and len(what) > 1:
            return None
        rest = tail
        actions.append((operator, what))
    return (who, actions) if actions else None


def _apply(mode: int, who: str, operator: str, what: str, directory: bool, umask: int) -> int:
    if what[:1] in _OCTAL:  # ``+111`` ignores the umask (GNU)
        bits = int(what, 8)
        return mode | bits if operator == "+" else mode & ~bits if operator == "-" else bits
    reach = 0
    for letter in who or "a":
        reach |= _WHO[letter]
    bits = 0
    for letter in what:
        if letter in "ugo":
            shift = {"u": 6, "g": 3, "o": 0}[letter]
            bits |= (mode >> shift & 7) * 0o111
        elif letter == "X":
            bits |= 0o111 if directory or mode & 0o111 else 0
        else:
            bits |= _BITS[letter]
    bits &= reach
    if not who:
        bits &= ~umask
    if operator == "+":
        return mode | bits
    if operator == "-":
        return mode & ~bits
    keep = mode & 0o6000 if directory else 0
    return mode & ~reach | bits | keep


def mode_string(mode: int) -> str:
    """Write a mode as ``ls -l`` does."""
    from stat import filemode

    return filemode(mode)
