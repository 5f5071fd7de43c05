"""An event passes few functions on its way to a hook's first command, and has few names there; both may only get fewer."""

from __future__ import annotations

import pytest

from pyshellhooks import HookEngine
from tests.architecture.event_path import FIRINGS, MARK, Walk, all_names, contains_event, followed

pytestmark = pytest.mark.not_on_windows("same-everywhere")

FRAMES = 12  # from ``HookEngine.fire`` to the call of the first command
NAMES = 5  # of the event's fields, in all firings together


@pytest.mark.parametrize("firing", FIRINGS, ids="-".join)
def test_no_function_joins_the_way(firing: tuple[str, str, str]) -> None:
    frames = followed(*firing).frames
    assert frames[0].endswith("HookEngine.fire") and frames[-1].endswith("run_main")
    assert len(frames) <= FRAMES, f"fewer than {FRAMES + 1} functions pass an event on: {frames}"


def test_no_name_is_added() -> None:
    names = all_names()
    assert {"fields", "payload", "stdin"} <= names.keys()
    assert len(names) <= NAMES, f"use one of the names that the event has already: {names}"


def test_values_that_contain_the_event() -> None:
    tool_input = {"command": MARK}
    text = f'{{"command": "{MARK}"}}'
    assert all(
        map(
            contains_event,
            (tool_input, {"tool_input": tool_input}, {"tool_input": text}, text, text.encode(), (0, text)),
        )
    )
    assert not any(map(contains_event, (MARK, {"a": 1}, {}, "{}", b"", None, (1, 2))))
    walk = Walk()
    walk.look("_fields", tool_input, HookEngine.fire.__code__)
    walk.look("other", "", HookEngine.fire.__code__)
    assert walk.names.keys() == {"fields"}
