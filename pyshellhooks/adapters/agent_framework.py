"""Adapter for Microsoft's Agent Framework: ``Agent(…, middleware=[ShellHooks()])`` (docs/adapters/agent-framework.md).

Three middlewares in one bundle: around a turn, before the model, around a call. They share a ``_Run``.
"""

from __future__ import annotations

import copy
import inspect
import warnings
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any, NamedTuple
from uuid import uuid4

try:
    from agent_framework import (
        AgentContext,
        AgentExecutor,
        AgentLoopMiddleware,
        AgentMiddleware,
        AgentResponse,
        AgentResponseUpdate,
        BackgroundAgentsProvider,
        ChatContext,
        ChatMiddleware,
        ChatMiddlewareLayer,
        ChatResponse,
        ChatResponseUpdate,
        Content,
        FunctionInvocationContext,
        FunctionInvocationLayer,
        FunctionMiddleware,
        FunctionTool,
        Message,
        MiddlewareBundle,
        MiddlewareException,
        MiddlewareTermination,
        ResponseStream,
        SupportsAgentRun,
        UserInputRequiredException,
    )
except ImportError as error:
    raise ImportError(
        f"pyshellhooks needs Agent Framework 1.18 or later ({error}): pip install 'pyshellhooks[agent-framework]'"
    ) from error

from ..agent import AgentHooks, Gate, HookEngine, OnAsk, ToldKind, declared_name, json_text

__all__ = ["ShellHooks"]

Next = Callable[[], Awaitable[None]]
_ANSWERS = ("function_approval_response", "function_result")  # contents of a person's message that are not a prompt
_PARTS = ("text", "data", "uri")  # of a tool's result
_QUESTIONS = 1000  # open questions that are remembered; beyond that the oldest are dropped


class _Run:
    """A run of an agent: its conversation, the reason of a halt, and notes for the next request to the model."""

    def __init__(
        self, session: str, outer: _Call | None = None, servers: Sequence[Any] = (), ends: bool = False
    ) -> None:
        self.session = session
        self.outer = outer
        self.servers = servers
        self.ends = ends  # whether ``_Models`` ends the turn after a halt: the client runs chat middleware
        self.halted: str | None = None
        self.notes: list[str] = []

    @contextmanager
    def under(self) -> Iterator[None]:
        """Set this as the current run of the context."""
        token = _run.set(self)
        try:
            yield
        finally:
            _run.reset(token)

    def halt(self, reason: str | None) -> None:
        """End the turn, and the turns of the agents that this one runs inside."""
        self.halted = reason
        if self.outer is not None:
            self.outer.run.halt(reason)

    def name(self, tool: FunctionTool) -> str:
        """Return the name under which hooks see a tool: ``mcp__SERVER__TOOL`` for one of an MCP server."""
        for server in self.servers:
            if any(function.name == tool.name for function in server.functions):
                prefix = f"{server.tool_name_prefix}_" if server.tool_name_prefix else ""
                return f"mcp__{server.name}__{tool.name.removeprefix(prefix)}"
        return str(tool.name)

    def subagent(self, **more: str) -> dict[str, str]:
        """Return the event fields that identify a subagent, and ``more``; ``{}`` if the agent is not a subagent."""
        if self.outer is None:
            return {}
        return {"subagent": self.outer.tool, "agent_id": self.outer.id, **more}


class _Call(NamedTuple):
    """The call that runs under hooks in this context; an agent that runs inside it is a subagent."""

    id: str
    tool: str
    run: _Run


class _ApprovalRequested(Exception):
    """Raised to leave a call for which the framework must request an approval."""


_run: ContextVar[_Run | None] = ContextVar("pyshellhooks_run", default=None)
_call: ContextVar[_Call | None] = ContextVar("pyshellhooks_call", default=None)

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the framework marks both as experimental; users of the adapter need no warning

    class _Loop(AgentLoopMiddleware):
        pass

    class _Bundle(MiddlewareBundle):
        pass


