"""Record the effect of the hooks of ``vibe_cases`` in Mistral Vibe: its loader and its hook runner, without a model.

Unpack the wheel, and run from the top of the repository with Python 3.12 or newer and pydantic, httpx, mistralai and
rfc8785. The chain of several hooks is in the program's own binary, and is not run::

    PYTHONPATH=.:WHEEL python -m tests.contract.record_vibe 3.0.3
"""

from __future__ import annotations

import asyncio
import datetime
import importlib
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.contract.vibe_cases import COMMAND, RESULT, Case, cases
from tests.recorded import write

TABLE = Path(__file__).parent / "vibe_runs.json"
_HARNESS = "mistralai_vibe_local_harness"


def _handler(modules: dict[str, Any], hook: Any) -> Any:
    """Return the program's runner of a hook."""
    kinds = {"pre_tool": "pre_tool_call", "post_tool": "post_tool_call", "post_agent": "post_agent_turn"}
    build = getattr(modules["hooks"], f"build_{kinds[str(hook.type)]}_handler")
    return build(name=hook.name, command=hook.command, match=hook.match, timeout_s=hook.timeout, strict=hook.strict)


def _input(modules: dict[str, Any], case: Case) -> Any:
    """Return the program's own object of a call, and of its result."""
    protocol = modules["protocol"]
    arguments = {"command": COMMAND["command"], "timeout_seconds": COMMAND["timeout"]}
    call = SimpleNamespace(call=SimpleNamespace(name=case.tool, arguments=arguments), call_id="t1")
    content = [protocol.RustTextContentBlock(text=RESULT)]
    if case.failed:
        error = protocol.RustProtocolError(code="internal", message="e", retryable=False)
        return SimpleNamespace(tool_call=call, tool_result=protocol.RustToolFailureResult(content=content, error=error))
    return SimpleNamespace(tool_call=call, tool_result=protocol.RustToolSuccessResult(content=content))


async def _answer(modules: dict[str, Any], case: Case, folder: Path) -> dict[str, Any]:
    """Return what a case's hook does, as ``test_vibe_runs`` compares it."""
    file = folder / "hooks.toml"
    file.write_text(case.config, encoding="utf-8")
    loaded = modules["config"].load_hooks_file(file)
    workspace = SimpleNamespace(cwd=folder)
    config = SimpleNamespace(workspace=workspace, command_environment="bash", shell=None, env={})
    agent = SimpleNamespace(name=case.agent, main=case.is_main)
    context = SimpleNamespace(
        session_id="s1", session_root="/r", parent_session_id=None, emit_hook_notice=None, agent=agent, config=config
    )
    row: dict[str, Any] = {"id": case.name, "ran": False, "denies": False, "reason": "", "input": None, "result": None}
    for hook in loaded.hooks:
        handler = _handler(modules, hook)
        if str(hook.type) != case.event or not handler.selects(agent if case.event == "post_agent" else case.tool):
            continue
        given = _input(modules, case)
        output = (await handler(given, context)).output
        kind = type(output).__name__
        row["ran"] = True
        row["denies"] = kind in ("RustHookSkip", "RustCompletionHookRetry")
        reason = getattr(output, "reason", None) or getattr(output, "feedback", None) or []
        row["reason"] = "\n".join(block.text for block in reason)
        row["input"] = getattr(output, "effective_arguments", None)
        result = getattr(output, "tool_result", None)
        row["result"] = None if result is None else [block.text for block in result.content]
    return row


def main() -> None:
    """Write the table."""
    modules = {
        "hooks": importlib.import_module(f"{_HARNESS}.vibe._foreign_hooks"),
        "protocol": importlib.import_module(f"{_HARNESS}.protocol"),
        "config": importlib.import_module("vibe.core.hooks.config"),
    }
    with tempfile.TemporaryDirectory() as folder:
        rows = [asyncio.run(_answer(modules, case, Path(folder))) for case in cases()]
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    how = "python -m tests.contract.record_vibe: the loader and the hook runner of the wheel alone"
    write(TABLE, rows, version=f"mistral-vibe {sys.argv[1]}", how=how, date=today)


if __name__ == "__main__":
    main()
