"""Adapter for Strands Agents: ``Agent(…, hooks=[ShellHooks()])`` (docs/adapters/strands-agents.md).

The SDK's events come in pairs. The state between them is in ``_Run``, by agent, and in one context variable: the call
that runs under hooks right now. All callbacks are ordered last, so that hooks see the changes of other providers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from hashlib import sha256
from math import inf
from typing import Any
from weakref import WeakKeyDictionary

try:
    from strands import Agent
    from strands.hooks import (
        AfterInvocationEvent,
        AfterToolCallEvent,
        AgentInitializedEvent,
        BeforeInvocationEvent,
        BeforeModelCallEvent,
        BeforeToolCallEvent,
        HookProvider,
        HookRegistry,
        MultiAgentInitializedEvent,
    )
except ImportError as error:
    raise ImportError(
        f"pyshellhooks needs Strands 1.56 or later ({error}): pip install 'pyshellhooks[strands-agents]'"
    ) from error

from ..agent import AgentHooks, Gate, HookEngine, OnAsk, ToldKind, copied, declared_name

__all__ = ["ShellHooks"]

_BLOCKED = "(a hook blocked this prompt)"
_ENDS = ("end_turn", "stop_sequence")
_ANSWERS = "strands.tools.structured_output."  # by module, since any tool can have the name of one
_MAKERS = ("strands.vended_tools.subagent", "strands.vended_tools.swarm")  # tools that create agents


@dataclass(eq=False)
class _Call:
    """A call that hooks have judged and that has no result yet; an agent that runs inside it is a subagent."""

    run: _Run
    id: str
    turn: str
    tool: str
    tool_input: Any
    session: str
    gate: Gate
    outer: _Call | None = None
    live: bool = False


@dataclass(eq=False)
class _Run:
    """The state of one agent."""

    active: bool = False
    within: _Call | None = None  # the call that this agent runs in
    turn: int = 0  # the number of requests to the model: call ids may repeat
    halted: str | None = None  # the reason of a halt or a denied prompt, until the next prompt
    followup: Any = None  # a hook's message that made the agent continue
    calls: list[_Call] = field(default_factory=list)


_scope: ContextVar[_Call | None] = ContextVar("pyshellhooks_scope", default=None)


class ShellHooks(HookProvider):
    """The hooks of an agent, as a ``HookProvider``. Pass the same object to subagents, graphs and swarms too.

    ``engine``, ``tools``, ``on_ask``, ``ask`` and ``cwd`` are those of ``AgentHooks``, and so are the errors for wrong
    ones. With ``ask="defer"`` a question becomes an interrupt whose reason is ``{"tool", "args", "question"}``, and
    only the response ``True`` is a yes. Under ``strict`` tools and agents that no hook sees raise ``ConfigError``.
    """

    def __init__(
        self,
        engine: HookEngine | None = None,
        *,
        tools: dict[str, ToldKind] | None = None,
        on_ask: OnAsk | None = None,
        ask: str = "deny",
        cwd: str | None = None,
    ) -> None:
        self.hooks = AgentHooks(engine, tools=tools, on_ask=on_ask, ask=ask, cwd=cwd)
        self._runs: WeakKeyDictionary[Any, _Run] = WeakKeyDictionary()
        self._checked: set[tuple[frozenset[str], frozenset[str]]] = set()

    def register_hooks(self, registry: HookRegistry, **kwargs: Any) -> None:
        """Register the callbacks, each last of its event."""
        for event, callback in (
            (AgentInitializedEvent, self._built),
            (MultiAgentInitializedEvent, self._report_unguarded_agents),
            (BeforeInvocationEvent, self._begin),
            (BeforeModelCallEvent, self._model),
            (BeforeToolCallEvent, self._before),
            (AfterToolCallEvent, self._after),
            (AfterInvocationEvent, self._end),
        ):
            registry.add_callback(event, callback, order=inf)

    def _run(self, agent: Any) -> _Run:
        return self._runs.setdefault(agent, _Run())

    # -- an agent is built --------------------------------------------------------------------------------------------

    def _built(self, event: Any) -> None:
        """Check the tools of an agent."""
        if not isinstance(event.agent, Agent):
            self.hooks.check_reach("a BidiAgent runs no hook for the user's messages, and hooks can't end its turn")
        self._check(event.agent)

    def _report_unguarded_agents(self, event: Any) -> None:
        """Report agents without hooks in a graph or a swarm."""
        self.hooks.check_reach(*_unguarded(event.source))

    def _check(self, agent: Any) -> None:
        """Check the tools that the model may call, once for each set of them."""
        registry = agent.tool_registry
        tools = [tool for tool in {**registry.registry, **registry.dynamic_tools}.values() if not _is_answer(tool)]
        names, unreached = frozenset(_name(tool) for tool in tools), frozenset(_unreached_messages(agent.model, tools))
        if (names, unreached) not in self._checked:
            self.hooks.check_tools([{**tool.tool_spec, "name": _name(tool)} for tool in tools])
            self.hooks.check_reach(*sorted(unreached))
            self._checked.add((names, unreached))

    # -- a conversation, a prompt -------------------------------------------------------------------------------------

    async def _begin(self, event: Any) -> None:
        """Fire the events of a start and of the user's prompts."""
        run = self._run(event.agent)
        if event.messages is None:
            self.hooks.check_reach(
                "no hook sees the prompt of Agent.structured_output; call the agent with structured_output_model= instead"
            )
            return
        if event.cancel:
            return
        run.active, run.within = True, _inside()
        followup, run.followup = run.followup, None
        messages = list(event.messages or event.agent.messages)
        prompts = {at: text for at, text in _prompts(messages) if messages[at] is not followup}
        session, subagent = _session(event.agent, run), _subagent(run)
        if subagent and prompts:
            text = "\n".join(prompts.values())
            gates = [await self.hooks.astart(session=session, prompt=text, **subagent)]
        elif prompts:
            gates = [await self.hooks.aprompt(text, session=session) for text in prompts.values()]
        else:  # after an interrupt, or with the followup of a hook
            begun = await self.hooks.astart(session=session)
            if begun.denied is not None:
                run.halted = begun.denied
            return
        run.halted = Gate.joined(gates).denied
        gates += [Gate()] * (len(prompts) - len(gates))
        for at, gate in zip(prompts, gates, strict=True):
            messages[at] = _with_verdict(messages[at], gate, run.halted)
        if event.messages:
            event.messages = messages
        else:
            event.agent.messages[:] = messages  # in place: the SDK holds this list

    async def _model(self, event: Any) -> None:
        """Check the tools again; after a denied prompt or a halt cancel the request to the model."""
        self._check(event.agent)
        run = self._run(event.agent)
        run.turn += 1
        run.calls.clear()
        if run.halted is not None:
            event.cancel = run.halted or True  # a halt may have an empty reason

    # -- a call -------------------------------------------------------------------------------------------------------

    async def _before(self, event: Any) -> None:
        """Fire the event of a call, once: the SDK repeats its own event after each interrupt."""
        use, tool, run = event.tool_use, event.selected_tool, self._run(event.agent)
        if event.cancel_tool or _is_answer(tool):
            return
        if tool is not None and tool.tool_name != use["name"]:
            event.cancel_tool = f'another hook runs {tool.tool_name} as "{use["name"]}"; set its name in tool_use too'
            return
        if run.active and run.halted is not None:
            event.cancel_tool = run.halted or True  # as in ``_model``
            return
        call = next((call for call in run.calls if _is_again(call, use)), None)
        if call is None:
            call = await self._before_call(event, run, _called(tool, use))
        gate = call.gate
        if gate.ask is not None:
            reason = {"tool": call.tool, "args": gate.value, "question": gate.ask}
            text = json.dumps(reason, default=str, sort_keys=True)
            # A yes counts only for this question and these arguments, in another process too: the SDK derives the
            # id of an interrupt from its name.
            name = f"pyshellhooks {sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
            gate = gate.answered(event.interrupt(name, reason))
        if gate.denied is not None:
            _forget(call)
            self._halt(run, gate)
            event.cancel_tool = "\n".join(filter(None, [gate.denied, gate.context])) or True
            return
        event.tool_use = {**use, "input": copied(gate.value)[0]}  # a copy, since the tool may change it
        call.outer, call.live = _inside(), True
        _scope.set(call)

    async def _before_call(self, event: Any, run: _Run, tool: str) -> _Call:
        id, (tool_input, _) = event.tool_use["toolUseId"], copied(event.tool_use["input"])
        session, turn = _session(event.agent, run), str(run.turn)
        if not run.active:  # a program calls a tool of the agent directly
            begun = await self.hooks.astart(session=session)
            if begun.denied is not None:
                return _Call(run, id, turn, tool, tool_input, session, begun)
        gate = await self.hooks.abefore(tool, tool_input, session=session, call_id=id, turn=turn)
        call = _Call(run, id, turn, tool, tool_input, session, gate)
        run.calls.append(call)
        return call

    async def _after(self, event: Any) -> None:
        """Fire the event of a result or an error, and replace the result if hooks changed or withheld it."""
        if event.cancel_message is not None or _is_answer(event.selected_tool):
            return
        use, result, run, tool = event.tool_use, event.result, self._run(event.agent), event.selected_tool
        id, tool_input, call = use["toolUseId"], use["input"], _scope.get()
        while call is not None:
            if call.run is run and call.id == id:
                break
            call = call.outer
        if call is None:
            call = _Call(run, id, "", _called(tool, use), tool_input, _session(event.agent, run), Gate())
        _forget(call)
        shown = _shown(result["content"])
        failed = event.exception
        if failed is None and result["status"] == "error":
            failed = shown
        duration_ms = None if event.duration is None else round(1000 * event.duration, 3)
        after = await self.hooks.aafter(
            call.tool,
            tool_input,
            shown,
            error=failed,
            before=call.gate,
            session=call.session,
            call_id=id,
            turn=call.turn,
            duration_ms=duration_ms,
        )
        self._halt(run, after)
        context = [{"text": after.context}] if after.context else []
        # A new result has only these three fields: results of MCP servers repeat the content in other ones.
        if after.denied is not None:
            content = [{"text": after.denied}, *context]
            event.result = {"toolUseId": result["toolUseId"], "status": "error", "content": content}
        elif after.rewritten:
            block = {"text": after.value} if isinstance(after.value, str) else {"json": after.value}
            content = [block, *context]
            event.result = {"toolUseId": result["toolUseId"], "status": result["status"], "content": content}
        elif context:
            event.result = {**result, "content": [*result["content"], *context]}

    def _halt(self, run: _Run, gate: Gate) -> None:
        if gate.halt:
            run.halted = gate.denied

    # -- the agent is done --------------------------------------------------------------------------------------------

    async def _end(self, event: Any) -> None:
        """Fire the event of the end of the agent or subagent. A hook may make it continue."""
        run, result = self._run(event.agent), event.result
        if not run.active:
            return
        session, subagent = _session(event.agent, run), _subagent(run)
        run.active = False
        for call in run.calls:  # the interrupted ones
            call.live = False
        if run.halted is not None:
            event.resume = None
            return
        if event.resume is not None or result is None:
            return
        is_done = result.stop_reason in _ENDS or result.structured_output is not None
        if not is_done:
            return
        gate = await self.hooks.astop(str(result).strip("\n"), session=session, **subagent)
        if gate.value is not None:
            text = "\n".join(filter(None, [gate.value, gate.context]))
            run.followup = {"role": "user", "content": [{"text": text}]}
            event.resume = [run.followup]