class ShellHooks(_Bundle):
    """The hooks of an agent, as a ``MiddlewareBundle``. Pass the same object to the agents behind its tools too.

    ``engine``, ``tools``, ``on_ask``, ``ask`` and ``cwd`` are those of ``AgentHooks``, and so are the errors for wrong
    ones. With ``ask="defer"`` a call that a hook asks about becomes a ``function_approval_request``; its
    ``additional_properties`` contain the ``question`` (a string). Under ``strict`` a run raises ``ConfigError`` for
    tools and agents that no hook sees.
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
        super().__init__([_Turns(self.hooks), _Models(self.hooks), _Calls(self.hooks)])


class _Turns(AgentMiddleware):
    """The middleware around a turn: fires the events of a prompt and of the end of the turn."""

    def __init__(self, hooks: AgentHooks) -> None:
        self._hooks = hooks
        self._reported: set[str] = set()

    async def process(self, context: AgentContext, call_next: Next) -> None:
        """Run a turn under hooks. A hook of the end of the turn may make the agent continue."""
        self._check(context.agent)
        outer = _call.get()
        session = None
        if outer is not None:
            session = outer.run.session
        elif context.session:
            session = context.session.session_id
        ends = isinstance(getattr(context.agent, "client", None), ChatMiddlewareLayer)
        run = _Run(str(session or uuid4()), outer, _servers(context), ends)
        denied = await self._prompted(run, context)
        if denied is not None:
            context.result = _answer(denied, context.stream, AgentResponse, AgentResponseUpdate)
            return
        options = {**getattr(context.agent, "default_options", {}), **(context.options or {})}
        has_session = context.session is not None or options.get("conversation_id")
        before: list[Message] = []

        async def turn() -> None:
            context.messages = [*before, *context.messages]
            await call_next()

        def more(*, feedback: str, last_result: Any, messages: Sequence[Message], **_: Any) -> list[Message]:
            # A session has the earlier messages.
            before[:] = [] if has_session else [*messages, *last_result.messages]
            return [Message("user", [feedback])]

        loop = _Loop(
            partial(self._goes_on, run),
            next_message=more,
            max_iterations=None,  # a hook decides when it ends
            inject_progress=False,
            return_final_only=True,
        )
        with run.under():
            await loop.process(context, turn)
        if context.stream:  # the caller reads it later, maybe in another context
            context.result.with_pull_context_manager(run.under)

    def _check(self, agent: Any) -> None:
        """Report once an agent whose tools the framework does not call; raise ``ConfigError`` under ``strict``."""
        name = str(agent.name or type(agent).__name__)
        if name in self._reported or _calls_tools(getattr(agent, "client", None)):
            return
        self._hooks.check_reach(f"the framework does not call the tools of the agent {name}: no hook sees them")
        self._reported.add(name)

    async def _prompted(self, run: _Run, context: AgentContext) -> str | None:
        """Fire the events of a start and of the prompts. Return the reason of a deny, or None."""
        messages, prompts = list(context.messages), _prompts(context.messages)
        text = "\n".join(messages[index].text for index in prompts)
        gates = [await self._hooks.astart(session=run.session, **run.subagent(prompt=text))]
        prompted = prompts if run.outer is None else []  # the prompt of a subagent is its caller's text
        for index in prompted:
            gate = await self._hooks.aprompt(messages[index].text, session=run.session)
            gates.append(gate)
            if gate.rewritten:
                messages[index] = _with_text(messages[index], gate.value)
        begun = Gate.joined(gates)
        if begun.context:
            messages.append(Message("user", [begun.context]))
        context.messages = messages
        return begun.denied

    async def _goes_on(self, run: _Run, *, last_result: Any, **_: Any) -> bool | tuple[bool, str]:
        """Fire the event of the end of a turn, unless the agent waits for a person.

        Return False, or True and the text that the agent continues with.
        """
        if run.halted is not None or last_result is None:
            return False
        if last_result.user_input_requests:
            return False
        gate = await self._hooks.astop(last_result.text, session=run.session, **run.subagent())
        if gate.value is None:
            return False
        return True, "\n\n".join(filter(None, [gate.value, gate.context]))


class _Models(ChatMiddleware):
    """The middleware around a request to the model: after a halt it sends no request."""

    def __init__(self, hooks: AgentHooks) -> None:
        self._hooks = hooks
        self._checked: set[frozenset[str]] = set()

    async def process(self, context: ChatContext, call_next: Next) -> None:
        """Check the tools that the model may call, and call the model unless the run is halted."""
        run = _run.get() or _Run("")
        self._check(run, (context.options or {}).get("tools") or ())
        if run.halted is not None:
            context.result = _answer(run.halted, context.stream, ChatResponse, ChatResponseUpdate)
            return
        if run.notes:
            context.messages = [*context.messages, Message("user", ["\n".join(run.notes)])]
        await call_next()

    def _check(self, run: _Run, tools: Sequence[Any]) -> None:
        """Check the tools of a request, once for each set of them."""
        names = frozenset(map(_tool_name, tools))
        if names in self._checked:
            return
        own = [tool for tool in tools if isinstance(tool, FunctionTool) and not tool.declaration_only]
        self._hooks.check_tools([{"name": run.name(tool), "parameters": tool.parameters()} for tool in own])
        unreached = [f"{_tool_name(tool)} runs elsewhere: no hook sees it" for tool in tools if tool not in own]
        for name, tool in _unguarded_behind(own).items():
            unreached.append(
                f"the agent {name} runs behind the tool {tool} without hooks; pass middleware=[hooks] to it too"
            )
        self._hooks.check_reach(*unreached)
        self._checked.add(names)


class _Calls(FunctionMiddleware):
    """The middleware around a call of a tool."""

    def __init__(self, hooks: AgentHooks) -> None:
        self._hooks = hooks
        self._put: OrderedDict[tuple[str, str], str] = OrderedDict()

    async def process(self, context: FunctionInvocationContext, call_next: Next) -> None:
        """Call a tool under its hooks."""
        run = _run.get()
        if run is None:  # a program calls the tool outside of an agent's run
            run = _Run(str(uuid4() if context.session is None else context.session.session_id))
        given = context.arguments
        if not isinstance(given, Mapping):
            given = given.model_dump()
        id, name = str(context.metadata.get("call_id") or ""), run.name(context.function)

        async def call(arguments: Mapping[str, Any]) -> Any:
            context.arguments = dict(arguments)  # a copy of the arguments that hooks judged
            token = _call.set(_Call(id, name, run))
            try:
                await call_next()
            finally:
                _call.reset(token)
            return context.result

        def approve(gate: Gate) -> bool:
            if run.outer is not None:  # the framework requests no approval for an agent behind a tool
                return False
            answer = context.metadata.get("approval_response")
            if answer is not None and answer.approved is True:
                put = self._put.pop((run.session, id), None)  # the response may have lost its properties
                if gate.ask in (put, answer.additional_properties.get("question")):
                    return True
            context.result = _request(context, id, gate)
            self._put[run.session, id] = str(gate.ask)
            while len(self._put) > _QUESTIONS:
                self._put.popitem(last=False)
            raise _ApprovalRequested

        passes = (_ApprovalRequested, MiddlewareException, UserInputRequiredException)
        options: dict[str, Any] = {"seen": _seen, "passes": passes, "session": run.session, "call_id": id}
        try:
            gate = await self._hooks.acall(name, given, call, asks=approve, **options)
        except _ApprovalRequested:
            return
        except Exception as error:  # the framework renders an error without its notes, so they go separately
            run.notes += getattr(error, "__notes__", ())
            raise
        if gate.halt:
            run.halt(gate.denied)
        context.result = _shown(gate)
        if gate.halt and not run.ends:
            raise MiddlewareTermination(gate.denied)


def _calls_tools(client: Any) -> bool:
    """Return whether the framework calls the tools of an agent with this client, through its middlewares."""
    if not isinstance(client, FunctionInvocationLayer) or not isinstance(client, ChatMiddlewareLayer):
        return False
    return bool(client.function_invocation_configuration.get("enabled", True))


def _servers(context: AgentContext) -> list[Any]:
    """Return the MCP servers of a run: those of the agent, and those among the run's ``tools``."""
    tools = context.tools
    if tools is None:
        tools = (context.options or {}).get("tools")
    if not isinstance(tools, Sequence):
        tools = [tools]
    added = [tool for tool in tools if hasattr(tool, "tool_name_prefix")]
    return [*getattr(context.agent, "mcp_tools", ()), *added]


