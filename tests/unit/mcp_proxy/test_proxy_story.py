"""The story with the official client, by both ways of the protocol: with a handshake, and without a session (2026-07-28)."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from proxied import ROOT, WAIT, Place, hook, until

pytestmark = [
    pytest.mark.not_on_windows("needs-tools"),
    pytest.mark.one_in(2, slow=2),
]  # each starts a proxy and a server: seconds

Answer = tuple[str, dict[str, Any] | None]
MODES = ["legacy", "2026-07-28"]


def story_runner(
    tmp: Place, mode: str, *found: dict[str, Any], answers: list[Answer] | None = None, options: tuple[str, ...] = ()
) -> Callable[..., Any]:
    """Return what tells a story to the proxy as a client; ``answers`` are those of the person, None can't ask."""
    from mcp.client.client import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client
    from mcp_types import CreateMessageResult, ElicitResult, ListRootsResult, Root, TextContent

    asked: list[str] = []

    async def elicit(context: Any, params: Any) -> Any:
        asked.append(params.message)
        assert answers is not None
        if answers[0][0] == "wait":
            await asyncio.sleep(WAIT)
        action, content = answers.pop(0)
        return ElicitResult(action=action, content=content)  # type: ignore[arg-type]

    async def sample(context: Any, params: Any) -> Any:
        return CreateMessageResult(role="assistant", content=TextContent(type="text", text="sampled"), model="m")

    async def roots(context: Any) -> Any:
        return ListRootsResult(roots=[Root(uri="file:///root")])  # type: ignore[arg-type]

    async def run_story(story: Callable[[Any], Awaitable[None]]) -> None:
        words = ["-m", "pyshellhooks", "mcp-proxy", *tmp.words(*found, options=options, server="server")]
        with open(tmp.path / "stderr", "w", encoding="utf-8") as errors:
            started = StdioServerParameters(
                command=sys.executable, args=words, cwd=tmp.path, env={**os.environ, "PYTHONPATH": str(ROOT)}
            )
            callbacks: dict[str, Any] = {"sampling_callback": sample, "list_roots_callback": roots}
            if answers is not None:
                callbacks["elicitation_callback"] = elicit
            transport = stdio_client(started, errlog=errors)
            async with asyncio.timeout(WAIT), Client(transport, mode=mode, **callbacks) as client:
                await story(client)

    def run(story: Callable[[Any], Awaitable[None]]) -> list[str]:
        asyncio.run(run_story(story))
        return asked

    return run


def texts(result: Any) -> list[str]:
    return [block.text for block in result.content]


GUARD = hook(
    "PreToolUse",
    """jq -c 'def say(x): {hookSpecificOutput: ({hookEventName: "PreToolUse"} + x)}; .tool_input.text as $t |
    if $t == "bad" then say({permissionDecision: "deny", permissionDecisionReason: "nothing bad"})
    elif $t == "npm" then say({permissionDecision: "allow", updatedInput: {text: "bun"}})
    elif $t == "push" then say({permissionDecision: "ask", permissionDecisionReason: "push it?"})
    elif $t == "both" then say({permissionDecision: "ask", permissionDecisionReason: "so?", updatedInput: {text: "changed"}})
    elif $t == "halt" then {continue: false, stopReason: "enough"}
    else empty end'""",
    "mcp__tests__echo",
)


@pytest.mark.one_in(2, slow=2)
@pytest.mark.parametrize("mode", MODES)
def test_deny_rewrite_and_halt(place: Place, mode: str) -> None:
    async def story(client: Any) -> None:
        result = await client.call_tool("echo", {"text": "good"})
        assert (texts(result), result.structured_content, result.is_error) == (["good"], {"result": "good"}, False)
        result = await client.call_tool("echo", {"text": "bad"})
        assert (texts(result), result.is_error) == (["nothing bad"], True)
        result = await client.call_tool("echo", {"text": "npm"})
        assert (texts(result), result.is_error) == (["bun"], False)
        result = await client.call_tool("echo", {"text": "halt"})
        assert result.is_error and texts(result)[0].startswith("enough\n\n(A hook ended the turn")

    story_runner(place, mode, GUARD)(story)
    assert [json.loads(line)[1] for line in place.logged().splitlines()] == ["good", "bun"]


