"""Paths in payloads on Windows: what hooks of each system see, and what goes back to the caller (decisions paths on Windows).

The conversion is switched on by hand, so every system runs this; recorded runs replace the shell.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from pyshellhooks import HookEngine
from pyshellhooks.engine.executor import RecordedExecutor
from pyshellhooks.engine.options import CHOICES
from pyshellhooks.hooks.model import HookJob, HookRun, HookSpec
from pyshellhooks.jsontext.compact import JSON

# System -> its event before a tool, a known tool with a file, the argument, and the answer that rewrites an input.
BEFORE_TOOL: dict[str, tuple[str, str, str, str]] = {
    "claude_code": ("PreToolUse", "Write", "file_path", '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":%s}}'),
    "crush": ("PreToolUse", "write", "file_path", '{"updated_input":%s}'),
    "gemini": ("BeforeTool", "write_file", "file_path", '{"hookSpecificOutput":{"tool_input":%s}}'),
    "docker_agent": ("pre_tool_use", "write_file", "path", '{"hook_specific_output":{"hook_event_name":"pre_tool_use","updated_input":%s}}'),
    "everruns": ("pre_tool_use", "write_file", "path", '{"decision":"mutate","patch":{"arguments":%s}}'),
    "firebender": ("preToolUse", "Write", "file_path", '{"updated_input":%s}'),
    "cursor": ("preToolUse", "Write", "file_path", '{"updated_input":%s}'),
}  # fmt: skip
SYSTEMS = sorted(BEFORE_TOOL)
CALLERS = {
    "native": "C:\\p\\src\\.env",
    "native, lower case": "c:\\p\\src\\.env",
    "slashes": "C:/p/src/.env",
    "Cursor's": "/c:/p/src/.env",
}


class OneHookEngine:
    """An engine of one system with one hook, whose jobs are kept and whose answer is fixed."""

    def __init__(self, system: str, command: str = "cat", answer: str = "", **options: Any) -> None:
        self.system = system
        self.event, self.tool, self.key, self.rewriting = BEFORE_TOOL[system]
        self.jobs: list[HookJob] = []
        self.answer = answer
        spec = HookSpec(self.event, command)
        executor = None if command != "cat" else RecordedExecutor(self._run)
        self.engine = HookEngine(system, [spec], cwd="/", env={}, executor=executor, **options)
        (self.row,) = self.engine.systems
        self.row.converts_paths = options.get("paths") != "native"
        self.row.host_context.cwd = self.row.host_context.project_dir = "C:/p"

    def _run(self, job: HookJob, scope: object) -> HookRun:
        self.jobs.append(job)
        return HookRun("exited", 0, self.answer.encode(), b"")

    def fire(self, tool_input: JSON, tool: str = "", **fields: JSON) -> Any:
        fields = {"cwd": "C:\\p", "tool_name": tool or self.tool, "tool_input": tool_input, **fields}
        return self.engine.fire(self.event, **fields)

    def payload(self) -> dict[str, Any]:
        job = self.jobs[-1]
        payload = json.loads(job.env.get("EVERRUNS_HOOK_PAYLOAD_JSON") or job.stdin)
        assert isinstance(payload, dict)
        return payload

    def tool_input(self) -> Mapping[str, Any]:
        """Return the tool's input that the hook got, wherever its system has it."""
        payload = self.payload()
        value = payload["data"]["arguments"] if self.system == "everruns" else payload["tool_input"]
        value = json.loads(value) if isinstance(value, str) else value
        assert isinstance(value, dict)
        return value


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("path", CALLERS.values(), ids=CALLERS)
def test_scripts_see_one_form_in_every_system(system: str, path: str) -> None:
    engine = OneHookEngine(system)
    engine.fire({engine.key: path, "content": "C:\\p\\x"})
    assert engine.tool_input() == {engine.key: "C:/p/src/.env", "content": "C:\\p\\x"}
    if system != "everruns":  # its hooks start in /workspace
        assert engine.jobs[-1].cwd == "C:/p"


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("path", CALLERS.values(), ids=CALLERS)
def test_a_path_that_the_hook_leaves_is_returned_unchanged(system: str, path: str) -> None:
    engine = OneHookEngine(system)
    engine.answer = engine.rewriting % json.dumps({engine.key: "C:/p/src/.env", "content": "new"})
    verdict = engine.fire({engine.key: path, "content": "old"})
    assert verdict.updated_input == {engine.key: path, "content": "new"}


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(
    ("path", "expected"),
    list(zip(CALLERS.values(), ["C:\\p\\b\\c", "c:\\p\\b\\c", "C:/p/b/c", "/c:/p/b/c"], strict=True)),
    ids=CALLERS,
)
def test_a_path_that_the_hook_rewrites_is_returned_in_the_callers_form(system: str, path: str, expected: str) -> None:
    engine = OneHookEngine(system)
    engine.answer = engine.rewriting % json.dumps({engine.key: "C:/p/b/c", "content": "old"})
    verdict = engine.fire({engine.key: path, "content": "old"})
    assert verdict.updated_input == {engine.key: expected, "content": "old"}


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("tool", ["mcp__files__write", "deploy_everything"])
def test_of_an_unknown_tool_only_paths_with_a_drive_change(system: str, tool: str) -> None:
    engine = OneHookEngine(system)
    given = {"path": "C:\\p\\x", "file": "src\\y", "directory": "\\\\server\\share\\z", "text": "C:\\p", "n": [1]}
    engine.fire(given, tool=tool)
    assert engine.tool_input() == {**given, "path": "C:/p/x", "directory": "//server/share/z"}


