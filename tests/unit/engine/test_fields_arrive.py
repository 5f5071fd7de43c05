"""What a field holds reaches the hook, whatever it is: deep, large, with NUL or half a surrogate pair, or no JSON at all.

decisions required fields: it never raises, and the hook sees the whole, or the verdict says what it does
not see.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from pathlib import PurePosixPath
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from pydantic import BaseModel
from test_fields_of_events import NEEDED, Recorder, engine, payload

from pyshellhooks import HookEngine, dialects
from pyshellhooks.hooks.fields import sample
from pyshellhooks.jsontext.compact import validate

DEPTH = 10_000
MARK = "rm -rf x"


def nested(value: Any, key: str | None) -> Any:
    for _ in range(DEPTH):
        value = [value] if key is None else {key: value}
    return value


VALUES: dict[str, Any] = {
    "deep-array": nested(MARK, None),
    "deep-object": {"x": nested(1, "a"), "command": MARK, "file_path": MARK},
    "deep-text": '{"x": ' + "[" * DEPTH + "]" * DEPTH + f', "command": "{MARK}", "file_path": "{MARK}"}}',
    "nul": f"{MARK}\0",
    "nul-inside": {"command": f"{MARK}\0", "file_path": f"{MARK}\0"},
    "surrogate": f"{MARK}\ud800",
    "surrogate-inside": {"command": f"{MARK}\udc00", "k\ud800": [f"{MARK}\ud800"]},
}


def arrived(recorder: Recorder) -> str:
    """Return what the only hook was told; it must be JSON that every reader takes, and so must the variables."""
    (job,) = recorder.jobs
    for value in job.env.values():
        assert "\0" not in value
        value.encode("utf-8", "surrogateescape")
    text = payload(job)
    validate(text)
    return text


@pytest.mark.one_in(50, slow=8)
@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize("system", NEEDED)
def test_every_field_of_every_event(system: str, kind: str) -> None:
    seen: set[str] = set()
    for row in dialects.get(system).events.values():
        for field in row.fields:
            same = "a string" if field.takes == "string" else field.native
            if kind.startswith("deep") and same in seen:  # it takes its time, and the code is the same
                continue
            seen.add(same)
            if field.native == "hook_event_name" or (field.native == "event" and system == "crush"):
                continue  # the dialect's own
            recorder = Recorder()
            fields = {**sample(row, neutral=False), field.native: VALUES[kind]}
            verdict = engine(system, row.native, recorder).fire(row.native, fields)
            assert MARK in arrived(recorder) or any(field.native in one for one in verdict.notices), (
                row.native,
                field.native,
                verdict.notices,
            )


@pytest.mark.one_in(20, slow=4)
@pytest.mark.parametrize("name", ["tool_input", "tool_output", "tool_error"])
@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize("system", NEEDED)
def test_neutral_fields(system: str, kind: str, name: str) -> None:
    event = "before_tool" if name == "tool_input" else "after_tool"
    for row in dialects.get(system).events.values():
        if (
            event not in row.neutral
            or row.when in ("mcp", "read", "edit")
            or (name == "tool_error") != (row.when == "failed")
        ):
            continue
        recorder = Recorder()
        fields = {"tool_name": "bash", "tool_input": {"command": "ls"}, name: VALUES[kind]}
        verdict = engine(system, row.native, recorder).fire(event, fields)
        assert MARK in arrived(recorder) or verdict.notices, row.native


@pytest.mark.one_in(14, slow=4)
@pytest.mark.parametrize("system", NEEDED)
@pytest.mark.parametrize("text", [False, True], ids=["values", "text"])
def test_seventeen_mebibytes(system: str, text: bool) -> None:
    row = next(row for row in dialects.get(system).events.values() if "before_tool" in row.neutral)
    value: Any = {"content": "x" * (17 << 20), "command": MARK}
    recorder = Recorder()
    engine(system, row.native, recorder).fire(
        "before_tool", tool_name="bash", tool_input=json.dumps(value) if text else value
    )
    assert MARK in arrived(recorder)


class Word(Enum):
    RUN = MARK


class StrWord(str, Enum):  # noqa: UP042
    RUN = MARK


class Model(BaseModel):
    command: Any = MARK
    when: datetime = datetime(2026, 1, 2, tzinfo=UTC)


@dataclass
class Data:
    command: Any = MARK


class Named(NamedTuple):
    command: Any = MARK


class Message:
    def __init__(self) -> None:
        self.command = MARK
        self._private = object()


#: Of the table in ``jsontext.from_python``: the argument of a tool, and the command that a guard must see in it.
ARGUMENTS: dict[str, Any] = {
    "model": Model(),
    "dataclass": Data(),
    "named": Named(),
    "object": Message(),
    "enum": {"command": Word.RUN},
    "str-enum": {"command": StrWord.RUN},
    "path": {"command": PurePosixPath(MARK)},
    "bytes": {"command": MARK.encode()},
    "nested": {"command": MARK, "x": [Model(), {Data: {UUID(int=1), Decimal("1.50")}}, date(2026, 1, 2)]},
    "nan": {"command": MARK, "x": float("nan")},
}


@pytest.mark.parametrize("kind", ARGUMENTS)
@pytest.mark.parametrize("system", NEEDED)
def test_python_values_in_a_tools_input(system: str, kind: str) -> None:
    for row in dialects.get(system).events.values():
        if "before_tool" not in row.neutral or row.when in ("mcp", "read"):
            continue
        recorder = Recorder()
        verdict = engine(system, row.native, recorder).fire("before_tool", tool_name="bash", tool_input=ARGUMENTS[kind])
        payload = json.loads(arrived(recorder))
        payload = payload.get("data", payload)
        tool = payload.get("tool_input") or payload.get("arguments") or payload
        command = next(tool[key] for key in ("commands", "cmd", "command") if key in tool)  # each in its own words
        assert command == MARK, row.native
        assert bool(verdict.notices) == (kind == "nan"), verdict.notices


@pytest.mark.parametrize("system", NEEDED)
def test_a_matcher_sees_through_an_enum(system: str) -> None:
    """A tool's name that is a member of an enum is its value: a matcher that missed it would be a guard that is off."""

    class Tool(Enum):
        SHELL = "bash"

    class StrTool(str, Enum):  # noqa: UP042
        SHELL = "bash"

    row = next(row for row in dialects.get(system).events.values() if "before_tool" in row.neutral)
    for tool in (Tool.SHELL, StrTool.SHELL):
        recorder = Recorder()
        engine(system, row.native, recorder).fire(row.native, tool_name=tool, tool_input={"command": "ls"})
        assert json.loads(arrived(recorder)).get("data", json.loads(arrived(recorder)))["tool_name"] == "bash"


