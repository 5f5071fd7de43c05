"""The static checks of ``check``: of a config, its commands, and the scripts that they run. Runs nothing.

Every mistake is a ``Diagnostic`` with a code (``codes.CODES``), at its place in the file. Only a mistake in the
files is an error; one that depends on this machine (a program that is not installed) is a warning, and an error for
``doctor``.
"""

from __future__ import annotations

import json
import os
import posixpath
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from ... import dialects, host
from ...errors import ConfigError, Diagnostic
from ...hooks.dialect import ConfigFile, Dialect, HostContext
from ...hooks.fields import sample
from ...hooks.installed import ENDING
from ...hooks.model import HookEvent, HookJob, HookSpec
from ...hooks.places import EXTENSION_MANIFEST, PLUGIN_HOOKS, has_name
from ...hooks.tools import ToldKind
from ...jsontext.document import Document, Node
from ...shell import Shell
from ...syntax import check_text
from ...syntax.check import offset_in
from ...syntax.source import Source
from ...syntax.text_diagnostic import TextDiagnostic
from ..config import loading
from ..config.discovery import host_contexts
from ..config.host_context import environment, read_host_context, working_directory
from ..scripts import off_in_agent
from ..scripts.command_syntax import document_of, place_of, strings
from ..scripts.referenced_scripts import Project
from ..scripts.rule import reports
from ..scripts.script_advice import HookContext, advise
from ..scripts.variables import arguments_missing, placeholders, unset_variables
from ..trust.trust import project_at, sample_jobs
from .codes import HINTS, NEVER, PLACES_THAT_COME_LATER
from .doctor import CommandLookup, Look, Text
from .fixes import Correction, Fixes
from .matchers import check_matcher, name_of, only_tools

_PLUGINS = "claude_code"  # the only system whose plugins are checked
_MCP = ("mcp__server__tool", "MCP:tool")  # samples, for systems without a fixed form of the names of MCP tools


#: Codes of advice on hook outputs that have no effect in the agent: an error for a guard.
_OFF = frozenset({"answer-unreadable", "jq-syntax"})


class Checked:
    """The diagnostics of one file. ``configuration`` is None if its system is not known.

    ``corrections``: the changes that ``check --fix`` writes; ``kept``: why it does not change a file.
    """

    __slots__ = ("configuration", "corrections", "diagnostics", "kept", "path")

    def __init__(
        self,
        path: str,
        configuration: loading.Configuration | None,
        found: Iterable[Diagnostic],
        corrections: Sequence[Correction] = (),
        kept: Sequence[str] = (),
    ) -> None:
        self.path = path
        self.kept = tuple(kept)
        self.corrections = tuple(corrections)
        self.configuration = configuration
        self.diagnostics = _mended(found, configuration)

    def told(self, ignored: Collection[str] = ()) -> list[Diagnostic]:
        """Return the diagnostics, without warnings and hints of these codes. Errors stay: they turn a guard off."""
        return [one for one in self.diagnostics if one.code not in ignored or one.severity == "error"]


def check_file(
    path: str,
    dialect: str | None = None,
    *,
    tools: Mapping[str, ToldKind] | None = None,
    env: Mapping[str, str] | None = None,
) -> Checked:
    """Check one file and the files that it names. ``tools``: the agent's tools and their kinds.

    Raises ``UnknownDialectError`` for a wrong ``dialect``.
    """
    given = loading.sources(path, None, path)
    try:
        chosen = loading.choose_dialect(dialect, given)
    except ConfigError as error:
        return Checked(path, None, error.diagnostics)
    given = loading.with_others(chosen, given)
    configuration = loading.load(chosen, given)
    found = [_as_error(one, configuration) for one in configuration.diagnostics]
    check = _Check(chosen, configuration, {source.name: source.text for source in given}, environment(env))
    found += check.hooks(home(chosen, path))
    corrections = check.fixes.corrections(path)
    if tools:
        found += _of_tools(path, dialect, tools)
    if configuration.specs and not given[0].plugin:
        found += name_not_read(chosen, path)
    return Checked(
        path, configuration, _once(sorted(found, key=lambda one: one.file != path)), corrections, check.fixes.kept
    )


