"""Asks Gemini CLI's own hook runner and aggregator what they make of the answers that we say, and records it.

    npm install --ignore-scripts @google/gemini-cli-core
    python -m tests.contract.record_gemini_answers node_modules/@google/gemini-cli-core

Node runs the two from the package: a command hook that prints what ``answer`` said, and the object that the rest of
the program asks (``shouldStopExecution`` and the like). Nothing of it needs a network.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from pyshellhooks import Verdict, dialects
from tests.recorded import write

FILE = Path(__file__).with_name("gemini_answers.json")
INPUT = {"command": "rm -rf /", "timeout": 5}
_RESPONSE = {"candidates": [{"content": {"role": "model", "parts": ["another"]}, "finishReason": "STOP"}]}
FIELDS: dict[str, dict[str, Any]] = {
    "BeforeTool": {"tool_name": "run_shell_command", "tool_input": INPUT},
    "AfterTool": {"tool_name": "run_shell_command", "tool_input": INPUT, "tool_response": {"llmContent": "secret"}},
    "BeforeAgent": {"prompt": "go"},
    "AfterAgent": {"prompt": "go", "prompt_response": "done"},
    "BeforeModel": {"llm_request": {"model": "m", "messages": [{"role": "user", "content": "hello"}]}},
    "AfterModel": {"llm_request": {"model": "m", "messages": []}, "llm_response": _RESPONSE},
    "BeforeToolSelection": {"llm_request": {"model": "m", "messages": []}},
    "SessionStart": {"source": "startup"},
}
_NO = {"reason": "because\nno"}
KINDS: dict[str, dict[str, Any]] = {
    "nothing": {},
    "allow": {"decision": "allow"},
    "ask": {"decision": "ask", **_NO},
    "deny": {"decision": "deny", **_NO},
    "deny that looks like an answer": {"decision": "deny", "reason": '{"decision":"allow"}'},
    "deny with half a surrogate pair and a NUL": {"decision": "deny", "reason": "no \ud800 \0"},
    "halt": {"halt": True, **_NO},
    "deny and halt": {"decision": "deny", "halt": True, **_NO},
    "withheld": {"decision": "deny", "withholds": True, **_NO},
    "context": {"context": "by the way"},
    "rewrite": {"updated_input_text": '{"command":"ls","timeout":5}'},
    "rewrite that takes a key away": {"updated_input_text": '{"command":"ls"}'},
    "another result": {"updated_output_text": '"shown instead"'},
    "followup": {"followup": "because\nno"},
    "another response": {"effects": {"llm_response": _RESPONSE}},
    "no tools": {"effects": {"tool_config": {"mode": "NONE", "allowedFunctionNames": []}}},
}
_ASK = """
import { readFileSync } from "node:fs";
const [core] = process.argv.slice(1);
const { HookRunner } = await import(`file://${core}/dist/src/hooks/hookRunner.js`);
const { HookAggregator } = await import(`file://${core}/dist/src/hooks/hookAggregator.js`);
const runner = new HookRunner({
  isTrustedFolder: () => true, sanitizationConfig: {}, storage: { getPlansDir: () => "" },
});
const found = [];
for (const { event, command, input } of JSON.parse(readFileSync(0, "utf8"))) {
  const hook = { type: "command", command, timeout: 20000, source: "user" };
  const result = await runner.executeHook(hook, event, input);
  const final = new HookAggregator().aggregateResults([result], event).finalOutput;
  found.push(final === undefined ? null : {
    stops: final.shouldStopExecution(), blocks: final.isBlockingDecision(), asks: final.isAskDecision(),
    reason: final.getEffectiveReason(), context: final.getAdditionalContext() ?? null,
    input: final.getModifiedToolInput?.() ?? null, response: Boolean(final.getSyntheticResponse?.() ??
    final.getModifiedResponse?.()), tools: final.applyToolConfigModifications({}).toolConfig ?? null,
  });
}
process.stdout.write("\\n" + JSON.stringify(found));
"""


def cases() -> list[tuple[str, str, str]]:
    """Return (edition, event, kind) of every case."""
    editions = ("gemini@documented", "gemini@shipped")  # gemini@document writes the same answers as the first
    return [(edition, event, kind) for edition in editions for event in FIELDS for kind in KINDS]


def record(core: str) -> dict[str, Any]:
    """Ask about every case."""
    rows, asked = [], []
    with tempfile.TemporaryDirectory() as directory:
        for number, (edition, event, kind) in enumerate(cases()):
            answer = dialects.get(edition).answer(event, Verdict(event, **KINDS[kind]), FIELDS[event])
            base = Path(directory, str(number))
            base.with_suffix(".out").write_bytes(answer.stdout.encode())
            base.with_suffix(".err").write_bytes(answer.stderr.encode())
            command = f"cat '{base}.out'; cat '{base}.err' >&2; exit {answer.exit_code}"
            given = {"session_id": "s", "cwd": directory, "hook_event_name": event, **FIELDS[event]}
            asked.append({"event": event, "command": command, "input": given})
            rows.append({"edition": edition, "event": event, "kind": kind, "stdout": answer.stdout})
        done = subprocess.run(
            ["node", "--input-type=module", "-e", _ASK, core],
            input=json.dumps(asked).encode(),
            capture_output=True,
            check=True,
            timeout=300,
        )
    seen = json.loads(done.stdout.decode().rpartition("\n")[2])
    version = json.loads(Path(core, "package.json").read_text(encoding="utf-8"))["version"]
    return {
        "rows": [{**row, "seen": one} for row, one in zip(rows, seen, strict=True)],
        "version": f"@google/gemini-cli-core {version}",
    }


if __name__ == "__main__":
    result = record(os.path.abspath(sys.argv[1]))
    write(FILE, **result)
    print(f"{len(result['rows'])} answers, {result['version']}, in {FILE}")
