"""One hook system in an engine: its hooks, and the fold that turns one native event into a verdict."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from ..cancel import CancelScope
from ..hooks.dialect import CHAIN_UNTIL_BLOCK, PARALLEL, Dialect, EventSpec, Surroundings
from ..hooks.model import HookEvent, HookJob, HookOutcome, HookRun, HookSession, HookSpec
from ..hooks.verdict import HookResult, Verdict
from ..hooks.wire import JSON
from .executor import Executor
from .firing import run_job, run_jobs, run_lanes
from .policy import FailurePolicy
from .reports import Reports
from .surroundings import with_absolute_cwd

_REMEMBERED = 512  # selections by event and subject
_LONG = 1000  # characters of a subject that is not worth remembering


class System:
    """The hooks of one dialect and what they run on."""

    __slots__ = ("_selected", "dialect", "disabled", "executor", "policy", "reports", "specs", "surroundings")

    def __init__(
        self,
        dialect: Dialect,
        specs: Sequence[HookSpec],
        surroundings: Surroundings,
        executor: Executor,
        policy: FailurePolicy,
        reports: Reports,
    ) -> None:
        self.dialect = dialect
        self.specs = tuple(dialect.arrange(specs, surroundings))
        self.surroundings = surroundings
        self.executor = executor
        self.policy = policy
        self.reports = reports
        self.disabled: frozenset[str] = frozenset()
        self._selected: dict[tuple[str, tuple[str, ...]], tuple[HookSpec, ...]] = {}
        dialect.prepare(surroundings)

    def tell(self, row: EventSpec, neutral: bool, fields: Mapping[str, JSON], session: HookSession | None) -> HookEvent:
        """Tell an event in the system's own words."""
        fields = with_absolute_cwd(fields, self.surroundings.cwd)
        return self.dialect.make_event(row, neutral, fields, self.surroundings, session)

    def fire(self, event: HookEvent, scope: CancelScope | None) -> Verdict:
        """Run the hooks of an event, and give their verdict."""
        results = self._chain(event, scope) if event.row.order is not PARALLEL else self._parallel(event, scope)
        verdict = self.policy.finish(self.dialect.merge(event, results), event.row)
        self.dialect.settle(event, verdict)
        return verdict

    # -- which hooks --------------------------------------------------------------------------------------------------

    def fits(self, spec: HookSpec, event: HookEvent) -> bool:
        """Say whether a hook is for an event."""
        return spec.event == event.row.native and self.dialect.matches(spec, event)

    def select(self, event: HookEvent) -> tuple[HookSpec, ...]:
        """Give the hooks that an event runs, in config order; remembered by subject where that decides."""
        key = (event.row.native, event.subjects)
        found = self._selected.get(key)
        if found is None:
            matching = [spec for spec in self.specs if spec.id not in self.disabled and self.fits(spec, event)]
            found = tuple(self.dialect.deduplicate(matching))
            if self.dialect.by_subject and sum(map(len, event.subjects)) < _LONG:
                if len(self._selected) >= _REMEMBERED:
                    self._selected.clear()
                self._selected[key] = found
        return found

    def forget(self) -> None:
        """Drop what was remembered."""
        self._selected.clear()

    # -- running them -------------------------------------------------------------------------------------------------

    def _parallel(self, event: HookEvent, scope: CancelScope | None) -> list[HookResult]:
        specs = self.select(event)
        if not specs:
            return []
        if len(specs) > 1:
            lanes = self.dialect.lanes(specs)
            if len(lanes) < len(specs):
                return self._lanes(event, specs, lanes, scope)
        jobs = [self._job(event, spec) for spec in specs]
        if self.reports.observe is not None:
            for spec in specs:
                self.reports.invoked(spec, event)
        runs = run_jobs(self.executor, jobs, scope)
        return [self._result(event, spec, run) for spec, run in zip(specs, runs, strict=True)]

    def _lanes(
        self, event: HookEvent, specs: Sequence[HookSpec], lanes: Sequence[Sequence[int]], scope: CancelScope | None
    ) -> list[HookResult]:
        """Run lanes side by side, and in each its hooks one after another on what those before have rewritten."""
        results: list[HookResult | None] = [None] * len(specs)
        ended: set[int] = set()  # lanes that were given up; what they still bring is not counted

        def lane(number: int, inner: CancelScope | None) -> None:
            current = event
            for index in lanes[number]:
                spec = specs[index]
                self.reports.invoked(spec, event)
                run = run_job(self.executor, self._job(current, spec), inner)
                if number in ended:
                    return
                result = results[index] = self._result(current, spec, run)
                current = self.dialect.rewritten(current, result.outcome)

        bounds = [sum(specs[index].timeout for index in indexes) for indexes in lanes]
        ended.update(run_lanes(lane, bounds, scope))
        found: list[HookResult] = []
        for spec, done in zip(specs, results, strict=True):
            lost = HookRun("abandoned", None, reason="deadline")
            found.append(done if done is not None else self._result(event, spec, lost))
        return found

    def _chain(self, event: HookEvent, scope: CancelScope | None) -> list[HookResult]:
        """Run one after another, each matched against and run on the event as the ones before have rewritten it."""
        results: list[HookResult] = []
        seen: set[Hashable] = set()
        for spec in self.specs:
            if spec.id in self.disabled or spec.key in seen or not self.fits(spec, event):
                continue
            if spec.key is not None:
                seen.add(spec.key)
            job = self._job(event, spec)
            self.reports.invoked(spec, event)
            result = self._result(event, spec, run_job(self.executor, job, scope))
            results.append(result)
            if result.outcome.blocks and event.row.order is CHAIN_UNTIL_BLOCK:
                break
            event = self.dialect.rewritten(event, result.outcome)
        return results

    def _job(self, event: HookEvent, spec: HookSpec) -> HookJob:
        job = self.dialect.job(event, spec, self.surroundings)
        if self.dialect.session_files:
            job.session = event.session
        return job

    def _result(self, event: HookEvent, spec: HookSpec, run: HookRun) -> HookResult:
        try:
            outcome = self.dialect.parse(run, spec, event)
        except Exception as error:  # a bug of ours must not become "no opinion", nor a crash of the host
            problem = f"internal error while its answer was read: {type(error).__name__}: {error}"
            outcome = HookOutcome("bad_output", notices=(problem,), faults=(problem,))
        self.policy.apply(outcome, spec, event.row)
        result = HookResult(spec, run, outcome)
        self.reports.completed(result, event)
        return result