@pytest.mark.one_in(2, slow=2)
@pytest.mark.parametrize("mode", MODES)
def test_a_question_is_put_to_the_person(place: Place, mode: str) -> None:
    async def story(client: Any) -> None:
        assert texts(await client.call_tool("echo", {"text": "push"})) == ["push"]
        for _ in range(2):
            result = await client.call_tool("echo", {"text": "push"})
            assert (texts(result), result.is_error) == (["not confirmed: push it?"], True)
        assert texts(await client.call_tool("echo", {"text": "both"})) == ["changed"]

    count = hook("PreToolUse", "echo asked >>asked", "mcp__tests__echo")
    answers: list[Answer] = [("accept", {}), ("decline", None), ("cancel", None), ("accept", {})]
    asked = story_runner(place, mode, GUARD, count, answers=answers)(story)
    assert asked == [
        *['push it?\n\nmcp__tests__echo {"text": "push"}'] * 3,
        'so?\n\nmcp__tests__echo {"text": "changed"}',
    ]
    assert len(place.logged().splitlines()) == 2
    assert (place.path / "asked").read_text().count("asked") == 4  # no hook runs a second time for the answer


@pytest.mark.one_in(2, slow=2)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("why", ["the client can't", "--ask deny"])
def test_a_question_without_a_person_is_a_refusal(place: Place, mode: str, why: str) -> None:
    async def story(client: Any) -> None:
        result = await client.call_tool("echo", {"text": "push"})
        assert (texts(result), result.is_error) == (["not confirmed: push it?"], True)

    if why == "--ask deny":
        assert story_runner(place, mode, GUARD, answers=[("accept", {})], options=("--ask", "deny"))(story) == []
    else:
        story_runner(place, mode, GUARD)(story)
        assert "the client does not support elicitation" in (place.path / "stderr").read_text()
    assert place.logged() == ""


def test_a_call_is_cancelled_while_the_person_is_prompted(place: Place) -> None:
    async def story(client: Any) -> None:
        call = asyncio.create_task(client.call_tool("echo", {"text": "push"}))
        while not (place.path / "asked").exists():
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.5)
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        assert texts(await client.call_tool("echo", {"text": "good"})) == ["good"]

    mark = hook("PreToolUse", "echo >>asked", "mcp__tests__echo")
    story_runner(place, "legacy", GUARD, mark, answers=[("wait", None)])(story)
    assert len(place.logged().splitlines()) == 1


AFTER = hook(
    "PostToolUse",
    """jq -c '.tool_name as $n | {hookSpecificOutput: {hookEventName: "PostToolUse"}} |
    if $n == "mcp__tests__echo" then .hookSpecificOutput.additionalContext = "said after"
    elif $n == "mcp__tests__blocks" then .decision = "block" | .reason = "look again"
    else empty end'""",
)
MASK = hook(
    "PostToolUse",
    """jq -c '{hookSpecificOutput: {hookEventName: "PostToolUse",
    updatedMCPToolOutput: (.tool_response.content[0].text | gsub("s3cret"; "***"))}}'""",
    "mcp__tests__secret",
)
FAILED = hook(
    "PostToolUseFailure",
    """jq -r .error >failed; echo '{"hookSpecificOutput": {"hookEventName": "PostToolUseFailure",
    "additionalContext": "it has failed"}}'""",
)


@pytest.mark.one_in(2, slow=2)
@pytest.mark.parametrize("mode", MODES)
def test_results(place: Place, mode: str) -> None:
    async def story(client: Any) -> None:
        result = await client.call_tool("echo", {"text": "x"})
        assert (texts(result), result.structured_content) == (["x", "said after"], {"result": "x"})
        assert texts(await client.call_tool("blocks", {})) == ["one", "two", "look again"]
        result = await client.call_tool("secret", {})
        assert (texts(result), result.structured_content) == (
            ["the password is ***"],
            {"result": "the password is ***"},
        )
        result = await client.call_tool("fails", {"why": "so"})
        assert result.is_error and texts(result)[-1] == "it has failed"
        assert (place.path / "failed").read_text() == texts(result)[0] + "\n"
        result = await client.call_tool("no_such_tool", {})
        assert result.is_error and texts(result)[-1] == "it has failed"

    story_runner(place, mode, AFTER, MASK, FAILED)(story)


@pytest.mark.one_in(2, slow=2)
@pytest.mark.parametrize("mode", MODES)
def test_a_result_is_withheld(place: Place, mode: str) -> None:
    """Cursor's hooks have no such word; Gemini CLI's deny after a tool hides the result (gemini 5)."""
    config = place.path / "gemini.json"
    command = "cat >seen; echo 'not for you' >&2; exit 2"
    config.write_text(
        json.dumps({"hooks": {"AfterTool": [{"matcher": "*", "hooks": [{"type": "command", "command": command}]}]}})
    )

    async def story(client: Any) -> None:
        result = await client.call_tool("secret", {})
        assert result.is_error and "s3cret" not in str(result) and "not for you" in texts(result)[0]

    story_runner(place, mode, options=("--config", str(config), "--dialect", "gemini"))(story)
    assert "s3cret" in (place.path / "seen").read_text()


