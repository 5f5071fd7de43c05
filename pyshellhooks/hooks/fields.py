"""The neutral names of an event's fields, and the conversion of a caller's fields into a system's payload."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping

from ..jsontext.chunks import LARGE, changed
from ..jsontext.compact import JSON, JsonText, WireError, compact, dumps, encode_string, validate
from ..notice import STRICT, Notice
from .dialect import ABSENT, EventSpec, Field, HostContext
from .model import HookEvent, HookSession
from .suggest import did_you_mean

#: Fields that a caller may give for any event in any system; a system ignores those that its event lacks.
NEUTRAL = frozenset(
    [
        "session_id",
        "cwd",
        "project_dir",
        "tool_name",
        "tool_input",
        "tool_call_id",
        "tool_output",
        "tool_error",
        "success",
        "duration_ms",
        "prompt",
        "followup",
        "response",
        "status",
        "loop_count",
        "source",
        "reason",
        "trigger",
        "message",
        "level",
        "file_path",
        "content",
        "edits",
        "attachments",
        "command",
        "url",
        "model",
        "llm_request",
        "llm_response",
        "turn_id",
        "agent_id",
    ]
)


#: Neutral fields that every event uses, even if its payload lacks them -> their types.
_ALWAYS: dict[str, frozenset[type]] = {
    "cwd": frozenset([str]),
    "project_dir": frozenset([str]),
    "session_id": frozenset([str]),
    "success": frozenset([bool]),
}
_NAMES = {
    "cwd": Field("cwd", sample="/work"),
    "project_dir": Field("project_dir", sample="/work"),
    "session_id": Field("session_id", sample="ses-1"),
    "success": Field("success", kind="boolean", sample=True),
}
_WANTED = {
    "string": "a string",
    "string or null": "a string",
    "boolean": "true or false",
    "integer": "a number",
    "number": "a number",
    "array": "an array",
    "strings": "an array",
    "object": "an object",
    "words": "a string",
    "arguments": "an object",
    "arguments or text": "an object",
}
_NO_BYTE = re.compile("[\ud800-\udc7f\udd00-\udfff]")
_SHOWN = 60  # characters of a value in a message


class FieldProblems:
    """The problems of an event's fields: all notices, and the faults among them, a deny under ``strict``."""

    __slots__ = ("faults", "notices")

    def __init__(self) -> None:
        self.notices: list[Notice] = []
        self.faults: list[Notice] = []

    def report(self, message: str, kind: str = "field-wrong", hint: str = "") -> None:
        """Report a problem that hides nothing from a guard."""
        self.notices.append(Notice(message, kind, hint=hint))

    def fault(self, message: str, kind: str = "field-wrong", hint: str = "") -> None:
        """Report a problem that hides from a guard a value it decides by."""
        notice = Notice(message, kind, hint=hint, fault=STRICT)
        self.notices.append(notice)
        self.faults.append(notice)


def gather(
    row: EventSpec, fields: Mapping[str, JSON], neutral: bool = True
) -> tuple[dict[str, JSON], dict[str, JSON], FieldProblems]:
    """Return the payload (native names and order, defaults), the neutral fields that it lacks, and the problems.

    An unknown field is passed through at the end of the payload, with a notice. A missing or mistyped field that a
    guard decides by is a fault (decisions required fields); the hooks see a mistyped one as the caller gave it. None
    for an optional field counts as not given.
    """
    payload = row.defaults.copy()
    spare: dict[str, JSON] = {}
    problems = FieldProblems()
    places, types = row.places, row.types
    for name, value in fields.items():
        native = places.get(name)
        if native is not None:
            if native == name or native not in fields:
                wanted = types.get(native)
                if wanted is None or type(value) in wanted:
                    payload[native] = value
                else:
                    _check_type(row.named[native], name, value, payload, problems)
        elif name in NEUTRAL:
            if name not in _ALWAYS or type(value) in _ALWAYS[name]:
                spare[name] = value
            elif value is not None:
                _report_wrong_type(problems, _NAMES[name], name, value, "; it is ignored")
        else:
            payload[name] = value
            hint = did_you_mean(name, places.keys() | NEUTRAL)
            problems.report(f'field "{name}" is unknown; it is passed through', "field-unknown", hint)
    for native in row.needed:
        value = payload.get(native)
        if value == "" or native not in fields:
            _check_presence(row, row.named[native], value, fields, neutral, problems)
    for field in row.limited:
        value = payload.get(field.native)
        if type(value) is str and value and value not in field.values:
            known = ", ".join(field.values)
            message = f'field "{_present_name(field, fields)}" is {_shown(value)}'
            problems.fault(message, hint=f"give one of {row.native}: {known}")
    if len(payload) > len(row.defaults):  # an optional key has the system's place, not the caller's
        known_keys = {field.native: payload.pop(field.native) for field in row.fields if field.native in payload}
        payload = {**known_keys, **payload}
    return payload, spare, problems


