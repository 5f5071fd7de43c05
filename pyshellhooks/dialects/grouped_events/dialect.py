"""The common base class of the relatives of Claude Code, whose tables have the differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ...hooks.config_form import ConfigForm, grouped
from ...hooks.dialect import ConfigFile, Dialect, EventSpec, HostContext, Loaded, Setting
from ...hooks.fields import gather, set_cwd_and_session, subject_of
from ...hooks.model import Delivery, HookEvent, HookJob, HookOutcome, HookRun, HookSession, HookSpec, Origin
from ...hooks.render import HookOutput, Rendering
from ...hooks.verdict import HookResult, Verdict
from ...jsontext.compact import JSON, document, to_bytes
from . import merging
from .form import AnswerForm
from .payload import blocks_so_far, count_refused_stops, event_of
from .relative import HandlerForm, HooksLoader
from .run_reader import RunReader

#: Field of the payload that a host sets once for all events, if the caller does not give it -> the setting's summary.
_COMMON = {
    "transcript_path": Setting("string", "the path of the transcript; default: none"),
    "model": Setting("string", "the model's name, if an event does not contain it"),
    "permission_mode": Setting("string", "default, acceptEdits, plan, dontAsk or bypassPermissions"),
}


class GroupedEvents(Dialect):
    """A relative of Claude Code. A subclass has the tables, and methods where its rules differ."""

    form: ClassVar[AnswerForm]
    handlers: ClassVar[HandlerForm]
    loader: ClassVar[type[HooksLoader]]  # of one file; a subclass that overrides ``load`` needs none
    reader: ClassVar[type[RunReader]]  # of one run; a subclass that overrides ``parse`` needs none
    #: Tool -> further names of it that a matcher may have.
    aliases: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    settings: ClassVar[Mapping[str, Setting]] = _COMMON
    reasons: ClassVar[int | None] = None  # of several blocks so many reasons count; None: all
    config_form: ClassVar[ConfigForm | None] = ConfigForm(grouped)
    final_newline: ClassVar[str] = ""  # the quirk under which stdin has no newline at the end; "": none

    def hook_keys(self) -> tuple[str, ...]:
        """Return the keys of the table of handlers."""
        return self.handlers.names

    def recognises(self, root: Mapping[str, JSON]) -> bool:
        """Return False: its files look like those of Claude Code, and only their names differ."""
        return False

    def places(self, place: HostContext) -> list[ConfigFile]:
        """Return the system's files in the home directory of the user, then those in the project."""
        user = [ConfigFile(place.join(place.home, name), "user") for name in self.file_names]
        project = [ConfigFile(place.join(place.directories()[0], name), "project") for name in self.file_names]
        known = {file.path for file in user}
        return [*user, *[file for file in project if file.path not in known]]

    def load(self, text: str, origin: Origin, agent: str = "") -> Loaded:
        """Read one file."""
        return self.loader(text, origin, self.active, self.events).load()

    def parse(self, run: HookRun, spec: HookSpec, event: HookEvent) -> HookOutcome:
        """Parse the exit status and stdout."""
        return self.reader(run, spec, event, self.active).read()

    def mcp_names(self, server: str, tool: str) -> tuple[str, ...]:
        """Return the name of an MCP server's tool, which relatives share with Claude Code."""
        return (f"mcp__{server}__{tool}",)

    def matches_tool(self, spec: HookSpec, tool: str) -> bool:
        """Return whether a hook's matcher matches a tool's name, or one of its aliases."""
        return any(super(GroupedEvents, self).matches_tool(spec, name) for name in self._names(tool))

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
        place = set_cwd_and_session(payload, spare, host_context, session)
        for name in _COMMON:
            if name in payload and name not in fields and host_context.settings.get(name):
                payload[name] = host_context.settings[name]
        if "stop_hook_active" in payload and "stop_hook_active" not in fields:
            loops = spare.get("loop_count")
            payload["stop_hook_active"] = bool(loops) or blocks_so_far(row.native, payload, session) > 0
        subject = subject_of(payload.get(row.places.get(row.subject, row.subject), "")) if row.subject else ""
        subjects = self._names(subject) if row.subject == "tool_name" else (subject,)
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

    def _names(self, tool: str) -> tuple[str, ...]:
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
        return merging.merge(event, results, limit=self.reasons)

    def settle(self, event: HookEvent, verdict: Verdict) -> None:
        """Count refused stops in a row, for ``stop_hook_active``."""
        count_refused_stops(event, verdict)

    def render(self, rendering: Rendering) -> HookOutput:
        """Render a verdict as JSON, with exit status 2 for a block that JSON can't express."""
        from .render import Renderer

        return Renderer(rendering, self.form, self.active).render()

    def schema(self, kind: str, event: str = "") -> dict[str, JSON]:
        """Return the JSON Schema of ``config``, ``input`` or ``output``."""
        from .schema import schema_of

        row = self.event(event)[0] if event else next(iter(self.events.values()))
        return schema_of(self, kind, row)
