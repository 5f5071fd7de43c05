"""The engine: configuration in, events in, verdicts out. The composition root of the hook half."""

from __future__ import annotations

import os
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from .. import dialects
from ..cancel import CancelScope
from ..errors import ConfigError, Diagnostic, UnknownEventError
from ..hooks.dialect import Dialect, EventSpec, Surroundings
from ..hooks.fields import replaced
from ..hooks.model import Decision, HookSession, HookSpec, Observer
from ..hooks.tools import ToolNames, argument
from ..hooks.verdict import Verdict, together
from ..hooks.wire import JSON, JsonText, WireError, fields_of, loads
from ..limits import Limits
from . import loading
from .executor import Executor, ShellExecutor
from .policy import FailurePolicy, enforce
from .reports import Reports
from .surroundings import environment, existence, home_directory, look_at, place, working_directory, worktree_root
from .system import System

if TYPE_CHECKING:
    from ..fs.base import FileSystem
    from .background import Firing
    from .explaining import Why
    from .handlers import Handler

Payload = Mapping[str, JSON] | str | bytes | None
Asked = tuple[System, EventSpec, bool]  # one native event of a firing

_SESSIONS = 1000  # conversations that an engine remembers; the oldest go


class HookEngine:
    """Runs the hooks of one system, or of several. Make it with ``load`` or ``discover``; share it between threads.

    ``env`` and ``cwd`` are read once, here; default: those of the process. ``on_failure`` (``"open"`` or
    ``"closed"``) stands over the system's own table of failures, ``strict`` over both: every failure denies,
    and what a system would refuse in a configuration is an error where it is a warning else.
    ``isolation="process"`` runs hooks in warm processes that are killed when they must be, ``scripts="embedded"`` runs
    their script files for sh and bash in the embedded shell (see ``Shell`` for both).
    ``ask="deny"`` turns ask into deny. ``observe`` is called with ``hook.invoked completed blocked warning``.
    ``handlers`` run hooks that are not commands, by their type: ``{"prompt": ask_a_model}`` (see ``handlers``).
    ``settings`` are what only the host knows, by the names in the dialect's ``settings`` (``{"user_email": ...}``).
    ``mounts`` shows file systems or host directories to hooks: ``{"/workspace": "."}``. ``disabled``: ids of hooks
    that never run. ``tools`` says what the host's tools are: ``{"execute": "shell", "write_file": "write"}``; under
    neutral events guards are told of them in their own system's words (kinds: ``hooks.tool_kinds.KINDS``).
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
        ask: str = "ask",
        observe: Observer | None = None,
        fs: FileSystem | None = None,
        mounts: Mapping[str, FileSystem | str] | None = None,
        limits: Limits | None = None,
        isolation: str = "thread",
        scripts: str = "auto",
        disabled: Iterable[str] = (),
        executor: Executor | None = None,
        handlers: Mapping[str, Handler] | None = None,
        settings: Mapping[str, JSON] | None = None,
        diagnostics: Iterable[Diagnostic] = (),
        others: Sequence[loading.Configuration] = (),
        tools: Mapping[str, str] | None = None,
    ) -> None:
        if ask not in ("ask", "deny"):
            raise ValueError(f'ask is "ask" or "deny", not {ask!r}')
        configurations = [loading.Configuration(dialects.get(dialect), specs), *others]
        self._ask = ask
        self._reports = Reports(observe)
        self._names = ToolNames(tools)
        self._strict = strict
        self._fs = fs
        self._mounts = dict(mounts or {})
        if self._mounts and not (fs is None and all(one.dialect.session_files for one in configurations)):
            from .session_files import mounted

            self._fs = fs = mounted(fs, self._mounts)
        here = working_directory(cwd, fs)
        variables = environment(env)
        project = worktree_root(here, existence(fs)) or here
        self.executor = _with_handlers(
            executor
            or ShellExecutor(
                cwd=here, env=variables, fs=fs, spawn=spawn, limits=limits, isolation=isolation, scripts=scripts
            ),
            handlers,
            configurations,
        )

        def system(one: loading.Configuration) -> System:
            own = {**variables, **one.env} if one.env else variables
            home = home_directory(variables)
            around = Surroundings(env=own, cwd=here, project_dir=project, home=home, limits=limits, settings=settings)
            look_at(around, fs)
            policy = FailurePolicy(on_failure, strict)
            return System(one.dialect, one.specs, around, self.executor, policy, self._reports, self._names)

        self.systems = tuple(map(system, configurations))
        self.diagnostics = (*diagnostics, *self._switch_off(disabled))
        self._sessions: OrderedDict[str, HookSession] = OrderedDict()
        self._background: list[Firing] = []
        self._asked: dict[str, list[Asked]] = {}
        self._closed = False
        if tools:
            self.diagnostics += tuple(one for one in self.check_tools(tools) if one.file != "tools")

    @property
    def dialect(self) -> Dialect:
        """The system; the first of several."""
        return self.systems[0].dialect

    @property
    def cwd(self) -> str:
        """The directory in which it stands."""
        return self.systems[0].surroundings.cwd

    @property
    def specs(self) -> tuple[HookSpec, ...]:
        """All hooks, in config order, of one system after another."""
        return tuple(spec for system in self.systems for spec in system.specs)

    def _switch_off(self, disabled: Iterable[str]) -> list[Diagnostic]:
        loading.give_ids(self.specs)
        ids = frozenset(disabled)
        for system in self.systems:
            system.disabled = ids.union(spec.id for spec in system.specs if spec.extra.get("muted"))
        unknown = ids.difference(spec.id for spec in self.specs)
        return [
            Diagnostic("disabled", 0, 0, f'no hook has the id "{id}"', severity="warning") for id in sorted(unknown)
        ]

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
        env: Mapping[str, str] | None = None,
        **options: Any,
    ) -> HookEngine:
        """Load configuration files: a path, several in merge order, a mapping, or their text.

        Systems are told by file name and shape, or one is named: ``"crush"``, ``"crush@shipped"``. A str that begins
        with ``{`` or holds a line break is text. ``agent`` names one of the agents that a file may hold. ``hooks`` are
        (event, command) pairs that are added behind the files' own. ``options`` are those of the class. Raises
        ``ConfigError`` when anything is wrong enough that a hook would be lost; what is merely odd stands in
        ``diagnostics``.
        """
        given = loading.sources(source, text, name)
        groups = loading.by_dialect(dialect, given)
        skipped: list[Diagnostic] = []
        if not trust_project:
            message = "the project is not trusted; its hooks are left out"
            skipped = [Diagnostic(one.name, 0, 0, message, severity="warning") for one in given]
            groups = [(chosen, []) for chosen, _ in groups]
        known = options.get("settings")
        configurations = [loading.load(chosen, sources, agent, known) for chosen, sources in groups]
        return cls._from(configurations, skipped, env, {**options, "hooks": hooks})

    @classmethod
    def discover(
        cls,
        cwd: str | None = None,
        dialect: str | Dialect | None = None,
        *,
        agent: str = "",
        hooks: Sequence[tuple[str, str]] = (),
        trust_project: bool = False,
        env: Mapping[str, str] | None = None,
        **options: Any,
    ) -> HookEngine:
        """Load what lies where the systems look, or one system. Files of the project count only when it is trusted."""
        here = working_directory(cwd, None)
        variables = environment(env)
        found, skipped = [], []
        for chosen in [dialects.get(dialect)] if dialect is not None else map(dialects.get, dialects.names()):
            given, said = loading.discover(chosen, place(here, variables), trust_project=trust_project)
            skipped += said
            if given or dialect is not None:
                found.append(loading.load(chosen, given, agent, options.get("settings")))
        if dialect is None:
            # A file that lies in a system's place and says nothing about hooks is not worth a system.
            found = [one for one in found if one.specs or one.diagnostics] or [
                loading.Configuration(dialects.get("crush"))
            ]
        if not hooks and not skipped and not any(one.files for one in found):
            skipped.append(Diagnostic(here, 0, 0, "no hook configuration was found here", severity="warning"))
        fs = options.get("fs")
        stands = here if fs is None or existence(fs)(here) else None
        return cls._from(found, skipped, variables, {**options, "cwd": stands, "hooks": hooks})

    @classmethod
    def _from(
        cls,
        configurations: Sequence[loading.Configuration],
        skipped: Sequence[Diagnostic],
        env: Mapping[str, str] | None,
        options: dict[str, Any],
    ) -> HookEngine:
        said = [diagnostic for one in configurations for diagnostic in one.diagnostics]
        if any(one.errors or (options.get("strict") and one.doubts) for one in configurations):
            raise ConfigError(said)
        first, *others = configurations
        for event, command in options.pop("hooks"):
            loading.add(configurations, event, command)
        if first.env:
            env = {**environment(env), **first.env}
        return cls(first.dialect, first.specs, env=env, diagnostics=[*skipped, *said], others=others, **options)

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
        """Run the hooks of an event, and give their verdict.

        ``event`` is the system's name or a neutral one (``before_tool``). The event's fields are keywords, or a
        mapping or JSON text in ``payload``; names are neutral or the system's own. ``timeout`` (seconds) bounds all
        hooks together. ``session`` is a HookSession, or an id (default: the ``session_id`` field) under which the
        engine keeps one. ``background`` gives a handle at once; ``close`` waits for it. A field that is itself called
        ``timeout`` (Firebender's shell events) goes into ``payload``. Raises ``UnknownEventError``; no failure of a
        hook raises.
        """
        if self._closed:
            raise RuntimeError("the engine is closed")
        if payload is not None:
            fields = {**_fields(payload), **fields}
        if background:
            from .background import Firing

            firing = Firing(lambda inner: self._fire(event, fields, session, timeout, inner), scope)
            self._background = [one for one in self._background if not one.done]
            self._background.append(firing)
            return firing
        return self._fire(event, fields, session, timeout, scope)

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
        """Fire from a coroutine. Cancelling it cancels the hooks, waits for their grace, and goes on cancelling."""
        from ..aio import run_async

        def work(inner: CancelScope) -> Verdict:
            return self.fire(event, payload, session=session, timeout=timeout, scope=inner, **fields)

        return await run_async(work, scope)

    def _fire(
        self,
        name: str,
        fields: Mapping[str, JSON],
        session: HookSession | str | None,
        timeout: float | None,
        scope: CancelScope | None,
    ) -> Verdict:
        asked = self._stages(name, fields)
        kept = self._session(session, fields)
        if any(row.shielded for _, row, _ in asked):
            scope = None
        if timeout is None:
            return self._ask_all(name, asked, fields, kept, scope)
        with CancelScope(timeout=timeout, parent=scope) as outer:
            return self._ask_all(name, asked, fields, kept, outer)

    def _ask_all(
        self,
        name: str,
        asked: Sequence[Asked],
        fields: Mapping[str, JSON],
        session: HookSession | None,
        scope: CancelScope | None,
    ) -> Verdict:
        """Fire native events in order, each on what the ones before have rewritten; a deny ends it."""
        verdicts: list[Verdict] = []
        for system, row, neutral in asked:
            verdict = system.fire(system.tell(row, neutral, fields, session), scope)
            verdicts.append(verdict)
            if verdict.blocked:
                break
            if len(asked) > 1:
                fields = _rewritten(row, fields, verdict)
        verdict = verdicts[0] if len(asked) == 1 else together(name, verdicts)
        if self._ask == "deny" and verdict.decision is Decision.ASK:
            verdict = enforce(verdict)
        self._reports.fired(verdict)
        return verdict

    def _stages(self, name: str, fields: Mapping[str, JSON]) -> list[Asked]:
        """Give the native events that a name stands for.

        Each system takes it in its own way: ``session_start`` is a native name for some, and neutral for the others.
        """
        known = self._asked.get(name)
        if known is not None:
            return known
        found: list[Asked] = []
        errors: list[UnknownEventError] = []
        fixed = True
        for system in self.systems:
            try:
                rows, neutral = system.stages(name, fields)
            except UnknownEventError as error:
                errors.append(error)
                continue
            found += [(system, row, neutral) for row in rows]
            fixed = fixed and not any(row.when and name in row.neutral for row in system.dialect.events.values())
        if len(errors) == len(self.systems):
            raise errors[0]
        if fixed:
            self._asked[name] = found
        return found

    def session(self, id: str = "") -> HookSession:
        """Give the session of an id, kept until the engine goes or a thousand others came after; ``""``: a new one."""
        if not id:
            return self._equipped(HookSession())
        sessions = self._sessions
        found = sessions.pop(id, None) or self._equipped(HookSession(id))
        sessions[id] = found
        while len(sessions) > _SESSIONS:
            try:
                sessions.popitem(last=False)
            except KeyError:  # another thread was quicker
                break
        return found

    def _session(self, session: HookSession | str | None, fields: Mapping[str, JSON]) -> HookSession | None:
        if session is None:
            id = fields.get("session_id")
            session = id if isinstance(id, str) else ""
        return self.session(session) if isinstance(session, str) else self._equipped(session)

    def _equipped(self, session: HookSession) -> HookSession:
        """Give a session the file system that its systems' hooks live on, if they have one of their own."""
        if session.files is None and any(one.dialect.session_files for one in self.systems):
            from .session_files import make_files

            session.files = make_files(self._mounts, self._fs)
        return session

    # -- questions ----------------------------------------------------------------------------------------------------

    def explain(self, event: str, /, payload: Payload = None, **fields: JSON) -> list[Why]:
        """Say for every hook whether this event would run it, and why or why not. Runs nothing."""
        from .explaining import explain

        if payload is not None:
            fields = {**_fields(payload), **fields}
        found: dict[str, Why] = {}
        for system, row, neutral in self._stages(event, fields):
            for why in explain(system, system.tell(row, neutral, fields, None)):
                known = found.get(why.id)
                if known is None or (not known.matches and (why.matches or why.event == row.native)):
                    found[why.id] = why
        return [found[spec.id] for spec in self.specs if spec.id in found]

    def listens(self, event: str) -> bool:
        """Say whether any hook is for an event, whatever its matcher: False means that firing it asks nobody.

        ``event`` is a native or a neutral name. Raises ``UnknownEventError``.
        """
        found: list[UnknownEventError] = []
        for system in self.systems:
            try:
                natives = system.dialect.natives(event)
            except UnknownEventError as error:
                found.append(error)
                continue
            if any(spec.event in natives and spec.id not in system.disabled for spec in system.specs):
                return True
        if len(found) == len(self.systems):
            raise found[0]
        return False

    def check_tools(self, tools: Iterable[str | Mapping[str, Any]] | Mapping[str, Any]) -> list[Diagnostic]:
        """Say which hooks miss tools of this agent, and which tools no guard can read. Call it once, with all of them.

        ``tools``: names, schemas as they are sent to models, objects with a ``name``, or a mapping of names to schemas.
        An error is a guard that is never asked about a tool of its kind (or about one that looks like a shell);
        under ``strict`` it raises ``ConfigError``. Warnings: hooks for kinds that the agent lacks, tools whose kind is
        not known, and tools that run code of other languages.
        """
        from .tool_check import calls, check

        found = list(check(self.systems, calls(tools, self._names)))
        if self._strict and any(one.severity == "error" for one in found):
            raise ConfigError(found)
        return found

    def enforce(self, verdict: Verdict) -> Verdict:
        """Turn ``ask`` into ``deny``, where nobody can be asked."""
        return enforce(verdict)

    def stats(self) -> dict[str, int]:
        """Give counts: of this engine ``fires hooks failures blocked abandoned`` (hooks), of the whole process
        ``threads_alive threads_idle threads_abandoned workers_alive``.
        """
        from ..host.threads import abandoned, pool

        threads = pool.stats()
        # Where they were not imported there are no workers, and where there are no processes they can't be.
        workers = [sys.modules.get(f"pyshellhooks.workers.{name}") for name in ("client", "isolation")]
        return {
            **self._reports.counts,
            "threads_alive": threads["alive"],
            "threads_idle": threads["idle"],
            "threads_abandoned": len(abandoned),
            "workers_alive": sum(module.pool.alive() for module in workers if module is not None),
        }

    def close(self, timeout: float | None = None) -> None:
        """Take no more events, and wait for what runs in the background, at most ``timeout`` seconds. Idempotent.

        What still runs ends by its own deadlines.
        """
        self._closed = True
        for firing in self._background:
            firing.wait(timeout)
        self._background.clear()
        for system in self.systems:
            system.forget()
        close: Callable[[], None] | None = getattr(self.executor, "close", None)
        if close is not None:
            close()

    def __enter__(self) -> HookEngine:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def __repr__(self) -> str:
        names = " + ".join(system.dialect.full_name for system in self.systems)
        return f"HookEngine({names}, {len(self.specs)} hooks)"


def _with_handlers(
    commands: Executor, handlers: Mapping[str, Handler] | None, configurations: Sequence[loading.Configuration]
) -> Executor:
    """Put the handlers of other hooks before the executor of commands, where there are any."""
    if not handlers and all(spec.kind == "command" for one in configurations for spec in one.specs):
        return commands
    from .handlers import HandlerExecutor

    return HandlerExecutor(commands, handlers or {})


def _rewritten(row: EventSpec, fields: Mapping[str, JSON], verdict: Verdict) -> Mapping[str, JSON]:
    """Give the fields as the hooks of one native event leave them to the next."""
    if verdict.updated_input_text is not None:
        text = verdict.updated_input_text
        value = loads(text) if text.startswith('"') else JsonText(text)
        before, fields = fields, replaced(row, fields, row.target, value)
        if "content" in fields and argument(fields, "file_path") != argument(before, "file_path"):
            fields = {name: value for name, value in fields.items() if name != "content"}  # of the file before
    if verdict.updated_output_text is not None:
        fields = replaced(row, fields, "tool_output", loads(verdict.updated_output_text))
    return fields


def _fields(payload: Mapping[str, JSON] | str | bytes) -> Mapping[str, JSON]:
    """Take a mapping, or JSON text whose objects and arrays then keep their spelling."""
    if isinstance(payload, Mapping):
        return payload
    try:
        return fields_of(payload.decode("utf-8") if isinstance(payload, bytes) else payload)
    except (WireError, UnicodeDecodeError) as error:
        raise WireError(f"the payload is not a JSON object: {error}") from None
