"""Adapter for LangChain and deepagents: ``create_agent(…, middleware=[ShellHooks()])`` (docs/adapters/langchain.md).

One context variable identifies a subagent: it holds the call that runs under hooks right now.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeAlias, TypedDict
from uuid import uuid4

try:
    from langchain.agents.middleware import AgentMiddleware, hook_config
    from langchain.agents.middleware.types import ModelRequest, PrivateStateAttr
    from langchain_core.callbacks import BaseCallbackHandler
    from langchain_core.messages import AIMessage, AnyMessage, ChatMessage, HumanMessage, ToolMessage
    from langchain_core.tracers.context import register_configure_hook
    from langchain_core.utils.function_calling import convert_to_openai_tool
    from langgraph.config import get_config
    from langgraph.errors import GraphBubbleUp
    from langgraph.types import Command, interrupt
except ImportError as error:
    raise ImportError(
        f"pyshellhooks needs LangChain 1.0 or later ({error}): pip install 'pyshellhooks[langchain]'"
    ) from error

from ..agent import AgentHooks, Gate, HookEngine, OnAsk, ToldKind, declared_name, json_text

if TYPE_CHECKING:  # releases of LangChain have it in three different modules
    from langchain.agents.middleware.types import ToolCallRequest

__all__ = ["ShellHooks"]

Update = dict[str, Any] | None
Result: TypeAlias = "ToolMessage | Command[Any]"
_OURS = {"pyshellhooks": True}  # marks the hooks' messages for people only: any input can contain this mark
#: Keys of a content block whose values are not text for the model.
_NO_TEXT = frozenset(
    "type id index role mime_type media_type format detail url image_url file_id file_data filename source_type "
    "cache_control extras annotations signature encrypted_content".split()
)
_DATA = frozenset(["base64", "data"])  # text only if the block's type is a text type


class _State(TypedDict, total=False):
    """State of a thread: a generated conversation id, the hooks' messages, and the reason of a halt."""

    hook_session: Annotated[str, PrivateStateAttr]
    # Texts of the hooks' messages by id; an input can't set them.
    hook_wrote: Annotated[dict[str, str], PrivateStateAttr]
    hook_halted: Annotated[str, PrivateStateAttr, lambda old, new: new]  # a reducer, because calls run in parallel


class _Scope(NamedTuple):
    """The call that runs under hooks in this context; an agent that runs inside it is a subagent."""

    call_id: str
    session: str
    kind: str


class _ToolError(Exception):
    """A tool's result with the status ``error``, raised so that hooks see a failure."""

    def __init__(self, message: ToolMessage) -> None:
        super().__init__(str(message.text))
        self.message = message


class _Fence(BaseCallbackHandler):
    """A callback handler for tool calls inside a call. One that is not under hooks is of a subagent without hooks."""

    raise_error = True  # LangChain only logs the exceptions of other handlers

    def __init__(self, hooks: AgentHooks) -> None:
        self._hooks = hooks
        self._reported: set[str] = set()

    def on_tool_start(self, serialized: dict[str, Any] | None, input_str: str, **kwargs: Any) -> None:
        """Report each tool once that a subagent calls without hooks; raise ``ConfigError`` under ``strict``."""
        name, id, scope = str((serialized or {}).get("name")), kwargs.get("tool_call_id"), _scope.get()
        if scope is None or not id:
            return
        if id == scope.call_id:  # the call under hooks itself, not one inside it
            return
        call = f"{scope.kind}/{name}"
        if call not in self._reported:
            self._hooks.check_reach(
                f'the subagent "{scope.kind}" called {name} without any hook; pass middleware=[hooks] to the subagent too'
            )
            self._reported.add(call)


_scope: ContextVar[_Scope | None] = ContextVar("pyshellhooks_scope", default=None)
_fence: ContextVar[_Fence | None] = ContextVar("pyshellhooks_fence", default=None)


@cache
def _register_fence() -> None:
    register_configure_hook(_fence, inheritable=True)  # it reaches the agents inside a tool


