"""Everruns' events in an engine: files of sessions, reports, isolation, hooks beside another system's."""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks.engine import HookEngine, RecordedExecutor
from pyshellhooks.fs import MemoryFS
from pyshellhooks.hooks.model import HookRun

BLOCK = """echo '{"decision":"block","reason":"no"}'"""


def hook(command: str = "true", event: str = "pre_tool_use", **fields: Any) -> dict[str, Any]:
    return {"event": event, "executor": {"type": "bash", "command": command}, **fields}


def load(*hooks: dict[str, Any], **options: Any) -> HookEngine:
    return HookEngine.load(list(hooks), "everruns", **{"env": {"PATH": ""}, **options})


def stderr(engine: HookEngine, event: str = "pre_tool_use", **fields: Any) -> str:
    found: str = engine.fire(event, **fields).hooks[-1].stderr
    return found


def test_reports_have_the_fields_of_the_contract() -> None:
    told: list[tuple[str, Mapping[str, Any]]] = []
    hooks = (
        hook("echo x", id="warned"),
        hook("echo x", id="quiet", on_error="allow"),
        hook(BLOCK, id="guard"),
    )
    engine = load(*hooks, observe=lambda name, data: told.append((name, data)))
    engine.fire("pre_tool_use", tool_name="bash", tool_call_id="c1", session_id="s1")
    invoked = [data for name, data in told if name == "hook.invoked"]
    assert [data["hook_id"] for data in invoked] == ["user:warned", "user:quiet", "user:guard"]
    common = {"event": "pre_tool_use", "session_id": "s1", "tool_call_id": "c1"}
    assert all(common.items() <= data.items() and data["matched"] is True for data in invoked)
    completed = [data for name, data in told if name == "hook.completed"]
    assert [(data["hook_id"], data["decision"], data["stdout_bytes"], data["exit_code"]) for data in completed] == [
        ("user:warned", "none", 2, 0),
        ("user:quiet", "none", 2, 0),
        ("user:guard", "deny", 35, 0),
    ]
    assert all(0 <= data["duration_ms"] < 5000 for data in completed)
    warnings = [(data["hook_id"], data["message"]) for name, data in told if name == "hook.warning"]
    goes_on = "Everruns runs the call unless another hook denies it"
    assert warnings == [("user:warned", f"stdout is neither empty nor a JSON object: x; {goes_on}")]  # allow is silent
    (blocked,) = [data for name, data in told if name == "hook.blocked"]
    assert (blocked["hook_id"], blocked["reason"], blocked["user_message"]) == ("user:guard", "no", "")


def test_a_quiet_failure_is_in_the_verdict() -> None:
    verdict = load(hook("echo x", on_error="allow")).fire("pre_tool_use", tool_name="bash", tool_input={})
    assert (verdict.hooks[0].ended, len(verdict.notices)) == ("bad_output", 1)


def test_a_session_keeps_its_files_between_calls_and_engines_do_not_share_them() -> None:
    engine = load(hook("cat .x 2>/dev/null; echo $EVERRUNS_HOOK_SESSION_ID >> .x; echo {}", id="a"), hook("cat .x >&2"))
    assert stderr(engine, session_id="s1") == "s1\n"
    assert stderr(engine, session_id="s1").count("s1") == 1 + 1
    session = engine.session("s1")
    assert session.files.exists("/workspace/.x") and not engine.session("s2").files.exists("/workspace/.x")


def test_sessions_in_many_threads() -> None:
    engine = load(hook("cat $EVERRUNS_HOOK_PAYLOAD_PATH | jq -r .data.tool_call_id >&2"))
    wrong: list[str] = []

    def work(number: int) -> None:
        for turn in range(10):
            verdict = engine.fire("pre_tool_use", session_id="s", tool_call_id=f"{number}-{turn}")
            if verdict.hooks[0].stderr != f"{number}-{turn}\n":
                wrong.append(verdict.hooks[0].stderr + str(verdict.notices))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    left = engine.session("s").files
    assert not left.exists("/workspace/.hooks") or not list(left.scandir("/workspace/.hooks"))


def test_the_hosts_own_file_system_provides_the_workspace() -> None:
    fs = MemoryFS({"/workspace/scripts/guard.sh": "exit 1\n", "/other": "x"})
    engine = load(hook("scripts/guard.sh"), hook("ls /other"), fs=fs)
    assert engine.fire("pre_tool_use", session_id="s").decision == "deny"
    assert load(hook("pwd >&2"), fs=MemoryFS()).fire("pre_tool_use").hooks[0].stderr == "/workspace\n"


