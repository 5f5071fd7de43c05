"""Where a program runs: here, or in the worker."""

from __future__ import annotations

from collections.abc import Callable
from json import loads
from typing import TYPE_CHECKING

from .program import HALT, Events, Program, run_here

if TYPE_CHECKING:
    from ...command import Call


class Halt(Exception):
    """The program called ``halt`` or ``halt_error``."""

    def __init__(self, status: int, message: str | None) -> None:
        super().__init__(status)
        self.status = status
        self.message = message


class Engine:
    """Runs one program on one input after the other."""

    __slots__ = ("_call", "_extras", "_program")

    def __init__(self, call: Call, program: Program, extras: Callable[[Program], dict[str, str]]) -> None:
        self._call = call
        self._program = program
        self._extras = extras

    def prepare(self) -> None:
        """Compile."""
        self._program.compiled()

    def run(self, text: str) -> Events:
        """Run on one input."""
        program = self._program
        data = program.data(text, self._extras)
        events = run_here(program, data)
        return events
