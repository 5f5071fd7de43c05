"""A session as a tool of a model: its definition, its calls, and their order."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import Call, CancelScope, Limits, Result, Session, Shell, ShellTool, utility
from tests.clock import patient


@utility("ask-me", summary="Answer a question.", flags=None)
def ask_me(call: Call) -> str:
    return "yes\n"


@utility("stuck", summary="Come back only when the test says so.", flags=None)
def stuck(call: Call) -> None:
    HELD.wait(patient(30))


HELD = threading.Event()


@pytest.fixture
def tool() -> ShellTool:
    HELD.clear()
    shell = Shell.sandbox({"/data/x": "1\n"}, utilities=[ask_me, stuck], limits=Limits(grace=0.2, slack=0.2))
    return ShellTool(shell, timeout=patient(20), most=300)


# The arguments of a call, and what the model is told.
CALLS: list[tuple[Any, str, bool]] = [
    ({"command": "echo hi"}, "hi\n", False),
    ('{"command": "ask-me; exit 3"}', "yes\n[exit status 3]\n", False),
    ({"command": "cat /gone"}, "[stderr]\ncat: /gone: No such file or directory\n[exit status 1]\n", False),
    ({"command": "echo )"}, "[stderr]\nbash: line 1: syntax error near unexpected token `)'\nbash: line 1: `echo )'\n[exit status 2]\n", False),
    ({"command": "sleep 100", "timeout": 0.1}, "[stopped by the timeout]\n", True),
    ({"command": "kill -9 $$"}, "[ended by signal 9]\n", True),
    ({}, "Invalid call: command must be a string, not null\n", True),
    ({"command": ["ls"]}, 'Invalid call: command must be a string, not ["ls"]\n', True),
    ({"cmd": "ls"}, "Invalid call: unknown argument 'cmd' (expected command, timeout or restart)\n", True),
    ({"command": "ls", "timeout": 10**9}, None, True),
    ({"command": "ls", "timeout": 0}, None, True),
    ({"command": "ls", "timeout": True}, None, True),
    ({"command": "ls", "timeout": float("nan")}, None, True),
    ({"command": "ls", "restart": "yes"}, "Invalid call: restart must be true or false\n", True),
    ("{", None, True),
    ("[" * 200_000, "Invalid call: the arguments are nested too deeply\n", True),
    ("5", "Invalid call: the arguments are not an object\n", True),
    (None, "Invalid call: the arguments are not an object\n", True),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "text", "is_error"), CALLS, ids=[repr(row[0])[:40] for row in CALLS])
def test_calls(tool: ShellTool, arguments: Any, text: str | None, is_error: bool) -> None:
    answer = tool.call(arguments)
    assert answer.is_error is is_error
    assert answer.text.startswith("Invalid call: ") if text is None else answer.text == text
    assert asyncio.run(tool.acall(arguments)) == answer
    assert tool.call({"command": "echo on"}) == ("on\n", False)


@pytest.mark.parametrize(
    ("asked", "seconds"),
    [({}, 1000), ({"timeout": None}, 1000), ({"timeout": 0.5}, 0.5), ({"timeout": 5}, 5), ({"timeout": 1000}, 1000)],
)
def test_a_call_has_the_requested_time(asked: dict[str, Any], seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """A longer one than that ends a script just as well, only later."""
    given: list[object] = []
    run = Session.run

    def watched(session: Session, script: str, **options: Any) -> Result:
        given.append(options["timeout"])
        return run(session, script, **options)

    monkeypatch.setattr(Session, "run", watched)
    tool = ShellTool(Shell.sandbox(), timeout=1000)
    assert tool.call({"command": "echo on", **asked}) == ("on\n", False)
    assert asyncio.run(tool.acall({"command": "echo on", **asked})) == ("on\n", False)
    assert given == [seconds, seconds]


def test_state_lasts_until_a_restart(tool: ShellTool) -> None:
    tool.call({"command": "x=1; cd /data; echo f > /tmp/f"})
    assert tool.call({"command": "echo $x $PWD"}).text == "1 /data\n"
    assert tool.call({"command": "echo [$x] $PWD; cat /tmp/f", "restart": True}).text == "[] /home/user\nf\n"


def test_long_output_is_cut(tool: ShellTool) -> None:
    text = tool.call({"command": "seq 10000; exit 3"}).text
    assert text.startswith("1\n2\n") and " characters left out ...]\n" in text
    assert text.endswith("\n10000\n[exit status 3]\n") and len(text) < 330
    assert tool.call({"command": "x=$(seq 10000); echo ${#x}"}).text == "48893\n"


def test_the_definitions() -> None:
    tool = ShellTool(Shell.sandbox(utilities=[ask_me]), name="shell", timeout=5)
    schema = tool.input_schema
    assert schema["required"] == ["command"] and schema["properties"]["timeout"]["maximum"] == 5
    assert tool.definition() == {"name": "shell", "description": tool.description, "input_schema": schema}
    assert tool.mcp() == {"name": "shell", "description": tool.description, "inputSchema": schema}
    function = {"name": "shell", "description": tool.description, "parameters": schema}
    assert tool.openai() == {"type": "function", "function": function}
    assert tool.openai(responses=True) == {"type": "function", **function}
    assert json.loads(json.dumps(tool.openai())) == tool.openai()


def test_the_schema_describes_the_arguments_of_the_tool(tool: ShellTool) -> None:
    """Hold against jsonschema where it is installed: what the schema refuses, the tool refuses."""
    jsonschema = pytest.importorskip("jsonschema")
    checker = jsonschema.Draft202012Validator(tool.input_schema)
    checker.check_schema(tool.input_schema)
    for arguments, text, is_error in CALLS:
        if isinstance(arguments, dict) and arguments.get("timeout") == arguments.get("timeout"):
            wrong = is_error and (text is None or text.startswith("Invalid call"))
            assert checker.is_valid(arguments) is not wrong, arguments


def test_the_text_for_the_system_prompt_lists_the_commands(tmp_path: Path) -> None:
    shell = Shell.sandbox(
        overlay={"/o": tmp_path}, read_only={"/r": tmp_path}, read_write={"/w": tmp_path}, utilities=[ask_me], cwd="/o"
    )
    text = ShellTool(shell).instructions
    for line in (
        "- /o: real files; only you see your changes",
        "- /r: real files, read-only",
        "- /w: real files, which you can change",
        "The working directory is /o now.",
        "ask-me: Answer a question. (`ask-me --help`)",
    ):
        assert line in text.split("\n")
    named = text.partition("builtins: ")[2].partition("\n")[0].split()
    assert {"jq", "grep", "awk"} <= set(named)
    for name in named:
        assert shell.run('type "$1"', name).ok, name
    assert "no network" in text and "no network" not in ShellTool(Shell()).instructions


def test_concurrent_calls_run_in_their_order(tool: ShellTool) -> None:
    async def main() -> list[str]:
        scripts = [f"sleep 0.0{9 - number}; echo {number} $n; n={number}" for number in range(8)]
        return [answer.text for answer in await asyncio.gather(*(tool.acall({"command": one}) for one in scripts))]

    assert asyncio.run(main()) == ["0\n"] + [f"{number} {number - 1}\n" for number in range(1, 8)]


def test_calls_of_threads_wait_for_each_other(tool: ShellTool) -> None:
    found: list[str] = []
    work = [
        threading.Thread(target=lambda: found.append(tool.call({"command": "n=$((n+1)); echo $n"}).text))
        for _ in range(8)
    ]
    for one in work:
        one.start()
    for one in work:
        one.join()
    assert sorted(found) == [f"{number}\n" for number in range(1, 9)]


def test_a_cancelled_call_leaves_the_queue(tool: ShellTool) -> None:
    async def main() -> None:
        running = asyncio.create_task(tool.acall({"command": "kept=1; sleep 100"}))
        waiting = asyncio.create_task(tool.acall({"command": "echo never > /tmp/never"}))
        last = asyncio.create_task(tool.acall({"command": "echo $kept; ls /tmp"}))
        await asyncio.sleep(0.2)
        for task in (waiting, running):
            task.cancel()
            await asyncio.sleep(0)
            task.cancel()  # as anyio does it
            with pytest.raises(asyncio.CancelledError):
                await task
        assert await last == ("1\n", False)

    asyncio.run(main())


def test_a_scope_cancels_a_call(tool: ShellTool) -> None:
    with CancelScope() as scope:
        threading.Timer(0.1, scope.cancel).start()
        assert tool.call({"command": "sleep 100"}, scope=scope) == ("[stopped by a cancel]\n", True)
    with CancelScope() as scope:
        scope.cancel()
        assert tool.call({"command": "sleep 100"}, scope=scope).is_error


def test_a_call_that_does_not_return_delays_the_others_for_a_bounded_time(tool: ShellTool) -> None:
    async def main() -> None:
        first = asyncio.create_task(tool.acall({"command": "stuck; echo late > /tmp/late", "timeout": 0.1}))
        second = asyncio.create_task(tool.acall({"command": "echo on"}))
        third = asyncio.create_task(tool.acall({"command": "echo fresh", "restart": True}))
        text, is_error = await second
        assert is_error and text.endswith("To continue with a fresh shell, call bash with restart: true.\n")
        assert await third == ("fresh\n", False)
        HELD.set()
        assert (await first).is_error
        assert (await tool.acall({"command": "ls /tmp"})).text == "[no output]\n"

    asyncio.run(main())


WRONG: dict[str, tuple[Any, dict[str, Any], type[Exception], str]] = {
    "no session": ("bash", {}, TypeError, "session must be a Session"),
    "no time": (Shell.sandbox(), {"timeout": 0}, ValueError, "above 0"),
    "no name": (Shell.sandbox(), {"name": ""}, ValueError, "letters, digits"),
    "a name with a blank": (Shell.sandbox(), {"name": "my shell"}, ValueError, "letters, digits"),
    "endless": (Shell.sandbox(), {"timeout": float("inf")}, ValueError, "above 0"),
    "too little": (Shell.sandbox(), {"most": 100}, ValueError, "at least 200 characters"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_options(case: str) -> None:
    session, options, kind, message = WRONG[case]
    with pytest.raises(kind, match=message):
        ShellTool(session, **options)


def test_langchain(tool: ShellTool) -> None:
    pytest.importorskip("langchain_core")
    made = tool.langchain()
    assert made.name == "bash" and made.tool_call_schema["required"] == ["command"]
    assert made.invoke({"command": "x=1; echo hi"}) == "hi\n"
    assert asyncio.run(made.ainvoke({"command": "echo $x"})) == "1\n"
    for arguments, status in (({"command": "echo on"}, "success"), ({"command": 5}, "error"), ({"no": 1}, "error")):
        message = made.invoke({"type": "tool_call", "id": "1", "name": "bash", "args": arguments})
        assert message.status == status, message


def test_langchain_that_is_missing_is_named(tool: ShellTool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "langchain_core.tools", None)
    with pytest.raises(ImportError, match=r"pip install 'pyshellhooks\[langchain\]'"):
        tool.langchain()
