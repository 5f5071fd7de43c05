"""``Limits.grace`` and ``Limits.slack``: how long an end may take, for every way in which a script is run."""

from __future__ import annotations

import asyncio
import json
from math import inf, nan

import pytest
from clock import patient

from pyshellhooks import HookEngine, Limits, Shell
from pyshellhooks.aio import run_async
from pyshellhooks.cancel import CancelScope
from pyshellhooks.engine import ShellExecutor
from pyshellhooks.engine.scheduler import HookRunner
from pyshellhooks.fs.memory import MemoryFS
from pyshellhooks.hooks.model import HookJob, HookSpec

# It ends by itself only in the grace.
SCRIPT = "trap 'echo bye; exit 3' TERM; while :; do :; done"
LONG = Limits(grace=60.0)
NONE = Limits(grace=0)


def _virtual(limits: Limits) -> Shell:
    return Shell(fs=MemoryFS(), limits=limits)


def _isolated(limits: Limits) -> Shell:
    return Shell(limits=limits, isolation="process", spawn=False)


@pytest.mark.slow
@pytest.mark.parametrize("make", [_virtual, _isolated])
def test_the_limits_bound_the_time_of_a_trap(make: object) -> None:
    assert callable(make)
    allowed = make(LONG).run(SCRIPT, timeout=patient(0.3))
    assert (allowed.stdout, allowed.status, allowed.late) == (b"bye\n", 3, True)
    assert make(NONE).run(SCRIPT, timeout=0.3).stdout == b""


@pytest.mark.slow
def test_a_run_may_have_its_own() -> None:
    assert _virtual(NONE).run(SCRIPT, timeout=patient(0.3), grace=60.0).stdout == b"bye\n"
    assert _virtual(LONG).run(SCRIPT, timeout=0.3, grace=0.0).stdout == b""
    session = _virtual(LONG).session()
    assert session.run(SCRIPT, timeout=patient(0.3)).stdout == b"bye\n"


@pytest.mark.slow
def test_a_coroutine_waits_for_the_time_of_the_limits() -> None:
    async def grace_of(limits: Limits) -> float:
        return await run_async(lambda scope: scope.grace, None, limits)

    assert asyncio.run(grace_of(LONG)) == 60.0
    assert asyncio.run(_virtual(LONG).arun(SCRIPT, timeout=patient(0.3))).stdout == b"bye\n"
    assert asyncio.run(_virtual(NONE).arun(SCRIPT, timeout=patient(0.3), grace=60.0)).stdout == b"bye\n"


@pytest.mark.one_in(4)
@pytest.mark.parametrize("hooks", [1, 2])
@pytest.mark.parametrize(("limits", "said"), [(LONG, "bye\n"), (NONE, "")])
def test_an_engine_has_them_too(limits: Limits, said: str, hooks: int) -> None:
    entries = [{"command": f"# {number}\n{SCRIPT}", "timeout": 1} for number in range(hooks)]
    config = json.dumps({"hooks": {"PreToolUse": entries}})
    engine = HookEngine.load(config, "crush", env={}, fs=MemoryFS(), limits=limits)
    ran = engine.fire("PreToolUse", tool_name="bash", tool_input={"command": "ls"}).hooks
    assert [one.stdout for one in ran] == [said] * hooks


def _executor(limits: Limits | None = None) -> ShellExecutor:
    return ShellExecutor(fs=MemoryFS(), env={}, limits=limits)


def _output(runner: HookRunner) -> bytes:
    job = HookJob(HookSpec("PreToolUse", SCRIPT), stdin=b"", env={}, cwd="/", timeout=patient(0.3))
    return runner.run_hook(job, None).stdout


class _OwnExecutor(ShellExecutor):
    """A host's subclass; the runner gives it a scope with the deadline."""


@pytest.mark.parametrize("make", [ShellExecutor, _OwnExecutor])
def test_the_grace_of_the_runner_alone_decides(make: type[ShellExecutor]) -> None:
    executor = make(fs=MemoryFS(), env={}, limits=NONE)
    assert _output(HookRunner(executor, limits=LONG)) == b"bye\n"
    assert _output(HookRunner(make(fs=MemoryFS(), env={}, limits=LONG), limits=NONE)) == b""


def test_an_engine_takes_the_limits_of_its_executor_unless_it_has_its_own() -> None:
    assert HookEngine("crush", executor=_executor(LONG)).runner.limits is LONG
    assert HookEngine("crush", executor=_executor(LONG), limits=NONE).runner.limits is NONE
    assert HookEngine("crush", limits=NONE).runner.limits is NONE


def test_a_flood_does_not_wait_for_a_deadline_that_is_within_a_long_grace() -> None:
    flood = Shell(fs=MemoryFS(), limits=Limits(grace=60, output=1000)).run("yes", timeout=30)
    assert (flood.ended.reason, flood.ended.limit) == ("limit", "output")


def test_the_default_grace_and_slack() -> None:
    assert CancelScope().grace == Limits().grace == 1.0
    assert Limits().slack == 0.5


@pytest.mark.parametrize("value", [-1, -0.5, nan, inf, "1", None])
@pytest.mark.parametrize("name", ["grace", "slack"])
def test_a_value_that_is_no_time_is_an_error(name: str, value: object) -> None:
    with pytest.raises(ValueError, match=rf"Limits\.{name} must be seconds >= 0, got "):
        Limits(**{name: value})


def test_bounds_are_whole_numbers() -> None:
    with pytest.raises(ValueError, match=r"Limits\.output must be an int >= 0, got 1\.5"):
        Limits(output=1.5)
