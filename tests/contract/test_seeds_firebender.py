"""The seed document's own examples, verbatim, on their promised verdicts.

The document is not part of the repository: where it lies beside it (``../shared/seeds``) its blocks are read and run;
elsewhere the twins in conformance/cases/firebender/seed_twins.toml stand for them. Where it writes alternatives
(``"allow" | "deny"``), each of them is tried.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import HookEngine, Verdict

ROOT = Path(__file__).resolve().parents[2]
SEED = ROOT.parent / "shared" / "seeds" / "000_ea918fc94b5ad21b.txt"

pytestmark = [
    pytest.mark.skipif(not SEED.is_file(), reason="the seed document does not lie beside this repository"),
]

QUICK_START, NETWORK, WHOLE, MATCHERS = range(4)  # the configurations, in the order of the document
EVENTS = (
    "preToolUse", "postToolUse", "beforeShellExecution", "afterShellExecution", "beforeMCPExecution",
    "afterMCPExecution", "beforeReadFile", "afterFileEdit", "preCompact", "stop",
)  # fmt: skip
GUARDS = ("preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile")
_ALTERNATIVE = re.compile(r'("[a-z]+"|true)(?: \| (?:"[a-z]+"|false))+')


@cache
def text() -> str:
    return SEED.read_text(encoding="utf-8")


@cache
def configs() -> list[str]:
    """Take out the configurations: JSON objects at the start of a line that have hooks."""
    found = []
    for match in re.finditer(r"^\{$", text(), re.MULTILINE):
        try:
            value, end = json.JSONDecoder().raw_decode(text(), match.start())
        except ValueError:
            continue  # a payload or an answer with alternatives in it
        if "hooks" in value:
            found.append(text()[match.start() : end])
    return found


@cache
def section(event: str) -> str:
    """Return the text from an event's heading to the next."""
    names = "|".join(EVENTS)
    headings = list(re.finditer(rf"^((?:{names})(?: / (?:{names}))?)$", text(), re.MULTILINE))
    for match, after in zip(headings, [*headings[1:], None], strict=True):
        if event in match[1].split(" / "):
            return text()[match.end() : after.start() if after else text().index("Environment Variables")]
    raise AssertionError(event)


def blocks(event: str, label: str) -> list[str]:
    """Return the JSON behind a ``// label`` line."""
    found = re.findall(rf"^// {re.escape(label)}\n(\{{(?:.*\}}$|\n.*?^\}}))", section(event), re.MULTILINE | re.DOTALL)
    return [re.split(r"\n//", block)[0] for block in found]


def first_of(block: str) -> dict[str, Any]:
    """Read a block with the first of its alternatives."""
    value: dict[str, Any] = json.loads(_ALTERNATIVE.sub(r"\1", block))
    return value


def sample(event: str) -> dict[str, Any]:
    """Return an event's input as the document shows it."""
    found = blocks(event, "Input") or blocks(event, f"{event} input")
    value = first_of(found[0])
    return {**value, **first_of(blocks(event, "Plus either:")[0])} if event == "beforeMCPExecution" else value


