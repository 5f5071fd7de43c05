"""``[tool.pyshellhooks]`` in ``pyproject.toml``: which codes ``check`` does not tell, and what is wrong with the settings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pyshellhooks import cli
from pyshellhooks.engine.checks.codes import CODES
from tests.unit.cli.test_cli_check import put

ODD = '{"hooks": {"PreToolUse": [{"command": "read x", "timout": 3}]}}'


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    put(tmp_path, "crush.json", ODD)
    return tmp_path


def codes(*words: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    cli.main(["check", "--json", *words])
    return [one["code"] for one in json.loads(capsys.readouterr().out)]


def test_mistakes_that_it_ignores(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert codes("crush.json", capsys=capsys) == ["read-backslash", "unknown-key"]
    put(project, "pyproject.toml", '[project]\nname = "x"\n[tool.pyshellhooks]\nignore = ["unknown-key"]\n')
    assert codes("crush.json", capsys=capsys) == ["read-backslash"]
    assert codes("crush.json", "--ignore", "read-backslash", capsys=capsys) == []
    assert cli.main(["check", "crush.json", "--strict", "--ignore", "read-backslash"]) == 0
    assert "nothing wrong" in capsys.readouterr().out


def test_settings_that_count(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The nearest that there are, of the file's own repository, wherever the command runs."""
    settings = '[tool.pyshellhooks]\nignore = ["unknown-key"]\n'
    put(project, "pyproject.toml", settings)
    files = [put(project, f"{name}/crush.json", ODD) for name in ("a", "b", "c")]
    put(project, "a/pyproject.toml", '[tool.other]\nabout = "pyshellhooks"\n')
    put(project, "b/pyproject.toml", settings.replace("unknown-key", "read-backslash"))
    (project / "c" / ".git").mkdir()
    assert [codes(file, capsys=capsys) for file in files] == [
        ["read-backslash"],
        ["unknown-key"],
        ["read-backslash", "unknown-key"],
    ]


# What turns a guard off, and no ignore hides.
GUARDS_OFF = {
    "config-syntax": "{",
    "script-missing": '{"hooks": {"PreToolUse": [{"command": "./gone.sh"}]}}',
    "syntax-error": '{"hooks": {"PreToolUse": [{"command": "if"}]}}',
    "unknown-event": '{"hooks": {"PreToolUses": [{"command": "true"}]}}',
    "matcher-matches-nothing": '{"hooks": {"PreToolUse": [{"command": "true", "matcher": "^$"}]}}',
    "matcher-invalid": '{"hooks": {"PreToolUse": [{"command": "true", "matcher": "("}]}}',
}


@pytest.mark.parametrize("code", GUARDS_OFF)
@pytest.mark.parametrize("where", ["option", "settings"])
def test_no_ignore_hides_a_guard_that_is_off(
    code: str, where: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(project, "crush.json", GUARDS_OFF[code])
    if where == "settings":
        put(project, "pyproject.toml", f"[tool.pyshellhooks]\nignore = {json.dumps(list(CODES))}\n")
    words = ["--ignore", ",".join(CODES)] if where == "option" else []
    assert cli.main(["check", "crush.json", *words]) == 1
    output = capsys.readouterr()
    assert f"[{code}]" in output.out
    assert f"{code} is reported although it is ignored: this error turns a guard off\n" in output.err


@pytest.mark.parametrize("text", ["x = " + "[" * 100_000, "x = " + "9" * 10_000, "tool = 3", "x = 1", '"\\u0000" = "'])
def test_a_file_made_to_break_its_reader(text: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(project, "pyproject.toml", f"# pyshellhooks\n{text}")
    broken = text[:1] != "t" and text != "x = 1"
    assert cli.main(["check", "crush.json"]) == int(broken)
    output = capsys.readouterr()
    assert ("pyproject.toml: error: invalid TOML: " in output.out) == broken and "internal" not in output.err


WRONG = {
    'ignore = [\n  "crlf",\n  "unknwon-key",\n]': (5, 3, 'unknown code "unknwon-key"', 'did you mean "unknown-key"?', "unknwon", "unknown"),
    'ignores = ["crlf"]': (3, 1, 'unknown key "ignores"', 'did you mean "ignore"?', "ignores", "ignore"),
    'ignore = "crlf"': (3, 1, "ignore must be a list of strings", 'ignore = ["unknown-key"]', '"crlf"', '["crlf"]'),
    'ignore = ["crlf"': (0, 0, "invalid TOML: ", "correct the syntax there", '"crlf"', '"crlf"]'),
}  # fmt: skip


@pytest.mark.parametrize("setting", WRONG)
def test_a_wrong_setting_is_reported_at_its_place(
    setting: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line, column, message, hint, old, new = WRONG[setting]
    text = f"# of ours\n[tool.pyshellhooks]\n{setting}\n"
    put(project, "pyproject.toml", text)
    assert cli.main(["check", "crush.json"]) == 1
    shown = capsys.readouterr().out
    place = f"pyproject.toml:{line}:{column}: error: " if line else "pyproject.toml: error: "
    assert shown.startswith(place) and message in shown and hint in shown
    assert "[unknown-key]" in shown or "[read-backslash]" in shown  # the rest is told all the same
    put(project, "pyproject.toml", text.replace(old, new))
    assert cli.main(["check", "crush.json"]) == 0
    assert "pyproject" not in capsys.readouterr().out
