"""The Docker Agent document's own examples, verbatim: YAML fragments as they are printed, shell and jq in-process.

The document is not part of the repository: where it lies beside it (``../shared/seeds``) its fragments are read and
run; elsewhere the twins in conformance/cases/docker_agent/seed_twins.toml stand for them.
"""

from __future__ import annotations

import json
import re
import shlex
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import HookEngine, MemoryFS, Shell, Verdict, cli

ROOT = Path(__file__).resolve().parents[2]
SEED = ROOT.parent / "shared" / "seeds" / "002_fb5795d813d587c5.txt"

pytestmark = [
    pytest.mark.skipif(not SEED.is_file(), reason="the seed document does not lie beside this repository"),
]

CONFIG, BLOCK, AUDIT, LIFECYCLE, RESPONSE, ERRORS = range(6)
WRAPPED = pytest.mark.parametrize("wrapped", [False, True], ids=["at the root", "under an agent"])
HOSTS = pytest.mark.parametrize(
    "host", [{}, {"spawn": False}, {"env": {"PATH": ""}}], ids=["host", "no processes", "empty PATH"]
)


@cache
def text() -> str:
    return SEED.read_text(encoding="utf-8")


@cache
def fragments() -> list[str]:
    """Take the YAML out of the text: a top-level key and all indented or blank lines below it."""
    return re.findall(r"^(?:agents|hooks):\n(?:[ ]+.*\n|\n)+", text(), re.MULTILINE)


@cache
def objects() -> list[str]:
    """Take the JSON samples out of the text."""
    return re.findall(r"^\{\n(?:[ ]+.*\n)+\}$", text(), re.MULTILINE)


def config(index: int, wrapped: bool) -> str:
    fragment = fragments()[index]
    if not wrapped:
        return fragment
    return "agents:\n  root:\n" + "".join(f"    {line}\n" if line else "\n" for line in fragment.splitlines())


def load(index: int, wrapped: bool = False, **more: Any) -> HookEngine:
    return HookEngine.load(text=config(index, wrapped), name="fragment.yaml", **more)


def call(engine: HookEngine, cwd: Path, command: str, tool: str = "shell") -> Verdict:
    return engine.fire("pre_tool_use", tool_name=tool, tool_input={"cmd": command}, session_id="s1", cwd=str(cwd))


def test_the_document_has_these_fragments() -> None:
    assert [fragment.split(":")[0] for fragment in fragments()] == ["agents", *["hooks"] * 5]
    assert len(objects()) == 3


def test_the_sample_config_loads_and_every_event_runs_its_script(tmp_path: Path) -> None:
    scripts = {
        "pre_tool_use": "validate", "post_tool_use": "log", "session_start": "setup", "session_end": "cleanup",
        "on_user_input": "notify", "stop": "log-response", "notification": "alert",
    }  # fmt: skip
    (tmp_path / "scripts").mkdir()
    for script in scripts.values():
        path = tmp_path / "scripts" / f"{script}.sh"
        path.write_text("cat > got.json\n", encoding="utf-8")
        path.chmod(0o755)
    (tmp_path / "agent.yaml").write_text(fragments()[CONFIG], encoding="utf-8")
    with HookEngine.load(str(tmp_path / "agent.yaml")) as engine:
        assert [spec.timeout for spec in engine.specs] == [30, 60, 60, 60, 60, 60, 60]
        for event, script in scripts.items():
            fields: dict[str, Any] = {"tool_name": "edit_file"} if "tool" in event else {}
            verdict = engine.fire(event, cwd=str(tmp_path), **fields)
            assert [hook.command for hook in verdict.hooks] == [f"./scripts/{script}.sh"]
            assert verdict.hooks[0].ended == "ok", verdict.notices
            assert json.loads((tmp_path / "got.json").read_text())["hook_event_name"] == event
        assert engine.fire("pre_tool_use", tool_name="edit_file_now").hooks == ()


def test_hooks_read_the_sample_input(tmp_path: Path) -> None:
    sample = json.loads(objects()[0])
    engine = HookEngine.load(
        text="hooks:\n  pre_tool_use:\n    - hooks:\n        - {type: command, command: cat > got}", name="x.yaml"
    )
    fields = {name: value for name, value in sample.items() if name not in ("cwd", "hook_event_name")}
    assert engine.fire("pre_tool_use", cwd=str(tmp_path), **fields).hooks[0].ended == "ok"
    got = json.loads((tmp_path / "got").read_text())
    assert list(got.items()) == list({**sample, "cwd": tmp_path.as_posix()}.items())


