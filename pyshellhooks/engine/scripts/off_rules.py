"""The rules that find why a hook is off in its agent, although it may work here. Nothing is run.

Each rule is a function of its own, and its docstring explains it: docs/diagnostics.md shows it at the rule's code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from ...analysis.bash_only import bash_only, checks_or_starts_bash
from ...analysis.named_commands import assigned, nodes, static_text, static_words
from ...errors import Diagnostic
from ...hooks.places import has_name
from ...host import current
from ...interp.probe import HEAD
from ...interp.resolve import undotted
from ...syntax import check_text
from ...syntax.nodes.commands import List
from ...syntax.nodes.simple import Simple
from ...syntax.nodes.words import CommandSub, Parameter, Word
from ...syntax.source import Source
from .agent_hook import AgentHook, NamedScript, ParsedText
from .first_line import fault
from .off_reason import OffReason, Text
from .rule import reports

if TYPE_CHECKING:
    from .dash_echo import Echo

EXECUTE_BITS = 0o111
_FAILS = re.compile(r"\bexit\s+-?(?!0\b|2\b)\d|\bfalse\s*\Z|\bkill\b")
#: Part of a text that may block, by its exit status or its output.
_MAY_BLOCK = re.compile(r"\bexit\s+2\b|\b(?:block|deny|continue)\b")
_ONE = re.compile(r"\b(exit\s+)1\b")
#: A text that tests for the execute bit, or sets it.
_KNOWS_THE_BIT = re.compile(r"\bchmod\b|-x\s")
#: Variables of agents with a directory of the user: on another machine it may have a blank.
_PLACES = re.compile(r"_(?:PROJECT_DIR|PLUGIN_ROOT|PLUGIN_DATA)\Z")
_DASH = "dash, the sh of Debian and Ubuntu,"
#: Beginning of a word that is not a path below the working directory.
_FROM_ELSEWHERE = re.compile(r"[/~$]|\.\.|.:")
_EXIT = re.compile(r"^[ \t]*(exit\b.*)", re.MULTILINE)
#: A path below the directory of a plugin.
_PLUGIN_ROOT = re.compile(r"""\$\{?(CLAUDE_PLUGIN_ROOT)\}?"?/""")
_USUAL_PATH = ["/usr/bin", "/bin"]  # the default of a shell without PATH

#: A rule on a hook as a whole.
HookRule: TypeAlias = Callable[[AgentHook], Iterator[OffReason]]
#: A rule on a text that a shell of the agent reads.
TextRule: TypeAlias = Callable[[AgentHook, ParsedText], Iterator[OffReason]]
#: A rule on a script that a text names.
NamedScriptRule: TypeAlias = Callable[[AgentHook, NamedScript], Iterator[OffReason]]


# -- the hook ---------------------------------------------------------------------------------------------------------


@reports("program-missing")
def no_directory_of_path(hook: AgentHook) -> Iterator[OffReason]:
    """Report a PATH of which no directory exists: the agent's shell then finds builtins only."""
    path = hook.job.env.get("PATH", "")
    is_agents = not current().windows and not hook.is_moved and hook.dialect.execute_bit
    if not path or not is_agents or hook.fs.host_path("/") is None:
        return
    if not any(hook.fs.exists(hook.fs.absolute(hook.job.cwd, one)) for one in path.split(":")):
        message = f"no directory of PATH exists here ({path}): the shell of {hook.dialect.title} finds no program"
        fix = "start the agent with a PATH that contains /usr/bin and /bin"
        text = Text(hook.job.command)
        place = 0, len(text.text)
        yield OffReason("program-missing", "PATH", message, fix, text, place, severity="warning", is_here=True)


@reports("variable-unset")
def plugin_root_in_settings(hook: AgentHook) -> Iterator[OffReason]:
    """Report ``$CLAUDE_PLUGIN_ROOT`` in settings: only hooks of plugins have it."""
    origin = hook.job.spec.origin
    is_settings = has_name(origin.file, hook.dialect.file_names)
    named = _PLUGIN_ROOT.search(hook.job.command)
    if named is None or not is_settings or origin.plugin or hook.job.env.get(named[1]):
        return
    message = f"${named[1]} is empty: {hook.dialect.title} sets it only for hooks of plugins, not of settings"
    fix = 'write "$CLAUDE_PROJECT_DIR"/, or move the hook to hooks/hooks.json of the plugin'
    yield OffReason("variable-unset", named[0], message, fix, Text(hook.job.command), named.span())


