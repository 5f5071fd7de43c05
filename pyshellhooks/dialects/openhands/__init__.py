"""OpenHands: hooks of ``.openhands/hooks.json`` (docs/contracts/openhands.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ...hooks.dialect import ConfigFile, EventSpec, HostContext, Loaded, Quirk, Setting
from ...hooks.failure_notices import failing
from ...hooks.fields import variable
from ...hooks.model import HookEvent, HookOutcome, HookRun, HookSpec, Origin
from ...hooks.verdict import HookResult, Verdict
from ...jsontext.compact import JSON
from ..grouped_events.dialect import GroupedEvents
from ..grouped_events.form import AnswerForm
from ..grouped_events.relative import HandlerForm
from . import config
from .parse_output import OpenHandsReader
from .tables import (
    ARGUMENTS,
    EDITIONS,
    EVENTS,
    FORM,
    HANDLERS,
    OTHER_TOOLS,
    QUIRKS,
    SECRET_PREFIX,
    SECRETS,
    SNAKE,
    TOOLS,
    VARIABLES,
)


class OpenHands(GroupedEvents):
    """OpenHands' events, matchers and answers. A deny that OpenHands loses counts, except in ``shipped``."""

    name: ClassVar[str] = "openhands"
    title: ClassVar[str] = "OpenHands"
    basis: ClassVar[str] = "runs of the SDK 1.58.2, and its source"
    events: ClassVar[Mapping[str, EventSpec]] = EVENTS
    quirks: ClassVar[Mapping[str, Quirk]] = QUIRKS
    editions: ClassVar[Mapping[str, frozenset[str]]] = EDITIONS
    file_names: ClassVar[tuple[str, ...]] = (".openhands/hooks.json",)
    tools: ClassVar[Mapping[str, tuple[str, ...]]] = TOOLS
    other_tools: ClassVar[frozenset[str]] = OTHER_TOOLS
    arguments: ClassVar[Mapping[str, Mapping[str, str]]] = ARGUMENTS
    variables: ClassVar[tuple[str, ...]] = VARIABLES
    settings: ClassVar[Mapping[str, Setting]] = {}
    form: ClassVar[AnswerForm] = FORM
    handlers: ClassVar[HandlerForm] = HANDLERS
    default_timeout: ClassVar[float] = HANDLERS.timeout
    reasons: ClassVar[int | None] = 1
    shell: ClassVar[str] = "sh"
    event_key: ClassVar[str] = "event_type"
    cwd_key: ClassVar[str] = "working_dir"
    final_newline: ClassVar[str] = "no_final_newline"

    def recognises(self, root: Mapping[str, JSON]) -> bool:
        """Return whether the top level has an event in OpenHands' own spelling."""
        return any(name != "stop" and isinstance(root.get(name), list) for name in SNAKE)

    def mcp_names(self, server: str, tool: str) -> tuple[str, ...]:
        """Return the names of an MCP server's tool: with the server's name, if there are several servers."""
        return (tool, f"{server}_{tool}")

    def places(self, place: HostContext) -> list[ConfigFile]:
        """Return the files of openhands 1.1."""
        return config.places(place)

    def load(self, text: str, origin: Origin, agent: str = "") -> Loaded:
        """Read one file (openhands 1)."""
        return config.Loader(text, origin, self.active).load()

    def combine(self, parts: Sequence[Loaded]) -> Loaded:
        """Take the file that counts (openhands 1.1)."""
        return config.combine(parts, self.active)

    def prepare(self, host_context: HostContext) -> None:
        """Take the host's environment without OpenHands' secrets (openhands 4.2)."""
        inherited = {
            name: value
            for name, value in host_context.env.items()
            if name not in SECRETS and not name.startswith(SECRET_PREFIX)
        }
        if not inherited.get("AI_AGENT", "").strip():
            inherited["AI_AGENT"] = "openhands"
        inherited.pop("OPENHANDS_TOOL_NAME", None)
        host_context.base = inherited

    def variables_of(self, event: HookEvent, spec: HookSpec, host_context: HostContext) -> dict[str, str]:
        """Return the environment of a hook (openhands 4.2)."""
        payload = event.payload
        own = {
            "OPENHANDS_PROJECT_DIR": variable(event.project_dir),
            "OPENHANDS_SESSION_ID": variable(payload["session_id"]),
            "OPENHANDS_EVENT_TYPE": event.row.native,
        }
        if payload["tool_name"]:
            own["OPENHANDS_TOOL_NAME"] = variable(payload["tool_name"])
        return {**host_context.base, **own}

    def parse(self, run: HookRun, spec: HookSpec, event: HookEvent) -> HookOutcome:
        """Parse the exit status and stdout (openhands 6). A command that is faster than its end timed out, too."""
        if spec.timeout <= config.AT_ONCE:
            return failing("timed_out", "timed out at once: its timeout is 0 or less", hint="set a timeout in seconds")
        return OpenHandsReader(run, spec, event, self.active).read()

    def merge(self, event: HookEvent, results: Sequence[HookResult]) -> Verdict:
        """Merge the outcomes; after a refused stop the agent continues with their contexts (openhands 6.7)."""
        verdict = super().merge(event, results)
        if event.row.native == "Stop":
            if verdict.followup is not None and verdict.context:
                verdict.followup = verdict.context
            verdict.context = ""
        return verdict


__all__ = ["OpenHands"]
