"""Factory Droid: hooks of ``hooks.json`` and ``settings.json`` (docs/contracts/droid.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ...hooks.dialect import ConfigFile, EventSpec, Field, HostContext, Loaded, Quirk
from ...hooks.model import Decision, HookEvent, HookOutcome, HookRun, HookSpec, Origin, Pattern
from ...hooks.output import exit_status
from ...hooks.tools import command_text
from ...hooks.verdict import HookResult, Verdict
from ...jsontext.compact import JSON, loads
from ...notice import Notice
from ..grouped_events.dialect import GroupedEvents
from ..grouped_events.form import AnswerForm
from ..grouped_events.relative import HandlerForm
from . import config
from .parse_output import DroidRunReader
from .tables import EDITIONS, EVENTS, FORM, GROUP_FIELDS, HANDLERS, OTHER_TOOLS, QUIRKS, TOOLS, VARIABLES


class Droid(GroupedEvents):
    """Droid's events, matchers, exit codes and answers. A deny that Droid loses counts, except in ``shipped``."""

    name: ClassVar[str] = "droid"
    title: ClassVar[str] = "Droid"
    basis: ClassVar[str] = "the source of 0.225.2, read and not run, and its documents"
    events: ClassVar[Mapping[str, EventSpec]] = EVENTS
    quirks: ClassVar[Mapping[str, Quirk]] = QUIRKS
    editions: ClassVar[Mapping[str, frozenset[str]]] = EDITIONS
    file_names: ClassVar[tuple[str, ...]] = (
        ".factory/hooks.json",
        ".factory/hooks/hooks.json",
        ".factory/settings.json",
    )
    tools: ClassVar[Mapping[str, tuple[str, ...]]] = TOOLS
    other_tools: ClassVar[frozenset[str]] = OTHER_TOOLS
    inputs: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    shell: ClassVar[str] = "sh"  # droid 4.1
    variables: ClassVar[tuple[str, ...]] = VARIABLES
    project_variables: ClassVar[tuple[str, ...]] = VARIABLES
    form: ClassVar[AnswerForm] = FORM
    handlers: ClassVar[HandlerForm] = HANDLERS
    group_fields: ClassVar[tuple[Field, ...]] = GROUP_FIELDS
    in_settings: ClassVar[bool] = True
    default_timeout: ClassVar[float] = HANDLERS.timeout
    final_newline: ClassVar[str] = "no_final_newline"

    def recognises(self, root: Mapping[str, JSON]) -> bool:
        """Return whether the file has Droid's switch; its events look like those of a plugin of Claude Code."""
        return "hooksDisabled" in root

    def places(self, place: HostContext) -> list[ConfigFile]:
        """Return the files of droid 1.1."""
        return config.places(place)

    def load(self, text: str, origin: Origin, agent: str = "") -> Loaded:
        """Read one file (droid 1)."""
        return config.Loader(text, origin, self.active).load()

    def combine(self, parts: Sequence[Loaded]) -> Loaded:
        """Add up the files (droid 1.1)."""
        return config.combine(parts, self.active)

    def has_conditions(self, spec: HookSpec) -> bool:
        """Return whether the group is for some commands only."""
        return "command_pattern" in spec.extra

    def matches_conditions(self, spec: HookSpec, event: HookEvent) -> bool:
        """Return whether the command of Execute matches; on other tools such a group never runs (droid 3)."""
        pattern: Pattern = spec.extra["command_pattern"]
        if event.payload.get("tool_name") not in (*TOOLS["shell"], ""):
            return False
        tool_input = loads(str.__str__(event.payload.get("tool_input") or "{}"))
        command = tool_input.get("command") if isinstance(tool_input, dict) else None
        return bool(pattern.search(command_text(command) or ""))

    def variables_of(self, event: HookEvent, spec: HookSpec, host_context: HostContext) -> dict[str, str]:
        """Return the environment of a hook; in ``shipped`` the payload's plain values are in it (droid 4.2)."""
        variables = super().variables_of(event, spec, host_context)
        if "payload_in_environment" in self.active:
            plain = {key: value for key, value in event.payload.items() if type(value) in (str, int, float, bool)}
            for key, value in plain.items():
                text = str(value).lower() if isinstance(value, bool) else str(value)
                variables[key] = text.replace("\0", "")
        return variables

    def parse(self, run: HookRun, spec: HookSpec, event: HookEvent) -> HookOutcome:
        """Parse the exit status and stdout (droid 5)."""
        return DroidRunReader(run, spec, event, self.active).read()

    def merge(self, event: HookEvent, results: Sequence[HookResult]) -> Verdict:
        """Merge the outcomes. In the program the first ``permissionDecision`` decides alone (droid 5.2)."""
        verdict = super().merge(event, results)
        if event.row.native != "PreToolUse" or verdict.halt or verdict.decision is not Decision.DENY:
            return verdict
        decided = [result for result in results if result.outcome.decision is not Decision.NONE]
        first = decided[0].outcome.decision
        if first is Decision.DENY or any(exit_status(result.run) == 2 for result in decided):
            return verdict
        if "first_decision_wins" in self.active and not any(result.outcome.internal_failure for result in decided):
            verdict.decision, verdict.reason = first, decided[0].outcome.reason
        else:
            notice = Notice("a deny after another hook's decision is lost in Droid", "off-in-agent", hint="deny first")
            verdict.notices = (*verdict.notices, notice)
        return verdict


__all__ = ["Droid"]
