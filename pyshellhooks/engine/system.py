"""One hook system in an engine: its hooks, and the fold that turns one native event into a verdict."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping, Sequence

from ..cancel import CancelScope
from ..errors import Stop
from ..hooks.dialect import CHAIN_UNTIL_BLOCK, NEUTRAL_EVENTS, PARALLEL, Dialect, EventSpec, HostContext
from ..hooks.failure_notices import add_consequence, failing
from ..hooks.fields import FieldProblems, with_field
from ..hooks.internal_failures import InternalFailure, Kind
from ..hooks.model import HookEvent, HookJob, HookOutcome, HookRun, HookSession, HookSpec
from ..hooks.notices import hook_notice
from ..hooks.tool_translation import PATHS, ToolTranslation, translate
from ..hooks.tools import ToolCall, ToolNames, failed, tool_kind
from ..hooks.verdict import HookResult, Verdict
from ..jsontext.compact import JSON
from ..notice import Notice
from .bypassed_guards import (
    MCP_BEGINS,
    Misspelled,
    bypassed_shell_guards,
    hooks_with_other_spelling,
    misspelled_guards,
    shell_guards,
)
from .config.host_context import with_absolute_cwd
from .event_input import add_problems
from .event_views import CALLER_VIEW, EventViews
from .excluded_hooks import ExcludedHooks
from .observer import Reports
from .policy import FailurePolicy, deny_untrusted
from .scheduler import HookRunner, crashed, run_lanes
from .scripts import off_in_agent
from .scripts.event_paths import EventPaths
from .scripts.native_programs import is_native_program, with_native_paths
from .scripts.referenced_scripts import is_directory
from .selection import UNDECIDED, Chosen, Selection
from .trust.trust import TrustState

#: The values of the engine's option ``paths``: payloads as scripts see them, or as the caller wrote them.
SCRIPT_PATHS, NATIVE_PATHS = "script", "native"
_REMEMBERED = 512  # tools in a cache
_LONG = 1000  # characters; longer names are not cached
#: Ends that a hook can have in its system too. Their notice adds whether the call went ahead.
_FOLLOWS = frozenset(["timed_out", "nonzero", "not_started", "bad_output"])
_MANY = 50  # arguments; calls with more are not cached. Also the most sets of keys that are cached for one tool.


class System:
    """The hooks of one dialect, with their host context, runner and failure policy."""

    __slots__ = (
        "_known_native_calls",
        "_guards",
        "_native_programs",
        "_spelled",
        "_off",
        "_own_kinds",
        "converts_paths",
        "dialect",
        "disabled",
        "left_out",
        "names",
        "own_tools",
        "policy",
        "reports",
        "runner",
        "selection",
        "specs",
        "trust_state",
        "host_context",
    )

    def __init__(
        self,
        dialect: Dialect,
        specs: Sequence[HookSpec],
        host_context: HostContext,
        runner: HookRunner,
        policy: FailurePolicy,
        reports: Reports,
        names: ToolNames,
        left_out: ExcludedHooks | None = None,
        trust_state: TrustState | None = None,
        *,
        paths: str = SCRIPT_PATHS,
    ) -> None:
        self.dialect = dialect
        self.specs = tuple(dialect.arrange(specs, host_context))
        self.host_context = host_context
        self.runner = runner
        self.policy = policy
        self.reports = reports
        self.names = names
        #: Whether scripts see every path of a payload as ``C:/x`` (decisions paths on Windows).
        self.converts_paths = host_context.windows and paths == SCRIPT_PATHS
        self._native_programs: dict[HookSpec, bool] = {}
        self.disabled: frozenset[str] = frozenset()
        self.left_out = left_out
        self.trust_state = trust_state
        self.selection = Selection(dialect, self.specs)
        # Tool name -> keys of its arguments -> (keys whose values must be texts, those that must be absolute paths):
        # such calls use the system's words already and need no translation.
        self._known_native_calls: dict[str, dict[tuple[str, ...], tuple[tuple[str, ...], tuple[str, ...]]]] = {}
        self.own_tools = frozenset(dialect.own_tools)
        self._own_kinds = {name: kind for kind, names in reversed(list(dialect.tools.items())) for name in names}
        self._guards: dict[str, tuple[HookSpec, ...]] = {}
        self._spelled: dict[tuple[str, tuple[str, ...]], Misspelled] = {}
        self._off = off_in_agent.Known(dialect)
        host_context.is_of_project = any(spec.origin.scope == "project" for spec in self.specs)
        dialect.prepare(host_context)

    def switch_off(self, ids: frozenset[str]) -> None:
        """Disable the hooks with these ids."""
        self.disabled = ids
        self.selection = Selection(self.dialect, [spec for spec in self.specs if spec.id not in ids])

    # -- payloads -----------------------------------------------------------------------------------------------------

    def native_events(self, name: str, fields: Mapping[str, JSON]) -> tuple[list[EventSpec], bool]:
        """Return the native events of a native or neutral name (``Dialect.native_events``). Raises ``UnknownEventError``."""
        kind = ""
        if name in NEUTRAL_EVENTS:
            # The system's own name of a tool decides its kind; its arguments are not tested.
            tool = fields.get("tool_name")
            own = self._own_kinds.get(tool) if isinstance(tool, str) and tool not in self.names.declared else None
            kind = own if own is not None else tool_kind(fields, self.names)
        return self.dialect.native_events(name, fields, kind)

    def make_views(
        self, row: EventSpec, neutral: bool, fields: Mapping[str, JSON], session: HookSession | None
    ) -> EventViews:
        """Return an event in the caller's words and, if fired under a neutral name, in the system's words too."""
        paths = self._event_paths(row, fields) if self.converts_paths else None
        if paths is not None:
            fields = paths.fields
        fields = with_absolute_cwd(fields, self.host_context)
        translation = self._translation(row, fields) if neutral and not self._is_exact(fields) else None
        if translation is None:
            event = self.dialect.make_event(row, neutral, fields, self.host_context, session)
            views = EventViews(self.dialect, event)
        else:
            views = self._make_both_views(row, fields, session, translation)
        views.paths = paths
        return views

    def _event_paths(self, row: EventSpec, fields: Mapping[str, JSON]) -> EventPaths:
        """Return the paths of an event on Windows, in the form that scripts see."""
        input_field = row.places.get("tool_input", "tool_input")
        tool = fields.get("tool_name")
        tool_input = fields.get("tool_input", fields.get(input_field))
        is_known_tool = isinstance(tool, str) and self.names.call(tool, tool_input).kind is not None
        return EventPaths(fields, input_field, self.host_context.exists, is_known_tool)

    def _make_both_views(
        self, row: EventSpec, fields: Mapping[str, JSON], session: HookSession | None, translation: ToolTranslation
    ) -> EventViews:
        """Return an event in the caller's words and in the system's."""

        def make(name: str) -> HookEvent:
            return self.dialect.make_event(
                row, True, _translated(row, fields, translation, name), self.host_context, session
            )

        if row.subject != "tool_name":  # about a shell command or a file: it has the system's words only
            return EventViews(self.dialect, make(translation.names[0]), translation)
        event = self.dialect.make_event(row, True, fields, self.host_context, session)
        host_keys = {"host_tool_name": row.places["tool_name"], "host_tool_input": row.places.get("tool_input", "")}

        def with_host(name: str) -> HookEvent:
            translated = make(name)
            for host_key, key in host_keys.items():
                value = event.payload.get(key)
                if value is not None and value != translated.payload.get(key):
                    translated.payload[host_key] = value
            return translated

        if not translation.same_name:
            event.subjects = event.subjects[:1]
        return EventViews(self.dialect, event, translation, with_host)

    def _is_exact(self, fields: Mapping[str, JSON]) -> bool:
        """Return whether a call like this one is known to be in the system's words already."""
        tool_input = fields.get("tool_input")
        if type(tool_input) is not dict or "tool_output" in fields:
            return False
        tool = fields.get("tool_name")
        known = self._known_native_calls.get(tool) if type(tool) is str else None
        exact = known.get(tuple(tool_input)) if known is not None else None
        if exact is None:
            return False
        texts, paths = exact
        if not all([type(tool_input[key]) is str for key in texts]):
            return False
        return not paths or all([tool_input[key][:1] == "/" for key in paths])

    def _translation(self, row: EventSpec, fields: Mapping[str, JSON]) -> ToolTranslation | None:
        """Return a call in the system's words; None if these are the caller's, or if the system has no such tool."""
        tool = fields.get("tool_name")
        if not isinstance(tool, str) or not tool:
            return None
        tool_input = fields.get("tool_input")
        if tool_input is None:
            tool_input = fields.get(row.places.get("tool_input", "tool_input"))
        output = None if failed(fields) else fields.get("tool_output")
        call = self.names.call(tool, tool_input)
        cwd = fields.get("cwd")
        translation = translate(
            call, self.dialect, cwd if isinstance(cwd, str) and cwd else self.host_context.cwd, output
        )
        if translation is None and type(tool_input) is dict and not call.depends_on_values:
            self._remember(call, tool_input)
        return translation

    def _remember(self, call: ToolCall, tool_input: Mapping[str, JSON]) -> None:
        """Remember that calls of a tool with these keys need no translation as long as the same keys hold texts."""
        if len(self._known_native_calls) >= _REMEMBERED or len(call.name) >= _LONG or len(tool_input) > _MANY:
            return
        known = self._known_native_calls.setdefault(call.name, {})
        if len(known) >= _MANY:
            return
        kind = call.kind
        texts = () if kind is None else tuple(key for key in tool_input if key in kind.spelled)
        rooted = kind is not None and kind.name in self.dialect.absolute
        paths = tuple(text for text in texts if rooted and kind is not None and kind.spelled[text] in PATHS)
        known[tuple(tool_input)] = texts, paths

    def fire_event(
        self,
        row: EventSpec,
        neutral: bool,
        fields: Mapping[str, JSON],
        problems: FieldProblems | None,
        session: HookSession | None,
        scope: CancelScope | None,
    ) -> Verdict:
        """Run the hooks of a native event and return their verdict.

        ``problems``: problems of the fields that every system reports.
        """
        if self.trust_state is not None and (locked := self.trust_state.verdict(row)) is not None:
            return locked
        try:
            views = self.make_views(row, neutral, fields, session)
        except Exception as error:  # an internal error must not bypass a guard
            return self.policy.crashed(
                row, describe_internal_error("internal error while the event was prepared", error)
            )
        if problems is not None:
            add_problems(views.event, problems)
        event = views.event
        results: list[HookResult] = []
        try:
            results = self._run_hooks(views, scope)
            verdict = self._verdict(views, results)
            if views.paths is not None and verdict.updated_input_text is not None and row.target == "tool_input":
                verdict.updated_input_text = views.paths.restore(verdict.updated_input_text)
        except Exception as error:  # an internal error must not bypass a guard
            return self.policy.crashed(row, describe_internal_error("internal error", error), results)
        try:
            self.dialect.settle(event, verdict)
        except Exception as error:
            verdict.notices += (
                internal_error_notice(describe_internal_error("internal error while the session was saved", error)),
            )
        return verdict

    def _verdict(self, views: EventViews, results: Sequence[HookResult]) -> Verdict:
        """Merge the outcomes of the hooks and add the notices about the event itself."""
        event = views.event
        if all([result.outcome.silent for result in results]):  # the usual case, merged alike by every dialect
            verdict = Verdict(event.row.native, hooks=results, notices=event.notices)
        else:
            verdict = self.dialect.merge(event, results)
        odd: tuple[str, ...] = ()
        if event.faults:
            odd = self._needed_faults(event, verdict)
        remarks: tuple[str, ...] = ()
        if self.left_out is not None:
            verdict.notices += self.left_out.off_in_agent
            rows = self.left_out.notices(self, views)
            if rows:
                faults, remarks = _faults_and_remarks(rows)
                odd += faults
        if self.trust_state is not None:
            odd += self.trust_state.reasons.get(event.row.native, ())
        if views.faults:
            odd += tuple(views.faults)
        row = event.row
        # A guard names the system's own tools exactly, so none is missed: the usual case, and the cheapest test.
        if row.subject == "tool_name" and event.subjects[0] not in self.own_tools:
            passed = bypassed_shell_guards(self, views) if self.shell_guards(row) else ()
            if event.subjects[0][:4] in MCP_BEGINS:
                passed += misspelled_guards(self, views)
            for notice in passed:
                odd += (notice,)
                self.reports.once(notice)
        if odd or remarks:
            _add_notices(verdict, odd, remarks)
        return self.policy.finish(verdict, event.row)

    def _needed_faults(self, event: HookEvent, verdict: Verdict) -> tuple[str, ...]:
        """Return the faults of an event; if no hook is for it, drop them from the verdict's notices and return ()."""
        if self.has_hooks(event.row):
            return event.faults
        # No hook reads the field.
        verdict.notices = tuple(notice for notice in verdict.notices if notice not in event.faults)
        return ()

    def has_hooks(self, row: EventSpec) -> bool:
        """Return whether any hook is for an event, whatever its matcher."""
        return self.selection.has_hooks(row.native)

    # -- which hooks --------------------------------------------------------------------------------------------------

    def matching_view(self, spec: HookSpec, views: EventViews) -> int | None:
        """Return the index of the words in which a hook receives an event; None if the hook is not for the event.

        A hook whose matcher can't be evaluated receives the system's words: a guard must run, with a notice.
        """
        event = views.event
        if spec.event != event.row.native:
            return None
        try:
            return views.matching_view(spec)
        except Stop as stop:
            problem = f"its matcher did not finish: {stop.detail or stop.reason}"
        except Exception as error:
            problem = describe_internal_error("its matcher could not be evaluated", error)
        event.notices += (
            hook_notice(spec, Notice(problem, "matcher-failed", hint="correct the matcher", then="the hook runs")),
        )
        return CALLER_VIEW if views.translation is None else 0

    def select(self, views: EventViews) -> tuple[Chosen, ...]:
        """Return the hooks that an event runs and their words, in config order; cached if its subjects alone decide."""
        candidates = self.selection.of(views)
        if candidates.chosen is not None:
            return candidates.chosen
        matching = [
            (spec, index)
            for spec, known in candidates.candidates
            if (index := self._index(spec, known, views)) is not None
        ]
        if views.translation is None:
            chosen = tuple([(spec, CALLER_VIEW) for spec in self.dialect.deduplicate([spec for spec, _ in matching])])
        else:
            indexes = dict(matching)
            chosen = tuple([(spec, indexes[spec]) for spec in self.distinct(indexes)])
        if candidates.sure:
            candidates.chosen = chosen
        return chosen

    def _index(self, spec: HookSpec, index: int, views: EventViews) -> int | None:
        """Return the index of a candidate's words; None if the event turns out not to be for it."""
        return self.matching_view(spec, views) if index == UNDECIDED else index

    def distinct(self, matching: Mapping[HookSpec, int]) -> list[HookSpec]:
        """Return the hooks without duplicates; equal hooks are duplicates only if they receive the same words."""
        callers = [spec for spec, index in matching.items() if index == CALLER_VIEW]
        own = [spec for spec, index in matching.items() if index != CALLER_VIEW]
        if not callers or not own:
            return self.dialect.deduplicate(callers or own)
        unique = {*self.dialect.deduplicate(callers), *self.dialect.deduplicate(own)}
        return [spec for spec in matching if spec in unique]

    def shell_guards(self, row: EventSpec) -> tuple[HookSpec, ...]:
        """Return the hooks of an event that are for the system's shell tool but not for every tool."""
        guards = self._guards.get(row.native)
        if guards is None:
            guards = self._guards[row.native] = shell_guards(self.dialect, self.specs, row)
        return guards

    def hooks_with_other_spelling(self, row: EventSpec, subjects: tuple[str, ...]) -> Misspelled:
        """Return the hooks of an event that take an MCP tool's name in another spelling only; cached."""
        key = row.native, subjects
        hooks = self._spelled.get(key)
        if hooks is None:
            hooks = hooks_with_other_spelling(self.dialect, self.specs, row, subjects)
            if len(self._spelled) < _REMEMBERED and len(subjects[0]) < _LONG:
                self._spelled[key] = hooks
        return hooks

    def forget(self) -> None:
        """Clear the caches."""
        self._spelled.clear()
        self.selection.forget()

    # -- running them -------------------------------------------------------------------------------------------------

    def _run_hooks(self, views: EventViews, scope: CancelScope | None) -> list[HookResult]:
        """Run the hooks of an event in the order of its row: as a chain, in lanes, or all at once."""
        if views.event.row.order is not PARALLEL:
            return self._run_chain(views, scope)
        chosen = self.select(views)
        if not chosen:
            return []
        if len(chosen) == 1:  # the usual case
            spec, index = chosen[0]
            job = self._job(views.event if index == CALLER_VIEW else views.view(index), spec)
            if self.reports.observe is not None:
                self.reports.invoked(spec, views.event)
            run = self.runner.run_hook(job, scope)
            return [self._result(views, chosen[0], run, job)[0]]
        lanes = self.dialect.lanes([spec for spec, _ in chosen])
        if len(lanes) < len(chosen):
            return self._run_lanes(views, chosen, lanes, scope)
        return self._run_parallel(views, chosen, scope)

    def _run_parallel(self, views: EventViews, chosen: Sequence[Chosen], scope: CancelScope | None) -> list[HookResult]:
        """Run hooks in parallel, each on the original event."""
        prepared = [self._job(views.view(index), spec) for spec, index in chosen]
        if self.reports.observe is not None:
            for spec, _ in chosen:
                self.reports.invoked(spec, views.event)
        jobs = [job for job in prepared if isinstance(job, HookJob)]
        runs = iter(self.runner.run_hooks(jobs, scope) if jobs else ())
        done = [job if isinstance(job, HookRun) else next(runs) for job in prepared]
        return [self._result(views, one, run, job)[0] for one, run, job in zip(chosen, done, prepared, strict=True)]

    def _run_lanes(
        self, views: EventViews, chosen: Sequence[Chosen], lanes: Sequence[Sequence[int]], scope: CancelScope | None
    ) -> list[HookResult]:
        """Run lanes in parallel and the hooks of a lane in sequence, each on the event as rewritten by those before."""
        results: list[HookResult | None] = [None] * len(chosen)
        ended: set[int] = set()  # lanes that were abandoned; their later results are dropped

        def lane(number: int, inner: CancelScope | None) -> None:
            current = views
            for place in lanes[number]:
                spec, index = chosen[place]
                self.reports.invoked(spec, views.event)
                job = self._job(current.view(index), spec)
                run = self.runner.run_hook(job, inner)
                if number in ended:
                    return
                result, parsed = self._result(current, chosen[place], run, job)
                results[place] = result
                current = current.after(index, parsed, result.outcome)

        bounds = [sum(chosen[place][0].timeout for place in places) for places in lanes]
        ended.update(run_lanes(lane, bounds, scope, self.runner.limits))
        completed: list[HookResult] = []
        for one, done in zip(chosen, results, strict=True):
            lost = HookRun("abandoned", None, reason="deadline")
            completed.append(done if done is not None else self._result(views, one, lost, lost)[0])
        return completed

    def _run_chain(self, views: EventViews, scope: CancelScope | None) -> list[HookResult]:
        """Run hooks in sequence; each is matched against and run on the event as rewritten by those before."""
        results: list[HookResult] = []
        first = views.event
        seen: set[Hashable] = set()
        for spec, known in self.selection.of(views).candidates:
            index = self._index(spec, known, views)
            if index is None:
                continue
            if spec.key is not None:
                if (spec.key, index == CALLER_VIEW) in seen:
                    continue
                seen.add((spec.key, index == CALLER_VIEW))
            job = self._job(views.view(index), spec)
            self.reports.invoked(spec, views.event)
            run = self.runner.run_hook(job, scope)
            result, parsed = self._result(views, (spec, index), run, job)
            results.append(result)
            blocks = result.outcome.blocks or result.outcome.followup is not None
            if blocks and views.event.row.order is CHAIN_UNTIL_BLOCK:
                break
            views = views.after(index, parsed, result.outcome)
        first.notices = views.event.notices  # each rewritten event carries the notices of the one before
        return results

    def _job(self, event: HookEvent, spec: HookSpec) -> HookJob | HookRun:
        """Return the job of a hook, or a failed run after an internal error, so that the other hooks still run."""
        try:
            if self.converts_paths and self._is_native_program(spec):
                job = self._native_job(event, spec)
            else:
                job = self.dialect.job(event, spec, self.host_context)
        except Exception as error:
            return crashed(error)
        job.ends_background = self.dialect.ends_background
        if self.dialect.session_files:
            job.session = event.session
        if self.dialect.cwd_moves:
            self._move_to_existing_directory(job, event)
        if self.trust_state is not None:
            try:
                why = self.trust_state.refuse(job, self.runner.file_system(job.session))
            except Exception as error:  # an unchecked script never runs
                why = describe_internal_error("internal error while its scripts were checked", error)
            if why:
                detail = why if isinstance(why, Notice) else internal_error_notice(why)
                return HookRun("not_started", None, detail=detail, untrusted=why)
        return job

    def _is_native_program(self, spec: HookSpec) -> bool:
        """Return whether a native program reads the payload of a hook; False if the host has its own executor."""
        is_native = self._native_programs.get(spec)
        if is_native is None:
            shells = self.runner.shells
            is_native = shells is not None and is_native_program(spec, shells.command_names())
            self._native_programs[spec] = is_native
        return is_native

    def _native_job(self, event: HookEvent, spec: HookSpec) -> HookJob:
        """Return the job of a hook that is a native program: its payload and variables have native paths."""
        native = with_native_paths(event)
        job = self.dialect.job(native, spec, self.host_context)
        job.cwd = event.cwd
        event.internal_failure = event.internal_failure or native.internal_failure
        event.notices += tuple(notice for notice in native.notices if notice not in event.notices)
        event.faults += tuple(notice for notice in native.faults if notice not in event.faults)
        return job

    def _move_to_existing_directory(self, job: HookJob, event: HookEvent) -> None:
        """Move a job to the project's directory if the call's is missing, as the system does (claude_code 4)."""
        try:
            fs = self.runner.file_system(job.session)
            if is_directory(fs, job.cwd):
                return
            known = (event.project_dir, self.host_context.project_dir, self.host_context.cwd)
            project = next((path for path in known if path and is_directory(fs, path)), "")
        except (Stop, Exception):  # its run will fail and report why
            return
        if project:
            what = f"{job.cwd} is not a directory: hooks start in {project}, as in {self.dialect.title}"
            notice = Notice(what, "directory-missing", hint="send a cwd that exists")
            event.notices += () if notice in event.notices else (notice,)
            job.cwd = project

    def _runs_programs(self) -> bool:
        """Return whether the shells of this machine, if it has them, run scripts."""
        shells = self.runner.shells
        return shells is not None and shells.scripts != "embedded"

    def off_reasons(self, job: HookJob | HookRun, event: HookEvent) -> list[off_in_agent.OffReason]:
        """Return the reasons why a hook is off in its agent; [] if the host has its own executor."""
        if isinstance(job, HookRun) or job.spec.kind != "command" or self.runner.shells is None:
            return []
        try:
            reasons = self._off.of(job, event, self.runner.file_system(job.session))
        except (Stop, Exception):  # only notices are lost; the verdict does not depend on them
            return []
        return [reason for reason in reasons if reason.counts_for(job.stdin)]

    def _result(
        self, views: EventViews, chosen: Chosen, run: HookRun, prepared: HookJob | HookRun
    ) -> tuple[HookResult, HookOutcome]:
        """Return the result of a hook that ran, in the caller's words, and its outcome in the hook's words."""
        spec, index = chosen
        event = views.event if index == CALLER_VIEW else views.view(index)
        if off := self.off_reasons(prepared, event):
            off_in_agent.tell(run, off, is_run_by_program=self._runs_programs())
        own = run.internal_failure or event.internal_failure
        try:
            parsed = self.dialect.parse(run, spec, event)
        except Exception as error:  # an internal error must not become "no opinion" or crash the host
            parsed, own = _unparsed_outcome(error, own)
        if run.unparsed and spec.mistake:
            parsed.notices += (Notice(spec.mistake, "syntax-error"),)
        outcome = parsed if views.translation is None else views.back(index, parsed)
        # A decision that was found in unreadable output has its own notice about its effect.
        affects_agent = outcome.ended == "bad_output" and outcome.affects_agent
        # Only after ``back``: a rewrite that loses something in translation is a fault too.
        if own is not None or outcome.ended != "ok" or outcome.faults:
            self.policy.apply(outcome, spec, event.row, own)
        if run.untrusted:
            deny_untrusted(outcome, event.row, run.untrusted)
        if outcome.ended in _FOLLOWS and outcome.notices and not affects_agent:
            add_consequence(outcome, run, spec, event.row, self.dialect)
        result = HookResult(spec, run, outcome)
        self.reports.completed(result, event)
        return result, parsed