# -- texts ------------------------------------------------------------------------------------------------------------


def failing_end(hook: AgentHook, parsed: ParsedText) -> Iterator[OffReason]:
    """Report the failing ends of a guard that the ``END_RULES`` of ``script_advice`` find."""
    text = parsed.text
    if not text.whole or hook.event is None or not _FAILS.search(text.text):
        return
    from .script_advice import HookContext, ends_with_one  # here, because few texts need the import

    for one in ends_with_one(text.text, parsed.tree, HookContext(hook.dialect, hook.job.spec, hook.event, ())):
        place = one.begin, one.end
        name = text.text[slice(*place)]
        if one.severity == "hint":
            yield OffReason(one.code, name, one.message, one.hint, text, place, severity="hint")
        else:
            edits = [(*place, _ONE.sub(r"\g<1>2", name))]
            yield OffReason(one.code, name, one.message, one.hint, text, place, edits=edits)


@reports("no-effect")
def empty_script(hook: AgentHook, parsed: ParsedText) -> Iterator[OffReason]:
    """Report a script that may be a guard and has no command: a hint, since it may be unfinished."""
    text = parsed.text
    if text.file and text.whole and not parsed.tree.items and hook.may_be_guard():
        message = "the script has no command, so it allows everything"
        yield OffReason("no-effect", "", message, "write the guard", text, _first_line_of(text), severity="hint")


@reports("switched-off")
def bash_env(hook: AgentHook, parsed: ParsedText) -> Iterator[OffReason]:
    """Report a set ``BASH_ENV``: the agent's bash runs that file before a script, and it may exit (bash manual 6.2)."""
    text = parsed.text
    path = hook.job.env.get("BASH_ENV", "")
    if not text.file or text.shell != "bash" or not path or hook.is_moved:
        return
    if hook.is_there(hook.fs.absolute(hook.job.cwd, path)):
        message = f"BASH_ENV is set: bash runs {path} before this script, but pyshellhooks does not"
        place, fix = _first_line_of(text), "unset BASH_ENV"
        yield OffReason("switched-off", "BASH_ENV", message, fix, text, place, severity="hint", is_here=True)


@reports("bash-under-sh")
def bash_under_sh(hook: AgentHook, parsed: ParsedText) -> Iterator[OffReason]:
    """Report syntax that only bash has in a text that ``sh`` reads: on Debian and Ubuntu, ``sh`` is dash.

    Claude Code runs commands with ``sh``, Gemini CLI with bash. An error if a guard may be lost, a warning if the hook
    can't block.
    """
    text = parsed.text
    parts = bash_only(parsed.tree, text.text) if text.shell == "sh" else []
    if not parts:
        return
    names = ", ".join(dict.fromkeys(part.name for part in parts))
    message = f"{text.because}, but {_DASH} does not know {names}"
    fix = "do not use that syntax, or move it to a script whose first line is #!/bin/bash"
    if text.file:
        fix = "begin it with #!/bin/bash" if text.because.startswith("its") else "run it with bash"
    place = parts[0].pos, parts[0].end
    severity = _severity_for_sh(hook, text.text)
    yield OffReason("bash-under-sh", parts[0].name, message, fix, text, place, severity=severity)


@reports("echo-under-sh")
def echo_under_sh(hook: AgentHook, parsed: ParsedText) -> Iterator[OffReason]:
    r"""Report an ``echo`` of the payload in a text that ``sh`` reads: the one of dash interprets backslashes as escapes.

    ``\n`` and ``\\`` in JSON are lost, so ``jq`` can't read a command of two lines, and a text ends at ``\c``. An error if
    JSON of the payload or of the output is lost, a warning if only ``\c`` or single lines matter.
    """
    if parsed.text.shell == "sh":
        yield from _echoes(hook, parsed.tree, parsed.text, parsed.text)


@reports("byte-order-mark")
def mark_in_command(hook: AgentHook, parsed: ParsedText) -> Iterator[OffReason]:
    """Report a byte order mark that a command follows directly: it becomes a part of the command's name."""
    text, tree = parsed.text, parsed.tree
    if not text.has_mark:
        return
    first = tree.items[0][0] if tree.items else None
    if isinstance(first, Simple) and Source(text.text).line(first.pos) == 1:
        message = "it begins with a byte order mark, which a shell reads as a part of the first command's name"
        fix, place = "save it as UTF-8 without one", (0, first.end)
        yield OffReason("byte-order-mark", text.text[slice(*place)], message, fix, text, place)


