"""Facts, their classification, and the verdict's public face."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator

import pytest

from pyshellhooks.hooks.model import Decision, HookOutcome, HookRun, HookSpec
from pyshellhooks.hooks.session import HookSession
from pyshellhooks.hooks.suggest import did_you_mean
from pyshellhooks.hooks.tools import mcp_parts
from pyshellhooks.hooks.verdict import HookResult, Verdict
from pyshellhooks.jsontext.recover import TooNoisy, objects


def test_decisions_are_ordered_words() -> None:
    assert Decision.NONE < Decision.ALLOW < Decision.ASK < Decision.DENY
    assert max([Decision.ALLOW, Decision.DENY, Decision.NONE]) is Decision.DENY
    assert Decision.DENY == "deny" and str(Decision.ASK) == "ask" and json.dumps(Decision.ALLOW) == '"allow"'
    assert {Decision.DENY: 1}["deny"] == 1
    assert Decision.DENY >= "ask" and Decision.ALLOW <= "ask"


@pytest.mark.parametrize(
    ("run", "ended"),
    [
        (HookRun(), "ok"),
        (HookRun(status=1), "nonzero"),
        (HookRun("signaled", 137), "nonzero"),
        (HookRun("stopped", None, reason="deadline"), "timed_out"),
        (HookRun("stopped", None, reason="cancelled"), "cancelled"),
        (HookRun("stopped", None, reason="limit", limit="output"), "too_much_output"),
        (HookRun("stopped", None, reason="limit", detail="call_depth"), "stopped"),
        (HookRun("stopped", None, reason="regex"), "stopped"),
        (HookRun("stopped", None, reason="refused"), "not_started"),
        (HookRun("abandoned", None, reason="deadline"), "abandoned"),
        (HookRun("not_started", None), "not_started"),
    ],
)
def test_how_a_run_ended(run: HookRun, ended: str) -> None:
    assert run.classify() == ended


def test_the_json_of_a_verdict_has_the_public_fields_in_order() -> None:
    spec = HookSpec("E", "cmd", id="x")
    row = HookResult(spec, HookRun(stdout=b"o\xff", stderr=b"e", seconds=0.5, notices=("n",)), HookOutcome())
    verdict = Verdict("E", Decision.DENY, reason="r\udcff", updated_input_text='{"a":1}', hooks=[row], notices=["m"])
    shown = verdict.as_json()
    assert list(shown) == [
        "decision",
        "halt",
        "reason",
        "user_message",
        "context",
        "updated_input",
        "updated_output",
        "withholds",
        "followup",
        "effects",
        "hooks",
        "notices",
        "faults",
    ]
    assert shown["hooks"] == [
        {
            "id": "x",
            "command": "cmd",
            "ended": "ok",
            "exit_code": 0,
            "seconds": 0.5,
            "decision": "none",
            "stdout": "o\ufffd",
            "stderr": "e",
            "notices": ["n"],
        }
    ]
    assert shown["updated_input"] == {"a": 1} and shown["updated_output"] is None and shown["followup"] is None
    json.dumps(shown).encode()


@pytest.mark.parametrize(
    ("decision", "halt", "said"),
    [  # said: proceeds, needs_approval, blocked
        ("none", False, (True, False, False)),
        ("allow", False, (True, False, False)),
        ("ask", False, (False, True, False)),
        ("deny", False, (False, False, True)),
        ("none", True, (False, False, True)),
        ("allow", True, (False, False, True)),
        ("ask", True, (False, False, True)),
        ("deny", True, (False, False, True)),
    ],
)
def test_forms_that_a_host_may_use(decision: str, halt: bool, said: tuple[bool, bool, bool]) -> None:
    verdict = Verdict(decision=Decision(decision), halt=halt)
    assert (verdict.proceeds, verdict.needs_approval, verdict.blocked) == said


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('log {"a":1} tail', [{"a": 1}]),
        ('{"a":{"b":1}}{"c":2}', [{"a": {"b": 1}}, {"c": 2}]),
        ('{ broken {"a":1}', [{"a": 1}]),
        ('"{" {"a":"}"}', [{"a": "}"}]),
        ("no object", []),
        ("{" * 5000 + '"a":1}', [{"a": 1}]),
    ],
)
def test_objects_in_noise(text: str, found: list[object]) -> None:
    assert list(objects(text)) == found


@pytest.mark.slow
def test_hostile_noise_is_abandoned_soon() -> None:
    assert list(objects("{" * 3_000_000)) == []
    with pytest.raises(TooNoisy):
        list(objects('{"a" ' * 1_000_000))
    with pytest.raises(TooNoisy):
        list(objects('{"a":' * 400_000))


def test_did_you_mean() -> None:
    assert did_you_mean("pre_tool_uze", ["PreToolUse"]) == 'did you mean "PreToolUse"?'
    assert did_you_mean("xyz", ["PreToolUse"]) == ""


@pytest.mark.parametrize(
    ("tool", "parts"),
    [
        ("mcp__srv__do_it", ("srv", "do_it")),
        ("mcp_srv_do_it", ("srv", "do_it")),
        ("bash", None),
        ("mcp__x", None),
        ("mcp:s:t", ("s", "t")),
        ("MCP:t", None),
    ],
)
def test_mcp_names(tool: str, parts: tuple[str, str] | None) -> None:
    assert mcp_parts(tool) == parts


@pytest.fixture
def hasty() -> Iterator[None]:
    """Switch threads as often as can be, so that what is not one step shows."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("hasty")
def test_counts_of_threads_are_whole() -> None:
    session = HookSession("s")
    firsts: list[bool] = []

    begin = threading.Barrier(6)

    def work() -> None:
        begin.wait()
        for number in range(5000):
            session.count("stops")
            firsts.append(session.once(str(number)))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert session.counters == {"stops": 30_000}
    assert sum(firsts) == 5000
