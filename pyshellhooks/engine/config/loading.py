"""Loading of hooks from configuration files: reading, detection of the system, trust, ids."""

from __future__ import annotations

import os
import stat as modes
from codecs import BOM_UTF8
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any
from zlib import crc32

from ... import dialects, host
from ...errors import ConfigError, Diagnostic, UnknownEventError, message_of
from ...hooks.dialect import ConfigFile, Dialect, Loaded
from ...hooks.failure_notices import left_out
from ...hooks.installed import CLIENT, QUERY, beside, is_entry, is_recursive_client
from ...hooks.model import Decision, HookSpec, Origin, PermissionRule
from ...hooks.places import PLUGIN_HOOKS, PLUGIN_MANIFEST
from ...jsontext.compact import JSON, dumps
from ...jsontext.document import JsonError, decode_file, read
from ...notice import Notice
from ...text import present
from ...windows_paths import script_path_or_relative
from ..scripts.command_syntax import check_commands
from ..scripts.referenced_scripts import LARGEST
from ..trust.trust import TrustState
from .excluded import ExcludedHook, OffInAgent


class Source:
    """One configuration text and its origin."""

    __slots__ = (
        "brought",
        "diagnostic",
        "exclusion",
        "entry",
        "extra",
        "marked",
        "name",
        "plugin",
        "quiet",
        "scope",
        "text",
    )

    def __init__(self, name: str, text: str, scope: str = "given", diagnostic: Diagnostic | None = None) -> None:
        self.name = name
        self.text = text
        self.scope = scope
        self.diagnostic = diagnostic  # why the text could not be read
        #: Why its hooks are not run; not a fault if they are valid, but count only at times or are switched off.
        self.exclusion: Notice | None = None
        self.quiet = False  # no verdict reports the reason, because a person configured it so
        self.marked = False  # a byte order mark precedes the text
        self.plugin = ""  # the directory of the plugin that it is a part of
        self.entry = ""  # the plugin of a marketplace's list whose hooks count
        self.extra: Mapping[str, JSON] = {}  # fields that the dialect needs on each hook
        self.brought = False  # found through another file: a mistake in it does not prevent the others from loading

    def at(self, place: ConfigFile) -> Source:
        """Set the plugin, entry and extra fields of the place where the file was found."""
        self.plugin, self.entry, self.extra = place.plugin, place.entry, place.extra
        return self

    def exclude(self, why: Notice, *, quiet: bool = False) -> Source:
        """Mark its hooks as not to be run; they are loaded only to be reported."""
        self.exclusion, self.quiet = why, quiet
        return self


LEADS_NOWHERE = "it is a broken symbolic link"


class Configuration:
    """The hooks that were loaded for one system, in order, with their variables and the diagnostics of their files."""

    __slots__ = (
        "diagnostics",
        "dialect",
        "strict_errors",
        "env",
        "files",
        "left_out",
        "permissions",
        "refused",
        "specs",
        "trust_state",
    )

    def __init__(
        self,
        dialect: Dialect,
        specs: Iterable[HookSpec] = (),
        left_out: Iterable[ExcludedHook] = (),
        trust_state: TrustState | None = None,
        permissions: Iterable[PermissionRule] = (),
    ) -> None:
        self.dialect = dialect
        self.specs = list(specs)
        self.env: dict[str, str] = {}
        self.diagnostics: list[Diagnostic] = []
        self.strict_errors: list[Diagnostic] = []  # warnings that keep a strict engine from loading
        self.refused: list[Diagnostic] = []  # warnings that are errors for ``check``: the system loads less than here
        self.files: list[str] = []
        self.permissions = list(permissions)  # the permission rules of its files
        self.left_out = list(left_out)
        self.trust_state = trust_state  # its state in the trust store; None if the store was not used

    @property
    def errors(self) -> list[Diagnostic]:
        """The diagnostics that keep it from loading."""
        return [diagnostic for diagnostic in self.diagnostics if diagnostic.severity == "error"]


