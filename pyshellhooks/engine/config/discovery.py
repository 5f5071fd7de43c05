"""The configurations of a new engine, by system, with their diagnostics and host contexts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypedDict

from ... import dialects
from ...errors import ConfigError, Diagnostic
from ...hooks.dialect import Dialect, HostContext
from ...hooks.failure_notices import left_out
from ...jsontext.compact import JSON
from ...notice import Notice
from ..scripts.referenced_scripts import Reader
from ..trust.store import Store
from ..trust.trust import (
    HINT,
    NEVER,
    STORE,
    UNTRUSTED,
    Trust,
    TrustState,
    effective_trust_option,
    left_out_diagnostic,
    locks_of_scripts,
    sample_jobs,
)
from . import loading
from .discovered_files import discover
from .host_context import existing_directory, read_host_context, working_directory

if TYPE_CHECKING:
    from ...fs.base import FileSystem


class ConfigOptions(TypedDict, total=False):
    """The options of an engine that discovery needs; see ``HookEngine``."""

    fs: FileSystem | None
    mounts: Mapping[str, FileSystem | str] | None
    settings: Mapping[str, JSON] | None


def load_named(
    sources: Sequence[loading.Source],
    dialect: str | Dialect | None,
    agent: str,
    trust_project: bool,
    settings: Mapping[str, JSON] | None,
) -> tuple[list[loading.Configuration], list[Diagnostic]]:
    """Load the sources that a caller passes, grouped by the systems that their texts are for."""
    diagnostics: list[Diagnostic] = []
    if not trust_project:
        for source in sources:
            source.exclude(UNTRUSTED)
            diagnostics.append(left_out_diagnostic(source.name, UNTRUSTED))
    groups = loading.by_dialect(dialect, sources)
    return [
        loading.load(chosen, loading.with_others(chosen, group), agent, settings) for chosen, group in groups
    ], diagnostics


class Discovery:
    """The loading of the configs that systems read around one directory."""

    __slots__ = ("_agent", "_context_of", "_fs", "_mounts", "_place", "_reader", "_settings", "_trust", "_user")

    def __init__(
        self,
        here: str,
        env: Mapping[str, str],
        agent: str,
        options: ConfigOptions,
        *,
        trust_project: object,
        user: bool,
        systems: Sequence[Dialect],
    ) -> None:
        self._place = read_host_context(here, env)
        self._agent = agent
        self._user = user
        self._settings = options.get("settings") or {}
        self._fs, self._mounts = options.get("fs"), options.get("mounts") or {}
        self._trust: Trust | bool = bool(trust_project)
        if effective_trust_option(trust_project, env) == STORE:
            self._trust = Trust.of(Store.of(env), self._place, systems)
            self._reader = Reader(self._trust.project)
        self._context_of = host_contexts(
            working_directory(existing_directory(here, self._fs), self._fs), env, self._settings, self._fs
        )

    def load(self, dialect: Dialect) -> tuple[loading.Configuration, list[Diagnostic], bool]:
        """Load one system; return its configuration, its diagnostics, and whether it has any file or lock."""
        discovered = discover(dialect, self._place, trust=self._trust, user=self._user)
        sources, diagnostics, locks = discovered.sources, discovered.diagnostics, discovered.locks
        trust = self._trust
        # A clone of a trusted project has no record of its own; the contents of its files may be trusted elsewhere.
        if isinstance(trust, Trust) and trust.record is None:
            self._exclude_unknown_configs(trust, dialect, sources)
        configuration = loading.load(dialect, sources, self._agent, self._settings)
        if isinstance(trust, Trust):
            if configuration.specs and trust.record is not None:
                jobs = sample_jobs(dialect, configuration.specs, self._context_of(configuration))
                locks += locks_of_scripts(trust, jobs, self._reader, self._hook_files(dialect))
            loads_project_file = any(source.scope == "project" and source.exclusion is None for source in sources)
            if locks or loads_project_file:
                configuration.trust_state = TrustState(trust, dialect, locks, self._reader)
        configuration.left_out += discovered.absent
        diagnostics += [lock.diagnostic() for lock in locks]
        diagnostics += _left_out_files(
            sources, {row.file for row in configuration.left_out} - {lock.file for lock in locks}
        )
        return configuration, diagnostics, bool(sources or locks)

    def _exclude_unknown_configs(self, trust: Trust, dialect: Dialect, sources: Iterable[loading.Source]) -> None:
        """Leave out the hooks of an unknown project's configs unless all files that they run were trusted elsewhere."""
        for source in sources:
            if source.scope == "project" and source.exclusion is None:
                why = self._exclusion_for_scripts(trust, dialect, source)
                if why is not None:
                    source.exclude(why)

    def _exclusion_for_scripts(self, trust: Trust, dialect: Dialect, source: loading.Source) -> Notice | None:
        """Return why a config of an unknown project is left out; None if all its files were trusted elsewhere."""
        alone = loading.load(dialect, [source], self._agent, self._settings)
        jobs = sample_jobs(dialect, alone.specs, self._context_of(alone))
        locks = locks_of_scripts(trust, jobs, self._reader, self._hook_files(dialect))
        if not locks:
            return None
        # An open lock has a reason beyond "never trusted": a command may run files that no hash covers.
        if locks[0].is_open:
            return left_out(locks[0].message, HINT)
        return NEVER

    def _hook_files(self, dialect: Dialect) -> FileSystem:
        return hook_files(dialect, self._fs, self._mounts)


