"""Fire all events of all systems again and again, from many threads, through cancels, forks and Ctrl-C; print what stays.

Run by itself: ``python tests/hostile/endurance.py [FIRES]``; ``test_hostile_endurance`` starts it with few. Every fire's
answer is looked at: the bad call must be denied, the good one must not. Prints one JSON object a phase.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import random
import signal
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2])]

from process_state import descriptors  # noqa: E402

from pyshellhooks import HookEngine  # noqa: E402
from pyshellhooks.host import current  # noqa: E402
from tests.contract.guard_matrix.bench import Bench  # noqa: E402
from tests.contract.guard_matrix.systems import EVENTS, Event  # noqa: E402

THREADS = 100
SESSIONS = 50  # conversations that come again
IDLE = 90  # seconds that threads of the pool have to end in: they wait 30 for the next run
GUARDED = ("call", "prompt", "result")


class Guards:
    """The guards of all systems, and a count of the answers that were wrong."""

    def __init__(self, root: Path) -> None:
        self.benches: list[tuple[Bench, HookEngine]] = []
        for system in EVENTS:
            (root / system).mkdir()
            bench = Bench(system, root / system, [event for event in EVENTS[system] if event.guards in GUARDED])
            bench.options["spawn"] = False
            self.benches.append((bench, bench.load(False)))
        self.all: list[tuple[Bench, HookEngine, Event]] = [
            (bench, engine, event) for bench, engine in self.benches for event in bench.events
        ]
        self.wrong: list[str] = []
        self.fires = 0

    def fire(self, chance: random.Random) -> None:
        """Fire one event, about something good or bad."""
        bench, engine, event = chance.choice(self.all)
        bad = chance.random() < 0.5
        fields = {**event.fields(event.bad if bad else event.good), "session_id": f"s{chance.randrange(SESSIONS)}"}
        verdict = engine.fire(event.native, **fields)
        self.fires += 1
        if (verdict.decision == "deny") is not bad:
            self.wrong.append(f"{event.name} {'bad' if bad else 'good'}: {verdict!r:.300}")

    def many(self, count: int, seed: int = 0) -> None:
        """Fire so often."""
        chance = random.Random(seed)
        for _ in range(count):
            self.fire(chance)

    def close(self) -> None:
        """Close the engines."""
        for _, engine in self.benches:
            engine.close()


def threads(guards: Guards, count: int) -> None:
    """Fire from many threads at once."""
    with ThreadPoolExecutor(THREADS) as pool:
        for done in [pool.submit(guards.many, count // THREADS, seed) for seed in range(THREADS)]:
            done.result()


def cancels(guards: Guards, count: int) -> None:
    """Cancel coroutines that fire a hook which sleeps."""
    hook = {"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "sleep 60"}]}]}}

    async def one(engine: HookEngine) -> None:
        task = asyncio.create_task(engine.afire("PreToolUse", tool_name="Bash", tool_input={"command": "ls"}))
        await asyncio.sleep(0.01)
        task.cancel()
        try:
            guards.wrong.append(f"not cancelled: {await task!r:.200}")
        except asyncio.CancelledError:
            pass

    async def all_() -> None:
        await asyncio.gather(*(one(engine) for _ in range(count)))

    with HookEngine.load(hook, "claude_code", spawn=False) as engine:
        asyncio.run(all_())


def forks(guards: Guards, count: int) -> None:
    """Fork while other threads fire: the child's fires are answered as well."""
    over = threading.Event()

    def others() -> None:
        while not over.is_set():
            guards.many(1, random.randrange(1 << 30))

    beside = [threading.Thread(target=others) for _ in range(3)]
    for thread in beside:
        thread.start()
    for _ in range(count):
        child = os.fork()
        if not child:
            status = 1
            try:
                guards.wrong.clear()
                guards.many(10, 1)
                status = 2 if guards.wrong else 0
            finally:
                os._exit(status)
        _, status = os.waitpid(child, 0)
        if status:
            guards.wrong.append(f"a forked child ended with status {os.waitstatus_to_exitcode(status)}")
    over.set()
    for thread in beside:
        thread.join()


def interrupts(guards: Guards, count: int) -> None:
    """Press Ctrl-C while a hook sleeps: the fire ends, and the next one is answered."""
    hook = {"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "sleep 60"}]}]}}
    with HookEngine.load(hook, "claude_code", spawn=False) as engine:
        for _ in range(count):
            presser = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
            presser.start()
            began = time.monotonic()
            try:
                guards.wrong.append(f"not interrupted: {engine.fire('PreToolUse', tool_name='Bash', tool_input={})!r}")
            except KeyboardInterrupt:
                if time.monotonic() - began > 10:
                    guards.wrong.append("an interrupt took more than 10 s")
            presser.join()
    guards.many(50)


def last(guards: Guards, count: int) -> None:
    """Fire once more, and wait until no more threads are left than a few runs beside each other need."""
    guards.many(count)
    until = time.monotonic() + IDLE
    while threading.active_count() > 8 and time.monotonic() < until:
        time.sleep(0.5)


def state(phase: str, guards: Guards) -> dict[str, Any]:
    """Say what the process holds."""
    gc.collect()
    return {
        "phase": phase,
        "fires": guards.fires,
        "resident": (current().resident() or 0) // 1024,
        "threads": threading.active_count(),
        "descriptors": len(descriptors()),
        "wrong": guards.wrong[:5],
    }


def main() -> None:
    """Go through the phases."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # who started us may have it ignored
    fires = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    few = max(3, fires // 5000)
    with tempfile.TemporaryDirectory() as place:
        guards = Guards(Path(place))
        phases = [
            ("start", lambda: guards.many(1000 + fires // 10)),
            ("half", lambda: guards.many(fires // 2)),
            ("threads", lambda: threads(guards, fires // 4)),
            ("cancels", lambda: cancels(guards, few)),
            *([("forks", lambda: forks(guards, few))] if hasattr(os, "fork") else []),
            ("interrupts", lambda: interrupts(guards, few)),
            ("end", lambda: last(guards, max(1000, fires - guards.fires))),
        ]
        for phase, act in phases:
            act()
            print(json.dumps(state(phase, guards)), flush=True)
        guards.close()


if __name__ == "__main__":
    main()
