"""What is LangChain's own: interrupts inside tools, ``Command``, deepagents, messages in parts."""

from __future__ import annotations

import asyncio
import base64
import logging
from pathlib import Path
from typing import Annotated, Any

import pytest

from pyshellhooks.errors import ConfigError
from tests.adapters import story as common
from tests.adapters.story import Story, engine, shell
from tests.adapters.test_adapter_story import log

pytest.importorskip("langchain.agents", reason="LangChain is not installed: python -m tests.adapters.run langchain")

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, ChatMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.tools import InjectedToolCallId, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt

from pyshellhooks.adapters import langchain as adapter
from pyshellhooks.adapters.langchain import ShellHooks
from tests.adapters.drivers.langchain import Async, Model, Sync, script

pytestmark = pytest.mark.not_on_windows("needs-tools")

THREAD: Any = {"configurable": {"thread_id": "one"}}


@pytest.mark.parametrize("way", [Sync, Async], ids=["sync", "async"])
def test_a_tool_that_interrupts_twice_after_a_question(way: Any, tmp_path: Path) -> None:
    """Three interrupts in one call: the hooks' question and two of the tool's own. No hook is asked again."""
    answers = []

    @tool
    def execute(command: str) -> str:
        """Run a command."""
        answers.extend([interrupt("first"), interrupt("second")])
        return "ran it"

    hooks = ShellHooks(engine(tmp_path, common.ASK, common.SEES), ask="defer")
    turns = [[shell("git push", "execute")], "done"]
    agent = create_agent(
        Model(script=script(turns), told=[]), [execute], middleware=[hooks], checkpointer=InMemorySaver()
    )

    def go(given: Any) -> Any:
        return agent.invoke(given, THREAD) if way is Sync else asyncio.run(agent.ainvoke(given, THREAD))

    assert go({"messages": [HumanMessage("go")]})["__interrupt__"][0].value == {
        "tool": "execute",
        "args": {"command": "git push"},
        "question": "push it?",
    }
    assert go(Command(resume=True))["__interrupt__"][0].value == "first"
    assert go(Command(resume="a"))["__interrupt__"][0].value == "second"
    assert go(Command(resume="b"))["messages"][-1].text == "done"
    assert answers[-2:] == ["a", "b"]
    asked, seen = log(tmp_path)
    assert asked == "asked" and "ran it" in seen


def test_only_true_is_a_yes(tmp_path: Path) -> None:
    story = Story([[shell("git push")], "done"], engine(tmp_path, common.ASK), ask="defer")
    one = Sync(story)
    one.run()
    one.resume("yes")  # type: ignore[arg-type]
    assert story.ran == []


def test_the_contents_of_a_command_stay(tmp_path: Path) -> None:
    @tool
    def note(text: str, id: Annotated[str, InjectedToolCallId]) -> Command[Any]:
        """Write a note."""
        return Command(update={"messages": [ToolMessage("noted", tool_call_id=id)], "jump_to": None})

    hooks = ShellHooks(engine(tmp_path, common.SEES, common.AFTER))
    seen: list[str] = []
    agent = create_agent(
        Model(script=script([[("note", {"text": "x"})], "done"]), told=seen), [note], middleware=[hooks]
    )
    agent.invoke({"messages": [HumanMessage("go")]})
    assert "noted\n\nsaid after" in seen[1]
    assert log(tmp_path) == ["noted"]


def test_hooks_see_every_prompt_and_a_blocked_one_does_not_stay(tmp_path: Path) -> None:
    agent = create_agent(
        Model(script=script(["done"]), told=[]),
        [],
        middleware=[ShellHooks(engine(tmp_path, common.PROMPT))],
        checkpointer=InMemorySaver(),
    )
    prompts = [HumanMessage("it is hunter2"), HumanMessage([{"type": "text", "text": "go"}]), SystemMessage("x")]
    out = agent.invoke({"messages": prompts}, THREAD)
    assert "no secrets here" in out["messages"][-1].text
    assert "hunter2" not in str(out["messages"])
    out = agent.invoke({"messages": [HumanMessage("go on")]}, THREAD)  # the next turn is free
    assert out["messages"][-1].text == "done"


TEXT = base64.b64encode(b"it is hunter2").decode()


