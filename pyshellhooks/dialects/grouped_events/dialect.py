"""The common base class of the relatives of Claude Code, whose tables have the differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ...hooks.dialect import Dialect, EventSpec, HostContext, Setting
from ...hooks.fields import gather, set_cwd_and_session, subject_of
from ...hooks.model import Delivery, HookEvent, HookJob, HookSession, HookSpec
from ...hooks.render import HookOutput, Rendering
from ...hooks.verdict import HookResult, Verdict
from ...jsontext.compact import JSON, document, to_bytes
from . import merging
from .few_keys import FewKeys, render
from .form import AnswerForm
from .payload import blocks_so_far, count_refused_stops, event_of
from .relative import HandlerForm

#: Field of the payload that a host sets once for all events, if the caller does not give it -> the setting's summary.
_COMMON = {
    "transcript_path": Setting("string", "the path of the transcript; default: none"),
    "model": Setting("string", "the model's name, if an event does not contain it"),
    "permission_mode": Setting("string", "default, acceptEdits, plan, dontAsk or bypassPermissions"),
}


class GroupedEvents(Dialect):
    """A relative of Claude Code. A subclass has the tables, the files, and the reader of its exit statuses."""

    form: ClassVar[AnswerForm]
    handlers: ClassVar[HandlerForm]
    #: Tool -> further names of it that a matcher may have.
    aliases: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    settings: ClassVar[Mapping[str, Setting]] = _COMMON
    reasons: ClassVar[int | None] = None  # of several blocks so many reasons count; None: all
    most_followups: ClassVar[int] = 0  # stops in a row that hooks may refuse; 0: any number
    final_newline: ClassVar[str] = ""  # the quirk under which stdin has no newline at the end; "": none
    cwd_key: ClassVar[str] = "cwd"  # the key of the working directory in its payloads

    def mcp_names(self, server: str, tool: str) -> tuple[str, ...]:
        """Return the name of an MCP server's tool, which relatives share with Claude Code."""
        return (f"mcp__{server}__{tool}",)

    def matches_tool(self, spec: HookSpec, tool: str) -> bool:
        """Return whether a hook's matcher matches a tool's name, or one of its aliases."""
        return any(super(GroupedEvents, self).matches_tool(spec, name) for name in self.names_of(tool))

    def make_event(
        self,
        row: EventSpec,
        neutral: bool,
        fields: Mapping[str, JSON],
        host_context: HostContext,
        session: HookSession | None,
    ) -> HookEvent:
        """Build the event, with the system's field names and order."""
        payload, spare, problems = gather(row, fields, neutral)
        payload[self.event_key] = row.native
        place = set_cwd_and_session(payload, spare, host_context, session, self.cwd_key)
        for name in _COMMON:
            if name in payload and name not in fields and host_context.settings.get(name):
                payload[name] = host_context.settings[name]
        if "stop_hook_active" in payload and "stop_hook_active" not in fields:
            loops = spare.get("loop_count")
            payload["stop_hook_active"] = bool(loops) or blocks_so_far(row.native, payload, session) > 0
        subject = subject_of(payload.get(row.places.get(row.subject, row.subject), "")) if row.subject else ""
        subjects = self.subjects_of(row, subject, payload)
        return event_of(
            row,
            payload,
            fields,
            subjects if row.subject else (),
            place,
            problems,
            neutral=neutral,
            session=session,
        )

    def subjects_of(self, row: EventSpec, subject: str, payload: Mapping[str, JSON]) -> tuple[str, ...]:
        """Return the texts that a matcher is tested on."""
        return self.names_of(subject) if row.subject == "tool_name" else (subject,)

    def names_of(self, tool: str) -> tuple[str, ...]:
        """Return the names of a tool that a matcher may have."""
        return (tool, *self.aliases.get(tool, ()))

    def variables_of(self, event: HookEvent, spec: HookSpec, host_context: HostContext) -> dict[str, str]:
        """Return the environment of a hook: by default the host's."""
        variables: dict[str, str] = host_context.base
        return variables

    def job(self, event: HookEvent, spec: HookSpec, host_context: HostContext) -> HookJob:
        """Return the job of a hook; all hooks of the event share its stdin."""
        if event.delivery is None:
            end = "" if self.final_newline in self.active else "\n"
            event.delivery = Delivery(to_bytes(document(event.payload) + end))
        return HookJob(
            spec,
            stdin=event.delivery.stdin,
            env=self.variables_of(event, spec, host_context),
            cwd=event.cwd,
            timeout=spec.timeout,
        )

    def merge(self, event: HookEvent, results: Sequence[HookResult]) -> Verdict:
        """Merge the outcomes."""
        return merging.merge(event, results, self.used_up, limit=self.reasons)

    def used_up(self, event: HookEvent) -> int:
        """Return how many stops in a row hooks have refused, if they may refuse no more; else 0."""
        refused = blocks_so_far(event.row.native, event.payload, event.session)
        return self.most_followups if 0 < self.most_followups <= refused else 0

    def settle(self, event: HookEvent, verdict: Verdict) -> None:
        """Count refused stops in a row, for ``stop_hook_active``."""
        count_refused_stops(event, verdict)

    def render(self, rendering: Rendering) -> HookOutput:
        """Render a verdict as JSON, with exit status 2 for a block that JSON can't express."""
        if isinstance(self.form, FewKeys):
            return render(rendering, self.form)
        from .render import Renderer

        return Renderer(rendering, self.form, self.active).render()

    def schema(self, kind: str, event: str = "") -> dict[str, JSON]:
        """Return the JSON Schema of ``config``, ``input`` or ``output``."""
        from .schema import schema_of

        row = self.event(event)[0] if event else next(iter(self.events.values()))
        return schema_of(self, kind, row)
