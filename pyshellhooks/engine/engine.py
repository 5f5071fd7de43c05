"""The engine: loads hooks, runs them on events, and returns verdicts. The composition root of the hook half."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, overload

from .. import dialects
from ..cancel import CancelScope
from ..errors import ConfigError, Diagnostic, UnknownEventError
from ..hooks.dialect import Dialect, EventSpec
from ..hooks.internal_failures import DENY
from ..hooks.model import Decision, HookSession, HookSpec, Observer
from ..hooks.tools import ToldKind, ToolNames
from ..hooks.verdict import Verdict, join_verdicts
from ..jsontext.compact import JSON
from ..limits import Limits
from .config import discovery, loading
from .config.discovered_files import no_config_warning
from .config.host_context import environment, existing_directory, working_directory
from .event_input import FieldNames, Payload, add_problems
from .event_views import rewritten_fields
from .excluded_hooks import excluded_hooks, switch_off
from .executor import Executor, ShellExecutor
from .observer import Reports
from .options import check, check_fire_arguments, settings_of
from .policy import FailurePolicy, enforce
from .scheduler import HookRunner
from .sessions import PROMPT, Sessions, meaning, prompted, session_parts
from .system import SCRIPT_PATHS, System
from .trust.trust import STORE

if TYPE_CHECKING:
    from typing import Unpack

    from ..fs.base import FileSystem
    from ..hooks.dialect import HostContext
    from ..hooks.fields import FieldProblems
    from ..hooks.model import PermissionRule
    from .background import Firing
    from .config.excluded import ExcludedHook
    from .explain import Plan, Why
    from .handlers import Handler
    from .options import Options
    from .trust.trust import TrustState

#: One native event of a firing, and whether it was fired under a neutral name.
NativeEvent = tuple[System, EventSpec, bool]


class HookEngine:
    """An engine for the hooks of one or several systems. Make it with ``load`` or ``discover``. Thread-safe.

    cwd, env       are read once, here; default: those of the process
    strict         every failure denies, and a part of a configuration that its system would refuse is an error, not a
                   warning
    on_failure     ``"open"`` or ``"closed"``, in place of the system's own table of failures
    own_failures   a failure that only this library can cause denies on events that guard a call, a prompt or a result;
                   ``"vendor"`` treats it as the system treats a hook that failed
    ask            ``"deny"`` turns ask into deny
    spawn          whether hooks may start processes
    isolation      ``"process"`` runs hooks in warm processes that are killed when they must be (see ``Shell``)
    paths          ``"native"`` leaves the paths of payloads as they are; otherwise scripts on Windows see ``C:/x``
    scripts        ``"embedded"`` runs script files for sh and bash in the embedded shell (see ``Shell``)
    fs, mounts     a file system for hooks in place of the disk; ``{"/workspace": "."}`` mounts directories, or other
                   file systems, in it
    limits         the bounds of each hook's run; default: those of the executor
    tools          the kinds of the host's tools: ``{"execute": "shell", "write_file": "write"}``; under neutral events
                   guards see them with their own system's tool names (kinds: ``hooks.tool_kinds.KINDS``). With names
                   of arguments: ``{"terminal": ("shell", {"command": "cmdline"})}``
    handlers       run hooks that are not commands, by their type: ``{"prompt": ask_a_model}``
    settings       values that only the host knows, by the names in the dialect's ``settings``: ``{"user_email": ...}``
    disabled       ids of hooks that never run
    permissions    whether the permission rules of settings decide beside hooks (``permissions`` of Claude Code); False for
                   a host with rules of its own
    observe        is called with ``hook.invoked``, ``hook.completed``, ``hook.blocked``, ``hook.warning``, and a mapping
    executor       runs the jobs; default: the embedded shell
    """

    def __init__(
        self,
        dialect: str | Dialect,
        specs: Sequence[HookSpec] = (),
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        strict: bool = False,
        spawn: bool = True,
        on_failure: str | None = None,
        own_failures: str = DENY,
        ask: str = "ask",
        observe: Observer | None = None,
        fs: FileSystem | None = None,
        mounts: Mapping[str, FileSystem | str] | None = None,
        limits: Limits | None = None,
        isolation: str = "thread",
        scripts: str = "auto",
        paths: str = SCRIPT_PATHS,
        disabled: Iterable[str] = (),
        permissions: bool = True,
        permission_rules: Sequence[PermissionRule] = (),
        executor: Executor | None = None,
        handlers: Mapping[str, Handler] | None = None,
        settings: Mapping[str, JSON] | None = None,
        diagnostics: Iterable[Diagnostic] = (),
        others: Sequence[loading.Configuration] = (),
        tools: Mapping[str, ToldKind] | None = None,
        left_out: Sequence[ExcludedHook] = (),
        trust_state: TrustState | None = None,
    ) -> None:
        check({"ask": ask, "on_failure": on_failure, "isolation": isolation, "strict": strict, "spawn": spawn})
        check({"observe": observe, "disabled": disabled, "settings": settings, "handlers": handlers, "mounts": mounts})
        check({"executor": executor, "env": env, "tools": tools, "scripts": scripts, "own_failures": own_failures})
        check({"fs": fs, "limits": limits, "cwd": cwd, "paths": paths, "permissions": permissions})
        for spec in specs:
            if not isinstance(spec, HookSpec):
                raise TypeError(f"specs must be HookSpecs, got {spec!r}; HookEngine.load reads a config")
        first = loading.Configuration(dialects.get(dialect), specs, left_out, trust_state, permission_rules)
        configurations = [first, *others]
        known, of_settings = settings_of([configuration.dialect for configuration in configurations], settings, strict)
        self._ask = ask
        self._strict = strict
        self._reports = Reports(observe)
        self._names = ToolNames(tools)
        self._fs = fs
        self._mounts = dict(mounts or {})
        if self._needs_mounts(fs, configurations):
            from .config.file_systems import mounted

            self._fs = fs = mounted(fs, self._mounts)
        here = working_directory(cwd, fs)
        variables = environment(env, fs)
        context_of = discovery.host_contexts(here, variables, known, fs)
        unhandled = _missing_handlers(handlers, configurations)
        self.executor = executor or ShellExecutor(
            env=variables, fs=fs, spawn=spawn, limits=limits, isolation=isolation, scripts=scripts
        )
        self.runner = HookRunner(self.executor, handlers, limits)
        policy = FailurePolicy(on_failure, strict, own_failures)
        shared = (self.runner, policy, self._reports, self._names)
        self.systems = _systems(configurations, context_of, shared, paths, permissions)
        loading.give_ids(self.specs)
        rows = [row for configuration in configurations for row in configuration.left_out]
        self.diagnostics = (*diagnostics, *of_settings, *unhandled, *switch_off(self.systems, disabled, rows))
        names, files = session_parts(self.systems, self._fs, self._mounts)
        self.sessions = Sessions(self.systems[0].host_context, names, files)
        self._meanings: dict[str, str] = {}
        self._background: list[Firing] = []
        self._known_events: dict[str, list[NativeEvent]] = {}
        self._field_names = FieldNames(system.dialect for system in self.systems)
        self._closed = False
        if tools:
            self.diagnostics += tuple(
                diagnostic for diagnostic in self.check_tools(tools) if diagnostic.file != "tools"
            )

    def _needs_mounts(self, fs: FileSystem | None, configurations: Sequence[loading.Configuration]) -> bool:
        """Return whether the mounts belong to the engine's file system.

        A system with files of sessions gets a file system for each session (``session_parts``), with the mounts in it.
        """
        if not self._mounts:
            return False
        if fs is not None:
            return True
        return not all(part.dialect.session_files for part in configurations)

    @property
    def dialect(self) -> Dialect:
        """The dialect of the system; of several, the first one's."""
        return self.systems[0].dialect

    @property
    def cwd(self) -> str:
        """The working directory of the engine."""
        return self.systems[0].host_context.cwd

    @property
    def specs(self) -> tuple[HookSpec, ...]:
        """All hooks of all systems, each in config order."""
        return tuple(spec for system in self.systems for spec in system.specs)

    # -- making one ---------------------------------------------------------------------------------------------------

    @classmethod
    def load(
        cls,
        source: str | os.PathLike[str] | Mapping[str, JSON] | Sequence[Any] | None = None,
        dialect: str | Dialect | None = None,
        *,
        text: str | None = None,
        name: str = "<text>",
        agent: str = "",
        hooks: Sequence[tuple[str, str]] = (),
        trust_project: bool = True,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        **options: Unpack[Options],
    ) -> HookEngine:
        """Load configuration files: a path, several in merge order, a mapping, or their text.

        The system is detected from file name and shape, or is named: ``"crush"``, ``"crush@shipped"``. A str that
        begins with ``{`` or contains a line break is text. ``agent`` names one of the agents that a file may define.
        ``hooks`` are (event, command) pairs that are added after the hooks of the files. ``options`` are those of the
        class. Raises ``ConfigError`` for a mistake because of which a hook would be lost; ``diagnostics`` has the
        lesser ones.
        """
        check({**options, "trust_project": trust_project, "env": env, "cwd": cwd, "agent": agent})
        if not isinstance(trust_project, bool):
            raise TypeError('load() accepts trust_project=True or False; "store" is only for discover()')
        config_sources = loading.sources(source, text, name)
        configurations, diagnostics = discovery.load_named(
            config_sources, dialect, agent, trust_project, options.get("settings")
        )
        return cls._from_configurations(configurations, diagnostics, hooks, cwd, env, options)

    @classmethod
    def discover(
        cls,
        cwd: str | None = None,
        dialect: str | Dialect | None = None,
        *,
        agent: str = "",
        hooks: Sequence[tuple[str, str]] = (),
        trust_project: bool | Literal["store"] = STORE,
        user: bool = True,
        env: Mapping[str, str] | None = None,
        **options: Unpack[Options],
    ) -> HookEngine:
        """Load the configuration files in the places where all systems, or one system, look for them.

        Files of the project count if the user has trusted them (``pyshellhooks trust``, docs/trust.md); all of them
        with ``trust_project=True``, none with False. The user's files (``~/.claude``) count unless ``user`` is False.
        """
        check({**options, "trust_project": trust_project, "user": user, "env": env, "cwd": cwd, "agent": agent})
        here = working_directory(cwd, None)
        variables = environment(env)
        configurations, diagnostics = discovery.load_discovered(
            here, dialect, agent, variables, options, trust_project=trust_project, user=user
        )
        finds_files = any(part.files or part.left_out or part.permissions for part in configurations)
        if not hooks and not diagnostics and not finds_files:
            diagnostics.append(no_config_warning(here))
        own = environment(env, options.get("fs"))
        return cls._from_configurations(
            configurations, diagnostics, hooks, existing_directory(here, options.get("fs")), own, options
        )

    @classmethod
    def _from_configurations(
        cls,
        configurations: Sequence[loading.Configuration],
        diagnostics: Sequence[Diagnostic],
        hooks: Sequence[tuple[str, str]],
        cwd: str | None,
        env: Mapping[str, str] | None,
        options: Options,
    ) -> HookEngine:
        odd = discovery.diagnostics_of(configurations, options.get("strict", False))
        first, *others = configurations
        for pair in hooks:
            if not isinstance(pair, (tuple, list)) or len(pair) != 2:
                raise TypeError(f"hooks must be (event, command) pairs, got {pair!r}")
            loading.add(configurations, *pair)
        if first.env:
            env = {**environment(env, options.get("fs")), **first.env}
        engine = cls(
            first.dialect,
            first.specs,
            cwd=cwd,
            env=env,
            diagnostics=[*diagnostics, *odd],
            others=others,
            left_out=first.left_out,
            trust_state=first.trust_state,
            permission_rules=first.permissions,
            **options,
        )
        if options.get("spawn") is False:
            from .checks.doctor import refusals

            engine.diagnostics += tuple(refusals(engine))
        return engine

    # -- firing -------------------------------------------------------------------------------------------------------

    @overload
    def fire(
        self,
        event: str,
        /,
        payload: Payload = None,
        *,
        session: HookSession | str | None = None,
        timeout: float | None = None,
        scope: CancelScope | None = None,
        background: Literal[False] = False,
        **fields: JSON,
    ) -> Verdict: ...

    @overload
    def fire(
        self,
        event: str,
        /,
        payload: Payload = None,
        *,
        session: HookSession | str | None = None,
        timeout: float | None = None,
        scope: CancelScope | None = None,
        background: Literal[True],
        **fields: JSON,
    ) -> Firing: ...

    def fire(
        self,
        event: str,
        /,
        payload: Payload = None,
        *,
        session: HookSession | str | None = None,
        timeout: float | None = None,
        scope: CancelScope | None = None,
        background: bool = False,
        **fields: JSON,
    ) -> Verdict | Firing:
        """Run the hooks of an event, and return their verdict.

        ``event`` is the system's name or a neutral one (``before_tool``). The event's fields are keywords, or a
        mapping or JSON text in ``payload``; names are neutral or the system's own. ``timeout`` (seconds) bounds all
        hooks join_verdicts. ``session`` is a HookSession, or an id (default: the ``session_id`` field) under which the
        engine keeps one. ``background`` returns a ``Firing`` at once; ``close`` waits for it. A field whose name is
        ``timeout`` (Firebender's shell events) goes into ``payload``. Values that JSON can't express are converted by
        the rule of ``jsontext.from_python``. Raises ``UnknownEventError``, and ``TypeError`` for a field name that no
        system has and that is close to one of theirs; a failure of a hook never raises.
        """
        if self._closed:
            raise RuntimeError("the engine is closed")
        if timeout is not None or session is not None or scope is not None:
            check_fire_arguments(timeout, session, scope)
        payload, problems = self._field_names.merge(payload, fields)
        if background:
            from .background import Firing

            work = partial(self._fire, event, payload, problems, session, timeout)
            firing = Firing(work, scope, self.runner.limits.grace)
            # ``close`` waits only for those that still run.
            self._background = [firing for firing in self._background if not firing.done]
            self._background.append(firing)
            return firing
        return self._fire(event, payload, problems, session, timeout, scope)

    async def afire(
        self,
        event: str,
        /,
        payload: Payload = None,
        *,
        session: HookSession | str | None = None,
        timeout: float | None = None,
        scope: CancelScope | None = None,
        **fields: JSON,
    ) -> Verdict:
        """Fire from a coroutine. Cancelling it cancels the hooks and waits for their grace before it propagates."""
        from ..aio import run_async

        def work(inner: CancelScope) -> Verdict:
            return self.fire(event, payload, session=session, timeout=timeout, scope=inner, **fields)

        return await run_async(work, scope, self.runner.limits)

    def _fire(
        self,
        name: str,
        fields: Mapping[str, JSON],
        problems: FieldProblems | None,
        session: HookSession | str | None,
        timeout: float | None,
        scope: CancelScope | None,
    ) -> Verdict:
        events = self._native_events(name, fields)
        means = self._meanings.get(name)
        if means is None:
            means = self._meanings[name] = meaning(name, [row for _, row, _ in events])
        event_session = self.sessions.of(session, fields)
        if means == PROMPT:
            prompted(event_session.session, [row for _, row, _ in events], fields)
        # The hooks at the end of a session run although the agent itself is being cancelled.
        if scope is not None and any(row.shielded for _, row, _ in events):
            scope = None
        if timeout is None:
            verdict = self._fire_events(name, events, fields, problems, event_session.session, scope)
        else:
            with CancelScope(timeout=timeout, grace=self.runner.limits.grace, parent=scope) as outer:
                verdict = self._fire_events(name, events, fields, problems, event_session.session, outer)
        needs_settling = event_session.anonymous is not None or event_session.notice
        if needs_settling or verdict.followup is not None:
            self.sessions.settle(event_session, means, verdict)
        return verdict

    def _fire_events(
        self,
        name: str,
        events: Sequence[NativeEvent],
        fields: Mapping[str, JSON],
        problems: FieldProblems | None,
        session: HookSession | None,
        scope: CancelScope | None,
    ) -> Verdict:
        """Fire native events in order, up to the first deny; each sees the fields as the earlier ones rewrote them."""
        verdicts: list[Verdict] = []
        for system, row, neutral in events:
            verdict = system.fire_event(row, neutral, fields, problems, session, scope)
            verdicts.append(verdict)
            # A denied call does not go ahead, so its later events never happen.
            if verdict.blocked:
                break
            if len(events) > 1:
                fields = rewritten_fields(row, fields, verdict)
        if len(events) == 1:
            verdict = verdicts[0]
        else:
            verdict = join_verdicts(name, verdicts)
        # After the join: a deny of a later event overrides an ask of an earlier one.
        if self._ask == "deny" and verdict.decision is Decision.ASK:
            verdict = enforce(verdict)
        self._reports.fired(verdict)
        return verdict

    def _native_events(self, name: str, fields: Mapping[str, JSON]) -> list[NativeEvent]:
        """Return the native events of a native or neutral name.

        Each system resolves it by its own table: ``session_start`` is native in some systems and neutral in others.
        """
        known = self._known_events.get(name)
        if known is not None:
            return known
        if not isinstance(name, str):
            raise TypeError(f'an event must be a name, such as "before_tool", got {name!r}')
        native_events: list[NativeEvent] = []
        errors: list[UnknownEventError] = []
        fixed = True
        for system in self.systems:
            try:
                rows, neutral = system.native_events(name, fields)
            except UnknownEventError as error:
                errors.append(error)
                continue
            native_events += [(system, row, neutral) for row in rows]
            # A row with a condition (``when``) is chosen by the fields of each call.
            conditional = [row for row in system.dialect.events.values() if row.when]
            if any(name in row.neutral for row in conditional):
                fixed = False
        if len(errors) == len(self.systems):
            raise errors[0]
        if fixed:
            self._known_events[name] = native_events
        return native_events

    def session(self, id: str = "") -> HookSession:
        """Return the session of an id, kept for the life of the engine or until a thousand others came after it.

        ``""``: a session without an id, in the engine's project directory. Two of those at once count each other's
        stops, and every verdict reports it; under ``strict`` the second raises ``RuntimeError``.
        """
        if id:
            return self.sessions.named(id)
        return self.sessions.fresh(self._strict)

    def temporary_session(self) -> HookSession:
        """Return a temporary session for one look-up of the environment of hooks; the engine does not keep it."""
        return self.sessions.with_file_system(HookSession())

    # -- questions ----------------------------------------------------------------------------------------------------

    def explain(self, event: str, /, payload: Payload = None, **fields: JSON) -> Plan:
        """Return for every hook whether this event would run it, and why or why not. Runs nothing.

        ``notices`` of the list report problems with the event's fields.
        """
        from .explain import Plan, explain, off_in_agent, permission_notices

        payload, problems = self._field_names.merge(payload, fields)
        rows: dict[tuple[str, str], Why] = {}
        notices: dict[str, None] = {}
        for system, row, neutral in self._native_events(event, payload):
            views = system.make_views(row, neutral, payload, self.sessions.known(payload))
            if problems is not None:
                add_problems(views.event, problems)
            if system.has_hooks(row):
                notices.update(dict.fromkeys(views.event.notices))
            if system.trust_state is not None:
                notices.update(dict.fromkeys(system.trust_state.reasons.get(row.native, ())))
            notices.update(dict.fromkeys(off_in_agent(system, views)))
            notices.update(dict.fromkeys(permission_notices(system, views)))
            for why in explain(system, views):
                key = why.id, why.origin
                known = rows.get(key)
                # One hook may be a candidate for several native events of a neutral name: the row that matches is
                # shown, or else the row of the hook's own event.
                if known is None:
                    rows[key] = why
                    continue
                is_closer = why.matches or why.event == row.native
                if is_closer and not known.matches:
                    rows[key] = why
        left: list[HookSpec] = []
        for system in self.systems:
            if system.left_out is not None:
                left += [spec for _, spec in system.left_out.explained]
        keys = dict.fromkeys((spec.id, str(spec.origin)) for spec in (*self.specs, *left))
        return Plan([rows[key] for key in keys if key in rows], notices)

    def listens(self, event: str) -> bool:
        """Return whether any hook is for an event, whatever its matcher. If not, firing the event does nothing.

        True also if permission rules decide on it, or its verdict would report left-out hooks or a lack of trust. ``event``: a native or neutral name.
        Raises ``UnknownEventError``.
        """
        errors: list[UnknownEventError] = []
        for system in self.systems:
            try:
                natives = system.dialect.natives(event)
            except UnknownEventError as error:
                errors.append(error)
                continue
            if any(spec.event in natives and spec.id not in system.disabled for spec in system.specs):
                return True
            if system.permissions is not None and any(map(system.permissions.decides, natives)):
                return True
            if system.left_out is not None and system.left_out.listens(natives):
                return True  # the verdict will report the excluded hooks
            if system.trust_state is not None and not natives.isdisjoint(system.trust_state.reasons):
                return True
        if len(errors) == len(self.systems):
            raise errors[0]
        return False

    @property
    def untrusted(self) -> tuple[str, ...]:
        """The project's files whose hooks are not run for lack of trust, and those that lock events (docs/trust.md)."""
        files: dict[str, None] = {}
        for system in self.systems:
            if system.left_out is not None:
                files.update(dict.fromkeys(row.file for row in system.left_out.rows if row.untrusted))
            if system.trust_state is not None:
                files.update(dict.fromkeys(lock.file for lock in system.trust_state.locks))
        return tuple(files)

    @property
    def strict(self) -> bool:
        """Whether the engine was made with ``strict=True``."""
        return self._strict

    def check_tools(self, tools: Iterable[str | Mapping[str, Any]] | Mapping[str, Any]) -> list[Diagnostic]:
        """Return diagnostics on hooks that miss tools of this agent, and on tools that no guard can read.

        ``tools``: names, schemas as they are sent to models, objects with a ``name``, or a mapping of names to schemas.
        Call it once, with all of them.

        Errors: a guard that never runs for a tool of its kind (or for one that looks like a shell), and a tool of a
        stated kind whose schema lacks that kind's arguments; under ``strict`` they raise ``ConfigError``. Warnings:
        hooks for kinds that the agent lacks, tools whose kind is not known, and tools that run code of other languages.
        """
        from .checks.agent_tools import calls, check

        diagnostics = list(check(self.systems, calls(tools, self._names)))
        if self._strict and any(diagnostic.severity == "error" for diagnostic in diagnostics):
            raise ConfigError(diagnostics)
        return diagnostics

    def enforce(self, verdict: Verdict) -> Verdict:
        """Turn ``ask`` into ``deny``, for hosts without a person to ask."""
        return enforce(verdict)

    def stats(self) -> dict[str, int]:
        """Return counts: of this engine ``fires hooks failures blocked abandoned`` (hooks), of the whole process
        ``threads_alive threads_idle threads_abandoned workers_alive``.
        """
        from ..host.threads import abandoned, pool

        threads = pool.stats()
        # Modules that were not imported have no workers; without processes they can't be imported.
        workers = [sys.modules.get(f"pyshellhooks.workers.{name}") for name in ("client", "isolation")]
        return {
            **self._reports.counts,
            "threads_alive": threads["alive"],
            "threads_idle": threads["idle"],
            "threads_abandoned": len(abandoned),
            "workers_alive": sum(module.pool.alive() for module in workers if module is not None),
        }

    def close(self, timeout: float | None = None) -> None:
        """Accept no more events, and wait for firings in the background, at most ``timeout`` seconds. Idempotent.

        A firing that still runs ends by its own deadlines. Processes that hooks have left running end now; with
        ``timeout``, they have at most that long to end by themselves.
        """
        self._closed = True
        for firing in self._background:
            firing.wait(timeout)
        self._background.clear()
        for system in self.systems:
            system.forget()
        if timeout is not None and (owner := self.runner.background) is not None:
            owner.wait(timeout)
        self.runner.close()

    def __enter__(self) -> HookEngine:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    async def __aenter__(self) -> HookEngine:
        return self

    async def __aexit__(self, *exc: object) -> None:
        from ..aio import run_async

        await run_async(lambda scope: self.close())  # background firings may need the event loop

    def __repr__(self) -> str:
        names = " + ".join(system.dialect.full_name for system in self.systems)
        return f"HookEngine({names}, {len(self.specs)} hooks)"


