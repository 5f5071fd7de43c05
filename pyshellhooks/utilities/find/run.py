"""Implementation of find: options, operands, the expression, the walk."""

from __future__ import annotations

from collections.abc import Iterator

from ...command import Call
from ...command.call import reason
from ...text import decode, parse_digits
from ..support.quoting import quote
from .files import Settings
from .state import Quit, State, wrong
from .walk import Walk
from .words import HelpWanted, Refused, read_expression, starts_expression


def _leading_options(call: Call) -> tuple[str, int]:
    """Parse ``-H -L -P -O`` before the operands; return how to follow links and the index of the first operand."""
    follow = "P"
    at = 0
    words = call.args
    while at < len(words):
        word = words[at]
        if word in ("-H", "-L", "-P"):
            follow = word[1]
        elif word == "--":
            return follow, at + 1
        elif word.startswith("-O"):
            if len(word) == 2:
                raise wrong("The -O option must be immediately followed by a decimal integer")
            _check_level(word[2:])
        elif word == "-D":
            raise wrong("-D is not supported")
        else:
            break
        at += 1
    return follow, at


def _check_level(text: str) -> None:
    """Raise UsageError for an invalid level of -O; a valid level has no effect."""
    digits = text[: len(text) - len(text.lstrip("0123456789"))]
    if not digits:
        raise wrong("Please specify a decimal number immediately after -O")
    if digits != text:
        raise wrong(f"Invalid optimisation level {text}")
    if len(digits.lstrip("0")) > 20 or parse_digits(digits) >= 2**64:
        raise wrong(f"Invalid optimisation level {text}: Numerical result out of range")
    if parse_digits(digits) > 65535:
        raise wrong(
            f"Optimisation level {text} is too high.  If you want to find files very quickly, consider using GNU locate."
        )


def run_find(call: Call, help_text: str) -> int:
    """Run find and return the exit status."""
    follow, at = _leading_options(call)
    end = at
    while end < len(call.args) and not starts_expression(call.args[end], leading=True):
        end += 1
    starts = call.operands()[at:end]
    settings = Settings(call, follow)
    state = State(call, settings)
    try:
        try:
            test = read_expression(state, call.args[end:])
        except HelpWanted as wanted:
            call.out.write((wanted.text or help_text).encode())
            return 0
        except Refused:
            return 1
        if state.deletes and state.prunes and not state.explicit_depth:
            raise wrong(
                "The -delete action automatically turns on -depth, but -prune does nothing when -depth is in effect.  If "
                "you want to carry on anyway, just explicitly use the -depth option."
            )
        walk = Walk(state, test)
        try:
            for name in _starts(state, starts):
                walk.start(name)
        except Quit:
            pass
        for batch in state.batches:
            batch.run()
    finally:
        state.close()
    return settings.status


def _starts(state: State, starts: list[str]) -> Iterator[str]:
    source = state.start_names
    if source is None:
        yield from starts or ["."]
        return
    call = state.call
    if starts:
        call.error(f"extra operand {quote(starts[0], call.env)}")
        raise wrong("file operands cannot be combined with -files0-from")
    try:
        stream = call.open_input(source)
    except OSError as error:
        raise wrong(f"cannot open {quote(source, call.env)} for reading: {reason(error)}")
    try:
        chunks: list[bytes] = []
        while chunk := stream.read():
            call.check()
            chunks.append(chunk)
    finally:
        stream.release()
    names = decode(b"".join(chunks)).split("\0")
    if not names[-1]:
        names.pop()
    for number, name in enumerate(names, 1):
        if name:
            yield name
        else:
            shown = quote(source if source != "-" else "(standard input)", call.env)
            state.settings.fail(f"{shown}:{number}: invalid zero-length file name")
