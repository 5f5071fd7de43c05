"""The engine: configuration in, events in, verdicts out. The composition root of the hook half."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .. import dialects
from ..cancel import CancelScope
from ..errors import ConfigError, Diagnostic
from ..hooks.dialect import CHAIN_UNTIL_BLOCK, PARALLEL, Dialect, EventSpec, Surroundings
from ..hooks.model import Decision, HookEvent, HookRun, HookSession, HookSpec, Observer
from ..hooks.verdict import HookResult, Verdict
from ..hooks.wire import JSON, JsonText, loads, members
from ..limits import Limits
from . import loading
from .executor import Executor, ShellExecutor
from .firing import run_job, run_jobs
from .policy import FailurePolicy, enforce
from .surroundings import environment, existence, place, working_directory, worktree_root

if TYPE_CHECKING:
    from ..fs.base import FileSystem

_REMEMBERED = 512  # selections by event and subject


class Why:
    """What ``explain`` says about one hook."""

    __slots__ = ("command", "event", "id", "matches", "name", "origin", "reason")

    def __init__(self, spec: HookSpec, matches: bool, reason: str) -> None:
        self.id = spec.id
        self.event = spec.event
        self.command = spec.command
        self.name = spec.name
        self.origin = str(spec.origin)
        self.matches = matches
        self.reason = reason

    def as_json(self) -> dict[str, JSON]:
        """Give it as a JSON object."""
        return {name: getattr(self, name) for name in ("id", "event", "command", "matches", "reason", "origin")}

    def __repr__(self) -> str:
        return f"Why({self.id}: {'runs' if self.matches else 'does not run'}, {self.reason})"


class HookEngine:
    """Runs the hooks of one system. Make it with ``load`` or ``discover``; share it between threads freely.

    ``env`` and ``cwd`` are read once, here; default: those of the process. ``on_failure`` (``"open"`` or
    ``"closed"``) stands over the system's own table of failures, ``strict`` over both: every failure denies.
    ``isolation="process"`` runs hooks in warm processes that are killed when they must be (see ``Shell``).
    ``ask="deny"`` turns ask into deny. ``observe`` is called with ``hook.invoked completed blocked warning``.
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
        limits: Limits | None = None,
        isolation: str = "thread",
        disabled: Iterable[str] = (),
        executor: Executor | None = None,
        diagnostics: Iterable[Diagnostic] = (),
    ) -> None:
        if ask not in ("ask", "deny"):
            raise ValueError(f'ask is "ask" or "deny", not {ask!r}')
        self.dialect = dialects.get(dialect)
        self.specs = tuple(specs)
        self.diagnostics = tuple(diagnostics)
        self.policy = FailurePolicy(on_failure, strict)
        loading.give_ids(self.specs)
        self._disabled = frozenset(disabled)
        unknown = self._disabled.difference(spec.id for spec in self.specs)
        self.diagnostics += tuple(
            Diagnostic("disabled", 0, 0, f'no hook has the id "{id}"', severity="warning") for id in sorted(unknown)
        )
        self._ask = ask
        self._observe = observe
        here = working_directory(cwd, fs)
        self._surroundings = Surroundings(
            env=environment(env),
            cwd=here,
            project_dir=worktree_root(here, existence(fs)) or here,
            limits=limits,
        )
        self.dialect.prepare(self._surroundings)
        self.executor: Executor = executor or ShellExecutor(
            cwd=here, env=self._surroundings.env, fs=fs, spawn=spawn, limits=limits, isolation=isolation
        )
        self._selected: dict[tuple[str, tuple[str, ...]], tuple[HookSpec, ...]] = {}
        self._counts = {"fires": 0, "hooks": 0, "failures": 0, "blocked": 0, "abandoned": 0}
        self._counting = threading.Lock()
        self._closed = False

    # -- making one ---------------------------------------------------------------------------------------------------

    @classmethod
    def load(
        cls,
        source: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | Mapping[str, JSON] | None = None,
        dialect: str | Dialect | None = None,
        *,
        text: str | None = None,
        name: str = "<text>",
        trust_project: bool = True,
        env: Mapping[str, str] | None = None,
        **options: Any,
    ) -> HookEngine:
        """Load configuration files: a path, several in merge order, a mapping, or their text.

        The system is told by file name and shape, or named: ``"crush"``, ``"crush@shipped"``. A str that begins with
        ``{`` is text. ``options`` are those of the class. Raises ``ConfigError`` when anything is wrong enough that a
        hook would be lost; what is merely odd stands in ``diagnostics``.
        """
        given = loading.sources(source, text, name)
        chosen = loading.choose_dialect(dialect, given)
        skipped: list[Diagnostic] = []
        if not trust_project:
            message = "the project is not trusted; its hooks are left out"
            skipped = [Diagnostic(one.name, 0, 0, message, severity="warning") for one in given]
            given = []
        return cls._from(loading.load(chosen, given), skipped, env, options)

    @classmethod
    def discover(
        cls,
        cwd: str | None = None,
        dialect: str | Dialect = "crush",
        *,
        trust_project: bool = False,
        env: Mapping[str, str] | None = None,
        **options: Any,
    ) -> HookEngine:
        """Load what lies where the system looks. Files of the project count only when it is trusted."""
        chosen = dialects.get(dialect)
        here = working_directory(cwd, None)
        variables = environment(env)
        given, skipped = loading.discover(chosen, place(here, variables), trust_project=trust_project)
        return cls._from(loading.load(chosen, given), skipped, variables, {**options, "cwd": here})

    @classmethod
    def _from(
        cls,
        configuration: loading.Configuration,
        skipped: Sequence[Diagnostic],
        env: Mapping[str, str] | None,
        options: Mapping[str, Any],
    ) -> HookEngine:
        if configuration.errors:
            raise ConfigError(configuration.diagnostics)
        if configuration.env:
            env = {**environment(env), **configuration.env}
        diagnostics = [*skipped, *configuration.diagnostics]
        return cls(configuration.dialect, configuration.specs, env=env, diagnostics=diagnostics, **options)

    # -- firing -------------------------------------------------------------------------------------------------------

    def fire(
        self,
        event: str,
        /,
        payload: Mapping[str, JSON] | str | bytes | None = None,
        *,
        session: HookSession | str | None = None,
        timeout: float | None = None,
        scope: CancelScope | None = None,
        **fields: JSON,
    ) -> Verdict:
        """Run the hooks of an event, and give their verdict.

        ``event`` is the system's name or a neutral one (``before_tool``). The event's fields are keywords, or a
        mapping or JSON text in ``payload``; names are neutral or the system's own. ``timeout`` bounds all hooks
        together. Raises ``UnknownEventError``; no failure of a hook raises.
        """
        if self._closed:
            raise RuntimeError("the engine is closed")
        told = self._event(event, payload, session, fields)
        if timeout is not None:
            with CancelScope(timeout=timeout, parent=scope) as outer:
                return self._finish(told, self._run(told, outer))
        return self._finish(told, self._run(told, scope))

    async def afire(
        self,
        event: str,
        /,
        payload: Mapping[str, JSON] | str | bytes | None = None,
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

    def _event(
        self,
        name: str,
        payload: Mapping[str, JSON] | str | bytes | None,
        session: HookSession | str | None,
        fields: Mapping[str, JSON],
    ) -> HookEvent:
        row, neutral = self.dialect.event(name)
        if payload is not None:
            fields = {**_fields(payload), **fields}
        if isinstance(session, str):
            session = HookSession(session)
        return self.dialect.make_event(row, neutral, fields, self._surroundings, session)

    def _select(self, event: HookEvent) -> tuple[HookSpec, ...]:
        """Give the hooks that this event runs, in config order; remembered by subject."""
        key = (event.row.native, event.subjects)
        found = self._selected.get(key)
        if found is None:
            matching = [spec for spec in self.specs if spec.id not in self._disabled and self._fits(spec, event)]
            found = tuple(self.dialect.deduplicate(matching))
            if len(self._selected) >= _REMEMBERED:
                self._selected.clear()
            self._selected[key] = found
        return found

    def _run(self, event: HookEvent, scope: CancelScope | None) -> list[HookResult]:
        if event.row.order is not PARALLEL:
            return self._chain(event, scope)
        specs = self._select(event)
        if not specs:
            return []
        dialect, surroundings = self.dialect, self._surroundings
        jobs = [dialect.job(event, spec, surroundings) for spec in specs]
        if self._observe is not None:
            for spec in specs:
                self._tell("hook.invoked", spec)
        runs = run_jobs(self.executor, jobs, scope)
        return [self._result(event, spec, run) for spec, run in zip(specs, runs, strict=True)]

    def _chain(self, event: HookEvent, scope: CancelScope | None) -> list[HookResult]:
        """Run one after another, each matched against and run on the event as the ones before have rewritten it."""
        results: list[HookResult] = []
        seen: set[Hashable] = set()
        for spec in self.specs:
            if spec.id in self._disabled or spec.key in seen or not self._fits(spec, event):
                continue
            if spec.key is not None:
                seen.add(spec.key)
            job = self.dialect.job(event, spec, self._surroundings)
            if self._observe is not None:
                self._tell("hook.invoked", spec)
            result = self._result(event, spec, run_job(self.executor, job, scope))
            results.append(result)
            if result.outcome.blocks and event.row.order is CHAIN_UNTIL_BLOCK:
                break
            event = self.dialect.rewritten(event, result.outcome)
        return results

    def _result(self, event: HookEvent, spec: HookSpec, run: HookRun) -> HookResult:
        outcome = self.dialect.parse(run, spec, event)
        self.policy.apply(outcome, spec, event.row)
        result = HookResult(spec, run, outcome)
        if self._observe is not None:
            self._tell(
                "hook.completed",
                spec,
                ended=outcome.ended,
                exit_code=run.status,
                seconds=run.seconds,
                decision=outcome.decision.value,
            )
            for notice in result.notices:
                self._tell("hook.warning", spec, message=notice)
        return result

    def _finish(self, event: HookEvent, results: list[HookResult]) -> Verdict:
        verdict = self.policy.finish(self.dialect.merge(event, results), event.row)
        if self._ask == "deny" and verdict.decision is Decision.ASK:
            verdict = enforce(verdict)
        self._count(verdict)
        if self._observe is not None and not verdict.proceeds:
            data = {"event": verdict.event, "decision": verdict.decision.value, "halt": verdict.halt}
            self._call("hook.blocked", {**data, "reason": verdict.reason})
        return verdict

    def _count(self, verdict: Verdict) -> None:
        counts = self._counts
        with self._counting:
            counts["fires"] += 1
            counts["blocked"] += not verdict.proceeds
            for result in verdict.hooks:
                counts["hooks"] += 1
                ended = result.outcome.ended
                if ended != "ok":
                    counts["failures"] += ended != "nonzero" or not result.outcome.blocks
                    counts["abandoned"] += ended == "abandoned"

    def _tell(self, name: str, spec: HookSpec, **data: JSON) -> None:
        self._call(name, {"id": spec.id, "event": spec.event, "command": spec.command, "name": spec.title, **data})

    def _call(self, name: str, data: dict[str, JSON]) -> None:
        observe = self._observe
        if observe is None:
            return
        try:
            observe(name, data)
        except Exception:
            # An observer must never decide what a guard decides, not even by failing.
            import logging

            logging.getLogger("pyshellhooks").exception("observe failed for %s", name)

    # -- questions ----------------------------------------------------------------------------------------------------

    def explain(
        self, event: str, /, payload: Mapping[str, JSON] | str | bytes | None = None, **fields: JSON
    ) -> list[Why]:
        """Say for every hook whether this event would run it, and why or why not. Runs nothing."""
        told = self._event(event, payload, None, fields)
        row = told.row
        matching = [spec for spec in self.specs if self._fits(spec, told) and spec.id not in self._disabled]
        chosen = self.dialect.deduplicate(matching)
        found: list[Why] = []
        for spec in self.specs:
            if spec in chosen:
                found.append(Why(spec, True, _why(spec, told, row, True)))
            elif spec.event != row.native:
                found.append(Why(spec, False, f"it is for {spec.event}, not for {row.native}"))
            elif spec.id in self._disabled:
                found.append(Why(spec, False, "it is disabled"))
            elif spec in matching:
                twin = next((other for other in chosen if other.key == spec.key), spec)
                found.append(Why(spec, False, f"the same command runs already, as {twin.id} ({twin.origin})"))
            else:
                found.append(Why(spec, False, _why(spec, told, row, False)))
        return found

    def _fits(self, spec: HookSpec, event: HookEvent) -> bool:
        return spec.event == event.row.native and self.dialect.matches(spec, event)

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
            **self._counts,
            "threads_alive": threads["alive"],
            "threads_idle": threads["idle"],
            "threads_abandoned": len(abandoned),
            "workers_alive": sum(module.pool.alive() for module in workers if module is not None),
        }

    def close(self) -> None:
        """Take no more events. What runs still ends by its own deadline. Idempotent."""
        self._closed = True
        self._selected.clear()
        close: Callable[[], None] | None = getattr(self.executor, "close", None)
        if close is not None:
            close()

    def __enter__(self) -> HookEngine:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"HookEngine({self.dialect.full_name}, {len(self.specs)} hooks)"


def _fields(payload: Mapping[str, JSON] | str | bytes) -> Mapping[str, JSON]:
    """Take a mapping, or JSON text whose objects and arrays then keep their spelling."""
    if isinstance(payload, Mapping):
        return payload
    text = payload.decode("utf-8") if isinstance(payload, bytes) else payload
    value = loads(text)
    if not isinstance(value, dict):
        raise ValueError("the event's fields must be a JSON object")
    spelled = dict(members(text))
    return {name: JsonText(spelled[name]) if isinstance(item, (dict, list)) else item for name, item in value.items()}


def _why(spec: HookSpec, event: HookEvent, row: EventSpec, matches: bool) -> str:
    if not spec.matcher:
        return "it has no matcher"
    subjects = " or ".join(f'"{subject}"' for subject in event.subjects)
    verb = "matches" if matches else "does not match"
    return f'its matcher "{spec.matcher}" {verb} {row.subject} {subjects}'
