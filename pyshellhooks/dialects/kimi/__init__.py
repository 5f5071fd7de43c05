"""Kimi Code and the Kimi CLI: hooks of ``config.toml`` (docs/contracts/kimi.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ...hooks.config_form import ConfigForm, entries
from ...hooks.dialect import ConfigFile, EventSpec, HostContext, Loaded, Quirk, Setting
from ...hooks.model import Decision, Delivery, HookEvent, HookJob, HookOutcome, HookRun, HookSession, HookSpec, Origin
from ...hooks.verdict import HookResult, Verdict
from ...jsontext.compact import JSON, JsonText, document, loads
from ..grouped_events.dialect import GroupedEvents
from ..grouped_events.form import AnswerForm
from ..grouped_events.payload import in_pythons_form
from ..grouped_events.relative import HandlerForm
from . import config
from .parse_output import BROKEN, KimiReader
from .tables import ARGUMENTS, CLI, EDITIONS, EVENTS, FORM, HANDLERS, OTHER_TOOLS, PROMPTS, QUIRKS, TOOLS


class Kimi(GroupedEvents):
    """Kimi's events, matchers and answers. A deny that Kimi loses counts, except in ``shipped`` and ``cli``."""

    name: ClassVar[str] = "kimi"
    title: ClassVar[str] = "Kimi Code"
    basis: ClassVar[str] = "365 runs each of the hook modules of Kimi Code 2.1.0 and Kimi CLI 1.52.0"
    events: ClassVar[Mapping[str, EventSpec]] = EVENTS
    quirks: ClassVar[Mapping[str, Quirk]] = QUIRKS
    editions: ClassVar[Mapping[str, frozenset[str]]] = EDITIONS
    file_names: ClassVar[tuple[str, ...]] = (".kimi-code/config.toml", ".kimi/config.toml")
    tools: ClassVar[Mapping[str, tuple[str, ...]]] = TOOLS
    other_tools: ClassVar[frozenset[str]] = OTHER_TOOLS
    arguments: ClassVar[Mapping[str, Mapping[str, str]]] = ARGUMENTS
    settings: ClassVar[Mapping[str, Setting]] = {}
    form: ClassVar[AnswerForm] = FORM
    handlers: ClassVar[HandlerForm] = HANDLERS
    default_timeout: ClassVar[float] = HANDLERS.timeout
    config_form: ClassVar[ConfigForm | None] = ConfigForm(entries, suffix="toml", shortest=1.0, longest=600.0)
    reasons: ClassVar[int | None] = 1
    most_blocks: ClassVar[int] = 1  # kimi 5.6
    shell: ClassVar[str] = "sh"
    final_newline: ClassVar[str] = "no_final_newline"

    def recognises(self, root: Mapping[str, JSON]) -> bool:
        """Return whether ``hooks`` is a list of entries with an event of Kimi's and a command."""
        hooks = root.get("hooks")
        return isinstance(hooks, list) and any(
            isinstance(hook, dict) and hook.get("event") in EVENTS and "command" in hook for hook in hooks
        )

    def places(self, place: HostContext) -> list[ConfigFile]:
        """Return the file of kimi 1.1, or that of the Kimi CLI."""
        return config.places(place, self.active)

    def load(self, text: str, origin: Origin, agent: str = "") -> Loaded:
        """Read one file (kimi 1)."""
        return config.Loader(text, origin, self.active).load()

    def combine(self, parts: Sequence[Loaded]) -> Loaded:
        """Add up the files that are given."""
        return config.combine(parts, self.active)

    def make_event(
        self,
        row: EventSpec,
        neutral: bool,
        fields: Mapping[str, JSON],
        host_context: HostContext,
        session: HookSession | None,
    ) -> HookEvent:
        """Build the event; a prompt is a list of parts in Kimi Code, a text in the Kimi CLI (kimi 2.3)."""
        event = super().make_event(row, neutral, fields, host_context, session)
        if row.native == "Notification" and CLI in self.active:
            event.subjects = (str(event.payload["sink"]),)
        if row.native in PROMPTS:
            prompt = event.payload["prompt"]
            is_text = isinstance(prompt, str) and not isinstance(prompt, JsonText)
            event.subjects = (_text_of(loads(prompt) if isinstance(prompt, JsonText) else prompt),)
            if is_text and CLI not in self.active:
                event.payload["prompt"] = [{"type": "text", "text": prompt}]
        return event

    def job(self, event: HookEvent, spec: HookSpec, host_context: HostContext) -> HookJob:
        """Return the job of a hook; the Kimi CLI writes its payload as Python does (kimi 6.4)."""
        if event.delivery is None and CLI in self.active:
            event.delivery = Delivery(in_pythons_form(document(event.payload)).encode())
        return super().job(event, spec, host_context)

    def parse(self, run: HookRun, spec: HookSpec, event: HookEvent) -> HookOutcome:
        """Parse the exit status and stdout (kimi 5)."""
        return KimiReader(run, spec, event, self.active).read()

    def merge(self, event: HookEvent, results: Sequence[HookResult]) -> Verdict:
        """Merge the outcomes; in the Kimi CLI one broken answer drops the blocks of all (kimi 6.6)."""
        verdict = super().merge(event, results)
        if BROKEN in verdict.effects:
            verdict.decision, verdict.reason, verdict.followup = Decision.NONE, "", None
            verdict.effects = {}
        return verdict


def _text_of(prompt: JSON) -> str:
    """Return the text of a prompt for matchers: that of its parts, with blanks between them."""
    if isinstance(prompt, str):
        return prompt
    parts = prompt if isinstance(prompt, list) else []
    return " ".join(
        str(part.get("text", "")) for part in parts if isinstance(part, dict) and part.get("type") == "text"
    )


__all__ = ["Kimi"]