def test_a_payload_may_be_a_model() -> None:
    @dataclass
    class Call:
        tool_name: str
        tool_input: Any

    recorder = Recorder()
    verdict = engine("crush", "PreToolUse", recorder).fire("before_tool", Call("bash", {"command": float("inf")}))
    assert json.loads(arrived(recorder))["tool_input"] == {"command": None}
    assert verdict.notices == (
        'field "payload" holds values that JSON can\'t express: payload.tool_input.command is inf: hooks see null; '
        "use values that JSON has",
    )


def test_a_field_that_can_not_be_sent_is_a_fault() -> None:
    class Hostile:
        @property
        def __dict__(self) -> dict[str, Any]:  # type: ignore[override]
            raise ValueError("no")

        def __str__(self) -> str:
            raise RuntimeError("no")

    recorder = Recorder()
    call = {"command": MARK, "x": Hostile()}
    verdict = engine("crush", "PreToolUse", recorder, strict=True).fire(
        "before_tool", tool_name="bash", tool_input=call
    )
    assert verdict.decision == "deny" and "tool_input.x can't be read (ValueError)" in verdict.reason
    assert json.loads(arrived(recorder))["tool_input"] == {"command": MARK, "x": "(Hostile)"}


@pytest.mark.one_in(6)
@pytest.mark.parametrize("system", NEEDED)
@pytest.mark.parametrize("kind", ["deep-array", "deep-text", "nul-inside", "surrogate-inside", "model", "bytes"])
def test_a_guard_that_greps_denies(system: str, kind: str) -> None:
    """Run for real: the hook reads all that it is told."""
    dialect = dialects.get(system)
    row = next(row for row in dialect.events.values() if "before_tool" in row.neutral)
    source = '"$EVERRUNS_HOOK_PAYLOAD_PATH"' if system == "everruns" else "-"
    guard = dialect.added(row.native, f"grep -q 'rm -rf x' {source} && {{ echo seen >&2; exit 2; }}; exit 0")
    guard.timeout = 15.0
    value = VALUES[kind] if kind in VALUES else ARGUMENTS[kind]
    with HookEngine(dialect, [guard], spawn=False) as hooks:
        verdict = hooks.fire("before_tool", tool_name="bash", tool_input=value)
    assert verdict.decision == "deny" and "seen" in verdict.reason, verdict.notices
