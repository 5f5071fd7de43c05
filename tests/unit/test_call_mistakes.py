"""Mistakes in calls and on the command line: each says where, what and what to do, and what it says to do makes it go.

``tests/unit/engine/mistakes.py`` has those in configs and scripts, ``test_shell_arguments.py`` more of the shell's calls.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import HookEngine, Limits, MemoryFS, Shell, UnknownDialectError, UnknownEventError, cli
from pyshellhooks.jsontext.compact import WireError

CONFIG = {"hooks": {"PreToolUse": [{"command": "exit 0"}]}}
CALL = {"tool_name": "bash", "tool_input": {"command": "ls"}}


def load(*where: Any, **options: Any) -> HookEngine:
    return HookEngine.load(*where or (CONFIG, "crush"), env=options.pop("env", {}), **options)


def fire(event: Any = "PreToolUse", payload: Any = CALL, **more: Any) -> Any:
    with load() as engine:
        return engine.fire(event, payload, **more)


# What is wrong: the call, its error, the place and the mend in the message, and the call with that mend.
Call = tuple[Callable[[], Any], type[Exception], str, str, Callable[[], Any]]
CALLS: dict[str, Call] = {
    "an option of no name": (lambda: load(stric=True), TypeError, 'option "stric"', '"strict"', lambda: load(strict=True)),
    "a word for a switch": (lambda: load(strict="yes"), TypeError, "strict", "True or False", lambda: load(strict=True)),
    "a wrong word": (lambda: load(isolation="proc"), ValueError, "isolation", 'did you mean "process"', lambda: load(isolation="process")),
    "a mapping as limits": (lambda: load(limits={"output": 9}), TypeError, "limits", "Limits(output=…)", lambda: load(limits=Limits(output=9))),
    "a path as fs": (lambda: load(fs="/tmp"), TypeError, "fs must be", "MemoryFS()", lambda: load(fs=MemoryFS())),
    "a number in env": (lambda: load(env={"A": 1}), TypeError, 'env: the value of "A"', "must be a str", lambda: load(env={"A": "1"})),
    "a number as mount": (lambda: load(mounts={"/w": 1}), TypeError, 'mounts["/w"]', "a FileSystem or the path", lambda: load(mounts={"/w": MemoryFS()})),
    "bytes as cwd": (lambda: load(cwd=b"/"), TypeError, "cwd must be a path", "got a bytes", lambda: load(cwd="/")),
    "a number as agent": (lambda: load(agent=1), TypeError, "agent must be", "the name of an agent", lambda: load(agent="")),
    "a list of tools": (lambda: load(tools=["x"]), TypeError, "tools must be", "a mapping", lambda: load(tools={"x": "shell"})),
    "a kind of tool": (lambda: load(tools={"x": "shel"}), ValueError, "tools: 'x'", 'did you mean "shell"', lambda: load(tools={"x": "shell"})),
    "a handler's name": (lambda: load(handlers={"promt": id}), ValueError, "handlers", 'did you mean "prompt"', lambda: load(handlers={"prompt": id})),
    "a hook without event": (lambda: load(hooks=["true"]), TypeError, "hooks must be", "(event, command) pairs", lambda: load(hooks=[("before_tool", "true")])),
    "a text as hook": (lambda: HookEngine("crush", ["exit 2"]), TypeError, "specs must be HookSpecs", "HookEngine.load", lambda: load()),  # type: ignore[list-item]
    "a number as config": (lambda: load(3), TypeError, "a config must be", "a path", lambda: load(CONFIG)),
    "a system": (lambda: load(CONFIG, "cruhs"), UnknownDialectError, "unknown hook system 'cruhs'", 'did you mean "crush"', lambda: load(CONFIG, "crush")),
    "trust": (lambda: HookEngine.discover(trust_project="yes"), TypeError, "trust_project must be", '"store"', lambda: HookEngine.discover(trust_project="store", user=False)),  # type: ignore[arg-type]
    "an event": (lambda: fire("PreToolUses"), UnknownEventError, '"PreToolUses"', 'did you mean "PreToolUse"', lambda: fire("PreToolUse")),
    "no event": (lambda: fire(None), TypeError, "an event must be", '"before_tool"', lambda: fire("before_tool")),
    "a field": (lambda: fire(tool_nam="x"), TypeError, '"tool_nam"', 'did you mean "tool_name"', lambda: fire(tool_name="x")),
    "a payload that is cut": (lambda: fire(payload='{"tool_name":'), WireError, "payload:1:14: ", "hint: ", lambda: fire(payload='{"tool_name": "x"}')),
    "a payload of Python": (lambda: fire(payload="{'a': 1}"), WireError, "payload:1:2: ", "use \" instead of '", lambda: fire(payload='{"a": 1}')),
    "a payload that is a list": (lambda: fire(payload="[1]"), WireError, "payload:1:1: ", '{"tool_name": "bash"}', lambda: fire(payload='{"tool_name": "bash"}')),
    "a text as timeout": (lambda: fire(timeout="9"), TypeError, "timeout must be", "a number of seconds", lambda: fire(timeout=9)),
    "a negative timeout": (lambda: fire(timeout=-1), ValueError, "timeout must be", "at least 0 seconds", lambda: fire(timeout=9)),
    "a number as session": (lambda: fire(session=3), TypeError, "session must be", "an id", lambda: fire(session="3")),
    "a list as script": (lambda: Shell().run(["echo", "a"]), TypeError, "a script must be", "run('\"$@\"', 'echo', 'a')", lambda: Shell().run('"$@"', "echo", "a")),  # type: ignore[arg-type]
    "a word as names": (lambda: Shell(prefer_host="git"), TypeError, "prefer_host must be", '{"git"}', lambda: Shell(prefer_host={"git"})),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_call_is_reported_and_its_hint_fixes_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    wrong, kind, place, hint, right = CALLS[name]
    with pytest.raises(kind) as caught:
        wrong()
    assert place in str(caught.value) and hint in str(caught.value), str(caught.value)
    right()


EVENT = ("fire", "PreToolUse", "--config", "crush.json", "--input")
# What is typed, the place and the mend in what is said, and what is typed then.
TYPED: dict[str, tuple[tuple[str, ...], str, str, tuple[str, ...]]] = {
    "an event": (("fire", "PreToolUses", *EVENT[2:], "call.json"), '"PreToolUses"', 'did you mean "PreToolUse"', (*EVENT, "call.json")),
    "an event like none": (("fire", "nosuchevent", *EVENT[2:], "call.json"), '"nosuchevent"', "it has: PreToolUse", (*EVENT, "call.json")),
    "an input that is not there": ((*EVENT, "nofile"), "--input: nofile: ", "fire EVENT --sample", ("fire", "PreToolUse", "--dialect", "crush", "--sample")),
    "an input that is cut": ((*EVENT, "cut.json"), "cut.json:2:37: error: ", 'the "{" of line 1, column 1 is closed', (*EVENT, "call.json")),
    "an input of Python": ((*EVENT, "python.json"), "python.json:1:2: error: ", "use \" instead of '", (*EVENT, "call.json")),
    "a system": (("schema", "crsh", "config"), "'crsh'", 'did you mean "crush"', ("schema", "crush", "config")),
    "an edition": (("schema", "crush@x", "config"), "'x'", "expected one of: documented, shipped", ("schema", "crush@shipped", "config")),
    "an option": ((*EVENT, "call.json", "--strit"), "--strit", "did you mean --strict", (*EVENT, "call.json", "--strict")),
    "a command": (("frie",), "frie", "did you mean fire", (*EVENT, "call.json")),
    "a word for a choice": ((*EVENT, "call.json", "--fs", "disk"), "--fs: invalid choice: 'disk'", "memory", (*EVENT, "call.json", "--fs", "memory")),
    "a time": ((*EVENT, "call.json", "--timeout", "soon"), "--timeout: invalid time 'soon'", "such as 2.5", (*EVENT, "call.json", "--timeout", "2.5")),
    "a kind of tool": ((*EVENT, "call.json", "--tool", "x=shel"), "--tool: 'x'", 'did you mean "shell"', (*EVENT, "call.json", "--tool", "x=shell")),
    "a mount": ((*EVENT, "call.json", "--mount", "a"), "--mount a: ", "expected HOST:PATH", (*EVENT, "call.json", "--mount", ".:/w")),
    "a file to check": (("check", "nofile"), "nofile: error: ", "hint: make sure that it exists", ("check", "crush.json")),
    "a config to fire": (("fire", "x", "--config", "nofile"), "nofile: error: ", "hint: make sure that it exists", (*EVENT, "call.json")),
    "a code": (("check", "crush.json", "--ignore", "crfl"), '--ignore: unknown code "crfl"', 'did you mean "crlf"', ("check", "crush.json", "--ignore", "crlf")),
    "nothing": (("fire",), "EVENT", "fire --help lists the options", (*EVENT, "call.json")),
}  # fmt: skip


def typed(words: tuple[str, ...]) -> int:
    try:
        return cli.main(words)
    except SystemExit as stop:
        return int(stop.code or 0)


@pytest.mark.parametrize("name", TYPED)
def test_a_wrong_type_is_reported_and_its_hint_fixes_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for file, text in {
        "crush.json": json.dumps(CONFIG),
        "call.json": json.dumps(CALL),
        "cut.json": '{"tool_name": "bash",\n "tool_input": {"command": "ls"}    ',
        "python.json": "{'tool_name': 'bash'}",
    }.items():
        Path(file).write_text(text)
    wrong, place, hint, right = TYPED[name]
    assert typed(wrong) == 1
    said = "".join(capsys.readouterr())
    assert place in said and hint in said, said
    assert typed(right) == 0, capsys.readouterr()
