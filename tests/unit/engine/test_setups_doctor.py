"""``doctor`` and ``doctor DIR`` look at what ``check DIR`` and ``fire`` find."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from setup_files import MARKET, USER, build, enabled, manifest, wrapped

from pyshellhooks import cli

GUARD = "echo no >&2; exit 2"
ENABLED = {**MARKET, f"{USER}/settings.json": json.dumps({**json.loads(wrapped(GUARD)), **json.loads(enabled())})}
#: Files, how many hooks there are, and the codes of the errors.
SETUPS: dict[str, tuple[dict[str, str], int, list[str]]] = {
    "sound": (ENABLED, 2, []),
    "a plugin that is no JSON": ({**ENABLED, "market/p/hooks/hooks.json": "{"}, 1, ["config-syntax"]),
    "a plugin that is refused": (
        {**ENABLED, "market/p/.claude-plugin/plugin.json": manifest(skills="skills")},
        2,
        ["config-refused"],
    ),
    "a plugin that is not loaded": (
        {**ENABLED, "market/p/.claude-plugin/plugin.json": manifest(dependencies=["q"])},
        2,
        ["config-refused"],
    ),
    "a record that is no JSON": ({**ENABLED, f"{USER}/plugins/known_marketplaces.json": "{"}, 1, ["config-unreadable"]),
    "a plugin of the directory": (
        {**ENABLED, "w/.claude-plugin/plugin.json": manifest(hooks="hooks.json")},
        2,
        ["config-refused"],
    ),
}


@pytest.mark.parametrize("place", ["", ".", "absolute", "relative"])
@pytest.mark.parametrize("row", SETUPS)
def test_doctor_looks_where_check_looks(
    row: str, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files, hooks, codes = SETUPS[row]
    for name, value in build(tmp_path, files).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path / "w" if place in ("", ".") else tmp_path)
    words = {"": [], ".": ["."], "absolute": [str(tmp_path / "w")], "relative": ["w"]}[place]
    if not words and row == "a plugin of the directory":
        codes = []  # fire without a config does not run it
    assert cli.main(["doctor", "--json", *words]) == bool(codes)
    report = json.loads(capsys.readouterr().out)
    assert ([one["code"] for one in report["errors"]], report["hooks"]) == (codes, hooks)
    if words:
        cli.main(["check", "--json", *words])
        payload = json.loads(capsys.readouterr().out)
        assert [one["code"] for one in payload if one["severity"] == "error"] == codes
