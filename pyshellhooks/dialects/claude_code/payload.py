"""Input of a Claude Code hook: stdin, environment, argument vector, request (claude_code 2, 4, 5)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ...hooks.dialect import EventSpec, HostContext
from ...hooks.fields import gather, set_cwd_and_session, subject_of, variable
from ...hooks.model import HookEvent, HookJob, HookSession, HookSpec
from ...hooks.tools import own_names as names_of
from ...jsontext.compact import JSON, JsonText, TooDeep, WireError, document, dumps, loads, to_bytes
from ..grouped_events.payload import blocks_so_far, event_of, expanded
from .events import LARGEST_BUDGET
from .tables import MOST_BLOCKS, OLD_NAMES, PLACEHOLDERS, TOOLS

#: Variables that describe one call or one hook; those of an outer call must not be inherited.
_OWN_VARIABLES = ("CLAUDE_ENV_FILE", "CLAUDE_EFFORT", "CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA", "CLAUDE_PROJECT_DIR")
_BUDGET_VARIABLE = "CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS"
_CAP_VARIABLE = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"
_PLACEHOLDER = re.compile(rf"\$\{{(?:({'|'.join(PLACEHOLDERS)})|user_config\.([A-Za-z0-9_.-]+))\}}")
_OPTION = re.compile(r"[A-Za-z0-9_.-]+", re.ASCII)  # the name of a plugin's option
_ARGUMENTS = re.compile(r"\\\$|\$ARGUMENTS")
_PATH = re.compile(r"\$\{([A-Za-z0-9_.-]+)\}")


class Delivery:
    """Input that the hooks of one event share: the home and, once a hook runs, stdin and environment."""

    __slots__ = ("env", "home", "stdin")

    def __init__(self, home: str) -> None:
        self.home = home
        self.stdin = b""
        self.env: dict[str, str] = {}


def base_environment(host_context: HostContext) -> dict[str, str]:
    """Return the variables that every hook inherits: the host's, without those that describe another call."""
    base = {name: value for name, value in host_context.env.items() if name not in _OWN_VARIABLES}
    if host_context.settings.get("remote"):
        base["CLAUDE_CODE_REMOTE"] = "true"
    return base


def make_event(
    row: EventSpec,
    neutral: bool,
    fields: Mapping[str, JSON],
    host_context: HostContext,
    session: HookSession | None,
) -> HookEvent:
    """Build the event, with Claude Code's field names and order."""
    payload, spare, problems = gather(row, fields, neutral)
    settings = host_context.settings
    payload["hook_event_name"] = row.native
    cwd, project_dir = set_cwd_and_session(payload, spare, host_context, session)
    if not payload["transcript_path"]:
        payload["transcript_path"] = settings.get("transcript_path", "")
    if "permission_mode" not in fields and "permission_mode" in payload and settings.get("permission_mode"):
        payload["permission_mode"] = settings["permission_mode"]
    if "effort" not in payload and "effort" in row.named and settings.get("effort"):
        payload = _with_member_after(payload, "permission_mode", "effort", {"level": settings["effort"]})
    if "stop_hook_active" in payload and "stop_hook_active" not in fields:
        loops = spare.get("loop_count")
        payload["stop_hook_active"] = bool(loops) or blocks_so_far(row.native, payload, session) > 0
    subject = _subject(row, payload)
    event = event_of(
        row,
        payload,
        fields,
        _names(row, subject),
        (cwd, project_dir),
        problems,
        neutral=neutral,
        session=session,
    )
    event.delivery = Delivery(host_context.home)
    return event


def _with_member_after(payload: dict[str, JSON], before: str, key: str, value: JSON) -> dict[str, JSON]:
    result: dict[str, JSON] = {}
    for name, item in payload.items():
        result[name] = item
        if name == before:
            result[key] = value
    return result