@reports("here-document")
def swallowed_exit(hook: AgentHook, parsed: ParsedText) -> Iterator[OffReason]:
    """Report a here-document without an end that contains an ``exit``, which therefore never runs."""
    text = parsed.text
    if not text.file or "<<" not in text.text:
        return
    problem = next((one for one in check_text(text.text) if one.code == "here-document"), None)
    if problem is None:
        return
    swallowed = _EXIT.search(text.text, text.text.find("\n", problem.begin))
    if swallowed is not None:
        message = f"the here-document of line {problem.line} has no end, so {swallowed[1]} is a part of it"
        fix = "write its end on a line of its own"
        yield OffReason("here-document", swallowed[1], message, fix, text, swallowed.span(1))


@reports("echo-under-sh")
def echo_after_sh_c(hook: AgentHook, parsed: ParsedText) -> Iterator[OffReason]:
    """Report an ``echo`` of the payload in a text after ``sh -c``."""
    for inner in parsed.for_sh:
        sh = Text(inner.text, shell="sh", because="sh runs this text")
        yield from _echoes(hook, inner.tree, sh, parsed.text, inner.place)


@reports("bash-under-sh")
def bash_after_sh_c(hook: AgentHook, parsed: ParsedText) -> Iterator[OffReason]:
    """Report syntax that only bash has in a text after ``sh -c``."""
    text = parsed.text
    for inner in parsed.for_sh:
        parts = bash_only(inner.tree, inner.text)
        if parts:
            message = f"sh runs this text, but {_DASH} does not know {parts[0].name}"
            severity = _severity_for_sh(hook, f"{text.text}\n{inner.text}")
            fix = "write bash -c"
            yield OffReason("bash-under-sh", parts[0].name, message, fix, text, inner.place, severity=severity)


@reports("unquoted-variable")
def unquoted_variable(hook: AgentHook, parsed: ParsedText) -> Iterator[OffReason]:
    """Report a variable without quotes in a word that names a file: the shell splits its value at a blank.

    An error if the value has a blank here. A hint if it is a directory that may have one on another machine.
    """
    text, values = parsed.text, assigned(parsed.tree, parsed.values)
    if "IFS" in values:
        return
    for word, whole, every, is_cd in _expanded(parsed.tree, values):
        parts = [part for part in every if not _is_pasted(hook, part)]
        split = [part for part in parts if _has_blank(part, values)]
        elsewhere = [part for part in parts if _PLACES.search(getattr(part, "name", ""))]
        path = hook.fs.absolute(hook.job.cwd, whole)
        is_sought = hook.is_directory(path) if is_cd else hook.is_there(path)
        if not (split or elsewhere) or not is_sought:
            continue
        place = word.pos, word.end
        name = text.text[slice(*place)]
        edit = *place, _quoted(word, split or elsewhere, text.text)
        first = (split or elsewhere)[0]
        variable, fix = text.text[first.pos : first.end], f"quote it: {edit[2]}"
        if split:
            sought = whole.split()[0]
            message = f"{variable} is not quoted, and its value has a blank: the shell looks for {sought}"
            yield OffReason("unquoted-variable", name, message, fix, text, place, edits=[edit], sought=sought)
        else:
            message = f"{variable} is not quoted: below a directory with a blank in its name, the shell finds nothing"
            yield OffReason("unquoted-variable", name, message, fix, text, place, edits=[edit], severity="hint")


# -- scripts that a text names ----------------------------------------------------------------------------------------


@reports("relative-script")
def relative_script(hook: AgentHook, script: NamedScript) -> Iterator[OffReason]:
    """Report a relative path of a script in a hook's command: the agent may be in another directory of the project.

    A hint if the script is found from here.
    """
    if not script.is_certain:
        return
    job, word, text = hook.job, script.word, script.text
    own = f"{hook.dialect.name.partition('_')[0].upper()}_PROJECT_DIR"
    variable = "CLAUDE_PLUGIN_ROOT" if job.env.get("CLAUDE_PLUGIN_ROOT") else own
    root = job.env.get(variable, "").rstrip("/")
    if _FROM_ELSEWHERE.match(word) or not root:
        return
    inner, place = undotted(word), script.command.span(word)
    fix = f'write "${variable}"/{inner}' if job.argv is None else f"write ${{{variable}}}/{inner}"
    if script.path is None:
        if root != job.cwd and hook.is_there(f"{root}/{inner}"):
            message = f"{word} is in {root}, but the agent is in {job.cwd}"
            yield OffReason("relative-script", word, message, fix, text, place, sought=word)
    elif hook.dialect.cwd_moves:
        message = f"{hook.dialect.title} does not find {word} when it is in another directory of the project"
        yield OffReason("relative-script", word, message, fix, text, place, severity="hint")