def script(path: Path, body: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(body, encoding="utf-8", newline="\n")
    path.chmod(0o755)


def load(file: Path, config: str, home: Path, project: Path, **options: Any) -> HookEngine:
    file.parent.mkdir(parents=True, exist_ok=True)
    project.mkdir(exist_ok=True)
    file.write_text(config, encoding="utf-8")
    env = {"HOME": home.as_posix(), "USERPROFILE": home.as_posix(), "PATH": ""}
    return HookEngine.load(str(file), cwd=str(project), env=env, **options)


def answer(tmp_path: Path, event: str, said: str, **more: Any) -> Verdict:
    """Fire an event at a hook that says this."""
    script(tmp_path / "out.json", said)
    config = json.dumps({"hooks": {event: [{"command": "cat out.json"}]}})
    with load(tmp_path / ".firebender/hooks.json", config, tmp_path / "home", tmp_path, spawn=False) as engine:
        return engine.fire(event, {**sample(event), **more})


@pytest.mark.parametrize("spawn", [False, True])
def test_the_quick_start(tmp_path: Path, spawn: bool) -> None:
    home = tmp_path / "home"
    match = re.search(r"^#!/bin/bash\n.*?^exit 0$", text(), re.MULTILINE | re.DOTALL)
    assert match is not None
    script(home / ".firebender/hooks/format.sh", match[0] + "\n")
    with load(home / ".firebender/hooks.json", configs()[QUICK_START], home, tmp_path / "p", spawn=spawn) as engine:
        verdict = engine.fire("afterFileEdit", sample("afterFileEdit"))
    (ran,) = verdict.hooks
    assert (ran.ended, ran.exit_code, ran.stdout, verdict.decision) == ("ok", 0, "", "none")


@pytest.mark.parametrize(("command", "runs"), [("curl x", True), ("wget x", True), ("sync", True), ("ls", False)])
def test_the_network_gate(tmp_path: Path, command: str, runs: bool) -> None:
    home = tmp_path / "home"
    script(home / ".firebender/scripts/approve-network.sh", 'echo \'{"permission": "ask"}\'\n')
    with load(home / ".firebender/hooks.json", configs()[NETWORK], home, tmp_path / "p", spawn=False) as engine:
        assert engine.specs[0].timeout == 30
        assert engine.fire("beforeShellExecution", command=command).decision == ("ask" if runs else "none")


@pytest.mark.parametrize("project", [False, True])
def test_the_whole_configuration(tmp_path: Path, project: bool) -> None:
    """Each of its scripts runs for its event: from the user's file as it stands, from a project's as it says."""
    home, work = tmp_path / "home", tmp_path / "p"
    config, base = configs()[WHOLE], home / ".firebender"
    if project:
        config = re.sub(r'"\./(hooks|scripts)/', r'".firebender/\1/', config).replace(
            '"./format', '".firebender/format'
        )
        base = work
    for path in set(re.findall(r'"command": "(.*?)"', config)):
        script(base / path, "jq -r .hook_event_name >> events.log\n")
    file = (work if project else home) / ".firebender/hooks.json"
    with load(file, config, home, work, spawn=False) as engine:
        assert engine.diagnostics == () and {spec.event for spec in engine.specs} == set(EVENTS)
        for event in EVENTS:
            verdict = engine.fire(event, sample(event))
            assert [hook.ended for hook in verdict.hooks] == ["ok"], verdict.notices
    assert (base / "events.log").read_text().split() == list(EVENTS)


def test_the_matchers(tmp_path: Path) -> None:
    home = tmp_path / "home"
    for name in ("validate-shell.sh", "approve-network.sh"):
        script(home / ".firebender" / name, f"echo {name} >> ran; exit 0\n")
    with load(home / ".firebender/hooks.json", configs()[MATCHERS], home, tmp_path / "p", spawn=False) as engine:
        engine.fire("before_tool", tool_name="Shell", tool_input={"command": "nc -l 80"})
        engine.fire("before_tool", tool_name="Shell", tool_input={"command": "sync"})
        engine.fire("before_tool", tool_name="Read", tool_input={"file_path": "curl"})
    ran = (home / ".firebender/ran").read_text().split()
    assert ran == ["validate-shell.sh", "approve-network.sh", "validate-shell.sh"]


@pytest.mark.parametrize("event", EVENTS)
def test_a_payload_has_the_fields_of_the_document(tmp_path: Path, event: str) -> None:
    # A placeholder for a directory is no directory: a relative one would be made absolute.
    text_of_sample = json.dumps(sample(event)).replace("<absolute path>", "/w/a")
    shown = json.loads(text_of_sample.replace("<current working directory>", tmp_path.as_posix()))
    if isinstance(shown.get("tool_input"), str):  # a placeholder for JSON text is none
        shown["tool_input"] = '{"q":1}'
    config = json.dumps({"hooks": {event: [{"command": "cat > got.json"}]}})
    with load(tmp_path / ".firebender/hooks.json", config, tmp_path / "home", tmp_path, spawn=False) as engine:
        verdict = engine.fire(event, shown)
    assert verdict.notices == ()
    got = json.loads((tmp_path / "got.json").read_text(encoding="utf-8"))
    base = re.search(r"^\{\n  \"conversation_id\".*?^\}", text(), re.MULTILINE | re.DOTALL)
    assert base is not None
    common = list(json.loads(base[0]))
    assert list(got)[: len(common)] == common
    assert [key for key in got if key not in common] == [key for key in shown if key not in common]
    assert {key: got[key] for key in shown} == shown


@pytest.mark.parametrize("event", GUARDS)
def test_each_decision_that_the_document_shows(tmp_path: Path, event: str) -> None:
    (shown,) = blocks(event, "Output")
    alternatives = re.search(r'"(?:decision|permission)": ((?:"[a-z]+"(?: \| )?)+)', shown)
    assert alternatives is not None
    words = re.findall(r'"([a-z]+)"', alternatives[1])
    assert set(words) >= {"allow", "deny"}
    for word in words:
        verdict = answer(tmp_path, event, _ALTERNATIVE.sub(f'"{word}"', shown))
        assert verdict.decision == word and verdict.hooks[0].ended == "ok"
        if word == "deny":
            assert verdict.reason.startswith("<") and verdict.updated_input is None
        elif event == "preToolUse":
            assert verdict.updated_input == first_of(shown)["updated_input"]


def test_the_other_answers(tmp_path: Path) -> None:
    (output,) = blocks("postToolUse", "Output")
    changed = answer(tmp_path, "postToolUse", output, tool_name="MCP:search").updated_output
    assert changed == first_of(output)["updated_mcp_tool_output"]
    assert answer(tmp_path, "postToolUse", output).updated_output is None  # its own sample is a shell tool's
    (output,) = blocks("preCompact", "Output")
    assert answer(tmp_path, "preCompact", output).user_message == first_of(output)["user_message"]
    (output,) = blocks("stop", "Output")
    assert answer(tmp_path, "stop", output).followup == first_of(output)["followup_message"]


def test_a_server_by_its_command(tmp_path: Path) -> None:
    either, other = (
        first_of(blocks("beforeMCPExecution", "Plus either:")[0]),
        first_of(blocks("beforeMCPExecution", "Or:")[0]),
    )
    assert (list(either), list(other)) == (["url"], ["command"])
    config = json.dumps({"hooks": {"beforeMCPExecution": [{"command": "cat > got.json"}]}})
    shown = first_of(blocks("beforeMCPExecution", "beforeMCPExecution input")[0])
    with load(tmp_path / ".firebender/hooks.json", config, tmp_path / "home", tmp_path, spawn=False) as engine:
        for addition, missing in ((either, "command"), (other, "url")):
            engine.fire("beforeMCPExecution", {**shown, **addition})
            got = json.loads((tmp_path / "got.json").read_text())
            assert missing not in got and addition.items() <= got.items()
