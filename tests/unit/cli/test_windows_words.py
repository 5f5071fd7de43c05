"""The words of a command line on Windows (decisions paths on Windows). Pure, so every system runs it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pyshellhooks.cli.windows import in_one_form


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["check", "C:\\p\\settings.json"], ["check", "C:/p/settings.json"]),
        (["check", "c:/p"], ["check", "C:/p"]),
        (["fire", "--config=C:\\p\\x.json"], ["fire", "--config=C:/p/x.json"]),
        (["fire", "--hook-stop", "C:\\bin\\x.exe a"], ["fire", "--hook-stop", "C:\\bin\\x.exe a"]),
        (["fire", "--hook-stop=C:\\x.exe"], ["fire", "--hook-stop=C:\\x.exe"]),
        (["sh", "-ec", "C:\\bin\\x.exe a"], ["sh", "-ec", "C:\\bin\\x.exe a"]),
        (["sh", "-c", "C:\\bin\\x.exe a"], ["sh", "-c", "C:\\bin\\x.exe a"]),
        (["mcp-proxy", "--", "C:\\bin\\x.exe"], ["mcp-proxy", "--", "C:\\bin\\x.exe"]),
        (["check", "no\\such"], ["check", "no\\such"]),
        (["check", "--ignore", "unknown-key"], ["check", "--ignore", "unknown-key"]),
    ],
)
def test_paths_have_one_form_and_scripts_stay(words: list[str], expected: list[str]) -> None:
    assert in_one_form(words) == expected


@pytest.mark.skipif(os.name != "nt", reason="needs-drives")
def test_a_relative_path_of_a_file_has_slashes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/x.json").write_text("{}")
    monkeypatch.chdir(tmp_path)
    assert in_one_form(["check", "a\\x.json"]) == ["check", "a/x.json"]
