"""Coroutines: many at once, cancelled, abandoned; the loop and the interpreter never wait for them."""

from __future__ import annotations

import asyncio
import contextvars
import threading
import time

import pytest
from clock import patient
from host_program import run

from pyshellhooks import HookEngine, Limits, Shell
from pyshellhooks.aio import run_async
from pyshellhooks.cancel import CancelScope
from pyshellhooks.fs import MemoryFS
from pyshellhooks.host import threads

GUARD = {"hooks": {"PreToolUse": [{"command": "grep -q 'rm 1*7' && { echo no >&2; exit 2; }; echo '{}'"}]}}


def test_two_hundred_fires_at_once() -> None:
    engine = HookEngine.load(GUARD, "crush", spawn=False)

    async def main() -> list[str]:
        fires = (
            engine.afire("PreToolUse", tool_name="bash", tool_input={"command": f"rm {number}"})
            for number in range(200)
        )
        return [verdict.decision for verdict in await asyncio.gather(*fires)]

    found = asyncio.run(main())
    assert [one == "deny" for one in found] == [str(n).startswith(("7", "17", "117")) for n in range(200)]
    assert engine.stats()["fires"] == 200
    assert engine.stats()["threads_abandoned"] == 0


def test_two_hundred_sleeps_at_once_and_all_cancelled() -> None:
    shell = Shell(spawn=False)

    async def main() -> float:
        tasks = [asyncio.ensure_future(shell.arun("sleep 30")) for _ in range(200)]
        await asyncio.sleep(0.3)
        begun = time.monotonic()
        for task in tasks:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(result, asyncio.CancelledError) for result in results)
        return time.monotonic() - begun

    assert asyncio.run(main()) < patient(10)


def test_a_cancel_waits_for_the_end_of_the_run() -> None:
    ends: list[str] = []
    fs = MemoryFS()
    shell = Shell(fs=fs, spawn=False)

    def body(scope: CancelScope) -> None:
        result = shell.run("trap 'echo bye' EXIT; : > /up; sleep 60", scope=scope)
        ends.append(f"{result.ended.reason} {result.stdout!r}")

    async def main() -> None:
        task = asyncio.ensure_future(run_async(body))
        while not fs.exists("/up"):
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert ends == ["cancelled b'bye\\n'"]

    asyncio.run(main())


def test_a_run_that_does_not_end_is_abandoned_and_counted() -> None:
    release = threading.Event()
    engine = HookEngine.load(GUARD, "crush", spawn=False)
    before = len(threads.abandoned)

    async def main() -> None:
        task = asyncio.ensure_future(run_async(lambda scope: release.wait(60), None, Limits(grace=60)))
        await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.sleep(0.05)
        task.cancel()  # the second one does not wait for the grace
        with pytest.raises(asyncio.CancelledError):
            await task

    begun = time.monotonic()
    asyncio.run(main())
    assert time.monotonic() - begun < patient(10)
    assert engine.stats()["threads_abandoned"] == before + 1
    release.set()
    until = time.monotonic() + 60
    while engine.stats()["threads_abandoned"] > before:
        assert time.monotonic() < until
        time.sleep(0.005)


def test_timeouts_of_asyncio_end_the_run() -> None:
    async def main() -> None:
        begun = time.monotonic()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await Shell(spawn=False).arun("while :; do :; done")
        assert time.monotonic() - begun < patient(1.7)

    asyncio.run(main())


def test_the_synchronous_call_inside_a_running_loop() -> None:
    async def main() -> bytes:
        engine = HookEngine.load(GUARD, "crush", spawn=False)
        assert engine.fire("PreToolUse", tool_name="bash", tool_input={"command": "rm 7"}).decision == "deny"
        return Shell(spawn=False).run("echo a | cat; sleep 0.01 & wait", timeout=60).stdout

    assert asyncio.run(main()) == b"a\n"


def test_failures_and_context_variables_cross() -> None:
    variable = contextvars.ContextVar("variable", default="unset")

    async def main() -> None:
        variable.set("mine")
        assert await run_async(lambda scope: variable.get()) == "mine"
        for error in (ValueError("x"), KeyError("y")):

            def fail(scope: CancelScope, error: Exception = error) -> None:
                raise error

            with pytest.raises(type(error)):
                await run_async(fail)

        def stop(scope: CancelScope) -> None:
            raise StopIteration

        with pytest.raises(RuntimeError):
            await run_async(stop)

    asyncio.run(main())


@pytest.mark.slow
def test_an_abandoned_run_delays_neither_the_loop_nor_the_exit() -> None:
    # time.sleep cannot be interrupted: the worst that a host's own utility can do.
    ended = run("""
        from pyshellhooks.command import utility
        @utility("stuck", summary="sleep deaf", flags=None)
        def stuck(call):
            time.sleep(30)
        shell = Shell(utilities=[stuck], spawn=False)
        async def main():
            task = asyncio.ensure_future(shell.arun("stuck"))
            await asyncio.sleep(0.2)
            ready()
        begun = time.monotonic()
        try:
            asyncio.run(main())
        except asyncio.CancelledError:
            pass
        print(time.monotonic() - begun < 3)
    """)
    assert (ended.status, ended.stderr, ended.stdout) == (0, "", "True\n")
    assert ended.seconds < patient(4)  # the grace, half a second, and what the exit waits


def test_a_loop_that_is_closed_before_the_run_returns() -> None:
    ended = run("""
        from pyshellhooks.aio import run_async
        async def main():
            task = asyncio.ensure_future(run_async(lambda scope: time.sleep(0.4)))
            for _ in range(2):
                await asyncio.sleep(0.05)
                task.cancel()
            await asyncio.wait([task])
        asyncio.run(main())
        ready()
        time.sleep(0.6)
    """)
    assert (ended.status, ended.stderr) == (0, "")
