"""From configuration files to hooks: reading, detecting the system, trust, ids."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from zlib import crc32

from .. import dialects
from ..errors import ConfigError, Diagnostic, UnknownEventError
from ..hooks.dialect import ConfigFile, Dialect, Loaded, Place
from ..hooks.json_text import JsonError, decode_file, read
from ..hooks.model import HookSpec, Origin
from ..hooks.wire import JSON, dumps
from .command_syntax import check_commands


class Source:
    """One configuration text and where it comes from."""

    __slots__ = ("diagnostic", "name", "scope", "text")

    def __init__(self, name: str, text: str, scope: str = "given", diagnostic: Diagnostic | None = None) -> None:
        self.name = name
        self.text = text
        self.scope = scope
        self.diagnostic = diagnostic  # why there is no text


class Configuration:
    """What was loaded for one system: its hooks in order, their variables, and what is to be said."""

    __slots__ = ("diagnostics", "dialect", "doubts", "env", "files", "specs")

    def __init__(self, dialect: Dialect, specs: Iterable[HookSpec] = ()) -> None:
        self.dialect = dialect
        self.specs = list(specs)
        self.env: dict[str, str] = {}
        self.diagnostics: list[Diagnostic] = []
        self.doubts: list[Diagnostic] = []  # warnings that keep a strict engine from loading
        self.files: list[str] = []

    @property
    def errors(self) -> list[Diagnostic]:
        """The diagnostics that keep it from loading."""
        return [diagnostic for diagnostic in self.diagnostics if diagnostic.severity == "error"]


def read_file(path: str, scope: str = "given") -> Source:
    """Read a configuration file; what keeps it from being read becomes its diagnostic."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        return Source(path, "", scope, Diagnostic(path, 0, 0, error.strerror or str(error)))
    text, diagnostic = decode_file(data, path)
    return Source(path, text, scope, diagnostic)


def sources(given: Any, text: str | None, name: str) -> list[Source]:
    """Understand what ``load`` was given: a path, a mapping, text, several of them, or a list of hooks."""
    found = [] if text is None else [Source(name, text)]
    if given is None:
        return found
    if isinstance(given, Mapping):
        return [*found, Source(name, dumps(given))]
    if isinstance(given, str) and (given.lstrip()[:1] in ("{", "[") or "\n" in given):
        return [*found, Source(name, given)]
    if isinstance(given, (str, os.PathLike)):
        return [*found, read_file(os.fspath(given))]
    if all(isinstance(one, Mapping) and "event" in one for one in given) and given:
        return [*found, Source(name, dumps({"hooks": list(given)}))]
    return [*found, *(_source(one, name) for one in given)]


def _source(given: Any, name: str) -> Source:
    return Source(name, dumps(given)) if isinstance(given, Mapping) else read_file(os.fspath(given))


Group = tuple[Dialect, list[Source]]


def by_dialect(wanted: str | Dialect | None, given: Sequence[Source]) -> list[Group]:
    """Sort texts by the system that each tells, in the order in which systems come first.

    A text that tells none belongs to the system of the others. Raises ``ConfigError`` where that is not one.
    """
    if wanted is not None:
        return [(dialects.get(wanted), list(given))]
    groups: dict[str, Group] = {}
    untold: list[Source] = []
    for source in given:
        dialect = dialects.detect(source.name, None) if source.diagnostic is None else None
        if dialect is None and source.diagnostic is None:  # only now: parsing for the shape alone takes its time
            dialect = dialects.detect(source.name, _shape(source))
        if dialect is None:
            untold.append(source)
        else:
            groups.setdefault(dialect.full_name, (dialect, []))[1].append(source)
    if untold and len(groups) != 1:
        failed = [source.diagnostic for source in untold if source.diagnostic is not None]
        if failed:
            raise ConfigError(failed)
        hint = f"name it, with --dialect or dialect=: {', '.join(dialects.names())}"
        message = "neither its name nor its shape tells the system"
        raise ConfigError([Diagnostic(untold[0].name, 0, 0, message, hint)])
    for dialect, _ in groups.values():
        # In the caller's order: it is what says which file ranks higher.
        known = [one for one in given if one in untold or one in groups[dialect.full_name][1]]
        groups[dialect.full_name] = (dialect, known)
    if not groups:
        raise ConfigError([Diagnostic("", 0, 0, "no configuration was given", "name a file, or a dialect")])
    return list(groups.values())