@pytest.mark.one_in(2, slow=2)
@pytest.mark.parametrize("mode", MODES)
def test_progress_and_cancellation(place: Place, mode: str) -> None:
    async def story(client: Any) -> None:
        seen: list[tuple[float, float | None, str | None]] = []

        async def progress(*step: Any) -> None:
            seen.append(step)  # type: ignore[arg-type]

        assert texts(await client.call_tool("slow", {"seconds": 0}, progress_callback=progress)) == ["slow is done"]
        assert seen == [(1.0, 3.0, "step 1"), (2.0, 3.0, "step 2"), (3.0, 3.0, "step 3")]
        call = asyncio.create_task(client.call_tool("slow", {"seconds": 300}))
        while place.logged().count("slow begins") < 2:
            await asyncio.sleep(0.05)
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        while "slow is cancelled" not in place.logged():
            await asyncio.sleep(0.05)
        assert texts(await client.call_tool("echo", {"text": "x"})) == ["x"]

    story_runner(place, mode, GUARD)(story)


@pytest.mark.one_in(2, slow=2)
@pytest.mark.parametrize("mode", MODES)
def test_all_else_passes(place: Place, mode: str) -> None:
    deny_all = hook("PreToolUse", "exit 2")

    async def story(client: Any) -> None:
        assert mode != "legacy" or client.server_info.name == "tests"
        tools = (await client.list_tools()).tools
        assert {tool.name for tool in tools} >= {"echo", "slow"}
        assert (await client.read_resource("tests://text")).contents[0].text == "a resource"
        assert (await client.get_prompt("greet", {"name": "you"})).messages[0].content.text == "greet you"

    story_runner(place, mode, deny_all)(story)


def test_the_server_elicits_from_the_client(place: Place) -> None:
    """Elicitation, sampling and roots of the server's own, during a call that hooks have let through."""

    async def story(client: Any) -> None:
        assert texts(await client.call_tool("asks", {})) == ["accept colour='red'"]
        assert texts(await client.call_tool("samples", {})) == ["sampled file:///root"]

    asked = story_runner(place, "legacy", GUARD, answers=[("accept", {"colour": "red"})])(story)
    assert asked == ["which colour?"]


def test_the_server_elicits_by_a_result(place: Place) -> None:
    """From 2026-07-28 on: the result wants input, the client calls again, and each call is asked about."""

    async def story(client: Any) -> None:
        assert texts(await client.call_tool("wants", {"text": "good"})) == ["red good"]
        assert texts(await client.call_tool("wants", {"text": "push"})) == ["blue push"]

    guard = json.loads(json.dumps(GUARD).replace("mcp__tests__echo", "mcp__tests__wants"))
    answers: list[Answer] = [("accept", {"colour": "red"})]
    answers += [("accept", {}), ("accept", {"colour": "blue"}), ("accept", {})]
    asked = story_runner(place, "2026-07-28", guard, answers=answers)(story)
    assert [text.partition("\n")[0] for text in asked] == ["which colour?", "push it?", "which colour?", "push it?"]


def test_an_approval_is_for_its_call_only(place: Place) -> None:
    """Who brings a yes to another call, or brings it twice, is asked anew."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
    }
    guard = json.loads(json.dumps(GUARD).replace("mcp__tests__echo", "mcp__tests__.*"))
    proxy = place.start(guard)
    yes = {"pyshellhooks": {"action": "accept", "content": {}}}

    def call_tool(id: int, name: str, text: str, **more: Any) -> dict[str, Any]:
        proxy.call(id, name, {"text": text}, _meta=meta, **more)
        found: dict[str, Any] = proxy.answer(id)["result"]
        return found

    first = call_tool(1, "mirror", "push")
    assert first["resultType"] == "input_required" and "elicitation/create" in str(first["inputRequests"])
    # another tool, another argument, and the answer without the question, which was asked once
    state = {"requestState": first["requestState"], "inputResponses": yes}
    assert call_tool(2, "other", "push", **state)["resultType"] == "input_required"
    state["requestState"] = call_tool(3, "mirror", "push")["requestState"]
    assert call_tool(4, "mirror", "both", **state)["resultType"] == "input_required"
    assert call_tool(5, "mirror", "push", **state)["resultType"] == "input_required"
    assert call_tool(6, "mirror", "push", requestState="invented", inputResponses=yes)["resultType"] == "input_required"
    # the right one, once
    state["requestState"] = call_tool(7, "mirror", "push", requestState="server's", inputResponses={"s": 1})[
        "requestState"
    ]
    assert json.loads(call_tool(8, "mirror", "push", **state)["content"][0]["text"]) == {"text": "push"}
    assert call_tool(9, "mirror", "push", **state)["resultType"] == "input_required"
    (sent,) = [json.loads(line)["params"] for line in until(place.logged).splitlines()]
    assert (sent["requestState"], sent["inputResponses"]) == ("server's", {"s": 1})
