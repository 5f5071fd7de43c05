"""The user's hooks around the tools of any MCP server (docs/mcp-proxy.md).

Messages pass between a client and a server as they are; only ``tools/call`` is looked into. ``messages`` reads and writes
JSON-RPC, ``relay`` knows which message goes where, ``calls`` asks the hooks about one call, ``asking`` asks the person at
the client, ``results`` says what becomes of a result, ``stdio`` joins a relay to two pairs of pipes.

Nothing here is imported before the command runs: ``mcp`` is an extra.
"""
