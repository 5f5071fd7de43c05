"""Adapter for the OpenAI Agents SDK: ``await ShellHooks().run(agent, "…")`` (docs/adapters/openai-agents.md).

The SDK's own ``RunHooks`` only observe. So an agent is copied, with tools that fire events before and after they run.
"""

from __future__ import annotations

import asyncio
import copy
import inspect
import json
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import fields, replace
from functools import partial
from typing import Any
from uuid import uuid4

try:
    from agents import (
        Agent,
        AgentsException,
        FunctionTool,
        GuardrailFunctionOutput,
        Handoff,
        InputGuardrail,
        InputGuardrailResult,
        InputGuardrailTripwireTriggered,
        Runner,
        RunResult,
        RunState,
        ShellTool,
        ToolOriginType,
        ToolsToFinalOutputResult,
    )
    from agents.tool import get_function_tool_origin
except ImportError as error:
    raise ImportError(
        f"pyshellhooks needs openai-agents ({error}): pip install 'pyshellhooks[openai-agents]'"
    ) from error

from ..agent import AgentHooks, Gate, HookEngine, OnAsk, ToldKind, json_text, parsed

__all__ = ["ShellHooks"]

_PAUSED = 1000  # calls that wait for a person, with their conversation; the oldest are dropped


class _Run:
    """A conversation, and the reason of a halt."""

    def __init__(self, session: str) -> None:
        self.session = session
        self.halted: str | None = None


_run: ContextVar[_Run | None] = ContextVar("pyshellhooks_run", default=None)


