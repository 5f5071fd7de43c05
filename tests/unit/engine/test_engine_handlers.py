"""Hooks that the host answers, and firings that nobody waits for, in any system."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from toy_dialect import Toy

from pyshellhooks import CancelScope, HookEngine
from pyshellhooks.hooks.model import HookJob, HookRun, HookSpec


def engine(*specs: HookSpec, **options: Any) -> HookEngine:
    return HookEngine(Toy(), specs, **options)


def echo(text: str) -> str:
    return f"echo '{text}'"


@pytest.mark.parametrize(
    ("answer", "decision"),
    [
        ('{"decision": "deny"}', "deny"),
        (b'{"decision": "ask"}', "ask"),
        ({"decision": "deny"}, "deny"),
        (None, "none"),
        (HookRun(status=2, stderr=b"no"), "deny"),
    ],
)
def test_a_handler_answers(answer: Any, decision: str) -> None:
    asked: list[Any] = []

    def handler(request: Any) -> Any:
        asked.append(request)
        return answer

    with engine(HookSpec("check", "is it safe?", kind="prompt", timeout=7), handlers={"prompt": handler}) as e:
        assert e.fire("check", tool_name="x").decision == decision
    assert (asked[0]["kind"], asked[0]["prompt"], asked[0]["timeout"]) == ("prompt", "is it safe?", 7)


def test_a_handler_may_be_a_coroutine() -> None:
    async def handler(request: Any) -> Any:
        await asyncio.sleep(0)
        return {"decision": "deny"}

    async def main() -> str:
        with engine(HookSpec("check", "?", kind="http"), handlers={"http": handler}) as e:
            return (await e.afire("check", tool_name="x")).decision

    assert asyncio.run(main()) == "deny"


@pytest.mark.parametrize("event", ["check", "check_shell"])
def test_without_a_handler_the_events_policy_decides(event: str) -> None:
    with engine(HookSpec(event, "?", kind="prompt")) as e:
        verdict = e.fire(event, tool_name="bash")
    assert verdict.hooks[0].ended == "not_started"
    assert "handler" in verdict.notices[0]
    assert verdict.decision == ("deny" if event == "check_shell" else "none")


def test_a_handler_that_raises_did_not_start() -> None:
    def handler(request: Any) -> Any:
        raise LookupError("no model")

    with engine(HookSpec("check_shell", "?", kind="prompt"), handlers={"prompt": handler}) as e:
        verdict = e.fire("check_shell", tool_name="bash")
    assert verdict.decision == "deny"
    assert "no model" in verdict.reason


def test_a_bug_in_reading_an_answer_is_a_failure_of_the_hook() -> None:
    with engine(HookSpec("check_shell", echo("[1]"))) as e:  # the toy's parse raises on it
        verdict = e.fire("check_shell", tool_name="bash")
    assert (verdict.decision, verdict.hooks[0].ended) == ("deny", "bad_output")


def test_a_policy_may_differ_by_how_the_hook_ended() -> None:
    policy = {"timed_out": "closed"}
    with engine(HookSpec("check", "sleep 9", timeout=0.1, on_failure=policy)) as e:
        assert e.fire("check", tool_name="x").decision == "deny"
    with engine(HookSpec("check", "exit 1", on_failure=policy)) as e:
        assert e.fire("check", tool_name="x").decision == "none"


# -- a host's own executor --------------------------------------------------------------------------------------------


class Denying:
    """An executor with nothing but ``run``."""

    def run(self, job: HookJob, scope: CancelScope) -> HookRun:
        return HookRun(status=2, stderr=job.command.encode())


class Closing(Denying):
    """An executor that can be closed, and whose other names are the host's own affair."""

    closed = 0
    commands = file_system = lacks = "the host's"

    def close(self) -> None:
        self.closed += 1


@pytest.mark.parametrize("executor", [Denying(), Closing()], ids=["only run", "more"])
@pytest.mark.parametrize("kind", ["command", "prompt"])
def test_an_executor_needs_no_method_but_run(executor: Denying, kind: str) -> None:
    spec = HookSpec("check", "no", kind=kind)
    with engine(spec, executor=executor, handlers={"prompt": lambda request: {"decision": "deny"}}) as e:
        assert e.fire("check", tool_name="x").decision == "deny"
        assert [why.matches for why in e.explain("check", tool_name="x")] == [True]
        assert e.executor is executor
        before = getattr(executor, "closed", 0)
    assert not isinstance(executor, Closing) or executor.closed == before + 1


# -- in the background -----------------------------------------------------------------------------------------------


def test_background_returns_a_handle_and_close_waits(tmp_path: Path) -> None:
    e = engine(HookSpec("check", "sleep 0.3; echo late > late; exit 2"), cwd=str(tmp_path))
    firing = e.fire("check", tool_name="x", background=True)
    assert not firing.done
    with pytest.raises(TimeoutError):
        firing.result(0)
    e.close()
    assert firing.done and firing.result().decision == "deny"
    assert (tmp_path / "late").exists()


def test_background_can_be_cancelled() -> None:
    with engine(HookSpec("check", "sleep 9")) as e:
        firing = e.fire("check", tool_name="x", background=True)
        firing.cancel()
        assert firing.result(60).hooks[0].ended == "cancelled"
