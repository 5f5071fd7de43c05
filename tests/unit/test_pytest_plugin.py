"""The fixture for people who write hooks, used as they would use it."""

from __future__ import annotations

from pathlib import Path

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
TALKS = "echo seen; echo a >&2; echo b >&2; exit 3"
COLOURS = "tput() { printf '\\033[31m'; }; tput; seq 1000"
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

def test_calls_with_other_options_have_an_engine_of_their_own(fire_hooks):
    config = {"hooks": {"PreToolUse": [{"command": "exit $CODE"}]}}
    for options, decision in (
        ({"env": {"CODE": "1"}}, "none"),
        ({"env": {"CODE": "2"}}, "deny"),
        ({"env": {"CODE": "1"}, "on_failure": "closed"}, "deny"),
        ({"env": {"CODE": "1"}}, "none"),
    ):
        verdict = fire_hooks(config, "PreToolUse", tool_name="view", dialect="crush", **options)
        assert verdict.decision == decision, options

def test_that_must_fail(fire_hooks):
    config = {"hooks": {"PreToolUse": [{"command": "sh talks.sh"}]}}
    assert fire_hooks(config, "PreToolUse", tool_name="view", dialect="crush").decision == "deny"

def test_long_and_strange(fire_hooks):
    config = {"hooks": {"PreToolUse": [{"command": "sh colours.sh"}]}}
    assert fire_hooks(config, "PreToolUse", tool_name="view", dialect="crush").halt
"""


def test_fixture(pytester: pytest.Pytester, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONUTF8", "1")  # pytester reads the output as UTF-8
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).resolve().parents[2]))
    pytester.makefile(".json", crush=CONFIG)
    pytester.makefile(".sh", guard=GUARD, talks=TALKS, colours=COLOURS)
    pytester.makepyfile(TESTS)
    # From a checkout that is not installed, the plugin must be named.
    installed = pytestconfig.pluginmanager.has_plugin("pyshellhooks")
    # A run in this process would forget the modules that it imports first, and later tests would have two of each.
    result = pytester.runpytest_subprocess(*([] if installed else ["-p", "pyshellhooks.pytest_plugin"]))
    result.assert_outcomes(passed=4, failed=2)
    result.stdout.fnmatch_lines(
        [
            "*test_that_must_fail*",
            "*hooks*",
            "PreToolUse: none",
            "    ended: nonzero with 3, after * ms; decision: none",
            "    stdout: seen",
            "    stderr:",
            "      a",
            "      b",
            "  notice: *",
            "*test_long_and_strange*",
            r"    stdout:",
            r"      \x1b[[]31m1",
            "      2",
            "      … and * characters more",
        ]
    )
    assert "no force" not in result.stdout.str()  # the test passed
