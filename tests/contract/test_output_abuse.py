"""What a hostile or broken hook prints: in every system a deny is never lost to it, and nothing ever raises."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from conformance.shapes import SHAPES
from pyshellhooks import HookEngine, Verdict, dialects
from pyshellhooks.hooks.model import ENDED, HookRun
from tests.contract.guard_matrix.systems import EVENTS

# The event of each system that guards a tool call, and the JSON answer that denies it.
GUARDS: dict[str, tuple[str, dict[str, Any]]] = {
    event.system: (event.native, event.answer)
    for events in EVENTS.values()
    for event in [event for event in events if event.guards == "call"][:1]
}
SYSTEMS = pytest.mark.parametrize("name", GUARDS)
FIELDS = {"tool_name": "shell", "tool_input": {"command": "ls"}, "command": "ls"}


class Answer:
    """An executor whose hooks print what a test says."""

    def __init__(self, stdout: bytes, status: int = 0, stderr: bytes = b"") -> None:
        self.made = HookRun("exited", status, stdout, stderr)

    def run(self, job: object, scope: object) -> HookRun:
        return HookRun("exited", self.made.status, self.made.stdout, self.made.stderr)


def fire(name: str, stdout: bytes, status: int = 0, stderr: bytes = b"", **options: Any) -> Verdict:
    event, _ = GUARDS[name]
    config = SHAPES[name](event, [{"command": "x"}])
    with HookEngine.load(config, name, executor=Answer(stdout, status, stderr), **options) as engine:
        verdict = engine.fire(event, **FIELDS)
    json.dumps(verdict.as_json())
    assert verdict.hooks[0].ended in ENDED
    return verdict


def deny(name: str) -> bytes:
    return json.dumps(GUARDS[name][1]).encode()


def test_all_systems_are_here() -> None:
    assert set(GUARDS) == set(dialects.names())


@SYSTEMS
def test_a_clean_deny(name: str) -> None:
    assert fire(name, deny(name)).decision == "deny"


# Where plain text is no mistake, and says nothing on these events.
PLAIN = frozenset(["claude_code", "codex", "copilot", "docker_agent", "openhands", "qwen"])


@pytest.mark.parametrize("name", sorted(GUARDS.keys() - PLAIN))
@pytest.mark.parametrize("stdout", [b"\0", b"\x1c", b"\x1e", b"\x1f\n", b"\x7f", b"\xff"])
def test_a_control_character_is_no_silence(name: str, stdout: bytes) -> None:
    verdict = fire(name, stdout)
    assert verdict.notices or verdict.blocked
    allow = json.dumps(GUARDS[name][1]).replace("deny", "allow").replace("block", "allow").encode()
    assert fire(name, stdout + allow).decision in ("none", "deny")


NOISE: dict[str, tuple[bytes, bytes] | Callable[[], tuple[bytes, bytes]]] = {
    "a log line before": (b"checking...\n", b""),
    "a log line after": (b"", b"\nchecked\n"),
    "a byte order mark": (b"\xef\xbb\xbf", b""),
    "bytes that are not UTF-8": (b"\xff\xfe\x80\n", b"\n\xc3("),
    "NUL bytes": (b"\0\0", b"\0"),
    "separators of records": (b"\x1e", b"\x1c\x1d\x1f"),
    "an object before": (b'{"progress": 1}\n', b""),
    "an object after": (b"", b'\n{"progress": 1}'),
    "a broken object before": (b'{"a": [1, \n', b""),
    "many braces": (b"{" * 3000, b"}" * 3000),
    "deep nesting before": (b'{"a":' * 5000 + b"1" + b"}" * 5000 + b"\n", b""),
    "a megabyte of text": lambda: (b"x" * 1_000_000 + b"\n", b""),
    "five megabytes of text": lambda: (b"word " * 1_000_000, b"\n" + b"y" * 100_000),
}


@pytest.mark.one_in(3)
@SYSTEMS
@pytest.mark.parametrize("noise", NOISE)
def test_a_deny_is_not_lost_to_noise(name: str, noise: str) -> None:
    if name == "everruns" and "megabyte" in noise:
        pytest.skip("more than 64 KiB is a failure there, under on_error: tested below")
    given = NOISE[noise]
    before, after = given() if callable(given) else given
    verdict = fire(name, before + deny(name) + after)
    assert verdict.decision == "deny", verdict
    assert verdict.notices or noise in ("a byte order mark", "NUL bytes")


def test_everruns_output_limit_is_a_failure_that_on_error_decides() -> None:
    verdict = fire("everruns", b"x" * 70_000 + deny("everruns"))
    assert verdict.hooks[0].ended == "too_much_output" and verdict.notices
    assert fire("everruns", b"x" * 70_000, strict=True).decision == "deny"


WRONG: list[Any] = [1, True, [], {}, ["deny"], {"a": 1}, None, 1e400, "", "maybe"]


def wrong_types(value: Any) -> list[tuple[Any, ...]]:
    """Return the paths of every field that an answer has, and of some that it could have."""
    more = [
        "version",
        "continue",
        "stopReason",
        "stop_reason",
        "systemMessage",
        "suppressOutput",
        "user_message",
        "context",
    ]
    paths: list[tuple[Any, ...]] = [(name,) for name in more]
    if "hookSpecificOutput" in value:
        paths += [("hookSpecificOutput", name) for name in ("hookEventName", "updatedInput", "additionalContext")]
    return paths


@SYSTEMS
def test_a_wrong_type_beside_a_deny_does_not_lose_it(name: str) -> None:
    _, answer = GUARDS[name]
    lost = []
    for path in wrong_types(answer):
        for wrong in WRONG:
            changed = json.loads(json.dumps(answer))
            inside = changed
            for step in path[:-1]:
                inside = inside[step]
            if path[-1] in inside:
                continue
            inside[path[-1]] = wrong
            if path == ("continue",) and wrong is False:
                continue
            text = json.dumps(changed).replace("Infinity", "1e400").encode()
            if fire(name, text).decision != "deny":
                lost.append((path, wrong))
    assert lost == []


@SYSTEMS
def test_a_wrong_type_in_the_reason_keeps_the_deny(name: str) -> None:
    _, answer = GUARDS[name]
    for wrong in (1, True, [], {}, ["a"]):
        changed = json.loads(json.dumps(answer))
        inside = changed.get("hookSpecificOutput", changed)
        for key in list(inside):
            if key in ("reason", "agent_message", "permissionDecisionReason"):
                inside[key] = wrong
        verdict = fire(name, json.dumps(changed).encode())
        assert verdict.decision == "deny", (wrong, verdict)
        assert isinstance(verdict.reason, str) and verdict.reason


@pytest.mark.one_in(4)
@SYSTEMS
@pytest.mark.parametrize("status", [0, 1, 2, 3, 49, 126, 127, 255, 256 + 2, -1])
@pytest.mark.parametrize("stdout", [b"", b"{", b"[]", b"null", b"\xff", b'{"decision":1}', b"\0", b"{}" * 50])
def test_any_status_with_any_output_is_a_verdict(name: str, status: int, stdout: bytes) -> None:
    verdict = fire(name, stdout, status, b"\xffsome text")
    assert verdict.decision in ("none", "allow", "ask", "deny")
    if status in (2, 258) and (name != "everruns" or not stdout):  # everruns 5: output beats the status
        assert verdict.decision == "deny" and verdict.reason


@SYSTEMS
def test_an_allow_in_noise_is_not_taken(name: str) -> None:
    """Only a block is salvaged (decisions noise)."""
    allowing = json.dumps(GUARDS[name][1]).replace('"deny"', '"allow"').replace('"block"', '"allow"').encode()
    verdict = fire(name, b"noise\n" + allowing)
    assert verdict.decision != "allow"
    assert verdict.notices or name in PLAIN


@SYSTEMS
@pytest.mark.parametrize("kind", ["timed_out", "not_started", "stopped", "abandoned", "cancelled"])
def test_a_failure_is_never_silent(name: str, kind: str) -> None:
    event, _ = GUARDS[name]
    made = {
        "timed_out": HookRun("stopped", None, reason="deadline"),
        "not_started": HookRun("not_started", None, detail="no such file"),
        "stopped": HookRun("stopped", None, reason="limit", detail="memory"),
        "abandoned": HookRun("abandoned", None, reason="deadline"),
        "cancelled": HookRun("stopped", None, reason="cancelled"),
    }[kind]

    class Failing:
        def run(self, job: object, scope: object) -> HookRun:
            return made

    for strict in (False, True):
        with HookEngine.load(
            SHAPES[name](event, [{"command": "x"}]), name, executor=Failing(), strict=strict
        ) as engine:
            verdict = engine.fire(event, **FIELDS)
        assert verdict.hooks[0].ended == kind
        assert verdict.notices
        if strict:
            assert verdict.decision == "deny" and verdict.reason