class ShellHooks(AgentMiddleware[Any, Any]):
    """The hooks of an agent, as an ``AgentMiddleware``. Pass the same object to subagents too.

    ``engine``, ``tools``, ``on_ask``, ``ask`` and ``cwd`` are those of ``AgentHooks``, and so are the errors for wrong
    ones. With ``ask="defer"`` a question becomes an ``interrupt`` with ``{"tool", "args", "question"}``, and only
    ``Command(resume=True)`` is a yes. Under ``strict`` a run raises ``ConfigError`` for tools that no hook sees.
    """

    state_schema = _State
    tools = ()

    def __init__(
        self,
        engine: HookEngine | None = None,
        *,
        tools: dict[str, ToldKind] | None = None,
        on_ask: OnAsk | None = None,
        ask: str = "deny",
        cwd: str | None = None,
    ) -> None:
        super().__init__()
        self.hooks = AgentHooks(engine, tools=tools, on_ask=on_ask, ask=ask, cwd=cwd)
        self._net = _Fence(self.hooks)
        self._checked: set[frozenset[str]] = set()
        _register_fence()

    # -- a conversation, a prompt -------------------------------------------------------------------------------------

    @hook_config(can_jump_to=["end"])
    def before_agent(self, state: Any, runtime: Any) -> Update:
        """Fire the events of a start and of the user's prompts."""
        session, prompts = _session(state), _prompts(state)
        texts = [_text(message) for message in prompts]
        gates = [self.hooks.start(session=session, **_subagent(prompt="\n".join(texts)))]
        if _scope.get() is None:
            gates += [self.hooks.prompt(text, session=session) for text in texts]
        return _begun(state, session, prompts, gates)

    @hook_config(can_jump_to=["end"])
    async def abefore_agent(self, state: Any, runtime: Any) -> Update:
        """Implement ``before_agent`` for coroutines."""
        session, prompts = _session(state), _prompts(state)
        texts = [_text(message) for message in prompts]
        gates = [await self.hooks.astart(session=session, **_subagent(prompt="\n".join(texts)))]
        if _scope.get() is None:
            gates += [await self.hooks.aprompt(text, session=session) for text in texts]
        return _begun(state, session, prompts, gates)

    # -- the model ----------------------------------------------------------------------------------------------------

    def wrap_model_call(self, request: ModelRequest[Any], handler: Callable[[Any], Any]) -> Any:
        """Check the tools that the model may call, and call the model; after a halt return a message instead."""
        self._check(request.tools)
        halted = request.state.get("hook_halted")
        if halted:
            return AIMessage(halted)
        return handler(request)

    async def awrap_model_call(self, request: ModelRequest[Any], handler: Callable[[Any], Awaitable[Any]]) -> Any:
        """Implement ``wrap_model_call`` for coroutines."""
        self._check(request.tools)
        halted = request.state.get("hook_halted")
        if halted:
            return AIMessage(halted)
        return await handler(request)

    def _check(self, tools: Sequence[Any]) -> None:
        """Check each set of tools once, at a request: a middleware has no access to them when the agent is built."""
        names = frozenset(_tool_name(tool) for tool in tools)
        if names in self._checked:
            return
        own: list[Any] = []
        unreached: list[str] = []
        for tool in tools:
            if not isinstance(tool, dict):
                own.append(convert_to_openai_tool(tool))
            elif {"function", "parameters"} & tool.keys():
                own.append(tool)
            else:
                unreached.append(f"{_tool_name(tool)} runs at the model's provider: no hook sees it")
        self.hooks.check_tools(own)
        self.hooks.check_reach(*unreached)
        self._checked.add(names)

    # -- a call -------------------------------------------------------------------------------------------------------

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Result]) -> Result:
        """Call a tool under its hooks."""

        result: Result | None = None

        def run(arguments: Any) -> Result:
            nonlocal result
            result = _checked(handler(_with_arguments(request, arguments)))
            return result

        with self._call_under_hooks(request) as call:
            try:
                return _shown(request, call(self.hooks.call, run), result)
            except _ToolError as error:
                return _failed(request, error)

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Result]]
    ) -> Result:
        """Implement ``wrap_tool_call`` for coroutines."""

        result: Result | None = None

        async def run(arguments: Any) -> Result:
            nonlocal result
            result = _checked(await handler(_with_arguments(request, arguments)))
            return result

        with self._call_under_hooks(request) as call:
            try:
                return _shown(request, await call(self.hooks.acall, run), result)
            except _ToolError as error:
                return _failed(request, error)

    @contextmanager
    def _call_under_hooks(
        self, request: ToolCallRequest
    ) -> Iterator[Callable[[Callable[..., Any], Callable[..., Any]], Any]]:
        """Yield a function that calls the tool under hooks; agents that run inside count as subagents."""
        name, arguments = request.tool_call["name"], request.tool_call["args"]
        id, session = request.tool_call["id"] or "", _session(request.state)
        answers = [message for message in request.state["messages"] if isinstance(message, AIMessage)]
        turn = answers[-1].id if answers else ""
        kind = arguments.get("subagent_type")  # of the tool ``task`` of deepagents
        if not isinstance(kind, str):
            kind = name
        inside = _scope.set(_Scope(id, session, kind))
        fence = _fence.set(self._net)

        def request_approval(gate: Gate) -> Any:
            return interrupt({"tool": name, "args": gate.value, "question": gate.ask})

        options: dict[str, Any] = {"asks": request_approval, "passes": GraphBubbleUp, "seen": partial(_seen, request)}
        options |= {"session": session, "call_id": id, "turn": turn or ""}
        try:
            yield lambda call, run: call(name, arguments, run, **options)
        finally:
            _fence.reset(fence)
            _scope.reset(inside)

    # -- the agent is done --------------------------------------------------------------------------------------------

    @hook_config(can_jump_to=["model"])
    def after_agent(self, state: Any, runtime: Any) -> Update:
        """Fire the event of the end of the agent or subagent. A hook may make it continue."""
        if state.get("hook_halted"):
            return None
        return _going_on(state, self.hooks.stop(_response(state), session=_session(state), **_subagent()))

    @hook_config(can_jump_to=["model"])
    async def aafter_agent(self, state: Any, runtime: Any) -> Update:
        """Implement ``after_agent`` for coroutines."""
        if state.get("hook_halted"):
            return None
        gate = await self.hooks.astop(_response(state), session=_session(state), **_subagent())
        return _going_on(state, gate)


