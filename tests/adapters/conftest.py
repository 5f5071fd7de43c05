"""Which SDKs the story is told on: those that are installed, or those that PYSHELLHOOKS_ADAPTERS names, without fail."""

from __future__ import annotations

import importlib
import os
from typing import Any

import pytest

DRIVERS = {
    "agent-framework": ("agent_framework", ("agent-framework",)),
    "google-adk": ("google.adk", ("google-adk",)),
    "claude-agent-sdk": ("claude_agent_sdk", ("claude-agent-sdk",)),
    "langchain": ("langchain.agents", ("langchain", "langchain async")),
    "openai-agents": ("agents", ("openai-agents",)),
    "pydantic-ai": ("pydantic_ai", ("pydantic-ai",)),
    "strands-agents": ("strands", ("strands-agents",)),
}  # fmt: skip
WANTED = os.environ.get("PYSHELLHOOKS_ADAPTERS", "").split()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Tell the story once for each way of each SDK."""
    if "driver" in metafunc.fixturenames:
        ways = [(name, way) for name, (_, found) in DRIVERS.items() for way in found if not WANTED or name in WANTED]
        metafunc.parametrize("driver", ways, indirect=True, ids=[way.replace(" ", "-") for _, way in ways])


@pytest.fixture
def driver(request: pytest.FixtureRequest) -> Any:
    """Return the class that runs a story on an SDK."""
    name, way = request.param
    if name not in WANTED:
        pytest.importorskip(DRIVERS[name][0], reason=f"its SDK is not installed: python -m tests.adapters.run {name}")
    module = importlib.import_module(f"tests.adapters.drivers.{name.replace('-', '_')}")
    return module.DRIVERS[way]
