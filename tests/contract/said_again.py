"""Says verdicts in a system's words and reads them back through that system's own reader, as if a hook had answered."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

from pyshellhooks import HookEngine, Verdict, dialects
from pyshellhooks.engine import RecordedExecutor
from pyshellhooks.hooks.dialect import EventSpec
from pyshellhooks.hooks.fields import sample
from pyshellhooks.hooks.model import Decision, HookRun
from pyshellhooks.hooks.render import HookOutput
from pyshellhooks.jsontext.compact import loads, replace_lone_surrogates, well_formed

EDITIONS = [
    dialect(edition).full_name
    for dialect in map(dialects.dialect_class, dialects.names())
    for edition in dialect.editions
    if dialect.name != "toy"
]
EVENTS = [(name, native) for name in EDITIONS for native in dialects.get(name).events]
#: What a sample's tool was called with, and what it gave, where the samples are too thin to be changed.
INPUT = {"command": "rm -rf /", "timeout": 5, "nested": {"a": 1.50}}
_RANKS = {Decision.ALLOW: 0, Decision.NONE: 1, Decision.ASK: 2, Decision.DENY: 3}


class Bench:
    """An engine of one edition, with a hook on every event that answers what it is told to."""

    def __init__(self, name: str, **options: Any) -> None:
        self.dialect = dialects.get(name)
        self.run = HookRun()
        self.executor = RecordedExecutor(lambda job, scope: self.run)
        specs = [self.dialect.added(native, "hook") for native in self.dialect.events]
        self.engine = HookEngine(self.dialect, specs, executor=self.executor, cwd="/", env={}, **options)
        self._sessions = count()

    def fields(self, row: EventSpec, **changes: Any) -> dict[str, Any]:
        """Return an event's fields by their native names."""
        fields = sample(row, neutral=False)
        place = row.places.get("tool_input")
        if place is not None and not isinstance(fields.get(place), str):
            fields[place] = INPUT
        if row.native == "PostToolUse" and "tool_response" in row.named:
            fields["tool_response"] = {"stdout": "secret", "stderr": "", "interrupted": False, "isImage": False}
        # A conversation of its own: stops that were refused before are counted.
        return {**fields, row.places["session_id"]: f"s{next(self._sessions)}", **changes}

    def read(self, event: str, said: HookOutput, fields: dict[str, Any]) -> Verdict:
        """Fire the event at a hook that answers so."""
        self.run = HookRun(status=said.exit_code, stdout=said.stdout.encode(), stderr=said.stderr.encode())
        return self.engine.fire(event, fields)

    def again(self, event: str, verdict: Verdict, fields: dict[str, Any]) -> tuple[HookOutput, Verdict]:
        """Say a verdict, and read it back."""
        answer = self.dialect.answer(event, verdict, fields)
        return answer, self.read(event, answer, fields)


def refused(verdict: Verdict) -> bool:
    return verdict.halt or verdict.decision is Decision.DENY


def everything(verdict: Verdict) -> str:
    """All that the model is told."""
    output = verdict.updated_output_text or ""
    return "\n".join([verdict.reason, verdict.context, verdict.followup or "", output, _text(output)])


def _text(raw: str) -> str:
    try:
        value = json.loads(raw)
    except ValueError:
        return ""
    return "\n".join(_strings(value))


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in parts for text in _strings(part)]


def weaker(row: EventSpec, verdict: Verdict, read: Verdict) -> list[str]:
    """Say in what the verdict that was read is weaker than the one that was said; what no notice excuses."""
    found = []
    hidden = read.withholds or read.halt or read.updated_output_text is not None
    can_refuse = bool({"deny", "halt"} & row.can)
    result = bool({"after_tool", "after_model"} & set(row.neutral))
    stop = "followup" in row.can
    goes_on = stop and not verdict.halt and bool(read.followup)
    stands = result and "deny" not in row.can and not verdict.withholds and not verdict.halt  # a reason beside a result
    if refused(verdict) and can_refuse and not refused(read) and not goes_on and not stands:
        found.append("it is not refused")
    if stands and verdict.decision is Decision.DENY and "context" in row.can and verdict.reason not in everything(read):
        found.append("the model is not told")
    if verdict.halt and "halt" in row.can and not read.halt:
        found.append("the agent goes on")
    if (
        not stop
        and (can_refuse or "ask" in row.can)
        and _RANKS[read.decision] < _RANKS[verdict.decision]
        and not read.halt
    ):
        if verdict.decision is Decision.ASK:
            found.append("nobody is asked")
    replaced = verdict.updated_input_text
    if replaced is not None and can_refuse and not refused(verdict) and not refused(read) and not stop:
        if read.updated_input != loads(replace_lone_surrogates(replaced)):  # no UTF-8 says half a surrogate pair
            found.append("another input runs")
    if verdict.withholds and can_refuse and not hidden and row.guards == "result":
        found.append("the model sees the result")
    shown = verdict.updated_output_text
    if shown is not None and row.guards == "result" and not hidden:
        found.append("the model sees the old result")
    return found


def differences(verdict: Verdict, read: Verdict, allows: bool) -> list[str]:
    """Say in what the two differ. ``allows``: the program takes any answer without a decision for an allow."""
    found = []
    if verdict.decision is not read.decision and not (
        (allows and read.decision is Decision.ALLOW and verdict.decision is Decision.NONE)
        or (verdict.halt and read.halt)
    ):
        found.append(f"decision {verdict.decision}, not {read.decision}")
    if verdict.halt != read.halt:
        found.append("halt")
    if not refused(verdict):
        wanted, got = verdict.updated_input_text, read.updated_input_text
        if (wanted is None) != (got is None) or (wanted is not None and read.updated_input != loads(wanted)):
            found.append(f"input {wanted}, not {got}")
        if verdict.followup != read.followup and not (
            verdict.followup is not None and well(verdict.followup) == read.followup
        ):
            found.append(f"followup {verdict.followup!r}, not {read.followup!r}")
    if verdict.decision is Decision.ASK and verdict.reason and well(verdict.reason) not in read.reason:
        found.append("reason of an ask")
    if refused(verdict) and well(verdict.reason) not in everything(read):
        found.append("reason")
    if verdict.context and well(verdict.context) not in everything(read).replace("&lt;", "<").replace("&gt;", ">"):
        found.append("context")
    if verdict.user_message and well(verdict.user_message) not in read.user_message + everything(read):
        found.append("user_message")
    if verdict.updated_output_text is not None and not verdict.withholds and not verdict.halt:
        if well(_text(verdict.updated_output_text)) not in well(everything(read)):
            found.append("output")
    for name, value in verdict.effects.items():
        if read.effects.get(name) != value:
            found.append(f"effect {name}: {read.effects.get(name)}")
    return found


def well(text: str) -> str:
    """Return a text as UTF-8 can say it."""
    return well_formed(text)
