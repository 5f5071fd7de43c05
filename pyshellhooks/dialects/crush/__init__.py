"""Crush: hooks of ``crush.json``, run in an embedded shell before each tool call (docs/contracts/crush.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ...hooks.aggregate import blocking_reasons, contexts, shallow_merge, strongest
from ...hooks.config_form import ConfigForm, flat
from ...hooks.dialect import ConfigFile, Dialect, EventSpec, HostContext, Loaded, Quirk
from ...hooks.model import Decision, HookEvent, HookJob, HookOutcome, HookRun, HookSession, HookSpec, Origin
from ...hooks.render import HookOutput, Rendering
from ...hooks.verdict import HookResult, Verdict
from ...jsontext.compact import JSON
from ...notice import Notice
from ...text import present
from . import config, parse_output, payload
from .tables import ARGUMENTS, DEFAULT_TIMEOUT, EDITIONS, ENTRY_FIELDS, EVENTS, QUIRKS, TOOLS, VARIABLES


class Crush(Dialect):
    """Crush's one event, its matchers, exit codes and answers, as documented or as shipped."""

    name: ClassVar[str] = "crush"
    title: ClassVar[str] = "Crush"
    basis: ClassVar[str] = "its document and its source of August 2026"
    events: ClassVar[Mapping[str, EventSpec]] = EVENTS
    quirks: ClassVar[Mapping[str, Quirk]] = QUIRKS
    editions: ClassVar[Mapping[str, frozenset[str]]] = EDITIONS
    execute_bit: ClassVar[bool] = False  # crush 3.4: a file's head decides
    ends_background: ClassVar[bool] = True  # crush 3.6
    file_names: ClassVar[tuple[str, ...]] = ("crush.json", ".crush.json")
    tools: ClassVar[Mapping[str, tuple[str, ...]]] = TOOLS
    arguments: ClassVar[Mapping[str, Mapping[str, str]]] = ARGUMENTS
    default_timeout: ClassVar[float] = DEFAULT_TIMEOUT
    event_key: ClassVar[str] = "event"
    variables: ClassVar[tuple[str, ...]] = VARIABLES
    config_form: ClassVar[ConfigForm | None] = ConfigForm(flat, ENTRY_FIELDS)

    def canonical_event(self, name: str) -> str:
        """Return ``PreToolUse`` for ``pre_tool_use``, ``PRETOOLUSE`` and the like (crush 1.4)."""
        return config.canonical_event(name)

    def recognises(self, root: Mapping[str, JSON]) -> bool:
        """Return whether a file has flat entries under a spelling of PreToolUse, or Crush's own keys."""
        return config.recognises(root)

    def places(self, place: HostContext) -> list[ConfigFile]:
        """Return the files of crush 1.1, lowest first."""
        return config.places(place)

    def load(self, text: str, origin: Origin, agent: str = "") -> Loaded:
        """Read one ``crush.json`` (crush 1.3 to 1.5)."""
        return config.Loader(text, origin, self.active).load()

    def mcp_names(self, server: str, tool: str) -> tuple[str, ...]:
        """Return Crush's name of an MCP server's tool (crush 4)."""
        return (f"mcp_{server}_{tool}",)

    def prepare(self, host_context: HostContext) -> None:
        """Build the part of the environment that no event changes (crush 2.2)."""
        host_context.base = payload.base_environment(host_context.env, self.active)

    def make_event(
        self,
        row: EventSpec,
        neutral: bool,
        fields: Mapping[str, JSON],
        host_context: HostContext,
        session: HookSession | None,
    ) -> HookEvent:
        """Build the event with Crush's field names and order (crush 2.1)."""
        return payload.make_event(row, neutral, fields, host_context, session, self.active)

    def deduplicate(self, specs: Sequence[HookSpec]) -> list[HookSpec]:
        """Keep one of equal commands: the entry of the highest file, and within a file the first one.

        ``shipped`` keeps the first of all, so that a global entry hides the project's (crush 1.2).
        """
        chosen: dict[str, HookSpec] = {}
        global_wins = "global_entry_wins" in self.active
        for spec in specs:
            known = chosen.get(spec.command)
            if known is None or (not global_wins and spec.origin.rank > known.origin.rank):
                chosen[spec.command] = spec
        return [spec for spec in specs if chosen[spec.command] is spec]

    def job(self, event: HookEvent, spec: HookSpec, host_context: HostContext) -> HookJob:
        """Return the job of a hook; all hooks of the event share stdin and environment (crush 2)."""
        delivery = event.delivery
        if delivery is None:
            delivery = event.delivery = payload.deliver(event, host_context, self.active)
        return HookJob(
            spec,
            stdin=delivery.stdin,
            env=delivery.env,
            cwd=event.cwd,
            timeout=spec.timeout,
        )

    def parse(self, run: HookRun, spec: HookSpec, event: HookEvent) -> HookOutcome:
        """Parse the exit status and the answer on stdout (crush 4)."""
        return parse_output.parse(run, self.active)

    def merge(self, event: HookEvent, results: Sequence[HookResult]) -> Verdict:
        """Merge the outcomes in config order (crush 5)."""
        outcomes = [result.outcome for result in results]
        decision = strongest(outcomes)
        halt = any([outcome.halt for outcome in outcomes])
        reason = blocking_reasons(outcomes)
        patches = present(outcome.rewrite for outcome in outcomes)
        rewritten, refused = self._rewrite(event, patches) if patches else (None, [])
        return Verdict(
            event.row.native,
            decision,
            halt=halt,
            reason=reason,
            # Crush's document: "Shown when denying (to the model) or halting (to the model and user)".
            user_message=reason if halt else "",
            context=contexts(outcomes),
            updated_input_text=None if halt or decision is Decision.DENY else rewritten,
            hooks=results,
            notices=[*event.notices, *refused],
            faults=refused,
        )

    def _rewrite(self, event: HookEvent, patches: Sequence[str]) -> tuple[str | None, list[Notice]]:
        if "path_keys" in self.active:
            from .shipped import path_merge

            return path_merge(payload.tool_input(event), patches)
        return shallow_merge(payload.tool_input(event), patches)

    def render(self, rendering: Rendering) -> HookOutput:
        """Render a verdict in the document's envelope (crush 4)."""
        from .render import render

        return render(rendering, self.active)

    def schema(self, kind: str, event: str = "") -> dict[str, JSON]:
        """Return the JSON Schema of ``config``, ``input`` or ``output``."""
        from .schema import schema as export

        return export(kind, self.event(event)[0].native if event else "PreToolUse")


__all__ = ["Crush"]
