"""A small hook system of our own, for what the engine does in any system: stages, lanes, chains, sessions, kinds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pyshellhooks.hooks.aggregate import blocking_reasons, contexts, shallow_merge, strongest
from pyshellhooks.hooks.dialect import CHAIN, CLOSED, Dialect, EventSpec, Field, HostContext, Loaded
from pyshellhooks.hooks.fields import gather, with_field
from pyshellhooks.hooks.model import FAILURES, Decision, HookEvent, HookJob, HookOutcome, HookRun, HookSession, HookSpec
from pyshellhooks.hooks.output import after, failure, read_object
from pyshellhooks.hooks.verdict import HookResult, Verdict
from pyshellhooks.jsontext.compact import JsonText, document, dumps, to_bytes

FIELDS = (Field("tool_name"), Field("tool_input", default={}, kind="json"))
MAY = frozenset({"deny", "rewrite"})
CLOSED_ROW = dict.fromkeys(FAILURES, CLOSED)

EVENTS = {
    row.native: row
    for row in (
        EventSpec("check", neutral=("before_tool",), subject="tool_name", fields=FIELDS, can=MAY),
        EventSpec("check_shell", neutral=("before_tool",), when="shell", fields=FIELDS, can=MAY, failure=CLOSED_ROW),
        EventSpec("result", neutral=("after_tool",), fields=FIELDS, order=CHAIN, can=MAY),
        EventSpec("ended", neutral=("session_end",), fields=FIELDS, shielded=True),
        EventSpec("done", neutral=("after_agent",), fields=FIELDS, can=frozenset({"followup"})),
    )
}


class Toy(Dialect):
    """Answers are JSON objects with ``decision reason context input followup env``; status 2 denies."""

    name: ClassVar[str] = "toy"
    title: ClassVar[str] = "Toy"
    events: ClassVar[Mapping[str, EventSpec]] = EVENTS
    quirks: ClassVar[Mapping[str, Any]] = {}
    editions: ClassVar[Mapping[str, frozenset[str]]] = {"documented": frozenset()}
    file_names: ClassVar[tuple[str, ...]] = ("toy.json",)
    tools: ClassVar[Mapping[str, tuple[str, ...]]] = {}

    def recognises(self, root: Mapping[str, Any]) -> bool:
        return "toy" in root

    def places(self, place: Any) -> list[Any]:
        return []

    def load(self, text: str, origin: Any, agent: str = "") -> Loaded:
        return Loaded([HookSpec("check", text.strip().removeprefix("toy "), origin=origin, matcher=agent)])

    def prepare(self, host_context: HostContext) -> None:
        host_context.base = dict(host_context.env)

    def make_event(
        self,
        row: EventSpec,
        neutral: bool,
        fields: Mapping[str, Any],
        host_context: HostContext,
        session: HookSession | None,
    ) -> HookEvent:
        payload, _, problems = gather(row, fields, neutral)
        if session is not None:
            payload["turn"] = session.counters.get("followups", 0)
        return HookEvent(
            row,
            payload,
            fields=fields,
            subjects=(str(payload["tool_name"]),),
            cwd=str(fields.get("cwd") or host_context.cwd),
            session=session,
            notices=tuple(problems.notices),
            faults=tuple(problems.faults),
        )

    def deduplicate(self, specs: Sequence[HookSpec]) -> list[HookSpec]:
        return list(specs)

    def job(self, event: HookEvent, spec: HookSpec, host_context: HostContext) -> HookJob:
        env = {**host_context.base, **(event.session.env if event.session is not None else {})}
        return HookJob(
            spec,
            stdin=to_bytes(document(event.payload)),
            env=env,
            cwd=event.cwd,
            timeout=spec.timeout,
            env_file="TOY_ENV",
            request={"prompt": spec.command},
        )

    def parse(self, run: HookRun, spec: HookSpec, event: HookEvent) -> HookOutcome:
        failed = failure(run)
        if failed is not None:
            return failed
        if run.status == 2:
            return after(HookOutcome("nonzero", Decision.DENY, reason=run.stderr.decode().strip()), run)
        text = run.stdout.decode().strip() or "{}"
        answer = read_object(text)
        effects = {"env": dict(line.split("=") for line in run.env_text.decode().split())} if run.env_text else {}
        outcome = HookOutcome(
            "ok" if run.status == 0 else "nonzero",
            Decision(answer.get("decision", "none")),
            reason=answer.get("reason", ""),
            context=answer.get("context", ""),
            rewrite=dumps(answer["input"]) if "input" in answer else None,
            followup=answer.get("followup"),
            effects=effects,
        )
        return after(outcome, run)

    def rewritten(self, event: HookEvent, outcome: HookOutcome) -> HookEvent:
        if outcome.rewrite is None:
            return event
        text, _ = shallow_merge(dumps(event.payload["tool_input"]), [outcome.rewrite])
        fields = with_field(event.row, event.fields, "tool_input", JsonText(text or "{}"))
        payload = {**event.payload, "tool_input": JsonText(text or "{}")}
        return HookEvent(
            event.row, payload, fields=fields, subjects=event.subjects, cwd=event.cwd, session=event.session
        )

    def merge(self, event: HookEvent, results: Sequence[HookResult]) -> Verdict:
        outcomes = [result.outcome for result in results]
        patches = [outcome.rewrite for outcome in outcomes if outcome.rewrite is not None]
        text, refused = shallow_merge(dumps(event.payload["tool_input"]), patches)
        effects: dict[str, Any] = {}
        for outcome in outcomes:
            effects.update(outcome.effects)
        return Verdict(
            event.row.native,
            strongest(outcomes),
            reason=blocking_reasons(outcomes),
            context=contexts(outcomes),
            updated_input_text=text,
            followup=next((one.followup for one in outcomes if one.followup is not None), None),
            effects=effects,
            hooks=results,
            notices=[*event.notices, *refused],
        )

    def schema(self, kind: str, event: str = "") -> dict[str, Any]:
        return {}
