"""A proxy that runs the user's hooks around the tools of any MCP server (docs/mcp-proxy.md).

Messages pass between a client and a server unchanged; only ``tools/call`` is inspected. ``messages`` reads and writes
JSON-RPC, ``relay`` routes messages, ``calls`` runs the hooks of one call, ``elicitation`` puts a question to the person at
the client, ``results`` changes a result as hooks decide, ``stdio`` connects a relay to two pairs of pipes.

The package is imported only when the command runs: ``mcp`` is an extra.
"""