def set_cwd_and_session(
    payload: dict[str, JSON],
    spare: Mapping[str, JSON],
    host_context: HostContext,
    session: HookSession | None,
    cwd_key: str = "cwd",
    session_key: str = "session_id",
) -> tuple[str, str]:
    """Set the working directory and session id in the payload if missing; return that directory and the project's."""
    cwd = payload[cwd_key] = str(payload[cwd_key] or host_context.cwd)
    if not payload[session_key] and session is not None:
        payload[session_key] = session.id
    return cwd, str(spare.get("project_dir") or host_context.project_of(cwd))


def text_of(value: JSON) -> str:
    """Return a field as text, for a variable: a string itself, anything else as JSON.

    A value without a JSON form (an infinity) is rendered by ``str``: it must not hide the values beside it.
    """
    if isinstance(value, str):
        return str.__str__(value)
    try:
        return "" if value is None else dumps(value)
    except WireError:
        return str(value)


def timestamp(now: float) -> str:
    """Format a time as ``YYYY-MM-DDTHH:MM:SS.mmmZ``."""
    milliseconds = int(now * 1000)
    seconds = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(milliseconds // 1000))
    return f"{seconds}.{milliseconds % 1000:03d}Z"


def variable(value: JSON) -> str:
    """Return a field as the value of a variable: without NUL and lone surrogates, with which no program starts.

    Bytes of a path that are not UTF-8 stay (``surrogateescape``).
    """
    text = value if type(value) is str else text_of(value)
    if "\0" in text:
        text = text.replace("\0", "")
    if text.isascii():
        return text
    return _without_surrogates(text) if len(text) <= LARGE else changed(text, _without_surrogates)


def _without_surrogates(text: str) -> str:
    return _NO_BYTE.sub("\ufffd", text)


def subject_of(value: JSON) -> str:
    """Return a field as the subject of matchers; ``""`` for a mistyped or missing one."""
    return value if type(value) is str else ""


def _present_name(field: Field, fields: Mapping[str, JSON]) -> str:
    return field.native if field.native in fields else field.neutral


def _check_presence(
    row: EventSpec, field: Field, value: JSON, fields: Mapping[str, JSON], neutral: bool, problems: FieldProblems
) -> None:
    """Report a needed field that is missing, or a subject that is empty."""
    if field.native in fields or field.neutral in fields:
        if value == "" and row.subject in (field.native, field.neutral):
            message = f'field "{_present_name(field, fields)}" is empty'
            problems.fault(message, "field-missing", f"give {_wanted(field)}")
    elif all([fields.get(name) is None for name in field.unless]):
        name = field.neutral if neutral else field.native
        seen = "nothing" if field.default is ABSENT or field.default is None else _shown(field.default)
        problems.fault(f'field "{name}" is missing: hooks see {seen}', "field-missing", f"give {_wanted(field)}")


def _report_wrong_type(problems: FieldProblems, field: Field, name: str, value: JSON, seen: str = "") -> None:
    shown = "null" if value is None else f"{_kind(value)}, {_shown(value)}"
    problems.fault(f'field "{name}" is {shown}{seen}', hint=f"give {_wanted(field)}")


def _wanted(field: Field) -> str:
    text = _WANTED.get(field.takes, "it")
    return text if field.sample is None else f"{text}, such as {_shown(field.sample)}"


def _shown(value: JSON) -> str:
    """Return a value as JSON for a message, shortened; a long text is cut before it is rendered."""
    if isinstance(value, JsonText):
        text = value[: _SHOWN + 1]
    elif isinstance(value, str):
        text = dumps(str.__str__(value[: _SHOWN + 1]))
    else:
        try:
            text = dumps(value)
        except WireError:
            text = f"({type(value).__name__})"
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def _kind(value: JSON) -> str:
    """Return JSON's name of a value's type, with its article."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, JsonText):
        return {"{": "an object", "[": "an array", '"': "a string"}.get(value[:1], "a scalar")
    return "a string" if isinstance(value, str) else "an array" if isinstance(value, list) else "an object"


def _check_type(field: Field, name: str, value: JSON, payload: dict[str, JSON], problems: FieldProblems) -> None:
    """Put a value of another type than the field's into the payload, and report a fault unless it is acceptable."""
    native, takes = field.native, field.takes
    if value is None and not field.needed:
        if field.default is ABSENT or field.default is None:
            payload[native] = None
        return
    if takes in ("arguments", "arguments or text"):
        payload[native] = _arguments(field, name, value, problems)
        return
    kind = _kind(value)
    if (
        takes == "words"
        and kind == "an array"
        or kind == _WANTED[takes]
        or (kind == "null" and takes == "string or null")
    ):
        payload[native] = value
    elif field.neutral == "cwd":  # a hook cannot start in a value that is not a path
        _report_wrong_type(problems, field, name, value, ": hooks start in the engine's directory")
    else:
        payload[native] = value
        _report_wrong_type(problems, field, name, value)


def _arguments(field: Field, name: str, value: JSON, problems: FieldProblems) -> JSON:
    """Return a tool's arguments. A str is JSON text, as the model sent it; hooks see any other text as a string."""
    if not isinstance(value, str):
        _report_wrong_type(problems, field, name, value)
        return value
    if not value.strip():
        message = f'field "{name}" is empty text: hooks see {_shown(field.default)}'
        problems.fault(message, "field-missing", f"give {_wanted(field)}")
        return field.default
    before = len(problems.faults)
    tool_input = json_text(name, value, problems)
    if len(problems.faults) == before and tool_input[:1] != "{":
        _report_wrong_type(problems, field, name, tool_input)
    if field.takes == "arguments or text" and not isinstance(value, JsonText):
        return str.__str__(value)
    return tool_input


def arguments_text(value: JSON) -> JsonText:
    """Return the arguments of a payload of ``gather`` as JSON text."""
    return value if type(value) is JsonText else JsonText(dumps(value))


def lost(arguments: JSON, text: str) -> bool:
    """Return whether arguments were text that is not JSON, for systems whose program drops such arguments."""
    return isinstance(arguments, str) and text[:1] == '"' and text == encode_string(str.__str__(arguments))


def json_text(name: str, value: JSON, problems: FieldProblems) -> JsonText:
    """Return a structured field as compact JSON text. A str is JSON text already, as the model sent it.

    A str that is not JSON becomes a JSON string, with a fault: ``{}`` would hide the text from a guard.
    """
    if not isinstance(value, str):
        return JsonText(dumps(value))
    try:
        validate(value)
    except WireError as error:
        problems.fault(
            f'field "{name}" is text that is not JSON ({error}): hooks see a string', hint="give JSON, or an object"
        )
        return JsonText(dumps(str.__str__(value)))
    return JsonText(compact(value))


def with_field(row: EventSpec, fields: Mapping[str, JSON], neutral: str, value: JSON) -> dict[str, JSON]:
    """Return an event's fields with another value for one of them, whether its name there is native or neutral."""
    native = row.places.get(neutral, neutral)
    fields = {key: value for key, value in fields.items() if key != neutral and row.places.get(key) != native}
    return {**fields, neutral: value}


def with_changes(event: HookEvent, changes: Mapping[str, JSON]) -> HookEvent:
    """Return an event as the next hook of a chain sees it. ``changes``: a field's neutral name -> its new value."""
    row, fields, payload = event.row, event.fields, dict(event.payload)
    for name, value in changes.items():
        fields = with_field(row, fields, name, value)
        payload[row.places.get(name, name)] = value
    return HookEvent(
        row,
        payload,
        fields=fields,
        subjects=event.subjects,
        cwd=event.cwd,
        project_dir=event.project_dir,
        neutral=event.neutral,
        session=event.session,
        notices=event.notices,
    )


def sample(row: EventSpec, neutral: bool) -> dict[str, JSON]:
    """Return sample values of an event's fields, for ``fire --sample``."""
    result: dict[str, JSON] = {}
    for field in row.fields:
        if field.sample is not None:
            result[field.neutral if neutral else field.native] = field.sample
    return result
