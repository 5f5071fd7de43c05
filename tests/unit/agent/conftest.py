"""The methods of ``AgentHooks`` in three ways: at once, under asyncio and under trio."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable
from typing import Any

import pytest

from pyshellhooks.agent import AgentHooks, Gate

Invoke = Callable[..., Gate]


@pytest.fixture(params=["at once", "asyncio", "trio"])
def invoke(request: pytest.FixtureRequest) -> Invoke:
    """Return what calls a method by its name: ``ask(hooks, "before", "bash", {...})``."""
    way = request.param
    if way == "trio":
        trio = pytest.importorskip("trio")

    def call_method(hooks: AgentHooks, name: str, *words: Any, **named: Any) -> Gate:
        if way == "at once":
            gate: Gate = getattr(hooks, name)(*words, **named)
            return gate
        method = functools.partial(getattr(hooks, f"a{name}"), *words, **named)
        if way == "asyncio":
            return asyncio.run(method())
        found: Gate = trio.run(method)
        return found

    return call_method
