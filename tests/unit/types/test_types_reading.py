"""What a typed hook makes of what it is given: newer agents, rubbish, and its own mistakes."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from typed import EVENTS, Process, model, module, payload, sent

from pyshellhooks import dialects
from pyshellhooks.hooks.dialect import Field
from pyshellhooks.hooks.model import Decision
from pyshellhooks.hooks.render import HookOutput
from pyshellhooks.types import ending
from pyshellhooks.types.ending import Crash
from tests.contract.said_again import Bench
from tests.generators.types import SYSTEMS
from tests.generators.types_said import calls

CALL: dict[str, Any] = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}}
RUBBISH = {
    "nothing": b"",
    "no JSON": b"rm -rf /",
    "half an object": b'{"hook_event_name": "PreToolUse", "tool_na',
    "an array": b"[]",
    "no object": b"5",
    "no event": b"{}",
    "an event of nobody": b'{"hook_event_name": "Nope", "event": "Nope"}',
    "an event that is no text": b'{"hook_event_name": 5, "event": 5}',
    "bytes": b"\xff\xfe\x00",
    "very deep": b'{"hook_event_name": ' + b"[" * 3_000,
    "a deep object": b'{"hook_event_name":"PreToolUse","event":"PreToolUse","x":'
    + b"[" * 99_999
    + b"]" * 99_999
    + b"}",
}


#: Where an older program only writes down that a hook failed (claude_code 6; its quirk worktree_remove_is_logged).
LOGGED = {("claude_code@v2.1.208", "WorktreeRemove")}
#: Where a deny has no place for its reason: the server is told "decline" (claude_code 6).
NO_REASON = {"Elicitation", "ElicitationResult"}


@pytest.mark.slow
@pytest.mark.one_in(3, slow=3)
@pytest.mark.parametrize("system", SYSTEMS)
def test_rubbish_is_a_deny_where_something_is_guarded(system: str, process: Process) -> None:
    """In every edition of the system; elsewhere the hook fails with 1 and a text, and decides nothing."""
    dialect = dialects.get(system)
    benches = [Bench(f"{system}@{edition}") for edition in dialect.editions]
    for row, (what, data) in product(dialect.events.values(), RUBBISH.items()):
        data = data.replace(b'"PreToolUse"', json.dumps(row.native).encode())
        if what == "a deep object" and not [field for field in row.fields if field.needed]:
            continue  # too deep for anybody to look into: nobody has to
        process.set_stdin(data)
        with pytest.raises(SystemExit) as stop:
            model(system, row.native).read()
        ended = process.ended(stop)
        assert "can't read its payload" in ended.stderr
        if not row.deniable:
            assert (ended.exit_code, ended.stdout) == (1, ""), (row.native, what)
            continue
        for bench in benches:
            if (bench.dialect.full_name, row.native) in LOGGED:
                continue
            read = bench.read(row.native, ended, bench.fields(row))
            assert read.decision is Decision.DENY or read.halt, (bench.dialect.full_name, row.native, what, ended)
            assert row.native in NO_REASON or "can't read its payload" in read.reason + read.user_message


@pytest.mark.parametrize(("system", "native"), EVENTS)
def test_deciding_fields_must_be_present_and_of_their_type(system: str, native: str, process: Process) -> None:
    dialect = dialects.get(system)
    row = dialect.events[native]
    whole = json.loads(payload(dialect, row, next(calls(dialect, row))))
    kind = model(system, native)
    for field in row.fields:
        if not kind.model_fields[field.native].is_required():
            continue
        for wrong in (None, 5, "[", ...):
            if accepts(field, wrong):
                continue
            given = json.loads(json.dumps(whole))
            place = given[dialect.data_key] if dialect.data_key else given
            place[field.native] = wrong
            if wrong is ...:
                del place[field.native]
            process.set_stdin(sent(given))
            with pytest.raises(SystemExit) as stop:
                kind.read()
            ended = process.ended(stop)
            assert field.native in ended.stdout + ended.stderr, ended


def accepts(field: Field, value: object) -> bool:
    """Say whether a field may hold a value as it is."""
    if value is ...:
        return False
    if field.neutral != "tool_input" and field.kind in ("any", "array"):
        return field.kind == "any"
    return isinstance(value, str) and field.kind.startswith("string")


@pytest.mark.parametrize(("system", "native"), EVENTS)
def test_a_newer_agent_sends_more(system: str, native: str, process: Process) -> None:
    """Unknown fields, unknown values of known ones, and nulls where no guard decides raise nothing."""
    dialect = dialects.get(system)
    row = dialect.events[native]
    whole = json.loads(payload(dialect, row, next(calls(dialect, row))))
    kind = model(system, native)
    place = whole[dialect.data_key] if dialect.data_key else whole
    whole["brand_new"] = {"a": [1]}
    for field in row.fields:
        if field.values or field.known:
            place[field.native] = "brand new"
        elif not kind.model_fields[field.native].is_required() and field.native != dialect.event_key:
            place[field.native] = None
    process.set_stdin(sent(whole))
    event = kind.read()
    assert event.brand_new == {"a": [1]}  # type: ignore[attr-defined]
    for field in row.fields:
        if field.values or field.known:
            assert getattr(event, field.native) == "brand new"


def test_texts_of_any_kind_arrive(process: Process) -> None:
    text = "\\ud800 \\u0000 é".encode()
    process.set_stdin(
        b'\xef\xbb\xbf{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"' + text + b'\xff"}}'
    )
    event = module("claude_code").PreToolUse.read()
    assert event.tool_input == {"command": "\ufffd \0 é\ufffd"}


def test_bytes_before_the_object(process: Process) -> None:
    """Cursor on Windows has sent some (cursor 4)."""
    process.set_stdin(b'n++{"hook_event_name":"beforeShellExecution","command":"ls"}')
    assert module("cursor").BeforeShellExecution.read().command == "ls"


def test_arguments_in_text_form(process: Process) -> None:
    told = {"hook_event_name": "beforeMCPExecution", "tool_name": "search", "tool_input": '{"query": "x"}'}
    process.set_stdin(sent(told))
    assert module("firebender").BeforeMCPExecution.read().tool_input == {"query": "x"}
    process.set_stdin(sent({**told, "tool_input": "*** a patch"}))
    with pytest.raises(SystemExit) as stop:
        module("firebender").BeforeMCPExecution.read()
    assert '"permission":"deny"' in process.ended(stop).stdout


def test_another_event_than_the_hook_reads(process: Process) -> None:
    """It is answered as that event: a stop has nothing to deny."""
    process.set_stdin(sent({**CALL, "hook_event_name": "UserPromptSubmit", "prompt": "x"}))
    with pytest.raises(SystemExit) as stop:
        module("claude_code").PreToolUse.read()
    assert json.loads(process.ended(stop).stdout)["decision"] == "block"
    process.set_stdin(sent({"hook_event_name": "SessionEnd", "reason": "other"}))
    with pytest.raises(SystemExit) as stop:
        module("claude_code").PreToolUse.read()
    ended = process.ended(stop)
    assert ended.exit_code == 1 and "the event is SessionEnd, but the hook reads PreToolUse" in ended.stderr


def test_any_event(process: Process) -> None:
    found = module("claude_code")
    process.set_stdin(sent(CALL))
    assert isinstance(found.read(), found.PreToolUse)
    process.set_stdin(b'{"hook_event_name": "Brand"}')
    with pytest.raises(SystemExit) as stop:
        found.read()
    ended = process.ended(stop)
    assert ended.exit_code == 2 and ended.stdout == "" and 'no event "Brand"' in ended.stderr


def test_everruns_puts_it_into_a_variable_and_a_file(
    process: Process, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialect = dialects.get("everruns")
    row = dialect.events["pre_tool_use"]
    data = payload(dialect, row, next(calls(dialect, row)))
    file = tmp_path / "payload.json"
    file.write_bytes(data)
    kind = module("everruns").PreToolUse
    for name, value in zip(dialect.payload_variables, (data.decode(), str(file)), strict=True):
        process.set_stdin(b"")
        monkeypatch.setenv(name, value)
        event = kind.read()
        assert event.tool_name == "bash" and event.tool_input == event.arguments and event.hook_id
    process.set_stdin(b"")
    monkeypatch.setenv(dialect.payload_variables[1], str(tmp_path / "none"))
    with pytest.raises(SystemExit) as stop:
        kind.read()
    assert json.loads(process.ended(stop).stdout)["decision"] == "block"


def test_an_uncaught_exception_is_a_deny(process: Process) -> None:

    process.set_stdin(sent(CALL))
    event = module("claude_code").PreToolUse.read()
    hook = sys.excepthook
    assert isinstance(hook, Crash)
    try:
        event.tool_input["nope"]
    except KeyError as error:
        with pytest.raises(SystemExit) as stop:
            hook(KeyError, error, error.__traceback__)
    ended = process.ended(stop)
    inner = json.loads(ended.stdout)["hookSpecificOutput"]
    assert inner["permissionDecision"] == "deny" and ended.exit_code == 0
    assert inner["permissionDecisionReason"].startswith(
        "the hook failed: KeyError: 'nope' (test_types_reading.py, line "
    )


HOOKS = {
    'print("debug"); event.deny("no")': ('"no"', "debug", 0),
    'print(\'{"decision": "deny"}\')': ('{"decision": "deny"}', "", 0),
    'print(1, flush=True); sys.stdout.buffer.write(b"2\\n")': ("1\n2", "", 0),
    'print("a"); subprocess.run([sys.executable, "-c", ""], stdout=sys.stdout); print("b"); event.answer(context="c")': (
        '{"context":"c"}',
        "b",
        0,
    ),
    "try: event.deny('no')\nexcept SystemExit: pass\nprint('late')": ('{"decision":"deny","reason":"no"}', "late", 0),
    "try: event.deny('no')\nexcept SystemExit: event.allow()": (
        '{"decision":"deny","reason":"no"}',
        "answered already",
        2,
    ),
    "print('x'); raise KeyError('k')": ("KeyError: 'k' (hook.py, line 4)\"}", "x", 0),
    "sys.exit(3)": ("", "", 3),
    "event.ask()": ("AttributeError", "AttributeError", 0),
}


@pytest.mark.one_in(9)
@pytest.mark.parametrize("text", HOOKS)
def test_other_prints_of_a_hook_do_not_spoil_its_answer(text: str, tmp_path: Path) -> None:
    """In a process of its own, with what happens where Python ends."""
    script = tmp_path / "hook.py"
    head = "import subprocess, sys\nfrom pyshellhooks.types.crush import PreToolUse\nevent = PreToolUse.read()\n"
    script.write_text(head + text + "\n", encoding="utf-8")
    data = b'{"event": "PreToolUse", "tool_name": "bash", "tool_input": {}}'
    done = subprocess.run([sys.executable, str(script)], input=data, capture_output=True, check=False)
    out, error, status = HOOKS[text]
    assert done.returncode == status, done
    assert out in done.stdout.decode().replace("\r", "") and error in done.stderr.decode()
    assert b"Traceback" not in done.stderr
    if "event." in text:
        json.loads(done.stdout.decode().removeprefix("a\n"))


@pytest.fixture
def at_the_end(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], object]]:
    """Return what Python would call where this process ends; and begin a process that has not answered."""
    calls: list[Callable[[], object]] = []
    monkeypatch.setattr(ending.atexit, "register", calls.append)
    monkeypatch.setattr(ending, "_ended", [])
    return calls


@pytest.mark.parametrize("text", ["debug\n", '{"decision": "deny"}', "a\nb", "ü", ""])
def test_prints_of_a_hook_without_an_answer_are_its_answer(
    text: str, at_the_end: list[Callable[[], object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    out, error = io.StringIO(), io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", error)
    ending.Held.begin()
    ending.Held.begin()  # a second event that is read
    print(text, end="")
    assert out.getvalue() == ""
    for call in at_the_end:
        call()
    assert (out.getvalue(), error.getvalue()) == (text, "")


def test_prints_of_a_hook_beside_its_answer_go_to_standard_error(
    at_the_end: list[Callable[[], object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    out, error = io.StringIO(), io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", error)
    ending.Held.begin()
    print("before")
    with pytest.raises(SystemExit):
        ending.end(HookOutput("{}", 0, ""))
    print("behind")
    for call in at_the_end:
        call()
    assert (out.getvalue(), error.getvalue()) == ("{}\n", "before\nbehind\n")


def test_an_internal_error_blocks_too(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    process.set_stdin(sent(CALL))
    module("claude_code").PreToolUse.read()
    hook = sys.excepthook
    monkeypatch.setattr(type(dialects.get("claude_code")), "render", None)
    with pytest.raises(SystemExit) as stop:
        hook(ValueError, ValueError("x"), None)
    assert process.ended(stop) == ("", 2, "the hook failed: ValueError: x\n", ())


def test_a_closed_output_is_the_status_that_blocks(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:

    process.set_stdin(sent(CALL))
    event = module("claude_code").PreToolUse.read()
    with monkeypatch.context() as patch, pytest.raises(SystemExit) as stop:
        patch.setattr(sys, "stdout", None)
        event.deny("no")
    assert stop.value.code == 2


def test_a_terminal_is_no_event(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:

    process.set_stdin(b"")
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    with pytest.raises(SystemExit) as stop:
        module("crush").PreToolUse.read()
    assert "stdin is a terminal" in process.ended(stop).stdout
