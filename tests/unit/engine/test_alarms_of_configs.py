"""Shapes of public configs that ``check`` is silent about, and their neighbours about which it is not.

Each of the first kind was a false alarm on a file of tests/field/public_configs.toml; the texts are our own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import HookEngine
from pyshellhooks.engine.checks.checker import check_file

ROOT = '"${CLAUDE_PLUGIN_ROOT}"'
#: A script of Python that no shell can read, and that names no program.
PYTHON = "# /// script\n# dependencies = []\n# ///\nfor part in (1, 2):\n    print(part)\n"


def group(event: str, command: str = "true", matcher: str | None = None, **keys: Any) -> dict[str, Any]:
    """Return the config of one hook of Claude Code."""
    hooks = [{"type": "command", "command": command, **keys}]
    return {"hooks": {event: [{"hooks": hooks} if matcher is None else {"matcher": matcher, "hooks": hooks}]}}


def reported(
    root: Path, config: Mapping[str, Any], script: str = "", manifest: Mapping[str, Any] | None = None
) -> set[str]:
    """Return severity and code of all that ``check`` reports of a plugin with ``s/g.py`` of mode 644, and a ``uv``."""
    files = {
        ".claude-plugin/plugin.json": json.dumps(manifest or {"name": "p"}),
        "hooks/hooks.json": json.dumps(config),
        "s/g.py": script or PYTHON,
        "bin/uv": "#!/bin/sh\n",
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / "bin/uv").chmod(0o755)
    env = {"PATH": f"{root}/bin:/usr/bin:/bin", "HOME": str(root / "home")}
    found = check_file(str(root / "hooks" / "hooks.json"), env=env).diagnostics
    return {f"{one.severity} {one.code}" for one in found}


BIT, SYNTAX = "error not-executable", "error syntax-error"
#: A file that ends in .py is Python's for ``uv run``, whatever its mode and its first line (uv 0.13.9).
OF_UV: list[tuple[str, str, str, set[str]]] = [
    ("python", f"uv run {ROOT}/s/g.py", "", set()),
    ("python with options", f"uv run --quiet --with rich {ROOT}/s/g.py --all", "", set()),
    ("a script option", f"uv run --script {ROOT}/s/g.py", "", set()),
    ("a short script option", f"uv run -s {ROOT}/s/g.py", "", set()),
    ("another first line", f"uv run {ROOT}/s/g.py", "#!/usr/bin/env -S no-such-x run\nprint()\n", set()),
    ("by its path", f"{ROOT}/s/g.py", "", {BIT, SYNTAX}),
    ("by its path behind env", f"env A=1 {ROOT}/s/g.py", "", {BIT, SYNTAX}),
]


@pytest.mark.not_on_windows("needs-mode")
@pytest.mark.parametrize(("command", "script", "expected"), [row[1:] for row in OF_UV], ids=[row[0] for row in OF_UV])
def test_programs_of_uv(command: str, script: str, expected: set[str], tmp_path: Path) -> None:
    assert reported(tmp_path, group("PostToolUse", command), script) == expected


IGNORED, ELSEWHERE, UNKNOWN = "warning no-effect", "warning matcher-other-system", "warning matcher-unknown"
MATCHERS: list[tuple[str, str, set[str]]] = [
    # An event without a subject runs the hook every time, which is what these mean (claude_code 3).
    ("Stop", "", set()),
    ("Stop", "*", set()),
    ("Stop", ".*", set()),
    ("Stop", "^.*$", set()),
    ("UserPromptSubmit", ".+", set()),
    ("Stop", "Bash", {IGNORED}),
    ("Stop", "Bash|", {IGNORED}),
    ("Stop", "^$", {IGNORED}),
    ("UserPromptSubmit", "rm .*", {IGNORED}),
    # One file for several agents: the name of another one stands beside Claude Code's own for the same tool.
    ("PreToolUse", "apply_patch|Edit|Write", set()),
    ("PreToolUse", "Bash|run_shell_command|shell", set()),
    ("PreToolUse", "apply_patch|Write", {ELSEWHERE}),
    ("PreToolUse", "run_shell_command|Edit", {ELSEWHERE}),
    ("PreToolUse", "Edit|Wirte|Write", {UNKNOWN}),
]


@pytest.mark.parametrize(("event", "matcher", "expected"), MATCHERS, ids=[f"{row[0]} {row[1]}" for row in MATCHERS])
def test_matchers(event: str, matcher: str, expected: set[str], tmp_path: Path) -> None:
    assert reported(tmp_path, group(event, matcher=matcher)) == expected


OFF, BROKEN = "error bash-under-sh", "warning bash-under-sh"
#: Where sh is dash, each ``[[`` ends with 127 (dash 0.5.12): that turns a guard off, and of other hooks only their work.
BASHISMS: list[tuple[str, str, set[str]]] = [
    ("PreToolUse", "jq -r .tool_name | { read -r T; [[ $T == Bash ]] && exit 2; }", {OFF}),
    ("PreToolUse", "[[ -d s ]] && sh s/g.sh", {OFF}),  # the script may block
    ("UserPromptSubmit", "[[ -d s ]] && sh s/g.sh", {OFF}),
    ("ConfigChange", "[[ -d s ]] && sh s/g.sh", {OFF}),
    ("PostToolUse", "[[ -f x.py ]] && echo formatted", {BROKEN}),
    ("PostToolUse", "[[ -f x.py ]] || { echo no >&2; exit 2; }", {OFF}),
    ("PostToolUse", '[[ -f x.py ]] || echo \'{"decision": "block", "reason": "x"}\'', {OFF}),
    ("Stop", "[[ -f x.py ]] && echo done", {BROKEN}),
    ("Stop", "[[ -f x.py ]] || { echo no >&2; exit 2; }", {OFF}),
    ("SessionStart", "[[ -f x.py ]] && echo hello", {BROKEN}),
    ("SessionStart", "[[ -f x.py ]] || exit 2", {BROKEN}),  # nothing can be blocked there
    ("Notification", "sh -c '[[ -f x.py ]] && echo hello'", {BROKEN}),
    ("PreToolUse", "sh -c '[[ -f x.py ]] && exit 2'", {OFF}),
    ("SessionStart", "[ -f x.py ] && echo hello", set()),
]


@pytest.mark.not_on_windows("needs-program")
@pytest.mark.parametrize(("event", "command", "expected"), BASHISMS, ids=[f"{row[0]} {row[1]}" for row in BASHISMS])
def test_parts_of_bash_in_a_command(event: str, command: str, expected: set[str], tmp_path: Path) -> None:
    found = {one for one in reported(tmp_path, group(event, command)) if one.endswith("bash-under-sh")}
    assert found == expected


@pytest.mark.not_on_windows("needs-program")
def test_a_verdict_names_a_part_of_bash_also_where_nothing_is_blocked(tmp_path: Path) -> None:
    settings = tmp_path / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps(group("SessionStart", "[[ -d . ]] && echo hello")))
    verdict = HookEngine.load(settings).fire("SessionStart", source="startup")
    assert [one.kind for one in verdict.notices] == ["off-in-agent"]


KEYS = [
    # Codex reads the same file of a plugin (its plugins have Claude Code's layout); Claude Code ignores its keys.
    ("additionalContextLimit", 2000, "hint unknown-key"),
    ("commandWindows", "g.cmd", "hint unknown-key"),
    ("contextLimit", 2000, "warning unknown-key"),
    ("timout", 5, "warning unknown-key"),
]


@pytest.mark.parametrize(("key", "value", "expected"), KEYS, ids=[row[0] for row in KEYS])
def test_keys_of_another_agent(key: str, value: object, expected: str, tmp_path: Path) -> None:
    assert reported(tmp_path, group("PreToolUse", **{key: value})) == {expected}


#: Sound configs that look like such mistakes.
SOUND = [
    ("PreToolUse", "printf '{{.Names}}' | grep -q x && exit 2; exit 0"),
    ("PreToolUse", "jq -e '.tool_input.command // .tool_input.cmd' >/dev/null && exit 2; exit 0"),
    ("PreToolUse", "jq -e .tool_input.query >/dev/null && exit 2; exit 0"),
    ("PreToolUse", "ps | grep -q x || { echo no >&2; kill $PPID; }; exit 2"),
    ("PreToolUse", "test -e x && { echo no >&2; false; } || exit 2"),
    ("PostToolUse", "echo done >&2; false"),
    ("Stop", "exit 2"),
    ("PreToolUse", 'cd "$CLAUDE_PROJECT_DIR" && exit 2'),
    ("PreToolUse", "printf '%s' 'exit 2'"),
]


@pytest.mark.parametrize(("event", "command"), SOUND, ids=[row[1] for row in SOUND])
def test_nothing_is_reported_of_a_sound_command(event: str, command: str, tmp_path: Path) -> None:
    assert reported(tmp_path, group(event, command)) == set()


PATHS = [
    ("hooks/hooks.json", 'write "./hooks/hooks.json"'),
    ("my/more.json", 'write "./my/more.json"'),
    ("./hooks", 'write the path of a file, such as "./hooks/hooks.json"'),
    ("/etc/hooks.json", 'write the path of a file, such as "./hooks/hooks.json"'),
]


@pytest.mark.parametrize(("path", "fix"), PATHS, ids=[row[0] for row in PATHS])
def test_the_fix_of_a_manifests_path(path: str, fix: str, tmp_path: Path) -> None:
    """Claude Code 2.1.332 (``claude plugin validate``): hooks: Invalid string: must start with "./"."""
    reported(tmp_path, group("Stop"), manifest={"name": "p", "hooks": path})
    found = check_file(str(tmp_path / ".claude-plugin" / "plugin.json")).diagnostics
    assert [one.hint for one in found if one.code == "config-refused"] == [fix]


@pytest.mark.parametrize(
    ("matcher", "expected"),
    [
        ("Edit|Write|MultiEdit|NotebookEdit|Bash|PowerShell", set()),
        ("MultiEdit|Bash", {ELSEWHERE}),
        ("MultiEdit", {ELSEWHERE}),
    ],
)
def test_names_of_other_systems_beside_an_alias_of_codex(matcher: str, expected: set[str], tmp_path: Path) -> None:
    path = tmp_path / ".codex" / "hooks.json"
    path.parent.mkdir()
    path.write_text(json.dumps(group("PreToolUse", matcher=matcher)))
    found = check_file(str(path), env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path / "home")}).diagnostics
    assert {f"{one.severity} {one.code}" for one in found} == expected
