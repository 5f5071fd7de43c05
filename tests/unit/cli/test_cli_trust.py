"""``pyshellhooks trust``: what it shows, what it asks, what it keeps; and how ``fire`` ends where nobody has trusted."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import cli
from pyshellhooks.cli import show
from pyshellhooks.text import visible

GUARD = "echo no >&2\nexit 2\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home, project = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    project.mkdir()
    for name in ("HOME", "USERPROFILE", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(home))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.delenv("PYSHELLHOOKS_TRUST", raising=False)
    monkeypatch.chdir(project)
    (project / "crush.json").write_text('{"hooks": {"PreToolUse": [{"command": "sh ./guard.sh"}]}}')
    (project / "guard.sh").write_text(GUARD)
    return project


def trust(*words: str) -> int:
    return cli.main(["trust", *words])


def states(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, str]:
    capsys.readouterr()
    trust("--show", "--json", *words)
    return {row["file"]: row["state"] for row in json.loads(capsys.readouterr().out)["files"]}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_it_refuses_without_a_person_to_prompt(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert trust() == 1
    output = capsys.readouterr()
    assert "pass --yes" in output.err and "+echo no >&2" in output.out and "(Crush: PreToolUse)" in output.out
    assert states(capsys) == {"crush.json": "new", "guard.sh": "new"}
    assert not list((here.parent / "home").iterdir())


@pytest.mark.parametrize(("answer", "status"), [("y\n", 0), ("YES\n", 0), ("n\n", 1), ("\n", 1), ("", 1)])
def test_it_prompts_on_a_terminal(
    here: Path, answer: str, status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    monkeypatch.setattr("sys.stdout", shown := Terminal())
    assert trust() == status
    assert "Trust these? [y/N]" in shown.getvalue()
    monkeypatch.undo()
    monkeypatch.chdir(here)


def test_the_bytes_that_were_shown_are_trusted(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who changes a file while the person looks has not been trusted."""

    class Slow(Terminal):
        def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
            (here / "guard.sh").write_text("exit 0\n")
            return "y\n"

    monkeypatch.setattr("sys.stdin", Slow())
    with monkeypatch.context() as terminal:
        terminal.setattr("sys.stdout", Terminal())
        assert trust() == 0
    assert states(capsys)["guard.sh"] == "changed"
    assert cli.main(["fire", "PreToolUse", "--json"]) == 2


