"""What holds for each subcommand: help, JSON, colours, widths, and how it ends when its output or its user has gone."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import cli
from pyshellhooks.cli import parsers

on_posix = pytest.mark.not_on_windows("needs-terminal")
ROOT = str(Path(__file__).resolve().parents[3])
ANSI = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
LONG = "jq -r .tool_input.command | grep -qE 'rm +-(rf|fr)' && { echo 'nothing is removed here' >&2; exit 2; }"
CONFIG = {
    "hooks": {
        "PreToolUse": [
            {"matcher": "^bash$", "command": LONG},
            {"matcher": "^edit$", "command": "./guard.sh"},
            {"command": "no_such_program --check", "timout": 3},
        ]
    }
}
EVENT = ["PreToolUse", "--config", "crush.json", "--input", "call.json"]
CASES = "utilities/in_common/head*"

# What each subcommand does when all is well, and what it prints: tables, or a text that is no one's to break.
CALLS = {
    "sh": ["sh", "-c", "echo hi"],
    "sh -n": ["sh", "-n", "-c", "echo hi"],
    "fire": ["fire", *EVENT],
    "fire --dry-run": ["fire", *EVENT, "--dry-run"],
    "fire --sample": ["fire", "PreToolUse", "--dialect", "crush", "--sample"],
    "explain": ["explain", *EVENT],
    "check": ["check", "crush.json"],
    "convert": ["convert", "--to", "gemini", "--force", "crush.json"],
    "doctor": ["doctor", "--config", "crush.json", "--all"],
    "mcp-proxy": ["mcp-proxy", "--dry-run", "--config", "crush.json", "--", "server"],
    "trust": ["trust", "--show"],
    "serve --status": ["serve", "--status"],
    "schema": ["schema", "crush", "input"],
    "dialects": ["dialects", "crush"],
    "conformance --list": ["conformance", "--list", "--only", CASES],
    "conformance --sections": ["conformance", "--sections", "--only", CASES],
    "demo": ["demo", "--no-spawn"],
    "mcp-shell --show": ["mcp-shell", "--show"],
    "completion": ["completion", "bash"],
    "help": ["help"],
    "version": ["--version"],
}
VERBATIM = {
    "sh",
    "convert",
    "fire --sample",
    "fire --dry-run",
    "schema",
    "completion",
}  # JSON, scripts and what scripts write

# Wrong calls of each: none of them ends in anything but a message and a status.
WRONG = [
    ["fire"],
    ["fire", *EVENT, "--no-such"],
    ["fire", "PreToolUse", "--config", "gone.json"],
    ["fire", "PreToolUse", "--config", "folder"],
    ["fire", "PreToolUse", "--config", "broken.json", "--dialect", "crush"],
    ["fire", "PreToolUse", "--config", "crush.json", "--input", "gone.json"],
    ["fire", "PreToolUse", "--config", "crush.json", "--input", "folder"],
    ["fire", "PreToolUse", "--config", "crush.json", "--input", "broken.json"],
    ["fire", "NoEvent", "--config", "crush.json"],
    ["fire", *EVENT, "--timeout", "soon"],
    ["fire", *EVENT, "--mount", "here"],
    ["explain", "PreToolUse", "--config", "gone.json"],
    ["explain", "PreToolUse", "--dialect", "crsh"],
    ["check", "--ignore", "no-such-code", "crush.json"],
    ["check", "--dialect", "crsh"],
    ["check", "--no-such", "crush.json"],
    ["convert", "crush.json"],
    ["convert", "--to", "gemini", "gone.json"],
    ["convert", "--to", "gemini", "folder"],
    ["convert", "--to", "gemini", "broken.json"],
    ["convert", "--to", "crsh", "crush.json"],
    ["convert", "--to", "crush", "crush.json"],
    ["doctor", "--config", "gone.json"],
    ["doctor", "--frob"],
    ["mcp-proxy"],
    ["mcp-proxy", "--frob", "--", "server"],
    ["mcp-proxy", "--config", "gone.json", "--", "server"],
    ["mcp-proxy", "--name", "a b", "--", "server"],
    ["mcp-proxy", "--config", "crush.json", "--", "no_such_program"],
    ["trust", "gone"],
    ["trust", "--frob"],
    ["serve", "--frob"],
    ["serve", "--port", "8765"],
    ["serve", "--port", "x"],
    ["serve", "--port", "8765", "--token-file", "broken.json"],
    ["serve", "--idle", "soon"],
    ["serve", "--socket", "folder/no/where.sock"],
    ["serve", "--pipe", "hooks"],
    ["schema", "crsh", "input"],
    ["schema", "crush", "inputs"],
    ["schema", "crush", "config", "PreToolUse"],
    ["schema", "crush", "input", "PreToolUes"],
    ["schema", "crush"],
    ["schema", "verdict", "input"],
    ["schema", "verdct"],
    ["dialects", "crsh"],
    ["conformance", "gone"],
    ["conformance", "--only", "nothing/*"],
    ["conformance", "--frob"],
    ["demo", "--keep", "crush.json"],
    ["demo", "--frob"],
    ["mcp-shell", "--show", "--overlay", "gone"],
    ["mcp-shell", "--show", "--overlay", "crush.json"],
    ["mcp-shell", "--show", "--overlay", "folder", "--read-only", "folder"],
    ["mcp-shell", "--show", "--overlay", "folder", "--overlay", "."],
    ["mcp-shell", "--show", "--overlay", "folder:/"],
    ["mcp-shell", "--show", "--overlay", ":/other"],
    ["mcp-shell", "--show", "--env", "here"],
    ["mcp-shell", "--show", "--timeout", "soon"],
    ["mcp-shell", "--show", "--timeout", "0"],
    ["mcp-shell", "--show", "--output", "10"],
    ["mcp-shell", "--show", "--cwd", "/gone"],
    ["mcp-shell", "--show", "--name", "my shell"],
    ["mcp-shell", "--frob"],
    ["completion", "tcsh"],
    ["completion"],
    ["frie"],
    ["help", "frie"],
    ["help", "--frob"],
    ["sh", "--fs", "disk"],
    ["sh", "gone.sh"],
    ["sh", "folder"],
    ["sh", "-c"],
]


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a project with a config, an input, a broken file and a folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYSHELLHOOKS_ENGINE_DIR", str(tmp_path))
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    (tmp_path / "crush.json").write_text(json.dumps(CONFIG, indent=1), encoding="utf-8")
    call = {"tool_name": "bash", "tool_input": {"command": "rm -rf " + "build and what else lies there " * 4}}
    (tmp_path / "call.json").write_text(json.dumps(call), encoding="utf-8")
    (tmp_path / "broken.json").write_text('{"hooks": {', encoding="utf-8")
    (tmp_path / "folder").mkdir()
    return tmp_path


class Terminal(io.StringIO):
    """A standard output that says that it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def call(words: list[str]) -> int:
    """Run the command in this process; argparse ends with SystemExit."""
    try:
        return cli.main(words)
    except SystemExit as stop:
        return int(stop.code or 0)