def _translated(
    row: EventSpec, fields: Mapping[str, JSON], translation: ToolTranslation, name: str
) -> Mapping[str, JSON]:
    """Return an event's fields in the system's words, with one of its names of the tool."""
    fields = with_field(row, with_field(row, fields, "tool_input", translation.input()), "tool_name", name)
    return fields if translation.output is None else with_field(row, fields, "tool_output", translation.output)


def _faults_and_remarks(notices: Sequence[Notice]) -> tuple[tuple[Notice, ...], tuple[Notice, ...]]:
    """Return the notices that are faults, and those that are not."""
    faults = tuple([notice for notice in notices if notice.fault])
    remarks = tuple([notice for notice in notices if not notice.fault])
    return faults, remarks


def _add_notices(verdict: Verdict, faults: tuple[str, ...], remarks: tuple[str, ...]) -> None:
    """Add faults and remarks to a verdict, without duplicate notices."""
    verdict.faults += faults
    verdict.notices += tuple(notice for notice in (*faults, *remarks) if notice not in verdict.notices)


def _unparsed_outcome(error: Exception, own: InternalFailure | None) -> tuple[HookOutcome, InternalFailure]:
    """Return the outcome of a hook whose output could not be parsed because of an internal error, and that failure.

    ``internal_failure``: an earlier internal failure of this hook; it takes precedence.
    """
    problem = describe_internal_error("internal error while its output was parsed", error)
    outcome = failing("bad_output", problem, kind="internal-error")
    outcome.faults = outcome.notices
    return outcome, own or InternalFailure(Kind.CRASHED, problem)


def internal_error_notice(problem: str) -> Notice:
    """Return a notice for an internal error that does not affect the verdict."""
    return Notice(problem, "internal-error", hint="please report it")


def describe_internal_error(what: str, error: BaseException) -> str:
    """Describe an internal error, with the file and line that raised it."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f" at {os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}" if trace is not None else ""
    return f"{what}: {type(error).__name__}: {error}{place}"
