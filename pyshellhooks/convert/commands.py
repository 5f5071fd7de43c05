"""The variables of a command that another system does not set, or has under another name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase

from ..hooks.dialect import Dialect
from .losses import VARIABLE, Losses
from .script_texts import ScriptTexts

_PROJECT = "PROJECT_DIR"
_TOP_LEVEL = "$(git rev-parse --show-toplevel)"


def translated_command(
    command: str, source: Dialect, target: Dialect, texts: ScriptTexts, losses: Losses, *, guards: bool
) -> str:
    """Return a command with the other system's variables; report those that it does not set."""
    for name in _names_in(texts.text, source):
        if any(fnmatchcase(name, known) for known in target.variables):
            continue
        value = _value_of(name, target)
        written = _uses(name, command)
        in_script = len(re.findall(_form(name), texts.text)) > written
        if value and written:
            command = re.sub(_form(name), value.replace("\\", r"\\"), command)
        if value == _TOP_LEVEL and written:
            message = f"{target.title} does not name the project's directory in a variable"
            losses.changed(VARIABLE, f"{message}: ${name} is replaced by {_TOP_LEVEL}, which needs a git repository")
        elif in_script or not value:
            where = "a script" if in_script and not written else "the command"
            losses.of_guard(guards, VARIABLE, f"{where} reads ${name}, which {target.title} does not set")
    return command


def missing_variables(env: Mapping[str, str], title: str, losses: Losses) -> None:
    """Report the variables of the config that its hooks would lack."""
    if env:
        losses.lost(VARIABLE, f"env sets {', '.join(env)} for all hooks; set it where {title} is started")


def _names_in(text: str, source: Dialect) -> list[str]:
    """Return the system's variables in a text, in their order there."""
    names = dict.fromkeys(re.findall(r"\$\{?([A-Z][A-Z0-9_]+)", text))
    return [name for name in names if any(fnmatchcase(name, known) for known in source.variables)]


def _form(name: str) -> str:
    """Return the expression for ``$NAME`` and ``${NAME}``."""
    return rf"\$(?:{name}(?![A-Za-z0-9_])|\{{{name}\}})"


def _uses(name: str, command: str) -> int:
    return len(re.findall(_form(name), command))


def _value_of(name: str, target: Dialect) -> str:
    """Return the other system's text for a variable; ``""`` if it has none."""
    role = name.partition("_")[2]
    for known in target.variables:
        if "*" not in known and known.partition("_")[2] == role:
            return f"${{{known}}}"
    if role != _PROJECT:
        return ""
    # Its hooks start in the project, or wherever the agent is.
    return _TOP_LEVEL if target.cwd_moves else "."
