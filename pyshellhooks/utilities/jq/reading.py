"""What a reader gives besides values: signs that there is none, and what is wrong."""

from __future__ import annotations

from typing import Final


class _Sign:
    """A value that is none."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


MORE: Final = _Sign("MORE")  # more of the text is to be fed
END: Final = _Sign("END")  # there is no more
NOTHING: Final = _Sign("NOTHING")


class ParseError(Exception):
    """The text is no JSON; the message is jq's, with the place."""


class Mistake(Exception):
    """What is wrong, without the place."""