@reports("no-effect")
def name_not_read(dialect: Dialect, path: str) -> list[Diagnostic]:
    """Report a config in the system's directory with a name under which the system does not read it: a hint."""
    whole = os.path.abspath(path).replace(os.sep, "/")
    if not _may_be_meant(dialect, whole) or not whole.endswith((".json", ".jsonc")) or whole.endswith(ENDING):
        return []
    if has_name(whole, dialect.file_names):
        return []
    message = f"{dialect.title} reads no hooks from a file of this name"
    names = [name for name in dialect.file_names if name.startswith(".")]
    return [Diagnostic(path, 0, 0, message, f"rename it to {' or '.join(names)}", "hint", code="no-effect")]


def _may_be_meant(dialect: Dialect, path: str) -> bool:
    """Return whether a file is in a directory of the system, or at a repository's root under a name of its files."""
    folders = {name.partition("/")[0] for name in dialect.file_names if name.startswith(".") and "/" in name}
    usual = {posixpath.basename(name) for name in dialect.file_names if "/" in name}
    *_, above, parent, name = ("", *path.split("/"))
    is_at_root = name in usual and os.path.exists(f"{posixpath.dirname(path)}/.git")
    return is_at_root or parent in folders or f".{parent}" in folders or above in folders


def files_at(directory: str, dialect: str | None = None, env: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the config files that discovery finds around a directory, each with the name of its system.

    These are the project's and the user's, those of the plugins that they enable, and the skills, commands and agents
    with hooks; in the directory of a plugin also the plugin's. Files that a manifest names are checked with it, and are
    not listed.
    """
    found: dict[str, str] = {}
    own = loading.plugin_file(working_directory(directory, None))
    is_other = own.endswith(f"/{PLUGIN_HOOKS}") and os.path.exists(
        f"{os.path.dirname(os.path.dirname(own))}/{EXTENSION_MANIFEST}"
    )
    if own and not is_other and (dialect is None or dialects.get(dialect).name == _PLUGINS):
        found[own] = dialect or _PLUGINS
    for system, file in _places_at(directory, dialect, env):
        is_off = file.diagnostic is not None and file.diagnostic.code == "switched-off"
        if file.supported and not is_off and not _is_led_to(system, file) and os.path.lexists(file.path):
            found.setdefault(file.path, system.full_name)
    return found


def problems_at(directory: str, dialect: str | None = None, env: Mapping[str, str] | None = None) -> list[Diagnostic]:
    """Return the diagnostics of discovery: files and plugins that the agent does not load, and switched-off ones."""
    found: list[Diagnostic] = []
    for _, file in _places_at(directory, dialect, env):
        if file.diagnostic is None or not os.path.lexists(file.path):
            continue
        code = file.diagnostic.code
        if code == "switched-off" and not file.quiet:
            found.append(file.diagnostic)
        elif not file.supported and code in ("config-refused", "config-unreadable", "hook-never-runs"):
            found.append(loading.with_severity(file.diagnostic, "error"))
    return list({one.message: one for one in found}.values())


def _places_at(
    directory: str, dialect: str | None, env: Mapping[str, str] | None
) -> Iterator[tuple[Dialect, ConfigFile]]:
    """Yield every place where discovery looks around a directory, with its system."""
    place = read_host_context(working_directory(directory, None), environment(env))
    for name in [dialect] if dialect is not None else dialects.names():
        system = dialects.get(name)
        for file in (*system.bundled(place), *system.all_places(place)):
            yield system, file


def _is_led_to(system: Dialect, file: ConfigFile) -> bool:
    """Return whether a file of a plugin is checked together with the plugin's manifest, which names it."""
    is_lost = file.diagnostic is not None and file.diagnostic.code != "switched-off"
    if not file.plugin or file.entry or is_lost:
        return False
    manifest = loading.plugin_file(file.plugin)
    return manifest not in ("", file.path) and file.path in loading.led_to(system, manifest)


def _mended(found: Iterable[Diagnostic], configuration: loading.Configuration | None) -> list[Diagnostic]:
    """Return the diagnostics, each with a hint: its own, else the default one of its code."""
    known = list(found)
    system = "DIALECT" if configuration is None else configuration.dialect.name
    for one in known:
        one.hint = one.hint or HINTS.get(one.code, "").replace("DIALECT", system)
    return known


def home(dialect: Dialect, path: str) -> str:
    """Return the directory that a config file is for: the one where its system looks for it, else the current one."""
    for whole in (os.path.abspath(path).replace(os.sep, "/"), os.path.realpath(path).replace(os.sep, "/")):
        if whole.endswith(ENDING):
            whole = f"{whole.removesuffix(ENDING)}.json"
        for name in dialect.file_names:
            folder = name.rpartition("/")[0]
            if whole.endswith(f"/{name}"):
                return whole.removesuffix(f"/{name}") or "/"
            if folder and f"/{folder}/" in whole:  # a skill, an agent
                return whole.partition(f"/{folder}/")[0] or "/"
    return host.current().getcwd()


def _as_error(one: Diagnostic, configuration: loading.Configuration) -> Diagnostic:
    """Raise a warning to an error if its hook never runs. An engine only warns, because the other hooks still run."""
    never = one.code in NEVER or any(one is refused for refused in configuration.refused)
    if one.severity == "warning" and never:
        return loading.with_severity(one, "error")
    return one


def _once(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return one diagnostic per place and code, in the order of the files' lines, the config first."""
    kept: dict[tuple[str, int, int, str], Diagnostic] = {}
    for one in found:
        kept.setdefault((one.file, one.line, one.column, one.code if one.line else one.message), one)
    files = {file: rank for rank, file in enumerate(dict.fromkeys(one.file for one in kept.values()))}
    return _in_one_line(sorted(kept.values(), key=lambda one: (files[one.file], one.line, one.column)))


def _in_one_line(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Merge equal diagnostics of a file into the first one, which lists the lines of the others."""
    groups: dict[tuple[str, str, str, str], list[Diagnostic]] = {}
    for one in diagnostics:
        groups.setdefault((one.file, one.code, one.severity, one.message), []).append(one)
    for first, *others in groups.values():
        lines = [str(line) for line in dict.fromkeys(one.line for one in others) if line not in (0, first.line)]
        if lines:
            first.message += f" (and in line {', '.join(lines)})"
    return [group[0] for group in groups.values()]


def _of_tools(path: str, dialect: str | None, tools: Mapping[str, ToldKind]) -> list[Diagnostic]:
    from ..engine import HookEngine

    try:
        with HookEngine.load(path, dialect, tools={name: kind for name, kind in tools.items() if kind}) as engine:
            found = engine.check_tools(list(tools))
    except ConfigError:
        return []  # reported already
    for one in found:
        if one.code == "matcher-matches-no-tool":
            one.severity = "error"
        if one.file == "tools":
            one.file = path
    return found


class _Check:
    """The check of the hooks of one configuration."""

    __slots__ = ("_configuration", "_dialect", "_documents", "_env", "_hinted", "_texts", "fixes")

    def __init__(
        self, dialect: Dialect, configuration: loading.Configuration, texts: Mapping[str, str], env: dict[str, str]
    ) -> None:
        self._dialect = dialect
        self._configuration = configuration
        self._texts = texts
        self._env = env
        self._documents: dict[str, Document | None] = {}
        self._hinted: set[str] = set()
        self.fixes = Fixes((), self._breaks)

    def _breaks(self, path: str, before: str, after: str) -> bool:
        """Return whether the new text of a config or a shell script has more mistakes, or another number of hooks."""
        if path not in self._texts:
            return len(list(check_text(after))) > len(list(check_text(before)))
        old, new = (loading.load(self._dialect, [loading.Source(path, text)]) for text in (before, after))
        codes = [Counter(one.code for one in whole.diagnostics) for whole in (old, new)]
        return len(old.specs) != len(new.specs) or bool(codes[1] - codes[0])

    def hooks(self, cwd: str) -> Iterator[Diagnostic]:
        """Yield the diagnostics of the hooks, as they would run in a directory."""
        around = host_contexts(cwd, self._env, {}, None)(self._configuration)
        projects = [project_at(one) for one in dict.fromkeys((around.project_dir, cwd, host.current().getcwd()))]
        self.fixes = Fixes(projects, self._breaks)
        own = around.home.rstrip("/") != cwd.rstrip("/")  # else the user's config, for unknown projects
        shell = Shell(cwd=cwd, env=self._env)
        looked: list[tuple[Look, HookContext | None]] = []
        for spec in self._configuration.specs:
            row = self._dialect.events.get(spec.event)
            if row is not None:
                for diagnostic in check_matcher(self._dialect, row, spec):
                    yield diagnostic.at(*self._matcher(spec))
        for spec, job in sample_jobs(self._dialect, self._configuration.specs, around):
            if job is None:
                continue
            look = Look(spec, job, shell)
            for finding in look.job():
                one = None if finding.fine else self._told(finding, projects, own)
                if one is not None:
                    yield one
            told = self._advice_context(spec, job, around)
            yield from self._off(job, None if told is None else told.event, shell)
            looked.append((look, told))
        yield from self._advice(looked)

    # -- advice -------------------------------------------------------------------------------------------------------

    def _advice_context(self, spec: HookSpec, job: HookJob, around: HostContext) -> HookContext | None:
        """Return the context for advice on a hook's text; None if no sample event can be made."""
        row = self._dialect.events[spec.event]
        try:
            payload = json.loads(job.stdin) if job.stdin else None
            fields = sample(row, False)
            names = (*self._dialect.mcp_names("server", "tool"), *_MCP) if row.subject == "tool_name" else ()
            others = [{**fields, row.places["tool_name"]: name} for name in names]
            event, *more = (self._dialect.make_event(row, False, one, around, None) for one in (fields, *others))
        except Exception:  # a run reports the error
            return None
        if not isinstance(payload, dict):  # the hook does not get its payload as JSON on stdin
            return HookContext(self._dialect, spec, event, more)
        inner = [(name, value) for name, value in payload.items() if isinstance(value, dict)]
        below = {key: f"{name}.{key}" for name, value in inner for key in value}
        texts = {text for _, value in inner for text in value.values() if isinstance(text, str) and text}
        given = {name for name, value in job.env.items() if value in texts}
        tools = only_tools(self._dialect, spec) if row.subject == "tool_name" else ()
        return HookContext(self._dialect, spec, event, more, {*payload, *row.named}, below, given, tools)

    def _advice(self, looked: Sequence[tuple[Look, HookContext | None]]) -> Iterator[Diagnostic]:
        """Yield advice on every text once. A script of several events may read the payload keys of each of them."""
        keys, tools = _of_all(looked)
        for look, told in looked:
            for text in look.texts:
                if text.file:
                    for rule in FILE_RULES:
                        for one in rule(text):
                            self.fixes.plain(text.file)
                            yield one
                yield from self._unset(look, text)
                if told is None or not text.whole:
                    continue
                told.keys = keys.get(text.file, told.keys)
                known = tools.get(text.file, [told.tools])
                told.tools = tuple(dict.fromkeys(tool for one in known for tool in one)) if all(known) else ()
                try:
                    advices = list(advise(text.text, told))
                except Exception:  # the dialect can't parse a sample output; a run reports the error
                    continue
                for advice in advices:
                    if advice.code in _OFF and told.event.row.deniable:
                        advice.severity = "error"
                yield from self._in_text(told.spec, text, advices)

    def _unset(self, look: Look, text: Text) -> Iterator[Diagnostic]:
        """Report variables of a text that are never set, and placeholders and arguments that it never gets."""
        unset = unset_variables(text.text, self._dialect, look.environment, inline=not text.file)
        yield from self._in_text(look.spec, text, unset)
        if not text.file:
            yield from self._in_text(look.spec, text, placeholders(text.text, self._dialect))
        elif text.whole and self._passes_nothing(text.file):
            yield from self._in_text(look.spec, text, arguments_missing(text.text, self._dialect))

    def _in_text(self, spec: HookSpec, text: Text, diagnostics: Iterable[TextDiagnostic]) -> Iterator[Diagnostic]:
        """Yield the diagnostics of a text of a hook at their places in the config or in the script."""
        source = Source(text.text)
        for diagnostic in diagnostics:
            diagnostic.file = text.file
            diagnostic.locate(source)
            yield self._at(spec, diagnostic)

    def _passes_nothing(self, script: str) -> bool:
        """Return whether every command that names a script passes it no arguments, because it ends with the name."""
        name = posixpath.basename(script)
        naming = [spec for spec in self._configuration.specs if name in f"{spec.command} {spec.argv or ''}"]
        return all(spec.argv is None and spec.command.rstrip("\"' ").endswith(name) for spec in naming)

    def _off(self, job: HookJob, event: HookEvent | None, shell: Shell) -> Iterator[Diagnostic]:
        """Yield the reasons why a hook is off in its agent."""
        for one in off_in_agent.reasons(job, event, self._dialect, shell.fs)[0]:
            diagnostic = self._at(job.spec, one)
            if one.severity != "warning" or one.code == "echo-under-sh":  # printf is correct in every shell
                self.fixes.add(one, job.spec, self._document(job.spec.origin.file))
            # One hint of a code is enough: the hooks of a config are usually written in the same style.
            if one.severity != "hint" or one.code not in self._hinted:
                yield diagnostic
            if one.severity == "hint":
                self._hinted.add(one.code)

    # -- commands and scripts -----------------------------------------------------------------------------------------

    def _told(self, finding: CommandLookup, projects: list[Project], own: bool) -> Diagnostic | None:
        """Return the diagnostic on a command that will not run; None if that depends on unknown facts."""
        code, severity, hint = finding.code, "warning", ""
        message = f"{finding.name}: {finding.message}"
        if code == "syntax-error":
            if not finding.file:
                return None  # the loader has reported it
            message, severity = f"the script does not parse: {finding.message}", "error"
        elif finding.excused:
            return None
        elif finding.path and not finding.file and os.path.isdir(finding.path):
            code, severity = "script-missing", "error"
            message, hint = f"{finding.name} is a directory", "name the script in it"
        elif code == "program-missing" and finding.hint and os.path.splitext(finding.name)[1]:
            severity = "error"  # a Windows path, whose backslashes the shell removes
        elif code == "script-missing":
            return self._missing_script(finding, projects, own)
        return self._of_lookup(finding, code, severity, message, finding.hint or hint)

    def _missing_script(self, finding: CommandLookup, projects: list[Project], own: bool) -> Diagnostic | None:
        """Return the diagnostic on a missing script; None if another project, or the session, may have it."""
        if self._dialect.session_files:
            return None
        inside = next((key for one in projects if (key := one.relative(finding.path)) is not None), "")
        elsewhere = any(os.path.exists(f"{one.path}/{inside}") for one in projects)
        if inside and (elsewhere or not own):
            return None
        code, severity = finding.code, "warning"
        if not inside or not PLACES_THAT_COME_LATER.isdisjoint(inside.split("/")):
            code = "program-missing"  # it depends on this machine
        elif not finding.file:
            severity = "error"
        hint = finding.hint or f"expected at {finding.path}"
        return self._of_lookup(finding, code, severity, f"{finding.name} does not exist", hint)

    def _of_lookup(self, finding: CommandLookup, code: str, severity: str, message: str, hint: str) -> Diagnostic:
        """Return a diagnostic at the place of a command, in the config or in the script."""
        diagnostic = Diagnostic(finding.file, finding.line, finding.column, message, hint, severity, code=code)
        diagnostic.end_column = finding.end_column
        return self._at(finding.spec, diagnostic)

    def _at(self, spec: HookSpec, one: Diagnostic) -> Diagnostic:
        """Return a diagnostic of a script, or of a hook's command (without a file), at its place in the files."""
        if one.file:
            source = _line(one.file, one.line)
            return one.at(host.current().relative(one.file), one.line, one.column, one.end_column, source)
        file = spec.origin.file
        document = self._document(file)
        line, column, end = spec.origin.line, spec.origin.column, 0
        if one.column:
            line, column = place_of(document, spec, offset_in(spec.command, one.line, one.column))
        if one.end_column:
            last = place_of(document, spec, offset_in(spec.command, one.line, one.end_column - 1))
            end = last[1] + 1 if last[0] == line else 0
        return one.at(file, line, column, end, _source(document, line))

    # -- places in the config -----------------------------------------------------------------------------------------

    def _document(self, file: str) -> Document | None:
        if file not in self._documents:
            self._documents[file] = document_of(self._texts.get(file, ""), file)
        return self._documents[file]

    def _matcher(self, spec: HookSpec) -> tuple[str, int, int, int, str]:
        """Return file, line, column, end and source line of a hook's matcher: the nearest equal string."""
        origin = spec.origin
        document = self._document(origin.file)
        same: list[Node] = []
        if document is not None:
            same = [node for node in strings(document.root) if node.value == name_of(spec)]
        if document is None or not same:
            return origin.file, origin.line, origin.column, 0, _source(document, origin.line)
        node = min(same, key=lambda node: abs(document.place(node.offset)[0] - origin.line))
        line, column = document.place(node.offset)
        return origin.file, line, column, column + node.end - node.offset, _source(document, line)


def _of_all(
    looked: Sequence[tuple[Look, HookContext | None]],
) -> tuple[dict[str, frozenset[str]], dict[str, list[tuple[str, ...]]]]:
    """Return two maps by script: the payload keys of all hooks that run it, and each hook's tools (() is any tool)."""
    keys: dict[str, frozenset[str]] = {}
    tools: dict[str, list[tuple[str, ...]]] = {}
    for file, told in ((text.file, told) for look, told in looked for text in look.texts if text.file):
        if told is not None:
            keys[file] = keys.get(file, frozenset()) | told.keys
        if told is None or told.place:
            tools.setdefault(file, []).append(() if told is None else told.tools)
    return keys, tools


@reports("byte-order-mark")
def byte_order_mark(text: Text) -> Iterator[Diagnostic]:
    """Report a byte order mark at the beginning of a script: its first line is ignored then."""
    if text.text.startswith("\ufeff"):
        message = "the script begins with a byte order mark, so its first line is ignored"
        yield _of_first_line(text, 1, message, "save it as UTF-8 without one", "byte-order-mark")


@reports("crlf")
def crlf(text: Text) -> Iterator[Diagnostic]:
    """Report CRLF line ends in a script, which editors write and shells read as a part of the last word of each line."""
    if "\r\n" in text.text:
        message = "the script has CRLF line endings: a shell reads each \\r as a part of the last word"
        yield _of_first_line(text, len(_first_line(text)) + 1, message, "save it with LF", "crlf")


#: A rule on the bytes of a script.
FileRule: TypeAlias = Callable[[Text], Iterator[Diagnostic]]
#: The rules on the bytes of a script, in the order of their reports.
FILE_RULES: tuple[FileRule, ...] = (byte_order_mark, crlf)


def _of_first_line(text: Text, column: int, message: str, hint: str, code: str) -> Diagnostic:
    file = host.current().relative(text.file)
    return Diagnostic(file, 1, column, message, hint, "warning", code=code, source=_first_line(text))


def _first_line(text: Text) -> str:
    return text.text.partition("\n")[0].rstrip("\r").removeprefix("\ufeff")


def _source(document: Document | None, line: int) -> str:
    if document is None or line < 1:
        return ""
    lines = document.text.split("\n", line)
    return lines[line - 1].rstrip("\r") if len(lines) >= line else ""


def _line(path: str, line: int) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return next((text.rstrip("\n") for number, text in enumerate(file, 1) if number == line), "")
    except OSError:
        return ""


__all__ = ["Checked", "check_file", "files_at", "home", "problems_at"]
