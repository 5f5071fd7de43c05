"""The proxy before two real servers, with the official client: what it prints is what was found.

::

    python tests/unit/mcp_proxy/real_servers.py [--keep DIRECTORY]

It runs in an environment with pyshellhooks and mcp. It installs ``@modelcontextprotocol/server-filesystem`` and
``server-everything`` with npm, and ``mcp-server-git`` with pip in an environment of its own; both stay with ``--keep``.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import ElicitResult

ROOT = Path(__file__).resolve().parents[3]
NPM = ["@modelcontextprotocol/server-filesystem", "@modelcontextprotocol/server-everything"]

# What a user of Claude Code would have in settings.json.
GUARD = r"""jq -c 'def say(x): {hookSpecificOutput: ({hookEventName: "PreToolUse"} + x)};
if .tool_name == "mcp__files__write_file" and (.tool_input.path | endswith(".env"))
  then say({permissionDecision: "deny", permissionDecisionReason: "no secrets in files"})
elif .tool_name == "mcp__files__read_text_file" and (.tool_input.path | endswith("old.txt"))
  then say({permissionDecision: "allow", updatedInput: (.tool_input | .path |= sub("old"; "new"))})
elif .tool_name == "mcp__files__move_file" or .tool_name == "mcp__git__git_commit"
  then say({permissionDecision: "ask", permissionDecisionReason: "do you want that?"})
elif .tool_name == "mcp__git__git_reset"
  then say({permissionDecision: "deny", permissionDecisionReason: "nothing is reset here"})
elif .tool_name == "mcp__git__git_log"
  then say({permissionDecision: "allow", updatedInput: (.tool_input | .max_count = 1)})
else empty end'"""
AFTER = """jq -c 'select(.tool_name | test("read_text_file|git_status")) |
{hookSpecificOutput: {hookEventName: "PostToolUse", additionalContext: "read the house rules first"}}'"""
HOOKS = {
    "hooks": {
        "PreToolUse": [{"matcher": "mcp__.*", "hooks": [{"type": "command", "command": GUARD}]}],
        "PostToolUse": [{"matcher": "mcp__.*", "hooks": [{"type": "command", "command": AFTER}]}],
    }
}
found: list[bool] = []


def see(what: str, true: bool, shown: object = "") -> None:
    """Say what was found."""
    found.append(true)
    print(f"  {'ok    ' if true else 'FAILED'} {what}: {' '.join(str(shown).split())[:110]}", flush=True)


def texts(result: Any) -> list[str]:
    """Return the blocks of text of a result."""
    return [block.text for block in result.content if block.type == "text"]


class Session:
    """A client at the proxy before a server; ``answers`` are the person's."""

    def __init__(self, place: Path, name: str, command: list[str], mode: str) -> None:
        words = ["-m", "pyshellhooks", "mcp-proxy", "--config", str(place / "settings.json")]
        words += ["--dialect", "claude_code", "--name", name, "--", *command]
        self.answers: list[str] = []
        started = StdioServerParameters(
            command=sys.executable, args=words, cwd=place, env={**os.environ, "PYTHONPATH": str(ROOT)}
        )
        self.client = Client(stdio_client(started), mode=mode, elicitation_callback=self.elicit)

    async def elicit(self, context: Any, params: Any) -> ElicitResult:
        """Answer a question."""
        return ElicitResult(action=self.answers.pop(0), content=None)  # type: ignore[arg-type]

    async def confirm(self, tool: str, arguments: dict[str, Any], done: Callable[[], bool]) -> None:
        """Call a tool that a hook asks about: no, no, yes."""
        for answer in ("decline", "cancel", "accept"):
            self.answers.append(answer)
            result = await self.client.call_tool(tool, arguments)
            good = done() if answer == "accept" else result.is_error and not done()
            see(f"ask, {answer}", good and not self.answers, texts(result))


async def files(place: Path, home: Path) -> None:
    """Go through the server of files, of npm."""
    for name in ("new.txt", "moved.txt"):
        (place / name).write_text(f"this is {name}\n")
    program = home / "node_modules" / ".bin" / "mcp-server-filesystem"
    session = Session(place, "files", [str(program), str(place)], "auto")
    async with session.client as client:
        print(f"server-filesystem (npm), protocol {client.protocol_version}")
        names = [tool.name for tool in (await client.list_tools()).tools]
        see("its tools pass", "write_file" in names, names)
        result = await client.call_tool("write_file", {"path": str(place / ".env"), "content": "x"})
        see("deny", result.is_error and not (place / ".env").exists(), texts(result))
        result = await client.call_tool("write_file", {"path": str(place / "ok"), "content": "x"})
        see("no opinion", not result.is_error and (place / "ok").exists(), texts(result))
        result = await client.call_tool("read_text_file", {"path": str(place / "old.txt")})
        see("rewrite", texts(result)[0] == "this is new.txt\n", texts(result))
        see("context", texts(result)[1:] == ["read the house rules first"], texts(result))
        to = place / "there.txt"
        await session.confirm("move_file", {"source": str(place / "moved.txt"), "destination": str(to)}, to.exists)
        result = await client.call_tool("read_text_file", {"path": "/etc/passwd"})
        see("the server's own error passes", result.is_error and "denied" in texts(result)[0], texts(result))


