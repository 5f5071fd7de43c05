"""The common base class of the relatives of Claude Code, whose tables have the differences."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from ...hooks.config_form import ConfigForm, grouped
from ...hooks.dialect import ConfigFile, Dialect, EventSpec, Field, HostContext, Loaded, Setting
from ...hooks.fields import gather, set_cwd_and_session, subject_of, timestamp, variable
from ...hooks.model import Delivery, HookEvent, HookJob, HookOutcome, HookRun, HookSession, HookSpec, Origin
from ...hooks.render import HookOutput, Rendering
from ...hooks.verdict import HookResult, Verdict
from ...jsontext.compact import JSON, document, to_bytes
from . import merging
from .few_keys import FewKeys, render
from .form import AnswerForm
from .payload import blocks_so_far, count_refused_stops, event_of
from .relative import HandlerForm, HooksLoader
from .run_reader import RunReader

if TYPE_CHECKING:
    from pydantic import BaseModel

#: Field of the payload that a host sets once for all events, if the caller does not give it -> the setting's summary.
_COMMON = {
    "transcript_path": Setting("string", "the path of the transcript; default: none"),
    "model": Setting("string", "the model's name, if an event does not contain it"),
    "permission_mode": Setting("string", "default, acceptEdits, plan, dontAsk or bypassPermissions"),
}


#: The quirk under which the variables of the project's directory hold the working directory.
PROJECT_DIR_IS_CWD = "project_dir_is_cwd"


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
    most_blocks: ClassVar[int] = 0  # so many stops in a row hooks may refuse; 0: any number
    project_variables: ClassVar[tuple[str, ...]] = ()  # the variables that hold the project's directory
    call_variables: ClassVar[Mapping[str, str]] = {}  # further variables -> the key of the payload with the value
    group_fields: ClassVar[tuple[Field, ...]] = ()  # the keys of a group beside its matcher and its hooks
    in_settings: ClassVar[bool] = False  # whether its hooks are in a file with other settings
    final_newline: ClassVar[str] = ""  # the quirk under which stdin has no newline at the end; "": none
    cwd_key: ClassVar[str] = "cwd"  # the key of the working directory in its payloads

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

    def prepare(self, host_context: HostContext) -> None:
        """Store the host's environment without the variables of a call, which an outer agent may have set."""
        host_context.base = {name: value for name, value in host_context.env.items() if name not in self.variables}

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
        if self.event_key in row.named:
            payload[self.event_key] = row.native
        place = set_cwd_and_session(payload, spare, host_context, session, self.cwd_key, row.places["session_id"])
        for name in _COMMON:
            native = row.places.get(name, name)
            if native in payload and name not in fields and native not in fields and host_context.settings.get(name):
                payload[native] = host_context.settings[name]
        if "stop_hook_active" in payload and "stop_hook_active" not in fields:
            loops = spare.get("loop_count")
            payload["stop_hook_active"] = bool(loops) or blocks_so_far(row.native, payload, session) > 0
        if payload.get("timestamp") == "":
            payload["timestamp"] = timestamp(time.time())
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
        """Return the environment of a hook: the host's, that of this call, and the hook's own variables."""
        variables: dict[str, str] = host_context.base
        if not self.project_variables:
            return variables
        directory = event.cwd if PROJECT_DIR_IS_CWD in self.active else event.project_dir
        call = {name: variable(event.payload.get(key) or "") for name, key in self.call_variables.items()}
        own = {name: value.replace("\0", "") for name, value in (spec.env or {}).items()}
        return {**variables, **dict.fromkeys(self.project_variables, variable(directory)), **call, **own}

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
        return self.most_blocks if self.most_blocks and refused >= self.most_blocks else 0

    def settle(self, event: HookEvent, verdict: Verdict) -> None:
        """Count refused stops in a row, for ``stop_hook_active``."""
        count_refused_stops(event, verdict)

    def render(self, rendering: Rendering) -> HookOutput:
        """Render a verdict as JSON, with exit status 2 for a block that JSON can't express."""
        if isinstance(self.form, FewKeys):
            return render(rendering, self.form)
        from .render import Renderer

        return Renderer(rendering, self.form, self.active).render()

    def model(self, kind: str, row: EventSpec) -> type[BaseModel]:
        """Return the model of ``config``, or of an event's ``input`` or ``output``; KeyError for anything else."""
        from .schema import model_of

        return model_of(self, kind, row)

    def schema(self, kind: str, event: str = "") -> dict[str, JSON]:
        """Return the JSON Schema of ``config``, ``input`` or ``output``."""
        from .schema import schema_of

        row = self.event(event)[0] if event else next(iter(self.events.values()))
        return schema_of(self, kind, row)
