"""An MCP server to put the proxy before: ``python server.py [LOG]``. It writes each call that reaches it into LOG."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import anyio
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import (
    CallToolResult,
    ElicitRequest,
    ElicitRequestFormParams,
    InputRequiredResult,
    SamplingMessage,
    TextContent,
)
from pydantic import BaseModel

server = MCPServer("tests")
LOG = sys.argv[1] if len(sys.argv) > 1 else os.devnull


def log(*words: Any) -> None:
    """Write what has happened, a line of JSON each."""
    with open(LOG, "a", encoding="utf-8") as file:
        file.write(json.dumps(words) + "\n")


@server.tool()
def echo(text: str) -> str:
    """Return the text that it is given."""
    log("echo", text)
    return text


@server.tool()
def fails(why: str) -> str:
    """Fail."""
    log("fails", why)
    raise RuntimeError(why)


@server.tool()
def secret() -> str:
    """Return what nobody should see."""
    log("secret")
    return "the password is s3cret"


@server.tool()
def blocks() -> CallToolResult:
    """Return blocks."""
    return CallToolResult(content=[TextContent(type="text", text="one"), TextContent(type="text", text="two")])


@server.tool()
async def slow(seconds: float, ctx: Context) -> str:
    """Tell of progress, and take a while."""
    log("slow begins")
    try:
        for number in range(1, 4):
            await ctx.report_progress(number, 3, f"step {number}")
        await anyio.sleep(seconds)
    except anyio.get_cancelled_exc_class():
        log("slow is cancelled")
        raise
    log("slow ends")
    return "slow is done"


@server.tool()
def dies(status: int) -> str:
    """End the server in the middle of the call."""
    log("dies")
    print("these are the server's last words", file=sys.stderr, flush=True)
    os._exit(status)


class Answer(BaseModel):
    """What a person is asked by the server itself."""

    colour: str


@server.tool()
async def asks(ctx: Context) -> str:
    """Ask the person something, as servers do."""
    found = await ctx.elicit("which colour?", Answer)
    return f"{found.action} {getattr(found, 'data', None)}"


@server.tool()
async def samples(ctx: Context) -> str:
    """Ask the client's model, and for its roots."""
    message = SamplingMessage(role="user", content=TextContent(type="text", text="say"))
    found = await ctx.session.create_message(messages=[message], max_tokens=9)
    roots = await ctx.session.list_roots()
    return f"{getattr(found.content, 'text', '')} {roots.roots[0].uri}"


@server.tool()
def wants(text: str, ctx: Context) -> CallToolResult | InputRequiredResult:
    """Ask the person by a result that wants input."""
    responses = ctx.input_responses or {}
    if "colour" in responses:
        colour = responses["colour"].content["colour"]  # type: ignore[union-attr,index]
        return CallToolResult(content=[TextContent(type="text", text=f"{colour} {text}")])
    schema = {"type": "object", "properties": {"colour": {"type": "string"}}}
    form = ElicitRequestFormParams(message="which colour?", requested_schema=schema)
    return InputRequiredResult(input_requests={"colour": ElicitRequest(params=form)})


@server.resource("tests://text")
def text() -> str:
    """Return a resource."""
    return "a resource"


@server.prompt()
def greet(name: str) -> str:
    """Return a prompt."""
    return f"greet {name}"


if __name__ == "__main__":
    server.run("stdio")