async def everything(place: Path, home: Path) -> None:
    """See progress and cancellation at the server that has everything, of npm."""
    program = home / "node_modules" / ".bin" / "mcp-server-everything"
    async with Session(place, "everything", [str(program)], "auto").client as client:
        print(f"server-everything (npm), protocol {client.protocol_version}")
        steps: list[Any] = []

        async def progress(*step: Any) -> None:
            steps.append(step)

        name = "trigger-long-running-operation"
        result = await client.call_tool(name, {"duration": 1, "steps": 3}, progress_callback=progress)
        see("progress", [step[:2] for step in steps] == [(1, 3), (2, 3), (3, 3)], steps)
        call = asyncio.create_task(client.call_tool(name, {"duration": 60, "steps": 2}))
        await asyncio.sleep(1)
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        result = await client.call_tool("get-sum", {"a": 2, "b": 3})
        see("cancellation, and it goes on", "5" in texts(result)[0], texts(result))
        result = await client.call_tool("get-structured-content", {"location": "New York"})
        see("structured content", bool(result.structured_content), result.structured_content)
        uri = (await client.list_resources()).resources[0].uri
        see("resources", bool((await client.read_resource(uri)).contents), uri)
        prompts = [prompt.name for prompt in (await client.list_prompts()).prompts]
        see("prompts", bool(prompts), prompts)


async def git(place: Path, home: Path) -> None:
    """Go through the server of git, of PyPI, in both ways of the protocol."""
    repository = place / "repository"
    for mode in ("auto", "legacy"):
        run = ["git", "-C", str(repository), "-c", "user.name=a", "-c", "user.email=a@b.c"]
        repository.mkdir(exist_ok=True)
        for words in (["init", "-q"], ["commit", "-qm", f"one {mode}", "--allow-empty"]):
            subprocess.run([*run, *words], check=True)
        subprocess.run([*run, "commit", "-qm", f"two {mode}", "--allow-empty"], check=True)
        (repository / mode).write_text("x")
        subprocess.run([*run, "config", "user.name", "a"], check=True)
        subprocess.run([*run, "config", "user.email", "a@b.c"], check=True)
        subprocess.run([*run, "add", "."], check=True)
        session = Session(place, "git", [str(home / "environment" / "bin" / "mcp-server-git")], mode)

        def log() -> str:
            return subprocess.check_output(["git", "-C", str(repository), "log", "--format=%s"], text=True)

        async with session.client as client:
            print(f"mcp-server-git (PyPI), protocol {client.protocol_version}")
            here = {"repo_path": str(repository)}
            result = await client.call_tool("git_reset", here)
            staged = subprocess.check_output(
                ["git", "-C", str(repository), "diff", "--cached", "--name-only"], text=True
            )
            see("deny", result.is_error and mode in staged, texts(result))
            result = await client.call_tool("git_log", {**here, "max_count": 10})
            see("rewrite", "two" in texts(result)[0] and "one" not in texts(result)[0], texts(result))
            result = await client.call_tool("git_status", here)
            see("context", texts(result)[-1] == "read the house rules first", texts(result))
            message = f"three {mode}"
            await session.confirm("git_commit", {**here, "message": message}, lambda message=message: message in log())


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description="Put the proxy before real servers.")
    parser.add_argument("--keep", type=Path, help="a directory in which the servers stay")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as made, tempfile.TemporaryDirectory() as place:
        home = (arguments.keep or Path(made)).resolve()
        home.mkdir(parents=True, exist_ok=True)
        if not (home / "node_modules").exists():
            subprocess.run(
                ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(home), *NPM], check=True
            )
        if not (home / "environment").exists():
            venv.create(home / "environment", with_pip=True)
            subprocess.run([home / "environment" / "bin" / "pip", "install", "-q", "mcp-server-git"], check=True)
        here = Path(place).resolve()
        (here / "settings.json").write_text(json.dumps(HOOKS))
        for story in (files, everything, git):
            asyncio.run(story(here, home))
    print(f"{sum(found)} of {len(found)} as promised")
    return 0 if all(found) else 1


if __name__ == "__main__":
    raise SystemExit(main())
