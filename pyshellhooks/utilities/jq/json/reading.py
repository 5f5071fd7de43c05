"""Results of a reader other than values: sentinels and errors."""

from __future__ import annotations

from typing import Final


class _Sign:
    """A sentinel, which is not a value."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


MORE: Final = _Sign("MORE")  # the next piece of the text must be fed
END: Final = _Sign("END")  # there are no more values
NOTHING: Final = _Sign("NOTHING")


class ParseError(Exception):
    """The text is not JSON; the message is jq's, with the position."""


class Mistake(Exception):
    """A syntax error; the message has no position."""