def kind_of(path: str) -> str:
    """Return why a path is not a regular file: "it is a FIFO, not a file"; ``""`` if it is one, or is missing."""
    try:
        mode = os.lstat(path).st_mode
    except (OSError, ValueError):
        return ""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return LEADS_NOWHERE
    except OSError as error:
        return message_of(error)
    if modes.S_ISREG(mode):
        return ""
    kinds = {modes.S_IFDIR: "a directory", modes.S_IFIFO: "a FIFO", modes.S_IFSOCK: "a socket"}
    return f"it is {kinds.get(modes.S_IFMT(mode), 'a device')}, not a file"


def read_file(path: str, scope: str = "given", most: int = LARGEST) -> Source:
    """Read a configuration file of at most ``most`` bytes; a failure becomes the diagnostic of the Source.

    Only a FIFO that a shell has opened (``/dev/stdin``, ``<(...)``) is waited for.
    """
    is_open = os.path.abspath(path).startswith(("/dev/", "/proc/"))
    why = "" if is_open else kind_of(path)
    if why:
        fix = "replace it with a file, or remove it"
        return Source(path, "", scope, Diagnostic(path, 0, 0, why, fix, code="config-unreadable"))
    try:
        with open(path, "rb", opener=None if is_open else _without_waiting) as file:
            data = file.read(most + 1)
    except OSError as error:
        return Source(path, "", scope, Diagnostic(path, 0, 0, message_of(error), code="config-unreadable"))
    if most < len(data):
        return Source(path, "", scope, Diagnostic(path, 0, 0, f"larger than {most} bytes", code="config-unreadable"))
    return source_of(path, data, scope)


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def source_of(path: str, data: bytes, scope: str) -> Source:
    """Decode the bytes of a configuration file."""
    text, diagnostic = decode_file(data, path)
    source = Source(path, text, scope, diagnostic)
    source.marked = data.startswith(BOM_UTF8)
    return source


def read_named(path: str) -> Source:
    """Read a file that a person names, and find the plugin around it. A plugin's directory means its manifest."""
    if host.current().windows:
        path = script_path_or_relative(path, os.path.isdir)
    if os.path.isdir(path):
        path = plugin_file(path) or path
    whole = os.path.abspath(path).replace(os.sep, "/")
    if whole.endswith(f"/{_PLUGIN_FILES[0]}") and not path.replace(os.sep, "/").endswith(_PLUGIN_FILES[0]):
        path = whole  # a manifest is recognized by its directory, which a relative path may omit
    source = read_file(path)
    source.plugin = plugin_around(path)
    return source


def sources(config: Any, text: str | None, name: str) -> list[Source]:
    """Return the sources for an argument of ``load``: a path, a mapping, text, several of them, or a list of hooks."""
    text_sources = [] if text is None else [Source(name, text)]
    if config is None:
        return text_sources
    if isinstance(config, Mapping):
        return [*text_sources, Source(name, dumps(config))]
    if isinstance(config, str):
        is_text = config.lstrip()[:1] in ("{", "[") or "\n" in config
        if is_text:
            return [*text_sources, Source(name, config)]
    if isinstance(config, (str, os.PathLike)):
        return [*text_sources, read_named(os.fspath(config))]
    if not isinstance(config, Sequence) or isinstance(config, (bytes, bytearray)):
        raise TypeError(f"a config must be a path, a mapping, its text as a str, or a list of them, got {config!r}")
    is_list_of_hooks = all(isinstance(item, Mapping) and "event" in item for item in config)
    if config and is_list_of_hooks:
        return [*text_sources, Source(name, dumps({"hooks": list(config)}))]
    return [*text_sources, *(_source(item, name) for item in config)]


def _source(config: Any, name: str) -> Source:
    if isinstance(config, Mapping):
        return Source(name, dumps(config))
    return read_named(os.fspath(config))


Group = tuple[Dialect, list[Source]]