def _session(state: Any) -> str:
    """Return the id of the conversation: of the thread, else of the agent around a subagent, else a new one per run."""
    scope = _scope.get()
    thread = get_config().get("configurable", {}).get("thread_id")
    around = scope.session if scope is not None else None
    own = thread or around or state.get("hook_session")
    return str(own or uuid4())


def _subagent(**more: str) -> dict[str, Any]:
    """Return the event fields that identify a subagent, and ``more``; ``{}`` for an agent that is not a subagent."""
    scope = _scope.get()
    if scope is None:
        return {}
    return {"subagent": scope.kind, "agent_id": scope.call_id, **more}


def _prompts(state: Any) -> list[AnyMessage]:
    """Return the user's messages after the last message of the agent or a tool."""
    return [message for message in _since(state) if _is_from_user(message) and not _is_ours(state, message)]


def _since(state: Any) -> list[AnyMessage]:
    """Return the messages after the last message of the agent or a tool."""
    messages: list[AnyMessage] = []
    for message in reversed(state["messages"]):
        if isinstance(message, AIMessage | ToolMessage):
            break
        messages.insert(0, message)
    return messages


def _is_from_user(message: AnyMessage) -> bool:
    if isinstance(message, ChatMessage):
        return message.role.lower() in ("user", "human")
    return isinstance(message, HumanMessage)


def _is_ours(state: Any, message: AnyMessage) -> bool:
    """Return whether hooks wrote a message. Its id and its text decide, since any input can contain the mark."""
    text = (state.get("hook_wrote") or {}).get(message.id)
    return text is not None and bool(message.content == text)


def _text(message: AnyMessage) -> str:
    """Return all text of a message that a model reads: its own, and the text in blocks of other types."""
    texts = [str(message.text)]
    if not isinstance(message.content, str):
        for part in message.content:
            texts += _block_texts(part)
    return "\n".join(filter(None, texts))


def _block_texts(block: Any) -> Iterator[str]:
    """Yield the texts of a block that is not of the type ``text``."""
    if not isinstance(block, dict):
        return
    is_text = block.get("type") == "text" and isinstance(block.get("text"), str)
    if not is_text:
        yield from _inner_texts(block)


