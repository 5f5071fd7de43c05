"""File modes in chmod's syntax: ``755``, ``u+rwx,go-w``, ``a=rX`` (POSIX XCU chmod)."""

from __future__ import annotations

from collections.abc import Callable

Change = Callable[[int, bool, int], int]

_OCTAL = frozenset("01234567")
_WHO = {"u": 0o4700, "g": 0o2070, "o": 0o1007, "a": 0o7777}
_BITS = {"r": 0o444, "w": 0o222, "x": 0o111, "s": 0o6000, "t": 0o1000}


_ALL = 0o7777


_SET_IDS = 0o6000


_SHIFTS = {"u": 6, "g": 3, "o": 0}


def parse_mode(text: str) -> Change | None:
    """Parse a mode. Return a function of (old mode, is it a directory, umask), or None if the text is not a mode."""
    if text.isascii() and text.isdigit():
        return _octal_mode(text)
    clauses = []
    for clause in text.split(","):
        parsed = _clause(clause)
        if parsed is None:
            return None
        clauses.append(parsed)

    def change(old: int, directory: bool, umask: int) -> int:
        mode = old & _ALL
        for who, actions in clauses:
            for operator, what in actions:
                mode = _apply(mode, who, operator, what, directory, umask)
        return mode

    return change


def _octal_mode(text: str) -> Change | None:
    if not _is_octal(text):
        return None
    value = int(text, 8)
    if len(text) >= 5:
        return lambda old, directory, umask: value
    # GNU: a directory keeps its set-id bits unless the mode has five digits.
    return lambda old, directory, umask: value | (old & _SET_IDS if directory else 0)


def _is_octal(text: str) -> bool:
    return _OCTAL.issuperset(text) and int(text, 8) <= _ALL


def _clause(clause: str) -> tuple[str, list[tuple[str, str]]] | None:
    rest = clause.lstrip("ugoa")
    who = clause[: len(clause) - len(rest)]
    actions: list[tuple[str, str]] = []
    while rest:
        operator, rest = rest[0], rest[1:]
        if operator not in "+-=":
            return None
        if not who and rest[:1] in _OCTAL:
            if not _is_octal(rest):
                return None
            return who, [*actions, (operator, rest)]
        tail = rest.lstrip("rwxXstugo")
        what = rest[: len(rest) - len(tail)]
        if len(what) > 1 and not _SHIFTS.keys().isdisjoint(what):
            return None  # a copied class is alone: u=g, never u=gx
        rest = tail
        actions.append((operator, what))
    return (who, actions) if actions else None


def _apply(mode: int, who: str, operator: str, what: str, directory: bool, umask: int) -> int:
    if what[:1] in _OCTAL:  # ``+111`` ignores the umask (GNU)
        return _combined(mode, operator, int(what, 8), _ALL)
    reach = 0
    for letter in who or "a":
        reach |= _WHO[letter]
    bits = _bits(mode, what, directory) & reach
    if not who:
        bits &= ~umask
    kept = mode & _SET_IDS if directory else 0  # GNU: = on a directory clears no set-id bit
    return _combined(mode, operator, bits, reach) | (kept if operator == "=" else 0)


def _bits(mode: int, what: str, directory: bool) -> int:
    """Return the bits of some letters, for all classes."""
    bits = 0
    for letter in what:
        if letter in _SHIFTS:
            bits |= (mode >> _SHIFTS[letter] & 7) * 0o111
        elif letter != "X":
            bits |= _BITS[letter]
        elif directory or mode & 0o111:
            bits |= 0o111
    return bits


def _combined(mode: int, operator: str, bits: int, reach: int) -> int:
    if operator == "+":
        return mode | bits
    if operator == "-":
        return mode & ~bits
    return mode & ~reach | bits


def mode_string(mode: int) -> str:
    """Write a mode as ``ls -l`` does."""
    from stat import filemode

    return filemode(mode)
