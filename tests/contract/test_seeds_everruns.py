"""Everruns' own examples, verbatim, on their promised verdicts.

The document is not part of the repository: where it lies beside it (``../shared/seeds``) its JSON, which it holds with
the line breaks lost, is read and run; elsewhere the twins in conformance/cases/everruns/seed_twins.toml stand for it.
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
SEED = ROOT.parent / "shared" / "seeds" / "001_72006919286c2d65.txt"

pytestmark = [
    pytest.mark.skipif(not SEED.is_file(), reason="the seed document does not lie beside this repository"),
]

MUTED = "rust_quality_pack:fmt_after_edit"


@cache
def seed() -> str:
    return SEED.read_text(encoding="utf-8")


def block(mark: str) -> str:
    """Take out the JSON object that holds a mark: an agent's document, else the smallest that begins before it."""
    line = next(line for line in seed().splitlines() if mark in line)
    start = line.find('{ "capabilities"')
    if start < 0:
        start = line.rindex("{ ", 0, line.index(mark) + 2)
    text: str = line[start:]
    _, end = json.JSONDecoder().raw_decode(text)
    return text[:end]


def fire(config: Any, event: str, *, options: dict[str, Any] | None = None, **fields: Any) -> Verdict:
    """Fire an event as the document's users do, with no process allowed and with nothing of the host's."""
    with HookEngine.load(config, spawn=False, env={"PATH": ""}, **(options or {})) as engine:
        verdict: Verdict = engine.fire(event, session_id="ses_1", **fields)
        return verdict


def test_the_shape_of_a_configuration() -> None:
    sample = re.search(r'\{ "capabilities": [^\n]*UserHookSpec entries[^\n]*?\]\}', seed())
    assert sample is not None and "/*" in sample[0]
    with HookEngine.load(sample[0]) as engine:
        assert (engine.dialect.name, engine.specs, engine.diagnostics) == ("everruns", (), ())


def test_the_specification_of_one_hook() -> None:
    start = seed().index('{ "id": "fmt_after_edit"')
    line = seed()[start : seed().index("}Matcher", start) + 1]
    text = re.sub(r'(//.*?) ?(?="[a-z_]+": |\}$)', "\\1\n", line)  # a comment ends where the next key begins
    with HookEngine.load('{"hooks": [' + text + "]}") as engine:
        (spec,) = engine.specs
        assert (spec.id, spec.event, spec.command) == ("user:fmt_after_edit", "post_tool_use", "scripts/fmt.sh")
        assert (spec.timeout, spec.env, engine.diagnostics) == (5.0, {"FMT_PROFILE": "ci"}, ())


def test_rm_rf_is_blocked() -> None:
    config = block('"guard_rm", "event"')
    for command in ("rm -rf /", "cd /tmp && rm -rf x", "ls; rm  -rf y", "true | rm -rf z"):
        denied = fire(config, "pre_tool_use", tool_name="bash", arguments={"commands": command})
        assert (denied.decision, denied.reason) == ("deny", "rm -rf is not allowed")
        assert denied.user_message == "That command is blocked by policy."
    for tool, command in (("bash", "ls"), ("bash", "echo rm -rf"), ("other", "rm -rf /")):
        assert fire(config, "pre_tool_use", tool_name=tool, arguments={"commands": command}).hooks == ()


def test_rm_rf_is_blocked_under_the_neutral_name() -> None:
    denied = fire(block('"guard_rm", "event"'), "before_tool", tool_name="Bash", tool_input={"command": "rm -rf /"})
    assert (denied.decision, denied.reason) == ("deny", "rm -rf is not allowed")


def test_rust_files_are_formatted() -> None:
    config = block('"fmt_rs"')
    verdict = fire(config, "post_tool_use", tool_name="edit_file", arguments={"path": "src/a.rs"}, result={"ok": True})
    # There is no cargo on a session's files: a failure under on_error "warn", which nothing is silent about.
    assert (verdict.decision, verdict.updated_output_text) == ("none", None)
    assert verdict.hooks[0].ended == "bad_output" and "cargo" in " ".join(verdict.notices)
    assert fire(config, "post_tool_use", tool_name="edit_file", arguments={"path": "a.rsx"}).hooks == ()


def test_the_workspace_is_seeded() -> None:
    config = block('"id": "init"')
    with HookEngine.load(config, spawn=False, hooks=[("session_end", "cat .bootstrap >&2")]) as engine:
        assert engine.fire("session_start", session_id="ses_1").hooks[0].ended == "ok"
        assert engine.fire("session_end", session_id="ses_1").hooks[0].stderr == "session bootstrapped\n"
        assert "No such file" in engine.fire("session_end", session_id="ses_2").hooks[0].stderr


