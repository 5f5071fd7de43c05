"""Run the real Claude Code on each row of ``permissions_claude_code.toml``, and record which of its calls ran.

    python -m tests.field.record_permissions package/claude

``record_mishaps.py`` says where the program comes from. A row that has an answer keeps it as long as its setup is the
same; ``--again`` asks about every row.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests import messages_api, recorded
from tests.field.permission_table import ANSWERS, Call, Row, rows
from tests.field.record_mishaps import run, version

_REMINDER = re.compile("<system-reminder>.*?</system-reminder>", re.DOTALL)
#: The program's words for a call that a rule, a mode or a hook keeps from running.
_REFUSED = re.compile(
    "Permission to use|has been denied|is denied by|denied access|^HOOK|hook error|needs approval|is disabled for this session"
)


def ask(binary: str, row: Row) -> dict[str, Any]:
    """Run the program once on a row, in a fresh home and project."""
    with tempfile.TemporaryDirectory(prefix="permission-", ignore_cleanup_errors=True) as folder:
        root = Path(folder)
        row.write(root)
        record = root / "requests"
        settings = root / "hooks.json"
        settings.write_text(json.dumps({"hooks": row.hooks(record)}))
        calls = row.calls
        left = [messages_api.call(f"toolu_{number}", call.tool, call.input) for number, call in enumerate(calls)]
        with messages_api.serving(lambda body: [left.pop(0) if left else messages_api.text("done")]) as server:
            argv = [binary, "-p", "go", "--model", "claude-sonnet-4-5", "--settings", str(settings)]
            argv += ["--permission-mode", row.setup.get("mode", "default")]
            done = run(argv, root / "project", messages_api.environment(f"{root}/home", server.server_port))
            outcomes = list(_outcomes(calls, server.asked[-1] if server.asked else [], _requests(record)))
        for call, outcome, words in outcomes:
            value = " ".join(map(str, call.input.values()))
            print(
                f"{row}: {outcome:5} {call.tool} {value[:70]!r}: {words.replace(folder, '')[:200]!r}", file=sys.stderr
            )
        if done.stderr.strip():
            print(f"{row}: {done.stderr.replace(folder, '')[:6000]}", file=sys.stderr, flush=True)
        return {"id": str(row), "setup": row.digest, "outcomes": [outcome for _, outcome, _ in outcomes]}


def _requests(record: Path) -> list[dict[str, Any]]:
    lines = record.read_text(encoding="utf-8").splitlines() if record.exists() else []
    return [json.loads(line) for line in lines]


def _outcomes(calls: Sequence[Call], messages: Sequence[dict[str, Any]], requests: list[dict[str, Any]]) -> Any:
    results = {}
    for message in messages:
        for block in message["content"] if isinstance(message["content"], list) else ():
            if block.get("type") == "tool_result":
                results[block["tool_use_id"]] = block
    for number, call in enumerate(calls):
        result = results.get(f"toolu_{number}", {})
        words = _REMINDER.sub("", str(result.get("content", "NO RESULT")))
        refused = not result or (result.get("is_error") and _REFUSED.search(words) is not None)
        asked = any(_is_about(call, request) for request in requests)
        yield call, "ask" if asked else "deny" if refused else "allow", words


def _is_about(call: Call, request: dict[str, Any]) -> bool:
    """Return whether the agent asked about this call; a hook may have rewritten its command."""
    given = request["tool_input"]
    if request["tool_name"] != call.tool:
        return False
    if str(given.get("command")).endswith(" changed"):
        return True
    return all(str(given.get(key)).endswith(str(value)) for key, value in call.input.items() if key in given)


if __name__ == "__main__":
    program = os.path.abspath(sys.argv[1])
    head = {"version": version("claude_code", program)}
    recorded.fill(ANSWERS, rows(), lambda row: ask(program, row), head, again="--again" in sys.argv)
