"""Docker Agent: hooks of an agent's YAML file (docs/contracts/docker_agent.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ...hooks.aggregate import blocking_reasons, contexts, replacement, shallow_merge, strongest
from ...hooks.config_form import ConfigForm, docker
from ...hooks.dialect import ConfigFile, Dialect, EventSpec, HostContext, Loaded, Quirk
from ...hooks.model import Decision, Delivery, HookEvent, HookJob, HookOutcome, HookRun, HookSession, HookSpec, Origin
from ...hooks.render import HookOutput, Rendering
from ...hooks.verdict import HookResult, Verdict
from ...jsontext.compact import JSON
from ...text import lines, present
from . import config, parse_output, payload
from .tables import ARGUMENTS, DEFAULT_TIMEOUT, EDITIONS, EVENTS, FILE_NAMES, HOOK_FIELDS, QUIRKS, TOOLS


class DockerAgent(Dialect):
    """Docker Agent's seven events, matchers, exit codes and answers, as documented or as shipped."""

    name: ClassVar[str] = "docker_agent"
    title: ClassVar[str] = "Docker Agent"
    basis: ClassVar[str] = "its document and its source of March 2026"
    events: ClassVar[Mapping[str, EventSpec]] = EVENTS
    quirks: ClassVar[Mapping[str, Quirk]] = QUIRKS
    editions: ClassVar[Mapping[str, frozenset[str]]] = EDITIONS
    file_names: ClassVar[tuple[str, ...]] = FILE_NAMES
    tools: ClassVar[Mapping[str, tuple[str, ...]]] = TOOLS
    arguments: ClassVar[Mapping[str, Mapping[str, str]]] = ARGUMENTS
    edit_items: ClassVar[tuple[str, str]] = ("oldText", "newText")
    default_timeout: ClassVar[float] = DEFAULT_TIMEOUT
    config_form: ClassVar[ConfigForm | None] = ConfigForm(docker, HOOK_FIELDS, suffix="yaml")

    def __new__(cls, edition: str = "") -> DockerAgent:
        """Make the edition ``current`` an object of its own class, which has other tables."""
        if edition == "current" and cls is DockerAgent:
            from .current import CurrentDockerAgent

            return object.__new__(CurrentDockerAgent)
        return object.__new__(cls)

    def native_events(self, name: str, fields: Mapping[str, JSON], kind: str = "") -> tuple[list[EventSpec], bool]:
        """Return the event; ``shipped`` fires post_tool_use after failures, too (docker_agent 2.2)."""
        rows, neutral = super().native_events(name, fields, kind)
        return (rows, neutral) if rows or "after_failures" not in self.active else ([self.event(name)[0]], neutral)

    def recognises(self, root: Mapping[str, JSON]) -> bool:
        """Return whether a file has agents of Docker Agent's kind, or hooks in its shape at the root."""
        return config.recognises(root)

    def places(self, place: HostContext) -> list[ConfigFile]:
        """Return the usual names in the working directory."""
        return config.places(place)

    def load(self, text: str, origin: Origin, agent: str = "") -> Loaded:
        """Read one agent file: the hooks of one agent, by default the first (docker_agent 1)."""
        return config.load(text, origin, agent, self.active)

    def mcp_names(self, server: str, tool: str) -> tuple[str, ...]:
        """Return the names of an MCP tool: the documented one, and the program's (docker_agent 1)."""
        return payload.mcp_names(server, tool)

    def added(self, event: str, command: str) -> HookSpec:
        """Return the hook of a ``--hook-*`` flag: for every tool, and equal to a file's hook with the same command."""
        return config.make_spec(self.event(event)[0], command, self.active)

    def make_event(
        self,
        row: EventSpec,
        neutral: bool,
        fields: Mapping[str, JSON],
        host_context: HostContext,
        session: HookSession | None,
    ) -> HookEvent:
        """Build the event, with Docker Agent's field names and order (docker_agent 2.1)."""
        return payload.make_event(row, neutral, fields, host_context, session, self.active)

    def job(self, event: HookEvent, spec: HookSpec, host_context: HostContext) -> HookJob:
        """Return the job of a hook; all hooks of the event share their stdin."""
        if event.delivery is None:
            event.delivery = Delivery(payload.stdin(event, self.active))
        return HookJob(
            spec,
            stdin=event.delivery.stdin,
            env=host_context.base,
            cwd=event.cwd,
            timeout=spec.timeout,
        )

    def parse(self, run: HookRun, spec: HookSpec, event: HookEvent) -> HookOutcome:
        """Parse a run: its exit status, and the answer or the text on stdout (docker_agent 4)."""
        return parse_output.parse(run, event.row, self.active)

    def merge(self, event: HookEvent, results: Sequence[HookResult]) -> Verdict:
        """Join the outcomes in config order (docker_agent 5)."""
        outcomes = [result.outcome for result in results]
        decision = strongest(outcomes)
        denied = decision is Decision.DENY
        if denied:
            reason = blocking_reasons(outcomes)
        else:
            reasons = [outcome.reason for outcome in outcomes if outcome.decision is decision and outcome.reason]
            reason = reasons[0] if reasons else ""
        message = lines(*[outcome.user_message for outcome in outcomes])
        patches = present(outcome.rewrite for outcome in outcomes)
        return Verdict(
            event.row.native,
            decision,
            reason=reason,
            user_message=reason if denied and "blocked_messages" in self.active else message,
            context=contexts(outcomes),
            updated_input_text=self._replaced(event, patches) if patches and not denied else None,
            effects={"suppress_output": True} if any(outcome.effects for outcome in outcomes) else None,
            hooks=results,
            notices=event.notices,
        )

    def _replaced(self, event: HookEvent, patches: Sequence[str]) -> str | None:
        """Return the new input: the hooks' objects, merged, replace the whole input."""
        union = shallow_merge("{}", patches)[0] or "{}"
        if "input_as_map" in self.active:
            from .shipped import as_map

            union = as_map(union) or union
        return replacement(payload.tool_input(event), [union])[0]

    def render(self, rendering: Rendering) -> HookOutput:
        """Render a verdict as JSON at exit status 0 (docker_agent 4)."""
        from .render import render

        return render(rendering, self.active)

    def schema(self, kind: str, event: str = "") -> dict[str, JSON]:
        """Return the JSON Schema of ``config``, ``input`` or ``output``."""
        from .schema import schema as export

        return export(kind, self.event(event)[0].native if event else "pre_tool_use")


__all__ = ["DockerAgent"]
