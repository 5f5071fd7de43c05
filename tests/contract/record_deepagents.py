"""Record the effect of the hooks of ``deepagents_cases`` in deepagents-code: its engine alone, without a model.

Unpack the wheel, and run from the top of the repository with Python 3.12 or newer and pydantic, tomli_w and filelock::

    PYTHONPATH=.:WHEEL python -m tests.contract.record_deepagents 0.1.88

Its imports of langchain, which the engine does not use, are replaced by empty modules.
"""

from __future__ import annotations

import asyncio
import datetime
import importlib
import importlib.abc
import importlib.machinery
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.contract.deepagents_cases import FIELDS, Case, cases
from tests.recorded import write

TABLE = Path(__file__).parent / "deepagents_runs.json"
_ABSENT = ("langchain_core", "langchain", "langgraph")
#: Name of a tool in payloads -> its name in the program.
_NATIVE = {"Bash": "execute"}


class _Empty(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Importer of modules that have every name."""

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        if fullname.partition(".")[0] not in _ABSENT:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        def attribute(name: str) -> type:
            if name.startswith("__"):
                raise AttributeError(name)
            return type(name, (), {})

        module = ModuleType(spec.name)
        module.__getattr__ = attribute  # type: ignore[method-assign]
        return module

    def exec_module(self, module: ModuleType) -> None:
        pass


def _event(domain: Any, case: Case) -> Any:
    """Return the program's own object of an event."""
    fields: dict[str, Any] = {**FIELDS[case.event], **case.fields}
    kinds = {name: getattr(domain, f"{name}Event") for name in FIELDS}
    own: dict[str, Any] = {"event": case.event}
    if "tool_name" in fields:
        arguments = dict(fields["tool_input"])
        if "timeout" in arguments:
            arguments["timeout"] //= 1000
        name = _NATIVE.get(fields["tool_name"], fields["tool_name"])
        own["call"] = domain.ToolCallData(id="t1", name=name, args=arguments)
    if "agent_id" in fields:
        own["agent"] = domain.AgentIdentity(id=fields["agent_id"], name=fields["agent_type"])
    if case.event == "Notification":
        own["notification"] = domain.DcodeNotification(type=fields["notification_type"], message=fields["message"])
    if case.event in ("Stop", "SubagentStop"):
        own["continuation_count"] = 0
    same = ("prompt", "trigger", "custom_instructions", "last_assistant_message", "error", "duration_ms")
    own.update({key: fields[key] for key in same if key in fields})
    if "tool_response" in fields:
        own["result"] = fields["tool_response"]
    if "source" in fields or "reason" in fields:
        own["cause"] = fields.get("source") or fields["reason"]
    return kinds[case.event](**own)


async def _answer(modules: dict[str, Any], case: Case, folder: Path) -> dict[str, Any]:
    """Return the program's decision about a case, as ``test_deepagents_runs`` compares it."""
    domain = modules["models.domain"]
    file = folder / ".deepagents" / "hooks.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(case.config, encoding="utf-8")
    loaded = modules["loading"].load_hooks_config(project_root=folder, workspace_trusted=True, config_dir=folder / "no")
    snapshot = modules["snapshot"].HooksSnapshot.from_config(
        loaded.config, groups=loaded.groups, diagnostics=loaded.diagnostics
    )
    context = domain.HookContext(thread_id="s1", cwd=folder, approval_mode="manual")
    invocation = domain.HookInvocation(context=context, event=_event(domain, case))
    decision = (
        await modules["engine"]
        .HookEngine(snapshot)
        .run(invocation, transcript_path=folder / "t.jsonl", agent_transcript_path=folder / "a.jsonl")
    )
    permission = getattr(decision, "permission", None)
    return {
        "id": case.name,
        "permission": permission.behavior if permission else "none",
        "reason": (permission.reason if permission else None) or "",
        "interrupt": bool(permission and permission.interrupt),
        "goes_on": decision.continue_processing,
        "stop_reason": decision.stop_reason or "",
        "context": list(getattr(decision, "context", [])),
        "feedback": list(getattr(decision, "feedback", [])),
        "continues": bool(getattr(decision, "continue_loop", False)),
        "hides_prompt": bool(getattr(decision, "suppress_original_prompt", False)),
        "bell": decision.terminal_sequences,
    }


def main() -> None:
    """Write the table."""
    sys.meta_path.append(_Empty())
    names = ("models.domain", "loading", "snapshot", "engine")
    modules = {name: importlib.import_module(f"deepagents_code.hooks.{name}") for name in names}
    with tempfile.TemporaryDirectory() as folder:
        rows = [asyncio.run(_answer(modules, case, Path(folder))) for case in cases()]
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    how = "python -m tests.contract.record_deepagents: the engine of the wheel alone"
    write(TABLE, rows, version=f"deepagents-code {sys.argv[1]}", how=how, date=today)


if __name__ == "__main__":
    main()
