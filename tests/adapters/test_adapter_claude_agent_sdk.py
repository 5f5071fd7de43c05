"""What is the Claude Agent SDK's own: files that it loads itself, tools of MCP servers, permissions, sessions, subagents."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import HookEngine
from pyshellhooks.errors import ConfigError
from tests.adapters import story as common
from tests.adapters.story import Story, claude, engine, run_shell, shell
from tests.adapters.test_adapter_story import log

pytest.importorskip(
    "claude_agent_sdk", reason="claude-agent-sdk is not installed: python -m tests.adapters.run claude-agent-sdk"
)

from claude_agent_sdk import (
    ClaudeAgentOptions,
    ClaudeSDKClient,
    HookMatcher,
    ResultMessage,
    create_sdk_mcp_server,
    tool,
)

from pyshellhooks.adapters import claude_agent_sdk as adapter
from pyshellhooks.adapters.claude_agent_sdk import ShellHooks
from tests.adapters.drivers.claude_agent_sdk import Runs, scripted
from tests.messages_api import serving

pytestmark = pytest.mark.not_on_windows("needs-tools")

LISTED = claude("PreToolUse", "echo asked >> log")


def project(home: Path, config: Any) -> Path:
    """Write the settings of a project."""
    (home / ".claude").mkdir()
    path = home / ".claude" / "settings.json"
    path.write_text(json.dumps(config))
    return path


def host(story: Story) -> Any:
    """Return an MCP server with a shell of the host's own."""

    @tool("execute", "Runs a command.", {"command": str})
    async def execute(given: dict[str, Any]) -> dict[str, Any]:
        return {"content": [{"type": "text", "text": run_shell(story, given["command"])}]}

    return {"host": create_sdk_mcp_server("host", tools=[execute])}


# -- what runs twice, and what never ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("sources", "times"), [(["project"], 2), ([], 1)], ids=["loaded", "not loaded"])
def test_hooks_that_run_twice_are_reported_or_refused(tmp_path: Path, caplog: Any, sources: Any, times: int) -> None:
    path = project(tmp_path, LISTED)
    story = Story([[shell("ls")], "done"], HookEngine.load(path, cwd=str(tmp_path)))
    with caplog.at_level(logging.WARNING, "pyshellhooks"):
        Runs(story, setting_sources=sources).run()
    assert log(tmp_path) == ["asked"] * times  # Claude Code runs them too
    assert ("its hooks run twice" in caplog.text) == (times == 2)


@pytest.mark.parametrize(
    ("sources", "refused"), [(None, True), (["user", "project"], True), (["user", "local"], False), ([], False)]
)
def test_hooks_that_run_twice_are_refused_under_strict(tmp_path: Path, sources: Any, refused: bool) -> None:
    path = project(tmp_path, common.NO_RM)
    hooks = ShellHooks(HookEngine.load(path, cwd=str(tmp_path), strict=True))
    options = ClaudeAgentOptions(cwd=tmp_path, setting_sources=sources)
    if refused:
        with pytest.raises(ConfigError, match='remove "project" from setting_sources'):
            hooks.options(options)
    else:
        hooks.options(options)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    hooks.options(ClaudeAgentOptions(cwd=elsewhere.parent.parent, setting_sources=sources))  # another project


def test_tools_that_the_sdk_never_asks_about_are_reported_or_refused(tmp_path: Path, caplog: Any) -> None:
    guard, note = claude("TaskCreated", "exit 2"), claude("SessionEnd", "echo end")
    for strict in (False, True):
        hooks = ShellHooks(engine(tmp_path, guard, note, strict=strict))
        with caplog.at_level(logging.WARNING, "pyshellhooks"):
            if strict:
                with pytest.raises(ConfigError, match="no callback for TaskCreated of Claude Code"):
                    hooks.options()
            else:
                hooks.options()
    assert "TaskCreated" in caplog.text and "SessionEnd" in caplog.text
    ShellHooks(engine(tmp_path, note, strict=True)).options()


