"""Qwen Code: hooks of ``settings.json`` (docs/contracts/qwen.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ...hooks.dialect import ConfigFile, EventSpec, Field, HostContext, Loaded, Quirk
from ...hooks.model import HookEvent, HookOutcome, HookRun, HookSpec, Origin
from ...hooks.verdict import HookResult, Verdict
from ...jsontext.compact import JSON, JsonText
from ..grouped_events.dialect import GroupedEvents
from ..grouped_events.form import AnswerForm
from ..grouped_events.relative import HandlerForm
from . import config, merging
from .parse_output import QwenRunReader
from .tables import (
    ABSOLUTE,
    ARGUMENTS,
    CALL_VARIABLES,
    EDITIONS,
    EVENTS,
    FORM,
    GROUP_FIELDS,
    HANDLERS,
    INPUTS,
    MOST_BLOCKS,
    OTHER_TOOLS,
    QUIRKS,
    SECRETS,
    TODOS,
    TOOLS,
    VARIABLES,
)


class Qwen(GroupedEvents):
    """Qwen Code's events, matchers, exit codes and answers. A deny that it loses counts, except in ``shipped``."""

    name: ClassVar[str] = "qwen"
    title: ClassVar[str] = "Qwen Code"
    basis: ClassVar[str] = "runs of 0.24.4 and 978 answers of its modules, and its source"
    events: ClassVar[Mapping[str, EventSpec]] = EVENTS
    quirks: ClassVar[Mapping[str, Quirk]] = QUIRKS
    editions: ClassVar[Mapping[str, frozenset[str]]] = EDITIONS
    file_names: ClassVar[tuple[str, ...]] = (".qwen/settings.json", "qwen-code/settings.json")
    tools: ClassVar[Mapping[str, tuple[str, ...]]] = TOOLS
    other_tools: ClassVar[frozenset[str]] = OTHER_TOOLS
    arguments: ClassVar[Mapping[str, Mapping[str, str]]] = ARGUMENTS
    inputs: ClassVar[Mapping[str, tuple[str, ...]]] = INPUTS
    absolute: ClassVar[frozenset[str]] = ABSOLUTE
    shell: ClassVar[str] = "bash"  # qwen 5.1
    variables: ClassVar[tuple[str, ...]] = (*VARIABLES, *CALL_VARIABLES)
    project_variables: ClassVar[tuple[str, ...]] = VARIABLES
    call_variables: ClassVar[Mapping[str, str]] = CALL_VARIABLES
    form: ClassVar[AnswerForm] = FORM
    handlers: ClassVar[HandlerForm] = HANDLERS
    group_fields: ClassVar[tuple[Field, ...]] = GROUP_FIELDS
    in_settings: ClassVar[bool] = True
    default_timeout: ClassVar[float] = HANDLERS.timeout
    most_blocks: ClassVar[int] = MOST_BLOCKS
    final_newline: ClassVar[str] = "no_final_newline"

    def recognises(self, root: Mapping[str, JSON]) -> bool:
        """Return whether ``hooks`` has an event that only Qwen Code has."""
        hooks = root.get("hooks")
        return isinstance(hooks, dict) and any(isinstance(hooks.get(name), list) for name in TODOS)

    def places(self, place: HostContext) -> list[ConfigFile]:
        """Return the files of qwen 1.1."""
        return config.places(place)

    def load(self, text: str, origin: Origin, agent: str = "") -> Loaded:
        """Read one settings file (qwen 1)."""
        return config.Loader(text, origin, self.active).load()

    def combine(self, parts: Sequence[Loaded]) -> Loaded:
        """Add up the files, except the switch (qwen 1.2)."""
        return config.combine(parts, self.active)

    def prepare(self, host_context: HostContext) -> None:
        """Build the environment that no event changes: without the program's own secrets (qwen 5.2)."""
        super().prepare(host_context)
        for name in SECRETS:
            host_context.base.pop(name, None)

    def shaped_output(self, kind: str, output: JSON) -> JSON:
        """Return an output in the shape of Qwen Code's tools: a text is in an object."""
        if not isinstance(output, str) or isinstance(output, JsonText):
            return output
        return {"llmContent": output, "returnDisplay": output}

    def lanes(self, specs: Sequence[HookSpec]) -> list[list[int]]:
        """Return the lanes: one for all hooks of the event, if a group of one of them is sequential (qwen 2.3)."""
        if any(spec.lane is not None for spec in specs):
            return [list(range(len(specs)))]
        return super().lanes(specs)

    def parse(self, run: HookRun, spec: HookSpec, event: HookEvent) -> HookOutcome:
        """Parse the exit status and the output (qwen 6)."""
        return QwenRunReader(run, spec, event, self.active).read()

    def rewritten(self, event: HookEvent, outcome: HookOutcome) -> HookEvent:
        """Return the event as the next hook of a sequence sees it (qwen 5.3)."""
        return merging.rewritten(event, outcome)

    def merge(self, event: HookEvent, results: Sequence[HookResult]) -> Verdict:
        """Merge the outcomes (qwen 6.6)."""
        return merging.with_losses(event, results, super().merge(event, results), self.active)


__all__ = ["Qwen"]