def _inner_texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if value and not value.startswith("data:"):
            yield value
    elif isinstance(value, list):
        for item in value:
            yield from _inner_texts(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key in _DATA:
                yield from _data_texts(value, item)
            elif key not in _NO_TEXT:
                yield from _inner_texts(item)


def _data_texts(block: dict[str, Any], data: Any) -> Iterator[str]:
    """Yield the text of a block's data, plain and decoded, if its type is text."""
    kind = str(block.get("mime_type") or block.get("media_type") or "")
    is_text = kind.startswith("text/") if kind else block.get("type") == "text"
    if not is_text or not isinstance(data, str):
        return
    yield data
    try:
        yield b64decode(data, validate=True).decode("utf-8")
    except ValueError:
        return


def _begun(state: Any, session: str, prompts: list[AnyMessage], gates: list[Gate]) -> Update:
    """Return the state update for the prompts: rewritten in place, with context after them, or denied."""
    # A message with a known id replaces that message (LangGraph's ``add_messages``).
    messages: list[AnyMessage] = []
    begun = Gate.joined(gates)
    if begun.denied is not None:
        for message in prompts:  # the conversation keeps no denied prompt
            messages.append(message.model_copy(update={"content": "(a hook blocked this prompt)"}))
        messages.append(AIMessage(begun.denied))
        return {"hook_session": session, "hook_halted": begun.denied, "messages": messages, "jump_to": "end"}
    for message, gate in zip(prompts, gates[1:], strict=False):
        if gate.rewritten:
            messages.append(message.model_copy(update={"content": _content(message.content, gate.value)}))
    wrote = {str(message.id): str(message.content) for message in _since(state) if _is_ours(state, message)}
    if begun.context:
        messages.append(_note(begun.context, wrote))
    return {"hook_session": session, "hook_halted": "", "hook_wrote": wrote, "messages": messages}


def _note(text: str, wrote: dict[str, str]) -> HumanMessage:
    """Return a message with a hook's text, and record its id and text in ``wrote``."""
    id = str(uuid4())
    wrote[id] = text
    return HumanMessage(text, id=id, additional_kwargs=_OURS)


def _content(old: str | list[Any], text: str) -> str | list[Any]:
    """Return a message's content with another text; blocks without text stay."""
    if isinstance(old, str):
        return text
    remaining = [part for part in old if not _has_text(part)]
    return [{"type": "text", "text": text}, *remaining]


def _has_text(part: Any) -> bool:
    if isinstance(part, str) or part.get("type") == "text":
        return True
    return any(_block_texts(part))


def _tool_name(tool: Any) -> str:
    if isinstance(tool, dict):
        return declared_name(tool)
    return str(tool.name)


def _response(state: Any) -> str:
    for message in reversed(state["messages"]):
        if isinstance(message, AIMessage):
            return str(message.text)
    return ""


def _going_on(state: Any, gate: Gate) -> Update:
    if gate.value is None:
        return None
    text = "\n".join(filter(None, [gate.value, gate.context]))
    wrote = dict(state.get("hook_wrote") or {})
    return {"messages": [_note(text, wrote)], "hook_wrote": wrote, "jump_to": "model"}


def _with_arguments(request: ToolCallRequest, arguments: Any) -> ToolCallRequest:
    return request.override(tool_call={**request.tool_call, "args": dict(arguments)})


def _message(request: ToolCallRequest, result: Any) -> ToolMessage | None:
    """Return the call's message in a tool's result: the result, or a message in a ``Command``'s update, or None."""
    if isinstance(result, ToolMessage):
        return result
    update = result.update if isinstance(result, Command) else None
    if not isinstance(update, dict):
        return None
    for message in update.get("messages", ()):
        if isinstance(message, ToolMessage) and message.tool_call_id == request.tool_call["id"]:
            return message
    return None


def _checked(result: Result) -> Result:
    if isinstance(result, ToolMessage) and result.status == "error":
        raise _ToolError(result)
    return result


def _seen(request: ToolCallRequest, result: Any) -> Any:
    message = _message(request, result)
    if message is None:
        return result
    return message.content


def _shown(request: ToolCallRequest, gate: Gate, result: Result | None) -> Result:
    """Return the result of a call for the model; a halt ends the turn."""
    id, name = request.tool_call["id"], request.tool_call["name"]
    if gate.denied is not None or result is None:
        text = "\n".join(filter(None, [gate.denied, gate.context]))
        denied = ToolMessage(text, tool_call_id=id, name=name, status="error")
        if gate.halt:
            return Command(update={"messages": [denied], "hook_halted": gate.denied})
        return denied
    message = _message(request, result)
    if message is None:
        return result
    content = json_text(gate.value) if gate.rewritten else message.content
    new = message.model_copy(update={"content": _and(content, gate.context)})
    if not isinstance(result, Command):
        return new
    update = {**result.update, "messages": [new if one is message else one for one in result.update["messages"]]}
    return replace(result, update=update)


def _failed(request: ToolCallRequest, error: _ToolError) -> ToolMessage:
    content = _and(error.message.content, "\n".join(getattr(error, "__notes__", ())))
    return error.message.model_copy(update={"content": content})


def _and(content: Any, context: str) -> Any:
    """Return a content with the hooks' context after it."""
    if not context:
        return content
    if isinstance(content, str):
        return f"{content}\n\n{context}"
    return [*content, {"type": "text", "text": context}]