@reports("not-executable")
def no_execute_bit(hook: AgentHook, script: NamedScript) -> Iterator[OffReason]:
    """Report a script that is run by its path and has no execute bit; Crush needs none.

    A warning if the command tests the bit or sets it.
    """
    path, word = script.path, script.word
    if path is None or not script.is_started or current().windows or hook.files[path][0] & EXECUTE_BITS:
        return
    message = f"{word} has no execute bit: {hook.dialect.title} can't start it"
    severity = "warning" if _KNOWS_THE_BIT.search(script.text.text) else "error"
    fix, place = f"chmod +x {current().relative(path)}", script.command.span(word)
    yield OffReason("not-executable", word, message, fix, script.text, place, severity=severity, no_bit=path)


@reports("interpreter")
def first_line(hook: AgentHook, script: NamedScript) -> Iterator[OffReason]:
    """Report a first line with which the operating system can't start a script.

    It names no program (``#!bash``), or passes several words to ``env`` on Linux (``#!/usr/bin/env bash -e``). A warning if
    it names an interpreter that is not on this machine.
    """
    text, found = _fault_of_first_line(hook, script)
    if found is not None and found.code == "interpreter":
        yield _of_first_line(text, found)


@reports("crlf")
def crlf_in_first_line(hook: AgentHook, script: NamedScript) -> Iterator[OffReason]:
    """Report a first line that names no program because it ends with CRLF: an error, since the script does not start."""
    text, found = _fault_of_first_line(hook, script)
    if found is not None and found.code == "crlf":
        yield _of_first_line(text, found)


@reports("interpreter")
def no_first_line(hook: AgentHook, script: NamedScript) -> Iterator[OffReason]:
    """Report a script without a ``#!`` line that the system starts without a shell."""
    if hook.job.argv is None or script.text.file or script.path is None or not script.is_started:
        return
    head = hook.content(script.path, HEAD)
    if not head.startswith("#!") and "\0" not in head:
        text = Text(head, script.path)
        place = _first_line_of(text)
        message = f"it has no #! line, and {hook.dialect.title} starts it without a shell"
        yield OffReason("interpreter", head[slice(*place)], message, "begin it with #!/bin/sh", text, place)


#: The rules on a hook, in the order of their reports.
HOOK_RULES: tuple[HookRule, ...] = (no_directory_of_path, plugin_root_in_settings)
#: The rules on each text, in the order of their reports.
TEXT_RULES: tuple[TextRule, ...] = (
    failing_end,
    empty_script,
    bash_env,
    bash_under_sh,
    echo_under_sh,
    mark_in_command,
    swallowed_exit,
    echo_after_sh_c,
    bash_after_sh_c,
    unquoted_variable,
)
#: The rules on each script that a text names, in the order of their reports.
NAMED_SCRIPT_RULES: tuple[NamedScriptRule, ...] = (
    relative_script,
    no_execute_bit,
    first_line,
    crlf_in_first_line,
    no_first_line,
)


# -- helpers of the rules ---------------------------------------------------------------------------------------------


def _first_line_of(text: Text) -> tuple[int, int]:
    return 0, len(text.text.partition("\n")[0])


def _fault_of_first_line(hook: AgentHook, script: NamedScript) -> tuple[Text, Diagnostic | None]:
    """Return the beginning of a script, and why the operating system can't start it with that first line, if it names one."""
    if script.path is None or not script.is_started:
        return Text(""), None
    head = hook.content(script.path, HEAD)
    line = head.partition("\n")[0]
    searched = [one for one in hook.job.env.get("PATH", "").split(":") if one] or _USUAL_PATH
    found = fault(line, hook.job.cwd, searched, hook.is_there) if line.startswith("#!") else None
    if found is not None and found.severity == "warning" and current().windows:
        found = None  # the bash of Git brings its own /bin, and PATH has programs with other names
    return Text(head, script.path), found


