"""A guard for an agent of the Claude Agent SDK, tried with the real Claude Code and a model of our own. It prints:

the model was told: PreToolUse:mcp__host__execute hook error: rm -rf is off here
the shell ran: ['ls']
"""

import asyncio
import json
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from claude_agent_sdk import ClaudeAgentOptions, ToolResultBlock, UserMessage, create_sdk_mcp_server, query, tool

from pyshellhooks import HookEngine
from pyshellhooks.adapters.claude_agent_sdk import ShellHooks

# What a .claude/settings.json would hold; ShellHooks() without an engine takes the project's own files.
GUARD = "jq -r .tool_input.command | grep -q 'rm -rf' && { echo 'rm -rf is off here' >&2; exit 2; }; exit 0"
SETTINGS = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": GUARD}]}]}}
EXECUTE = "mcp__host__execute"
SCRIPT = iter(
    [
        {"type": "tool_use", "id": "call_1", "name": EXECUTE, "input": {"command": "rm -rf /tmp/nothing"}},
        {"type": "tool_use", "id": "call_2", "name": EXECUTE, "input": {"command": "ls"}},
        {"type": "text", "text": "done"},
    ]
)
RAN = []


@tool("execute", "Run a shell command.", {"command": str})
async def execute(given):
    """Run a shell command."""
    RAN.append(given["command"])
    return {"content": [{"type": "text", "text": f"ran {given['command']}"}]}


class Model(BaseHTTPRequestHandler):
    """The API of a model that follows the script."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        block = next(SCRIPT) if body.get("tools") else {"type": "text", "text": "{}"}
        message = {"id": "msg_1", "type": "message", "role": "assistant", "model": body.get("model"), "content": []}
        start, delta, reason = {**block, "text": ""}, {"type": "text_delta", "text": block.get("text")}, "end_turn"
        if block["type"] == "tool_use":
            start, reason = {**block, "input": {}}, "tool_use"
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        usage = {"input_tokens": 1, "output_tokens": 1}
        events = [
            {"type": "message_start", "message": {**message, "usage": usage}},
            {"type": "content_block_start", "index": 0, "content_block": start},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage},
            {"type": "message_stop"},
        ]
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self.wfile.write("".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events).encode())

    def log_message(self, *args) -> None:
        """Say nothing."""


async def main() -> None:
    """Run the agent."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    hooks = ShellHooks(HookEngine.load(SETTINGS, "claude_code", tools={EXECUTE: "shell"}))
    with tempfile.TemporaryDirectory() as home:
        options = ClaudeAgentOptions(
            mcp_servers={"host": create_sdk_mcp_server("host", tools=[execute])},
            permission_mode="bypassPermissions",
            setting_sources=[],
            cwd=home,
            env={
                "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{server.server_port}",
                "ANTHROPIC_API_KEY": "none",
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
                "CLAUDE_CONFIG_DIR": home,
                "IS_SANDBOX": "1",  # root may bypass permissions nowhere else
            },
        )
        messages = [one async for one in query(prompt="tidy up", options=hooks.options(options))]
    server.shutdown()
    parts = [part for one in messages if isinstance(one, UserMessage) for part in one.content]
    results = [part.content for part in parts if isinstance(part, ToolResultBlock)]
    print("the model was told:", results[0])
    print("the shell ran:", RAN)


if __name__ == "__main__":
    asyncio.run(main())
