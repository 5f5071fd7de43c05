"""What mypy says of a hook: what an event can't say is a type error, in the place where it is written."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import pyshellhooks

pytestmark = pytest.mark.not_on_windows("needs-tools")

ROOT = Path(pyshellhooks.__file__).parents[1]
SAMPLE = """\
from typing import assert_type

from pyshellhooks.types import claude_code, crush, cursor, docker_agent, everruns, firebender, gemini

if "rm -rf" in event.tool_input.get("command", ""):
    event.deny("no rm -rf")
event.answer("ask", "sure?", context="x", user_message="y")
event.answer(updated_input={"command": "ls"})
event.answer(updated_input="ls")  # error: arg-type
event.answer("block")  # error: arg-type
event.answer(followup="go on")  # error: call-arg
event.answer(reson="typo")  # error: call-arg
event.tool_nmae  # error: attr-defined
if event.permission_mode == "plan":
    event.allow()

crush.PreToolUse.read().ask("?")  # error: attr-defined
crush.PreToolUse.read().answer("ask")  # error: arg-type
crush.PreToolUse.read().halt("enough")
docker_agent.PreToolUse.read().ask("sure?")
docker_agent.PreToolUse.read().halt("enough")  # error: attr-defined
everruns.PreToolUse.read().deny(everruns.PreToolUse.read().tool_input["commands"])
everruns.UserPromptSubmit.read().answer(updated_input="another prompt")
cursor.BeforeShellExecution.read().ask(cursor.BeforeShellExecution.read().command)
cursor.PreToolUse.read().ask("?")  # error: attr-defined
firebender.Stop.read().answer(followup="run the tests")
firebender.Stop.read().deny("no")  # error: attr-defined
gemini.BeforeModel.read().answer(llm_request={"model": "another"})
assert_type(gemini.BeforeModel.read().llm_request.messages[0].content, str)
assert_type(claude_code.Stop.read().stop_hook_active, bool)

if claude_code.SessionStart.read().source == "startpu":  # error: comparison-overlap
    pass
if isinstance(one := claude_code.read(), claude_code.Stop):
    one.answer(followup="go on")
output: gemini.BeforeToolOutputDict = {"decision": "deny", "reason": "no"}
wrong: gemini.BeforeToolOutputDict = {"decision": "deyn"}  # error: typeddict-item
gemini.BeforeToolOutput(decision="deny", reason="no").answer()
payload: crush.PreToolUseDict = {"event": "PreToolUse", "session_id": "s"}  # error: typeddict-item
"""


@pytest.mark.slow
def test_mypy_on_right_and_wrong_use(tmp_path: Path) -> None:
    lines = SAMPLE.splitlines()
    # Nothing stands behind a call that never returns: each statement is a function of its own.
    head, body = lines[:3], "\n".join(lines[3:])
    blocks = [block for block in re.split(r"\n(?=\S)", body) if block.strip()]
    wanted: dict[int, str] = {}
    text = [*head, "", "event = claude_code.PreToolUse.read()"]
    for number, block in enumerate(blocks):
        text.append(f"def f{number}() -> None:")
        for line in block.splitlines():
            found = re.search(r"# error: (\S+)", line)
            text.append(f"    {line}")
            if found:
                wanted[len(text)] = found[1]
    sample = tmp_path / "sample.py"
    sample.write_text("\n".join(text) + "\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--follow-imports=silent", str(sample)],
        capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    found = {
        int(line.split(":")[1]): line.rsplit("[", 1)[1][:-1] for line in done.stdout.splitlines() if ": error:" in line
    }
    assert found == wanted, done.stdout + "\n".join(f"{n} {line}" for n, line in enumerate(text, 1))
    assert done.returncode == 1
