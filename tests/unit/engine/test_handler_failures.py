"""Hooks that the host answers, and everything that is wrong with the answer (decisions left out).

A failed handler is a failure of its hook: a notice with the place and the message, the event's policy, a deny under
``strict`` on events that guard something, and never one on a stop.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pyshellhooks import HookEngine
from pyshellhooks.hooks.model import HookRun


class Mute(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")


def raising(error: BaseException) -> Callable[[Any], Any]:
    def handler(request: Any) -> Any:
        raise error

    return handler


def giving(answer: object) -> Callable[[Any], Any]:
    return lambda request: answer


async def refusing(request: Any) -> Any:
    await asyncio.sleep(0)
    raise LookupError("no model")


async def cancelled(request: Any) -> Any:
    raise asyncio.CancelledError


def yielding(request: Any) -> Iterator[str]:
    yield "{}"


async def streaming(request: Any) -> Any:
    yield "{}"


def nested(depth: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for _ in range(depth):
        found = {"a": found}
    return found


# handler: what the notice says of it
FAILURES: dict[str, tuple[Callable[[Any], Any], str]] = {
    "raises": (raising(LookupError("no model")), "raised LookupError: no model"),
    "raises in several lines": (raising(ValueError("a\nb")), "raised ValueError: a b"),
    "raises at length": (raising(ValueError("x" * 10_000)), "raised ValueError: " + "x" * 297 + "..."),
    "raises nothing to read": (raising(Mute()), "raised Mute"),
    "exits": (raising(SystemExit(0)), "raised SystemExit: 0"),
    "interrupts": (raising(KeyboardInterrupt()), "raised KeyboardInterrupt"),
    "raises in a coroutine": (refusing, "raised LookupError: no model"),
    "is cancelled": (cancelled, "raised CancelledError"),
    "takes no request": (lambda: "{}", "raised TypeError: "),
    "gives a number": (giving(1), "returned a int; it must return text, bytes, a mapping, None or a HookRun"),
    "gives a truth": (giving(True), "returned a bool; it must return"),
    "gives a list": (giving([{"ok": False}]), "returned a list; it must return"),
    "gives an object": (giving(object()), "returned a object; it must return"),
    "gives a set in a mapping": (giving({"ok": {1}}), "returned a mapping that can't be written as JSON: "),
    "gives not a number": (giving({"ok": float("nan")}), "returned a mapping that can't be written as JSON: "),
    "gives itself": (giving(nested(100_000)), "returned a mapping that can't be written as JSON: "),
    "yields": (yielding, "returned an object of type generator: it must return, not yield"),
    "yields in a coroutine": (streaming, "returned an object of type async_generator: it must return, not yield"),
    "gives a wrong run": (giving(HookRun(stdout="{}")), "returned a HookRun whose stdout and stderr are not bytes"),  # type: ignore[arg-type]
}

# Answers that are text, and none of the hook's type: the dialect says so.
MISSHAPEN = ["", "yes", "[1]", "null", '{"ok": 1}', '{"okay": false}', '{"ok": "maybe"}', "{", "\ud800"]


def claude(event: str, kind: str = "prompt") -> dict[str, Any]:
    hook = {"type": kind, "prompt": "is it safe?", "url": "http://x", "server": "s", "tool": "t"}
    fields = {"prompt": ("prompt",), "agent": ("prompt",), "http": ("url",), "mcp_tool": ("server", "tool")}[kind]
    return {"hooks": {event: [{"hooks": [{name: hook[name] for name in ("type", *fields)}]}]}}


def fired(config: dict[str, Any], system: str, event: str, **options: Any) -> Any:
    text = json.dumps(config)
    with HookEngine.load(text=text, dialect=system, name="hooks.json", cwd="/", env={}, **options) as engine:
        call: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_output": ""}
        beside = {"prompt": "x", "response": "done", "file_path": "/f", "session_id": "s"}
        if event == "subagent_stop":
            beside["agent_type"] = "Explore"
        return engine.fire(event, call | beside)


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("failure", FAILURES)
def test_failures_of_a_handler(failure: str, strict: bool) -> None:
    handler, said = FAILURES[failure]
    verdict = fired(claude("PreToolUse"), "claude_code", "before_tool", handlers={"prompt": handler}, strict=strict)
    assert [result.ended for result in verdict.hooks] == ["not_started"]
    assert f'hooks.json:1:38): not started: the handler of "prompt" {said}' in verdict.notices[0]
    assert "Traceback" not in verdict.notices[0]
    assert verdict.decision == ("deny" if strict else "none")


@pytest.mark.parametrize("answer", MISSHAPEN)
@pytest.mark.parametrize("strict", [False, True])
def test_an_answer_of_the_wrong_shape(answer: str, strict: bool) -> None:
    verdict = fired(
        claude("PreToolUse"), "claude_code", "before_tool", handlers={"prompt": giving(answer)}, strict=strict
    )
    assert [result.ended for result in verdict.hooks] == ["bad_output"] and verdict.notices
    assert verdict.decision == ("deny" if strict else "none")


# system, event, its config, the decision by default and under strict (the tables of each system's contract)
EVENTS = [
    ("claude_code", "before_tool", claude("PreToolUse"), "none", "deny"),
    ("claude_code", "before_tool", claude("PreToolUse", "agent"), "none", "deny"),
    ("claude_code", "before_tool", claude("PreToolUse", "http"), "none", "deny"),
    ("claude_code", "before_tool", claude("PreToolUse", "mcp_tool"), "none", "deny"),
    ("claude_code", "before_prompt", claude("UserPromptSubmit"), "none", "deny"),
    ("claude_code", "after_tool", claude("PostToolUse"), "none", "deny"),
    ("claude_code", "after_agent", claude("Stop"), "none", "none"),
    ("claude_code", "subagent_stop", claude("SubagentStop"), "none", "none"),
    *(
        (system, event, {"hooks": {native: [{"type": "prompt", "prompt": "is it safe?"}]}}, decision, "deny")
        for system in ("cursor", "firebender")
        for event, native, decision in (
            ("before_tool", "preToolUse", "none"),
            ("before_tool", "beforeShellExecution", "none"),
            ("beforeMCPExecution", "beforeMCPExecution", "deny" if system == "firebender" else "none"),
            ("beforeReadFile", "beforeReadFile", "deny" if system == "firebender" else "none"),
        )
    ),
    *(
        (system, "after_agent", {"hooks": {"stop": [{"type": "prompt", "prompt": "done?"}]}}, "none", "none")
        for system in ("cursor", "firebender")
    ),
]


@pytest.mark.parametrize("why", ["missing", "raising"])
@pytest.mark.parametrize(("system", "event", "config", "decision", "strict"), EVENTS)
def test_a_missing_and_a_raising_handler(
    system: str, event: str, config: dict[str, Any], decision: str, strict: str, why: str
) -> None:
    kinds = ("prompt", "agent", "http", "mcp_tool")
    options = {"handlers": dict.fromkeys(kinds, raising(LookupError("no model")))} if why == "raising" else {}
    for given, expected in (({}, decision), ({"strict": True}, strict)):
        verdict = fired(config, system, event, **options, **given)
        assert verdict.decision == expected
        (notice,) = verdict.notices
        assert "hooks.json:1:" in notice
        assert ("raised LookupError: no model" if why == "raising" else "pass handlers={") in notice


def test_the_hint_fixes_it() -> None:
    config = claude("PreToolUse")
    assert fired(config, "claude_code", "before_tool", strict=True).decision == "deny"
    mended = fired(config, "claude_code", "before_tool", strict=True, handlers={"prompt": giving({"ok": True})})
    assert mended.decision == "none" and not mended.notices


def test_hooks_without_a_handler_are_diagnostics_and_explained() -> None:
    text = json.dumps(claude("PreToolUse"))
    with HookEngine.load(text=text, dialect="claude_code", name="s.json") as engine:
        assert list(map(str, engine.diagnostics)) == [
            's.json:1:38: warning: the host must provide a handler for hooks of type "prompt"; without it, this hook always fails'
            '\n  hint: pass handlers={"prompt": ...} to the engine'
        ]
        (why,) = engine.explain("before_tool", tool_name="Bash")
        assert (why.matches, why.reason) == (
            False,
            'skipped: the host must provide a handler for hooks of type "prompt"',
        )
    with HookEngine.load(text=text, dialect="claude_code", handlers={"prompt": giving(None)}) as engine:
        assert not engine.diagnostics and engine.explain("before_tool", tool_name="Bash")[0].matches


@pytest.mark.parametrize(
    ("handlers", "error", "said"),
    [
        ({"promt": giving(None)}, ValueError, "unknown hook type 'promt'; did you mean \"prompt\"\\?"),
        ({"mcp-tool": giving(None)}, ValueError, 'did you mean "mcp_tool"\\?'),
        ({"nothing like it": giving(None)}, ValueError, "expected one of: agent, http, mcp_tool, prompt"),
        ({"command": giving(None)}, ValueError, "pass executor="),
        ({3: giving(None)}, ValueError, "unknown hook type 3"),
        ({"prompt": "text"}, TypeError, 'handlers\\["prompt"\\] must be a function of a request, got str'),
        ({"prompt": None}, TypeError, "got NoneType"),
        ([giving(None)], TypeError, "handlers must be a mapping"),
    ],
)
@pytest.mark.parametrize("config", [{"hooks": {"PreToolUse": [{"command": "x"}]}}, None])
def test_a_wrong_handler_is_an_error_at_once(config: Any, handlers: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        if config is None:
            HookEngine("claude_code", handlers=handlers)
        else:
            HookEngine.load(config, "crush", handlers=handlers)


def test_handlers_of_systems_that_are_not_loaded_are_no_mistake() -> None:
    """A host gives the same ones to every engine, whatever it finds."""
    kinds = ("prompt", "agent", "http", "mcp_tool")
    with HookEngine.load({"hooks": {}}, "crush", handlers=dict.fromkeys(kinds, giving(None))) as engine:
        assert not engine.diagnostics


def test_a_handler_that_hangs_times_out() -> None:
    stop = threading.Event()

    def hanging(request: Any) -> None:
        stop.wait(15)

    config = {"hooks": {"preToolUse": [{"type": "prompt", "prompt": "?", "timeout": 0.1}]}}
    for strict, decision in ((False, "none"), (True, "deny")):
        verdict = fired(config, "cursor", "before_tool", handlers={"prompt": hanging}, strict=strict)
        assert (verdict.hooks[0].ended, verdict.decision) == ("timed_out", decision)
    stop.set()
