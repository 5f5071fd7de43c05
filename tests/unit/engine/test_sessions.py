"""What a conversation keeps: systems x ways to name it x sequences of events (decisions sessions)."""

from __future__ import annotations

import gc
import json
import threading
from collections.abc import Callable
from typing import Any

import pytest

from pyshellhooks import HookEngine, HookSession
from pyshellhooks.engine import RecordedExecutor, sessions
from pyshellhooks.hooks.model import HookRun

TEXT = "there is more to do"
BLOCK = json.dumps({"decision": "block", "reason": TEXT})
FLAT = json.dumps({"followup_message": TEXT})


def grouped(event: str) -> dict[str, Any]:
    return {"hooks": {event: [{"hooks": [{"type": "command", "command": "more"}]}]}}


def flat(limit: int | None) -> dict[str, Any]:
    return {"version": 1, "hooks": {"stop": [{"command": "more", "loop_limit": limit}]}}


# system: its config, its hook's answer, and how a payload shows that stops were refused before
SYSTEMS: dict[str, tuple[dict[str, Any], str, Callable[[dict[str, Any]], Any]]] = {
    "claude_code": (grouped("Stop"), BLOCK, lambda told: told["stop_hook_active"]),
    "gemini": (grouped("AfterAgent"), BLOCK, lambda told: told["stop_hook_active"]),
    "firebender": (flat(None), FLAT, lambda told: told["loop_count"]),
    "cursor": (flat(None), FLAT, lambda told: told["loop_count"]),
}
COUNTS = ("firebender", "cursor")  # these tell a number, the others whether it is above 0

WAYS: dict[str, Callable[[HookEngine], dict[str, Any]]] = {
    "field": lambda engine: {"session_id": "s"},
    "id": lambda engine: {"session": "s"},
    "HookSession": lambda engine: {"session": HookSession("s")},
    "engine.session": lambda engine: {"session": engine.session("s")},
    "HookSession without id": lambda engine: {"session": HookSession()},
    "engine.session without id": lambda engine: {"session": engine.session()},
    "nothing": lambda engine: {},
}
WITHOUT_ID = ("HookSession without id", "engine.session without id", "nothing")

# What happens, and how many stops each S is told that hooks have refused since the person's last prompt.
# S the agent wants to stop, P a person's prompt, F a follow-up's, T the follow-up's text without a word about it,
# N that text from a person who says so (followup=False), E the session's end, C a tool call
SEQUENCES = {
    "SSS": [0, 1, 2],
    "SSPS": [0, 1, 0],
    "PSSPSPS": [0, 1, 0, 0],
    "SFSFS": [0, 1, 2],
    "STSTS": [0, 1, 2],
    "SNS": [0, 0],
    "SFPS": [0, 0],  # a turn interrupted after a follow-up: the next prompt is a person's
    "SPTS": [0, 0],  # the text of long ago is a person's
    "SCSCS": [0, 1, 2],
}
AFTER_THE_END = {"SSES": [0, 1, 0], "SEESS": [0, 0, 1]}  # without an id: with one, the conversation may be resumed

STEPS: dict[str, tuple[str, dict[str, Any]]] = {
    "S": ("after_agent", {}),
    "P": ("before_prompt", {"prompt": "something else"}),
    "F": ("before_prompt", {"prompt": "go on", "followup": True}),
    "T": ("before_prompt", {"prompt": TEXT}),
    "N": ("before_prompt", {"prompt": TEXT, "followup": False}),
    "E": ("session_end", {}),
    "C": ("before_tool", {"tool_name": "x", "tool_input": {}}),
}


def loaded(system: str, **options: Any) -> tuple[HookEngine, RecordedExecutor]:
    config, answer, _ = SYSTEMS[system]
    recorded = RecordedExecutor({"more": HookRun(stdout=answer.encode())})
    return HookEngine.load(config, system, executor=recorded, cwd="/w", env={}, **options), recorded


def payloads_of(recorded: RecordedExecutor) -> list[dict[str, Any]]:
    return [json.loads(job.stdin) for job in recorded.jobs]