#: Codes of mistakes for which a plugin is not loaded.
_REFUSALS = frozenset({"config-refused", "config-syntax"})
_PLUGIN_FILES = (PLUGIN_MANIFEST, PLUGIN_HOOKS)


def plugin_file(directory: str) -> str:
    """Return the file that represents a plugin's directory: its manifest, else its hooks; ``""`` without either."""
    files = [os.path.join(directory, name).replace(os.sep, "/") for name in _PLUGIN_FILES]
    return next((file for file in files if os.path.isfile(file)), "")


def plugin_around(path: str) -> str:
    """Return the absolute path of the plugin that a file is part of; ``""`` for any other file.

    It is the nearest parent directory with ``.claude-plugin/plugin.json``, or whose ``hooks/hooks.json`` is the file.
    """
    whole = os.path.abspath(path).replace(os.sep, "/")
    if any(f"/{name}/" in whole for name in (".claude", ".gemini", ".crush")):
        return ""
    directory = whole.rpartition("/")[0]
    usual = whole.removesuffix("/hooks/hooks.json") if whole.endswith("/hooks/hooks.json") else ""
    while directory.rpartition("/")[0]:
        if os.path.isfile(f"{directory}/{_PLUGIN_FILES[0]}"):
            return directory
        if directory == usual or os.path.lexists(f"{directory}/.git"):
            break
        directory = directory.rpartition("/")[0]
    return usual


def _is_in_plugin(source: Source) -> bool:
    return bool(source.plugin) and os.path.isdir(f"{source.plugin}/.claude-plugin")


def _detected(source: Source) -> Dialect | None:
    """Detect the system by a text's name, else by its shape; None if neither shows it, or the text can't be read."""
    if source.diagnostic is not None:
        return None
    name = os.path.abspath(source.name) if os.path.isfile(source.name) else source.name
    dialect = dialects.detect(name, None)
    if dialect is None:  # only now, because it parses the text
        dialect = dialects.detect(name, _shape(source), plugin=_is_in_plugin(source))
    return dialect


def by_dialect(effective_trust_option: str | Dialect | None, files: Sequence[Source]) -> list[Group]:
    """Group texts by their detected system, in the order in which the systems first occur.

    A text without a detected system belongs to that of the others. Raises ``ConfigError`` if they have several, or
    none.
    """
    if effective_trust_option is not None:
        return [(dialects.get(effective_trust_option), list(files))]
    groups: dict[str, Group] = {}
    undetected: list[Source] = []
    for source in files:
        dialect = _detected(source)
        if dialect is None:
            undetected.append(source)
        else:
            groups.setdefault(dialect.full_name, (dialect, []))[1].append(source)
    if undetected and len(groups) != 1:
        failed = present(source.diagnostic for source in undetected)
        if failed:
            raise ConfigError(failed)
        hint = f"name it with --dialect or dialect=: {', '.join(dialects.names())}"
        message = "the hook system can't be detected from the file's name and content"
        raise ConfigError([Diagnostic(undetected[0].name, 0, 0, message, hint, code="config-unknown")])
    for dialect, _ in groups.values():
        # In the caller's order, which decides which file ranks higher.
        known = [one for one in files if one in undetected or one in groups[dialect.full_name][1]]
        groups[dialect.full_name] = (dialect, known)
    if not groups:
        raise ConfigError(
            [Diagnostic("", 0, 0, "no config was passed", "name a file, or a dialect", code="config-missing")]
        )
    return list(groups.values())


def choose_dialect(effective_trust_option: str | Dialect | None, files: Sequence[Source]) -> Dialect:
    """Return the dialect ``effective_trust_option``, else the one detected from the files. Raises ``ConfigError``."""
    groups = by_dialect(effective_trust_option, files)
    if len(groups) > 1:
        names = ", ".join(dialect.title for dialect, _ in groups)
        raise ConfigError(
            [Diagnostic(files[0].name, 0, 0, f"the files belong to different systems: {names}", code="config-unknown")]
        )
    return groups[0][0]


