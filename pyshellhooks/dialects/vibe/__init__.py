"""Mistral Vibe: hooks of ``.vibe/hooks.toml`` (docs/contracts/vibe.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import ClassVar

from ...hooks.config_form import ConfigForm, by_glob, named_entries
from ...hooks.dialect import ConfigFile, EventSpec, HostContext, Loaded, Quirk
from ...hooks.model import Delivery, HookEvent, HookJob, HookOutcome, HookRun, HookSession, HookSpec, Origin
from ...jsontext.compact import JSON, document, loads
from ..flat_events.payload import rewritten
from ..grouped_events.dialect import GroupedEvents
from ..grouped_events.form import AnswerForm
from ..grouped_events.relative import HandlerForm
from . import config
from .parse_output import VibeReader
from .tables import (
    EDITIONS,
    EVENTS,
    FORM,
    HANDLERS,
    MODEL_NAMES,
    MOST_FOLLOWUPS,
    OTHER_TOOLS,
    QUALIFIED,
    QUIRKS,
    TITLE,
    TOOLS,
)

_MAIN = "main"  # the name of every main session for a match (vibe 3.2)


class Vibe(GroupedEvents):
    """Vibe's events, matches and answers. A deny that Vibe loses counts, except in ``shipped``."""

    name: ClassVar[str] = "vibe"
    title: ClassVar[str] = TITLE
    basis: ClassVar[str] = "runs of 3.0.3's modules, and their source"
    events: ClassVar[Mapping[str, EventSpec]] = EVENTS
    quirks: ClassVar[Mapping[str, Quirk]] = QUIRKS
    editions: ClassVar[Mapping[str, frozenset[str]]] = EDITIONS
    file_names: ClassVar[tuple[str, ...]] = (config.FILE,)
    tools: ClassVar[Mapping[str, tuple[str, ...]]] = TOOLS
    other_tools: ClassVar[frozenset[str]] = OTHER_TOOLS
    form: ClassVar[AnswerForm] = FORM
    handlers: ClassVar[HandlerForm] = HANDLERS
    default_timeout: ClassVar[float] = HANDLERS.timeout
    config_form: ClassVar[ConfigForm | None] = ConfigForm(
        named_entries, suffix="toml", closed=("strict", True), matchers=by_glob
    )
    shell: ClassVar[str] = "sh"  # vibe 5.3
    cwd_moves: ClassVar[bool] = True  # vibe 5.3
    most_blocks: ClassVar[int] = MOST_FOLLOWUPS

    def recognises(self, root: Mapping[str, JSON]) -> bool:
        """Return whether ``hooks`` is a list with an entry of one of Vibe's types."""
        hooks = root.get("hooks")
        entries = hooks if isinstance(hooks, list) else []
        return any(isinstance(entry, dict) and entry.get("type") in EVENTS for entry in entries)

    def mcp_names(self, server: str, tool: str) -> tuple[str, ...]:
        """Return the names of an MCP server's tool (vibe 4.4)."""
        return (f"{server}.{tool}", f"{server}_{tool}")

    def names_of(self, tool: str) -> tuple[str, ...]:
        """Return the texts that a match is tested on: the qualified name, its last part and two more (vibe 4.4)."""
        tool = QUALIFIED.get(tool, tool)
        names = (tool, tool.rpartition(".")[2], tool.replace(".", "_"), MODEL_NAMES.get(tool, tool))
        return tuple(dict.fromkeys(names))

    def subjects_of(self, row: EventSpec, subject: str, payload: Mapping[str, JSON]) -> tuple[str, ...]:
        """Return the texts that a match is tested on: a main session also has the name ``main``."""
        if row.subject != "agent_name":
            return super().subjects_of(row, subject, payload)
        if payload.get("parent_session_id") is None:
            return (subject, _MAIN)
        return (subject,) if subject.lower() != _MAIN else ()

    def places(self, place: HostContext) -> list[ConfigFile]:
        """Return the files of vibe 1.1."""
        return config.places(place)

    def load(self, text: str, origin: Origin, agent: str = "") -> Loaded:
        """Read one file (vibe 2)."""
        return config.Loader(text, origin, self.active).load()

    def combine(self, parts: Sequence[Loaded]) -> Loaded:
        """Add up the files; of equal names the first one counts (vibe 1.2)."""
        return config.combine(parts)

    def make_event(
        self,
        row: EventSpec,
        neutral: bool,
        fields: Mapping[str, JSON],
        host_context: HostContext,
        session: HookSession | None,
    ) -> HookEvent:
        """Build the event; a result that is given once is in all of its fields (vibe 5.1)."""
        return super().make_event(row, neutral, _with_result(row, fields), host_context, session)

    def job(self, event: HookEvent, spec: HookSpec, host_context: HostContext) -> HookJob:
        """Return the job of a hook; the program writes its stdin as Python does by default (vibe 5.1)."""
        if event.delivery is None and "pythons_json" in self.active:
            event.delivery = Delivery(json.dumps(loads(document(event.payload))).encode())
        return super().job(event, spec, host_context)

    def rewritten(self, event: HookEvent, outcome: HookOutcome) -> HookEvent:
        """Return the event as the next hook of the chain sees it (vibe 5.4)."""
        return rewritten(event, outcome)

    def parse(self, run: HookRun, spec: HookSpec, event: HookEvent) -> HookOutcome:
        """Parse the exit status and stdout (vibe 6)."""
        return VibeReader(run, spec, event, self.active).read()


def _with_result(row: EventSpec, fields: Mapping[str, JSON]) -> Mapping[str, JSON]:
    """Return the fields of a call's end with the text of its result, and its status."""
    if row.native != "post_tool" or "tool_output_text" in fields:
        return fields
    error, output = fields.get("tool_error"), fields.get("tool_output")
    if isinstance(error, str) and error:
        return {"tool_status": "failure", **fields, "tool_output": None, "tool_output_text": error}
    return {**fields, "tool_output_text": output} if isinstance(output, str) else fields


__all__ = ["Vibe"]
