"""Run the cases through Kimi Code's and the Kimi CLI's own hook code, and write what it decided.

``PYTHON tests/contract/record_kimi.py WHEEL MAIN ZOD``: PYTHON is 3.12 or newer with pydantic and loguru, WHEEL the folder
of an unpacked wheel of ``kimi-cli`` 1.52.0, MAIN the file ``dist/main.mjs`` of npm ``@moonshot-ai/kimi-code`` 2.1.0 (run by
``record_kimi.mjs``), ZOD the main module of npm ``zod`` 4. No model and no network are used.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from kimi_cases import CASES, HEEDED, SUBJECTS, Case

RECORD = Path(__file__).with_name("kimi_runs.json")


def _load(wheel: str) -> Any:
    """Return the hook package of the wheel; the package above it, which starts the program, stays out."""
    sys.path.insert(0, wheel)
    above = ModuleType("kimi_cli")
    above.__path__ = [str(Path(wheel, "kimi_cli"))]
    from loguru import logger

    logger.remove()
    above.logger = logger  # type: ignore[attr-defined]
    sys.modules["kimi_cli"] = above
    import kimi_cli.hooks as hooks

    return hooks


async def outcome(hooks: Any, case: Case, folder: str) -> dict[str, Any]:
    """Return what the Kimi CLI decided on a case."""
    entries = json.loads(json.dumps(case["entries"]).replace("$W", folder))
    try:
        made = [hooks.HookDef(**entry) for entry in entries]
    except ValueError:
        return {"refused": True}
    event = case["event"]
    payload = {"hook_event_name": event, "session_id": "s1", "cwd": folder, **case["fields"]}
    subject = case["fields"].get(SUBJECTS.get(event, ""), "")
    results = await hooks.HookEngine(made, cwd=folder).trigger(event, matcher_value=subject, input_data=payload)
    blocks = [one for one in results if one.action == "block"]
    # Only three callers heed a block, and a stop only one with a reason.
    goes_on = not blocks or event not in HEEDED or (event == "Stop" and not blocks[0].reason)
    written = Path(folder, "got")
    return {
        "goes_on": goes_on,
        "reason": None if goes_on else blocks[0].reason or f"Blocked by {event} hook",
        "context": None,
        "hooks": len(results),
        "got": written.read_text(encoding="utf-8").replace(folder, "$W") if written.exists() else None,
    }


def main() -> None:
    """Record every case."""
    wheel, bundle, zod = sys.argv[1:]
    hooks = _load(wheel)
    cli = {}
    for name, case in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            cli[name] = asyncio.run(outcome(hooks, case, folder))
    given = {
        name: {**case, "subject": SUBJECTS.get(case["event"]), "heeded": case["event"] in HEEDED}
        for name, case in CASES.items()
    }
    script = str(Path(__file__).with_suffix(".mjs"))
    done = subprocess.run(
        ["node", script, bundle, zod], input=json.dumps(given), stdout=subprocess.PIPE, text=True, check=True
    )
    runs = {"shipped": json.loads(done.stdout), "cli": cli}
    lines = [
        f"{json.dumps(edition)}: {{\n"
        + ",\n".join(f"{json.dumps(name)}: {json.dumps(run)}" for name, run in made.items())
        + "\n}"
        for edition, made in runs.items()
    ]
    RECORD.write_text("{" + ",\n".join(lines) + "}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