def _shape(source: Source) -> JSON:
    """Return the value of a JSON, YAML or TOML text, for detection by its shape; None for any other text."""
    if source.name.endswith(".toml"):
        from ...jsontext.toml_document import read_toml

        try:
            return read_toml(source.text, source.name).root.plain()
        except JsonError:
            return None
    try:
        return read(source.text, source.name).root.plain()
    except JsonError:
        pass
    if source.text.lstrip()[:1] in ("{", "["):
        return None
    from ...jsontext.yaml_document import read_yaml

    try:
        return read_yaml(source.text, source.name).root.plain()
    except JsonError:
        return None


def load(
    dialect: Dialect, files: Iterable[Source], agent: str = "", settings: Mapping[str, JSON] | None = None
) -> Configuration:
    """Load texts in merge order, as the system merges them. Collects all mistakes as diagnostics; never raises."""
    configuration = Configuration(dialect)
    files = list(files)
    trusted = [source for source in files if source.exclusion is None]
    texts = {source.name: source.text for source in trusted}
    configuration.files = [source.name for source in trusted]
    parts = [
        _load_source(dialect, source, rank, agent) for rank, source in enumerate(files) if source.exclusion is None
    ]
    _without_entries(dialect, parts, files)
    unread, with_hooks = [], []
    for source, part in zip(trusted, parts, strict=True):
        if source.brought:
            unread += _unread(part)
        if part.specs:
            with_hooks.append(source)
    parts += _of_plugins(dialect, files, with_hooks)
    whole = dialect.contribute(dialect.combine(parts), settings or {})
    configuration.specs = whole.specs
    configuration.env = whole.env
    configuration.permissions = whole.permissions
    configuration.strict_errors = whole.strict_errors
    configuration.refused = whole.refused
    configuration.diagnostics = whole.diagnostics + check_commands(whole.specs, texts)
    give_ids(configuration.specs)
    give_ids([*(spec for spec, _ in whole.off), *(spec for spec, *_ in whole.lost)])
    configuration.left_out = [*_not_loaded(whole, trusted), *unread]
    if len(trusted) < len(files):
        configuration.left_out += _untrusted(dialect, files, agent, settings or {})
        configuration.permissions += _tightening_rules(dialect, files, agent)
    return configuration


def _not_loaded(whole: Loaded, trusted: Iterable[Source]) -> list[ExcludedHook]:
    """Return rows for the hooks that are switched off, dropped, or off in their agent, and for missing files."""
    rows = [ExcludedHook(spec, left_out(reason), reported=False) for spec, reason in whole.off]
    rows += [ExcludedHook(spec, notice, diagnostic=diagnostic) for spec, notice, diagnostic in whole.lost]
    rows += [OffInAgent(row) for row in whole.off_in_agent]
    missing = [
        source.diagnostic
        for source in trusted
        if source.diagnostic is not None and source.diagnostic.severity == "warning"
    ]
    rows += [ExcludedHook(None, left_out(one.message, one.hint, is_fault=False), file=one.file) for one in missing]
    return rows


def _unread(part: Loaded) -> list[ExcludedHook]:
    """Turn the errors of a file that was found through another file into warnings, and return a row for each."""
    rows = []
    for error in part.errors:
        part.diagnostics[part.diagnostics.index(error)] = with_severity(error, "warning")
        reason = f"{error.message}: its hooks are unknown and do not run"
        rows.append(ExcludedHook(None, left_out(reason, error.hint), file=error.file, diagnostic=error))
    return rows


def _origin(source: Source, rank: int = 0) -> Origin:
    return Origin(source.name, source.scope, rank, plugin=source.plugin, entry=source.entry)


