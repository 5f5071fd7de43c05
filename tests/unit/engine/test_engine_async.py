"""The door for coroutines."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest
from clock import patient

from pyshellhooks.cancel import CancelScope
from pyshellhooks.engine import HookEngine, RecordedExecutor
from pyshellhooks.errors import UnknownEventError
from pyshellhooks.hooks.model import HookJob, HookRun

CONFIG = {"hooks": {"PreToolUse": [{"command": "x"}]}}


def test_it_returns_the_same_verdict_and_leaves_the_loop_free() -> None:
    def run(job: HookJob, scope: CancelScope) -> HookRun:
        assert threading.current_thread() is not threading.main_thread()
        time.sleep(0.1)
        return HookRun(status=2, stderr=b"no")

    async def main() -> int:
        engine = HookEngine.load(CONFIG, "crush", executor=RecordedExecutor(run))
        turns = 0
        task = asyncio.ensure_future(engine.afire("PreToolUse", tool_name="bash"))
        while not task.done():
            await asyncio.sleep(0.01)
            turns += 1
        verdict = task.result()
        assert (verdict.decision, verdict.reason) == ("deny", "no")
        return turns

    assert asyncio.run(main()) > 2


def test_cancelling_it_cancels_the_hook_and_waits_for_it() -> None:
    ended: list[str | None] = []
    begun = threading.Event()

    def run(job: HookJob, scope: CancelScope) -> HookRun:
        begun.set()
        try:
            scope.sleep(60)
        finally:
            ended.append(scope.cancel_called)
        return HookRun()

    async def main() -> None:
        engine = HookEngine.load(CONFIG, "crush", executor=RecordedExecutor(run))
        task = asyncio.ensure_future(engine.afire("PreToolUse"))
        while not begun.is_set():
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert ended == ["cancelled"]

    since = time.monotonic()
    asyncio.run(main())
    assert time.monotonic() - since < patient(10)


def test_a_hook_that_does_not_yield_cannot_hold_the_loop() -> None:
    release = threading.Event()

    def run(job: HookJob, scope: CancelScope) -> HookRun:
        release.wait(10)
        return HookRun()

    async def main() -> None:
        engine = HookEngine.load(CONFIG, "crush", executor=RecordedExecutor(run))
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(engine.afire("PreToolUse"), 0.05)

    begun = time.monotonic()
    asyncio.run(main())
    taken = time.monotonic() - begun
    release.set()
    assert taken < 3


def test_errors_of_the_caller_are_raised() -> None:
    async def main() -> None:
        engine = HookEngine.load(CONFIG, "crush", executor=RecordedExecutor())
        with pytest.raises(UnknownEventError):
            await engine.afire("Nope")
        verdicts = await asyncio.gather(*(engine.afire("PreToolUse", timeout=60) for _ in range(20)))
        assert all(verdict.hooks[0].ended == "ok" for verdict in verdicts)

    asyncio.run(main())
