"""OpenAI Codex: hooks of ``hooks.json`` and ``config.toml`` (docs/contracts/codex.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ...hooks.dialect import ConfigFile, EventSpec, HostContext, Loaded, Quirk
from ...hooks.model import HookEvent, HookJob, HookOutcome, HookRun, HookSpec, Origin
from ...jsontext.compact import JSON
from ..grouped_events.dialect import GroupedEvents
from ..grouped_events.form import AnswerForm
from ..grouped_events.relative import HandlerForm
from . import config
from .parse_output import CodexRunReader
from .tables import ALIASES, EDITIONS, EVENTS, FORM, HANDLERS, INPUTS, OTHER_TOOLS, QUIRKS, TOOLS


class Codex(GroupedEvents):
    """Codex's events, matchers, exit codes and answers. A deny that Codex loses counts, except in ``shipped``."""

    name: ClassVar[str] = "codex"
    title: ClassVar[str] = "Codex"
    basis: ClassVar[str] = "101 runs of 0.171.0, and its source"
    events: ClassVar[Mapping[str, EventSpec]] = EVENTS
    quirks: ClassVar[Mapping[str, Quirk]] = QUIRKS
    editions: ClassVar[Mapping[str, frozenset[str]]] = EDITIONS
    file_names: ClassVar[tuple[str, ...]] = (".codex/hooks.json", ".codex/config.toml", "codex/requirements.toml")
    tools: ClassVar[Mapping[str, tuple[str, ...]]] = TOOLS
    other_tools: ClassVar[frozenset[str]] = OTHER_TOOLS
    aliases: ClassVar[Mapping[str, tuple[str, ...]]] = ALIASES
    inputs: ClassVar[Mapping[str, tuple[str, ...]]] = INPUTS
    form: ClassVar[AnswerForm] = FORM
    handlers: ClassVar[HandlerForm] = HANDLERS
    default_timeout: ClassVar[float] = HANDLERS.timeout
    cwd_moves: ClassVar[bool] = True  # codex 7.2
    reasons: ClassVar[int | None] = 1  # codex 9.1
    final_newline: ClassVar[str] = "no_final_newline"

    def recognises(self, root: Mapping[str, JSON]) -> bool:
        """Return whether ``hooks`` has an event that only Codex has; its files look like Claude Code's."""
        hooks = root.get("hooks")
        return isinstance(hooks, dict) and isinstance(hooks.get("Interrupt"), list)

    def places(self, place: HostContext) -> list[ConfigFile]:
        """Return the files of codex 1.1."""
        return config.places(place)

    def load(self, text: str, origin: Origin, agent: str = "") -> Loaded:
        """Read one file, JSON or TOML (codex 1)."""
        return config.Loader(text, origin, self.active).load()

    def combine(self, parts: Sequence[Loaded]) -> Loaded:
        """Add up the files, except their switches (codex 1.3)."""
        return config.combine(parts, self.active)

    def job(self, event: HookEvent, spec: HookSpec, host_context: HostContext) -> HookJob:
        """Return the job of a hook; on Windows it may have another command (codex 3)."""
        job = super().job(event, spec, host_context)
        windows = spec.extra.get("windows")
        if host_context.windows and isinstance(windows, str) and windows:
            job.command = windows
        return job

    def parse(self, run: HookRun, spec: HookSpec, event: HookEvent) -> HookOutcome:
        """Parse the exit status and stdout (codex 8)."""
        return CodexRunReader(run, spec, event, self.active).read()


__all__ = ["Codex"]
