"""Errors and hints for an output that is not a JSON object but may be meant as one.

This decides nothing: the dialect defines the meaning of a hook's output. A block in noise counts (``recover``); an
allow, a rewrite or a context does not, and the author of the hook must learn of it.
"""

from __future__ import annotations

import re
from itertools import islice

from ..notice import Notice
from .compact import raw_decode
from .document import Document, JsonError, read

LOOKED_AT = 65536  # characters of an output that are examined
_TRIED = 20  # lines that begin with {, of which a value is parsed
#: Keys of answers that have an effect in some system. Not "reason" or "context", which lines of logs have too.
_ACTING = frozenset(
    "decision continue halt permission patch hookSpecificOutput hook_specific_output systemMessage system_message"
    " suppressOutput suppress_output stopReason stop_reason updated_input additional_context followup_message"
    " user_message agent_message".split()
)
_SPEAKING = _ACTING | {"reason", "context"}
_BEGINS = re.compile(r"^[ \t]*\{", re.MULTILINE)
_KEY = re.compile(r"""[{,]\s*["']?(\w+)["']?\s*:""")


def stops(text: str, otherwise: object) -> str:
    """Return where and why a text is not one JSON value: our message if there is one, else ``otherwise``."""
    fault = _fault(text)
    if fault is None:
        return str(otherwise)
    return _where(text, fault)


def hint_for(text: str) -> str:
    """Return a hint how to make an output the answer that it may be meant as; ``""`` if no hint fits."""
    fault = _fault(text)
    if fault is None:
        return ""
    return _hint(text, fault)


def _where(text: str, fault: JsonError) -> str:
    line, column = Document(text, "").place(fault.offset)
    return f"line {line}, column {column}: {fault.message}"


def _hint(text: str, fault: JsonError) -> str:
    if text.startswith("{") and not _is_whole(text, fault.offset):
        return fault.hint or "correct it there"
    starts = _answers(text)
    if not starts:
        return ""
    if len(starts) > 1:
        return "print one answer, not several: jq -s add merges them"
    line, _ = Document(text, "").place(starts[0])
    return f"write everything but the answer on line {line} to stderr (>&2)"


def ignored(text: str) -> tuple[Notice, ...]:
    """Return a notice if text that its system does not parse may be an answer: nearly JSON, or among other lines."""
    if text.startswith("{"):
        fault = _fault(text)
        if fault is None or _ACTING.isdisjoint(_KEY.findall(text)):
            return ()
        what = f"it begins like an answer: {_where(text, fault)}"
    elif _answers(text):
        fault, what = _fault(text), "one of its lines is an answer"
    else:
        return ()
    hint = ""
    if fault is not None:
        hint = _hint(text, fault)
    return (Notice(f"stdout is treated as text, but {what}", "answer-ignored", hint=hint),)


def _fault(text: str) -> JsonError | None:
    """Return the error of a text that is not one JSON value; None if it is one, or is too long."""
    if len(text) > LOOKED_AT:
        return None
    try:
        read(text, "", comments=False)
    except JsonError as error:
        return error
    return None


def _answers(text: str) -> list[int]:
    """Return the offsets of objects on their own lines that may be answers; empty unless one has an effect."""
    starts: list[int] = []
    past, acts = 0, False
    for match in islice(_BEGINS.finditer(text[:LOOKED_AT]), _TRIED):
        at = match.end() - 1
        if at < past:  # it is inside the last object
            continue
        try:
            value, end = raw_decode(text, at)
        except (ValueError, RecursionError):
            continue
        if not isinstance(value, dict):
            continue
        past = end
        is_alone = not text[end:].partition("\n")[0].strip()
        if is_alone and not _SPEAKING.isdisjoint(value):
            acts |= not _ACTING.isdisjoint(value)
            starts.append(at)
    return starts if acts else []


def _is_whole(text: str, offset: int) -> bool:
    """Return whether the text before an offset is a complete value."""
    try:
        return not text[raw_decode(text, 0)[1] : offset].strip()
    except (ValueError, RecursionError):
        return False