def used_up(event: HookEvent) -> int:
    """Return how many stops in a row hooks have refused, if they may refuse no more; else 0."""
    delivery = event.delivery
    text = delivery.env.get(_CAP_VARIABLE, "") if isinstance(delivery, Delivery) else ""
    most = int(text) if re.fullmatch(r"[0-9]{1,6}", text) else MOST_BLOCKS
    return most if blocks_so_far(event.row.native, event.payload, event.session) >= most else 0


def own_names(tool: str) -> tuple[str, ...]:
    """Return Claude Code's names for a tool of another system."""
    return names_of(tool, TOOLS, lambda server, name: (f"mcp__{server}__{name}",))


def _names(row: EventSpec, subject: str) -> tuple[str, ...]:
    """Return the texts that a matcher is tried on: of a tool also its old names."""
    if row.subject == "tool_name":
        return (subject, *OLD_NAMES.get(subject, ()))
    return (subject,) if row.subject else ()


def _subject(row: EventSpec, payload: Mapping[str, JSON]) -> str:
    text = subject_of(payload.get(row.places.get(row.subject, row.subject), ""))
    if row.subject == "file_path":
        return text.replace("\\", "/").rpartition("/")[2]
    return text


def tool_values(event: HookEvent) -> Mapping[str, JSON]:
    """Return the tool's input as values, for rules; ``{}`` if it is not an object."""
    tool_input = event.fields.get("tool_input")
    if isinstance(tool_input, Mapping):
        return tool_input
    try:
        value = loads(str.__str__(event.payload.get("tool_input", "{}")))
    except WireError:
        return {}
    return value if isinstance(value, dict) else {}


# -- one job ----------------------------------------------------------------------------------------------------------


def home(event: HookEvent) -> str:
    """Return the home directory to which ``~/`` in a rule refers."""
    delivery = event.delivery
    return delivery.home if isinstance(delivery, Delivery) else ""


def deliver(event: HookEvent, host_context: HostContext) -> Delivery:
    """Return the stdin and the environment that all hooks of the event share; they are built once."""
    delivery = event.delivery
    if not isinstance(delivery, Delivery):
        delivery = event.delivery = Delivery(host_context.home)
    if not delivery.stdin:
        delivery.stdin = to_bytes(document(event.payload) + "\n")
        env: dict[str, str] = host_context.base.copy()
        env["CLAUDECODE"] = "1"
        env["CLAUDE_CODE_SESSION_ID"] = variable(event.payload.get("session_id", ""))
        env["CLAUDE_PROJECT_DIR"] = variable(event.project_dir)
        effort = event.payload.get("effort")
        if isinstance(effort, Mapping) and isinstance(effort.get("level"), str):
            env["CLAUDE_EFFORT"] = variable(effort["level"])
        delivery.env = env
    return delivery


def job(event: HookEvent, spec: HookSpec, host_context: HostContext) -> HookJob:
    """Return the job of one hook."""
    delivery = deliver(event, host_context)
    settings = host_context.settings
    root = str(spec.extra.get("plugin") or settings.get("plugin_root") or "")
    own = spec.extra.get("env")
    env = delivery.env | {name: str(value) for name, value in own.items()} if isinstance(own, dict) else delivery.env
    if root:
        env = env | _plugin_variables(root, spec, settings)
    return HookJob(
        spec,
        stdin=delivery.stdin,
        env=env,
        cwd=event.cwd,
        timeout=_timeout(spec, host_context.env),
        argv=_argv(spec, env, options_of(spec, settings)) if spec.kind == "command" else None,
        env_file="CLAUDE_ENV_FILE" if "env" in event.row.can and spec.kind == "command" else "",
        request=None if spec.kind == "command" else _request(event, spec, host_context.env),
    )


def _timeout(spec: HookSpec, env: Mapping[str, str]) -> float:
    """Return the timeout in seconds; for the end of a session a variable of the environment can set it."""
    if spec.event == "SessionEnd":
        text = env.get(_BUDGET_VARIABLE, "")
        if re.fullmatch(r"[0-9]{1,9}", text) and int(text) > 0:
            return min(int(text) / 1000, LARGEST_BUDGET)
    return spec.timeout


