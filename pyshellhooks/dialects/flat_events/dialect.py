"""The common base class of the dialects of the flat form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ...hooks.aggregate import contexts, replacement, strongest
from ...hooks.config_form import ConfigForm, versioned
from ...hooks.dialect import OPEN, ConfigFile, Dialect, EventSpec, HostContext, Loaded, Setting, nameless
from ...hooks.model import Decision, HookEvent, HookJob, HookOutcome, HookRun, HookSession, HookSpec, Origin
from ...hooks.render import HookOutput, Rendering
from ...hooks.verdict import HookResult, Verdict
from ...jsontext.compact import JSON, JsonText, WireError, to_bytes, validate
from ...text import joined, last_of, lines
from ..matchers import may_match
from . import payload, places
from .config import DEFAULT_TIMEOUT, ENTRY_FIELDS, FlatReader
from .parse_output import Reader
from .vendor import Vendor

SETTINGS: dict[str, Setting] = {
    "user_email": Setting("string", "the logged-in user; none: no user"),
    "workspace_roots": Setting(
        "strings", "the folders of the workspace, the first of which is the project; none: the worktree's root"
    ),
    "transcript_path": Setting("string", "the file that keeps the conversation"),
    "model": Setting("string", "the model's name, if an event does not contain it"),
    "default_timeout": Setting("seconds", f"timeout of a hook without its own; none: {DEFAULT_TIMEOUT:g}"),
    "strict_empty": Setting("boolean", "true: an empty stdout is a failure of the hook, where the event can be denied"),
}


class FlatEvents(Dialect):
    """Events in camel case with flat entries: a hook reads JSON on stdin and writes JSON on stdout."""

    vendor: ClassVar[Vendor]
    others: ClassVar[Mapping[str, str]] = {}  # events that only another vendor fires -> its name
    default_timeout: ClassVar[float] = DEFAULT_TIMEOUT
    handled: ClassVar[tuple[str, ...]] = ("prompt",)
    config_form: ClassVar[ConfigForm | None] = ConfigForm(versioned, ENTRY_FIELDS, closed=("failClosed", True))

    def places(self, place: HostContext) -> list[ConfigFile]:
        """Return the user's file, the project's, and the computer's owner's (firebender 1, cursor 1)."""
        return places.places(place, self.vendor)

    def load(self, text: str, origin: Origin, agent: str = "") -> Loaded:
        """Read one ``hooks.json`` (firebender 2, 3)."""
        return FlatReader(text, origin, self.vendor, self.others).load()

    def arrange(self, specs: Sequence[HookSpec], host_context: HostContext) -> Sequence[HookSpec]:
        """Sort the hooks: those of the computer's owner, of the project, of the user (firebender 1, cursor 1)."""
        override = host_context.settings.get("allow_fail_open_override") is True
        ranks: list[tuple[int, int]] = []
        for index, spec in enumerate(specs):
            if override and spec.extra.get("fail_open"):
                spec.on_failure = OPEN
            place = places.locate(spec.origin, self.vendor, host_context)
            spec.extra = {**spec.extra, "place": place}
            ranks.append((place.rank, index))
        return [specs[index] for _, index in sorted(ranks)]

    def make_event(
        self,
        row: EventSpec,
        neutral: bool,
        fields: Mapping[str, JSON],
        host_context: HostContext,
        session: HookSession | None,
    ) -> HookEvent:
        """Build the event, with the vendor's field names and order (firebender 5)."""
        return payload.PayloadBuilder(self.vendor, row, neutral, fields, host_context, session).make_event()

    def matches_subject(self, spec: HookSpec, row: EventSpec, subjects: tuple[str, ...]) -> bool:
        """Return whether the matcher accepts one of the subjects; of an object, test the conditions on subjects."""
        conditions = spec.extra.get("conditions")
        if conditions is None:
            return super().matches_subject(spec, row, subjects)
        return nameless(row, subjects) or all(
            any(map(pattern.search, subjects)) for kind, pattern in conditions if kind in ("tool", "any")
        )

    def has_conditions(self, spec: HookSpec) -> bool:
        """Return whether the matcher is an object, whose conditions depend on the payload."""
        return spec.extra.get("conditions") is not None

    def matches_conditions(self, spec: HookSpec, event: HookEvent) -> bool:
        """Return whether the conditions of an object matcher that depend on the payload hold."""
        conditions = [(kind, pattern) for kind, pattern in spec.extra["conditions"] if kind != "any"]
        return all(
            ("tool_name" in event.payload or nameless(event.row, event.subjects))
            if kind == "tool"
            else any(map(pattern.search, payload.subjects_of(event, kind)))
            for kind, pattern in conditions
        )

    def matches_tool(self, spec: HookSpec, tool: str) -> bool:
        """Return whether the matcher may match a tool's name or kind; of an object, test the conditions on tools."""
        names = self.vendor.tool_names(tool)
        conditions = spec.extra.get("conditions")
        if conditions is None:
            return spec.pattern is None or any(may_match(spec.pattern, name) for name in names)
        return all(
            any(may_match(pattern, name) for name in names) for kind, pattern in conditions if kind in ("tool", "any")
        )

    def deduplicate(self, specs: Sequence[HookSpec]) -> list[HookSpec]:
        """Return all hooks: equal hooks run once each (firebender 7)."""
        return list(specs)

    def job(self, event: HookEvent, spec: HookSpec, host_context: HostContext) -> HookJob:
        """Return the job of a hook (firebender 4)."""
        delivery = payload.deliver(event, host_context)
        timeout = spec.timeout
        if not spec.extra.get("timed"):
            timeout = float(host_context.settings.get("default_timeout") or timeout)
        text, stdin = delivery.text, delivery.stdin
        if "timeout" in event.row.places and "timeout" not in event.payload:
            # The tool call's own timeout if the host gives it, else the hook's (firebender 5).
            shown = int(timeout) if timeout == int(timeout) else timeout
            text = f'{text[:-1]},"timeout":{shown}}}'
            stdin = to_bytes(text + "\n")
        cwd, project = payload.directory(spec, event, self.vendor, host_context)
        env = payload.variables(event, project, self.vendor, host_context)
        request: dict[str, JSON] | None = None
        if spec.kind == "prompt":
            request = {"prompt": filled_prompt(spec.command, text), "payload": text, "model": spec.extra.get("model")}
        return HookJob(spec, stdin=stdin, env=env, cwd=cwd, timeout=timeout, request=request)

    def parse(self, run: HookRun, spec: HookSpec, event: HookEvent) -> HookOutcome:
        """Parse a run: its exit status and its JSON on stdout (firebender 6)."""
        return Reader(run, spec, event, self.vendor, self.active).read()

    def rewritten(self, event: HookEvent, outcome: HookOutcome) -> HookEvent:
        """Return the event as the next hook sees it (firebender 7)."""
        return payload.rewritten(event, outcome)

    def merge(self, event: HookEvent, results: Sequence[HookResult]) -> Verdict:
        """Join the outcomes: the strongest decision, with the texts of the first hook that gave it (firebender 7)."""
        outcomes = [result.outcome for result in results]
        decision = strongest(outcomes)
        if decision is Decision.NONE:
            reason, user_message = "", lines(*[outcome.user_message for outcome in outcomes])
        else:
            first = next(outcome for outcome in outcomes if outcome.decision is decision)
            reason, user_message = first.reason, first.user_message
        patches = [outcome.rewrite for outcome in outcomes if outcome.rewrite is not None and not outcome.blocks]
        text, refused = replacement(str.__str__(event.payload["tool_input"]), patches) if patches else (None, [])
        return Verdict(
            event.row.native,
            decision,
            reason=reason,
            user_message=user_message,
            context=contexts(outcomes),
            updated_input_text=None if decision is Decision.DENY else text,
            updated_output_text=last_of(outcome.output for outcome in outcomes),
            followup=joined((outcome.followup for outcome in outcomes), "\n\n"),
            effects=effects(outcomes),
            hooks=results,
            notices=[*event.notices, *refused],
            faults=refused,
        )

    def settle(self, event: HookEvent, verdict: Verdict) -> None:
        """Count one follow-up, however many hooks gave one, and keep the variables that a ``sessionStart`` hook set."""
        session = event.session
        if session is None:
            return
        if verdict.followup is not None:
            session.count(payload.counter(event.row))
        variables = verdict.effects.get("env")
        if isinstance(variables, dict):
            session.env.update(variables)

    def render(self, rendering: Rendering) -> HookOutput:
        """Render a verdict as JSON at exit status 0 (firebender 5, 6)."""
        from .render import render

        return render(rendering, self.vendor)

    def fields_of(self, row: EventSpec, fields: dict[str, JSON]) -> dict[str, JSON]:
        """Mark a result that is JSON text in a string as JSON, lest it be quoted a second time (cursor 5)."""
        output = fields.get("tool_output")
        if self.vendor.quoted_output and isinstance(output, str):
            try:
                validate(output)
            except WireError:
                return fields
            fields["tool_output"] = JsonText(output)
        return fields

    def schema(self, kind: str, event: str = "") -> dict[str, JSON]:
        """Return the JSON Schema of ``config``, ``input`` or ``output``."""
        from .schema import schema as export

        return export(self.vendor, kind, self.event(event)[0] if event else self.events["preToolUse"])


def filled_prompt(prompt: str, text: str) -> str:
    """Replace ``$ARGUMENTS`` in a prompt by the payload; without ``$ARGUMENTS``, append the payload (cursor 2)."""
    return prompt.replace("$ARGUMENTS", text) if "$ARGUMENTS" in prompt else f"{prompt}\n\n{text}"


def effects(outcomes: Sequence[HookOutcome]) -> dict[str, JSON]:
    """Join variables and plugin paths; an earlier hook ranks higher, so its value of a variable wins."""
    result: dict[str, JSON] = {}
    env: dict[str, JSON] = {}
    for outcome in reversed(outcomes):
        env.update(outcome.effects.get("env") or {})
    if env:
        result["env"] = env
    paths = [path for outcome in outcomes for path in outcome.effects.get("plugin_paths") or ()]
    if paths:
        result["plugin_paths"] = paths
    return result