def _inside() -> _Call | None:
    """Return the running call that this context is in, or None: a context may outlive its call."""
    call = _scope.get()
    while call is not None and not call.live:
        call = call.outer
    return call


def _session(agent: Any, run: _Run) -> str:
    within = run.within if run.active else _inside()
    return within.session if within is not None else str(agent.session_id)


def _subagent(run: _Run) -> dict[str, Any]:
    if run.within is None:
        return {}
    return {"subagent": run.within.tool, "agent_id": run.within.id}


def _is_again(call: _Call, use: Any) -> bool:
    """Return whether the SDK repeats a call that was interrupted."""
    if call.live or call.id != use["toolUseId"]:
        return False
    return bool(call.tool_input == use["input"])


def _forget(call: _Call) -> None:
    call.live = False
    call.run.calls[:] = [one for one in call.run.calls if one is not call]


# -- prompts and results ----------------------------------------------------------------------------------------------


def _prompts(messages: list[Any]) -> Iterator[tuple[int, str]]:
    """Yield the index and the text of each of the user's messages after the last message of the agent."""
    first = max((at + 1 for at, entry in enumerate(messages) if entry["role"] == "assistant"), default=0)
    for at in range(first, len(messages)):
        texts = [block["text"] for block in messages[at]["content"] if "text" in block]
        if texts:
            yield at, "\n".join(texts)