class ShellHooks:
    """The hooks of an agent: ``run``, ``run_sync`` and ``stream`` are those of ``Runner``, under hooks.

    ``engine``, ``tools``, ``on_ask``, ``ask`` and ``cwd`` are those of ``AgentHooks``, and so are the errors for wrong
    ones. With ``ask="defer"`` a call that a hook asks about needs approval: the result has ``interruptions``, and
    ``run(agent, state)`` continues.
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
        self._defers = ask == "defer"
        self._paused: OrderedDict[str, str] = OrderedDict()
        self._checked: set[frozenset[str]] = set()

    # -- a turn -------------------------------------------------------------------------------------------------------

    async def run(self, agent: Agent[Any], input: Any, **options: Any) -> RunResult:
        """Run an agent like ``Runner.run``, with hooks of the prompt, the tools and the end of the turn.

        ``options`` are those of ``Runner.run``. Raises ``InputGuardrailTripwireTriggered`` for a denied prompt, with
        the reason as its ``output_info``, and ``ConfigError`` under ``strict`` for tools that no hook sees.
        """
        agent = self.agent(agent)
        with self._turn(input, options) as run:
            input = await self._prompted(run, input)
            while True:
                result = await Runner.run(agent, input, **options)
                again = await self._more(run, result, options)
                if again is None:
                    return result
                agent, input = result.last_agent, again

    def run_sync(self, agent: Agent[Any], input: Any, **options: Any) -> RunResult:
        """Call ``run`` in a new event loop. Raises ``RuntimeError`` if the thread already runs one."""
        return asyncio.run(self.run(agent, input, **options))

    async def stream(self, agent: Agent[Any], input: Any, **options: Any) -> AsyncIterator[Any]:
        """Yield the events of ``Runner.run_streamed``, under hooks, and last its result. Raises like ``run``."""
        agent = self.agent(agent)
        with self._turn(input, options) as run:
            input = await self._prompted(run, input)
            while True:
                result = Runner.run_streamed(agent, input, **options)
                async for event in result.stream_events():
                    yield event
                again = await self._more(run, result, options)
                if again is None:
                    break
                agent, input = result.last_agent, again
        yield result

    @contextmanager
    def _turn(self, input: Any, options: dict[str, Any]) -> Iterator[_Run]:
        """Enter the conversation: the SDK's session, else that of the interrupted run, else a new one."""
        session = getattr(options.get("session"), "session_id", None) or options.get("conversation_id")
        if isinstance(input, RunState):
            ids = map(_call_id, input.get_interruptions())
            session = next((self._paused[id] for id in ids if id in self._paused), session)
        run = _Run(str(session or uuid4()))
        token = _run.set(run)
        try:
            yield run
        finally:
            with suppress(ValueError):  # an abandoned stream is closed in another context
                _run.reset(token)

    async def _prompted(self, run: _Run, input: Any) -> Any:
        """Fire the events of a start and of the prompts: the text, or the user's items at the end of a list."""
        if isinstance(input, RunState):
            return input
        items = [{"role": "user", "content": input}] if isinstance(input, str) else list(input)
        begun = await self.hooks.astart(session=run.session)
        context = [begun.context]
        if begun.denied is not None:
            raise _blocked(begun.denied)
        for index in range(len(items) - 1, -1, -1):
            item = items[index]
            role = item.get("role") if isinstance(item, dict) else None
            if role not in ("user", "system", "developer"):
                break
            if role != "user":
                continue
            gate = await self.hooks.aprompt(_text(item["content"]), session=run.session)
            if gate.denied is not None:
                raise _blocked(gate.denied)
            context.append(gate.context)
            if gate.rewritten:
                items[index] = {**item, "content": _content(item["content"], gate.value)}
        if isinstance(input, str):
            return "\n\n".join(filter(None, [items[0]["content"], *context]))
        more = "\n".join(filter(None, context))
        if more:
            items.append({"role": "user", "content": more})
        return items

    async def _more(self, run: _Run, result: Any, options: dict[str, Any]) -> Any:
        """Return the input that the agent continues with, or None; remember the calls that wait for a person."""
        for item in result.interruptions:
            self._paused[_call_id(item)] = run.session
            while len(self._paused) > _PAUSED:
                self._paused.popitem(last=False)
        if result.interruptions or run.halted is not None:
            return None
        gate = await self.hooks.astop(str(result.final_output), session=run.session)
        if gate.value is None:
            return None
        text = "\n\n".join(filter(None, [gate.value, gate.context]))
        if options.get("session") is not None or options.get("conversation_id"):
            return text
        if options.get("previous_response_id") or options.get("auto_previous_response_id"):
            options["previous_response_id"] = result.last_response_id  # the API has the earlier messages
            return text
        return [*result.to_input_list(), {"role": "user", "content": text}]

    # -- an agent -----------------------------------------------------------------------------------------------------

    def agent(self, agent: Agent[Any]) -> Agent[Any]:
        """Return a copy of an agent whose tools, MCP tools and handoffs run under hooks.

        Also copy an agent that is the tool of another: ``hooks.agent(other).as_tool(…)``. Raises ``ConfigError`` under
        ``strict`` for tools that no hook sees.
        """
        known: dict[int, Agent[Any]] = {}
        copied = self._agent(agent, known)
        for hooked in known.values():
            self._check(hooked.tools)
        return copied

    def _check(self, tools: list[Any]) -> None:
        """Check the tools of an agent, once for each set of them."""
        unreached = [message for message in map(self._unreached_message, tools) if message is not None]
        known = frozenset([*(tool.name for tool in tools), *unreached])
        if known in self._checked:
            return
        schemas = [(_name(tool), tool.params_json_schema) for tool in tools if isinstance(tool, FunctionTool)]
        schemas += [(tool.name, _SHELL) for tool in tools if isinstance(tool, ShellTool) and tool.executor]
        self.hooks.check_tools([{"name": name, "parameters": schema} for name, schema in schemas])
        self.hooks.check_reach(*unreached)
        self._checked.add(known)

    def _agent(self, agent: Agent[Any], known: dict[int, Agent[Any]]) -> Agent[Any]:
        if getattr(agent, "pyshellhooks", None) is self:
            return agent
        if id(agent) in known:
            return known[id(agent)]
        hooks, kind = self, type(agent)

        class Hooked(kind):  # type: ignore[misc,valid-type]
            pyshellhooks = hooks

            async def get_all_tools(self, run_context: Any) -> list[Any]:
                """Return the tools under hooks; this includes MCP tools, which are not known earlier."""
                found = [hooks._tool(tool) for tool in await super().get_all_tools(run_context)]
                hooks._check(found)
                return found

        Hooked.__name__ = kind.__name__
        field_values = {field.name: getattr(agent, field.name) for field in fields(agent) if field.init}
        field_values["tools"] = [self._tool(tool) for tool in agent.tools]
        field_values["tool_use_behavior"] = partial(_ended, agent.tool_use_behavior)
        field_values["handoffs"] = []
        hooked = known[id(agent)] = Hooked(**field_values)
        hooked.handoffs = []  # after it is known: agents may hand off to each other
        for one in agent.handoffs:
            hooked.handoffs.append(self._agent(one, known) if isinstance(one, Agent) else self._handoff(one))
        return hooked

    def _handoff(self, handoff: Handoff[Any, Any]) -> Handoff[Any, Any]:
        async def invoke(context: Any, arguments: str) -> Agent[Any]:
            return self._agent(await handoff.on_invoke_handoff(context, arguments), {})

        return replace(handoff, on_invoke_handoff=invoke)

    def _unreached_message(self, tool: Any) -> str | None:
        """Return a message if hooks can't see a tool, or the agent behind it; otherwise None."""
        if isinstance(tool, ShellTool) and tool.executor is not None:
            return None
        if not isinstance(tool, FunctionTool):
            return f"the tool {tool.name} belongs to the SDK or to OpenAI: no hook sees its acts"
        origin = _origin(tool, ToolOriginType.AGENT_AS_TOOL)
        if origin is None:
            return None
        if not hasattr(tool, "_agent_instance"):  # private: the SDK shows the agent behind a tool nowhere else
            return f"this version of the SDK hides the agent behind {tool.name}: it may have no hooks"
        inner = tool._agent_instance
        if getattr(inner, "pyshellhooks", None) is not self:
            return f"the agent {origin.agent_name} runs as a tool, without hooks; use hooks.agent({origin.agent_name}).as_tool(…)"
        return None

    # -- a call -------------------------------------------------------------------------------------------------------

    def _tool(self, tool: Any) -> Any:
        if getattr(tool, "pyshellhooks", None) is self:
            return tool
        hooked = tool
        if isinstance(tool, FunctionTool):
            hooked = self._function(tool)
        elif isinstance(tool, ShellTool):
            hooked = self._shell(tool)
        if hooked is not tool:
            hooked.pyshellhooks = self
        return hooked

    def _function(self, tool: FunctionTool) -> FunctionTool:
        """Return a copy of a function tool that runs under hooks."""
        hooked, name = copy.copy(tool), _name(tool)
        inner = hooked.on_invoke_tool
        origin = _origin(tool, ToolOriginType.AGENT_AS_TOOL)
        subagent = None if origin is None else origin.agent_name

        async def invoke(context: Any, arguments: str) -> Any:
            tool_input = parsed(arguments)
            id, session = context.tool_call_id, _session()

            async def run(value: Any) -> Any:
                # The model's own spelling, unless a hook rewrote it.
                text = arguments if value == tool_input else json_text(value)
                if subagent is None:
                    return await inner(context, text)
                begun = await self.hooks.astart(session=session, subagent=subagent, agent_id=id, prompt=text)
                if begun.denied is not None:
                    return f"Error: {begun.denied}"
                output = await inner(context, text)
                done = await self.hooks.astop(_shown(output), session=session, subagent=subagent, agent_id=id)
                if done.value is not None:
                    self.hooks.check_reach(
                        f"a hook wants {subagent} to continue, but the SDK ends it with its answer: {done.value}"
                    )
                if done.halt and (turn := _run.get()) is not None:
                    turn.halted = done.denied
                return output

            def is_approved(gate: Gate) -> Any:
                return context.is_tool_approved(tool.name, id)

            return _seen(await self.hooks.acall(name, tool_input, run, asks=is_approved, session=session, call_id=id))

        hooked.on_invoke_tool = invoke
        if self._defers:

            async def needs(context: Any, arguments: Any, id: str) -> bool:
                own = tool.needs_approval
                gate = await self.hooks.abefore(name, arguments, session=_session(), call_id=id)
                return gate.ask is not None or await _needs(own, context, arguments, id)

            hooked.needs_approval = needs
        return hooked

    def _shell(self, tool: ShellTool) -> ShellTool:
        """Return a copy of a local shell in which each command is a call. A hosted shell is returned as it is."""
        executor = tool.executor
        if executor is None:
            return tool

        async def execute(request: Any) -> Any:
            data, session = request.data, _session()
            # One request may have several commands.
            ids = [f"{data.call_id}/{index}" for index in range(len(data.action.commands))]
            gates = [
                await self.hooks.abefore(tool.name, {"command": command}, session=session, call_id=id)
                for id, command in zip(ids, data.action.commands, strict=True)
            ]
            if self._defers:  # the SDK calls this only after an approval
                gates = [gate.answered(True) for gate in gates]
            for gate in gates:
                if gate.denied is not None:
                    return _ending(gate)
            commands = [gate.value["command"] for gate in gates]
            action = replace(data.action, commands=commands)
            output = await _awaited(executor(replace(request, data=replace(data, action=action))))
            before = Gate(context="\n".join(gate.context for gate in gates if gate.context))
            after = await self.hooks.aafter(
                tool.name,
                {"command": "\n".join(commands)},
                _shown(output),
                before=before,
                session=session,
                call_id=data.call_id,
            )
            is_unchanged = after.denied is None and not after.rewritten and not after.context
            return output if is_unchanged else _ending(after)

        hooked = replace(tool, executor=execute)
        if self._defers:

            async def needs(context: Any, action: Any, id: str) -> bool:
                has_question = False
                for index, command in enumerate(action.commands):  # all, so that each has its gate when it runs
                    gate = await self.hooks.abefore(
                        tool.name, {"command": command}, session=_session(), call_id=f"{id}/{index}"
                    )
                    if gate.ask is not None:
                        has_question = True
                if has_question:
                    return True
                return await _needs(tool.needs_approval, context, action, id)

            hooked.needs_approval = needs
        return hooked


