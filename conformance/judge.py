"""Compare what a case expects with what happened."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from .case import Case, HookCase, ShellCase
from .clock import patient
from .drivers import Outcome


def judge(case: Case, outcome: Outcome) -> list[str]:
    """Return one line for each thing that is not as expected; none means that it passes."""
    wrong = []
    if isinstance(case, ShellCase):
        wrong += shell(case, outcome)
    elif isinstance(case, HookCase):
        wrong += hook(case, outcome)
    wanted = {**(case.tree() if case.whole else {}), **case.wrote}
    for name in {**wanted, **outcome.wrote}:
        expected, found = wanted.get(name, False), outcome.wrote.get(name, False)
        if found != expected and not (expected is True and found is not False):
            wrong.append(f"file {name}: expected {expected!r}, got {found!r}")
    return wrong


def shell(case: ShellCase, outcome: Outcome) -> list[str]:
    """Compare the streams and the status of a script; a status that is not written down is 0."""
    wrong = []
    status = case.status or 0
    if outcome.status != status:
        wrong.append(f"status: expected {status}, got {outcome.status}")
    expected = case.stdout or ""
    if outcome.stdout != expected:
        wrong.append(f"stdout: expected {expected!r}, got {outcome.stdout!r}")
    if case.stderr is not None and outcome.stderr != case.stderr:
        wrong.append(f"stderr: expected {case.stderr!r}, got {outcome.stderr!r}")
    if case.stderr_matches is not None and not re.search(case.stderr_matches, outcome.stderr, re.MULTILINE):
        wrong.append(f"stderr: expected a match of {case.stderr_matches!r}, got {outcome.stderr!r}")
    if wrong and outcome.stderr and not any(line.startswith("stderr") for line in wrong):
        wrong.append(f"(its stderr: {outcome.stderr!r})")
    return wrong


def hook(case: HookCase, outcome: Outcome) -> list[str]:
    """Compare a verdict: only the fields that the case names, each exactly."""
    if case.error_matches is not None:
        if outcome.error is None:
            return [f"expected a config error that matches {case.error_matches!r}, got {dict(outcome.verdict)!r}"]
        if re.search(case.error_matches, outcome.error, re.MULTILINE):
            return []
        return [f"error: expected a match of {case.error_matches!r}, got {outcome.error!r}"]
    if outcome.error is not None:
        return [f"config error: {outcome.error}"]
    wrong = list(differences(case.verdict, outcome.verdict, ""))
    reason = str(outcome.verdict.get("reason"))
    if case.reason_matches is not None and not re.search(case.reason_matches, reason):
        wrong.append(f"reason: expected a match of {case.reason_matches!r}, got {reason!r}")
    notices = [*outcome.diagnostics, *_notices(outcome.verdict)]
    for pattern in case.notices_match:
        if not any(re.search(pattern, notice) for notice in notices):
            wrong.append(f"notices: none matches {pattern!r}: {notices!r}")
    if case.explain is not None:
        wrong += differences(list(case.explain), list(outcome.explained), "explain")
    if case.within is not None and outcome.seconds > (allowed := patient(1.5 * case.within)):
        wrong.append(f"took {outcome.seconds:.2f} s, allowed are {allowed:.1f} s: {case.within} s on an idle machine")
    return wrong


def _notices(verdict: Mapping[str, Any]) -> list[str]:
    found = [str(notice) for notice in verdict.get("notices", ())]
    for run in verdict.get("hooks", ()):
        found += [str(notice) for notice in run.get("notices", ())]
    return found


def differences(expected: Any, found: Any, where: str) -> list[str]:
    """Compare by the case's fields: tables by the keys they name, lists whole, the rest exactly.

    ``updated_input`` and what lies in it are compared whole; as a string it is compared as JSON text, order included.
    """
    name = where or "verdict"
    if where.endswith("updated_input"):
        if isinstance(expected, str) and not isinstance(found, str):
            text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
            return [] if text == expected else [f"{name}: expected {expected}, got {text}"]
        if expected == {} and found is None:
            return []
        return [] if found == expected else [f"{name}: expected {expected!r}, got {found!r}"]
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        wrong = []
        for key, value in expected.items():
            if key not in found:
                wrong.append(f"{name}: no field {key}")
            else:
                wrong += differences(value, found[key], f"{where}.{key}" if where else key)
        return wrong
    if isinstance(expected, list | tuple) and isinstance(found, list | tuple):
        if len(expected) != len(found):
            return [f"{name}: expected {len(expected)} entries, got {len(found)}: {found!r}"]
        return [
            line
            for n, (e, f) in enumerate(zip(expected, found, strict=True))
            for line in differences(e, f, f"{where}[{n}]")
        ]
    return (
        [] if expected == found and type(expected) is type(found) else [f"{name}: expected {expected!r}, got {found!r}"]
    )
