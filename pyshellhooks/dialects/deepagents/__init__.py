"""deepagents-code: hooks of ``.deepagents/hooks.json`` (docs/contracts/deepagents.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ...hooks.dialect import ConfigFile, EventSpec, HostContext, Loaded, Quirk
from ...hooks.model import HookEvent, HookOutcome, HookRun, HookSpec, Origin
from ...hooks.render import HookOutput, Rendering
from ...hooks.verdict import HookResult, Verdict
from ...jsontext.compact import JSON, dumps
from ..grouped_events import merging
from ..grouped_events.dialect import GroupedEvents
from ..grouped_events.form import AnswerForm
from ..grouped_events.relative import HandlerForm
from . import config
from .parse_output import DeepAgentsRunReader
from .tables import (
    ARGUMENTS,
    EDITIONS,
    EVENTS,
    EVENTS_THAT_PREVENT,
    FORM,
    HANDLERS,
    INPUTS,
    LARGEST_OUTPUT,
    LONGEST_TEXT,
    MOST_FOLLOWUPS,
    OTHER_TOOLS,
    QUIRKS,
    SECRETS,
    TITLE,
    TOOLS,
)

_TEXTS = ("reason", "user_message", "context", "followup")  # of a rendering; each may be in an answer twice


class DeepAgents(GroupedEvents):
    """Its events, matchers, exit codes and answers. A deny that the program loses counts, except in ``shipped``."""

    name: ClassVar[str] = "deepagents"
    title: ClassVar[str] = TITLE
    basis: ClassVar[str] = "runs of 0.1.88's engine, and its source"
    events: ClassVar[Mapping[str, EventSpec]] = EVENTS
    quirks: ClassVar[Mapping[str, Quirk]] = QUIRKS
    editions: ClassVar[Mapping[str, frozenset[str]]] = EDITIONS
    file_names: ClassVar[tuple[str, ...]] = (config.FILE,)
    tools: ClassVar[Mapping[str, tuple[str, ...]]] = TOOLS
    other_tools: ClassVar[frozenset[str]] = OTHER_TOOLS
    arguments: ClassVar[Mapping[str, Mapping[str, str]]] = ARGUMENTS
    inputs: ClassVar[Mapping[str, tuple[str, ...]]] = INPUTS
    form: ClassVar[AnswerForm] = FORM
    handlers: ClassVar[HandlerForm] = HANDLERS
    default_timeout: ClassVar[float] = HANDLERS.timeout
    shell: ClassVar[str] = "sh"  # deepagents 6.1
    cwd_moves: ClassVar[bool] = True  # deepagents 6.1
    most_blocks: ClassVar[int] = MOST_FOLLOWUPS
    final_newline: ClassVar[str] = "no_final_newline"

    def __init__(self, edition: str = "") -> None:
        super().__init__(edition)
        if "halt_prevents_only" in self.active:
            vars(self)["events"] = EVENTS_THAT_PREVENT  # the tables of the other editions are the class's

    def recognises(self, root: Mapping[str, JSON]) -> bool:
        """Return False: its files look like Claude Code's, and are found by their name."""
        return False

    def places(self, place: HostContext) -> list[ConfigFile]:
        """Return the files of deepagents 1.1."""
        return config.places(place)

    def load(self, text: str, origin: Origin, agent: str = "") -> Loaded:
        """Read one file (deepagents 2)."""
        return config.Loader(text, origin, self.active).load()

    def combine(self, parts: Sequence[Loaded]) -> Loaded:
        """Add up the files (deepagents 1.1)."""
        return config.combine(parts, self.active)

    def prepare(self, host_context: HostContext) -> None:
        """Store the host's environment without variables that look like secrets (deepagents 6.2)."""
        host_context.base = {
            name: value
            for name, value in host_context.env.items()
            if not any(secret in name.upper() for secret in SECRETS)
        }

    def parse(self, run: HookRun, spec: HookSpec, event: HookEvent) -> HookOutcome:
        """Parse the exit status and stdout (deepagents 7)."""
        return DeepAgentsRunReader(run, spec, event, self.active).read()

    def render(self, rendering: Rendering) -> HookOutput:
        """Render a verdict; its texts are cut where the program would cut the whole answer (deepagents 6.6)."""
        long = [name for name in _TEXTS if len(getattr(rendering, name) or "") > LONGEST_TEXT]
        if long and 2 * sum(len(dumps(getattr(rendering, name) or "").encode()) for name in _TEXTS) > LARGEST_OUTPUT:
            rendering.note("such long texts", "they are cut")
            for name in long:
                setattr(rendering, name, getattr(rendering, name)[:LONGEST_TEXT] + "…")
        return super().render(rendering)

    def merge(self, event: HookEvent, results: Sequence[HookResult]) -> Verdict:
        """Merge the outcomes: the first reason counts, and about a result all reasons (deepagents 7.10)."""
        limit = None if event.row.guards == "result" else 1
        return merging.merge(event, results, self.used_up, limit=limit)


__all__ = ["DeepAgents"]