def run(system: str, way: str, sequence: str) -> list[Any]:
    engine, recorded = loaded(system)
    with engine:
        given = WAYS[way](engine)
        for step in sequence:
            event, fields = STEPS[step]
            engine.fire(event, **given, **fields)
        return [SYSTEMS[system][2](one) for one in payloads_of(recorded)]


def expected(system: str, counts: list[int]) -> list[Any]:
    return counts if system in COUNTS else [count > 0 for count in counts]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("sequence", SEQUENCES)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_stops_are_counted(system: str, way: str, sequence: str) -> None:
    assert run(system, way, sequence) == expected(system, SEQUENCES[sequence])


@pytest.mark.parametrize("sequence", AFTER_THE_END)
@pytest.mark.parametrize("way", WITHOUT_ID)
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_end_of_a_session_begins_another(system: str, way: str, sequence: str) -> None:
    assert run(system, way, sequence) == expected(system, AFTER_THE_END[sequence])


@pytest.mark.parametrize("way", WAYS)
def test_claude_overrules_the_ninth_refusal_in_a_row(way: str) -> None:
    engine, _ = loaded("claude_code")
    with engine:
        given = WAYS[way](engine)
        verdicts = [engine.fire("after_agent", **given) for _ in range(9)]
        assert [verdict.followup is not None for verdict in verdicts] == [True] * 8 + [False]
        assert any("refused 8 stops" in notice for notice in verdicts[8].notices)
        engine.fire("before_prompt", prompt="next", **given)
        assert engine.fire("after_agent", **given).followup == TEXT


@pytest.mark.parametrize("system", COUNTS)
@pytest.mark.parametrize("way", WAYS)
def test_loop_limits_hold_and_a_prompt_resets_them(system: str, way: str) -> None:
    recorded = RecordedExecutor({"more": HookRun(stdout=FLAT.encode())})
    with HookEngine.load(flat(2), system, executor=recorded, cwd="/w", env={}) as engine:
        given = WAYS[way](engine)
        found = [engine.fire("stop", **given).followup for _ in range(4)]
        assert found == [TEXT, TEXT, None, None]
        engine.fire("before_prompt", prompt="next", **given)  # Firebender has no such event: it counts all the same
        assert engine.fire("stop", **given).followup == TEXT


@pytest.mark.parametrize("event", ["UserPromptSubmit", "before_prompt"])
def test_a_native_prompt_counts_too(event: str) -> None:
    engine, recorded = loaded("claude_code")
    with engine:
        for name in ("Stop", event, "Stop"):
            engine.fire(name, prompt="x") if name == event else engine.fire(name)
    assert [one["stop_hook_active"] for one in payloads_of(recorded)] == [False, False]


def test_followup_is_for_the_engine_and_in_no_payload() -> None:
    recorded = RecordedExecutor()
    config = {"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "x"}]}]}}
    with HookEngine.load(config, "claude_code", executor=recorded, cwd="/w", env={}) as engine:
        verdict = engine.fire("before_prompt", prompt="x", followup=True)
    assert "followup" not in payloads_of(recorded)[0] and not verdict.notices


# -- ids --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ids",
    [
        [{"session_id": "a"}, {"session_id": "b"}],
        [{"conversation_id": "a"}, {"conversation_id": "b"}],
        [{"session_id": 1}, {"session_id": 2}],
        [{"session": HookSession(), "session_id": "a"}, {"session": HookSession(), "session_id": "b"}],
        [{"session": HookSession("x"), "session_id": "a"}, {"session": HookSession("x"), "session_id": "b"}],
        [{"session": "x", "session_id": "a"}, {"session": "x", "session_id": "b"}],
        [{"session": HookSession("a")}, {"session": HookSession("b")}],
        [{"session_id": "a"}, {}],
        [{"project_dir": "/p"}, {"project_dir": "/q"}],
    ],
)
def test_two_ids_never_share_counts(ids: list[dict[str, Any]]) -> None:
    engine, recorded = loaded("cursor")
    with engine:
        for given in (*ids, *ids):
            engine.fire("stop", **given)
    assert [one["loop_count"] for one in payloads_of(recorded)] == [0, 0, 1, 1]


