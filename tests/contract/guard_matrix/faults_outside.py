"""The mishaps around hooks: matchers, tools, fields, arguments, handlers, trust, the config file itself."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pyshellhooks.hooks.model import HookRun

from .bench import Bench, inline
from .faults import fault
from .systems import Event

HUGE = 17 * 1024 * 1024
DEEP = 10_000

# -- matchers and tools ------------------------------------------------------------------------------------------------


@fault
def matcher_broken(bench: Bench) -> Iterator[None]:
    for entry in bench.entries:
        if bench.system == "everruns":
            entry.conditions = {"args_jsonpath": "commands", "match_regex": "("}
        else:
            entry.matcher = "("
    yield
    for entry in bench.entries:
        entry.matcher, entry.conditions = entry.event.tool, {}


def _calls(bench: Bench, tool: str, name: str = "before_tool") -> None:
    """Let the agent's shell tool have another name."""

    def told(event: Event, fields: dict[str, Any]) -> dict[str, Any]:
        text = json.dumps(fields)
        key = "command" if name == "before_tool" else event.look.rpartition(".")[2]
        given = {key: event.bad if event.mark in text else event.good}
        return {"session_id": "s1", "tool_name": tool, "tool_input" if name else _input(event): given}

    bench.alter = told
    bench.name = lambda event: name or event.native


def _input(event: Event) -> str:
    return "arguments" if event.system == "everruns" else "tool_input"


@fault
def tool_unasked(bench: Bench) -> Iterator[None]:
    _calls(bench, "zap", "")
    yield
    _calls(bench, "zap")
    bench.options["tools"] = {"zap": "shell"}


@fault
def tool_by_table(bench: Bench) -> Iterator[None]:
    _calls(bench, "execute")
    yield


@fault
def tool_told(bench: Bench) -> Iterator[None]:
    _calls(bench, "zap")
    bench.options["tools"] = {"zap": "shell"}
    yield


@fault
def tool_guessed(bench: Bench) -> Iterator[None]:
    _calls(bench, "zap")
    yield


@fault
def matcher_unreachable(bench: Bench) -> Iterator[None]:
    """The matcher names a shell of another system; the agent's own has a name of its own, and its kind is told."""
    bench.options["tools"] = {"run_it": "shell"}
    bench.agent = {"run_it": {"properties": {"command": {"type": "string"}}}}
    _calls(bench, "run_it")
    for entry in bench.entries:
        entry.matcher = "local_shell"
    yield
    for entry in bench.entries:
        entry.matcher = entry.event.tool


# -- what the host tells -----------------------------------------------------------------------------------------------


def _untold(bench: Bench) -> None:
    bench.alter = lambda event, fields: fields


@fault
def tool_name_missing(bench: Bench) -> Iterator[None]:
    bench.alter = lambda event, fields: {key: value for key, value in fields.items() if key != "tool_name"}
    yield
    _untold(bench)


@fault
def field_missing(bench: Bench) -> Iterator[None]:
    def told(event: Event, fields: dict[str, Any]) -> dict[str, Any]:
        if event.field == "content":  # it is in the file
            path = bench.root / "notes.txt"
            path.write_text(fields["content"])
            fields["file_path"] = str(path)
        return {key: value for key, value in fields.items() if key != event.field}

    bench.alter = told
    yield
    _untold(bench)


@fault
def field_mistyped(bench: Bench) -> Iterator[None]:
    def told(event: Event, fields: dict[str, Any]) -> dict[str, Any]:
        wrong: Any = "no JSON" if isinstance(fields[event.field], dict) else 5
        return {**fields, event.field: wrong}

    bench.alter = told
    yield
    _untold(bench)


@fault
def field_misspelt(bench: Bench) -> Iterator[None]:
    def told(event: Event, fields: dict[str, Any]) -> dict[str, Any]:
        name = event.field
        return {name[:-2] + name[-1] if key == name else key: value for key, value in fields.items()}

    bench.alter = told
    yield
    _untold(bench)


@fault
def field_unknown(bench: Bench) -> Iterator[None]:
    bench.alter = lambda event, fields: {**fields, "zzz_unheard_of": 1}
    yield
    _untold(bench)