def _left_out_files(sources: Iterable[loading.Source], files: Collection[str]) -> list[Diagnostic]:
    """Return the diagnostics for files whose hooks are left out. ``files``: those that have hooks and no lock.

    Files without hooks, and hooks that are active only at times, are not reported.
    """
    diagnostics: list[Diagnostic] = []
    for source in sources:
        why = source.exclusion
        if why is None or source.name not in files:
            continue
        if why.fault:
            diagnostics.append(left_out_diagnostic(source.name, why))
    return diagnostics


def hook_files(dialect: Dialect, fs: FileSystem | None, mounts: Mapping[str, FileSystem | str]) -> FileSystem:
    """Return the file system of a system's hooks, or one like it if each session has its own."""
    from ...fs.host import HostFS
    from .file_systems import make_files, mounted

    if dialect.session_files:
        return make_files(mounts, fs)
    if mounts:
        return mounted(fs, mounts)
    return HostFS() if fs is None else fs


def load_discovered(
    here: str,
    dialect: str | Dialect | None,
    agent: str,
    env: Mapping[str, str],
    options: ConfigOptions,
    *,
    trust_project: object,
    user: bool,
) -> tuple[list[loading.Configuration], list[Diagnostic]]:
    """Load the configs of all systems, or of one, from the places that they read."""
    configurations: list[loading.Configuration] = []
    diagnostics: list[Diagnostic] = []
    if dialect is not None:
        systems = [dialects.get(dialect)]
    else:
        systems = [dialects.get(name) for name in dialects.names()]
    discovery = Discovery(here, env, agent, options, trust_project=trust_project, user=user, systems=systems)
    for chosen in systems:
        one, odd, there = discovery.load(chosen)
        diagnostics += odd
        if there or dialect is not None:
            configurations.append(one)
    if dialect is None:
        # A system whose only files have no hooks is dropped.
        configurations = [configuration for configuration in configurations if _has_content(configuration)]
        # An engine needs a system, also one without hooks.
        configurations = configurations or [loading.Configuration(dialects.get("crush"))]
    return configurations, list(dict.fromkeys(diagnostics))


def _is_locked(configuration: loading.Configuration) -> bool:
    return configuration.trust_state is not None and bool(configuration.trust_state.reasons)


def _has_content(configuration: loading.Configuration) -> bool:
    """Return whether a system has hooks or permission rules, or anything to report about them."""
    if configuration.specs or configuration.permissions or configuration.diagnostics:
        return True
    return bool(configuration.left_out) or _is_locked(configuration)


def diagnostics_of(configurations: Sequence[loading.Configuration], strict: bool) -> list[Diagnostic]:
    """Return the diagnostics of the configurations. Raises ``ConfigError`` if a hook would be lost."""
    diagnostics: list[Diagnostic] = []
    loses_hooks = False
    for configuration in configurations:
        diagnostics += configuration.diagnostics
        if configuration.errors or (strict and configuration.strict_errors):
            loses_hooks = True
    if loses_hooks:
        raise ConfigError(diagnostics)
    return diagnostics


def host_contexts(
    here: str,
    env: Mapping[str, str],
    settings: Mapping[str, JSON],
    fs: FileSystem | None,
) -> Callable[[loading.Configuration], HostContext]:
    """Return a function that makes the host context of each configuration."""

    def context_of(configuration: loading.Configuration) -> HostContext:
        context = read_host_context(here, env, fs, settings=settings)
        if configuration.env:
            context.env = {
                **env,
                **configuration.env,
            }  # only now: a HOME in the config is for its hooks, not the user's home
        return context

    return context_of
