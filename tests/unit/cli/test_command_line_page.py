"""docs/command-line.md says what the commands do."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pyshellhooks import cli
from pyshellhooks.cli import parsers

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "command-line.md").read_text(encoding="utf-8")
CONFIG = '{"hooks": {"PreToolUse": [{"command": "true", "timout": 3}]}}'
EVENT = "PreToolUse --config crush.json --input call.json"
ONLY = "--only utilities/in_common/head*"
CALLS = {
    "sh": "sh --json -c true",
    "sh -n": "sh --json -n -c if",
    "fire": f"fire {EVENT} --json",
    "fire -v": f"fire {EVENT} --json -v",
    "fire --dry-run": f"fire {EVENT} --json --dry-run",
    "explain": f"explain {EVENT} --json",
    "check": "check crush.json --json",
    "convert": "convert --to gemini --force crush.json --json",
    "doctor": "doctor --config crush.json --json",
    "mcp-proxy --dry-run": "mcp-proxy --dry-run --config crush.json --json -- server",
    "trust": "trust --show --json",
    "serve --status": "serve --status --json",
    "dialects": "dialects crush --json",
    "conformance": f"conformance {ONLY} --json",
    "conformance --list": f"conformance {ONLY} --json --list",
    "conformance --sections": f"conformance {ONLY} --json --sections",
    "demo": "demo --no-spawn --json",
    "mcp-shell --show": "mcp-shell --show --json",
    "completion": "completion zsh --json",
    "help": "help --json",
}


def rows(section: str) -> list[list[str]]:
    """Return the rows of the table in a section."""
    text = PAGE.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    return [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")][2:]


def test_statuses() -> None:
    assert {int(number): meaning for number, meaning in rows("Exit statuses")} == parsers.STATUSES


def test_the_page_has_every_document() -> None:
    named = {row[0].strip("`") for row in rows("JSON")}
    assert named == set(CALLS)
    assert {name.split()[0] for name in named} | {"schema"} == {*cli.COMMANDS, "help"}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", CALLS)
def test_the_keys_of_each_document(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYSHELLHOOKS_ENGINE_DIR", str(tmp_path))
    Path("crush.json").write_text(CONFIG, encoding="utf-8")
    Path("call.json").write_text('{"tool_name": "bash", "tool_input": {}}', encoding="utf-8")
    ((_, kind, keys),) = [row for row in rows("JSON") if row[0] == f"`{name}`"]
    cli.main(CALLS[name].split())
    found = json.loads(capfd.readouterr().out)
    assert isinstance(found, list) == (kind == "list")
    one = found[0] if isinstance(found, list) else found
    promised = re.findall(r"`(\w+)`", keys)
    assert promised and set(promised) <= set(one)  # keys stay; new ones may come


@pytest.mark.parametrize("words", ["sh --help --json", "fire --json --help", "help --json fire"])
def test_help_as_json(words: str, capfd: pytest.CaptureFixture[str]) -> None:
    try:
        cli.main(words.split())
    except SystemExit as stop:
        assert stop.code == 0
    assert list(json.loads(capfd.readouterr().out)) == ["help"]
