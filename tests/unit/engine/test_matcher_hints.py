"""Matchers that say more than a tool's name: an error, and a hint that is another text and a matcher that matches."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mistakes import CONFIGS, OF, write

from pyshellhooks.engine.checks.checker import check_file

# system, matcher, the matcher that the hint writes; "" where it writes none
EXPRESSIONS = [
    ("claude_code", 'tool == "Bash" && tool_input.command matches "rm -rf"', "Bash"),
    ("claude_code", "tool_name == Bash", "Bash"),
    ("claude_code", 'tool_name=="Bash"', "Bash"),
    ("claude_code", "tool_name = 'Edit' or tool_name = 'Write'", "Write|Edit"),
    ("claude_code", "Bash && git", "Bash"),
    ("claude_code", "!Bash", ""),
    ("claude_code", "Write:*.py", "Write"),
    ("claude_code", "Bash(rm *)", "Bash"),
    ("claude_code", "{Bash,Write}", "Bash|Write"),
    ("claude_code", "/Bash/", "Bash|BashOutput|KillBash"),
    ("claude_code", "/^(Bash|Write)$/i", "Bash|Write"),
    ("claude_code", r"^Bash\z", "Bash"),
    ("claude_code", r"\ABash\Z", "Bash"),
    ("claude_code", "^B[[:alpha:]]+$", "Bash|BashOutput|Brief"),
    ("gemini", r"^write_file\z", "write_file"),
    ("gemini", 'tool_name == "run_shell_command"', "run_shell_command"),
    ("gemini", "run_shell_command(git *)", "run_shell_command"),
    ("crush", 'tool == "bash"', "bash"),
    ("docker_agent", 'tool == "shell"', "shell"),
]
SOUND = [
    ("claude_code", "Bash"), ("claude_code", "Edit, Write"), ("claude_code", "(?=Bash).*"), ("claude_code", "(?!Read).*"),
    ("claude_code", "mcp__x__.*"), ("claude_code", "LSP|EnterWorktree|ExitWorktree|TaskGet|TaskCreate|TeamCreate|CronList"),
    ("claude_code", "PushNotification|RemoteTrigger|ScheduleWakeup|Workflow|ShareOnboardingGuide|ToolSearch|SendMessage"),
    ("gemini", "run_shell_command|write_file"), ("crush", "^(bash|edit)$"),
    ("crush", r"^bash\z"), ("crush", "^[[:alpha:]]+$"), ("claude_code", "Bash{1,2}"), ("claude_code", "[A-Z][a-z]+"),
]  # fmt: skip


def checked(system: str, matcher: str, directory: Path) -> list[str]:
    write(directory, {CONFIGS[system]: OF[system]("exit 0", matcher)})
    found = check_file(str(directory / CONFIGS[system]), env={"PATH": "", "HOME": str(directory / "home")}).diagnostics
    return [f"{one.severity} {one.code}: {one.hint}" for one in found]


@pytest.mark.parametrize(("system", "matcher", "meant"), EXPRESSIONS)
def test_an_expression_is_no_matcher(system: str, matcher: str, meant: str, tmp_path: Path) -> None:
    (one,) = checked(system, matcher, tmp_path)
    assert one.startswith("error matcher-matches-nothing: ")
    written = re.findall(r'(?:write |"matcher": )"([^"]+)"', one)
    assert written == ([meant] if meant else [])
    assert matcher not in written
    assert not meant or checked(system, meant, tmp_path) == []


@pytest.mark.parametrize(("system", "matcher"), SOUND)
def test_names_and_expressions_on_names_are_sound(system: str, matcher: str, tmp_path: Path) -> None:
    assert checked(system, matcher, tmp_path) == []