_SHELL = {"type": "object", "properties": {"command": {"type": "string"}}}


def _session() -> str:
    run = _run.get()
    return "" if run is None else run.session


def _origin(tool: FunctionTool, kind: ToolOriginType) -> Any:
    """Return the origin of a tool if it is of this kind, or None."""
    origin = get_function_tool_origin(tool)
    if origin is not None and origin.type == kind:
        return origin
    return None


def _name(tool: FunctionTool) -> str:
    origin = _origin(tool, ToolOriginType.MCP)
    if origin is not None and origin.mcp_server_name:
        return f"mcp__{origin.mcp_server_name}__{tool.name}"
    return str(tool.name)


def _call_id(item: Any) -> str:
    raw = item.raw_item
    if isinstance(raw, dict):
        return str(raw.get("call_id"))
    return str(getattr(raw, "call_id", ""))


def _shown(output: Any) -> str:
    if isinstance(output, str):
        return output
    return json.dumps(output, default=lambda value: getattr(value, "__dict__", str(value)))


def _seen(gate: Gate) -> Any:
    """Return the result of a call for the model."""
    is_text = isinstance(gate.value, str)
    if is_text or gate.rewritten or gate.denied is not None:
        return _ending(gate)
    if not gate.context:
        return gate.value
    parts = gate.value if isinstance(gate.value, list) else [gate.value]
    return [*parts, {"type": "text", "text": gate.context}]