def test_a_pasted_secret_is_blocked() -> None:
    config = block('"block_secrets_in_prompt"')
    pasted = "use this:\n-----begin rsa private key-----\nabc"
    denied = fire(config, "user_prompt_submit", message=pasted)
    assert (denied.decision, denied.reason) == ("deny", "prompt contains a private key")
    assert denied.user_message.startswith("Your message looks like it contains a private key")
    passed = fire(config, "before_prompt", prompt="hello 'RSA' \"key\"")
    assert (passed.proceeds, passed.hooks[0].ended, passed.updated_input) == (True, "ok", None)


def test_a_reminder_is_put_before_the_prompt() -> None:
    verdict = fire('{"hooks": [' + block('"prepend_style_note"') + "]}", "user_prompt_submit", message='say "hi"\n')
    assert (verdict.decision, verdict.hooks[0].ended) == ("none", "ok")
    assert verdict.updated_input == '[reminder: follow the house style guide]\nsay "hi"\n'


def test_every_turn_is_logged() -> None:
    config = block('"log_turn_end"')
    with HookEngine.load(config, spawn=False, hooks=[("turn_end", "cat /workspace/.turn-log >&2")]) as engine:
        engine.fire("turn_end", session_id="ses_1", turn_id="trn_1", success=True)
        verdict = engine.fire("turn_end", session_id="ses_1", turn_id="trn_2", success=False)
    stamp = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"
    assert re.fullmatch(
        f"{stamp} turn trn_1 success=true\n{stamp} turn trn_2 success=false\n", verdict.hooks[-1].stderr
    )


def test_a_bundled_hook_is_muted() -> None:
    bundle = {
        "id": "fmt_after_edit",
        "event": "post_tool_use",
        "executor": {"type": "bash", "command": "echo '{}'"},
    }
    other = {**bundle, "id": "count"}
    settings = {"settings": {"bundles": {"rust_quality_pack": [bundle, other]}}}
    verdict = fire(block(MUTED), "post_tool_use", options=settings, tool_name="edit_file", arguments={})
    assert [row.id for row in verdict.hooks] == ["rust_quality_pack:count"]


def test_the_payload_is_the_envelope_and_is_taken_as_one() -> None:
    payload = block('"hook_id": "user:guard_rm"')
    spec = {
        "id": "guard_rm",
        "event": "pre_tool_use",
        "executor": {"type": "bash", "command": 'cat "$EVERRUNS_HOOK_PAYLOAD_PATH" | jq . >&2'},
    }
    with HookEngine.load([spec], spawn=False) as engine:
        verdict = engine.fire("pre_tool_use", payload)
    seen, shown = json.loads(verdict.hooks[0].stderr), json.loads(payload)
    assert list(seen) == list(shown) and verdict.notices == ()
    assert {**seen, "ts": shown["ts"]} == shown


def test_the_two_ways_to_read_the_payload() -> None:
    variable = re.search(r"Read with (jq -n '[^\n]*?fromjson')", seed())
    file = re.search(r'(cat "\$EVERRUNS_HOOK_PAYLOAD_PATH" \| jq) workflows', seed())
    assert variable is not None and file is not None
    command = f"{{ {variable[1]}; {file[1]} .; }} | jq -s '.[0] == .[1]' >&2"
    spec = {"event": "turn_end", "executor": {"type": "bash", "command": command}}
    assert fire([spec], "turn_end").hooks[0].stderr == "true\n"


def test_the_shape_of_an_answer() -> None:
    shape = re.search(r'(\{"decision": "allow" [^\n]*?\*/ \}\})', seed())
    assert shape is not None
    answer = re.sub(r"/\*.*?\*/", '"arguments": {"a": 2}', shape[1])
    for word, decision in (("allow", "allow"), ("mutate", "none"), ("block", "deny")):
        text = answer.replace('"allow" | "mutate" | "block"', json.dumps(word))
        spec = {"event": "pre_tool_use", "executor": {"type": "bash", "command": f"echo '{text}'"}}
        verdict = fire([spec], "pre_tool_use", tool_name="t", arguments={"a": 1, "b": 1})
        assert (verdict.decision, verdict.hooks[0].ended) == (decision, "ok")
        assert verdict.updated_input == ({"a": 2, "b": 1} if word == "mutate" else None)
        assert verdict.reason == ("string shown in audit/UI" if word == "block" else "")
    spec = {"event": "user_prompt_submit", "executor": {"type": "bash", "command": ""}}
    shown = re.search(r'emit (\{"decision":"mutate",[^\n]*?\}\})', seed())
    assert shown is not None
    spec["executor"] = {"type": "bash", "command": f"echo '{shown[1]}'"}
    assert fire([spec], "user_prompt_submit", message="x").updated_input == "<rewritten text>"
