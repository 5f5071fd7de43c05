"""The outputs of an event's hooks as plain text for people: for a test that fails, and for ``fire -v``."""

from __future__ import annotations

from collections.abc import Iterator

from ..text import visible
from .verdict import HookResult, Verdict

_SHOWN = 2000  # characters of one stream


def transcript(verdict: Verdict) -> str:
    """Return the verdict in one line, then each hook that ran, with its end and its output, then the notices."""
    return "\n".join(_lines(verdict))


def _lines(verdict: Verdict) -> Iterator[str]:
    halted = ", the turn ends" if verdict.halt else ""
    reason = f": {_line(verdict.reason)}" if verdict.reason else ""
    yield f"{verdict.event}: {verdict.decision.value}{halted}{reason}"
    if not verdict.hooks:
        yield "  no hook ran"
    for result in verdict.hooks:
        yield f"  {_line(result.name)} ({str(result.spec.origin) or result.id})"
        yield from hook_lines(result, "    ")
    for notice in verdict.notices:
        yield f"  notice: {_line(notice)}"


def _ending(result: HookResult) -> str:
    status = "" if result.exit_code is None else f" with {result.exit_code}"
    return f"ended: {result.ended.replace('_', ' ')}{status}, after {result.seconds * 1000:.0f} ms; decision: {result.decision.value}"


def hook_lines(result: HookResult, indent: str = "") -> Iterator[str]:
    """Yield lines with a hook's end and its output, at most 2,000 characters of each stream."""
    yield f"{indent}{_ending(result)}"
    yield from _stream("stdout", result.stdout, indent)
    yield from _stream("stderr", result.stderr, indent)


def _stream(name: str, text: str, indent: str) -> Iterator[str]:
    if not text:
        return
    left = len(text) - _SHOWN
    lines = text[:_SHOWN].removesuffix("\n").split("\n")
    if len(lines) == 1 and left <= 0:
        yield f"{indent}{name}: {visible(lines[0])}"
        return
    yield f"{indent}{name}:"
    for line in lines:
        yield f"{indent}  {visible(line)}"
    if left > 0:
        yield f"{indent}  … and {left} characters more"


def _line(text: str) -> str:
    first, _, rest = text.strip().partition("\n")
    return visible(first) + (" …" if rest else "")
