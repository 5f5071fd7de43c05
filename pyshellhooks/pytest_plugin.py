"""A pytest fixture for authors of hooks: fire an event at a config, and check the verdict.

::

    def test_rm_is_denied(fire_hooks):
        verdict = fire_hooks("crush.json", "PreToolUse", tool_name="bash", tool_input={"command": "rm -rf /"})
        assert verdict.decision == "deny"

The fixture is available as soon as pyshellhooks is installed beside pytest. For a failed test pytest shows the hooks'
output.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import pytest

if TYPE_CHECKING:
    from .engine import HookEngine
    from .hooks.verdict import Verdict

Source = str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | Mapping[str, Any]

_OPTIONS = frozenset(
    [
        "agent", "ask", "cwd", "dialect", "disabled", "env", "executor", "fs", "handlers", "hooks", "limits", "mounts",
        "on_failure", "own_failures", "paths", "permissions", "scripts", "settings", "spawn", "strict", "tools",
    ]
)  # fmt: skip


class FireHooks(Protocol):
    """The type of the fixture ``fire_hooks``."""

    def __call__(self, config: Source, event: str, /, payload: Any = None, **fields: Any) -> Verdict:
        """Load a config (a path from pytest's root directory, a mapping, or text), fire an event, return the verdict.

        Keyword arguments of ``HookEngine.load`` (``dialect``, ``env``, ``spawn``, ``strict``, ``fs``, …) are its
        options, all others are the event's fields. Hooks run in pytest's root directory unless ``cwd`` is given.
        Several calls with one config and the same options share one engine, and so the state of its sessions. The
        report of a failed test has a section with the output of each call's hooks.
        """


@pytest.fixture
def fire_hooks(pytestconfig: pytest.Config, request: pytest.FixtureRequest) -> Iterator[FireHooks]:
    """Return a function that loads a config and fires an event at it."""
    from .engine import HookEngine
    from .hooks.transcript import transcript

    root = str(pytestconfig.rootpath)
    engines: dict[str, HookEngine] = {}

    def engine(config: Source, options: dict[str, Any]) -> HookEngine:
        key = repr((config, sorted(options.items(), key=lambda item: item[0])))
        loaded = engines.get(key)
        if loaded is None:
            dialect = options.pop("dialect", None)
            if isinstance(config, (str, os.PathLike)) and not _is_text(config):
                config = os.path.join(root, config)
            loaded = engines[key] = HookEngine.load(config, dialect, **{"cwd": root, **options})
        return loaded

    def fire(config: Source, event: str, /, payload: Any = None, **fields: Any) -> Verdict:
        options = {name: fields.pop(name) for name in _OPTIONS & fields.keys()}
        verdict: Verdict = engine(config, options).fire(event, payload, **fields)
        request.node.add_report_section("call", "hooks", transcript(verdict))
        return verdict

    yield fire
    for loaded in engines.values():
        loaded.close()


def _is_text(config: str | os.PathLike[str]) -> bool:
    return isinstance(config, str) and (config.lstrip()[:1] in ("{", "[") or "\n" in config)