def _load_source(dialect: Dialect, source: Source, rank: int, agent: str) -> Loaded:
    origin = _origin(source, rank)
    if source.diagnostic is not None:
        return Loaded(diagnostics=[source.diagnostic], origin=origin)
    part = dialect.load(source.text, origin, agent)
    if source.extra:
        for spec in part.specs:
            spec.extra = {**spec.extra, **source.extra}
    if source.marked and part.specs and _is_hooks_file_of_plugin(source):
        message = f"{dialect.title} can't read a plugin's hooks behind a byte order mark"
        diagnostic = Diagnostic(
            source.name, 1, 1, message, "save the file as UTF-8 without one", "warning", code="config-refused"
        )
        for rows in (part.diagnostics, part.refused, part.off_in_agent):
            rows.append(diagnostic)
    return part


def _is_hooks_file_of_plugin(source: Source) -> bool:
    """Return whether a file belongs to a plugin and is not its manifest."""
    if source.name.endswith(_PLUGIN_FILES[0]):
        return False
    return bool(source.plugin) or source.name.replace(os.sep, "/").endswith(f"/{_PLUGIN_FILES[1]}")


def _of_plugins(dialect: Dialect, files: Iterable[Source], with_hooks: Iterable[Source]) -> list[Loaded]:
    """Return, for each file of hooks in a plugin, diagnostics on why the system never reads it; [] without plugins."""
    in_plugins = [source for source in with_hooks if source.plugin]
    if not in_plugins:
        return []
    known = {real_path(source.name) for source in files}
    return [_of_plugin(dialect, source, known) for source in in_plugins]


def _of_plugin(dialect: Dialect, source: Source, known: Collection[str]) -> Loaded:
    """Return why the system never reads the hooks of a plugin: its manifest is refused, or does not name their file.

    ``known``: the real paths of the files that are loaded; a manifest among them reports its own mistakes.
    """
    manifest = Origin(f"{source.plugin}/{_PLUGIN_FILES[0]}", source.scope, plugin=source.plugin)
    path = os.path.abspath(source.name).replace(os.sep, "/")
    off = Loaded(origin=_origin(source))
    if real_path(manifest.file) in known or not os.path.isfile(manifest.file):
        return off
    text = read_file(manifest.file).text
    mistakes = dialect.load(text, manifest).diagnostics
    off.refused = [with_severity(one, "warning") for one in mistakes if one.code in _REFUSALS]
    files = dialect.leads_to(text, manifest)
    folder, _, name = path.rpartition("/")
    is_usual = name == "hooks.json" or folder.endswith("/hooks")
    is_named = real_path(path) in map(real_path, files)
    if files and is_usual and not is_named and not off.refused:
        names = ", ".join(os.path.relpath(file, source.plugin) for file in files)
        message = f"{dialect.title} reads {names} of this plugin, not this file"
        fix = f'move it there, or name it in the manifest: "hooks": "./{os.path.relpath(path, source.plugin)}"'
        off.refused = [Diagnostic(source.name, 1, 1, message, fix, "warning", code="config-refused")]
    off.diagnostics, off.off_in_agent = off.refused, off.refused
    return off


def with_severity(diagnostic: Diagnostic, severity: str) -> Diagnostic:
    """Return a copy of a diagnostic with another severity, and without its end column."""
    return Diagnostic(
        diagnostic.file,
        diagnostic.line,
        diagnostic.column,
        diagnostic.message,
        diagnostic.hint,
        severity,
        code=diagnostic.code,
        source=diagnostic.source,
    )


def _without_entries(dialect: Dialect, parts: Iterable[Loaded], files: Iterable[Source]) -> None:
    """Remove the client entries of ``serve --install`` from the hooks: the hooks that it moved run in this engine."""
    there = {source.name for source in files}
    ours = {part.origin.file: part for part in parts}
    for part in parts:
        part.specs = [spec for spec in part.specs if not is_recursive_client(spec, dialect.name)]
        file = beside(part.origin.file)
        if file not in there:
            continue
        client_events = {spec.event for spec in part.specs if is_entry(spec, dialect.name)}
        if not client_events:
            continue
        part.specs = [spec for spec in part.specs if not is_entry(spec, dialect.name)]
        if file in ours:  # a person may have removed an event's entry: its hooks do not run
            ours[file].specs = [spec for spec in ours[file].specs if spec.event in client_events]


