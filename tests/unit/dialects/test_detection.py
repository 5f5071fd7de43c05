"""Which system a file belongs to: its name first, then its shape."""

from __future__ import annotations

import pytest

from pyshellhooks import dialects

pytestmark = pytest.mark.portable


@pytest.mark.parametrize("name", dialects.names())
def test_the_table_of_file_names_is_that_of_the_classes(name: str) -> None:
    assert dialects._FILE_NAMES[name] == dialects.dialect_class(name).file_names


@pytest.mark.parametrize("name", dialects.names())
def test_a_file_name_tells_its_system(name: str) -> None:
    for file in dialects._FILE_NAMES[name]:
        for path in (file, f"/home/me/project/{file}", f"C:\\project\\{file}".replace("/", "\\")):
            found = dialects.detect(path, None)
            assert found is not None and found.name == name, path


def test_another_name_tells_nothing() -> None:
    assert dialects.detect("hooks.json", None) is None
    assert dialects.detect("mycrush.json", None) is None
    assert dialects.detect("settings.json", {"theme": "dark"}) is None


def test_flat_entries_with_a_version_are_not_crushs() -> None:
    found = dialects.detect("hooks.json", {"version": 1, "hooks": {"preToolUse": [{"command": "x"}]}})
    assert found is not None and found.name in ("firebender", "cursor")
    assert not dialects.get("crush").recognises({"version": 1, "hooks": {"preToolUse": [{"command": "x"}]}})