def choose_dialect(wanted: str | Dialect | None, given: Sequence[Source]) -> Dialect:
    """Give the dialect that was asked for, else the one that the files tell. Raises ``ConfigError``."""
    groups = by_dialect(wanted, given)
    if len(groups) > 1:
        names = ", ".join(dialect.title for dialect, _ in groups)
        raise ConfigError([Diagnostic(given[0].name, 0, 0, f"the files belong to different systems: {names}")])
    return groups[0][0]


def _shape(source: Source) -> JSON:
    """Parse a text of whatever kind far enough to see its shape; None where it is neither JSON nor YAML."""
    try:
        return read(source.text, source.name).root.plain()
    except JsonError:
        pass
    if source.text.lstrip()[:1] in ("{", "["):
        return None
    from ..hooks.yaml_text import read_yaml

    try:
        return read_yaml(source.text, source.name).root.plain()
    except JsonError:
        return None


def load(
    dialect: Dialect, given: Iterable[Source], agent: str = "", settings: Mapping[str, JSON] | None = None
) -> Configuration:
    """Load texts in merge order, as the system puts them together. Collects all mistakes, raises nothing."""
    configuration = Configuration(dialect)
    parts: list[Loaded] = []
    texts: dict[str, str] = {}
    for rank, source in enumerate(given):
        configuration.files.append(source.name)
        texts[source.name] = source.text
        if source.diagnostic is not None:
            parts.append(Loaded(diagnostics=[source.diagnostic], origin=Origin(source.name, source.scope, rank)))
            continue
        parts.append(dialect.load(source.text, Origin(source.name, source.scope, rank), agent))
    whole = dialect.contribute(dialect.combine(parts), settings or {})
    configuration.specs = whole.specs
    configuration.env = whole.env
    configuration.doubts = whole.doubts
    configuration.diagnostics = whole.diagnostics + check_commands(whole.specs, texts)
    give_ids(configuration.specs)
    return configuration


def add(configurations: Sequence[Configuration], event: str, command: str) -> None:
    """Add a hook behind those of every system that has the event. Raises ``UnknownEventError`` where none has."""
    errors: list[UnknownEventError] = []
    for one in configurations:
        try:
            one.specs.append(one.dialect.added(event, command))
        except UnknownEventError as error:
            errors.append(error)
    if len(errors) == len(configurations):
        raise errors[0]


def give_ids(specs: Iterable[HookSpec]) -> None:
    """Give every hook without an id one that is made of what it is: scope, event, and a sum of its text.

    It stays the same when other hooks are added, moved or removed; equal hooks are told apart by ``~2``, ``~3``.
    """
    seen: dict[str, int] = {}
    for spec in specs:
        if not spec.id:
            text = f"{spec.matcher}\0{spec.name}\0{spec.command}"
            spec.id = f"{spec.origin.scope}:{spec.event}:{crc32(text.encode('utf-8', 'surrogatepass')):08x}"
        count = seen[spec.id] = seen.get(spec.id, 0) + 1
        if count > 1:
            spec.id = f"{spec.id}~{count}"


def discover(dialect: Dialect, place: Place, *, trust_project: bool) -> tuple[list[Source], list[Diagnostic]]:
    """Read the files that exist where a system looks; project files only when trusted."""
    found: list[Source] = []
    said: list[Diagnostic] = []
    for file in dialect.places(place):
        if not os.path.isfile(file.path):
            continue
        problem = _unwanted(file, place, trust_project)
        if problem:
            said.append(Diagnostic(file.path, 0, 0, problem, severity="warning"))
            continue
        source = read_file(file.path, file.scope)
        if source.text or source.diagnostic is not None:
            found.append(source)
    return found, said


def _unwanted(file: ConfigFile, place: Place, trust_project: bool) -> str:
    if not file.supported:
        return file.note
    if file.scope != "project":
        return ""
    if not trust_project:
        return "the project is not trusted; its hooks are left out"
    try:
        if os.stat(file.path).st_uid != os.stat(place.cwd).st_uid:
            return "the file belongs to another user than the working directory; its hooks are left out"
    except OSError:
        pass
    return ""


def check(
    source: Any = None,
    dialect: str | Dialect | None = None,
    *,
    text: str | None = None,
    name: str = "<text>",
    agent: str = "",
) -> Configuration:
    """Load without running and without raising for mistakes: see ``diagnostics``, ``specs``, ``dialect``.

    Raises ``ConfigError`` only where no dialect can be told, ``UnknownDialectError`` for a wrong name.
    """
    given = sources(source, text, name)
    return load(choose_dialect(dialect, given), given, agent)


__all__ = ["Configuration", "add", "by_dialect", "check", "choose_dialect", "discover", "give_ids", "load", "sources"]
