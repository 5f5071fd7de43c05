"""Matchers that several systems share: lists of words, and regular expressions (crush 3.1)."""

from __future__ import annotations

import pytest

from pyshellhooks.engine import HookEngine, RecordedExecutor


@pytest.mark.parametrize(
    ("matcher", "tool", "runs"),
    [
        (None, "bash", True),
        ("", "bash", True),
        ("^bash$", "bash", True),
        ("^bash$", "bash2", False),
        ("bash", "mcp_x_bash", True),  # unanchored
        ("bash", "Bash", False),  # case counts
        ("^mcp_", "mcp_git_push", True),
        ("^(edit|write|multiedit)$", "write", True),
        ("^(edit|write|multiedit)$", "rewrite", False),
        ("edit|write", "rewrite", True),
        ("^edit|write$", "rewrite", True),
        ("^edit|write$", "medit", False),
        ("bash$", "bash\n", False),  # $ is the end of the text only
        ("(?i)BASH", "bash", True),
        ("b.sh", "bash", True),
        (r"^\w+$", "é", False),  # ASCII classes
        ("a b", "a b", True),
    ],
)
def test_matchers(matcher: str | None, tool: str, runs: bool) -> None:
    entry = {"command": "x"} if matcher is None else {"command": "x", "matcher": matcher}
    engine = HookEngine.load({"hooks": {"PreToolUse": [entry]}}, "crush", executor=RecordedExecutor(), cwd="/", env={})
    assert bool(engine.fire("PreToolUse", tool_name=tool).hooks) is runs
    assert engine.explain("PreToolUse", tool_name=tool)[0].matches is runs
