"""A converted guard gives the verdict of the original, on the same calls, for every pair of systems."""

from __future__ import annotations

from pathlib import Path

import pytest
from converting import PAIRS, call, call_row, config_of, converted, for_shell, guard

from pyshellhooks import dialects
from pyshellhooks.convert import Conversion
from pyshellhooks.convert.answers import needs_allow
from pyshellhooks.hooks.dialect import CLOSED, Dialect
from pyshellhooks.hooks.verdict import Verdict


def can_run_behind_client(source: Dialect, target: Dialect) -> bool:
    assert target.config_form is not None
    return target.config_form.programs and not source.session_files


def expected(original: Verdict, target: Dialect) -> tuple[str, object]:
    """Return the decision and the new input of a verdict in another system: the nearest that is as strict."""
    can = call_row(target).can
    decision = original.decision.value
    if original.updated_input is not None:
        if "rewrite" not in can:
            return "deny", None
        if decision != "allow" and needs_allow(target, call_row(target)):
            return "deny", None  # the allow beside a rewrite would let the call run unasked
    if decision == "allow" and original.updated_input is None and "allow" not in can:
        decision = "none"
    return decision, original.updated_input


def assert_as_strong(conversion: Conversion, source: Dialect) -> None:
    """Only the end of a hook that fails may be weaker, where each failure denies in its own system: that is listed."""
    weaker = {loss.about for loss in conversion.losses if loss.weaker}
    closed = {ended for ended, effect in call_row(source).failure.items() if effect == CLOSED} - {"cancelled"}
    assert weaker <= ({"failure"} if closed else set()), conversion.losses


@pytest.mark.one_in(15)
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_a_guard_that_reads_its_payload(source: str, target: str, tmp_path: Path) -> None:
    here, there = dialects.get(source), dialects.get(target)
    conversion, before, after = converted(source, target, config_of(here, for_shell(here, guard(here))), tmp_path)
    assert conversion.hooks == 1
    if not can_run_behind_client(here, there):
        is_same = not conversion.losses
        assert conversion.weaker or is_same, "a script that reads other words must be listed"
        return
    assert not conversion.weaker, conversion.losses
    with before, after:
        for command in ("git push --force", "git status", "npm test", "ls"):
            original, new = call(before, command), call(after, command)
            decision, value = expected(original, there)
            assert new.decision.value in (decision, "allow" if value is not None else decision), command
            assert new.updated_input == value, command
        denied = call(after, "git push --force")
        assert (denied.decision.value, denied.reason) == ("deny", "not so")


@pytest.mark.one_in(15)
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_a_guard_that_reads_nothing_needs_no_client(source: str, target: str, tmp_path: Path) -> None:
    """A matcher and an exit status mean the same in every system."""
    here = dialects.get(source)
    config = config_of(here, for_shell(here, "echo 'no shell here' >&2; exit 2"))
    conversion, before, after = converted(source, target, config, tmp_path, wrap=False)
    assert_as_strong(conversion, here)
    assert "pyshellhooks-hook" not in conversion.text
    with before, after:
        for tool, given in (("bash", {"command": "ls"}), ("write_file", {"file_path": "/x", "content": "y"})):
            original = before.fire("before_tool", tool_name=tool, tool_input=given)
            new = after.fire("before_tool", tool_name=tool, tool_input=given)
            if any(loss.about == "matcher" for loss in conversion.losses):
                assert new.decision >= original.decision, tool  # it is listed that the hook runs on more calls
            else:
                assert (new.decision, new.reason) == (original.decision, original.reason), tool


@pytest.mark.one_in(42, slow=7)
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_a_timeout_ends_both(source: str, target: str, tmp_path: Path) -> None:
    here = dialects.get(source)
    key, unit = here.timeout_key
    hook = for_shell(here, "sleep 60", **{key: 1000 if unit == "milliseconds" else 1})
    conversion, before, after = converted(source, target, config_of(here, hook), tmp_path, wrap=False)
    with before, after:
        original, new = call(before, "ls"), call(after, "ls")
    assert_as_strong(conversion, here)
    assert [result.ended for result in new.hooks] == [result.ended for result in original.hooks] == ["timed_out"]
    assert new.decision >= original.decision  # a system may have one key for all failures
