"""The payload that a hook gets, read as a program would send it and fired again, is the same payload."""

from __future__ import annotations

import json
from typing import Any

import pytest
from said_again import EDITIONS, Bench

from pyshellhooks import UnknownEventError, dialects
from pyshellhooks.hooks.model import HookJob
from pyshellhooks.jsontext.compact import JSON, WireError

#: Tools' inputs whose spelling must last, as JSON text.
INPUTS = (
    '{"command":"ls","n":1.50,"big":123456789012345678901234567890,"e":1E3}',
    '{"b":{"z":1,"a":[1,{"y":"\\u00e9"}]},"nul":"\\u0000","html":"<&>","command":"x"}',
    '{"command":"\\ud83d\\ude00","a":1,"a":2}',
    "{}",
)


def payload_text(job: HookJob) -> str:
    """What a hook was given; Everruns has it in a variable."""
    return job.env.get("EVERRUNS_HOOK_PAYLOAD_JSON") or job.stdin.decode()


def payload(bench: Bench, event: str, fields: dict[str, JSON]) -> str:
    """Fire an event and give what its hook was told."""
    bench.executor.jobs.clear()
    bench.engine.fire(event, fields)
    assert len(bench.executor.jobs) == 1, (event, fields)
    return payload_text(bench.executor.jobs[0])


def without_time(text: str) -> Any:
    """Of an envelope of Everruns, all but the time at which it was made."""
    value = json.loads(text)
    return [(key, item) for key, item in value.items() if key != "ts"]


def same(bench: Bench, first: str, second: str) -> bool:
    if bench.dialect.name == "everruns":
        return without_time(first) == without_time(second)
    return first == second


@pytest.mark.parametrize("name", EDITIONS)
def test_a_payload_that_was_read_is_sent_again(name: str) -> None:
    bench = Bench(name)
    for native, row in bench.dialect.events.items():
        variants = [bench.fields(row), {field.native: field.sample for field in row.fields if field.sample is not None}]
        if "tool_input" in row.places:
            place = row.places["tool_input"]
            for text in INPUTS:
                whole = "{" + ",".join(
                    f'"{key}":{json.dumps(value)}' for key, value in bench.fields(row).items() if key != place
                )
                given = f'{whole},"{place}":{text}}}'
                bench.executor.jobs.clear()
                bench.engine.fire(native, given)
                first = payload_text(bench.executor.jobs[0])
                event, fields = bench.dialect.read(first)
                assert event == native and same(bench, first, payload(bench, event, fields)), (native, first)
        for given_fields in variants:
            first = payload(bench, native, given_fields)
            for form in (first, first.encode(), json.loads(first)):
                event, fields = bench.dialect.read(form)
                assert event == native
                again = payload(bench, event, fields)
                assert same(bench, first, again), f"{native}\n{first}\n{again}"


@pytest.mark.parametrize("name", EDITIONS)
def test_nothing_of_it_is_odd(name: str) -> None:
    """A payload that was read gives no notice about a field that the system itself has."""
    bench = Bench(name)
    for native, row in bench.dialect.events.items():
        first = payload(bench, native, bench.fields(row))
        event, fields = bench.dialect.read(first)
        verdict = bench.engine.fire(event, fields)
        assert not [notice for notice in verdict.notices if "unknown" in notice], (native, verdict.notices)


@pytest.mark.parametrize("name", EDITIONS)
def test_texts_that_are_no_payload(name: str) -> None:
    dialect = dialects.get(name)
    for text in ("", "[]", "{", "null", '"x"', "{}", f'{{"{dialect.event_key}":1}}', b"\xff{}"):
        with pytest.raises(WireError):
            dialect.read(text)
    row = next(iter(dialect.events.values()))
    for word in ("", "no_such_event", *[one for one in row.neutral if one not in dialect.events]):
        with pytest.raises(UnknownEventError):
            dialect.read({dialect.event_key: word})


def test_a_field_that_fire_has_an_option_for() -> None:
    """Firebender's payload has a ``timeout``: read as a payload, it is no bound of the firing."""
    bench = Bench("firebender")
    event, fields = bench.dialect.read(
        '{"hook_event_name":"beforeShellExecution","command":"ls","cwd":"/","timeout":0.001}'
    )
    text = payload(bench, event, fields)
    assert json.loads(text)["timeout"] == 0.001