def test_an_id_in_the_fields_precedes_the_sessions_own() -> None:
    engine, recorded = loaded("claude_code")
    with engine:
        engine.fire("Stop", session_id="field", response="")
        verdict = engine.fire("Stop", session=HookSession("other"), session_id="field", response="")
    assert [one["session_id"] for one in payloads_of(recorded)] == ["field", "field"]
    assert [one["stop_hook_active"] for one in payloads_of(recorded)] == [False, True]
    assert 'the event belongs to the session "field", but was fired in "other"' in verdict.notices[0]


@pytest.mark.parametrize(
    "system", ["crush", "gemini", "docker_agent", "everruns", "firebender", "claude_code", "cursor"]
)
def test_payloads_of_a_session_without_an_id_have_one(system: str) -> None:
    from pyshellhooks import dialects

    dialect = dialects.get(system)
    row = next(row for row in dialect.events.values() if "before_tool" in row.neutral and not row.when)
    recorded = RecordedExecutor()
    with HookEngine(system, [dialect.added(row.native, "x")], executor=recorded, cwd="/", env={}) as engine:
        session = HookSession()
        for given in ({}, {}, {"session": session}, {"session": session}, {"session_id": "mine"}):
            engine.fire("before_tool", tool_name="Bash", tool_input={"command": "ls"}, **given)
        engine.fire("session_end", session=session)
        engine.fire("before_tool", tool_name="Bash", tool_input={"command": "ls"}, session=session)
    key = "conversation_id" if system in COUNTS else "session_id"
    ids = [job.env.get("EVERRUNS_HOOK_SESSION_ID") or json.loads(job.stdin)[key] for job in recorded.jobs]
    assert len(ids[0]) == 36 and len(set(ids[:4])) == 1
    assert ids[4] == "mine" and len(ids[5]) == 36 and ids[5] != ids[0]


# -- two without an id ------------------------------------------------------------------------------------------------


def crowded(notices: tuple[str, ...]) -> bool:
    return any("2 sessions without an id are open in /w" in notice for notice in notices)


def test_two_open_sessions_without_an_id_are_reported_on_every_verdict() -> None:
    engine, recorded = loaded("cursor")
    with engine:
        first, second = engine.session(), engine.session()
        assert [crowded(engine.fire("stop", session=one).notices) for one in (first, second, None)] == [True] * 3
        assert [one["loop_count"] for one in payloads_of(recorded)] == [0, 1, 2]  # they are one
        engine.fire("session_end", session=first)
        assert not crowded(engine.fire("stop", session=second).notices)


@pytest.mark.slow
def test_a_session_that_is_gone_is_not_open() -> None:
    engine, _ = loaded("cursor")
    with engine:
        first = engine.session()
        engine.fire("stop", session=first)
        del first
        gc.collect()
        second = HookSession()
        assert not engine.fire("stop", session=second).notices
        assert second.counters == {"followups": 1}  # and what it counted has gone with it


def test_strict_refuses_the_second_when_it_is_made_and_never_when_it_fires() -> None:
    engine, _ = loaded("cursor", strict=True)
    with engine:
        first = engine.session()
        with pytest.raises(RuntimeError, match="a session without an id is open in /w; give each session an id: "):
            engine.session()
        assert engine.session("one") is engine.session("one")
        second = HookSession()
        assert crowded(engine.fire("stop", session=second).notices)
        engine.fire("session_end", session=second)
        engine.fire("session_end", session=first)
        assert not engine.fire("stop", session=engine.session()).notices


def test_directories_and_engines_have_sessions_of_their_own() -> None:
    (one, _), (two, _) = loaded("cursor"), loaded("cursor")
    with one, two:
        here, there = HookSession(), HookSession()
        one.fire("stop", session=here, project_dir="/p")
        assert not one.fire("stop", session=there, project_dir="/q").notices
        assert not two.fire("stop", session=HookSession(), project_dir="/p").notices


# -- once, variables, files -------------------------------------------------------------------------------------------


