"""Run the real Claude Code or Gemini CLI on each row of ``mishaps_*.toml``, and record whether the guard stopped the call.

    npm pack @anthropic-ai/claude-code-linux-x64@2.1.332 && tar xzf anthropic-ai-*.tgz
    python -m tests.field.record_mishaps claude_code package/claude
    npm pack @google/gemini-cli@0.61.0 && tar xzf google-*.tgz
    python -m tests.field.record_mishaps gemini package/bundle/gemini.js          # needs node 20

A row that has an answer keeps it as long as its setup is the same; ``--again`` asks about every row. Nothing of it needs a
network: the program talks to a scripted API on loopback, which plays a model that wants one shell call.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from tests import gemini_api, messages_api, recorded
from tests.field.mishap_table import FOLDER, Mishap, mishaps

LIMIT = 300  # seconds of one run
# Messages of the programs on standard error where they leave a file or a part of it out.
LEFT_OUT = {
    "did not load": "dropped",
    "entries were skipped": "skipped",
    "Invalid configuration": "dropped",
    "Error in": "dropped",
    "Invalid": "skipped",
    "Discarding": "skipped",
}
# Lines on standard error that have nothing to do with a row.
USUAL = re.compile(
    "will be retired|YOLO|256-color|project-level hooks|will be executed|^- |do not trust this project|^$"
)


class Seen(NamedTuple):
    """One run, as it can be seen from outside.

    ``answer``  the call "passed" or was "blocked", or the run was "stopped" before the model read its outcome
    ``file``    the hooks' file was "loaded", "dropped", or "skipped" in part
    ``words``   the program's messages, for the one who records
    """

    answer: str
    file: str
    words: str


def answers(system: str) -> Path:
    """Return the file of a program's recorded answers."""
    return FOLDER / f"mishaps_{system}.json"


def _claude(binary: str, row: Mishap, root: Path) -> Seen:
    mark = root / "ran"
    left = [messages_api.call(f"toolu_{number}", "Bash", call) for number, call in enumerate(_calls(row, mark))]
    with messages_api.serving(lambda body: [left.pop(0) if left else messages_api.text("done")]) as server:
        argv = [binary, "-p", "go", "--model", "claude-sonnet-4-5", "--dangerously-skip-permissions"]
        if "plugin" in row.setup:
            argv += ["--plugin-dir", str(row.project(root) / row.setup["plugin"])]
        environment = messages_api.environment(f"{root}/home", server.server_port)
        done = _run(argv, row, root, environment)
        return _answer(done, mark, [_texts(messages[-1]) for messages in server.asked])


def _gemini(script: str, row: Mishap, root: Path) -> Seen:
    mark = root / "ran"
    calls = [{"functionCall": {"name": "run_shell_command", "args": call}} for call in _calls(row, mark)]
    gemini_api.select_key(root / "home")
    with gemini_api.serving(lambda body: calls.pop(0) if calls else {"text": "done"}) as server:
        environment = gemini_api.environment(f"{root}/home", server.server_port)
        done = _run(["node", script, "-p", "go", "--yolo", "-m", "gemini-2.5-flash"], row, root, environment)
        return _answer(done, mark, [_texts(body["contents"][-1]) for body in server.requests])


def _calls(row: Mishap, mark: Path) -> Iterable[dict[str, str]]:
    if "moved" in row.setup:
        yield {"command": f"cd '{row.setup['moved']}'", "description": "move"}
    # Where the agent has no PATH, its own call must not need one.
    touch = ": touch >" if "PATH" in row.setup.get("env", {}) else "touch"
    yield {"command": f"{row.setup.get('call', '')}{touch} '{mark}'", "description": "work"}


def run(argv: list[str], cwd: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a program to its end in a session of its own: the kernel shares its time among sessions, on a busy machine too."""
    return subprocess.run(
        argv,
        cwd=cwd,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=LIMIT,
        check=False,
        start_new_session=True,
    )


def _run(argv: list[str], row: Mishap, root: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return run(argv, row.project(root) / row.setup.get("inside", ""), row.environment(environment))


def _texts(message: dict[str, Any]) -> str:
    """Return the texts of the last message to the model: the outcome of its call."""
    if "parts" in message:
        return json.dumps([part.get("functionResponse", part).get("response", part) for part in message["parts"]])
    blocks = message["content"] if isinstance(message["content"], list) else [message]
    return json.dumps([block.get("content", block.get("text")) for block in blocks])


def _answer(done: subprocess.CompletedProcess[str], mark: Path, read: list[str]) -> Seen:
    """Return the outcome as it can be seen from outside: whether the call ran, and whether the file was loaded."""
    where = str(mark.parent)
    words = done.stderr.replace(where, "")
    became = next((name for words_of, name in LEFT_OUT.items() if words_of in words), "loaded")
    outcome = "passed" if mark.exists() else "blocked"
    if len(read) < 2:
        outcome = "stopped"  # the model was not asked again: the run ended, or never began
    lines = [line.strip() for line in words.splitlines() if not USUAL.search(line)]
    return Seen(outcome, became, " ".join(lines) or "".join(read[-1:]))


PROGRAMS: dict[str, Callable[[str, Mishap, Path], Seen]] = {"claude_code": _claude, "gemini": _gemini}


def run_program(system: str, program: str, row: Mishap) -> dict[str, Any]:
    """Run the program once on a row, in a fresh home and project."""
    with tempfile.TemporaryDirectory(prefix="mishap-", ignore_cleanup_errors=True) as folder:
        root = Path(folder)
        (root / "home").mkdir()
        row.write(root)
        answer, file, words = PROGRAMS[system](program, row, root)
        print(f"{row}: {answer}, {file}: {words[:300]}", file=sys.stderr, flush=True)
        return {"id": str(row), "setup": row.digest, "answer": answer, "file": file}


def version(system: str, program: str) -> str:
    """Return the version of a program."""
    argv = [program] if system == "claude_code" else ["node", program]
    return subprocess.run([*argv, "--version"], capture_output=True, text=True, check=True).stdout.strip()


def record(system: str, program: str, again: bool) -> None:
    """Ask about every row that has no answer yet, and write the table after each."""
    head = {"version": version(system, program), "sh": os.path.basename(os.path.realpath("/bin/sh"))}
    recorded.fill(answers(system), mishaps(system), lambda row: run_program(system, program, row), head, again=again)


if __name__ == "__main__":
    record(sys.argv[1], os.path.abspath(sys.argv[2]), "--again" in sys.argv)