def test_tools_that_the_agent_lacks_are_not_checked(tmp_path: Path) -> None:
    """A guard that misses ``Bash`` is no mistake in an agent without it."""
    hooks = ShellHooks(engine(tmp_path, common.ELSEWHERE, dialect="gemini", strict=True))
    with pytest.raises(ConfigError, match="misses the tool Bash"):
        hooks.options(ClaudeAgentOptions(tools=["Bash", "Read"], setting_sources=[]))
    hooks.options(ClaudeAgentOptions(tools=["Read"], setting_sources=[]))
    hooks.options(ClaudeAgentOptions(disallowed_tools=["Bash"], setting_sources=[]))


# -- what goes wrong ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("event", ["before", "after"])
def test_an_answer_that_the_sdk_can_not_express_denies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, event: str
) -> None:
    """Claude Code shows a result whose callback fails: there the turn ends."""
    story = Story([[shell("ls")], "done"], engine(tmp_path, common.BEFORE if event == "before" else common.AFTER))
    one = Runs(story)

    def broken(*_: Any) -> Any:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(one.hooks, "_render", broken)
    outcome = one.run()
    if event == "before":
        assert story.ran == [] and outcome.results[0][1]
    else:
        assert story.ran == ["ls"] and len(story.seen) == 1 and "a fault of ours" in outcome.said


