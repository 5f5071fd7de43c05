"""The edition ``current`` of Docker Agent: the program of September 2026 (docker_agent 10)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from ...hooks.aggregate import blocking_reasons, contexts, shallow_merge, strongest
from ...hooks.dialect import CLOSED, EventSpec, HostContext, Loaded
from ...hooks.model import Decision, Delivery, HookEvent, HookJob, HookOutcome, HookRun, HookSession, HookSpec, Origin
from ...hooks.render import MESSAGE, HookOutput, Rendering, as_json, as_patch, nested, plain
from ...hooks.suggest import did_you_mean
from ...hooks.verdict import HookResult, Verdict
from ...jsontext.compact import JSON, JsonText, dumps
from ...jsontext.document import Node
from ...text import lines, present
from . import DockerAgent, current_output, payload
from .config import Loader
from .current_tables import CAPABILITIES, EVENTS, GROUP_FIELDS, HOOK_FIELDS, POLICIES, TYPES, ZERO_IS_ABSENT

_ENV = re.compile(r"\$\{env\.([A-Za-z_][A-Za-z0-9_]*)\}")
_VARIABLE = re.compile(r"\$\{(?:env\.)?([A-Za-z_][A-Za-z0-9_]*)\}|\$([A-Za-z_][A-Za-z0-9_]*)")
#: Effects of which the first hook's counts, and those that are joined key by key.
_FIRST, _JOINED = "summary", "metadata"


class CurrentLoader(Loader):
    """Reader of an agent file with the events and fields of section 10."""

    rows: ClassVar[Mapping[str, EventSpec]] = EVENTS
    group_fields: ClassVar[tuple[str, ...]] = GROUP_FIELDS
    hook_fields: ClassVar[tuple[str, ...]] = HOOK_FIELDS
    types: ClassVar[tuple[str, ...]] = TYPES

    def items(self, node: Node) -> Sequence[Node] | None:
        """Return the items of a list; a mapping in its place is the only item."""
        return [node] if node.kind == "object" else super().items(node)

    def further_fields(self, row: EventSpec, where: str, fields: Mapping[str, Node]) -> None:
        """Check ``on_error``, ``env`` and the other fields that the document does not have."""
        policy = self.string(where, fields, "on_error")
        if policy not in ("", *POLICIES):
            message = f"{where}: on_error must be warn, ignore, or block"
            self.report(fields["on_error"].offset, message, did_you_mean(policy, POLICIES))
        elif policy == "block" and "block" not in CAPABILITIES[row.native]:
            message = f"{where}: on_error block is not supported by this event"
            self.report(fields["on_error"].offset, message, "write warn")
        for name in ("name", "working_dir", "model", "prompt", "schema"):
            self.string(where, fields, name)
        self.boolean(where, fields, "strict_output")
        for name, kind in (("env", "object"), ("args", "array")):
            if name in fields:
                self.expect(
                    fields[name], kind, f"{where}: {name} must be {'a mapping' if kind == 'object' else 'a list'}"
                )
        timeout = fields.get("timeout")
        if timeout is not None and isinstance(timeout.value, int) and timeout.value < 0:
            self.report(timeout.offset, f"{where}: timeout must not be negative", "write the seconds")

    def spec(self, row: EventSpec, command: str, timeout: float, fields: Mapping[str, Node]) -> HookSpec:
        """Return the hook of valid fields. Equal hooks run once (docker_agent 10.1)."""
        values = {name: node.plain() for name, node in fields.items()}
        capabilities = CAPABILITIES[row.native]
        blocks = values.get("on_error") == "block" or "closed" in capabilities
        kind = str(values.get("type", "command"))
        return HookSpec(
            row.native,
            command or str(values.get("prompt", "")),
            timeout=timeout,
            name=str(values.get("name", "")),
            on_failure=CLOSED if blocks else None,
            key=dumps(dict(sorted(values.items()))),
            kind=kind,
            extra=values,
        )

    def hint(self, row: EventSpec, key: str) -> str:
        """Return the hint about an unknown key of a hook."""
        return did_you_mean(key, HOOK_FIELDS)


class CurrentDockerAgent(DockerAgent):
    """Docker Agent with 28 events, stricter answers, and rewrites in sequence."""

    events: ClassVar[Mapping[str, EventSpec]] = EVENTS
    handled: ClassVar[tuple[str, ...]] = ("builtin", "model")

    def native_events(self, name: str, fields: Mapping[str, JSON], kind: str = "") -> tuple[list[EventSpec], bool]:
        """Return the events: post_tool_use is fired after tools that failed, too (docker_agent 10.2)."""
        return super(DockerAgent, self).native_events(name, fields, kind)

    def load(self, text: str, origin: Origin, agent: str = "") -> Loaded:
        """Read one agent file (docker_agent 10.1)."""
        return CurrentLoader(text, origin, agent, self.active).load()

    def make_event(
        self,
        row: EventSpec,
        neutral: bool,
        fields: Mapping[str, JSON],
        host_context: HostContext,
        session: HookSession | None,
    ) -> HookEvent:
        """Build the event; ``tool_error`` is true for the text of an error, too (docker_agent 10.3)."""
        error = fields.get("tool_error")
        if error is not None and not isinstance(error, bool) and "tool_error" in row.named:
            fields = {**fields, "tool_error": bool(error)}
        return payload.make_event(row, neutral, fields, host_context, session, frozenset())

    def job(self, event: HookEvent, spec: HookSpec, host_context: HostContext) -> HookJob:
        """Return the job of a hook, with its own variables and directory (docker_agent 10.1)."""
        if event.delivery is None:
            value = {name: part for name, part in event.payload.items() if not _is_zero(name, part)}
            event.delivery = Delivery(payload.stdin_of(value))
        own = spec.extra.get("env")
        env = dict(host_context.env)
        if isinstance(own, dict):
            env.update({name: _ENV.sub(lambda m: host_context.env.get(m[1], ""), str(v)) for name, v in own.items()})
        request: dict[str, JSON] | None = None
        if spec.kind != "command":
            request = {**spec.extra, "input": JsonText(event.delivery.stdin.decode("utf-8", "replace").strip())}
        cwd = _directory(str(spec.extra.get("working_dir", "")), event.cwd, host_context)
        return HookJob(spec, stdin=event.delivery.stdin, env=env, cwd=cwd, timeout=spec.timeout, request=request)

    def parse(self, run: HookRun, spec: HookSpec, event: HookEvent) -> HookOutcome:
        """Parse a run (docker_agent 10.4)."""
        return current_output.parse(run, spec, event.row)

    def rewritten(self, event: HookEvent, outcome: HookOutcome) -> HookEvent:
        """Return the event as the next hook sees it (docker_agent 10.6)."""
        changes: dict[str, JSON] = {}
        if outcome.rewrite is not None:
            merged = shallow_merge(payload.tool_input(event), [outcome.rewrite])[0]
            if merged is not None:
                changes["tool_input"] = JsonText(merged)
        if outcome.output is not None:
            changes["tool_response"] = JsonText(outcome.output)
        request = outcome.effects.get("llm_request")
        if isinstance(request, dict):
            changes["messages"] = request["messages"]
        return payload.changed(event, changes) if changes else event

    def merge(self, event: HookEvent, results: Sequence[HookResult]) -> Verdict:
        """Join the outcomes in config order (docker_agent 10.6)."""
        outcomes = [result.outcome for result in results]
        decision = strongest(outcomes)
        denied = decision is Decision.DENY
        reasons = [outcome.reason for outcome in outcomes if outcome.decision is decision and outcome.reason]
        patches = present(outcome.rewrite for outcome in outcomes)
        rewritten = shallow_merge(payload.tool_input(event), patches)[0] if patches and not denied else None
        outputs = present(outcome.output for outcome in outcomes)
        return Verdict(
            event.row.native,
            decision,
            halt=any(outcome.halt for outcome in outcomes),
            reason=blocking_reasons(outcomes) if denied else "".join(reasons[:1]),
            user_message=lines(*[outcome.user_message for outcome in outcomes]),
            context=contexts(outcomes),
            updated_input_text=rewritten,
            updated_output_text=outputs[-1] if outputs else None,
            effects=_effects(outcomes),
            hooks=results,
            notices=event.notices,
        )

    def render(self, rendering: Rendering) -> HookOutput:
        """Render a verdict as JSON at exit status 0 (docker_agent 10.4)."""
        capabilities = CAPABILITIES[rendering.row.native]
        request = rendering.effects.get("llm_request")
        # Of a request, only its messages can be replaced.
        has_messages = "messages" in capabilities and isinstance(request, dict) and request.keys() == {"messages"}
        original = rendering.field("tool_input")
        known = {"llm_request"} if has_messages else set()
        rendering.fit({*rendering.row.can, MESSAGE}, known, lambda text: as_patch(original, text))
        if rendering.denied and rendering.row.guards == "result":
            rendering.note("a deny after which the agent continues", "a block of this event ends the loop")
        request = rendering.effects.get("llm_request")
        inner: dict[str, JSON] = {
            "updated_input": as_json(rendering.rewrite),
            "updated_tool_response": None if rendering.output is None else plain(rendering.output),
            "updated_messages": request["messages"] if isinstance(request, dict) else None,
            "additional_context": rendering.context or None,
        }
        judges = bool(capabilities & {"decision", "approval"})
        if judges:
            inner = {"permission_decision": rendering.word, "permission_decision_reason": rendering.why, **inner}
        outer: dict[str, JSON] = {"system_message": rendering.user_message or None}
        if rendering.denied and not judges:
            outer.update(decision="block", reason=rendering.why)
        named = nested({"hook_event_name": rendering.row.native, **inner}) if any(inner.values()) else None
        return rendering.json_output({**outer, "hook_specific_output": named})

    def schema(self, kind: str, event: str = "") -> dict[str, JSON]:
        """Return the JSON Schema of ``config``, ``input`` or ``output``."""
        from .current_schema import schema as export

        return export(kind, self.event(event)[0].native if event else "pre_tool_use")


def _effects(outcomes: Sequence[HookOutcome]) -> dict[str, JSON]:
    """Join the effects: of summaries the first counts, metadata are joined, of others the last counts."""
    effects: dict[str, JSON] = {}
    for outcome in outcomes:
        for key, value in outcome.effects.items():
            known = effects.get(key)
            if key == _FIRST and known:
                continue
            if key == _JOINED and isinstance(known, dict) and isinstance(value, dict):
                value = {**known, **value}
            effects[key] = value
    return effects


def _is_zero(name: str, value: JSON) -> bool:
    """Return whether a field is absent for its value (docker_agent 10.3)."""
    return name in ZERO_IS_ABSENT and not value


def _directory(text: str, cwd: str, host_context: HostContext) -> str:
    """Return the directory of a hook: its ``working_dir``, below the event's if it is relative."""
    expanded = _VARIABLE.sub(lambda match: host_context.env.get(match[1] or match[2], ""), text)
    if expanded == "~" or expanded.startswith("~/"):
        expanded = host_context.home + expanded[1:]
    if not expanded:
        return cwd
    return expanded if expanded.startswith("/") else host_context.flat(host_context.join(cwd, expanded))


__all__ = ["CurrentDockerAgent"]
