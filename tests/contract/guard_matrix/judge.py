"""Compares what happened with what is expected of a cell."""

from __future__ import annotations

import re

from pyshellhooks import ConfigError, Verdict

from .bench import Bench
from .expectations import Row
from .systems import Event

_PLACE = re.compile(r"\(([^()]+):(\d+)\)")


def spoken(outcome: Verdict | Exception) -> str:
    """Say what happened, for the message of a failing test."""
    if isinstance(outcome, Exception):
        return f"{type(outcome).__name__}: {outcome}"
    followup = f", followup {outcome.followup!r}" if outcome.followup is not None else ""
    return f"{outcome!r}{followup}, notices {list(outcome.notices)}"


def denies(outcome: Verdict | Exception) -> bool:
    """Say whether it is what a healthy guard does about a bad call: it denies, or keeps the agent at work."""
    return isinstance(outcome, Verdict) and (outcome.blocked or outcome.followup is not None)


def passes(outcome: Verdict | Exception) -> bool:
    """Say whether it is what a healthy guard does about a good call."""
    return isinstance(outcome, Verdict) and outcome.proceeds and outcome.followup is None


def problem(bench: Bench, row: Row, variant: str, event: Event, expected: str, outcome: Verdict | Exception) -> str:
    """Say what is wrong with a cell; empty where it is as expected."""
    if expected == "not loaded":
        right = isinstance(outcome, ConfigError) and _placed(bench, event, str(outcome))
    elif expected == "told at start":
        right = passes(outcome) and any(_placed(bench, event, one) for one in bench.said if re.search(row.notice, one))
    elif expected == "not taken":
        right = isinstance(outcome, TypeError) and bool(re.search(row.notice, str(outcome)))
    else:
        right = passes(outcome) if expected == "told" else denies(outcome)
        if right and expected.endswith("told"):
            return _untold(bench, row, variant, event, outcome)
    return "" if right else f"expected {expected}: {spoken(outcome)}"


def _placed(bench: Bench, event: Event, text: str) -> bool:
    """Say whether a message names the file and a line of the hook."""
    places = re.findall(re.escape(str(bench.file)) + r":(\d+)", text)
    return any(int(line) in bench.lines(event) for line in places)


def _untold(bench: Bench, row: Row, variant: str, event: Event, outcome: Verdict | Exception) -> str:
    """Say what the notices lack: the hook's title or id, its file and line, the mend."""
    assert isinstance(outcome, Verdict)
    wanted = row.notice.replace("{variant}", variant)
    lacks = []
    for notice in outcome.notices:
        missing = [] if re.search(wanted, notice) else [f"no {wanted!r}"]
        if row.about == "hook" and not _placed(bench, event, notice):
            missing.append("no file and line")
        if row.about == "hook" and not any(name in notice for name in bench.names(event)):
            missing.append("no name of the hook")
        if not missing:
            return ""
        lacks.append(f"{notice!r}: {', '.join(missing)}")
    return "no notice" if not lacks else "; ".join(lacks)
