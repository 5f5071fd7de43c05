"""Where a program runs: here when its work is bounded and small, else in a worker that can be killed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from json import JSONDecoder, loads
from math import inf
from typing import TYPE_CHECKING

from ...errors import Stop
from .lexer import Number
from .output import unspell
from .program import HALT, CompileError, Events, Program, run_here

if TYPE_CHECKING:
    from ...command import Call

# Steps of libjq, at some 2 million a second. They are upper bounds: most programs take a hundredth.
HERE = 100_000  # with a worker to turn to: a tenth of a second at the very worst
ALONE = 5_000_000  # without: the host would rather wait than have no answer


class Halt(Exception):
    """The program called ``halt`` or ``halt_error``."""

    def __init__(self, status: int, message: str | None) -> None:
        super().__init__(status)
        self.status = status
        self.message = message


def _never(name: str) -> object:
    raise ValueError(name)


class Engine:
    """Runs one program on one input after the other."""

    __slots__ = ("_call", "_extras", "_local_time", "_program", "_spawn")

    def __init__(self, call: Call, program: Program, extras: Callable[[Program], dict[str, str]]) -> None:
        self._call = call
        self._program = program
        self._extras = extras
        self._spawn = bool(getattr(call.start, "spawn_allowed", True))
        # The zone of this process is the host's; a worker takes the call's.
        self._local_time = bool(program.calls & _LOCAL) and call.env.get("TZ") != os.environ.get("TZ")

    def prepare(self) -> None:
        """Compile, wherever that can be done; ``CompileError`` before any input is waited for."""
        program = self._program
        ends = self._ends(1, 8, 0, HERE if self._spawn else ALONE, 10.0)
        if ends or (not self._spawn and program.folds_little()):
            program.compiled()
        elif self._spawn:
            for _ in self._in_worker(program.source, ""):
                pass
        if not self._spawn and not ends:
            raise self._refusal()

    def run(self, text: str) -> Events:
        """Run on one input; ``Halt`` where the program says so."""
        program = self._program
        data = program.data(text, self._extras)
        if not program.halts:
            return self._events(program.source, data)
        return self._halting(data)

    def _events(self, source: str, data: str) -> Events:
        if self._here(data):
            return self._checked(run_here(self._program, source, data))
        if not self._spawn:
            raise self._refusal()
        return self._in_worker(source, data)

    def _checked(self, events: Events) -> Iterator[object]:
        call = self._call
        for event in events:
            call.check()
            yield event

    def _in_worker(self, source: str, data: str) -> Iterator[object]:
        from ...workers import NotCompiled, run

        program = self._program
        zone = self._call.env.get("TZ", "") if self._local_time else None
        try:
            description = (program.filter, program.names, zone, program.node is None)
            yield from run(source, data, description, self._call.scope)
        except NotCompiled as error:
            raise CompileError(str(error)) from None

    def _refusal(self) -> Stop:
        shown = self._program.filter if len(self._program.filter) < 200 else self._program.filter[:200] + "..."
        return Stop("refused", f"jq program may loop and processes are not allowed: {shown}")

    # -- how long it may take

    def _here(self, data: str) -> bool:
        limit = HERE if self._spawn else ALONE
        if self._local_time or (self._spawn and _home_library()):
            return False
        opening = data.count("[") + data.count("{")
        nodes = data.count(",") + opening + 1
        length = len(data) if data.isascii() else 4 * len(data)
        escapes = data.count("\\u")  # in a text that fromjson reads, each may be a bracket
        if self._ends(nodes, length, escapes, limit):
            return True
        # Perhaps only the numbers were in doubt: in most data they are small.
        return self._ends(nodes, length, escapes, limit, _largest(data))

    def _ends(self, nodes: int, length: int, escapes: int, limit: float, number: float = inf) -> bool:
        program = self._program
        if program.node is None or length > 16 * limit:
            return False
        # In powers of two, so that a program is judged once for all inputs of about a size.
        key = (nodes.bit_length(), length.bit_length(), escapes.bit_length(), number)
        steps = program.verdicts.get(key)
        if steps is None:
            from .bounded import Size, bound_steps

            size = Size(2.0 ** key[0], 2.0 ** key[1], 500, number)
            size.depth = min(500.0, size.nodes)
            brackets = size.nodes + program.filter.count("[") + program.filter.count("{")
            brackets += 2.0 ** key[2] if escapes else 0.0
            steps = bound_steps(program.node, size, brackets) + size.bytes / 32
            if len(program.verdicts) > 64:
                program.verdicts.clear()
            program.verdicts[key] = steps
        return steps <= limit

    # -- halt

    def _halting(self, data: str) -> Iterator[object]:
        """Run a program that may call halt or halt_error.

        The binding takes a halt for the end and loses its message, so there ``halt_error`` is an error with a mark. A
        program that catches errors could catch the mark; then it first runs with libjq's own halt, which shows whether
        and when it halts.
        """
        program = self._program
        halted_after = -1
        if program.swallows:
            events = list(self._events(program.plain_source, data))
            if events and events[-1] == 0:
                yield from events[:-1]
                return
            halted_after = len(events)
        for position, event in enumerate(self._events(program.source, data)):
            if type(event) is list and event[0].startswith(_MARK):
                raise _halt(event[0])
            if position == halted_after:
                break
            yield event
        if halted_after >= 0:
            raise Stop("refused", "jq: a halt inside try or ? can't be followed here")


_LOCAL = frozenset(("localtime", "strflocaltime"))
_MARK = f'{{"{HALT}":['


def _halt(text: str) -> Halt:
    value, _, code = text[len(_MARK) : -2].rpartition(",")
    status = int(loads(code))
    if value == "null":
        return Halt(status, None)
    return Halt(status, unspell(value) if value.startswith('"') else f"{value}\n")


def _largest(data: str) -> float:
    """Give a power of ten that no number in the data exceeds."""
    largest = 1.0

    def see(spelled: str) -> Number:
        nonlocal largest
        largest = max(largest, abs(float(spelled)))
        return Number(0)

    try:
        JSONDecoder(parse_int=see, parse_float=see, parse_constant=_never).decode(data)
    except (ValueError, RecursionError):
        return inf
    power = 10.0
    while power < largest:
        power *= 10
    return power


_home: bool | None = None


def _home_library() -> bool:
    """Say whether libjq would load the host's ``~/.jq`` into every program it compiles here."""
    global _home
    if _home is None:
        _home = os.path.isfile(os.path.join(os.path.expanduser("~"), ".jq"))
    return _home
