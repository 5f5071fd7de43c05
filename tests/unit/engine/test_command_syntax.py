"""A command that does not parse is shown where it stands in the config."""

from __future__ import annotations

from pyshellhooks.engine import check
from pyshellhooks.engine.scripts.command_syntax import check_commands
from pyshellhooks.hooks.model import HookSpec, Origin


def first_lines(text: str, dialect: str = "crush", name: str = "crush.json") -> list[str]:
    return [str(diagnostic).partition("\n")[0] for diagnostic in check(None, dialect, text=text, name=name).diagnostics]


def test_the_place_in_a_json_string_counts_escapes() -> None:
    text = '{"hooks": {"PreToolUse": [\n  {"command": "echo \\"a\\" )"}]}}'
    column = text.split("\n")[1].index(")") + 1
    assert [line.split(" ")[0] for line in first_lines(text)] == [f"crush.json:2:{column}:"]
    assert "warning: the command does not parse" in first_lines(text)[0]


def test_a_line_of_a_long_command_is_reported() -> None:
    text = '{"hooks": {"PreToolUse": [{"command": "if true\\nthen echo \\u00e9\\nfi fi"}]}}'
    assert "line 3" in first_lines(text)[0]
    assert int(first_lines(text)[0].split(":")[2]) == text.index(' fi"') + 2


def test_the_second_of_equal_files_commands() -> None:
    text = '{"hooks": {"PreToolUse": [{"command": "echo )"},\n {"command": "true", "name": "x"},\n {"command": "echo ("}]}}'
    assert [line.split(":")[1] for line in first_lines(text)] == ["1", "3"]


def test_commands_that_parse_are_not_mentioned() -> None:
    assert first_lines('{"hooks": {"PreToolUse": [{"command": "shopt -s extglob; case $x in @(a|b)) ;; esac"}]}}') == []


def test_a_block_scalar_in_yaml() -> None:
    text = "hooks:\n  - command: |\n      echo one\n      echo two )\n"
    spec = HookSpec("x", "echo one\necho two )\n", origin=Origin("agent.yaml", line=2))
    (found,) = check_commands([spec], {"agent.yaml": text})
    assert (found.line, found.column) == (4, text.split("\n")[3].index(")") + 1)


def test_other_kinds_of_hooks_are_no_shell() -> None:
    assert check_commands([HookSpec("x", "is it (safe?", kind="prompt"), HookSpec("x", "a(", argv=("a(",))], {}) == []
