"""Run the cases through OpenHands' own hook module, and write what it decided.

``PYTHON tests/contract/record_openhands.py WHEEL VERSION``: PYTHON has pydantic, WHEEL is the folder of an unpacked wheel of
``openhands-sdk``. Only the package ``openhands.sdk.hooks`` is loaded; the modules of the model that it imports, and
which hooks of type ``command`` do not use, are empty here. No model and no network are used.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock

sys.path.insert(0, str(Path(__file__).parent))
from openhands_cases import CASES, Case

RECORD = Path(__file__).with_name("openhands_runs.json")


class _Spare(ModuleType):
    """A module all of whose names exist."""

    __path__: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return MagicMock()


def _modules(wheel: Path) -> dict[str, Any]:
    """Load the modules of the package, and return them by their names."""
    spares = ("", ".agent", ".agent.utils", ".conversation", ".conversation.visualizer", ".llm", ".observability")
    for name in ("openhands", *[f"openhands.sdk{one}" for one in (*spares, ".observability.laminar", ".utils.path")]):
        sys.modules[name] = _Spare(name)
    sys.modules["openhands.sdk.observability.laminar"].observe = lambda **more: lambda function: function  # type: ignore[attr-defined]
    command = spec_from_file_location("command", wheel / "openhands/sdk/utils/command.py")
    utils = sys.modules["openhands.sdk.utils"] = _Spare("openhands.sdk.utils")
    for name in ("openhands.sdk.logger", "openhands.sdk.utils.redact"):
        sys.modules[name] = _Spare(name)
    utils.sanitized_env = _loaded(command).sanitized_env
    sys.modules["openhands.sdk.hooks"] = _Spare("openhands.sdk.hooks")
    made = {}
    for name in ("types", "config", "executor", "manager"):
        full = f"openhands.sdk.hooks.{name}"
        spec = spec_from_file_location(full, wheel / f"openhands/sdk/hooks/{name}.py")
        made[name] = _loaded(spec, full)
    return made


def _loaded(spec: ModuleSpec | None, name: str = "") -> Any:
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    if name:
        sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def outcome(modules: dict[str, Any], case: Case, folder: str) -> dict[str, Any]:
    """Return what the module decided on a case."""
    text = json.dumps(case["config"]).replace("$W", folder)
    try:
        config = modules["config"].HookConfig.from_dict(json.loads(text))
    except ValueError:
        return {"refused": True}
    manager = modules["manager"].HookManager(config, working_dir=folder, session_id="s1")
    event, fields = case["event"], case["fields"]
    context = None
    goes_on = True
    if event == "PreToolUse":
        goes_on, results = manager.run_pre_tool_use(fields["tool_name"], fields["tool_input"])
    elif event == "PostToolUse":
        results = manager.run_post_tool_use(fields["tool_name"], fields["tool_input"], fields["tool_response"])
    elif event == "UserPromptSubmit":
        goes_on, context, results = manager.run_user_prompt_submit(fields["message"])
    elif event == "Stop":
        goes_on, results = manager.run_stop("finished")
    else:
        results = manager.run_session_start() if event == "SessionStart" else manager.run_session_end()
    contexts = [one.additional_context for one in results if one.additional_context]
    reason = None
    if not goes_on:  # as ``conversation_hooks`` does
        reason = manager.get_blocking_reason(results)
        reason = "\n".join(contexts) or reason if event == "Stop" else reason or "Blocked by hook"
    if event == "SessionStart":
        context = "\n".join(contexts) or None
    made = {"goes_on": goes_on, "reason": reason, "context": context, "hooks": len(results)}
    written = Path(folder, "got")
    if written.exists():
        made["got"] = written.read_text(encoding="utf-8").replace(folder, "$W")
    return made


def main() -> None:
    """Record every case."""
    wheel, version = sys.argv[1:]
    modules = _modules(Path(wheel).resolve())
    os.environ["AI_AGENT"] = "openhands"
    runs = {}
    for name, case in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            runs[name] = outcome(modules, case, folder)
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(run)}" for name, run in runs.items())
    RECORD.write_text(f'{{"program": "openhands-sdk {version}", "runs": {{\n{lines}\n}}}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
