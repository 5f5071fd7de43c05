"""Search for JSON objects in noise.

A hook that prints a log line beside its deny still denies. Systems that accept only a clean object lose the deny; the
documented editions do not (decisions noise).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from json import JSONDecodeError

from .chunks import LARGE, PIECE, blanks_end
from .compact import JSON, TooDeep, loads_member, members, raw_decode, value_end
from .skeleton import loads_outline
from .walk import skip

WORK = 32 * 1024 * 1024  # characters that may be scanned in total before giving up
_SLOW = 30  # how many times slower than the C scanner ``skip`` is, which has no limit of depth
_BEGIN = re.compile(r'\{(?=[ \t\r\n]*["}])')
_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_PARTS = (1 << 12, 1 << 15, 1 << 18)  # characters of a large text that are tried first
_LONGEST = 16  # characters of the longest word or escape that the end of a part may cut


class TooNoisy(Exception):
    """A text has more invalid beginnings of objects than can be tried."""


def objects(text: str) -> Iterator[dict[str, JSON]]:
    """Yield every JSON object in a text that does not lie inside another one. Raises ``TooNoisy``.

    Trying each ``{`` of a hostile text is quadratic, hence the bound.
    """
    work = 0
    at = _next(text, 0)
    while at >= 0:
        try:
            read = raw_decode if len(text) - at <= LARGE else _read_large
            value, end = read(text, at)
        except RecursionError:
            end, valid = skip(text, at, at + (WORK - work) // _SLOW + 1)
            work += 10_000 + _SLOW * (end - at)
            if valid:
                yield {key: loads_member(raw) for key, raw in members(text[at:end])}
            else:
                end = at + 1
        except ValueError as error:
            # Creating the error counts the lines before it.
            work += 200 + at // 100 + max(0, getattr(error, "pos", at) - at)
            end = at + 1
        else:
            yield value
        if work > WORK:
            raise TooNoisy
        at = _next(text, end)


def _read_large(text: str, at: int) -> tuple[JSON, int]:
    """Read an object of a large text as ``raw_decode`` does.

    Most objects are short, so a part of the text is tried first; most errors lie before its end too.
    """
    for size in _PARTS:
        try:
            value, end = raw_decode(text[at : at + size], 0)
            return value, at + end
        except JSONDecodeError as error:
            # If the part cuts a string, the error is at the string's beginning.
            place = at + error.pos
            cuts_string = text.startswith('"', place) and _STRING.match(text, place, at + size) is None
            is_near_end = error.pos + _LONGEST >= size
            if not cuts_string and not is_near_end:
                raise JSONDecodeError(error.msg, text, place) from None
    end = value_end(text, at)
    try:
        return loads_outline(text[at:end]), end
    except TooDeep:
        raise RecursionError from None


def _next(text: str, at: int) -> int:
    """Return the offset at which the next object may begin; -1 if there is none."""
    while at < len(text):
        end = at + PIECE
        match = _BEGIN.search(text, at, end)
        if match is not None:
            return match.start()
        last = text.rfind("{", at, end)
        if last >= 0 and end < len(text):  # the next token may lie behind the end
            following = blanks_end(text, last + 1)
            if following >= end and text[following : following + 1] in ('"', "}"):
                return last
        at = end
    return -1
