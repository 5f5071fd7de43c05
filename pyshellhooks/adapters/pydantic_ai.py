"""Adapter for Pydantic AI: ``Agent(…, capabilities=[ShellHooks()])`` (docs/adapters/pydantic-ai.md)."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, NamedTuple
from uuid import uuid4

try:
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.exceptions import ApprovalRequired, CallDeferred, SkipModelRequest, ToolFailed
    from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, UserPromptPart
    from pydantic_ai.tools import DeferredToolRequests
    from pydantic_graph import End
except ImportError as error:
    raise ImportError(
        f"pyshellhooks needs Pydantic AI 2.30 or later ({error}): pip install 'pyshellhooks[pydantic-ai]'"
    ) from error

from ..agent import AgentHooks, Gate, HookEngine, OnAsk, ToldKind, parsed

__all__ = ["ShellHooks"]


class _Scope(NamedTuple):
    """The call that runs under hooks in this context; an agent that runs inside it is a subagent."""

    call_id: str
    session: str
    tool: str


_scope: ContextVar[_Scope | None] = ContextVar("pyshellhooks_scope", default=None)


class ShellHooks(AbstractCapability[Any]):
    """The hooks of an agent, as an ``AbstractCapability``. Pass the same object to the agents behind its tools too.

    ``engine``, ``tools``, ``on_ask``, ``ask`` and ``cwd`` are those of ``AgentHooks``, and so are the errors for wrong
    ones. With ``ask="defer"`` a call that a hook asks about raises ``ApprovalRequired``, whose ``metadata`` contains
    the ``question``. Under ``strict`` a run raises ``ConfigError`` for tools that no hook sees.
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
        self.id = "pyshellhooks"
        self.hooks = AgentHooks(engine, tools=tools, on_ask=on_ask, ask=ask, cwd=cwd)
        self._checked: set[frozenset[str]] = set()

    async def for_run(self, ctx: Any) -> ShellHooks:
        """Return a copy for one run, with the reason of a halt, the arguments that hooks saw, and rewritten prompts."""
        copied = copy.copy(self)
        copied._within = _scope.get()
        if copied._within is not None:
            copied._session = copied._within.session
        else:
            copied._session = str(ctx.conversation_id or uuid4())
        copied._halted = None
        copied._arguments = {}
        copied._prompts = {}
        return copied

    _within: _Scope | None
    _session: str
    _halted: str | None
    _arguments: dict[str, Any]
    _prompts: dict[str, Any]

    # -- a conversation, a prompt -------------------------------------------------------------------------------------

    async def before_run(self, ctx: Any) -> None:
        """Fire the events of a start and of the user's prompts."""
        texts = _texts(ctx.prompt)
        last = ctx.messages[-1] if ctx.messages else None
        if not texts and isinstance(last, ModelRequest):  # the prompt may be the last message of the history
            for part in last.parts:
                if isinstance(part, UserPromptPart):
                    texts += _texts(part.content)
        gates = [await self.hooks.astart(session=self._session, **self._subagent(prompt="\n".join(texts)))]
        prompted = texts if self._within is None else []
        for text in prompted:
            gate = await self.hooks.aprompt(text, session=self._session)
            gates.append(gate)
            if gate.denied is not None:
                self._prompts[text] = "(a hook blocked this prompt)"
            elif gate.rewritten:
                self._prompts[text] = gate.value
        begun = Gate.joined(gates)
        self._halted = begun.denied
        if begun.context and begun.denied is None:
            ctx.enqueue(begun.context)

    def _subagent(self, **more: str) -> dict[str, str]:
        """Return the event fields that identify a subagent, and ``more``; ``{}`` if the agent is not a subagent."""
        if self._within is None:
            return {}
        return {"subagent": self._within.tool, "agent_id": self._within.call_id, **more}

    async def prepare_tools(self, ctx: Any, tool_defs: list[Any]) -> list[Any]:
        """Check the tools that the model may call, once for each set of them."""
        names = frozenset(tool.name for tool in tool_defs)
        if names not in self._checked:
            self.hooks.check_tools(
                [{"name": tool.name, "parameters": tool.parameters_json_schema} for tool in tool_defs]
            )
            self._checked.add(names)
        return tool_defs

    async def before_model_request(self, ctx: Any, request_context: Any) -> Any:
        """Replace rewritten prompts, and report native tools; after a denied prompt or a halt skip the request."""
        if self._prompts:
            for message in (*ctx.messages, *request_context.messages):
                if isinstance(message, ModelRequest):
                    message.parts = [_rewritten(part, self._prompts) for part in message.parts]
        if self._halted is not None:
            raise SkipModelRequest(ModelResponse(parts=[TextPart(self._halted)]))
        native = request_context.model_request_parameters.native_tools
        names = frozenset(f"native {tool.kind}" for tool in native)
        if names not in self._checked:
            self.hooks.check_reach(*(f"{tool.kind} runs at the model's provider: no hook sees it" for tool in native))
            self._checked.add(names)
        return request_context

    # -- a call -------------------------------------------------------------------------------------------------------

    async def before_tool_validate(self, ctx: Any, *, call: Any, tool_def: Any, args: Any) -> Any:
        """Fire the event of a call before its arguments are validated, so that rewritten ones are validated too."""
        arguments = parsed(args)  # text that is not JSON fails the validation later
        gate = await self.hooks.abefore(call.tool_name, arguments, session=self._session, call_id=call.tool_call_id)
        if gate.denied is not None and gate.ask is None:
            raise ToolFailed(self._denied(gate))
        self._arguments[call.tool_call_id] = arguments
        # JSON text and missing arguments stay as they are; otherwise return the copy that hooks judged.
        has_no_copy = isinstance(args, str) or not args
        return args if has_no_copy and not gate.rewritten else gate.value

    async def wrap_tool_execute(self, ctx: Any, *, call: Any, tool_def: Any, args: Any, handler: Any) -> Any:
        """Run a tool under its hooks, with the gate from before the validation of its arguments."""
        id, name = call.tool_call_id, call.tool_name

        async def run(_: Any) -> Any:
            scope = _scope.set(_Scope(id, self._session, name))
            try:
                return await handler(args)
            finally:
                _scope.reset(scope)

        def require_approval(gate: Gate) -> bool:
            if not ctx.tool_call_approved:
                raise ApprovalRequired(metadata={"question": gate.ask})
            return True

        options = {
            "asks": require_approval,
            "passes": (ApprovalRequired, CallDeferred),
            "session": self._session,
            "call_id": id,
        }
        try:
            gate = await self.hooks.acall(name, self._arguments.get(id, args), run, seen=_seen, **options)
        except Exception as error:
            if notes := getattr(error, "__notes__", None):
                ctx.enqueue("\n".join(notes))
            raise
        if gate.denied is not None:
            raise ToolFailed(self._denied(gate))
        if gate.context:
            ctx.enqueue(gate.context)
        return gate.value

    def _denied(self, gate: Gate) -> str:
        if gate.halt:
            self._halted = gate.denied
        return "\n".join(filter(None, [gate.denied, gate.context]))

    # -- the agent is done --------------------------------------------------------------------------------------------

    async def after_node_run(self, ctx: Any, *, node: Any, result: Any) -> Any:
        """Fire the event of the end of the agent or subagent. A hook may make it continue."""
        if not isinstance(result, End) or self._halted is not None:
            return result
        output = result.data.output
        if isinstance(output, DeferredToolRequests):
            return result
        response = output if isinstance(output, str) else json.dumps(output, default=str)
        gate = await self.hooks.astop(response, session=self._session, **self._subagent())
        if gate.value is not None:
            ctx.enqueue("\n".join(filter(None, [gate.value, gate.context])))
        return result


def _texts(content: Any) -> list[str]:
    """Return the texts of a prompt, which is a string or a sequence of parts."""
    if isinstance(content, str):
        return [content]
    if not isinstance(content, Sequence):
        return []
    texts = [_text(part) for part in content]
    return [text for text in texts if text is not None]


def _text(part: Any) -> str | None:
    text = part if isinstance(part, str) else getattr(part, "content", None)
    return text if isinstance(text, str) else None


def _rewritten(part: Any, prompts: dict[str, Any]) -> Any:
    if not isinstance(part, UserPromptPart):
        return part
    if isinstance(part.content, str):
        return replace(part, content=prompts.get(part.content, part.content))
    return replace(part, content=[prompts.get(_text(one) or "", one) for one in part.content])


def _seen(result: Any) -> Any:
    """Return the part of a result that the model sees: the ``return_value`` of a ``ToolReturn``, or all of it."""
    return getattr(result, "return_value", result)
