"""Typed events in this process: what an agent sends on stdin, and what the hook answers."""

from __future__ import annotations

import io
import json
import sys
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

from pyshellhooks import HookEngine, dialects
from pyshellhooks.engine import RecordedExecutor
from pyshellhooks.hooks.dialect import Dialect, EventSpec
from pyshellhooks.hooks.render import HookOutput
from pyshellhooks.types import ending
from pyshellhooks.types.event import Event
from tests.generators.types import SYSTEMS, pascal

EVENTS = [(system, native) for system in SYSTEMS for native in dialects.get(system).events]


def module(system: str) -> ModuleType:
    return import_module(f"pyshellhooks.types.{system}")


def model(system: str, native: str) -> type[Event]:
    found: type[Event] = getattr(module(system), pascal(native))
    return found


def payload(dialect: Dialect, row: EventSpec, fields: dict[str, Any]) -> bytes:
    """Return what the system tells a hook of an event, byte for byte."""
    executor = RecordedExecutor()
    with HookEngine(dialect, [dialect.added(row.native, "hook")], executor=executor, cwd="/", env={}) as engine:
        engine.fire(row.native, fields)
    job = executor.jobs[0]
    return job.stdin or job.env[dialect.payload_variables[0]].encode()


class Process:
    """Stands for the process of a hook: its stdin, and what came of it."""

    def __init__(self, patch: pytest.MonkeyPatch, output: pytest.CaptureFixture[bytes]) -> None:
        self.patch = patch
        self.output = output

    def set_stdin(self, data: bytes) -> None:
        """Begin a new one with this on stdin."""
        self.patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        if isinstance(sys.stdout, ending.Held):  # of the one before; pytest itself puts back what was there at first
            sys.stdout = sys.stdout.answers
        self.patch.setattr(sys, "excepthook", sys.__excepthook__)
        self.patch.setattr(ending, "_ended", [])
        for name in dialects.get("everruns").payload_variables:
            self.patch.delenv(name, raising=False)
        self.output.readouterr()

    def ended(self, stop: pytest.ExceptionInfo[SystemExit]) -> HookOutput:
        """Return what it printed, and its status."""
        out, error = self.output.readouterr()
        assert b"Traceback" not in error
        assert isinstance(stop.value.code, int)
        return HookOutput(out.decode(), stop.value.code, error.decode())


def sent(fields: dict[str, Any]) -> bytes:
    return json.dumps(fields).encode()
