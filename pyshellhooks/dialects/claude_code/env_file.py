"""Assignments in a hook's ``CLAUDE_ENV_FILE``, for later Bash calls (claude_code 4). Pure text parsing."""

from __future__ import annotations

import re

LONGEST = 64 * 1024  # characters of a file that is parsed; parsing has no deadline
_QUOTED = r"""'[^']*'|"(?:[^"\\]|\\.)*"|\\."""
_STATEMENT = re.compile(rf"""(?:[^'"\\\n]|{_QUOTED})*""", re.DOTALL)
_ASSIGNMENT = re.compile(r"(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)=")
_PIECE = re.compile(rf"""({_QUOTED})|([^\s'"\\;&|()<>$`*?\[{{~])""", re.DOTALL)
_END = re.compile(r"[ \t\r]*(?:;[ \t\r]*|[ \t]#.*)?")


def assignments(text: str) -> tuple[dict[str, str], list[str]]:
    """Return the variables that the lines plainly set, and the lines that only a shell understands."""
    variables: dict[str, str] = {}
    unclear: list[str] = []
    if len(text) > LONGEST:
        return {}, [f"{len(text)} characters, too many to read here"]
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
        elif text[at] == "#":
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        else:
            match = _STATEMENT.match(text, at)
            end = match.end() if match is not None else at
            if end < len(text) and text[end] != "\n":  # an unclosed quote: the shell runs nothing from here on
                return variables, [*unclear, text[at:]]
            statement = text[at:end]
            name = _ASSIGNMENT.match(statement)
            value = _value(statement, name.end()) if name is not None else None
            if name is None or value is None:
                unclear.append(statement.strip())
            else:
                variables[name[1]] = value
            at = end
    return variables, unclear


def _value(text: str, at: int) -> str | None:
    """Return the value without its quotes; None if a shell would expand it, or if the line goes on after it."""
    parts: list[str] = []
    while match := _PIECE.match(text, at):
        at = match.end()
        quoted = match[1]
        if not quoted:
            parts.append(match[2])
        elif quoted[0] == "'":
            parts.append(quoted[1:-1])
        elif quoted[0] == "\\":
            parts.append(quoted[1:].strip("\n"))
        elif "$" in quoted or "`" in quoted:
            return None
        else:
            parts.append(re.sub(r'\\(["\\])', r"\1", quoted[1:-1].replace("\\\n", "")))
    return "".join(parts) if _END.fullmatch(text, at) else None