def _plugin_variables(root: str, spec: HookSpec, settings: Mapping[str, JSON]) -> dict[str, str]:
    variables = {"CLAUDE_PLUGIN_ROOT": root}
    data = spec.extra.get("data") or settings.get("plugin_data")
    if data:
        variables["CLAUDE_PLUGIN_DATA"] = str(data)
    for name, value in options_of(spec, settings).items():
        if _OPTION.fullmatch(name):
            variables[f"CLAUDE_PLUGIN_OPTION_{name.upper()}"] = variable(value)
    return variables


def options_of(spec: HookSpec, settings: Mapping[str, JSON]) -> dict[str, str]:
    """Return the options of a hook's plugin as texts: those of the user's settings, overridden by the host's."""
    found: dict[str, str] = {}
    for options in (spec.extra.get("options"), settings.get("user_config")):
        for name, value in options.items() if isinstance(options, Mapping) else ():
            found[name] = ",".join(map(_text, value)) if isinstance(value, list) else _text(value)
    return found


def _text(value: JSON) -> str:
    return value if isinstance(value, str) else "" if value is None else dumps(value)


def _argv(spec: HookSpec, env: Mapping[str, str], options: Mapping[str, str]) -> tuple[str, ...] | None:
    """Return program and arguments with the placeholders filled; None if our shell runs the command."""
    if spec.argv is None:
        return None

    def value(match: re.Match[str]) -> str:
        if match[1]:
            return env.get(match[1], match[0])
        return options.get(match[2], match[0])

    return tuple(_PLACEHOLDER.sub(value, word) for word in spec.argv)


def _request(event: HookEvent, spec: HookSpec, env: Mapping[str, str]) -> dict[str, JSON]:
    """Return the request to the host's handler."""
    extra = spec.extra
    text = document(event.payload)
    request: dict[str, JSON] = {"payload": text, "event": event.row.native}
    if spec.kind == "http":
        allowed = frozenset(extra.get("allowed", ()))
        headers = {name: expanded(value, allowed, env) for name, value in extra.get("headers", {}).items()}
        request |= {"method": "POST", "url": extra.get("url", spec.command), "body": text}
        request["headers"] = {"Content-Type": "application/json", **headers}
    elif spec.kind == "mcp_tool":
        request |= {name: extra.get(name, "") for name in ("server", "tool")}
        values = {name: _plain(value) for name, value in event.payload.items()}
        request["input"] = _interpolated(extra.get("input", {}), values)
    else:
        request["prompt"] = _filled_prompt(str(extra.get("prompt", spec.command)), text)
        request["model"] = extra.get("model", "")
    return request


def _plain(value: JSON) -> JSON:
    try:
        return loads(value) if isinstance(value, JsonText) else value
    except TooDeep:
        return value


def _filled_prompt(prompt: str, payload: str) -> str:
    """Insert the payload at ``$ARGUMENTS`` of the prompt, or else append it; ``\\$`` is a dollar sign."""
    replaced = False

    def value(match: re.Match[str]) -> str:
        nonlocal replaced
        if match[0] == "\\$":
            return "$"
        replaced = True
        return payload

    text = _ARGUMENTS.sub(value, prompt)
    return text if replaced else f"{text}\n\n{payload}"


def _interpolated(value: JSON, payload: Mapping[str, JSON]) -> JSON:
    """Replace ``${path.to.field}`` in every string of a tool's input by that field of the payload."""
    if isinstance(value, str):
        fill: Callable[[re.Match[str]], str] = lambda match: _text(_value_at(payload, match[1].split(".")))  # noqa: E731
        return _PATH.sub(fill, value)
    if isinstance(value, list):
        return [_interpolated(item, payload) for item in value]
    if isinstance(value, dict):
        return {key: _interpolated(item, payload) for key, item in value.items()}
    return value


def _value_at(value: JSON, path: list[str]) -> JSON:
    for step in path:
        if isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(value, list) and step.isascii() and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return value