def test_claude_code_waits_longer_than_any_hook(tmp_path: Path) -> None:
    """It shows a result that it waits for in vain, so the hooks' deadlines come first."""
    options = ShellHooks(engine(tmp_path, common.NO_RM, common.AFTER, common.PROMPT, common.STOP)).options()
    assert options.hooks is not None
    asked = [matcher for matchers in options.hooks.values() for matcher in matchers]
    assert options.hooks.keys() == {"PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "Stop"}
    assert all(one.timeout is not None and 3600 < one.timeout < 2**31 / 1000 for one in asked)  # JavaScript's timers
    assert all(one.on_failure == "block" for one in asked)


def test_a_hook_that_times_out_denies_under_strict(tmp_path: Path) -> None:
    hooks = claude("PreToolUse", "sleep 60")
    hooks["hooks"]["PreToolUse"][0]["hooks"][0]["timeout"] = 0.5
    story = Story([[shell("ls")], "done"], engine(tmp_path, hooks, strict=True))
    outcome = Runs(story).run()
    assert story.ran == [] and outcome.results[0][1]


def test_an_sdk_whose_callbacks_fail_open_is_refused() -> None:
    code = (
        "import dataclasses, sys, types\n"
        "HookMatcher = dataclasses.make_dataclass('HookMatcher', ['matcher', 'hooks', 'timeout'])\n"
        "sys.modules['claude_agent_sdk'] = types.SimpleNamespace(HookMatcher=HookMatcher, ClaudeAgentOptions=object)\n"
        "try: import pyshellhooks.adapters.claude_agent_sdk\n"
        "except ImportError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "HookMatcher has no on_failure" in done.stdout and "pyshellhooks[claude-agent-sdk]" in done.stdout, (
        done.stderr
    )


# -- tools, permissions ------------------------------------------------------------------------------------------------


def test_a_tool_of_ones_own_named_execute(tmp_path: Path) -> None:
    execute = "mcp__host__execute"
    turns = [[shell("rm -rf build", execute), shell("npm test", execute)], [shell("boom", execute)], "done"]
    failed = claude("PostToolUseFailure", "jq -r .error >> log")
    hooks = engine(tmp_path, common.NO_RM, common.BUN, common.AFTER, failed, tools={execute: "shell"})
    story = Story(turns, hooks)
    ran = Runs(story, mcp_servers=host(story))
    outcome = ran.run()
    (denied, error), (result, _), (broke, _) = outcome.results
    assert "rm is off" in denied and error
    assert result == "ran bun test" and "said after" in story.seen[1]
    assert "the tool broke" in broke and log(tmp_path) == ["the tool broke"]


def test_a_result_of_an_mcp_server_is_withheld(tmp_path: Path) -> None:
    story = Story([[shell("key", "mcp__host__execute")], "done"], engine(tmp_path, common.WITHHOLD, dialect="gemini"))
    Runs(story, mcp_servers=host(story)).run()
    assert "the result is secret" in story.seen[1] and "ran key" not in story.seen[1]


ALLOW = claude(
    "PreToolUse",
    """echo asked >> log
    echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}'""",
)
GEMINI_ALLOW = common.gemini("BeforeTool", """echo asked >> log; echo '{"decision": "allow"}'""")


@pytest.mark.parametrize(
    ("dialect", "config", "ran"), [("claude_code", ALLOW, ["git push"]), ("gemini", GEMINI_ALLOW, [])]
)
def test_an_allow_of_another_system_is_no_permission(tmp_path: Path, dialect: str, config: Any, ran: list[str]) -> None:
    """For Claude Code an allow means that nobody is asked any more; elsewhere, that the hook has nothing against it."""
    story = Story([[shell("git push")], "done"], engine(tmp_path, config, dialect=dialect))
    Runs(story, permission_mode="dontAsk").run()
    assert story.ran == ran and log(tmp_path) == ["asked"]


@pytest.mark.parametrize("yes", [True, False], ids=["yes", "no"])
def test_a_yes_of_a_person_is_a_permission(tmp_path: Path, yes: bool) -> None:
    story = Story([[shell("git push")], "done"], engine(tmp_path, common.ASK), on_ask=lambda *_: yes)
    Runs(story, permission_mode="dontAsk").run()
    assert story.ran == (["git push"] if yes else []) and log(tmp_path) == ["asked"]


def test_a_question_that_no_handler_takes_is_a_deny(tmp_path: Path) -> None:
    story = Story([[shell("git push")], "done"], engine(tmp_path, common.ASK), ask="defer")
    outcome = Runs(story, can_use_tool=None, permission_mode="bypassPermissions").run()
    assert story.ran == [] and "push it?" in outcome.results[0][0]


def test_events_that_only_claude_code_has(tmp_path: Path) -> None:
    batch = claude("PostToolBatch", "echo 'that is enough' >&2; exit 2")
    story = Story([[shell("ls")], "done"], engine(tmp_path, batch))
    outcome = Runs(story).run()
    assert story.ran == ["ls"] and len(story.seen) == 1 and outcome.said == "that is enough"


def test_an_agents_own_callbacks_stay(tmp_path: Path) -> None:
    seen = []

    async def host_hook(given: Any, id: Any, context: Any) -> dict[str, Any]:
        seen.append(given["tool_name"])
        return {}

    story = Story([[shell("rm -rf build")], "done"], engine(tmp_path, common.NO_RM))
    mine = {"PreToolUse": [HookMatcher(hooks=[host_hook])]}
    Runs(story, hooks=mine).run()
    assert seen == ["Bash"] and story.ran == []
    assert len(mine["PreToolUse"]) == 1  # the caller's options are as they were


# -- conversations ------------------------------------------------------------------------------------------------------


def test_a_client_of_several_turns(tmp_path: Path) -> None:
    config = engine(tmp_path, common.START, common.PROMPT, common.HALT)
    one = Runs(Story([[shell("ls")], "second", "third"], config))
    results: list[ResultMessage] = []
    halted = []

    async def go() -> None:
        with serving(scripted(one.story)) as server:
            async with ClaudeSDKClient(one.options(server.server_port)) as client:
                for prompt in ("go", "it is hunter2", "go on"):
                    await client.query(prompt)
                    results.extend([m async for m in client.receive_response() if isinstance(m, ResultMessage)])
                    halted.append(one.hooks.halted.get(results[-1].session_id))

    asyncio.run(go())
    assert halted == ["enough for today", None, None]
    assert results[-1].result == "second" and "hunter2" not in "".join(one.story.seen)
    assert log(tmp_path) == ["begun"]


def test_an_interrupt_ends_the_hooks(tmp_path: Path) -> None:
    hooks = claude("PreToolUse", "echo started >> log; sleep 60; echo over >> log")
    one = Runs(Story([[shell("ls")], "done"], engine(tmp_path, hooks)))

    async def go() -> None:
        with serving(scripted(one.story)) as server:
            async with ClaudeSDKClient(one.options(server.server_port)) as client:
                await client.query("go")
                while not log(tmp_path):
                    await asyncio.sleep(0.02)
                await client.interrupt()
                one.messages += [message async for message in client.receive_response()]

    asyncio.run(go())
    assert isinstance(one.messages[-1], ResultMessage) and one.messages[-1].subtype == "error_during_execution"
    assert not (one.home / "ran").exists() and log(tmp_path) == ["started"]


def test_a_session_that_is_resumed(tmp_path: Path) -> None:
    start = claude("SessionStart", "jq -r '.source + \" \" + .session_id' >> log; echo 'the house uses tabs'")
    first = Runs(Story(["one"], engine(tmp_path, start)))
    first.run()
    session = next(one.session_id for one in first.messages if isinstance(one, ResultMessage))
    # In another process: hooks of another engine, the same home.
    second = Runs(Story([[shell("rm -rf build")], "two"], engine(tmp_path, start, common.NO_RM)), resume=session)
    second.home = first.home
    second.run()
    assert log(tmp_path) == [f"startup {session}", f"resume {session}"]
    assert second.story.ran == [] and "rm is off" in second.story.seen[1]


def test_a_subagent_in_the_background_is_guarded(tmp_path: Path) -> None:
    story = Story(
        [[("explore", {"prompt": "look", "run_in_background": True})], "waiting", "done"],
        engine(tmp_path, common.NO_RM, common.SUBAGENT),
        subagent=True,
        subagent_turns=[[shell("rm -rf build")], "found nothing"],
    )
    outcome = Runs(story).run()
    assert story.ran == [] and any("rm is off" in seen for seen in story.seen)
    assert outcome.said == "done" and log(tmp_path) == ["subagent"]


def test_a_subagent_that_is_refused_can_do_nothing(tmp_path: Path) -> None:
    """Claude Code starts it all the same."""
    answer = '{"permission": "deny", "user_message": "no subagents"}'
    config = {"version": 1, "hooks": {"subagentStart": [{"command": f"echo '{answer}'"}]}}
    story = Story(
        [[("explore", {"prompt": "look"})], [shell("ls")], "done"],
        HookEngine.load(config, "cursor", cwd=str(tmp_path)),
        subagent=True,
        subagent_turns=[[shell("cat key")], "found nothing"],
    )
    outcome = Runs(story).run()
    assert story.ran == ["ls"] and outcome.said == "done"
    assert any("a hook denied this subagent" in seen for seen in story.seen)


def test_a_subagent_continues(tmp_path: Path) -> None:
    on = claude("SubagentStop", "jq -e .stop_hook_active >/dev/null && exit 0; echo 'look again' >&2; exit 2")
    story = Story(
        [[("explore", {"prompt": "look"})], "done"],
        engine(tmp_path, on),
        subagent=True,
        subagent_turns=["found nothing", "found it"],
    )
    outcome = Runs(story).run()
    assert "found it" in outcome.results[0][0] and any("look again" in seen for seen in story.seen)


def test_other_systems_do_not_get_fields_of_claude_code_only(tmp_path: Path, caplog: Any) -> None:
    """A field that a system does not know is a notice on every event."""
    config = {"version": 1, "hooks": {"beforeShellExecution": [{"command": "cat >> log"}]}}
    story = Story([[shell("ls")], "done"], HookEngine.load(config, "cursor", cwd=str(tmp_path)))
    with caplog.at_level(logging.WARNING, "pyshellhooks"):
        Runs(story).run()
    assert json.loads(log(tmp_path)[0])["command"] == "ls" and "unknown" not in caplog.text


def test_claude_codes_hooks_get_the_fields_that_it_sends_itself(tmp_path: Path, caplog: Any) -> None:
    hooks = engine(tmp_path, claude("PreToolUse", "jq -c . >> log"))
    story = Story([[shell("ls")], "done"], hooks)
    with caplog.at_level(logging.WARNING, "pyshellhooks"):
        Runs(story).run()
    payload = json.loads(log(tmp_path)[0])
    assert payload["permission_mode"] == "bypassPermissions" and payload["transcript_path"].endswith(".jsonl")
    assert payload["tool_use_id"] == "toolu_000" and "unknown" not in caplog.text


def test_every_event_is_one_that_claude_code_has() -> None:
    assert set(adapter._EVENTS) <= adapter._CLAUDE.events.keys()
