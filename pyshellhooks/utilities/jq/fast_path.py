"""The direct way of a usual jq: one complete object, and a filter without files or streams (command/direct.py)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NoReturn

from ...command import Direct, DirectContext
from .arguments import Arguments, Misuse, read_arguments
from .command import NO_OUTPUT, NO_VARIABLES, NOTHING, OK
from .compiler.filters import results
from .compiler.program import get_program, make_env
from .errors import CompileError, Halt, JqError
from .fast_input import MISSED, is_blank, scan_usual
from .printer import spell_at_once
from .running import Run, clean

_LARGE = 65536  # bytes of an input, and characters of the output
_LAST = "jq: the last input"


class _Unusual(Exception):
    """The direct way does not support this, so the command must run. No ``try`` of a program catches it."""


class _Nobody:
    """Stand-in for the command of a run: any use of its inputs, worker or output raises ``_Unusual``."""

    def __getattr__(self, name: str) -> NoReturn:
        raise _Unusual


class _Run(Run):
    """A run without inputs and streams: a filter that uses them raises ``_Unusual``."""

    __slots__ = ()

    def _is_file(self, name: str) -> bool:
        if super()._is_file(name):  # ~/.jq, ~/jq/main.jq
            raise _Unusual
        return False

    def see_files(self) -> NoReturn:
        raise _Unusual

    def write_stderr(self, text: str) -> None:
        raise _Unusual


_NOBODY = _Nobody()


def make_direct(words: Sequence[str]) -> Direct | None:
    """Return the direct way for a command line; None if it does more than run a filter on standard input."""
    try:
        arguments = read_arguments(words)
    except Misuse:
        return None
    text = arguments.filter
    if text is None or arguments.shows or arguments.from_file:
        return None
    if not arguments.is_usual or arguments.null_input:
        return None
    if arguments.named or arguments.positional:
        return None
    if arguments.color or arguments.raw0:
        return None
    text = clean(text)
    if "import" in text or "include" in text:
        return None
    return partial(_answer, arguments, text)


def _answer(arguments: Arguments, text: str, data: bytes, context: DirectContext) -> tuple[int, bytes] | None:
    if len(data) > min(_LARGE, context.limits.string) or "JQ_COLORS" in context.env:
        return None
    run = _Run(context, _NOBODY)  # type: ignore[arg-type]  # the context has all of a call but its streams
    status = NO_OUTPUT
    output: list[bytes] = []
    size = 0
    try:
        filter_ = get_program(run, text, _NAMES)
        value = _read(data, context.cache)
        end = b"" if arguments.join else b"\n"
        for result in results(filter_, value, _ENV, run):
            spelled = spell_at_once(run, result, arguments.layout, arguments.raw)
            if spelled is None:
                return None
            output.append(spelled + end)
            status = NOTHING if result is None or result is False else OK
            size += len(output[-1])
            if size > _LARGE:
                return None
    except (_Unusual, JqError, Halt, CompileError, ValueError):
        return None
    return (-status if arguments.exit_status else 0), b"".join(output)


_NAMES = tuple(NO_VARIABLES)
_ENV = make_env(NO_VARIABLES.values())


def _read(data: bytes, values_of_run: dict[str, Any]) -> Any:
    """Parse one object. The last one is cached, since a hook reads several fields of the same payload."""
    known = values_of_run.get(_LAST)
    if known is not None and known[0] == data:
        return known[1]
    value, text, end = scan_usual(data)
    if value is MISSED or not is_blank(text, end):
        raise _Unusual
    values_of_run[_LAST] = data, value
    return value
