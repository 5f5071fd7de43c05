"""The story of the hooks in an agent, on each SDK."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import HookEngine
from pyshellhooks.errors import ConfigError
from tests.adapters import story as common
from tests.adapters.story import Story, engine, shell

pytestmark = pytest.mark.not_on_windows("needs-tools")


def log(cwd: Path) -> list[str]:
    """Return what hooks wrote down."""
    return (cwd / "log").read_text().split("\n")[:-1] if (cwd / "log").exists() else []


@pytest.mark.parametrize("stream", [False, True], ids=["run", "stream"])
def test_a_deny_reaches_the_model_and_the_tool_does_not_run(driver: Any, tmp_path: Path, stream: bool) -> None:
    story = Story([[shell("rm -rf build")], [shell("ls")], "done"], engine(tmp_path, common.NO_RM), stream=stream)
    outcome = driver(story).run()
    assert story.ran == ["ls"]
    (denied, error), (result, _) = outcome.results
    assert "rm is off" in denied and error == driver.marks_errors
    assert result == "ran ls"
    assert "rm is off" in story.seen[1]
    assert outcome.said == "done"


def test_a_tool_named_execute_is_a_shell(driver: Any, tmp_path: Path) -> None:
    if reason := getattr(driver, "named", ""):
        pytest.skip(reason)
    turns = [[shell("rm -rf build", "execute")], "done"]
    story = Story(turns, engine(tmp_path, common.NO_RM), tools=["execute"])
    outcome = driver(story).run()
    assert story.ran == [] and "rm is off" in outcome.results[0][0]


def test_a_rewrite_takes_effect(driver: Any, tmp_path: Path) -> None:
    story = Story([[shell("npm install")], "done"], engine(tmp_path, common.BUN))
    outcome = driver(story).run()
    assert story.ran == ["bun install"]
    assert outcome.results == [("ran bun install", False)]


def test_context_comes_before_and_after(driver: Any, tmp_path: Path) -> None:
    story = Story([[shell("ls")], "done"], engine(tmp_path, common.BEFORE, common.AFTER, common.SEES))
    driver(story).run()
    assert "said before" in story.seen[1] and "said after" in story.seen[1] and "ran ls" in story.seen[1]
    assert "ran ls" in "\n".join(log(tmp_path))  # hooks see the result


def test_a_result_is_withheld(driver: Any, tmp_path: Path) -> None:
    story = Story([[shell("cat key")], "done"], engine(tmp_path, common.WITHHOLD, dialect="gemini"))
    outcome = driver(story).run()
    assert story.ran == ["cat key"]
    assert "the result is secret" in outcome.results[0][0]
    assert "ran cat key" not in "\n".join(story.seen)


def test_a_result_is_rewritten(driver: Any, tmp_path: Path) -> None:
    story = Story([[shell("echo s3cret")], "done"], engine(tmp_path, common.MASK))
    outcome = driver(story).run()
    assert story.ran == ["echo s3cret"]
    assert outcome.results == [("ran echo ***", False)]
    assert "ran echo s3cret" not in story.seen[1]


@pytest.mark.parametrize("stream", [False, True], ids=["run", "stream"])
def test_a_prompt_is_rewritten(driver: Any, tmp_path: Path, stream: bool) -> None:
    hooks = HookEngine.load({"hooks": [common.SPELL_OUT]}, "everruns", cwd=str(tmp_path))
    story = Story([[shell("ls")], "done"], hooks, prompt="tidy up asap", stream=stream)
    driver(story).run()
    if getattr(driver, "rewrites", ""):  # says why it can't: then it must not go ahead as it was
        assert story.seen == [] and story.ran == []
        return
    assert len(story.seen) == 2
    assert all("tidy up now" in seen and "asap" not in seen for seen in story.seen)


def test_a_session_and_a_prompt_have_context(driver: Any, tmp_path: Path) -> None:
    story = Story([[shell("ls")], "done"], engine(tmp_path, common.START, common.PROMPT))
    driver(story).run()
    assert "the house uses tabs" in story.seen[0] and "the branch is main" in story.seen[0]
    assert log(tmp_path) == ["begun"]


def test_a_prompt_is_blocked(driver: Any, tmp_path: Path) -> None:
    story = Story(
        [[shell("ls")], "done"], engine(tmp_path, common.PROMPT, common.STOP), prompt="my password is hunter2"
    )
    outcome = driver(story).run()
    assert story.seen == [] and story.ran == []
    assert "no secrets here" in outcome.said
    assert log(tmp_path) == []  # no turn, and so no end of one


@pytest.mark.parametrize("stream", [False, True], ids=["run", "stream"])
def test_a_stop_continues_once(driver: Any, tmp_path: Path, stream: bool) -> None:
    story = Story(["all done", "tests pass", "too far"], engine(tmp_path, common.STOP), stream=stream)
    outcome = driver(story).run()
    assert outcome.said == "tests pass"
    assert "run the tests first" in story.seen[1]
    assert log(tmp_path) == ["stop", "stop"]


def test_a_stop_does_not_go_on_for_ever(driver: Any, tmp_path: Path) -> None:
    story = Story([f"done {n}" for n in range(30)], engine(tmp_path, common.STOP_ALWAYS))
    outcome = driver(story).run()
    assert outcome.said == f"done {len(story.seen) - 1}"
    assert 2 <= len(story.seen) < 15


@pytest.mark.parametrize(("hooks", "ran"), [(common.HALT, []), (common.HALT_AFTER, ["ls"])], ids=["before", "after"])
def test_a_halt_ends_the_turn(driver: Any, tmp_path: Path, hooks: Any, ran: list[str]) -> None:
    story = Story([[shell("ls")], "done"], engine(tmp_path, hooks, common.STOP))
    outcome = driver(story).run()
    assert story.ran == ran
    assert len(story.seen) == 1  # the model is not asked again
    assert "enough for today" in outcome.said
    assert log(tmp_path) == []


def test_a_hook_that_crashes_is_reported_or_denies(driver: Any, tmp_path: Path, caplog: Any) -> None:
    story = Story([[shell("ls")], "done"], engine(tmp_path, common.CRASH))
    with caplog.at_level(logging.WARNING, "pyshellhooks"):
        driver(story).run()
    assert story.ran == ["ls"] and "broken" in caplog.text
    strict = Story([[shell("ls")], "done"], engine(tmp_path, common.CRASH, strict=True))
    driver(strict).run()
    assert strict.ran == []


def test_an_internal_fault_denies(driver: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hooks = engine(tmp_path, common.NO_RM)

    def broken(event: str, fields: Any) -> Any:
        if event == "before_tool":
            raise RuntimeError("a fault of ours")
        return fire(event, fields)

    async def abroken(event: str, fields: Any) -> Any:
        return broken(event, fields)

    fire = hooks.fire
    monkeypatch.setattr(hooks, "fire", broken)
    monkeypatch.setattr(hooks, "afire", abroken)
    story = Story([[shell("ls")], "done"], hooks)
    outcome = driver(story).run()
    assert story.ran == [] and "a fault of ours" in outcome.results[0][0]


def test_calls_side_by_side(driver: Any, tmp_path: Path) -> None:
    turns = [[shell("ls"), shell("rm -rf build"), shell("npm test")], "done"]
    story = Story(turns, engine(tmp_path, common.NO_RM, common.BUN))
    outcome = driver(story).run()
    assert sorted(story.ran) == ["bun test", "ls"]
    first, second, third = (text for text, _ in outcome.results)
    assert first == "ran ls" and "rm is off" in second and third == "ran bun test"


@pytest.mark.parametrize("yes", [True, False], ids=["yes", "no"])
def test_a_person_is_prompted(driver: Any, tmp_path: Path, yes: bool) -> None:
    asked = []

    def on_ask(tool: str, arguments: Any, question: str) -> bool:
        asked.append((tool, dict(arguments), question))
        return yes

    story = Story([[shell("git push")], "done"], engine(tmp_path, common.ASK), on_ask=on_ask)
    outcome = driver(story).run()
    assert asked == [(getattr(driver, "shell", "shell"), {"command": "git push"}, "push it?")]
    assert story.ran == (["git push"] if yes else [])
    assert yes or "push it?" in outcome.results[0][0]


def test_no_person_can_be_prompted(driver: Any, tmp_path: Path) -> None:
    story = Story([[shell("git push")], "done"], engine(tmp_path, common.ASK))
    outcome = driver(story).run()
    assert story.ran == [] and "push it?" in outcome.results[0][0]


@pytest.mark.parametrize("yes", [True, False], ids=["yes", "no"])
def test_the_framework_prompts_in_its_own_way(driver: Any, tmp_path: Path, yes: bool) -> None:
    story = Story([[shell("ls"), shell("git push")], "done"], engine(tmp_path, common.ASK), ask="defer")
    one = driver(story)
    outcome = one.run()
    assert outcome.questions == ["push it?"] and "git push" not in story.ran and len(story.seen) == 1
    outcome = one.resume(yes)
    assert story.ran == (["ls", "git push"] if yes else ["ls"])
    assert outcome.said == "done" and outcome.questions == []
    assert outcome.results[0] == ("ran ls", False)
    rejected = getattr(driver, "rejected", "not confirmed")
    assert outcome.results[1][0] == "ran git push" if yes else rejected in outcome.results[1][0]
    assert log(tmp_path) == ["asked", "asked"]  # no hook ran twice


def test_a_subagent_is_guarded(driver: Any, tmp_path: Path) -> None:
    if not driver.subagents:
        pytest.skip("the SDK has no agents inside a tool that know of each other")
    story = Story(
        [[("explore", {driver.argument: "look"})], "done"],
        engine(tmp_path, common.NO_RM, common.START, common.SUBAGENT),
        subagent=True,
        subagent_turns=[[shell("rm -rf build")], "found nothing"],
    )
    outcome = driver(story).run()
    assert story.ran == [] and any("rm is off" in seen for seen in story.seen)
    assert outcome.said == "done" and "found nothing" in outcome.results[0][0]
    assert log(tmp_path) == ["begun", "subagent"]  # one conversation; the end of a subagent is not the end of the turn


def test_a_tool_that_raises(driver: Any, tmp_path: Path) -> None:
    """What a tool raises is what it would be without hooks; the hooks are told of it."""
    hooks = common.claude("PostToolUseFailure", "jq -r .error >> log")
    story = Story([[shell("boom")], "done"], engine(tmp_path, hooks))
    try:
        driver(story).run()
    except Exception as error:
        assert "the tool broke" in str(error)
    assert log(tmp_path)[-1:] == ["the tool broke"]  # the last line: a shell says its status before


def test_a_guard_that_never_runs_is_refused_under_strict(driver: Any, tmp_path: Path, caplog: Any) -> None:
    story = Story(["done"], engine(tmp_path, common.ELSEWHERE, dialect="gemini"))
    with caplog.at_level(logging.WARNING, "pyshellhooks"):
        driver(story).run()
    assert "the hook never runs for it" in caplog.text
    strict = Story(["done"], engine(tmp_path, common.ELSEWHERE, dialect="gemini", strict=True))
    with pytest.raises(ConfigError, match=f"misses the tool {getattr(driver, 'shell', 'shell')}"):
        driver(strict).run()
    assert strict.seen == []