def guarded(dialect: Dialect, files: Sequence[Source], whole: Configuration, agent: str = "") -> dict[str, set[str]]:
    """Return the native events that each file guards: of its hooks, including other agents' and switched-off ones.

    A file that sets variables for hooks guards the events of all files; one that names other hook files, every event.
    """
    specs = [*whole.specs, *(row.spec for row in whole.left_out if row.spec is not None)]
    parts = {source.name: _load_source(dialect, source, rank, agent) for rank, source in enumerate(files)}
    events_of_file = {
        file: {spec.event for spec in (*part.specs, *(spec for spec in specs if spec.origin.file == file))}
        | part.others
        for file, part in parts.items()
    }
    every = set().union(*events_of_file.values())
    for file, part in parts.items():
        if part.leads:  # the named files may have hooks for any event
            events_of_file[file] = set(dialect.events)
        elif part.env:
            events_of_file[file] = every
        if part.permissions:
            events_of_file[file] = events_of_file[file] | dialect.permission_events
    return events_of_file


def moved_to(dialect: Dialect, source: Source) -> str:
    """Return the file to which ``serve --install`` moved the hooks of a settings file; ``""`` if it has not."""
    if CLIENT not in source.text and QUERY not in source.text:
        return ""
    try:
        specs = dialect.load(source.text, _origin(source)).specs
    except Exception:  # an untrusted text may be crafted to break its parser; loading it reports the error
        return ""
    if any(is_entry(spec, dialect.name) for spec in specs):
        return beside(source.name)
    return ""


def with_others(dialect: Dialect, files: Iterable[Source]) -> list[Source]:
    """Insert after each named file the file to which its hooks were moved, and the files that it names."""
    sources_with_others: list[Source] = []
    files = list(files)
    named = {real_path(source.name) for source in files}
    for source in files:
        sources_with_others.append(source)
        if source.diagnostic is not None or not os.path.isfile(source.name):
            continue
        moved = moved_to(dialect, source)
        led_to = dialect.leads_to(source.text, _origin(source))
        others = [path for path in led_to if os.path.lexists(path)]
        for path in led_to:
            # A plugin need not have the usual file of hooks; only a file that its manifest names can be missing.
            if path not in others and not path.endswith(_PLUGIN_FILES[1]):
                sources_with_others.append(_missing(path, source))
        if moved:
            others.insert(0, moved)
        for path in others:
            if real_path(path) in named:
                continue
            named.add(real_path(path))
            sources_with_others.append(read_file(path, source.scope))
            sources_with_others[-1].plugin = source.plugin
            if source.exclusion is not None:
                sources_with_others[-1].exclude(source.exclusion, quiet=source.quiet)
    return sources_with_others


def _missing(path: str, manifest: Source) -> Source:
    """Return the source for a missing file that a manifest names."""
    message = f"{manifest.name} names this file, but it does not exist: its hooks do not run"
    fix = "create it, or remove it from hooks"
    return Source(path, "", manifest.scope, Diagnostic(path, 0, 0, message, fix, "warning", code="plugin-missing"))


def led_to(dialect: Dialect, path: str) -> list[str]:
    """Return the files that a plugin's manifest (or the one in its directory) names, whether they exist or not."""
    if not path.replace(os.sep, "/").endswith(_PLUGIN_FILES[0]) and not os.path.isdir(path):
        return []
    source = read_named(path)
    return dialect.leads_to(source.text, _origin(source))


def real_path(path: str) -> str:
    """Return the canonical form of a path: links resolved, case normalized."""
    return os.path.normcase(os.path.realpath(path))