def test_trust_show_revoke(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert trust("--show") == 1
    assert trust("--yes") == 0 and trust("--show") == 0 and trust() == 0
    assert cli.main(["fire", "PreToolUse", "--json"]) == 2
    (here / "guard.sh").write_text(GUARD + "\n")
    assert trust("--show") == 1
    capsys.readouterr()
    assert trust() == 1
    output = capsys.readouterr().out
    assert "--- guard.sh as it was trusted\n+++ guard.sh\n" in output and "\n+\n" in output.replace("\\r", "")
    assert cli.main(["fire", "PreToolUse", "--json"]) == 2
    assert "pyshellhooks trust" in json.loads(capsys.readouterr().out)["reason"]
    (here / "crush.json").unlink()
    assert states(capsys) == {"crush.json": "missing"}
    assert trust("--yes") == 0
    assert "trusting now accepts that its hooks are gone" in capsys.readouterr().out
    assert trust("--show") == 0
    assert trust("--revoke") == 0
    (here / "crush.json").write_text('{"hooks": {"PreToolUse": [{"command": "exit 2"}]}}')
    assert states(capsys) == {"crush.json": "new"}
    assert cli.main(["fire", "PreToolUse"]) == 1


@pytest.mark.parametrize(
    ("command", "trusted", "own"),
    [("exit 0", 0, 1), ("exit 2", 2, 1), ("exit 49", 49, 1), ("exit 1", 0, 1)],
)
def test_how_fire_ends(here: Path, command: str, trusted: int, own: int, capsys: pytest.CaptureFixture[str]) -> None:
    """1 in the place of 0: nothing goes on by mistake. What a hook of the user's own says stands."""
    (here / "crush.json").write_text(json.dumps({"hooks": {"PreToolUse": [{"command": command}]}}))
    assert cli.main(["fire", "PreToolUse", "--json"]) == own
    output = capsys.readouterr()
    assert "are skipped" in output.err and "crush.json" in output.err and "pyshellhooks trust" in output.err
    assert json.loads(output.out)["decision"] == "none"
    assert cli.main(["fire", "PreToolUse", "--json", "--trust-project"]) == trusted
    assert cli.main(["fire", "PreToolUse", "--json", "--config", "crush.json"]) == trusted
    for status in (2, 49):
        assert cli.main(["fire", "PreToolUse", "--hook-pre-tool-use", f"exit {status}"]) == status
    ask = 'echo \'{"decision": "ask"}\''
    mine = here.parent / "home" / ".gemini"
    mine.mkdir()
    (mine / "settings.json").write_text(
        json.dumps({"hooks": {"BeforeTool": [{"hooks": [{"type": "command", "command": ask}]}]}})
    )
    assert cli.main(["fire", "BeforeTool", "--json"]) == 3
    assert trust("--yes") == 0
    assert cli.main(["fire", "PreToolUse", "--json"]) == trusted


def test_the_variable_is_for_ci(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYSHELLHOOKS_TRUST", "1")
    assert cli.main(["fire", "PreToolUse"]) == 2
    monkeypatch.setenv("PYSHELLHOOKS_TRUST", "yes")
    assert cli.main(["fire", "PreToolUse"]) == 1


def test_a_locked_stop_is_reported_and_ends_with_1(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "crush.json").unlink()
    (here / ".claude").mkdir()
    hooks = {"Stop": [{"hooks": [{"type": "command", "command": "sh guard.sh"}]}]}
    (here / ".claude" / "settings.json").write_text(json.dumps({"hooks": hooks}))
    assert trust("--yes") == 0
    (here / "guard.sh").write_text("exit 0\n")
    capsys.readouterr()
    assert cli.main(["fire", "Stop", "--json"]) == 1
    verdict = json.loads(capsys.readouterr().out)
    assert verdict["decision"] == "none" and any("has changed since" in one for one in verdict["notices"])


@pytest.mark.parametrize("words", [["explain", "PreToolUse"], ["doctor"], ["fire", "PreToolUse", "--dry-run"], ["check", "crush.json"]])  # fmt: skip
def test_the_other_commands_report_it(here: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(words)
    output = capsys.readouterr().err
    if words[0] == "check":  # to name a file needs no trust, and it runs nothing
        assert output == ""
    else:
        assert output.startswith("untrusted hooks are skipped: crush.json\n")
    trust("--yes")
    capsys.readouterr()
    cli.main(words)
    assert "trust" not in capsys.readouterr().err
    (here / "guard.sh").write_text("exit 0\n")
    cli.main(words)
    changed = capsys.readouterr().err
    assert "guard.sh: warning: it was trusted, and has changed since" in changed and "untrusted" not in changed


def test_hooks_that_are_left_out_do_not_count_as_no_hook(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["fire", "PreToolUse"]) == 1
    assert capsys.readouterr().out.startswith("no trusted hook for this event; `pyshellhooks explain` shows why\n")
    assert cli.main(["doctor"]) == 0
    assert capsys.readouterr().out.startswith("found no trusted hooks\n")
    (here / "crush.json").unlink()
    assert cli.main(["fire", "PreToolUse", "--dialect", "crush"]) == 0
    assert capsys.readouterr().out.startswith("no hook for this event; `pyshellhooks explain` shows why\n")
    assert cli.main(["doctor", "--dialect", "crush"]) == 0
    assert capsys.readouterr().out.startswith("found no hooks\n")


def test_a_lock_is_the_reason_and_no_notice_beside_it(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert trust("--yes") == 0
    (here / "guard.sh").write_text("exit 0\n")
    (here / "call.json").write_text('{"tool_name": "bash", "tool_input": {"command": "ls"}}')
    capsys.readouterr()
    assert cli.main(["fire", "PreToolUse", "--input", "call.json"]) == 2
    output = capsys.readouterr()
    assert output.out.count("it was trusted, and has changed since") == 1 and "reason: " in output.out
    assert "call.json: " not in output.out + output.err


def test_nothing_here(tmp_path: Path, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert trust(str(empty), "--show") == 0 and trust(str(empty)) == 0
    assert "no hooks found" in capsys.readouterr().out
    assert trust(str(tmp_path / "none")) == 1
    assert "no such directory" in capsys.readouterr().err


def test_files_that_it_cannot_see_are_reported(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entries: list[Any] = [
        {"command": 'bash "$(pwd)/guard.sh"'},
        {"command": "$(pwd)/guard.sh"},
        {"command": "./late.sh"},
    ]
    (here / "crush.json").write_text(json.dumps({"hooks": {"PreToolUse": entries}}))
    trust("--show")
    output = capsys.readouterr().out
    assert "not covered: the command that `bash` runs is known only at run time" in output
    assert "not covered: the command that `$(pwd)/guard.sh` runs is known only at run time" in output
    assert "late.sh is missing: the events that it guards stay denied" in output


def test_a_store_that_cannot_be_written_is_an_error(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = here.parent / "file"
    blocked.write_text("")
    for name in ("HOME", "USERPROFILE", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(blocked))
    assert trust("--yes") == 1
    output = capsys.readouterr().err
    assert output.startswith("pyshellhooks trust: ") and "internal" not in output


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a b\tc", "a b\tc"), ("\x1b[2J", "\\x1b[2J"), ("\u202ex", "\\u202ex"), ("\r\0", "\\r\\x00"), ("é日", "é日"), ("\u200b", "\\u200b"), ("\udcff", "\\udcff")],
)  # fmt: skip
def test_nothing_that_is_shown_acts_on_the_terminal(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_lines_to_look_at() -> None:
    assert show.visible_lines(b"a\r\n\tb\x1b\n") == ["a\\r", "\tb\\x1b"]
    assert show.visible_lines(b"a\n\xffb") == ["a", "\\xffb", "\\ no newline at the end"]
    assert show.visible_lines(b"") == []
