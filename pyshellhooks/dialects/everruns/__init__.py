"""Everruns: hooks of the ``user_hooks`` capability, which run on the session's files (docs/contracts/everruns.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ...hooks.aggregate import blocking_reasons, strongest
from ...hooks.config_form import ConfigForm, by_object, everruns
from ...hooks.dialect import ConfigFile, Dialect, EventSpec, HostContext, Loaded, Quirk, Setting
from ...hooks.model import HookEvent, HookJob, HookOutcome, HookRun, HookSession, HookSpec, Origin
from ...hooks.render import HookOutput, Rendering
from ...hooks.verdict import HookResult, Verdict
from ...jsontext.compact import JSON, dumps
from ...text import lines
from . import config, layers, parse_output, payload
from .matching import ToolMatcher
from .tables import (
    ARGUMENT_NAMES,
    DEFAULT_TIMEOUT_MS,
    EDITIONS,
    EVENTS,
    EXECUTOR_FIELDS,
    LONGEST_MS,
    PAYLOAD_VARIABLES,
    QUIRKS,
    SHORTEST_MS,
    SPEC_FIELDS,
    TOOLS,
)


class Everruns(Dialect):
    """Everruns' six events: hooks run in a chain, on the session's files; they answer in JSON or by status alone."""

    name: ClassVar[str] = "everruns"
    title: ClassVar[str] = "Everruns"
    basis: ClassVar[str] = "its document and its source of autumn 2026"
    events: ClassVar[Mapping[str, EventSpec]] = EVENTS
    quirks: ClassVar[Mapping[str, Quirk]] = QUIRKS
    editions: ClassVar[Mapping[str, frozenset[str]]] = EDITIONS
    file_names: ClassVar[tuple[str, ...]] = (".agents/hooks.json", "yolop/hooks.json")
    tools: ClassVar[Mapping[str, tuple[str, ...]]] = TOOLS
    arguments: ClassVar[Mapping[str, Mapping[str, str]]] = ARGUMENT_NAMES
    shell_output: ClassVar[Mapping[str, JSON]] = {"exit_code": 0, "success": True}
    edit_items: ClassVar[tuple[str, str]] = ("old_text", "new_text")
    timeout_key: ClassVar[tuple[str, str]] = ("timeout_ms", "milliseconds")
    default_timeout: ClassVar[float] = DEFAULT_TIMEOUT_MS / 1000
    event_key: ClassVar[str] = "event"
    data_key: ClassVar[str] = "data"
    variables: ClassVar[tuple[str, ...]] = ("EVERRUNS_HOOK_*",)  # everruns 4
    payload_variables: ClassVar[tuple[str, ...]] = PAYLOAD_VARIABLES
    ends_background: ClassVar[bool] = True  # everruns 8: each hook has its own interpreter, which ends with the hook
    session_files: ClassVar[bool] = True
    config_form: ClassVar[ConfigForm | None] = ConfigForm(
        everruns,
        (*SPEC_FIELDS, *EXECUTOR_FIELDS),
        inner="executor",
        closed=("on_error", "block"),
        matchers=by_object,
        shortest=SHORTEST_MS / 1000,
        longest=LONGEST_MS / 1000,
        programs=False,
    )
    settings: ClassVar[Mapping[str, Setting]] = {
        "bundles": Setting("object", "hooks of other capabilities: capability -> list of hooks as in a configuration"),
        "stdin_payload": Setting("boolean", "true: hooks also read their payload on stdin, which is empty otherwise"),
        "org_id": Setting("string", "the organisation's id, for payloads"),
    }

    def recognises(self, root: Mapping[str, JSON]) -> bool:
        """Return whether a file has ``capabilities`` with references, or ``hooks`` as a list of specs (everruns 1)."""
        return config.recognises(root)

    def places(self, place: HostContext) -> list[ConfigFile]:
        """Return the files of Everruns' own coding agent; the service itself has none (everruns 1)."""
        return config.places(place)

    def load(self, text: str, origin: Origin, agent: str = "") -> Loaded:
        """Read one text in any of its four shapes (everruns 1, 2)."""
        return config.Loader(text, origin, self.active).load()

    def combine(self, parts: Sequence[Loaded]) -> Loaded:
        """Layer agents' documents, merge bare configurations by id, assign ids (everruns 1, 7)."""
        return layers.combine(parts)

    def contribute(self, whole: Loaded, settings: Mapping[str, JSON]) -> Loaded:
        """Add the registered bundles, and mark muted hooks (everruns 7)."""
        return layers.contribute(whole, settings)

    def added(self, event: str, command: str) -> HookSpec:
        """Return a hook that a host adds; equal ones all run."""
        spec = super().added(event, command)
        spec.key = None
        return spec

    def prepare(self, host_context: HostContext) -> None:
        """Build the part of the environment that no event changes; it has no variable of the host (everruns 4)."""
        host_context.base = payload.base_environment()

    def mcp_names(self, server: str, tool: str) -> tuple[str, ...]:
        """Return the program's name for a tool of an MCP server."""
        return (f"mcp_{server}__{tool}",)

    def plain_output(self, kind: str, output: JSON) -> JSON:
        """Return the text of a shell's output; a hook's context is added as for any other text."""
        if not isinstance(output, dict) or "hook_context" not in output:
            return super().plain_output(kind, output)
        bare = {key: value for key, value in output.items() if key != "hook_context"}
        text = super().plain_output(kind, bare)
        return output if text is bare else {"value": text, "hook_context": output["hook_context"]}

    def make_event(
        self,
        row: EventSpec,
        neutral: bool,
        fields: Mapping[str, JSON],
        host_context: HostContext,
        session: HookSession | None,
    ) -> HookEvent:
        """Build the event, with Everruns' field names (everruns 4)."""
        return payload.make_event(row, neutral, fields, host_context, session)

    def fields_of(self, row: EventSpec, fields: dict[str, JSON]) -> dict[str, JSON]:
        """Return the fields in the envelope; its hook id and time are dropped, as each hook gets its own."""
        return dict(payload.unpacked(fields))

    def matches_subject(self, spec: HookSpec, row: EventSpec, subjects: tuple[str, ...]) -> bool:
        """Return whether the matcher accepts a tool's name (everruns 3)."""
        pattern = spec.pattern
        return not isinstance(pattern, ToolMatcher) or (pattern.fires and super().matches_subject(spec, row, subjects))

    def has_conditions(self, spec: HookSpec) -> bool:
        """Return whether the matcher tests the arguments."""
        return isinstance(spec.pattern, ToolMatcher) and spec.pattern.path is not None

    def matches_conditions(self, spec: HookSpec, event: HookEvent) -> bool:
        """Return whether the matcher accepts the arguments, with the changes of earlier hooks (everruns 3)."""
        return not isinstance(spec.pattern, ToolMatcher) or spec.pattern.matches_arguments(event)

    def why(self, spec: HookSpec, event: HookEvent) -> str:
        """Return the reason why a matcher never matches any call; else ``""``."""
        never = isinstance(spec.pattern, ToolMatcher) and not spec.pattern.fires
        return f'its matcher "{spec.matcher}" has no args_jsonpath, and matches no call' if never else ""

    def deduplicate(self, specs: Sequence[HookSpec]) -> list[HookSpec]:
        """Return all hooks: equal hooks run as often as they are listed (everruns 6)."""
        return list(specs)

    def job(self, event: HookEvent, spec: HookSpec, host_context: HostContext) -> HookJob:
        """Return a hook's job: its payload in a variable and a file, and an empty stdin (everruns 4)."""
        return payload.make_job(event, spec, host_context, self.active)

    def parse(self, run: HookRun, spec: HookSpec, event: HookEvent) -> HookOutcome:
        """Parse a run: no output, a decision, or a failure (everruns 5)."""
        return parse_output.parse(run, spec, event, self.active)

    def rewritten(self, event: HookEvent, outcome: HookOutcome) -> HookEvent:
        """Return the event with the hook's mutation (everruns 5, 6)."""
        return parse_output.rewritten(event, outcome)

    def merge(self, event: HookEvent, results: Sequence[HookResult]) -> Verdict:
        """Join the outcomes in config order; mutations before a block are kept (everruns 6)."""
        outcomes = [result.outcome for result in results]
        last = event
        for outcome in outcomes:
            last = parse_output.rewritten(last, outcome)
        prompt = event.row.target == "prompt"
        messages = [
            outcome.user_message or (outcome.reason if prompt else "") for outcome in outcomes if outcome.blocks
        ]
        effects: dict[str, JSON] = {}
        for outcome in outcomes:
            effects.update(outcome.effects)
        return Verdict(
            event.row.native,
            strongest(outcomes),
            reason=blocking_reasons(outcomes),
            user_message=lines(*messages),
            updated_input_text=_changed(event, last, "message" if prompt else "arguments"),
            updated_output_text=_changed(event, last, "result"),
            effects=effects,
            hooks=results,
            notices=event.notices,
        )

    def render(self, rendering: Rendering) -> HookOutput:
        """Render a verdict as a decision in JSON (everruns 5)."""
        from .render import render

        return render(rendering, self.active)

    def schema(self, kind: str, event: str = "") -> dict[str, JSON]:
        """Return the JSON Schema of ``config``, ``input`` or ``output``."""
        from .schema import schema as export

        return export(kind, self.event(event)[0].native if event else "pre_tool_use")


def _changed(event: HookEvent, last: HookEvent, key: str) -> str | None:
    """Return a value of the payload as JSON text if a hook has changed it; else None."""
    if key not in event.payload:
        return None
    text = dumps(last.payload[key])
    return None if text == dumps(event.payload[key]) else str.__str__(text)


__all__ = ["Everruns"]
