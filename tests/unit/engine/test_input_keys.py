"""``check`` on what jq is asked for below ``tool_input``: told only where no tool that the hook can be for ever has it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mistakes import CONFIGS, OF, write

from pyshellhooks.engine.checks.checker import check_file
from pyshellhooks.errors import Diagnostic


def check_hooks(root: Path, system: str, *hooks: tuple[str, str, str], script: str = "") -> list[Diagnostic]:
    """Check hooks, each an event, a matcher and a command; the script is ``./x.sh``."""
    groups: dict[str, list[object]] = {}
    for event, matcher, command in hooks:
        group = {"matcher": matcher, "hooks": [{"type": "command", "command": command}]}
        groups.setdefault(event, []).append(group)
    text = (
        json.dumps({"hooks": groups})
        if system == "claude_code"
        else OF[system](hooks[0][2], hooks[0][1], **({"event": hooks[0][0]} if hooks[0][0] else {}))
    )
    write(root, {CONFIGS[system]: text, **({"x.sh": script} if script else {})})
    found = check_file(str(root / CONFIGS[system]), env={"PATH": "", "HOME": str(root / "home")}).diagnostics
    return [one for one in found if one.code == "payload-key"]


def of_claude(root: Path, matcher: str, program: str) -> list[Diagnostic]:
    return check_hooks(root, "claude_code", ("PreToolUse", matcher, f"jq -r '{program}'"))


MISTAKES = [
    ("Bash", ".tool_input.comand", ".tool_input.command"),
    ("Bash", '.["tool_input"]["comand"]', ".tool_input.command"),
    ("Bash", ".tool_input | .comand", ".tool_input.command"),
    ("Bash", ".tool_input | {comand}", ".tool_input.command"),
    ("Bash", '"run: \\(.tool_input.comand)"', ".tool_input.command"),
    ("Bash", ".tool_input.comand // empty", ".tool_input.command"),
    ("^Bash$", ".tool_input.Command", ".tool_input.command"),
    ("^(Bash|Write)$", ".tool_input.comand", ".tool_input.command"),
    ("Bash", ".tool_input.cmd", ".tool_input.command"),
    ("Bash", ".tool_input.file_path", "command, description"),
    ("Write|Edit", ".tool_input.filePath", ".tool_input.file_path"),
    ("Write|Edit", ".tool_input.path", ".tool_input.file_path"),
    ("Edit", ".tool_input.content", "file_path, new_string"),
    ("Edit", ".tool_input.old_str", ".tool_input.old_string"),
    ("WebFetch", ".tool_input.uri", ".tool_input.url"),
    ("Read", ".tool_input.comand, .tool_input.filepath", ".tool_input.file_path"),
]


@pytest.mark.parametrize(("matcher", "program", "hint"), MISTAKES)
def test_keys_that_no_tool_of_the_hook_has(matcher: str, program: str, hint: str, tmp_path: Path) -> None:
    (one,) = of_claude(tmp_path, matcher, program)
    assert one.hint is not None and hint in one.hint and "tool_input of " in one.message, one
    assert (one.severity, one.line) == ("warning", 1) and one.source[one.column - 1 :].startswith("'")


@pytest.mark.parametrize(
    ("matcher", "program"),
    [
        ("Bash", ".tool_input.command"),
        ("Bash", ".tool_input.dangerouslyDisableSandbox"),  # a later client's: nothing that is there is meant by it
        ("Read", ".tool_input.pages"),
        ("Bash", ".tool_input.comand?"),
        ("Bash", ".tool_input.cmd // .tool_input.command"),
        ("Bash", ".tool_input | (.cmd // .command)"),
        ("Bash", ".tool_input.command, .tool_input.file_path"),  # it is for other tools as well
        ("Bash", 'if .tool_name == "Write" then .tool_input.file_path else .tool_input.command end'),
        ("Bash", ".tool_input.comand = .tool_input.command"),  # it is written to
        ("Bash", ".tool_input | keys"),
        ("", ".tool_input.comand"),
        ("*", ".tool_input.comand"),
        ("Bash.*", ".tool_input.comand"),
        ("Bash|mcp__.*", ".tool_input.comand"),
        ("Bash|run_it", ".tool_input.comand"),
        ("mcp__files__read", ".tool_input.comand"),
        ("Agent", ".tool_input.mode"),  # what it is given is not known for sure
        ("Bash|Grep", ".tool_input.comand"),
        ("Write|Edit", ".tool_input.content"),  # Write has it
        ("Edit", ".tool_input.edits"),  # an agent's own tool for many edits may be told so
        ("Write|MultiEdit", ".tool_input.filePath"),
    ],
)
def test_uncertain_keys_are_not_reported(matcher: str, program: str, tmp_path: Path) -> None:
    assert of_claude(tmp_path, matcher, program) == []


@pytest.mark.parametrize(
    ("command", "known"),
    [
        ("jq .command", True),
        ("jq -rc .command", True),
        ("jq .command -r", True),
        ('jq -r --arg a "$b" .command', True),
        ("jq --indent 2 .command", True),
        ("jq -L lib .command", True),
        ("jq -- .command", True),
        ("jq -n .command", False),  # it reads nothing
        ("jq -rs .command", False),
        ("jq -R .command", False),
        ("jq .command x.json", False),
        ("jq -f .command", False),
        ("jq .command --args x", False),
        ('jq "$options" .command', False),
        ('jq "$filter"', False),
        ("jq --no-such-option .command", False),
    ],
)
def test_command_lines_that_read_the_payload(command: str, known: bool, tmp_path: Path) -> None:
    assert bool(check_hooks(tmp_path, "claude_code", ("PreToolUse", "Bash", command))) == known


SCRIPT = "#!/bin/sh\njq -r '.tool_input.{}'\n"


def test_a_script_of_several_hooks(tmp_path: Path) -> None:
    """What one of them has is right; so is anything where one of them may be for any tool."""
    bash, write, any_tool = (("PreToolUse", matcher, "./x.sh") for matcher in ("Bash", "Write", "*"))
    assert check_hooks(tmp_path, "claude_code", bash, write, script=SCRIPT.format("file_path")) == []
    assert check_hooks(tmp_path, "claude_code", bash, any_tool, script=SCRIPT.format("comand")) == []
    stop = ("Stop", "", "./x.sh")  # it has no tool
    (one,) = check_hooks(tmp_path, "claude_code", bash, write, stop, script=SCRIPT.format("comand"))
    assert "of Bash and Write never has" in one.message and (one.path, one.line) == ((tmp_path / "x.sh").as_posix(), 2)


def test_a_second_try_is_no_mistake(tmp_path: Path) -> None:
    script = '#!/bin/sh\nin=$(cat)\nc=$(jq -r .tool_input.cmd <<<"$in")\n[ -n "$c" ] || c=$(jq -r .tool_input.command <<<"$in")\n'
    assert check_hooks(tmp_path, "claude_code", ("PreToolUse", "Bash", "./x.sh"), script=script) == []


@pytest.mark.parametrize("system", sorted(set(OF) - {"claude_code", "everruns"}))
def test_systems_whose_contract_does_not_list_the_keys(system: str, tmp_path: Path) -> None:
    tool = {"crush": "bash", "gemini": "run_shell_command", "docker_agent": "shell"}.get(system, "Shell")
    event = "preToolUse" if tool == "Shell" else ""
    assert check_hooks(tmp_path, system, (event, tool, "jq -r .tool_input.comand")) == []
