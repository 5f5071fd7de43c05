"""The paths in an event's fields: as scripts see them on Windows, and as native programs do."""

from __future__ import annotations

import pytest

from pyshellhooks.engine.scripts.event_paths import EventPaths, for_native_program


def for_scripts(tool_input: str) -> object:
    return EventPaths({"tool_input": tool_input}, "tool_input", lambda path: False, True).fields["tool_input"]


def test_a_path_in_a_text_that_is_json() -> None:
    assert for_scripts('{"file_path": "C:\\\\x"}') == '{"file_path":"C:/x"}'
    assert for_native_program({"tool_input": '{"file_path":"C:/x"}'}, "tool_input") == {
        "tool_input": '{"file_path":"C:\\\\x"}'
    }


@pytest.mark.parametrize(
    "text",
    ['{"a":', '{"a":"x', '{"file_path":"C:\\\\x"', '{"file_path":"C:\\\\x"} and more', "[", '"C:\\\\x"', "", " "],
)
def test_a_text_that_is_no_object_stays(text: str) -> None:
    """It ended with an internal error, and so with a deny, on Windows only."""
    assert for_scripts(text) == text
    assert for_native_program({"tool_input": text}, "tool_input") == {"tool_input": text}


def test_a_path_in_a_result() -> None:
    """Claude Code's Write reports the path that it wrote; a text that a tool printed stays as it is."""
    fields = {"tool_response": {"filePath": "C:\\p\\x", "content": "C:\\p\\y"}, "tool_output": "C:\\p\\z"}
    found = EventPaths(fields, "tool_input", lambda path: False, True).fields
    assert found == {"tool_response": {"filePath": "C:/p/x", "content": "C:\\p\\y"}, "tool_output": "C:\\p\\z"}
    assert for_native_program(found, "tool_input") == fields