def test_beside_another_system_each_has_its_own_files(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("host")
    crush = {"hooks": {"PreToolUse": [{"command": "cat f >&2"}]}}
    everruns = {"hooks": [hook("cat f >&2 || ls -A >&2")]}
    engine = HookEngine.load([crush, everruns], cwd=str(tmp_path), spawn=False)
    rows = {row.id.partition(":")[0]: row.stderr for row in engine.fire("before_tool", tool_name="bash").hooks}
    assert rows["given"] == "host" and "No such file" in rows["user"] and "host" not in rows["user"]
    mounted = HookEngine.load([crush, everruns], cwd=str(tmp_path), spawn=False, mounts={"/workspace": str(tmp_path)})
    assert [row.stderr for row in mounted.fire("before_tool", tool_name="bash").hooks] == ["host", "host"]


def test_isolation_does_not_disarm_the_hooks() -> None:
    with load(hook("exit 1"), isolation="process") as engine:
        assert engine.fire("pre_tool_use").decision == "deny"


def test_no_process_is_ever_started_for_a_program() -> None:
    started: list[str] = []

    def audit(event: str, args: Any) -> None:
        if event in ("subprocess.Popen", "os.posix_spawn", "os.fork") and started is not None:
            started.append(event)

    sys.addaudithook(audit)
    verdict = load(hook("python3 -c 1; /bin/sh -c 1; git status; ./x; exit 0"), env=None).fire("pre_tool_use")
    assert verdict.hooks[0].exit_code == 0 and verdict.hooks[0].stderr.count("not found") >= 2
    assert not started


def test_arguments_too_deep_to_look_into_run_the_guard() -> None:
    matcher = {"tool_name": "bash", "args_jsonpath": "$.commands", "match_regex": "^never$"}
    engine = load(hook(BLOCK, matcher=matcher))
    deep = '{"commands": "ls", "x": ' + "[" * 100_000 + "]" * 100_000 + "}"
    assert engine.fire("pre_tool_use", tool_name="bash", arguments=deep).decision == "deny"
    assert engine.fire("pre_tool_use", tool_name="bash", arguments='{"commands": "ls"}').hooks == ()


def test_every_hook_of_a_chain_has_its_own_payload() -> None:
    executor = RecordedExecutor(
        {"one": HookRun(stdout=b'{"decision":"mutate","patch":{"arguments":{"a":2}}}')},
    )
    engine = load(hook("one", id="a"), hook("two", id="b"), executor=executor)
    engine.fire("pre_tool_use", arguments={"a": 1}, turn_id="t")
    first, second = executor.jobs
    for job, id, value in ((first, "user:a", 1), (second, "user:b", 2)):
        text = job.env["EVERRUNS_HOOK_PAYLOAD_JSON"]
        assert f'"hook_id":"{id}"' in text and f'"arguments":{{"a":{value}}}' in text
        assert job.files == {job.env["EVERRUNS_HOOK_PAYLOAD_PATH"]: text.encode()}
        assert (job.stdin, job.cwd, job.timeout, job.env["EVERRUNS_HOOK_TURN_ID"]) == (b"", "/workspace", 5.0, "t")
    assert list(first.files or {}) != list(second.files or {})


def test_the_end_of_a_session_runs_under_a_cancelled_scope() -> None:
    from pyshellhooks.cancel import CancelScope

    scope = CancelScope()
    scope.cancel("cancelled")
    engine = load(hook("echo ended >&2", "session_end"), hook("echo begun >&2", "session_start"))
    assert engine.fire("session_end", scope=scope).hooks[0].stderr == "ended\n"
    assert engine.fire("session_start", scope=scope).hooks[0].ended == "cancelled"


def test_a_null_result_is_sent_as_its_text() -> None:
    run = HookRun(stdout=b'{"decision":"mutate","patch":{"result":null}}')
    engine = load(hook("x", "post_tool_use"), executor=RecordedExecutor({"x": run}))
    verdict = engine.fire("post_tool_use", result={"a": 1})
    assert (verdict.updated_output_text, verdict.updated_output) == ("null", None)
    assert engine.fire("post_tool_use", result=None).updated_output_text is None


def test_hooks_that_the_host_adds_run_behind_the_others() -> None:
    engine = load(hook("true"), hooks=[("before_tool", BLOCK), ("before_tool", BLOCK)])
    verdict = engine.fire("pre_tool_use")
    assert verdict.decision == "deny" and len(verdict.hooks) == 2


@pytest.mark.parametrize("event", ["session_start", "pre_tool_use", "post_tool_use", "session_end"])
def test_equal_hooks_each_run_whatever_their_file(event: str) -> None:
    """everruns 6: one after the other, without dedup."""
    executor = RecordedExecutor()
    added = [(event, "x"), (event, "y"), (event, "x"), (event, "y")]
    engine = load(hook("x", event, id="a"), hook("x", event, id="b"), hooks=added, executor=executor)
    verdict = engine.fire(event)
    assert [result.command for result in verdict.hooks] == ["x", "x", "x", "y", "x", "y"]
    assert len({result.id for result in verdict.hooks}) == len(executor.jobs) == 6


def test_an_internal_error_without_a_decision_has_a_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    from pyshellhooks.dialects.everruns import parse_output

    def broken(*args: object) -> None:
        raise ValueError("oops")

    monkeypatch.setattr(parse_output, "_answer", broken)
    verdict = load(hook("true", on_error="block")).fire("pre_tool_use")
    assert verdict.decision == "deny" and "internal error" in verdict.reason


@pytest.mark.parametrize(
    ("given", "seen"),
    [
        (r"a\ud800b", "a\ufffdb"),
        (r"a\uDC00b", "a\ufffdb"),
        (r"\ud83d\ude00", "\U0001f600"),
        (r"\ud800\ud83d\ude00", "\ufffd\U0001f600"),
        (r"\\ud800", r"\ud800"),
        ("x\ud800y", "x\ufffdy"),
        (r"\u0041", "A"),
    ],
)
def test_a_lone_surrogate_does_not_blind_a_guard(given: str, seen: str) -> None:
    engine = load(hook('printf %s "$EVERRUNS_HOOK_PAYLOAD_JSON" | jq -r .data.arguments.a >&2'))
    assert stderr(engine, arguments='{"a": "' + given + '"}') == seen + "\n"