def _prompts(messages: Sequence[Message]) -> list[int]:
    """Return the indexes of the user's prompts after the last message of the agent."""
    indexes: list[int] = []
    for index in range(len(messages) - 1, -1, -1):
        message = messages[index]
        if message.role in ("assistant", "tool"):
            break
        is_prompt = any(content.type not in _ANSWERS for content in message.contents)
        if is_prompt and message.role == "user":
            indexes.insert(0, index)
    return indexes


def _with_text(message: Message, text: str) -> Message:
    """Return a copy of a message with another text; contents of other types stay."""
    changed = copy.copy(message)
    changed.contents = [Content.from_text(text), *(content for content in message.contents if content.type != "text")]
    return changed


def _answer(text: str, stream: bool, response: Any, update: Any) -> Any:
    """Return a response, or a stream of one, with the text as the assistant's message."""
    if not stream:
        return response(messages=[Message("assistant", [text])])

    async def updates() -> AsyncIterator[Any]:
        yield update(contents=[Content.from_text(text)], role="assistant")

    return ResponseStream(updates(), finalizer=response.from_updates)


def _request(context: FunctionInvocationContext, id: str, gate: Gate) -> Content:
    """Return the framework's approval request for a call, with the arguments that hooks rewrote."""
    model, arguments = context.function.input_model, dict(gate.value)
    if model is not None:  # sessions are saved as JSON, and parsed arguments may not be JSON values
        arguments = model.model_validate(arguments).model_dump(mode="json", exclude_unset=True)
    call = Content.from_function_call(id, context.function.name, arguments=arguments)
    call.id = context.metadata.get("function_call_occurrence_id")
    return Content.from_function_approval_request(call.id or id, call, additional_properties={"question": gate.ask})


