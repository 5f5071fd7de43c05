"""``python -m benchmarks.resident CLAUDE``: milliseconds that eight guards cost Claude Code's own program before each tool call.

CLAUDE is the binary in the wheel of claude-agent-sdk (``_bundled/claude``). A scripted model on loopback makes the calls.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.messages_api import Block, call, environment, serving, text

GUARD = "if jq -r .tool_input.command | grep -qE 'rm +-(rf|fr)'; then echo 'no rm -rf' >&2; exit 2; fi"
GUARDS = [f"{GUARD} # {number}" for number in range(8)]
CALLS = 12


def settings(hooks: list[dict[str, Any]]) -> dict[str, Any]:
    """Return settings with these hooks before each Bash call."""
    return {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": hooks}]}} if hooks else {}


def commands(texts: list[str]) -> list[dict[str, Any]]:
    """Return a command hook for each text."""
    return [{"type": "command", "command": one} for one in texts]


def seconds_a_call(claude: str, given: dict[str, Any], env: dict[str, str]) -> float:
    """Run the program once, and return the seconds between two of its requests to the model, each after a tool call."""
    moments: list[float] = []

    def model(request: dict[str, Any]) -> list[Block]:
        if not request.get("tools"):
            return [text("title")]
        moments.append(time.perf_counter())
        if len(moments) > CALLS:
            return [text("done")]
        return [call(f"toolu_{len(moments)}", "Bash", {"command": "true", "description": "nothing"})]

    with tempfile.TemporaryDirectory() as home, serving(model) as api:
        project = Path(home) / "project"
        (project / ".claude").mkdir(parents=True)
        (project / ".claude" / "settings.json").write_text(json.dumps(given))
        words = [
            claude,
            "-p",
            "go",
            "--permission-mode",
            "bypassPermissions",
            "--setting-sources",
            "project",
            "--model",
            "m",
        ]
        subprocess.run(
            words, cwd=project, env={**environment(home, api.server_port), **env}, check=True, capture_output=True,
            stdin=subprocess.DEVNULL, timeout=300,
        )  # fmt: skip
    return (moments[-1] - moments[1]) / (len(moments) - 2)


def main() -> None:
    """Compare in one run: no hooks, eight commands, the thin client, ``http``."""
    claude = sys.argv[1]
    client = shutil.which("pyshellhooks-hook") or str(Path(sys.executable).parent / "pyshellhooks-hook")
    with tempfile.TemporaryDirectory(prefix="psh") as root:
        hooks = Path(root) / "hooks.json"
        hooks.write_text(json.dumps(settings(commands(GUARDS))))
        token = "a-token-of-the-benchmark"
        (Path(root) / "token").write_text(token)
        env = {"PYSHELLHOOKS_ENGINE_DIR": root, "PYSHELLHOOKS_TOKEN": token}
        serve = [sys.executable, "-m", "pyshellhooks", "serve"]
        near = subprocess.Popen(serve, env={**os.environ, **env}, stderr=subprocess.DEVNULL)
        port = 18765
        http = subprocess.Popen(
            [*serve, "--port", str(port), "--token-file", f"{root}/token", "--config", str(hooks)], stderr=subprocess.DEVNULL
        )  # fmt: skip
        time.sleep(3)
        url = {"type": "http", "url": f"http://127.0.0.1:{port}/claude_code", "allowedEnvVars": ["PYSHELLHOOKS_TOKEN"],
               "headers": {"Authorization": "Bearer $PYSHELLHOOKS_TOKEN"}}  # fmt: skip
        kinds = {
            "no hooks": settings([]),
            "eight command hooks": settings(commands(GUARDS)),
            "the same in the engine, thin client": settings(commands([f"{client} claude_code --config {hooks}"])),
            "the same in the engine, http": settings([url]),
        }
        try:
            times = {name: [seconds_a_call(claude, given, env) for _ in range(3)] for name, given in kinds.items()}
        finally:
            near.terminate()
            http.terminate()
    for name, found in times.items():
        print(f"{statistics.median(found) * 1000:7.0f} ms a call  {name}")


if __name__ == "__main__":
    main()
