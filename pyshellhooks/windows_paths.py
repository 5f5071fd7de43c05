"""Paths on Windows: the one form that scripts see, and the caller's own form (decisions paths on Windows). Pure.

Programs on Windows write the same file as ``C:\\x``, ``c:\\x``, ``C:/x``, ``/c/x`` (Git's bash) or ``/c:/x`` (Cursor). A
guard compares texts, so it must see one form only: ``C:/x``, and ``//server/share/x`` for a share.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .regexes import lazy_pattern

#: Returns whether a path, the root of a drive, exists where the hooks run.
Exists = Callable[[str], bool]

NATIVE, SLASHES, GIT_BASH, CURSOR = r"C:\x", "C:/x", "/c/x", "/c:/x"
_DRIVE = lazy_pattern(r"([A-Za-z]):(?=[\\/]|\Z)")
_CURSOR = lazy_pattern(r"/([A-Za-z]):(?=/|\Z)")
_GIT_BASH = lazy_pattern(r"/([A-Za-z])(?=/|\Z)")
_SHARE = lazy_pattern(r"[\\/]{2}[^\\/?.][^\\/]*[\\/]+[^\\/]+")
_LONG_DRIVE = lazy_pattern(r"\\\\\?\\([A-Za-z]):(?=\\|\Z)")
_LONG_SHARE = lazy_pattern(r"(?i:\\\\\?\\UNC\\(?=[^\\]))")


class Spelling(NamedTuple):
    """A way to write an absolute path. ``form``: one of the constants above. ``lower``: the drive letter is lower case."""

    form: str
    lower: bool = False


DEFAULT = Spelling(NATIVE)


def slashed(path: str) -> str:
    """Return a native path with the script's separators."""
    return path.replace("\\", "/")


def script_path(path: str, exists: Exists) -> str | None:
    """Return an absolute path with a drive or a share in the form that scripts see; None for any other text.

    ``/c/x`` has a drive only if that drive exists: it may be a directory of a virtual file system.
    """
    begin = path[:2]
    if begin == "\\\\":
        long = _LONG_DRIVE.match(path)
        if long is not None:
            return f"{long[1].upper()}:{slashed(path[long.end() :])}"
        path = _LONG_SHARE.sub(r"\\\\", path, 1)
    if begin in ("\\\\", "//", "\\/", "/\\"):
        return "//" + slashed(path[2:]) if _SHARE.match(path) else None
    drive = _DRIVE.match(path) or _CURSOR.match(path)
    if drive is None:
        drive = _GIT_BASH.match(path)
        if drive is None or not exists(f"{drive[1].upper()}:/"):
            return None
    return f"{drive[1].upper()}:{slashed(path[drive.end() :]) or '/'}"


def script_path_or_relative(path: str, exists: Exists) -> str:
    """Return a path in the form that scripts see; of a path without a drive only the separators change."""
    absolute = script_path(path, exists)
    return slashed(path) if absolute is None else absolute


def with_slashes(path: str) -> str:
    """Return a path that begins with a drive or two backslashes with ``/`` as separator; any other text as it is."""
    return slashed(path) if _DRIVE.match(path) or path[:2] == "\\\\" else path


def root_of(path: str) -> str:
    """Return the root of a path with slashes, ``C:/`` or ``//server/share``; ``""`` if it has no drive and no share."""
    if path[:2] == "//":
        share = _SHARE.match(path)
        return share[0] if share is not None else ""
    return f"{path[:2]}/" if _DRIVE.match(path) else ""


def spelling_of(path: str) -> Spelling | None:
    """Return the spelling of an absolute path with a drive or a share, or of a relative one with backslashes."""
    if path[:2] == "//":
        return Spelling(SLASHES)
    for pattern, form in ((_CURSOR, CURSOR), (_GIT_BASH, GIT_BASH), (_DRIVE, "")):
        drive = pattern.match(path)
        if drive is not None:
            form = form or (SLASHES if path[2:3] == "/" else NATIVE)
            return Spelling(form, drive[1].islower())
    return DEFAULT if "\\" in path else None


def in_spelling(path: str, spelling: Spelling) -> str:
    """Return a path that scripts saw or wrote in the caller's spelling."""
    if path[:2] == "//":
        return path.replace("/", "\\") if spelling.form == NATIVE else path
    drive = _DRIVE.match(path)
    if drive is None:
        return path.replace("/", "\\") if spelling.form == NATIVE and path[:1] != "/" else path
    letter = drive[1].lower() if spelling.lower else drive[1].upper()
    rest = path[2:]
    if spelling.form == NATIVE:
        return f"{letter}:{rest}".replace("/", "\\")
    begin = {GIT_BASH: f"/{letter}", CURSOR: f"/{letter}:", SLASHES: f"{letter}:"}[spelling.form]
    return begin + slashed(rest)


def with_backslashes(path: str) -> str:
    """Return a path that scripts see in the form of native programs (``C:\\x``); a relative one keeps its slashes."""
    has_drive = _DRIVE.match(path) is not None or path[:2] == "//"
    return path.replace("/", "\\") if has_drive else path