def _of_first_line(text: Text, found: Diagnostic) -> OffReason:
    """Return the reason for a fault of a first line."""
    begin, end = _first_line_of(text)
    place, is_here = (found.column - 1, end), found.severity == "warning"
    name = text.text[begin:end]
    return OffReason(found.code, name, found.message, found.hint, text, place, severity=found.severity, is_here=is_here)


def _echoes(
    hook: AgentHook, tree: List, sh: Text, text: Text, place: tuple[int, int] | None = None
) -> Iterator[OffReason]:
    """Yield one reason for each way in which the ``echo`` of dash corrupts a text of the payload.

    ``sh``: the text that sh reads. ``text``, ``place``: the text and the place to report; they differ for ``sh -c``.
    """
    if "echo" not in sh.text or checks_or_starts_bash(sh.text):
        return
    from .dash_echo import echoes  # here, because few hooks need the import

    kinds: dict[int, list[Echo]] = {}
    for echo in echoes(tree, sh.text, has_input=bool(hook.job.stdin)):
        kinds.setdefault(echo.kind, []).append(echo)
    for same in kinds.values():
        first = same[0]
        severity = _severity_of_echo(hook, first, sh.text)
        if severity:
            yield OffReason(
                "echo-under-sh",
                first.shown if first.kind else "echo",
                f"{sh.because}, and the echo of {_DASH} {first.harm(hook.dialect.title)}",
                first.hint,
                text,
                place or (first.command.pos, first.command.end),
                severity=severity,
                edits=[] if place else [echo.edit for echo in same if echo.edit is not None],
                only_with=first.harmful,
            )


def _severity_of_echo(hook: AgentHook, echo: Echo, text: str) -> str:
    """Return the severity; ``""`` if a corrupted text does not affect a decision."""
    if hook.event is not None and not hook.event.row.guards:
        return ""  # no call, prompt or result is in its payload
    severity = _severity_for_sh(hook, text)
    if echo.is_rarely_harmful:
        return "warning" if severity == "error" else ""
    if not echo.kind and not _MAY_BLOCK.search(text):
        return "warning"
    return severity


def _severity_for_sh(hook: AgentHook, text: str) -> str:
    """Return "error" if a text that dash can't read may be a guard's, else "warning": on some systems sh is bash.

    A hook before a call is a guard, itself or by a script. After a call or at the end of a turn, most hooks only format
    or report.
    """
    guards = "call" if hook.event is None else hook.event.row.guards
    if guards in ("result", "stop"):
        return "error" if _MAY_BLOCK.search(text) else "warning"
    return "error" if guards else "warning"


def _is_pasted(hook: AgentHook, part: Parameter | CommandSub) -> bool:
    """Return whether the system itself replaces a variable in the command by its quoted value."""
    return isinstance(part, Parameter) and not part.braced and part.name in hook.dialect.pasted


def _expanded(tree: List, values: Mapping[str, str]) -> Iterator[tuple[Word, str, list[Parameter | CommandSub], bool]]:
    """Yield the words with unquoted expansions of known value.

    Each with its text as if quoted, its unquoted parts, and whether it is an operand of ``cd``.
    """
    for node in nodes(tree):
        if not isinstance(node, Simple) or static_words(node)[:1] in (["echo"], ["printf"]):
            continue
        for word in node.words:
            if not isinstance(word, Word):
                continue
            parts = [part for part in word.parts if isinstance(part, Parameter | CommandSub)]
            text = static_text(word, values) if parts else None
            if text:
                yield word, text, parts, static_words(node)[:1] == ["cd"]


def _has_blank(part: Parameter | CommandSub, values: Mapping[str, str]) -> bool:
    text = static_text(Word((part,), part.pos, part.end), values)
    return text is not None and len(f"x{text}x".split()) > 1


def _quoted(word: Word, parts: Sequence[Parameter | CommandSub], text: str) -> str:
    """Return the text of a word with these parts in double quotes."""
    written, at = "", word.pos
    for part in parts:
        written += f'{text[at : part.pos]}"{text[part.pos : part.end]}"'
        at = part.end
    return written + text[at : word.end]


__all__ = ["EXECUTE_BITS", "HOOK_RULES", "NAMED_SCRIPT_RULES", "TEXT_RULES"]