def on_terminal(words: list[str], columns: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Run the command on a terminal of that width; gives the lines of both outputs."""
    out, err = Terminal(), Terminal()
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr("sys.stderr", err)
    call(words)
    return (out.getvalue() + err.getvalue()).split("\n")


def test_the_table_has_every_command() -> None:
    assert {words[0] for words in CALLS.values()} == {*cli.COMMANDS, "help", "--version"}
    assert {words[0] for words in WRONG} >= {*cli.COMMANDS, "help"}


@pytest.mark.parametrize("columns", [50, 80, 200])
@pytest.mark.parametrize("name", [*cli.COMMANDS, ""])
def test_help_lists_statuses_and_shows_an_example(
    name: str, columns: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert call([name, "--help"] if name else ["--help"]) == 0
    shown = capfd.readouterr().out
    assert f"example{'s' if 'examples:' in shown else ''}:\n  pyshellhooks " in shown
    assert max(map(len, shown.split("\n"))) <= columns
    module = import_module(cli.module_of(name or "help"))
    listed = [int(number) for number in re.findall(r"^  (\d+) ", shown.split("exit status:\n")[1], re.MULTILINE)]
    assert {0, 130, 141} <= set(listed)
    assert set(listed) == set(parsers.SHELL_STATUSES) if name == "sh" else set(listed) <= set(parsers.STATUSES)
    assert all(f"pyshellhooks {one}\n" in shown for one in module.parser().examples)
    if name:
        assert call(["help", name]) == 0
        assert capfd.readouterr().out == shown


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", CALLS)
def test_json_is_one_document(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    call([*CALLS[name][:1], "--json", *CALLS[name][1:]])
    assert isinstance(json.loads(capfd.readouterr().out), dict | list)


@pytest.mark.one_in(20)
@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_a_wrong_call_is_reported_and_its_json_is_one_document(
    words: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    status = call(words)
    plain = capfd.readouterr()
    assert status in ((2, 126, 127) if words[0] == "sh" else (1,))
    assert (
        plain.out == ""
        and f"pyshellhooks {words[0]}: " in plain.err.replace("pyshellhooks:", f"pyshellhooks {words[0]}:")
        and "internal" not in plain.err
    )
    assert call([words[0], "--json", *words[1:]]) == status
    shown = capfd.readouterr()
    document = json.loads(shown.out)
    assert document["status"] == status and document["error"] in shown.err
    assert shown.err == plain.err


@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", CALLS)
def test_a_pipe_gets_no_colours(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    call(CALLS[name])
    shown = capfd.readouterr()
    assert not ANSI.search(shown.out + shown.err)


def test_a_row_is_a_line_in_a_pipe(capfd: pytest.CaptureFixture[str]) -> None:
    call(CALLS["explain"])
    rows = capfd.readouterr().out.splitlines()
    assert len(rows) == 4 and re.split("  +", rows[0]) == ["hook", "where", "runs", "why"]
    assert rows[2].endswith('its matcher "^edit$" does not match tool_name "bash"')


@pytest.mark.one_in(6)
@on_posix
@pytest.mark.parametrize("name", sorted(set(CALLS) - {"sh", "sh -n"}))
def test_no_color_is_respected(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert not ANSI.search("\n".join(on_terminal(CALLS[name], 80, monkeypatch)))


@on_posix
def test_a_terminal_gets_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ANSI.search("\n".join(on_terminal(CALLS["fire"], 80, monkeypatch)))


@pytest.mark.one_in(14, slow=3)
@on_posix
@pytest.mark.parametrize("columns", [50, 80, 200])
@pytest.mark.parametrize("name", sorted(set(CALLS) - VERBATIM - {"sh -n"}))
def test_lines_are_no_wider_than_the_terminal(name: str, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for line in on_terminal(CALLS[name], columns, monkeypatch):
        bare = ANSI.sub("", line)
        assert len(bare) <= columns or " " not in bare.strip(), bare  # one word: a path stays whole


@on_posix
@pytest.mark.parametrize("columns", [50, 80])
def test_words_stay_whole(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = ANSI.sub("", "\n".join(on_terminal(CALLS["doctor"], columns, monkeypatch)))
    words = {word.rpartition(":")[0] if word.count(":") == 2 else word for word in shown.split()}
    assert {"crush.json:4", "no_such_program"} <= words


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", sorted(set(CALLS) - {"sh", "sh -n"}))
def test_a_full_output_is_reported(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(28, "No space left on device")

        def flush(self) -> None:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("sys.stdout", Full())
    assert call(CALLS[name]) == 1
    assert "standard output: No space left on device" in capsys.readouterr().err


@pytest.mark.slow
@on_posix
@pytest.mark.parametrize("name", ["fire", "explain", "check", "dialects", "demo", "completion", "help", "version"])
def test_a_closed_pipe_is_quiet(name: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = in_a_process(CALLS[name], stdout=writer)
    os.close(writer)
    assert done.returncode == parsers.BROKEN_PIPE
    assert b"Traceback" not in done.stderr and b"Broken" not in done.stderr


def in_a_process(words: list[str], **options: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "pyshellhooks", *words], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False,
        env={**os.environ, "PYTHONPATH": ROOT}, **options,
    )  # fmt: skip


@pytest.mark.one_in(9)
@pytest.mark.parametrize("name", sorted(set(CALLS) - {"sh", "sh -n"}))
def test_closed_outputs_change_no_status(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status = call(CALLS[name])
    for stream in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(f"sys.{stream}", None)
    assert call(CALLS[name]) == status


@pytest.mark.parametrize("name", [name for name in cli.COMMANDS])
def test_an_interrupt_is_130_and_quiet(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(f"{cli.module_of(name)}.main", interrupted)
    assert call([name]) == 130
    assert capsys.readouterr() == ("", "")
