"""Diagnostics as GitHub's workflow commands and as SARIF.

The published schema of SARIF 2.1.0 is no package's and too large to copy: what it requires of these parts is checked here
by name (SARIF 3.13.4, 3.14.6, 3.18.1, 3.27, 3.30). What this gives was once held against the schema itself.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pyshellhooks import Diagnostic, __version__, cli
from pyshellhooks.cli.formats import github, sarif


def diagnostic_at(
    severity: str = "error", *, file: str = "a.json", line: int = 3, column: int = 5, end: int = 9
) -> Diagnostic:
    return Diagnostic(file, line, column, "it is wrong", "mend it", severity, code="a-code", end_column=end)


@pytest.mark.parametrize(("severity", "level"), [("error", "error"), ("warning", "warning"), ("hint", "notice")])
def test_github(severity: str, level: str) -> None:
    expected = f"::{level} file=a.json,line=3,col=5,endColumn=9,title=a-code::it is wrong%0Ahint: mend it\n"
    assert github([diagnostic_at(severity)]) == expected


def test_the_github_format_has_only_known_places() -> None:
    assert github([Diagnostic("a.json", 0, 7, "odd")]) == "::error file=a.json::odd\n"
    assert github([Diagnostic("a.json", 2, 0, "odd")]) == "::error file=a.json,line=2::odd\n"


def test_github_is_not_led_astray() -> None:
    """A name or a text that looks like the end of a command, or like another one, stays data."""
    odd = Diagnostic("a,line=9:b\n.json", 1, 1, "100%\r\n::set-output name=x::y")
    assert github([odd]) == "::error file=a%2Cline=9%3Ab%0A.json,line=1,col=1::100%25%0D%0A::set-output name=x::y\n"


def test_sarif() -> None:
    log = sarif(
        [
            diagnostic_at(),
            diagnostic_at("hint", file="b c.json", end=0),
            diagnostic_at("warning", line=0),
            Diagnostic("d", 1, 0, "x"),
        ],
        "1.0",
    )
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-2.1.0.json")
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "pyshellhooks" and driver["version"] == "1.0"
    assert [rule["id"] for rule in driver["rules"]] == ["a-code", "config"]
    assert run["columnKind"] == "unicodeCodePoints"
    assert [row["level"] for row in run["results"]] == ["error", "note", "warning", "error"]
    assert all(driver["rules"][row["ruleIndex"]]["id"] == row["ruleId"] for row in run["results"])
    assert all(row["message"]["text"] for row in run["results"])
    places = [row["locations"][0]["physicalLocation"] for row in run["results"]]
    assert [place["artifactLocation"]["uri"] for place in places] == ["a.json", "b%20c.json", "a.json", "d"]
    regions = [place.get("region") for place in places]
    assert regions == [
        {"startLine": 3, "startColumn": 5, "endColumn": 9},
        {"startLine": 3, "startColumn": 5},
        None,
        {"startLine": 1},
    ]


def test_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From this directory on where they lie in it, whole where not."""
    monkeypatch.chdir(tmp_path)
    inside, outside = (
        diagnostic_at(file=str(tmp_path / "in" / "a.json")),
        diagnostic_at(file=str(tmp_path.parent / "b.json")),
    )
    assert github([inside]).startswith("::error file=in/a.json,")
    uris = [
        row["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for row in sarif([inside, outside], "1")["runs"][0]["results"]
    ]
    assert uris == ["in/a.json", (tmp_path.parent / "b.json").as_uri()]


def test_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    text = '{"hooks": {"PreToolUse": [{"command": "true", "timout": 3}]}}'
    Path("crush.json").write_text(text, encoding="utf-8")
    assert cli.main(["check", "crush.json", "--format", "github", "--strict"]) == 1
    assert capsys.readouterr().out.startswith("::warning file=crush.json,line=1,col=47")
    assert cli.main(["check", "crush.json", "--format", "sarif"]) == 0
    log = json.loads(capsys.readouterr().out)
    (result,) = log["runs"][0]["results"]
    driver = log["runs"][0]["tool"]["driver"]
    assert driver["version"] == __version__ and result["ruleId"] == "unknown-key"
    assert driver["rules"] == [{"id": "unknown-key", "shortDescription": {"text": "the system does not know a key"}}]
    assert cli.main(["check", "crush.json", "--format", "json"]) == 0
    shown = capsys.readouterr().out
    assert cli.main(["check", "crush.json", "--json"]) == 0
    assert capsys.readouterr().out == shown and json.loads(shown)