def _untrusted(
    dialect: Dialect, files: Sequence[Source], agent: str, settings: Mapping[str, JSON]
) -> list[ExcludedHook]:
    """Return the hooks that would be loaded in addition to the trusted ones if all files were trusted.

    This parses and merges all files again: merging changes hooks, and an untrusted file must not change those that run.
    """
    parts: list[Loaded] = []
    excluded: list[ExcludedHook] = []
    for rank, source in enumerate(files):
        try:
            part = _load_source(dialect, source, rank, agent)
        except Exception as error:  # an untrusted text may be crafted to break its parser
            part = Loaded(
                diagnostics=[
                    Diagnostic(source.name, 0, 0, f"{type(error).__name__}: {error}", code="config-unreadable")
                ]
            )
        why = source.exclusion
        if part.errors and why is not None and why.fault:
            reason = f"it can't be read, so its skipped hooks are unknown: {part.errors[0].message}"
            notice = left_out(reason, f"correct it; {why.hint}")
            excluded.append(ExcludedHook(None, notice, file=source.name, untrusted=True))
        parts.append(part)
    _without_entries(dialect, parts, files)
    whole = dialect.contribute(dialect.combine(parts), settings)
    specs = [spec for spec in whole.specs if spec.origin.scope != "bundle" and not spec.extra.get("muted")]
    give_ids(specs)
    for spec in specs:
        source = files[spec.origin.rank]
        if source.exclusion is not None:
            is_untrusted = source.exclusion.fault is not None
            excluded.append(ExcludedHook(spec, source.exclusion, reported=not source.quiet, untrusted=is_untrusted))
    return excluded


def _tightening_rules(dialect: Dialect, files: Sequence[Source], agent: str) -> list[PermissionRule]:
    """Return the rules of untrusted files that deny or ask: they run nothing, and only a person may grant."""
    rules: list[PermissionRule] = []
    for rank, source in enumerate(files):
        if source.exclusion is None or source.exclusion.fault is None:
            continue
        try:
            part = _load_source(dialect, source, rank, agent)
        except Exception:  # an untrusted text may be crafted to break its parser; ``_untrusted`` reports it
            continue
        rules += [rule for rule in part.permissions if rule.decision is not Decision.ALLOW]
    return rules


def add(configurations: Sequence[Configuration], event: str, command: str) -> None:
    """Append a hook to every system that has the event. Raises ``UnknownEventError`` if no system has it."""
    errors: list[UnknownEventError] = []
    for configuration in configurations:
        try:
            configuration.specs.append(configuration.dialect.added(event, command))
        except UnknownEventError as error:
            errors.append(error)
    if len(errors) == len(configurations):
        raise errors[0]


def give_ids(specs: Iterable[HookSpec]) -> None:
    """Assign an id to every hook without one: scope, event, and a CRC-32 of its matcher, name and command.

    It stays the same when other hooks are added, moved or removed; equal hooks get the suffixes ``~2``, ``~3``.
    """
    seen: dict[str, int] = {}
    for spec in specs:
        if not spec.id:
            text = f"{spec.matcher}\0{spec.name}\0{spec.command}"
            spec.id = f"{spec.origin.scope}:{spec.event}:{crc32(text.encode('utf-8', 'surrogatepass')):08x}"
        count = seen[spec.id] = seen.get(spec.id, 0) + 1
        if count > 1:
            spec.id = f"{spec.id}~{count}"


def check(
    source: Any = None,
    dialect: str | Dialect | None = None,
    *,
    text: str | None = None,
    name: str = "<text>",
    agent: str = "",
) -> Configuration:
    """Load without running and without raising for mistakes: see ``diagnostics``, ``specs``, ``dialect``.

    Raises ``ConfigError`` only if the dialect can't be detected, ``UnknownDialectError`` for a wrong name.
    """
    files = sources(source, text, name)
    return load(choose_dialect(dialect, files), files, agent)


__all__ = ["Configuration", "add", "by_dialect", "check", "choose_dialect", "give_ids", "load", "sources"]