@pytest.mark.parametrize("system", SYSTEMS)
def test_arguments_as_the_models_text_keep_their_spelling(system: str) -> None:
    engine = OneHookEngine(system)
    text = f'{{"content": 1.50, "{engine.key}": "C:\\\\p\\\\x", "path_note": "C:\\\\p"}}'
    engine.fire(text)
    assert engine.tool_input() == {"content": 1.5, engine.key: "C:/p/x", "path_note": "C:\\p"}


def test_text_of_the_model_is_returned_with_its_spelling() -> None:
    engine = OneHookEngine("claude_code")
    engine.answer = engine.rewriting % '{"file_path": "C:/p/x", "n": 2.50}'
    verdict = engine.fire('{"file_path": "c:\\\\p\\\\x", "n": 1.50}')
    assert verdict.updated_input_text == '{"file_path":"c:\\\\p\\\\x","n":2.50}'


@pytest.mark.parametrize("text", ['{"a":', "C:\\p", "[1", "", '"C:\\\\p"'])
def test_text_that_is_no_object_stays(text: str) -> None:
    engine = OneHookEngine("claude_code")
    engine.fire(text)
    assert str(engine.payload()["tool_input"]) in (text, "{}", "C:\\p")


def test_commands_never_change() -> None:
    engine = OneHookEngine("claude_code")
    engine.fire({"command": "type C:\\p\\x", "description": "C:\\p"}, tool="Bash")
    assert engine.tool_input() == {"command": "type C:\\p\\x", "description": "C:\\p"}
    assert engine.jobs[-1].env["CLAUDE_PROJECT_DIR"] == "C:/p"


def test_nested_paths_are_converted() -> None:
    engine = OneHookEngine("claude_code")
    edits = [{"file_path": "C:\\p\\a", "new_string": "C:\\p"}, {"file_path": "b\\c", "new_string": ""}]
    engine.fire({"edits": edits, "paths": ["C:\\p\\a", "d\\e"], "file_path": "C:\\p\\a"}, tool="MultiEdit")
    assert engine.tool_input()["edits"][0] == {"file_path": "C:/p/a", "new_string": "C:\\p"}
    assert engine.tool_input()["paths"][0] == "C:/p/a"


def test_the_option_leaves_payloads_alone() -> None:
    engine = OneHookEngine("claude_code", paths="native")
    engine.fire({"file_path": "C:\\p\\x"})
    assert engine.tool_input() == {"file_path": "C:\\p\\x"}
    with pytest.raises(ValueError, match='paths must be "script" or "native", got .posix.'):
        OneHookEngine("claude_code", paths="posix")
    assert CHOICES["paths"] == ("script", "native")


# -- native programs ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "is_native"),
    [
        ("python hook.py", True),
        ("python3 \"$CLAUDE_PROJECT_DIR\"/.claude/hooks/guard.py", True),
        ("node guard.js --strict", True),
        ("cd \"$CLAUDE_PROJECT_DIR\" && uv run guard.py || true", True),
        ("\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/guard.py", True),
        ("./guard.exe", True),
        ("env X=1 python guard.py", True),
        ("jq -r .tool_input.file_path", False),
        ("bash .claude/hooks/guard.sh", False),
        ("\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/guard.sh", False),
        (".claude/hooks/guard", False),
        ("cat | python guard.py", False),
        ("path=$(jq -r .tool_input.file_path); python format.py \"$path\"", False),
        ("echo ok", False),
        ("if then", False),
    ],
)  # fmt: skip
def test_only_native_programs_get_native_paths(command: str, is_native: bool) -> None:
    (spec,) = HookEngine("claude_code", [HookSpec("PreToolUse", command)], cwd="/", env={}).specs
    system = OneHookEngine("claude_code", command).row
    assert system._is_native_program(spec) is is_native
    job = system._job(system.make_views(*_event(system), None).event, spec)
    assert isinstance(job, HookJob)
    payload = json.loads(job.stdin)
    expected = ("C:\\p", "C:\\p\\x", "C:\\p") if is_native else ("C:/p", "C:/p/x", "C:/p")
    assert (payload["cwd"], payload["tool_input"]["file_path"], job.env["CLAUDE_PROJECT_DIR"]) == expected
    assert job.cwd == "C:/p"


def _event(system: Any) -> tuple[Any, bool, dict[str, JSON]]:
    fields: dict[str, JSON] = {"cwd": "c:\\p", "tool_name": "Write", "tool_input": {"file_path": "c:/p/x"}}
    return system.dialect.events["PreToolUse"], False, fields
