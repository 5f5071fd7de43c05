"""Merging in config order (crush 5)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyshellhooks.hooks.aggregate import blocking_reasons, contexts, shallow_merge, strongest
from pyshellhooks.hooks.model import Decision, HookOutcome
from pyshellhooks.jsontext.compact import dumps, loads


def deny(reason: str = "", halt: bool = False) -> HookOutcome:
    return HookOutcome(decision=Decision.DENY, reason=reason, halt=halt)


def allow(reason: str = "") -> HookOutcome:
    return HookOutcome(decision=Decision.ALLOW, reason=reason)


@pytest.mark.parametrize(
    ("outcomes", "decision"),
    [
        ([], "none"),
        ([HookOutcome()], "none"),
        ([allow(), HookOutcome()], "allow"),
        ([deny(), allow()], "deny"),
        ([allow(), deny()], "deny"),
        ([allow(), HookOutcome(decision=Decision.ASK)], "ask"),
    ],
)
def test_the_strongest_decision_wins(outcomes: list[HookOutcome], decision: str) -> None:
    assert strongest(outcomes) == decision
    assert strongest(outcomes[::-1]) == decision


def test_each_reason_of_a_blocking_hook_appears_once() -> None:
    outcomes = [allow("fine"), deny("one"), HookOutcome(reason="nothing"), deny("two", halt=True), deny("")]
    assert blocking_reasons(outcomes) == "one\ntwo"
    assert blocking_reasons([HookOutcome(halt=True, reason="stop")]) == "stop"


def test_contexts_join_whatever_the_decision() -> None:
    outcomes = [HookOutcome(context="a"), HookOutcome(), allow(), HookOutcome(decision=Decision.DENY, context="b\nc")]
    assert contexts(outcomes) == "a\nb\nc"


@pytest.mark.parametrize(
    ("original", "patches", "expected"),
    [
        # later overrides earlier; the original's and the earlier patch's other keys stay
        (
            '{"command":"a","timeout":60}',
            ['{"command":"b","x":1}', '{"command":"c"}'],
            '{"command":"c","timeout":60,"x":1}',
        ),
        ('{"o":{"a":1,"b":2}}', ['{"o":{"a":3}}'], '{"o":{"a":3}}'),  # nested objects are replaced whole
        ('{"b":1,"a":2}', ['{"z":1,"y":2,"a":3}'], '{"b":1,"a":3,"z":1,"y":2}'),  # places are kept, new ones appended
        ('{"n":1.0,"m":1e3}', ['{"k":2.50}'], '{"n":1.0,"m":1e3,"k":2.50}'),  # spelling is kept
        ("", ['{"a":1}'], '{"a":1}'),  # no input at all is {}
        ('{"a":1}', ["null"], None),  # the text null is an empty patch
        ('{"a":1}', ["{}"], None),
        ('{"a": 1}', ['{"a":1}'], None),  # nothing changed
        ('{"a":1}', ['{"a.b":2,"*":3,"":4}'], '{"a":1,"a.b":2,"*":3,"":4}'),  # keys are literal
        ('{"a":1,"a":2}', ['{"a":3}'], '{"a":3}'),  # no duplicate outlives its replacement
        ('{"a":1}', ['{"b":1,"b":2}'], '{"a":1,"b":2}'),
    ],
)
def test_patches_are_laid_over_top_level_keys(original: str, patches: list[str], expected: str | None) -> None:
    assert shallow_merge(original, patches) == (expected, [])


@pytest.mark.parametrize("bad", ['"text"', "[1]", "5", "{broken", "true", ""])
def test_a_patch_that_is_no_object_is_refused_and_the_others_go_on(bad: str) -> None:
    merged, refused = shallow_merge('{"a":1}', [bad, '{"a":2}'])
    assert merged == '{"a":2}'
    assert len(refused) == 1 and refused[0].startswith("updated_input is ignored: ")


@pytest.mark.parametrize("original", ['"text"', "[1]", "null"])
def test_an_input_that_is_no_object_refuses_every_patch(original: str) -> None:
    merged, refused = shallow_merge(original, ['{"a":2}', '{"b":2}'])
    assert merged is None and len(refused) == 2


OBJECTS = st.dictionaries(st.text(max_size=3), st.none() | st.integers() | st.text(max_size=3), max_size=4)


@pytest.mark.slow
@given(OBJECTS, st.lists(OBJECTS, max_size=4))
def test_it_equals_dict_update(original: dict[str, object], patches: list[dict[str, object]]) -> None:
    expected = dict(original)
    for patch in patches:
        expected.update(patch)
    merged, refused = shallow_merge(dumps(original), [dumps(patch) for patch in patches])
    assert refused == []
    assert loads(merged or dumps(original)) == expected
