"""The cells of the table of our own failures: systems, policies, and what the contract expects of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pyshellhooks import HookEngine, dialects
from pyshellhooks.engine import RecordedExecutor
from pyshellhooks.hooks.dialect import CLOSED, OPEN, Dialect, EventSpec
from pyshellhooks.hooks.fields import sample
from pyshellhooks.hooks.model import FAILURES, HookRun, HookSpec, Origin
from pyshellhooks.hooks.verdict import Verdict

GUARDS = ("call", "prompt", "result")  # decisions own failures: "events that guard a call, a prompt or a result"
COLUMNS: dict[str, dict[str, Any]] = {
    "default": {},
    "strict": {"strict": True},
    "vendor": {"own_failures": "vendor"},
    "open": {"on_failure": "open"},
    "closed": {"on_failure": "closed"},
    "strict vendor": {"strict": True, "own_failures": "vendor"},
}
WRITTEN = (None, OPEN, CLOSED)


def systems() -> Iterator[Dialect]:
    for name in dialects.names():
        for edition in dialects.dialect_class(name).editions:
            yield dialects.get(f"{name}@{edition}")


def expected(row: EventSpec, ended: str, options: dict[str, Any], written: str | None) -> bool:
    """Say whether a cell is a deny; from the contract's words, in the order in which they win.

    ``ended``: how the system itself takes such a run.
    """
    if row.guards in ("", "stop"):
        return False  # never on stop events; where nothing can be denied, nothing is
    if options.get("strict"):
        return row.guards in (*GUARDS, "act")
    vendors = options.get("own_failures") == "vendor"
    if vendors and ended not in FAILURES:
        return False
    policy = written or options.get("on_failure")
    if policy:
        return bool(policy == CLOSED)
    if not vendors and row.guards in GUARDS:
        return True
    return row.failure.get(ended) == CLOSED


def fire(dialect: Dialect, row: EventSpec, found: HookRun, written: str | None = None, **options: Any) -> Verdict:
    place = Origin("/w/hooks.conf", line=7, column=3)
    spec = HookSpec(row.native, "x", timeout=5.0, on_failure=written, origin=place)
    with HookEngine(dialect, [spec], executor=RecordedExecutor({"x": found}), cwd="/", env={}, **options) as engine:
        return engine.fire(row.native, {"tool_name": "x", "tool_input": {}, **sample(row, neutral=False)})


def is_denied(verdict: Verdict) -> bool:
    assert not verdict.halt and verdict.followup is None
    return verdict.decision == "deny"


def twin(found: HookRun) -> HookRun:
    """Return a run that ended in the same way, and nothing of ours had a part in it."""
    return HookRun(found.kind, found.status, found.stdout, found.stderr, reason=found.reason, detail=found.detail)
