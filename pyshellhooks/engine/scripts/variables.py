"""Checks for variables that a hook's system never sets: they are empty, so that a guard lets everything pass."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from fnmatch import fnmatchcase

from ...analysis.named_commands import nodes, parse_script, static_words
from ...errors import ShellSyntaxError, Stop
from ...hooks.dialect import Dialect
from ...syntax.nodes.commands import For, Function, Select
from ...syntax.nodes.simple import Assign, Simple
from ...syntax.nodes.words import Parameter
from ...syntax.text_diagnostic import TextDiagnostic
from .rule import reports

#: Variables that people expect for the call: an agent's name, and a part of the payload.
_OF_A_CALL = re.compile(
    r"(?:(?:CLAUDE|CLAUDE_CODE|CURSOR|GEMINI|CRUSH|FIREBENDER|EVERRUNS|DOCKER_AGENT|AGENT|HOOK)_)?"
    r"TOOL_(?:INPUT|NAME|ARGS|ARGUMENTS|OUTPUT|RESPONSE|RESULT|PARAMS|COMMAND|FILE|FILE_PATH|USE_ID)(?:_[A-Z_]+)?"
    r"|(?:CLAUDE|CURSOR|GEMINI|CRUSH|FIREBENDER)_(?:FILE|FILES|FILE_PATH|FILE_PATHS|COMMAND|PROMPT|USER_PROMPT|EVENT"
    r"|HOOK_EVENT|HOOK_INPUT|EVENT_NAME|MESSAGE|NOTIFICATION|TRANSCRIPT|TRANSCRIPT_PATH|SESSION_ID|CWD|WORKING_DIR)"
)
#: Placeholders of editors in tasks and launch configurations; a shell reads them as variables.
_OF_EDITORS = frozenset(["file", "fileBasename", "fileDirname", "relativeFile", "workspaceFolder", "workspaceRoot"])
#: Placeholders of templates, or of other parts of a config.
_PLACEHOLDER = re.compile(
    r"\$\{?ARGUMENTS\b\}?|\{\{\s*(?:tool_input|tool_name|tool_response|prompt|command|file_path|session_id|cwd)\b[\w.]*\s*\}\}"
)
#: Commands that set a script's arguments or read the payload, so that the script does not rely on arguments.
_KNOWING = frozenset(["set", "shift", "cat", "jq", "mapfile", "node", "python", "python3", "read", "readarray", "tee"])
_TESTED = re.compile(r"""-[nz]\s+["']?\$\{?\d""")
_FALLBACKS = frozenset([":-", "-", ":=", "=", ":+", "+", "?", ":?"])  # operators for a variable that may be unset
_NAMING = frozenset(["read", "mapfile", "readarray", "getopts", "printf", "export", "local", "declare", "typeset", "readonly"])  # fmt: skip


@reports("variable-unset")
def unset_variables(
    text: str, dialect: Dialect, environment: Collection[str], *, inline: bool
) -> Iterator[TextDiagnostic]:
    """Report each variable of a text that is empty in every call, once.

    A script that runs other code which may set variables (``source``, ``eval``) is skipped.

    ``environment``: the names of the hook's variables, from any source. ``inline``: the text is the hook's own command,
    which gets no arguments.
    """
    try:
        tree = parse_script(text)
        all_nodes = list(nodes(tree))
    except (ShellSyntaxError, Stop, RecursionError):
        return
    assigned = set(environment)
    positional = not inline
    for node in all_nodes:
        if isinstance(node, Assign | For | Select):
            assigned.add(node.name)
        elif isinstance(node, Function):
            positional = True
        elif isinstance(node, Simple):
            words = static_words(node)
            if words[:1] in (["."], ["source"], ["eval"]):
                return
            if words[:1] == ["set"]:
                positional = True
            assigned.update(_assigned_by(words))
    for node in all_nodes:
        if not isinstance(node, Parameter) or node.op in _FALLBACKS:
            continue
        if node.name in assigned:
            continue
        message = _unset(node.name, dialect, inline=inline, positional=positional)
        if message:
            assigned.add(node.name)  # one diagnostic for each
            yield TextDiagnostic("variable-unset", message, _payload_at(dialect), node.pos, node.end)


@reports("variable-unset")
def placeholders(text: str, dialect: Dialect) -> Iterator[TextDiagnostic]:
    """Report the first placeholder in a command that stays unfilled (``{{tool_input.command}}``), in any quotes.

    A hint, since a program that writes the settings may still fill it in.
    """
    placeholder = _PLACEHOLDER.search(text)
    if placeholder is not None:
        message = f"{placeholder[0]} is not replaced: {dialect.title} has no placeholders in commands"
        yield TextDiagnostic("variable-unset", message, _payload_at(dialect), *placeholder.span(), "hint")


@reports("variable-unset")
def arguments_missing(text: str, dialect: Dialect) -> Iterator[TextDiagnostic]:
    """Report the first argument that a script reads outside functions (``$1``), if no hook passes it one.

    A hint, since another program may pass some. A script that counts or tests its arguments, or also reads its stdin,
    is skipped.
    """
    try:
        every = list(nodes(parse_script(text), lambda node: not isinstance(node, Function)))
    except (ShellSyntaxError, Stop, RecursionError):
        return
    parameters = [node for node in every if isinstance(node, Parameter)]
    names: set[str | None] = set()
    for node in every:
        if isinstance(node, Simple):
            names.update(static_words(node)[:1])
    if not names.isdisjoint(_KNOWING):
        return
    if "$#" in text or _TESTED.search(text):
        return
    for node in parameters:
        if node.name == "0" or not node.name.isdigit():
            continue
        if node.op not in _FALLBACKS:
            message = f"${node.name} is empty: no hook of this file passes the script an argument"
            yield TextDiagnostic("variable-unset", message, _payload_at(dialect), node.pos, node.end, "hint")
            return


def _assigned_by(words: Sequence[str | None]) -> Iterator[str]:
    """Yield the variables that the words of ``read``, ``export`` and the like name, which these commands may set."""
    if words and words[0] in _NAMING:
        yield from (word.partition("=")[0] for word in words[1:] if word)


def _unset(name: str, dialect: Dialect, *, inline: bool, positional: bool) -> str:
    """Return the message on a variable that is never set; ``""`` if it may be set."""
    if name.isdigit() and name != "0":
        return "" if positional else f"${name} is empty: {dialect.title} gives a hook's command no arguments"
    if inline and name in _OF_EDITORS:
        return f"${{{name}}} is empty: {dialect.title} has no placeholders, and sets no such variable"
    if not _OF_A_CALL.fullmatch(name) or any(fnmatchcase(name, one) for one in dialect.variables):
        return ""
    return f"${name} is empty: {dialect.title} sets no such variable"


def _payload_at(dialect: Dialect) -> str:
    if dialect.payload_variables:
        return f"the payload is in ${dialect.payload_variables[0]}"
    return "read the payload, which is JSON on standard input, with jq"
