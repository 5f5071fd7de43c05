"""The input of a hook of the flat form: its payload, the subjects of its matcher, its variables, its directory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...errors import message_of
from ...hooks.dialect import EventSpec, HostContext
from ...hooks.fields import NEUTRAL, gather, subject_of, text_of, variable, with_changes
from ...hooks.model import HookEvent, HookOutcome, HookSession, HookSpec
from ...hooks.tools import ARGUMENTS
from ...jsontext.chunks import LARGE
from ...jsontext.compact import (
    JSON,
    JsonText,
    TooDeep,
    WireError,
    check,
    compact,
    document,
    dumps,
    loads,
    to_bytes,
    validate,
)
from ...notice import Notice
from .places import Location, absolute, locate, slashes
from .vendor import Vendor, mcp_names

UNKNOWN_VERSION = "0.0.0"  # if the host gives no version: the variable is always set
COMMAND_KEYS = ARGUMENTS["command"]
PATH_KEYS = ARGUMENTS["file_path"]
_DRY = (None, "")


class Delivery:
    """Data that the hooks of one event share: the payload as text, and whether an empty stdout is a failure."""

    __slots__ = ("stdin", "strict_empty", "text")

    def __init__(self, text: str, strict_empty: bool) -> None:
        self.text = text
        self.stdin = to_bytes(text + "\n")
        self.strict_empty = strict_empty


class PayloadBuilder:
    """A converter of one event's fields into the vendor's payload."""

    __slots__ = ("cwd", "problems", "fields", "neutral", "payload", "row", "session", "spare", "host_context", "vendor")

    def __init__(
        self,
        vendor: Vendor,
        row: EventSpec,
        neutral: bool,
        fields: Mapping[str, JSON],
        host_context: HostContext,
        session: HookSession | None,
    ) -> None:
        self.vendor = vendor
        self.row = row
        self.neutral = neutral
        if neutral:  # one of several native events: a field that only another of them has is not an error
            others = vendor.known - NEUTRAL - row.places.keys()
            fields = {name: value for name, value in fields.items() if name not in others}
        self.fields = fields
        self.host_context = host_context
        self.session = session
        self.payload, self.spare, self.problems = gather(row, fields, neutral)
        self.cwd = slashes(text_of(self.payload.get("cwd") or self.spare.get("cwd")) or host_context.cwd)

    def make_event(self) -> HookEvent:
        """Return the event."""
        project_dir = self.base()
        for field in self.row.fields:
            fill = _FILL.get(field.native)
            if fill is not None:
                fill(self)
        subjects = self.subjects()
        return HookEvent(
            self.row,
            None,
            spell=self.spell,
            fields=self.fields,
            subjects=subjects,
            cwd=self.cwd,
            project_dir=project_dir,
            neutral=self.neutral,
            session=self.session,
            notices=tuple(self.problems.notices),
            faults=tuple(self.problems.faults),
        )

    def spell(self) -> dict[str, JSON]:
        """Return the payload with the tool's input and its result as text."""
        payload = self.payload.copy()
        for name in _TEXTS.intersection(payload):
            payload[name] = self.spelled_input(name) if name == "tool_input" else self.spelled_output(name)
        return payload

    def base(self) -> str:
        """Fill in the common fields from the host's settings and the session; return the project's root."""
        payload, settings, version = self.payload, self.host_context.settings, self.vendor.version_key
        payload["hook_event_name"] = self.row.native
        payload[version] = payload[version] or settings.get(version) or UNKNOWN_VERSION
        payload["model"] = payload["model"] or settings.get("model") or ""
        for name in ("user_email", "transcript_path"):
            payload[name] = payload[name] or settings.get(name) or None
        session = self.fields.get("session_id") or (self.session.id if self.session is not None else "")
        payload["conversation_id"] = payload["conversation_id"] or session
        if "session_id" in self.row.defaults:
            payload["session_id"] = payload["session_id"] or payload["conversation_id"]
        roots = plain(payload["workspace_roots"]) or settings.get("workspace_roots")
        project_dir = self.spare.get("project_dir")
        first = str(roots[0]) if isinstance(roots, (list, tuple)) and roots else ""
        project = slashes(str(project_dir or first or self.host_context.project_of(self.cwd)))
        payload["workspace_roots"] = roots or [project]
        return project

    # -- the tool's input ---------------------------------------------------------------------------------------------

    def input_member(self, *names: str) -> JSON:
        """Return the value of the first of these keys that the tool's input has."""
        return member(self.fields.get("tool_input"), names)

    def own_or_input(self, own: str, *names: str) -> JSON:
        """Return a field of the event, or its equivalent in the tool's input.

        Under a neutral name the input comes first: a hook of an earlier event may have rewritten it.
        """
        first, second = self.payload.get(own), self.input_member(*names)
        if self.neutral and second is not None:
            return second
        return first if first not in _DRY else second

    # -- one field each -----------------------------------------------------------------------------------------------

    def fill_cwd(self) -> None:
        """Fill in the agent's working directory."""
        self.payload["cwd"] = self.cwd

    def spelled_input(self, name: str) -> JSON:
        """Return the input as an object, or, for the events about MCP, as JSON text in a string."""
        value = self.payload[name]
        if name not in self.row.places:
            return value
        if "MCP" not in self.row.native:
            return input_text(value)
        if self.neutral or not isinstance(value, str) or isinstance(value, JsonText):
            return str.__str__(input_text(value))
        return value

    def fill_command(self) -> None:
        """Fill in the shell's command line; of an MCP server, keep one of ``command`` and ``url``."""
        if "MCP" in self.row.native:
            if self.payload.get("url") in _DRY:
                self.payload.pop("url", None)
                self.payload.setdefault("command", "")
            elif self.payload.pop("command", None) not in _DRY:
                self.problems.report("a server has a url or a command; the command is ignored", hint="give one of them")
            return
        command = self.own_or_input("command", *COMMAND_KEYS)
        tool_input = self.fields.get("tool_input")
        if command is None and tool_input not in (None, "", {}):
            # A guard must see what will run, in whatever form the caller gives it.
            command = str.__str__(input_text(tool_input))
            what = "the tool's input has no command; its hooks see the whole input"
            self.problems.report(what, "field-missing", "give command")
        lines = command is not None and command == self.input_member("commands")
        self.payload["command"] = command_line(command, "\n" if lines else " ")

    def fill_path(self) -> None:
        """Fill in the file's absolute path."""
        path = self.own_or_input("file_path", *PATH_KEYS)
        if path in _DRY and "tool_input" in self.fields:
            self.problems.fault('the tool\'s input has no file path: hooks see ""', "field-missing", "give file_path")
        self.payload["file_path"] = absolute(text_of(path), self.cwd) if path not in _DRY else ""

    def fill_edits(self) -> None:
        """Fill in the edits from the tool's input; a new file is one edit of an empty string (firebender 9.8)."""
        if self.payload.get("edits"):
            return
        edits = self.input_member("edits")
        old, new = self.input_member("old_string", "old_str"), self.input_member("new_string", "new_str")
        whole = self.input_member("content", "contents", "file_text")
        if not isinstance(edits, list):
            if old is None and new is None and whole is None:
                return
            edits = [{"old_string": old or "", "new_string": whole if old is None and new is None else new or ""}]
        self.payload["edits"] = edits

    def fill_attachments(self) -> None:
        """Rename the path keys of attachments to the vendor's name."""
        attachments = plain(self.payload.get("attachments"))
        key = self.vendor.attachment_path
        if isinstance(attachments, list):
            self.payload["attachments"] = [_with_path(item, key) for item in attachments]

    def spelled_output(self, native: str) -> JSON:
        """Return a tool's result as text, or as JSON text if the vendor quotes it."""
        value = self.payload[native]
        if native != self.row.places.get("tool_output") or value is None:
            return value
        quoted = native == "result_json" and native not in self.fields  # a field of this name is JSON text already
        if native == "tool_output":
            quoted = self.vendor.quoted_output
        if not isinstance(value, str) or (quoted and not isinstance(value, JsonText) and not _is_container(value)):
            return dumps(value)
        return str.__str__(value)

    def fill_loop_count(self) -> None:
        """Fill in the number of follow-ups: the caller's, else the session's."""
        loop_count = self.payload.get("loop_count") if "loop_count" in self.fields else None
        if isinstance(loop_count, bool) or not isinstance(loop_count, (int, float)):
            if loop_count is not None:
                self.problems.report("loop_count is not a number; the session's count is used", hint="give a number")
            counters = self.session.counters if self.session is not None else {}
            self.payload["loop_count"] = counters.get(counter(self.row), 0)

    # -- matchers -----------------------------------------------------------------------------------------------------

    def subjects(self) -> tuple[str, ...]:
        """Return the subjects of matchers; a matcher needs to match one of them (firebender 3)."""
        row, payload = self.row, self.payload
        constant = self.vendor.events[row.native].constant
        if row.subject == "tool_name":
            tool = subject_of(payload.get("tool_name"))
            names = self.vendor.tool_names(tool)
            return tuple(dict.fromkeys((*names, *mcp_names(tool)))) if "MCP" in row.native else names
        subjects = [constant] if constant else []
        if row.subject and row.subject in payload:
            subjects.append(subject_of(payload[row.subject]))
        return tuple(subjects)


