"""GitHub Copilot: the CLI, the cloud agent and VS Code (docs/contracts/copilot.md)."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from ...hooks.config_form import ConfigForm, versioned
from ...hooks.dialect import ConfigFile, EventSpec, HostContext, Loaded, Quirk, Setting, nameless
from ...hooks.fields import with_changes
from ...hooks.model import HookEvent, HookJob, HookOutcome, HookRun, HookSession, HookSpec, Origin
from ...hooks.render import HookOutput, Rendering
from ...hooks.verdict import HookResult, Verdict
from ...jsontext.compact import JSON, JsonText, WireError, compact, document, loads, payload_fields, to_bytes
from ..grouped_events import merging
from ..grouped_events.dialect import GroupedEvents
from ..grouped_events.form import AnswerForm
from ..grouped_events.payload import blocks_so_far, expanded
from ..grouped_events.relative import HandlerForm
from ..grouped_events.rows import GroupedEvent
from . import config, payload
from .parse_output import CopilotRunReader
from .tables import (
    ALIASES,
    ARGUMENTS,
    EDITIONS,
    EVENTS,
    FORM,
    HANDLERS,
    MOST_BLOCKS,
    NATIVE,
    NO_NEWLINE,
    OTHER_TOOLS,
    PROMPT_REWRITES_COUNT,
    QUIRKS,
    SETTINGS,
    SHIPPED_EVENTS,
    TOOLS,
    VARIABLES,
)

if TYPE_CHECKING:
    from pydantic import BaseModel

_POWERSHELL = ("powershell", "-NoProfile", "-NonInteractive", "-Command")
#: Events whose names in camelCase only Copilot has.
_ONLY_COPILOT = frozenset(["userPromptSubmitted", "userPromptTransformed", "agentStop", "errorOccurred"])


class Copilot(GroupedEvents):
    """Copilot's events, in two spellings. A deny that Copilot loses counts, except in ``shipped``."""

    name: ClassVar[str] = "copilot"
    title: ClassVar[str] = "Copilot"
    basis: ClassVar[str] = "76 runs of the CLI 1.0.102, and its documents; of VS Code and the cloud agent, documents"
    events: ClassVar[Mapping[str, EventSpec]] = EVENTS
    quirks: ClassVar[Mapping[str, Quirk]] = QUIRKS
    editions: ClassVar[Mapping[str, frozenset[str]]] = EDITIONS
    file_names: ClassVar[tuple[str, ...]] = (
        ".github/copilot/settings.json",
        ".github/copilot/settings.local.json",
        ".copilot/settings.json",
        ".github/hooks/*.json",
        ".copilot/hooks/*.json",
        "github-copilot/policy.d/*.json",
    )
    tools: ClassVar[Mapping[str, tuple[str, ...]]] = TOOLS
    other_tools: ClassVar[frozenset[str]] = OTHER_TOOLS
    arguments: ClassVar[Mapping[str, Mapping[str, str]]] = ARGUMENTS
    aliases: ClassVar[Mapping[str, tuple[str, ...]]] = ALIASES
    form: ClassVar[AnswerForm] = FORM
    handlers: ClassVar[HandlerForm] = HANDLERS
    handled: ClassVar[tuple[str, ...]] = ("http",)
    settings: ClassVar[Mapping[str, Setting]] = SETTINGS
    variables: ClassVar[tuple[str, ...]] = VARIABLES
    default_timeout: ClassVar[float] = HANDLERS.timeout
    config_form: ClassVar[ConfigForm | None] = ConfigForm(versioned, command="bash")
    timeout_key: ClassVar[tuple[str, str]] = ("timeoutSec", "seconds")
    shell: ClassVar[str] = "bash"

    names_events: ClassVar[bool] = False

    def __init__(self, edition: str = "") -> None:
        super().__init__(edition)
        if PROMPT_REWRITES_COUNT in self.active:
            vars(self)["events"] = SHIPPED_EVENTS  # the tables of the other editions are the class's

    # -- configuration ------------------------------------------------------------------------------------------------

    def recognises(self, root: Mapping[str, JSON]) -> bool:
        """Return whether ``hooks`` has an event or a command as only Copilot has them."""
        hooks = root.get("hooks")
        if not isinstance(hooks, dict):
            return False
        items = [item for items in hooks.values() if isinstance(items, list) for item in items]
        is_copilots = any(
            isinstance(item, dict) and {"bash", "powershell", "timeoutSec"} & item.keys() for item in items
        )
        return is_copilots or bool(_ONLY_COPILOT & hooks.keys())

    def canonical_event(self, name: str) -> str:
        """Return the camelCase name of an event in PascalCase."""
        return NATIVE.get(name, name)

    def places(self, place: HostContext) -> list[ConfigFile]:
        """Return the files of copilot 1."""
        return config.places(place, self.active)

    def load(self, text: str, origin: Origin, agent: str = "") -> Loaded:
        """Read one file (copilot 1, 2)."""
        return config.Loader(text, origin, self.active).load()

    def combine(self, parts: Sequence[Loaded]) -> Loaded:
        """Add up the files, except the switches (copilot 1.4)."""
        return config.combine(parts, self.active)

    def arrange(self, specs: Sequence[HookSpec], host_context: HostContext) -> Sequence[HookSpec]:
        """Leave out the hooks that have a command for another system only."""
        if host_context.windows:
            return specs
        return [spec for spec in specs if spec.kind != "command" or spec.argv or spec.extra.get("bash", spec.command)]

    # -- events -------------------------------------------------------------------------------------------------------

    def mcp_names(self, server: str, tool: str) -> tuple[str, ...]:
        """Return no name: how Copilot writes those of MCP tools is not known."""
        return ()

    def make_event(
        self,
        row: EventSpec,
        neutral: bool,
        fields: Mapping[str, JSON],
        host_context: HostContext,
        session: HookSession | None,
    ) -> HookEvent:
        """Build the event, with camelCase keys."""
        fields = payload.native_fields(row, fields)
        if not fields.get("timestamp"):
            fields = {**fields, "timestamp": int(time.time() * 1000)}
        return super().make_event(row, neutral, fields, host_context, session)

    def shaped_output(self, kind: str, output: JSON) -> JSON:
        """Return a text as the object that Copilot's tools return."""
        if not isinstance(output, str) or isinstance(output, JsonText):
            return output
        return {"resultType": "success", "textResultForLlm": output}

    def plain_output(self, kind: str, output: JSON) -> JSON:
        """Return the text of a tool's result that has nothing else."""
        if isinstance(output, dict) and output.keys() == {"resultType", "textResultForLlm"}:
            return output["textResultForLlm"]
        return output

    def matches_subject(self, spec: HookSpec, row: EventSpec, subjects: tuple[str, ...]) -> bool:
        """Return whether a matcher accepts the names of the tool that it is for (copilot 4.1, 4.2)."""
        tested = spec.extra.get("tested")
        if spec.pattern is None or nameless(row, subjects):
            return True
        names = subjects[:1] if tested == "own" else subjects
        names = (subjects[1:] or subjects) if tested == "claude" else names
        return any(map(spec.pattern.search, names))

    def variables_of(self, event: HookEvent, spec: HookSpec, host_context: HostContext) -> dict[str, str]:
        """Return the environment of a hook: the host's, Copilot's variables, and those of the item (copilot 5.1)."""
        folder = spec.origin.file.replace("\\", "/").rpartition("/")[0]
        project = dict.fromkeys(("COPILOT_PROJECT_DIR", "CLAUDE_PROJECT_DIR"), event.project_dir)
        base = super().variables_of(event, spec, host_context)
        return {**base, "COPILOT_CLI": "1", **project, "COPILOT_HOOK_DIR": folder, **(spec.env or {})}

    def job(self, event: HookEvent, spec: HookSpec, host_context: HostContext) -> HookJob:
        """Return the job of a hook: its payload in the spelling of its key (copilot 3.1)."""
        if event.delivery is None:
            event.delivery = {}
        key = str(spec.extra.get("key", event.row.native))
        stdin = event.delivery.get(key)
        if stdin is None:
            end = "" if NO_NEWLINE in self.active else "\n"
            text = document(payload.spelled(event, key, self.active))
            stdin = event.delivery[key] = to_bytes(text + end)
        cwd = str(spec.extra.get("cwd") or "")
        env = self.variables_of(event, spec, host_context)
        job = HookJob(
            spec,
            stdin=stdin,
            env=env,
            cwd=host_context.flat(host_context.join(event.project_dir, cwd)) if cwd else event.cwd,
            timeout=spec.timeout,
            request=_request(event, spec, env, stdin) if spec.kind == "http" else None,
        )
        if host_context.windows and spec.kind == "command" and not spec.argv and not spec.extra.get("bash", "-"):
            job.argv = (*_POWERSHELL, spec.command)
        return job

    def parse(self, run: HookRun, spec: HookSpec, event: HookEvent) -> HookOutcome:
        """Parse the exit status and stdout (copilot 6)."""
        return CopilotRunReader(run, spec, event, self.active).read()

    def rewritten(self, event: HookEvent, outcome: HookOutcome) -> HookEvent:
        """Return the event as the next hook sees it (copilot 5.2)."""
        changes: dict[str, JSON] = {}
        if outcome.rewrite is not None and not outcome.blocks:
            is_input = event.row.target == "tool_input"
            name = "transformed_prompt" if "transformedPrompt" in event.row.named else event.row.target
            changes[name] = JsonText(compact(outcome.rewrite)) if is_input else loads(outcome.rewrite)
        if outcome.output is not None:
            is_result = "tool_output" in event.row.places
            output: JSON = JsonText(compact(outcome.output)) if is_result else loads(outcome.output)
            changes["tool_output" if is_result else "response"] = output
        return with_changes(event, changes) if changes else event

    def merge(self, event: HookEvent, results: Sequence[HookResult]) -> Verdict:
        """Merge the outcomes; hooks may refuse eight stops in a row (copilot 6.6)."""
        return merging.merge(event, results, _used_up)

    # -- the hook's side ----------------------------------------------------------------------------------------------

    def read(self, data: Mapping[str, JSON] | str | bytes) -> tuple[str, dict[str, JSON]]:
        """Parse a payload in either spelling; one in camelCase does not name its event (copilot 3.2)."""
        fields = dict(payload_fields(data))
        name = fields.pop(self.event_key, None)
        if isinstance(name, str):
            row = self._native(name)
            if name in NATIVE:
                fields = payload.own_tool(fields)
        else:
            native = payload.event_of_payload(fields, self.events)
            if not native:
                raise WireError("the payload is that of no event of Copilot")
            row = self.events[native]
        return row.native, self.fields_of(row, fields)

    def fields_of(self, row: EventSpec, fields: dict[str, JSON]) -> dict[str, JSON]:
        """Return the fields of a payload under the names of the row."""
        return payload.native_fields(row, fields)

    def render(self, rendering: Rendering) -> HookOutput:
        """Render a verdict as a flat answer."""
        from .render import render

        return render(rendering)

    def model(self, kind: str, row: EventSpec) -> type[BaseModel]:
        """Return the model of ``config``, or of an event's ``input`` or ``output``; KeyError for anything else."""
        from .schema import model

        assert isinstance(row, GroupedEvent)
        return model(kind, row)


def _used_up(event: HookEvent) -> int:
    """Return the number of refused stops in a row, if it is the largest that Copilot allows; else 0."""
    is_last = blocks_so_far(event.row.native, event.payload, event.session) >= MOST_BLOCKS
    return MOST_BLOCKS if is_last and event.row.native == "agentStop" else 0


def _request(event: HookEvent, spec: HookSpec, env: Mapping[str, str], stdin: bytes) -> dict[str, JSON]:
    """Return the request to the host's handler of http hooks."""
    text = stdin.decode("utf-8", "replace").rstrip("\n")
    allowed = frozenset(spec.extra.get("allowed", ()))
    headers = {name: expanded(str(value), allowed, env) for name, value in spec.extra.get("headers", {}).items()}
    return {
        "payload": text,
        "event": event.row.native,
        "method": "POST",
        "url": spec.command,
        "body": text,
        "headers": {"Content-Type": "application/json", **headers},
    }


__all__ = ["Copilot"]
