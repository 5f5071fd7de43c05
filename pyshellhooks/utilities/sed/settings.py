"""The options of a call, and the exception that ends a script."""

from __future__ import annotations


class Settings:
    """The options of a call."""

    __slots__ = (
        "follow",
        "in_place",
        "line_length",
        "posix",
        "quiet",
        "separate",
        "separator",
        "suffix",
        "unbuffered",
    )

    def __init__(self) -> None:
        self.follow = False
        self.quiet = False
        self.separate = False
        self.in_place = False
        self.suffix = ""
        self.unbuffered = False
        self.line_length = 70
        self.posix = False
        self.separator = b"\n"


class Quit(Exception):
    """Ends the script with a status."""

    def __init__(self, status: int) -> None:
        self.status = status