def _ending(gate: Gate) -> str:
    """Return a gate's text for the model. A halt ends the turn, or raises ``AgentsException`` outside of ``run``."""
    run = _run.get()
    if gate.halt and run is not None:
        run.halted = gate.denied
    elif gate.halt:
        raise AgentsException(f"a hook ended the run: {gate.denied}")
    text = f"Error: {gate.denied}" if gate.denied is not None else _shown(gate.value)
    return "\n\n".join(filter(None, [text, gate.context]))


async def _ended(own: Any, context: Any, results: list[Any]) -> ToolsToFinalOutputResult:
    """Return whether the results of tools end the turn: after a halt, or by the agent's own ``tool_use_behavior``."""
    run = _run.get()
    if run is not None and run.halted is not None:
        return ToolsToFinalOutputResult(is_final_output=True, final_output=run.halted)
    if callable(own):
        found: ToolsToFinalOutputResult = await _awaited(own(context, results))
        return found
    stops = own.get("stop_at_tool_names", ()) if isinstance(own, dict) else ()
    for result in results:
        if own == "stop_on_first_tool" or result.tool.name in stops:
            return ToolsToFinalOutputResult(is_final_output=True, final_output=result.output)
    return ToolsToFinalOutputResult(is_final_output=False)


async def _needs(own: Any, *arguments: Any) -> bool:
    """Return whether a tool's own ``needs_approval`` requires one."""
    if callable(own):
        own = await _awaited(own(*arguments))
    return bool(own)


async def _awaited(value: Any) -> Any:
    if inspect.isawaitable(value):
        return await value
    return value


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    texts = [part.get("text") for part in content if isinstance(part, dict)]
    return "\n".join(text for text in texts if isinstance(text, str))


def _content(old: Any, text: str) -> Any:
    if isinstance(old, str):
        return text
    return [{"type": "input_text", "text": text}, *(part for part in old if "text" not in part)]


def _blocked(reason: str) -> InputGuardrailTripwireTriggered:
    """Return the exception that the SDK raises for a prompt that a guardrail blocks."""

    def tripwire(*_: object) -> GuardrailFunctionOutput:
        return GuardrailFunctionOutput(output_info=reason, tripwire_triggered=True)

    return InputGuardrailTripwireTriggered(InputGuardrailResult(InputGuardrail(tripwire, "pyshellhooks"), tripwire()))