def _with_verdict(message: Any, gate: Gate, blocked: str | None) -> Any:
    """Return a prompt after its hooks: rewritten, with context, or with a fixed text in place of a denied one."""
    if blocked is not None:
        return {**message, "content": [{"text": _BLOCKED}]}
    content = message["content"]
    if gate.rewritten:
        content = [{"text": gate.value}, *(block for block in content if "text" not in block)]
    if gate.context:
        content = [*content, {"text": gate.context}]
    return {**message, "content": content}


def _shown(content: list[Any]) -> Any:
    """Return the form of a result that hooks see: its text, its only JSON value, or the content itself."""
    if all("text" in block for block in content):
        return "\n".join(block["text"] for block in content)
    if len(content) == 1 and "json" in content[0]:
        return content[0]["json"]
    return content


# -- tools ------------------------------------------------------------------------------------------------------------


def _is_answer(tool: Any) -> bool:
    """Return whether a tool only receives the agent's structured output."""
    return type(tool).__module__.startswith(_ANSWERS)


def _name(tool: Any) -> str:
    """Return the name under which hooks see a tool: ``mcp__SERVER__TOOL`` for one of an MCP server."""
    inner = getattr(tool, "mcp_tool", None)
    if inner is None:
        return str(tool.tool_name)
    return f"mcp__{_server(tool) or 'unnamed'}__{inner.name}"


