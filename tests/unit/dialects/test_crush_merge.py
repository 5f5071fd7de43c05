"""Selection, deduplication and composition of several hooks (crush 1.2, 3.1, 5)."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from pyshellhooks.engine import HookEngine, RecordedExecutor
from pyshellhooks.hooks.model import HookRun
from pyshellhooks.hooks.verdict import Verdict


def answer(**fields: object) -> HookRun:
    return HookRun(stdout=json.dumps(fields).encode())


def fire(answers: Mapping[str, HookRun], tool_input: object = None, dialect: str = "crush") -> Verdict:
    """Fire one hook for each answer, in the order of the mapping."""
    config = {"hooks": {"PreToolUse": [{"command": command} for command in answers]}}
    engine = HookEngine.load(config, dialect, executor=RecordedExecutor(answers), cwd="/w", env={})
    return engine.fire("PreToolUse", tool_name="bash", tool_input={} if tool_input is None else tool_input)


def test_no_hooks_no_opinion() -> None:
    verdict = fire({})
    assert (verdict.decision, verdict.halt, verdict.hooks, verdict.notices) == ("none", False, (), ())
    assert verdict.updated_input is None and verdict.proceeds


def test_deny_beats_allow_and_keeps_the_others_context() -> None:
    verdict = fire({"a": answer(decision="allow", context="c"), "b": answer(decision="deny", reason="r")})
    assert (verdict.decision, verdict.reason, verdict.context) == ("deny", "r", "c")
    assert [row.decision for row in verdict.hooks] == ["allow", "deny"]


def test_reasons_of_denies_join_and_an_allows_reason_stays_in_its_row() -> None:
    runs = {
        "a": answer(decision="deny", reason="1"),
        "b": answer(decision="allow", reason="no"),
        "c": HookRun(status=2, stderr=b"2"),
    }
    verdict = fire(runs)
    assert verdict.reason == "1\n2" and [row.reason for row in verdict.hooks] == ["1", "no", "2"]


def test_allow_overrides_no_decision() -> None:
    assert fire({"a": HookRun(), "b": answer(decision="allow")}).decision == "allow"


def test_halt_is_sticky_and_has_one_reason() -> None:
    verdict = fire({"a": answer(halt=True, reason="stop"), "b": answer(decision="allow"), "c": HookRun()})
    assert (verdict.halt, verdict.decision, verdict.reason, verdict.user_message) == (True, "allow", "stop", "stop")
    assert not verdict.proceeds
    both = fire({"a": answer(decision="deny", halt=True, reason="once")})
    assert (both.decision, both.halt, both.reason) == ("deny", True, "once")


def test_contexts_join_over_strings_and_arrays() -> None:
    verdict = fire({"a": answer(context="x"), "b": answer(context=["y", "", "z"]), "c": answer(context="")})
    assert verdict.context == "x\ny\nz"


def test_patches_compose_in_config_order() -> None:
    verdict = fire(
        {
            "a": answer(updated_input={"command": "1", "x": 1}),
            "b": answer(decision="allow", updated_input={"command": "2"}),
        },
        {"command": "0", "timeout": 60000},
    )
    assert verdict.updated_input == {"command": "2", "timeout": 60000, "x": 1}
    assert verdict.updated_input_text == '{"command":"2","timeout":60000,"x":1}'


@pytest.mark.parametrize("blocker", [answer(decision="deny"), answer(halt=True), HookRun(status=2), HookRun(status=49)])
def test_patches_are_ignored_when_blocked(blocker: HookRun) -> None:
    verdict = fire({"a": answer(updated_input={"command": "1"}), "b": blocker}, {"command": "0"})
    assert verdict.updated_input is None and verdict.hooks[0].input_rewrite and not verdict.hooks[1].input_rewrite


def test_a_refused_patch_is_a_notice_and_the_next_one_counts() -> None:
    runs = {"a": answer(updated_input=[1]), "b": answer(updated_input="{broken"), "c": answer(updated_input={"k": 1})}
    verdict = fire(runs, {"a": 0})
    assert verdict.updated_input == {"a": 0, "k": 1} and len(verdict.notices) == 2
    assert [row.input_rewrite for row in verdict.hooks] == [True, True, True]


def test_a_claude_string_is_not_unwrapped() -> None:
    verdict = fire({"a": answer(hookSpecificOutput={"updatedInput": '{"a":1}'})})
    assert verdict.updated_input is None and len(verdict.notices) == 1


def test_an_input_that_is_no_object_takes_no_patch() -> None:
    verdict = fire({"a": answer(updated_input={"a": 1})}, '"text"')
    assert verdict.updated_input is None and len(verdict.notices) == 2  # the input, and the patch


def test_an_unchanged_input_is_no_rewrite() -> None:
    assert fire({"a": answer(updated_input={"a": 1})}, {"a": 1}).updated_input is None


@pytest.mark.parametrize(
    ("dialect", "patch", "expected"),
    [
        ("crush", {"a.b": 1}, {"x": 0, "a.b": 1}),
        ("crush@shipped", {"a.b": 1}, {"x": 0, "a": {"b": 1}}),
        ("crush", {"*": 1}, {"x": 0, "*": 1}),
        ("crush@shipped", {"*": 1}, None),
        ("crush@shipped", {"": 1}, None),
        ("crush@shipped", {"k": 1}, {"x": 0, "k": 1}),
        ("crush@shipped", {"x": 0}, None),
    ],
)
def test_keys_are_literal_and_paths_only_in_shipped(dialect: str, patch: object, expected: object) -> None:
    assert fire({"a": answer(updated_input=patch)}, {"x": 0}, dialect).updated_input == expected


def test_order_is_the_configs_even_when_the_first_one_is_the_last_to_finish() -> None:
    import threading

    second = threading.Event()

    def run(job: object, scope: object) -> HookRun:
        if job.command == "a":  # type: ignore[attr-defined]
            assert second.wait(60)
            return answer(context="a", updated_input={"k": "a"})
        second.set()
        return answer(context="b", updated_input={"k": "b"})

    config = {"hooks": {"PreToolUse": [{"command": "a"}, {"command": "b"}]}}
    engine = HookEngine.load(config, "crush", executor=RecordedExecutor(run), cwd="/", env={})
    verdict = engine.fire("PreToolUse", tool_input={})
    assert verdict.context == "a\nb" and verdict.updated_input == {"k": "b"}


def test_equal_commands_run_once_and_the_first_of_a_file_wins() -> None:
    entries = [{"command": "x", "name": "first"}, {"command": "y"}, {"command": "x", "name": "second"}]
    recorded = RecordedExecutor()
    engine = HookEngine.load({"hooks": {"PreToolUse": entries}}, "crush", executor=recorded, cwd="/", env={})
    assert [row.name for row in engine.fire("PreToolUse").hooks] == ["first", "y"]
    assert sorted(recorded.commands()) == ["x", "y"]


def test_duplicates_are_dropped_only_among_matching_hooks() -> None:
    entries = [{"command": "x", "matcher": "^ls$", "name": "ls"}, {"command": "x", "name": "all"}]
    engine = HookEngine.load({"hooks": {"PreToolUse": entries}}, "crush", executor=RecordedExecutor(), cwd="/", env={})
    assert [row.name for row in engine.fire("PreToolUse", tool_name="bash").hooks] == ["all"]
    assert [row.name for row in engine.fire("PreToolUse", tool_name="ls").hooks] == ["ls"]