def _seen(result: Any) -> Any:
    """Return the form of a result that hooks see: one text, a list of dicts, or the result itself."""
    if not isinstance(result, list) or not all(isinstance(content, Content) for content in result):
        return result
    if all(content.type == "text" for content in result):
        return "\n".join(content.text or "" for content in result)
    return [content.to_dict() for content in result]


def _shown(gate: Gate) -> Any:
    """Return the result of a call for the model: the reason of a deny, or the result with the hooks' context."""
    if gate.denied is not None:
        return "\n\n".join(filter(None, [f"Error: {gate.denied}", gate.context]))
    result = _parts(gate.value) if gate.rewritten else gate.value
    if not gate.context:
        return result
    return [*FunctionTool.parse_result(result), Content.from_text(gate.context)]


def _parts(value: Any) -> Any:
    """Return the ``updated_output`` of a hook as the framework's contents, or as JSON text if it has another form."""
    if not isinstance(value, list):
        return json_text(value)
    if not all(isinstance(content, Mapping) and content.get("type") in _PARTS for content in value):
        return json_text(value)
    return [Content.from_dict(content) for content in value]


def _tool_name(tool: Any) -> str:
    if isinstance(tool, Mapping):
        return declared_name(tool)
    return str(getattr(tool, "name", None) or type(tool).__name__)


def _unguarded_behind(tools: Sequence[FunctionTool]) -> dict[str, str]:
    """Return the names of agents without hooks behind tools, each with the first tool that leads to it."""
    behind: dict[str, str] = {}
    for tool in reversed(tools):
        for agent in _agents_in_closure(tool):
            for name in _unguarded(agent):
                behind[name] = tool.name
    return behind


def _agents_in_closure(tool: FunctionTool) -> Iterator[Any]:
    """Yield the agents in a tool function's closure and globals: a tool of ``as_tool`` has no attribute for its agent.

    ``_agents`` is private: a provider of background agents has no public list of them. If the attribute is missing, the
    provider itself is yielded.
    """
    try:
        known = inspect.getclosurevars(inspect.unwrap(tool.func))
    except (TypeError, ValueError):  # not a Python function, or a name in its closure has no value yet
        return
    for value in (*known.nonlocals.values(), *known.globals.values()):
        if isinstance(value, SupportsAgentRun):
            yield value
        elif isinstance(value, BackgroundAgentsProvider):
            yield from getattr(value, "_agents", {"": value}).values()


def _unguarded(agent: Any) -> Iterator[str]:
    """Yield the names of agents that run without hooks: this one, or those of its workflow."""
    workflow = getattr(agent, "workflow", None)
    if workflow is not None:
        for executor in workflow.get_executors_list():
            if isinstance(executor, AgentExecutor):
                yield from _unguarded(executor.agent)
    elif not any(isinstance(middleware, ShellHooks) for middleware in getattr(agent, "middleware", None) or ()):
        yield str(getattr(agent, "name", None) or type(agent).__name__)