def test_once_is_true_the_first_time() -> None:
    engine, _ = loaded("cursor")
    with engine:
        for session in (engine.session("a"), HookSession(), engine.session()):
            assert [session.once("session_start") for _ in range(3)] == [True, False, False]
        late = HookSession()
        assert late.once("session_start")
        engine.fire("stop", session=late, project_dir="/elsewhere")
        assert not late.once("session_start") and late.once("other")
        engine.fire("session_end", session=late)
        assert late.once("session_start")  # another conversation


SKILL = "---\nhooks:\n  PreToolUse:\n    - hooks:\n        - {type: command, command: x, once: true}\n---\n"


@pytest.mark.parametrize("way", WAYS)
def test_a_hook_that_runs_once_does(way: str) -> None:
    recorded = RecordedExecutor()
    with HookEngine.load(text=SKILL, dialect="claude_code", name="SKILL.md", executor=recorded, cwd="/w") as engine:
        given = WAYS[way](engine)
        ran = [len(engine.fire("before_tool", tool_name="x", **given).hooks) for _ in range(3)]
        assert ran == [1, 0, 0]
        engine.fire("before_prompt", prompt="next", **given)
        assert not engine.fire("before_tool", tool_name="x", **given).hooks
        if way in ("field", "nothing"):
            (why,) = engine.explain("before_tool", tool_name="x", **given)
            assert not why.matches and why.reason == "it runs once per session, and has already run"


def test_variables_need_an_id() -> None:
    config = {"hooks": {"sessionStart": [{"command": "start"}], "preToolUse": [{"command": "tool"}]}}
    recorded = RecordedExecutor({"start": HookRun(stdout=b'{"env": {"COLOUR": "red"}}')})
    with HookEngine.load(config, "cursor", executor=recorded, cwd="/w", env={}) as engine:
        for given in ({"session_id": "s"}, {}, {"session": HookSession()}):
            verdict = engine.fire("session_start", **given)
            engine.fire("before_tool", tool_name="x", tool_input={}, **given)
            told_so = any("COLOUR: not kept" in notice for notice in verdict.notices)
            assert (recorded.jobs[-1].env.get("COLOUR"), told_so) == (
                ("red", False) if "session_id" in given else (None, True)
            )


@pytest.mark.parametrize("way", WAYS)
def test_files_need_an_id(way: str) -> None:
    hooks = [
        {"event": "session_start", "executor": {"type": "bash", "command": "echo no > rules"}},
        {
            "event": "pre_tool_use",
            "executor": {"type": "bash", "command": 'test ! -e rules || { echo "$(cat rules)" >&2; exit 2; }'},
        },
    ]
    with HookEngine.load({"hooks": hooks}, "everruns", spawn=False, cwd="/w", env={}) as engine:
        given = WAYS[way](engine)
        notices = engine.fire("session_start", **given).notices
        verdict = engine.fire("before_tool", tool_name="bash", tool_input={}, **given)
    without = way in WITHOUT_ID
    assert verdict.decision == ("none" if without else "deny")
    assert any("rules: not kept" in notice for notice in notices) is without


# -- threads ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_threads_lose_no_count(way: str) -> None:
    engine, recorded = loaded("cursor")
    with engine:
        given = WAYS[way](engine)
        begin = threading.Barrier(8)

        def fire() -> None:
            begin.wait()
            for _ in range(25):
                engine.fire("stop", **given)

        threads = [threading.Thread(target=fire) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        engine.fire("stop", **given)
    assert payloads_of(recorded)[-1]["loop_count"] == 200


def test_threads_share_one_session_of_an_id() -> None:
    engine, _ = loaded("cursor")
    with engine:
        begin = threading.Barrier(8)
        found: list[HookSession] = []

        def find() -> None:
            begin.wait()
            found.append(engine.session("new"))

        threads = [threading.Thread(target=find) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(set(map(id, found))) == 1


def test_the_sessions_with_an_id_are_those_that_were_used_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "REMEMBERED", 2)
    registry = sessions.SessionsById()
    first, second = registry.of("a"), registry.of("b")
    assert registry.of("a") is first and registry.known("c") is None
    registry.of("c")
    assert registry.known("b") is None and registry.known("a") is first and registry.of("b") is not second
