"""The BSD forms of calls that a macOS script may use, rewritten as GNU's (ADR 18).

Only forms that GNU's program rejects, or that cannot mean anything else, are rewritten. All others stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...regexes import lazy_pattern

_STAT = {
    "%m": "%Y", "%a": "%X", "%c": "%Z", "%B": "%W", "%z": "%s", "%N": "%n", "%u": "%u", "%g": "%g", "%Su": "%U", "%Sg": "%G",
    "%l": "%h", "%i": "%i", "%d": "%d", "%b": "%b", "%k": "%o", "%Lp": "%a", "%OLp": "%a", "%Sp": "%A", "%%": "%%",
}  # fmt: skip
_STAT_DIRECTIVE = lazy_pattern(r"%(?:%|O?[LS]?[A-Za-z]|.?)", re.DOTALL)
_SHIFT = lazy_pattern(r"-v([+-]\d{1,9})([dwHMS])")
_UNITS = {"d": "days", "w": "weeks", "H": "hours", "M": "minutes", "S": "seconds"}
_TIME = {
    "%Y": "(?P<Y>[0-9]{4})", "%m": "(?P<m>[0-9]{2})", "%d": "(?P<d>[0-9]{2})", "%H": "(?P<H>[0-9]{2})",
    "%M": "(?P<M>[0-9]{2})", "%S": "(?P<S>[0-9]{2})", "%z": "(?P<z>[+-][0-9]{4})",
}  # fmt: skip
_TIME_PARTS = lazy_pattern(r"%.|[^%]+", re.DOTALL)


def sed_words(words: Sequence[str]) -> list[str]:
    """Return the words of a sed with ``-i ''`` or ``-i .bak``, whose suffix is a word of its own.

    GNU reads that word as the script or as a file, and neither may be empty or begin with a dot.
    """
    converted: list[str] = []
    left = list(words)
    while left:
        word = left.pop(0)
        if word == "--":
            return [*converted, word, *left]
        if word in ("-i", "-I") and left and _is_bsd_suffix(left[0]):
            word = "-i" + left.pop(0)
        converted.append(word)
    return converted


def base64_words(words: Sequence[str]) -> list[str]:
    """Return the words of a base64 with ``-D``, which decodes. ``-i FILE`` needs no change: GNU takes the file as operand."""
    return ["-d" if word == "-D" else word for word in words]


def _is_bsd_suffix(word: str) -> bool:
    return word == "" or re.fullmatch(r"\.\w+", word) is not None


def stat_words(words: Sequence[str]) -> list[str]:
    """Return the words of a stat with ``-f FORMAT``. In GNU's, ``-f`` has no value, and no file is named ``%m``."""
    left = list(words)
    for index, word in enumerate(left):
        if word == "--":
            break
        following = left[index + 1 : index + 2]
        if word.startswith("-f") and "%" in word:
            form, rest = word[2:], left[index + 1 :]
        elif word == "-f" and following and "%" in following[0]:
            form, rest = following[0], left[index + 2 :]
        else:
            continue
        wanted = _stat_format(form)
        if wanted is not None:
            return [*left[:index], "-c", wanted, *rest]
    return left


def _stat_format(text: str) -> str | None:
    """Return a format of BSD's stat as GNU's; None if a directive has no equal."""
    directives = _STAT_DIRECTIVE.findall(text)
    if any(directive not in _STAT for directive in directives):
        return None
    return _STAT_DIRECTIVE.sub(lambda match: _STAT[match[0]], text)


def date_words(words: Sequence[str]) -> list[str]:
    """Return the words of a date with ``-j``, ``-v -1d``, ``-r SECONDS`` or ``-f FORMAT TEXT``; as they are in doubt.

    Months and years of ``-v`` stay: BSD ends at the last day of a month, where GNU goes on into the next one. So does a
    format without a time of day, for which BSD takes the current one.
    """
    left = list(words)
    converted: list[str] = []
    shifts: list[str] = []
    times: list[str | None] = []
    while left:
        word = left.pop(0)
        if word == "-v" and left:
            word += left.pop(0)
        shift = _SHIFT.fullmatch(word)
        if shift is not None:
            shifts.append(f"{shift[1]} {_UNITS[shift[2]]}")
        elif word == "-jf" or (word == "-f" and "-j" in words):
            # Without -j, -f FILE is also GNU's: a file of dates.
            form, text = (*left, "", "")[:2]
            times.append(_time_of(form, text))
            del left[:2]
        elif word == "-r" and left and left[0].isdecimal():
            times.append(f"@{left.pop(0)}")
        elif word != "-j":
            converted.append(word)
    if shifts:
        times.append(f"now {' '.join(shifts)}")
    if not times:
        return converted
    time = times[0]
    if time is None or len(times) > 1:
        return list(words)
    return ["-d", time, *converted]


def _time_of(form: str, text: str) -> str | None:
    """Return a time that GNU's date reads, from a text and its format for ``strptime``; None in doubt."""
    if form == "%s":
        return f"@{text}" if re.fullmatch(r"-?\d+", text) else None
    form = form.replace("%F", "%Y-%m-%d").replace("%T", "%H:%M:%S")
    parts = _TIME_PARTS.findall(form)
    names = [part for part in parts if part.startswith("%")]
    needed = set(_TIME) - {"%z"}
    if set(names) - {"%z"} != needed:
        return None
    if len(set(names)) < len(names):
        return None  # a group of a pattern has its name only once
    pattern = "".join(_TIME.get(part) or re.escape(part) for part in parts)
    match = re.fullmatch(pattern, text)
    if match is None:
        return None
    zone = f" {match['z']}" if "%z" in names else ""
    return f"{match['Y']}-{match['m']}-{match['d']} {match['H']}:{match['M']}:{match['S']}{zone}"


def find_words(words: Sequence[str]) -> list[str]:
    """Return the words of a find with ``-E``, which means extended expressions."""
    if not words or words[0] != "-E":
        return list(words)
    rest = list(words[1:])
    end = 0  # GNU's -regextype is a part of the expression, so it comes after the paths
    while end < len(rest) and rest[end][:1] not in ("-", "(", "!"):
        end += 1
    return [*rest[:end], "-regextype", "posix-extended", *rest[end:]]
