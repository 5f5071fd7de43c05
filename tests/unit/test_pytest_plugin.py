"""The fixture for people who write hooks, used as they would use it."""

from __future__ import annotations

import pytest

pytest_plugins = ["pytester"]

CONFIG = """
{"hooks": {"PreToolUse": [{"matcher": "bash", "command": "sh guard.sh"}]}}
"""
GUARD = """
case $(jq -r .tool_input.command) in
  *--force*) echo "no force" >&2; exit 2 ;;
esac
"""
TESTS = """
CRUSH = "crush.json"

def test_denied(fire_hooks):
    verdict = fire_hooks(CRUSH, "PreToolUse", tool_name="bash", tool_input={"command": "git push --force"})
    assert verdict.decision == "deny" and verdict.reason == "no force"

def test_passed(fire_hooks):
    assert fire_hooks(CRUSH, "before_tool", tool_name="Bash", tool_input={"command": "git push"}, spawn=False).proceeds

def test_text_and_payload(fire_hooks):
    text = '{"hooks": {"PreToolUse": [{"command": "exit 2"}]}}'
    assert fire_hooks(text, "PreToolUse", '{"tool_name": "view"}', dialect="crush").decision == "deny"

def test_that_must_fail(fire_hooks):
    assert fire_hooks(CRUSH, "PreToolUse", tool_name="view").decision == "deny"
"""


@pytest.mark.portable
def test_fixture(pytester: pytest.Pytester, pytestconfig: pytest.Config) -> None:
    pytester.makefile(".json", crush=CONFIG)
    pytester.makefile(".sh", guard=GUARD)
    pytester.makepyfile(TESTS)
    # From a checkout that is not installed, the plugin must be named.
    installed = pytestconfig.pluginmanager.has_plugin("pyshellhooks")
    result = pytester.runpytest_inprocess(*([] if installed else ["-p", "pyshellhooks.pytest_plugin"]))
    result.assert_outcomes(passed=3, failed=1)