@fault
def deep_argument(bench: Bench) -> Iterator[None]:
    def told(event: Event, fields: dict[str, Any]) -> str:
        deep = "[" * DEEP + "]" * DEEP
        written = {**fields, event.field: {**fields[event.field], "note": "@DEEP@"}}
        return json.dumps(written).replace('"@DEEP@"', deep)

    bench.alter = told
    yield
    _untold(bench)


def _lengthened(value: Any, text: str, more: str) -> Any:
    if isinstance(value, dict):
        return {key: _lengthened(item, text, more) for key, item in value.items()}
    if isinstance(value, list):
        return [_lengthened(item, text, more) for item in value]
    return value + more if value == text else value


@fault
def huge_argument(bench: Bench) -> Iterator[None]:
    bench.alter = lambda event, fields: _lengthened(fields, event.bad, " " + "x" * HUGE)
    yield
    _untold(bench)


@fault
def odd_text(bench: Bench) -> Iterator[None]:
    bench.alter = lambda event, fields: _lengthened(fields, event.bad, "\0 \ud800 \udfff")
    yield
    _untold(bench)


@fault
def session_missing(bench: Bench) -> Iterator[None]:
    bench.alter = lambda event, fields: {key: value for key, value in fields.items() if key != "session_id"}
    yield


# -- loading, handlers, trust ------------------------------------------------------------------------------------------


def _kind(bench: Bench) -> str:
    return "http" if bench.system == "claude_code" else "prompt"


def _asking(bench: Bench) -> None:
    """Make every hook one that the host answers."""
    kind = _kind(bench)
    for entry in bench.entries:
        entry.type = kind
        entry.asks = {"url": f"https://guard/{entry.event.native}"} if kind == "http" else {"prompt": "may it?"}


def _answering(bench: Bench) -> None:
    """Return the handler that a host would give."""

    def http(request: Mapping[str, Any]) -> Any:
        event = next(one for one in bench.events if str(request["url"]).endswith(f"/{one.native}"))
        if event.mark in str(request["payload"]):
            if isinstance(event.answer, int):
                return HookRun("exited", event.answer, b"", b"no")
            return event.answer
        if event.otherwise:
            return {"hookSpecificOutput": {"hookEventName": event.native, "worktreePath": "/srv/worktree"}}
        return None

    def prompt(request: Mapping[str, Any]) -> Any:
        payload = str(request["payload"])
        name = json.loads(payload)["hook_event_name"]
        return {"ok": next(one for one in bench.events if one.native == name).mark not in payload, "reason": "no"}

    bench.options["handlers"] = {"http": http} if _kind(bench) == "http" else {"prompt": prompt}


@fault
def handler_missing(bench: Bench) -> Iterator[None]:
    _asking(bench)
    yield
    _answering(bench)


@fault
def handler_raises(bench: Bench) -> Iterator[None]:
    def away(request: Mapping[str, Any]) -> Any:
        raise OSError("the model is away")

    _asking(bench)
    bench.options["handlers"] = {_kind(bench): away}
    yield
    _answering(bench)


@fault
def handler_wrong_type(bench: Bench) -> Iterator[None]:
    _asking(bench)
    bench.options["handlers"] = {_kind(bench): lambda request: object()}
    yield
    _answering(bench)


@fault
def type_unknown(bench: Bench) -> Iterator[None]:
    for entry in bench.entries:
        entry.type = "comand"
    yield
    for entry in bench.entries:
        entry.type = "command"


@fault
def event_misspelt(bench: Bench) -> Iterator[None]:
    def written(text: str) -> bytes:
        for event in sorted(bench.events, key=lambda one: -len(one.native)):
            name = event.native
            quotes = ("", ":") if bench.system == "docker_agent" else ('"', '"')
            text = text.replace(name.join(quotes), f"{name[:-2]}{name[-1]}".join(quotes))
        return text.encode()

    bench.text = written
    yield
    bench.text = str.encode


@fault
def project_untrusted(bench: Bench) -> Iterator[None]:
    bench.options["trust_project"] = False
    yield
    bench.options["trust_project"] = True


@fault
def config_crlf(bench: Bench) -> Iterator[None]:
    bench.text = lambda text: text.replace("\n", "\r\n").encode()
    yield


@fault
def config_bom(bench: Bench) -> Iterator[None]:
    bench.text = lambda text: b"\xef\xbb\xbf" + text.encode()
    yield


__all__ = ["inline"]
