"""``--tool``: what a tool of the agent is, for every command that takes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import cli
from pyshellhooks.cli.arguments import InputError, stated_tool

READ = {
    "execute": ("execute", ""),
    "execute=shell": ("execute", "shell"),
    "a=b=shell": ("a=b", "shell"),
    "mcp:s:run=shell": ("mcp:s:run", "shell"),
    "run=shell:command=line": ("run", ("shell", {"command": "line"})),
    "mcp:s:run=shell:command=line": ("mcp:s:run", ("shell", {"command": "line"})),
    "put=write:content=body,file_path=at": ("put", ("write", {"content": "body", "file_path": "at"})),
}
WRONG = {
    "": "expected NAME=KIND",
    "=shell": "expected NAME=KIND",
    "x=shll": 'did you mean "shell"',
    "x=": "unknown kind",
    "x=shell:": "expected ARGUMENT=OWN",
    "x=shell:command": "expected ARGUMENT=OWN",
    "x=shell:command=": "expected ARGUMENT=OWN",
    "x=shell:=line": "expected ARGUMENT=OWN",
    "x=shell:command=a,command=b": "once for each argument",
    "x=shell:comand=line": 'did you mean "command"',
    "x=shell:content=body": "unknown shell argument",
}
GUARD = "jq -r .tool_input.command | grep -q 'rm x' && echo no >&2 && exit 2; exit 0"


@pytest.mark.parametrize("given", READ)
def test_it_is_read(given: str) -> None:
    assert stated_tool(given) == READ[given]


@pytest.mark.parametrize("given", WRONG)
def test_a_mistake_is_named(given: str) -> None:
    with pytest.raises(InputError, match="--tool") as caught:
        stated_tool(given)
    assert WRONG[given] in str(caught.value)


@pytest.fixture
def config(tmp_path: Path) -> str:
    hook: dict[str, Any] = {"type": "command", "command": GUARD}
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [hook]}]}}))
    (tmp_path / "call.json").write_text(json.dumps({"tool_name": "run", "tool_input": {"line": "rm x"}}))
    return str(path)


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["--tool", "run=shell:command=line"], 2),
        (["--tool", "run=shell"], 0),  # a notice: nothing in the call is its command
        (["--tool", "run=shell", "--strict"], 2),
        (["--tool", "run=shell:command=lin", "--strict"], 2),
        (["--tool", "run=shell:comand=line"], 1),
    ],
)
def test_fire_finds_the_argument_or_refuses(
    words: list[str], status: int, config: str, capsys: pytest.CaptureFixture[str]
) -> None:
    call = config.replace("settings", "call")
    arguments = ["fire", "before_tool", "--dialect", "claude_code", "--config", config, "--input", call, *words]
    assert cli.main(arguments) == status
    printed = capsys.readouterr()
    if words != ["--tool", "run=shell:command=line"]:
        assert "command" in printed.out + printed.err


@pytest.mark.parametrize(
    ("tool", "status"), [("run=shell:command=line", 0), ("run", 0), ("run=shell:comand=line", 1), ("run=shel", 1)]
)
def test_check_takes_the_same_words(tool: str, status: int, config: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", config, "--dialect", "claude_code", "--tool", tool]) == status
    capsys.readouterr()
