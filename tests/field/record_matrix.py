"""Run the real Claude Code or Gemini CLI on each row of ``matrix_*.toml``, and record what came of the session.

    python -m tests.field.record_matrix claude_code package/claude
    python -m tests.field.record_matrix gemini package/bundle/gemini.js

``record_mishaps.py`` says where the programs come from. A row that has an answer keeps it as long as its setup is the
same; ``--again`` asks about every row.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests import gemini_api, messages_api, recorded
from tests.field.matrix_table import CALL, FOLDER, Facts, Session, looked_at, sessions
from tests.field.record_mishaps import run, version

#: Lines on Gemini CLI's standard error that name the hooks themselves.
_NAMES_HOOKS = re.compile(r"^\s*- |Hook execution for|Hook\(s\) \[")


def answers(system: str) -> Path:
    """Return the file of a program's recorded sessions."""
    return FOLDER / f"matrix_{system}.json"


def _claude(binary: str, row: Session, root: Path) -> tuple[Facts, str]:
    left = [messages_api.call("toolu_1", "Bash", CALL)]
    with messages_api.serving(lambda body: [left.pop(0) if left else messages_api.text("done")]) as server:
        argv = [binary, "-p", "go", "--model", "claude-sonnet-4-5"]
        argv += ["--output-format", "stream-json", "--verbose", "--include-hook-events"]
        if not row.setup.get("asks"):
            argv.append("--dangerously-skip-permissions")
        done = run(argv, root / "project", messages_api.environment(f"{root}/home", server.server_port))
        call, made = looked_at(root / "project")
        read = "\n".join(_strings(server.asked[-1:]))
        shown = "\n".join(_shown(done.stdout))
        facts = Facts(call, made, len(server.asked), row.words(read), row.words(shown))
        results = [block for message in server.asked[-1:] for block in _blocks(message)]
        text = " ".join(_strings([block["content"] for block in results if block.get("type") == "tool_result"]))
        return facts, f"{text} | {shown} | {done.stderr}"


def _blocks(messages: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for message in messages:
        if isinstance(message["content"], list):
            yield from message["content"]


def _shown(stream: str) -> Iterator[str]:
    """Yield the texts of a run's events that are for a person."""
    for line in stream.splitlines():
        event = json.loads(line)
        if event["type"] == "system" and event["subtype"] == "informational":
            yield event["content"]
        if event["type"] == "result":
            yield event.get("result") or ""


def _gemini(script: str, row: Session, root: Path) -> tuple[Facts, str]:
    parts = [{"functionCall": {"name": "run_shell_command", "args": CALL}}]
    gemini_api.select_key(root / "home")
    with gemini_api.serving(lambda body: parts.pop(0) if parts else {"text": "done"}) as server:
        environment = gemini_api.environment(f"{root}/home", server.server_port)
        argv = ["node", script, "-p", "go", "--yolo", "-m", "gemini-2.5-flash"]
        done = run(argv, root / "project", environment)
        call, made = looked_at(root / "project")
        read = "\n".join(_strings([body["contents"] for body in server.requests[-1:]]))
        lines = (done.stdout + done.stderr).splitlines()
        shown = "\n".join(line for line in lines if not _NAMES_HOOKS.search(line))
        facts = Facts(call, made, len(server.requests), row.words(read), row.words(shown))
        last = [body["contents"][-1] for body in server.requests[-1:]]
        return facts, f"{last} | {shown}"


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _strings(one)


PROGRAMS: dict[str, Callable[[str, Session, Path], tuple[Facts, str]]] = {"claude_code": _claude, "gemini": _gemini}


def run_program(system: str, program: str, row: Session) -> dict[str, Any]:
    """Run the program once on a row, in a fresh home and project."""
    with tempfile.TemporaryDirectory(prefix="matrix-", ignore_cleanup_errors=True) as folder:
        root = Path(folder)
        (root / "home").mkdir()
        row.write(root)
        facts, words = PROGRAMS[system](program, row, root)
        print(f"{row}: {facts}: {words.replace(folder, '')[:700]!r}", file=sys.stderr, flush=True)
        return {"id": str(row), "setup": row.digest, **facts._asdict()}


def record(system: str, program: str, again: bool) -> None:
    """Ask about every row that has no answer yet, and write the table after each."""
    head = {"version": version(system, program)}
    recorded.fill(answers(system), sessions(system), lambda row: run_program(system, program, row), head, again=again)


if __name__ == "__main__":
    record(sys.argv[1], os.path.abspath(sys.argv[2]), "--again" in sys.argv)