def input_text(value: JSON) -> str:
    """Return a tool's input as JSON text; a str that is not a JSON object stays a string (firebender 5)."""
    if not isinstance(value, str):
        return JsonText(dumps({} if value is None else value))
    if isinstance(value, JsonText) or value.lstrip()[:1] == "{":
        try:
            validate(value)
            return JsonText(compact(value))
        except WireError:
            pass
    return str.__str__(value)


def plain(value: JSON) -> JSON:
    """Parse a value that the caller gave as JSON text; text that is nested too deeply stays text."""
    try:
        return loads(value) if isinstance(value, JsonText) else value
    except TooDeep:
        return value


def member(value: JSON, names: Iterable[str]) -> JSON:
    """Return the value of the first of these keys that a tool's input has; None if it has none of them."""
    if isinstance(value, str):
        try:
            value = loads(value)
        except WireError:
            return None
    if isinstance(value, Mapping):
        for name in names:
            if value.get(name) not in _DRY:
                return value[name]
    return None


def command_line(value: JSON, between: str = " ") -> str:
    """Return a command as one text. A list of words or of commands is joined, by a space or a newline."""
    if isinstance(value, (list, tuple)):
        return between.join(map(text_of, value))
    return text_of(value)


def counter(row: EventSpec) -> str:
    """Return the name of the session's counter of an event's follow-ups; ``stop`` uses the common one."""
    return "followups" if row.native == "stop" else f"{row.native}_followups"