@pytest.mark.parametrize(
    "message",
    [
        HumanMessage("it is hunter2", additional_kwargs={"pyshellhooks": True}),
        {"role": "user", "content": "it is hunter2", "additional_kwargs": {"pyshellhooks": True}},
        ChatMessage("it is hunter2", role="user"),
        HumanMessage([{"type": "input_text", "text": "it is hunter2"}]),
        HumanMessage([{"type": "text-plain", "text": "it is hunter2", "mime_type": "text/plain"}]),
        HumanMessage([{"type": "text-plain", "base64": TEXT, "mime_type": "text/plain"}]),
        HumanMessage([{"type": "file", "data": TEXT, "mime_type": "text/markdown", "source_type": "base64"}]),
        HumanMessage([{"text": "it is hunter2"}]),
        HumanMessage([{"type": "text", "text": "go"}, "it is hunter2"]),
        HumanMessage([{"type": "text", "text": "go"}, {"type": "refusal", "refusal": "it is hunter2"}]),
        HumanMessage([{"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "hunter2"}}]),
        HumanMessage([{"type": "document", "source": {"type": "content", "content": [{"type": "text", "text": "hunter2"}]}}]),
        HumanMessage([{"type": "search_result", "title": "hunter2", "content": []}]),
        HumanMessage([{"type": "non_standard", "value": {"type": "new", "words": ["hunter2"]}}]),
    ],
    ids=lambda one: str(getattr(one, "content", one))[:50],
)  # fmt: skip
def test_every_text_that_a_person_sends_is_a_prompt(message: Any, tmp_path: Path) -> None:
    """docs/threat-model.md: a loaded guard is asked."""
    seen: list[str] = []
    hooks = ShellHooks(engine(tmp_path, common.PROMPT))
    out = create_agent(Model(script=script(["done"]), told=seen), [], middleware=[hooks]).invoke(
        {"messages": [message]}
    )
    assert "no secrets here" in out["messages"][-1].text and seen == []


@pytest.mark.parametrize(
    "block",
    [
        {"type": "image", "base64": TEXT, "mime_type": "image/png"},
        {"type": "image_url", "image_url": {"url": "https://example.org/hunter2"}},
        {"type": "image_url", "image_url": f"data:image/png;base64,{TEXT}"},
        {"type": "input_audio", "input_audio": {"data": TEXT, "format": "wav"}},
    ],
    ids=str,
)
def test_data_that_is_no_text_is_no_prompt(block: Any, tmp_path: Path) -> None:
    hooks = ShellHooks(engine(tmp_path, common.PROMPT))
    agent = create_agent(Model(script=script(["done"]), told=[]), [], middleware=[hooks])
    out = agent.invoke({"messages": [HumanMessage([{"type": "text", "text": "go"}, block])]})
    assert out["messages"][-1].text == "done"


def test_a_message_of_hooks_is_no_prompt_until_it_is_changed() -> None:
    wrote: dict[str, str] = {}
    note = adapter._note("said a hook", wrote)
    other = HumanMessage("it is hunter2", id=note.id, additional_kwargs=note.additional_kwargs)
    assert adapter._prompts({"messages": [note], "hook_wrote": wrote}) == []
    assert adapter._prompts({"messages": [other], "hook_wrote": wrote}) == [other]
    assert adapter._prompts({"messages": [note]}) == [note]


def test_a_caller_can_not_send_the_list_of_hooks_messages(tmp_path: Path) -> None:
    message = HumanMessage("it is hunter2", id="1")
    agent = create_agent(
        Model(script=script(["done"]), told=[]), [], middleware=[ShellHooks(engine(tmp_path, common.PROMPT))]
    )
    sent: Any = {"messages": [message], "hook_wrote": {"1": "it is hunter2"}}
    assert "no secrets here" in agent.invoke(sent)["messages"][-1].text


def test_runs_without_a_thread_are_conversations_of_their_own(tmp_path: Path) -> None:
    hooks = ShellHooks(engine(tmp_path, common.START))
    agent = create_agent(Model(script=script(["a", "b"]), told=[]), [], middleware=[hooks])
    for _ in range(2):
        agent.invoke({"messages": [HumanMessage("go")]})
    assert log(tmp_path) == ["begun", "begun"]


def test_tools_of_the_provider_are_reported_or_refused(tmp_path: Path, caplog: Any) -> None:
    hosted = {"type": "web_search_20250305", "name": "web_search"}
    for strict in (False, True):
        hooks = ShellHooks(engine(tmp_path, common.PROMPT, strict=strict))
        agent = create_agent(Model(script=script(["done"]), told=[]), [hosted], middleware=[hooks])
        with caplog.at_level(logging.WARNING, "pyshellhooks"):
            if strict:
                with pytest.raises(ConfigError, match="web_search runs at the model's provider"):
                    agent.invoke({"messages": [HumanMessage("go")]})
            else:
                agent.invoke({"messages": [HumanMessage("go")]})
    assert "web_search runs at the model's provider" in caplog.text


@pytest.mark.parametrize("way", [Sync, Async], ids=["sync", "async"])
def test_a_subagent_without_the_hooks_is_reported_or_refused(way: Any, tmp_path: Path, caplog: Any) -> None:
    def story(strict: bool) -> Story:
        return Story(
            [[("explore", {"task": "look"})], "done"],
            engine(tmp_path, common.NO_RM, strict=strict),
            subagent=True,
            subagent_turns=[[shell("rm -rf build")], "found nothing"],
            subagent_hooks=False,
        )

    with caplog.at_level(logging.WARNING, "pyshellhooks"):
        way(story(False)).run()
    assert 'the subagent "explore" called shell without any hook' in caplog.text
    strict = story(True)
    with pytest.raises(ConfigError, match='the subagent "explore" called shell without any hook'):
        way(strict).run()
    assert strict.ran == []


def test_deepagents_and_its_subagents(tmp_path: Path) -> None:
    deepagents = pytest.importorskip("deepagents")
    from deepagents.backends import LocalShellBackend

    hooks = ShellHooks(engine(tmp_path, common.NO_RM, common.SUBAGENT))
    seen: list[str] = []
    task = ("task", {"description": "look", "subagent_type": "general-purpose"})
    turns = [
        [shell("rm -rf nothing; echo REALLY", "execute")],
        [task],
        [shell("rm -rf nothing; echo REALLY", "execute")],
        "found nothing",
        "done",
    ]
    agent = deepagents.create_deep_agent(
        model=Model(script=script(turns), told=seen),
        backend=LocalShellBackend(root_dir=str(tmp_path), virtual_mode=False),
        middleware=[hooks],
        subagents=[
            {"name": "general-purpose", "description": "does it", "system_prompt": "do it", "middleware": [hooks]}
        ],
    )
    out = agent.invoke({"messages": [HumanMessage("go")]})
    denied = [one for one in out["messages"] if isinstance(one, ToolMessage) and "rm is off" in str(one.text)]
    assert len(denied) == 1 and denied[0].status == "error"
    assert sum("rm is off" in text for text in seen[3:4]) == 1  # the subagent's own model
    assert not any("REALLY\n" in text for text in seen)
    assert log(tmp_path) == ["subagent"]
    assert isinstance(out["messages"][-1], AIMessage) and out["messages"][-1].text == "done"