@pytest.mark.parametrize(
    ("index", "decision", "shown"), [(1, "none", "Warning shown to user"), (2, "deny", "Dangerous command blocked")]
)
def test_the_sample_answers(tmp_path: Path, index: int, decision: str, shown: str) -> None:
    (tmp_path / "out").write_text(objects()[index], encoding="utf-8")
    engine = HookEngine.load(
        text="hooks:\n  pre_tool_use:\n    - hooks:\n        - {type: command, command: cat out}", name="x.yaml"
    )
    verdict = call(engine, tmp_path, "ls")
    assert (verdict.decision, verdict.user_message) == (decision, shown)
    assert verdict.hooks[0].ended == "ok" and not verdict.notices


@WRAPPED
@HOSTS
def test_dangerous_commands_are_blocked(tmp_path: Path, wrapped: bool, host: dict[str, Any]) -> None:
    with load(BLOCK, wrapped, **host) as engine:
        assert engine.specs[0].timeout == 10
        for command in ("rm  -x -rf /tmp", "SUDO ls", "mkfs.ext4 /dev/sda"):
            verdict = call(engine, tmp_path, command)
            assert (verdict.decision, verdict.halt) == ("deny", False)
            assert verdict.reason == verdict.user_message == "Dangerous command blocked by policy"
            assert verdict.hooks[0].exit_code == 2
        for command in ("ls -l", "rm x"):
            verdict = call(engine, tmp_path, command)
            assert (verdict.decision, verdict.hooks[0].exit_code, verdict.notices) == ("none", 0, ())
        assert call(engine, tmp_path, "sudo ls", tool="shell2").hooks == ()
        assert engine.fire("before_tool", tool_name="Bash", tool_input={"cmd": "sudo x"}).decision == "deny"


def test_the_shipped_edition_blocks_with_an_empty_message(tmp_path: Path) -> None:
    with load(BLOCK, dialect="docker_agent@shipped") as engine:
        verdict = call(engine, tmp_path, "sudo ls")
        assert (verdict.decision, verdict.reason) == ("deny", "")


@WRAPPED
@HOSTS
def test_calls_are_audited(tmp_path: Path, wrapped: bool, host: dict[str, Any]) -> None:
    with load(AUDIT, wrapped, **host) as engine:
        for tool in ("shell", "mcp:github:create_issue"):
            call = {"tool_name": tool, "tool_input": {"cmd": "ls"}, "tool_response": "a"}
            verdict = engine.fire("post_tool_use", call, session_id="s1", cwd=str(tmp_path))
            assert (verdict.decision, verdict.context, verdict.notices) == ("none", "", ())
    lines = (tmp_path / "audit.log").read_text().splitlines()
    assert [re.sub(r"^[0-9-]{10}T[0-9:]{8}Z", "T", line) for line in lines] == [
        "T | s1 | shell",
        "T | s1 | mcp:github:create_issue",
    ]


@WRAPPED
@HOSTS
@pytest.mark.parametrize(
    ("index", "event", "fields", "log", "line"),
    [
        (LIFECYCLE, "session_start", {}, "agent-session.log", r"Session s1 started at .*20[0-9][0-9].*"),
        (LIFECYCLE, "session_end", {"reason": "logout"}, "agent-session.log", r"Session s1 ended \(logout\) at .+"),
        (RESPONSE, "stop", {"stop_response": "12345"}, "responses.log", r"\[.+\] Session s1 - Response: 6 chars"),
        (ERRORS, "notification", {"level": "error", "message": "m"}, "agent-notifications.log", r"\[.+\] \[error\] m"),
    ],
)
def test_logs(
    wrapped: bool, host: dict[str, Any], index: int, event: str, fields: dict[str, Any], log: str, line: str
) -> None:
    files = MemoryFS()  # they write to /tmp
    with load(index, wrapped, fs=files, cwd="/", **host) as engine:
        verdict = engine.fire(event, session_id="s1", **fields)
        assert (verdict.hooks[0].ended, verdict.decision, verdict.notices) == ("ok", "none", ())
    assert re.fullmatch(line + "\n", Shell(fs=files, spawn=False).run(f"cat /tmp/{log}").stdout.decode())


def test_command_line_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "agent.yaml").write_text(fragments()[AUDIT], encoding="utf-8")
    for script in ("audit", "validate", "log"):
        path = tmp_path / f"{script}.sh"
        path.write_text(f"echo {script} >> ran\n", encoding="utf-8")
        path.chmod(0o755)
    commands = re.findall(r"^docker agent run (agent\.yaml (?:.*\\\n)*.*)", text(), re.MULTILINE)
    assert len(commands) == 2
    ran = []
    for command in commands:
        name, *flags = shlex.split(command.replace("\\\n", " "))
        for event in ("pre_tool_use", "post_tool_use"):
            assert cli.main(["fire", event, "--config", name, *flags, "--json"]) == 0
        ran.append((tmp_path / "ran").read_text().split())
        (tmp_path / "ran").unlink()
    assert ran == [["audit"], ["validate", "log"]]
