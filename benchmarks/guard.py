"""The guard hook: read the payload, take the command out with jq, look at it with grep, deny or not."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from .measure import Act

if TYPE_CHECKING:
    from pyshellhooks import HookEngine

SCRIPT = """INPUT=$(cat)
CMD=$(echo "$INPUT" | jq -r '.tool_input.command // empty')
if echo "$CMD" | grep -qE 'rm +-(rf|fr)'; then
  echo blocked >&2
  exit 2
fi
"""
CALL = {"command": "git commit -m 'a normal command' && make test", "description": "commit and test"}
PAYLOAD = (
    json.dumps(
        {"event": "PreToolUse", "session_id": "s1", "cwd": "/tmp", "tool_name": "bash", "tool_input": CALL},
        separators=(",", ":"),
    )
    + "\n"
).encode()
DEADLINE = 30.0  # seconds; every contender that can have one has one


def in_process() -> Act:
    """Our shell, warm."""
    from pyshellhooks import Shell

    shell = Shell(env={"PATH": os.environ["PATH"]})

    def act() -> None:
        result = shell.run(SCRIPT, stdin=PAYLOAD, timeout=DEADLINE)
        assert result.status == 0, result

    return act


def engine_of(isolation: str = "thread") -> HookEngine:
    """An engine with the guard."""
    from pyshellhooks import HookEngine

    config = {"hooks": {"PreToolUse": [{"matcher": "^bash$", "command": SCRIPT, "timeout": DEADLINE}]}}
    return HookEngine.load(json.dumps(config), "crush", env={"PATH": os.environ["PATH"]}, isolation=isolation)


def engine() -> Act:
    """The whole way: event, matcher, payload, environment, shell, verdict."""
    made = engine_of()

    def act() -> None:
        verdict = made.fire("PreToolUse", tool_name="bash", tool_input=CALL, session_id="s1")
        assert verdict.decision == "none" and verdict.hooks[0].ended == "ok", verdict

    return act


def unwanted(hooks: int) -> Act:
    """An event for which there is none among so many hooks."""
    from pyshellhooks import HookEngine

    entries = [{"matcher": f"^tool_{number}$", "command": "exit 2"} for number in range(hooks)]
    made = HookEngine.load(json.dumps({"hooks": {"PreToolUse": entries}}), "crush", env={})

    def act() -> None:
        assert not made.fire("PreToolUse", tool_name="bash", tool_input=CALL, session_id="s1").hooks

    return act


def unmatched() -> dict[str, tuple[Act, int]]:
    """Events that no hook is for, by the number of hooks."""
    return {f"{hooks} hooks, none of which matches": (unwanted(hooks), 200) for hooks in (0, 1, 10, 100, 1000)}


def spawned(jq: str | None = None) -> Act:
    """A real bash with the machine's programs, or with another jq in front."""
    path = os.environ["PATH"]
    if jq is not None:
        path = f"{Path(jq).parent}{os.pathsep}{path}"

    def act() -> None:
        done = subprocess.run(
            ["bash", "-c", SCRIPT], input=PAYLOAD, capture_output=True, timeout=DEADLINE, env={"PATH": path}
        )
        assert done.returncode == 0, done

    return act


def bashkit() -> Act | None:
    """One reused ``Bash()`` of bashkit; None where it is not installed. It takes no stdin, so the payload is a variable."""
    try:
        from bashkit import Bash  # type: ignore[import-not-found]
    except ImportError:
        return None
    shell = Bash()
    script = SCRIPT.replace("INPUT=$(cat)", f"INPUT=$(cat <<'PAYLOAD'\n{PAYLOAD.decode()}PAYLOAD\n)")

    def act() -> None:
        result = shell.execute_sync(script)
        assert result.exit_code == 0, result

    return act


def by_hand() -> Act:
    """The same logic written in Python: the floor."""
    danger = re.compile(r"rm +-(rf|fr)")

    def act() -> None:
        command = json.loads(PAYLOAD)["tool_input"].get("command") or ""
        assert not danger.search(command)

    return act


def contenders() -> dict[str, tuple[Act, int]]:
    """Name everyone who takes part here, and how often each acts in one round."""
    found: dict[str, tuple[Act, int]] = {
        "pyshellhooks Shell.run": (in_process(), 100),
        "pyshellhooks HookEngine.fire": (engine(), 100),
        "hand-written Python": (by_hand(), 1000),
        f"bash -c, {machine_jq()} and grep": (spawned(), 1),
    }
    own_jq = os.environ.get("JQ182", "/opt/jq182/bin/jq")
    if Path(own_jq).exists():
        found["bash -c, jq 1.8.2 and grep"] = (spawned(own_jq), 1)
    other = bashkit()
    if other is not None:
        found["bashkit, one reused Bash()"] = (other, 20)
    return found


def machine_jq() -> str:
    """Name the jq on PATH."""
    path = shutil.which("jq")
    if path is None:
        return "no jq"
    return subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout.strip()