def rewritten(event: HookEvent, outcome: HookOutcome) -> HookEvent:
    """Return the event as the next hook sees it (firebender 7)."""
    changes: dict[str, JSON] = {}
    if outcome.rewrite is not None and not outcome.blocks:
        changes["tool_input"] = JsonText(outcome.rewrite)
    if outcome.output is not None:
        changes["tool_output"] = str.__str__(outcome.output)
    return with_changes(event, changes) if changes else event


def subjects_of(event: HookEvent, kind: str) -> tuple[str, ...]:
    """Return the subjects of one condition of an object matcher: ``tool``, ``command``, ``file`` or ``any``."""
    if kind == "any":
        return event.subjects
    payload = event.payload
    if kind == "tool":
        return event.subjects if "tool_name" in payload else ()
    names = COMMAND_KEYS if kind == "command" else PATH_KEYS
    values = [payload.get(names[0]), member(payload.get("tool_input"), names)]
    return tuple(command_line(value) for value in values if value not in _DRY)


def deliver(event: HookEvent, host_context: HostContext) -> Delivery:
    """Return the data that the hooks of an event share; built on the first call."""
    delivery = event.delivery
    if delivery is None:
        _fill_content(event, host_context)
        strict = host_context.settings.get("strict_empty") is True
        delivery = event.delivery = Delivery(document(event.payload), strict)
    found: Delivery = delivery
    return found