_Shared = tuple[HookRunner, FailurePolicy, Reports, ToolNames]


def _systems(
    configurations: Sequence[loading.Configuration],
    context_of: Callable[[loading.Configuration], HostContext],
    shared: _Shared,
    paths: str,
    permissions: bool,
) -> tuple[System, ...]:
    """Return the systems of an engine. ``permissions``: whether the permission rules of their settings count."""
    systems: list[System] = []
    for part in configurations:
        excluded = excluded_hooks(part.left_out, part.dialect)
        rules = part.permissions if permissions else ()
        context = context_of(part)
        systems.append(
            System(
                part.dialect, part.specs, context, *shared, excluded, part.trust_state, paths=paths, permissions=rules
            )
        )
    return tuple(systems)


def _missing_handlers(
    handlers: Mapping[str, Handler] | None, configurations: Sequence[loading.Configuration]
) -> list[Diagnostic]:
    """Return a warning for each hook whose handler is missing. Raises for an invalid handler."""
    specs: list[HookSpec] = []
    for configuration in configurations:
        specs += [spec for spec in configuration.specs if spec.kind != "command"]
    if not handlers and not specs:
        return []
    from .handlers import check_handlers, hint_for

    known: set[str] = set()
    if handlers:  # a handler for a system that is not loaded is valid: a host passes the same ones everywhere
        for name in dialects.names():
            known.update(dialects.dialect_class(name).handled)
    for configuration in configurations:
        known.update(configuration.dialect.handled)
    check_handlers(handlers or {}, known.union(spec.kind for spec in specs))
    diagnostics: list[Diagnostic] = []
    for spec in specs:
        if spec.kind not in (handlers or {}):
            message = (
                f'the host must provide a handler for hooks of type "{spec.kind}"; without it, this hook always fails'
            )
            diagnostics.append(spec.origin.diagnostic(message, hint_for(spec.kind), "warning", code="handler-missing"))
    return diagnostics