def _called(tool: Any, use: Any) -> str:
    """Return the name of a call's tool, or the model's name if the model made it up."""
    return _name(tool) if tool is not None else str(use["name"])


def _server(tool: Any) -> str:
    """Return the name of an MCP tool's server: the prefix of its client, or its key in a file of servers, or ``""``."""
    prefix = tool.tool_name.removesuffix(tool.mcp_tool.name).removesuffix("_")
    return prefix or getattr(tool.mcp_client, "client_name", None) or ""


def _unreached_messages(model: Any, tools: list[Any]) -> Iterator[str]:
    """Yield a message for each tool whose acts no hook sees."""
    for tool in tools:
        name = tool.tool_name
        inner = getattr(tool, "agent", None)
        if isinstance(inner, Agent) and not _is_guarded(inner):
            yield f'the agent behind the tool "{name}" has no hooks; pass hooks=[hooks] to it too'
        if tool.__module__.startswith(_MAKERS):
            yield f'the tool "{name}" creates agents without hooks; create them with hooks=[hooks] in your own tool'
        if hasattr(tool, "mcp_tool") and not _server(tool):
            yield f'the MCP server of "{name}" has no name for matchers; pass prefix= to MCPClient'
    config: Any = getattr(model, "get_config", dict)() or {}
    own = (config, "anthropic_tools"), (config, "gemini_tools"), (config.get("params") or {}, "tools")
    for place, key in own:
        for tool in place.get(key) or ():
            name = declared_name(tool) if isinstance(tool, Mapping) else f"{tool!r:.80}"
            yield f"{name} runs at the model's provider: no hook sees it"


def _is_guarded(agent: Any) -> bool:
    """Return whether a ``ShellHooks`` is registered for the calls of an agent."""
    use: Any = {}
    event = BeforeToolCallEvent(agent=agent, selected_tool=None, tool_use=use, invocation_state={})
    owners = [getattr(callback, "__self__", None) for callback in agent.hooks.get_callbacks_for(event)]
    return any(isinstance(owner, ShellHooks) for owner in owners)


def _unguarded(source: Any) -> Iterator[str]:
    """Yield a message for each agent of a graph or a swarm that has no hooks."""
    for name, node in source.nodes.items():
        inner = node.executor
        if hasattr(inner, "nodes"):
            yield from _unguarded(inner)
        elif not isinstance(inner, Agent):
            yield f'the node "{name}" runs elsewhere: no hook sees it'
        elif not _is_guarded(inner):
            yield f'the agent of the node "{name}" has no hooks; pass hooks=[hooks] to it too'