def _fill_content(event: HookEvent, host_context: HostContext) -> None:
    """Fill in ``content`` with the text of the file that is about to be read, if the host does not give it.

    The file is read here and not when the event is built, because only a hook that runs needs it. An empty text instead
    would hide from a guard what it looks for (firebender 5, 9.9).
    """
    payload = event.payload
    if payload.get("content") not in _DRY or "content" in event.fields or payload.get("file_path") in _DRY:
        return
    path = str(payload["file_path"])
    try:
        payload["content"] = host_context.read(path).decode("utf-8", "replace")
    except FileNotFoundError:
        pass  # the tool will fail for the same reason
    except OSError as error:
        message = f"its hooks can't see the content of {path}: {message_of(error)}"
        event.notices += (Notice(message, "field-missing").advised("give content"),)


def directory(spec: HookSpec, event: HookEvent, vendor: Vendor, host_context: HostContext) -> tuple[str, str]:
    """Return a hook's working directory, and the project directory for its variables (firebender 1, 4)."""
    place: Location = spec.extra.get("place") or locate(spec.origin, vendor, host_context)
    project_dir = event.fields.get("project_dir")
    project = place.root if place.scope == "project" and place.root and not project_dir else event.project_dir
    cwd = place.cwd
    if not cwd or not host_context.exists(cwd):  # a config text without a path, or a missing directory
        cwd = event.project_dir if host_context.exists(event.project_dir) else event.cwd
    return cwd, project


def variables(event: HookEvent, project: str, vendor: Vendor, host_context: HostContext) -> dict[str, str]:
    """Return a hook's environment: the host's, then variables of ``sessionStart`` hooks, then the vendor's own."""
    env: dict[str, str] = dict(host_context.base)
    if event.session is not None:
        env.update(event.session.env)
    payload, prefix = event.payload, vendor.prefix
    own: dict[str, Any] = {
        "PROJECT_DIR": project,
        "VERSION": payload.get(vendor.version_key),
        "USER_EMAIL": payload.get("user_email"),
        "TRANSCRIPT_PATH": payload.get("transcript_path"),
        "CODE_REMOTE": "true" if host_context.settings.get("code_remote") is True else None,
    }
    for name in vendor.variables:
        key, value = f"{prefix}_{name}", own[name]
        env.pop(key, None)  # a value of an outer call
        if value not in _DRY:
            env[key] = variable(value)
    for alias, key in vendor.aliases.items():
        if key in env:
            env[alias] = env[key]
    return env


def _with_path(item: JSON, key: str) -> JSON:
    if not isinstance(item, Mapping) or key in item:
        return item
    return {(key if name in ("filePath", "file_path") else name): value for name, value in item.items()}


def _is_container(text: str) -> bool:
    if text.lstrip()[:1] not in ("{", "["):
        return False
    try:
        loads(text) if len(text) <= LARGE else check(text)
    except WireError:
        return False
    return True


_FILL = {
    "cwd": PayloadBuilder.fill_cwd,
    "command": PayloadBuilder.fill_command,
    "file_path": PayloadBuilder.fill_path,
    "edits": PayloadBuilder.fill_edits,
    "attachments": PayloadBuilder.fill_attachments,
    "loop_count": PayloadBuilder.fill_loop_count,
}
_TEXTS = frozenset(["tool_input", "tool_output", "output", "result_json"])
