"""Adapter for Google ADK: ``App(…, plugins=[ShellHooks()])`` (docs/adapters/google-adk.md).

A plugin can't make a finished agent continue. If hooks may do that, ``ShellHooks.run_async`` replaces the runner's.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from contextvars import ContextVar
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

try:
    from google.adk.agents import LlmAgent
    from google.adk.models import LlmResponse
    from google.adk.plugins.base_plugin import BasePlugin
    from google.adk.tools.agent_tool import AgentTool
    from google.genai import types
except ImportError as error:
    raise ImportError(
        f"pyshellhooks needs google-adk 2.11 or later ({error}): pip install 'pyshellhooks[google-adk]'"
    ) from error

from ..agent import AgentHooks, ConfigError, Gate, HookEngine, OnAsk, ToldKind, json_text

__all__ = ["ShellHooks"]

_KEPT = 1000  # remembered turns, by invocation; the oldest are dropped: ADK reports no end of a failed turn


class _Turn:
    """One turn of a conversation: the reason of a halt, the agent's last text, and the calls that wait for a person."""

    def __init__(self, session: str) -> None:
        self.session = session
        self.halted: str | None = None
        self.final_text = ""
        self.waiting: set[str] = set()


class _Scope(NamedTuple):
    """The call of an agent as a tool that runs under hooks in this context; an agent inside it is a subagent."""

    turn: _Turn
    invocation: str
    context: str


class _Call(NamedTuple):
    """A call that hooks have judged. Without a gate it did not run."""

    gate: Gate | None
    began: float = 0.0
    around: _Scope | None = None


_scope: ContextVar[_Scope | None] = ContextVar("pyshellhooks_scope", default=None)


class ShellHooks(BasePlugin):
    """The hooks of an app, as a ``BasePlugin``. Put it first: hooks do not see a call that an earlier plugin answers.

    ``engine``, ``tools``, ``on_ask``, ``ask`` and ``cwd`` are those of ``AgentHooks``, and so are the errors for wrong
    ones. With ``ask="defer"`` a question becomes ADK's request for a confirmation, with the question as its ``hint``.
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
        super().__init__(name="pyshellhooks")
        self.hooks = AgentHooks(engine, tools=tools, on_ask=on_ask, ask=ask, cwd=cwd)
        self._turns: OrderedDict[str, _Turn] = OrderedDict()
        self._calls: WeakKeyDictionary[Any, _Call] = WeakKeyDictionary()
        self._driven: set[str] = set()
        self._more: dict[str, Any] = {}
        self._checked: set[object] = set()

    # -- a turn -------------------------------------------------------------------------------------------------------

    async def run_async(self, runner: Any, *, user_id: str, session_id: str, **options: Any) -> AsyncIterator[Any]:
        """Yield the events of ``runner.run_async``, and start another turn if a hook makes the agent continue.

        Raises ``ConfigError`` under ``strict`` for tools that no hook sees; ADK itself wraps it in ``RuntimeError``.
        """
        session = f"{runner.app_name}:{user_id}:{session_id}"
        self._driven.add(session)
        try:
            while True:
                async with aclosing(runner.run_async(user_id=user_id, session_id=session_id, **options)) as events:
                    async for event in events:
                        yield event
                more = self._more.get(session)
                if more is None:
                    return
                # These two belong to the turn that has ended: ADK would resume it, and apply the change again.
                options.pop("invocation_id", None)
                options.pop("state_delta", None)
                options["new_message"] = more
        except RuntimeError as error:
            if isinstance(error.__cause__, ConfigError):
                raise error.__cause__ from None
            raise
        finally:
            self._driven.discard(session)
            self._more.pop(session, None)

    def _turn(self, context: Any) -> _Turn:
        """Return the current turn of a context. An agent that runs as a tool shares the turn of the outer agent."""
        scope = _scope.get()
        if scope is not None:
            return scope.turn
        id, session = context.invocation_id, context.session
        # Two users may have sessions with one id: ADK identifies a session by app, user and id.
        # Removed and added again, so that the turn in use is the last to be dropped.
        turn = self._turns.pop(id, None) or _Turn(f"{session.app_name}:{session.user_id}:{session.id}")
        self._turns[id] = turn
        if len(self._turns) > _KEPT:
            self._turns.popitem(last=False)
        return turn

    def _placed(self, tool_context: Any) -> tuple[_Turn, str]:
        """Return the turn of a call, and its id."""
        return self._turn(tool_context), tool_context.function_call_id or ""

    async def on_user_message_callback(self, *, invocation_context: Any, user_message: Any) -> Any:
        """Fire the events of a start and a prompt, or of a result that the user's program sends as a message."""
        if _scope.get() is not None:
            return None
        turn = self._turn(invocation_context)
        if self._more.pop(turn.session, None) == user_message:  # a hook's own message
            return None
        parts = [await self._late(turn, invocation_context.session, part) for part in user_message.parts or ()]
        texts = [part.text for part in parts if part.text]
        gate = Gate()
        if texts:
            gate = await self.hooks.aprompt("\n".join(texts), session=turn.session)
        elif not any(part.function_response for part in parts):
            gate = await self.hooks.astart(session=turn.session)
        if gate.denied is not None:  # the conversation keeps no denied prompt
            turn.halted = gate.denied
            return _content("(a hook blocked this prompt)", "user")
        if gate.rewritten:
            parts = [types.Part(text=gate.value), *(part for part in parts if not part.text)]
        if gate.context:
            parts.append(types.Part(text=gate.context))
        if parts == user_message.parts:
            return None
        return types.Content(role="user", parts=parts)

    async def _late(self, turn: _Turn, session: Any, part: Any) -> Any:
        """Fire the event of a long-running tool's result, which the user's program sends as a message's part."""
        given = part.function_response
        if given is None:
            return part
        name, id = given.name, given.id or ""
        arguments: Any = {}
        call = _call_of(session, given.id)
        if call is not None:
            name, arguments = call.name, call.args or {}
            if name.startswith("adk_request_"):  # a response to ADK's own request
                return part
        response = given.response or {}
        gate = await self.hooks.aafter(name, arguments, _unwrapped(response), session=turn.session, call_id=id)
        shown = self._shown(turn, gate, response)
        if shown is None:
            return part
        return types.Part(function_response=given.model_copy(update={"response": shown}))

    async def before_run_callback(self, *, invocation_context: Any) -> Any:
        """Return the reason of a deny as the content that ends the turn, if the prompt was denied."""
        if invocation_context.live_request_queue is not None:
            self._reach("in a live run no hook sees the user's messages or the output of streaming tools")
        return self._ended(invocation_context)

    async def before_agent_callback(self, *, agent: Any, callback_context: Any) -> Any:
        """Report an agent that hooks do not see. After a denied prompt or a halt return content instead of its run."""
        ended = self._ended(callback_context)
        if ended is not None:
            callback_context.actions.escalate = True  # this ends a loop of agents
            return ended
        if getattr(agent, "code_executor", None) is not None:
            self._reach(f"the agent {agent.name} has a code executor: no hook sees the code that it runs")
        if not isinstance(agent, LlmAgent) and not agent.sub_agents:
            self._reach(f"the agent {agent.name} is a {type(agent).__name__}: no hook sees its acts")
        return None

    async def before_model_callback(self, *, callback_context: Any, llm_request: Any) -> Any:
        """Check the tools that the model may call. After a halt return a response, so ADK sends no request."""
        ended = self._ended(callback_context)
        if ended is not None:
            return LlmResponse(content=ended)
        self._check(llm_request)
        scope = _scope.get()
        if scope is not None and scope.context:
            llm_request.append_instructions([scope.context])
        return None

    def _ended(self, context: Any) -> Any:
        halted = self._turn(context).halted
        if halted is None:
            return None
        return _content(halted, "model")

    def _check(self, request: Any) -> None:
        """Check the tools of a request, once for each set of them."""
        declared: list[Any] = []
        hosted: list[str] = []
        for tool in request.config.tools or ():
            if not isinstance(tool, types.Tool):
                hosted.append(f"{getattr(tool, '__name__', type(tool).__name__)} is called by the model's client")
                continue
            declared += tool.function_declarations or ()
            # The tools of ``computer_use`` come back as calls of this process.
            names = tool.model_dump(exclude_none=True, exclude={"function_declarations", "computer_use"})
            hosted += [f"{name} runs at the model's provider" for name in names]
        names = frozenset(tool.name for tool in declared)
        if names not in self._checked:
            self.hooks.check_tools([{"name": tool.name, "parameters": _schema(tool)} for tool in declared])
            self._checked.add(names)
        for one in hosted:
            self._reach(f"{one}: no hook sees it")
        for tool in request.tools_dict.values():
            self._check_agent(tool)

    def _check_agent(self, tool: Any) -> None:
        if isinstance(tool, AgentTool) and not tool.include_plugins:
            self._reach(f"the agent {tool.agent.name} runs as a tool without plugins: no hook sees its acts")
        if _is_task(tool):
            self._reach(
                f"ADK begins the task of {tool.agent.name} without calling a plugin: hooks see only its tool calls"
            )

    def _reach(self, unreached: str) -> None:
        """Report once something that no hook sees; under ``strict`` raise ``ConfigError`` each time."""
        if unreached not in self._checked:
            self.hooks.check_reach(unreached)
            self._checked.add(unreached)

    # -- a call -------------------------------------------------------------------------------------------------------

    async def before_tool_callback(self, *, tool: Any, tool_args: dict[str, Any], tool_context: Any) -> Any:
        """Fire the events of a call and of the subagent that it starts. Rewritten arguments replace ``tool_args``."""
        turn, id = self._placed(tool_context)
        self._check_agent(tool)
        if _is_task(tool):
            return None
        gate = Gate(tool_args, turn.halted)
        if turn.halted is None:
            gate = await self.hooks.abefore(tool.name, tool_args, session=turn.session, call_id=id)
        if gate.ask is not None:
            yes = _answer(tool_context, _question(tool, gate))
            if tool_context.tool_confirmation is None and not self._inside(tool_context):
                tool_context.request_confirmation(hint=_question(tool, gate))
                tool_context.actions.skip_summarization = True  # the turn waits
            else:  # ADK requests one confirmation per call: a yes to the tool's own question is not a yes to this one
                gate = gate.answered(yes)
        begun = Gate()
        if gate.denied is None and isinstance(tool, AgentTool):
            subagent_fields = {"subagent": tool.name, "agent_id": id, "prompt": json_text(gate.value)}
            begun = await self.hooks.astart(session=turn.session, **subagent_fields)
            if begun.denied is not None:
                gate = begun
        if gate.denied is not None:
            self._calls[tool_context] = _Call(None)
            return self._shown(turn, gate, {})
        arguments = dict(gate.value)  # the copy that hooks judged
        tool_args.clear()  # ADK passes this dict to the tool
        tool_args.update(arguments)
        self._calls[tool_context] = _Call(gate, time.monotonic(), _scope.get())
        if isinstance(tool, AgentTool):
            # ADK has no callback around a call: ``after_tool_callback`` restores the scope.
            _scope.set(_Scope(turn, tool_context.invocation_id, begun.context))
        return None

    def _inside(self, context: Any) -> bool:
        """Return whether an agent runs as a tool, in a session of its own: no confirmation reaches that session."""
        scope = _scope.get()
        return scope is not None and scope.invocation != context.invocation_id

    async def after_tool_callback(self, *, tool: Any, tool_args: dict[str, Any], tool_context: Any, result: Any) -> Any:
        """Fire the events of the end of a subagent and of a result; return the replacement of the result, or None."""
        call = self._calls.pop(tool_context, None)
        if call is None:  # another plugin may have answered before
            call = _Call(Gate(), 0.0, _scope.get())
        if call.gate is None or _is_task(tool):
            return None
        if result is None and tool.is_long_running:  # the result comes later, as a message of the user's program
            return None
        _scope.set(call.around)
        turn, id = self._placed(tool_context)
        if isinstance(tool, AgentTool):
            done = await self.hooks.astop(json_text(result), session=turn.session, subagent=tool.name, agent_id=id)
            if done.value is not None:
                self.hooks.check_reach(
                    f"a hook wants {tool.name} to continue, but ADK ends it with its answer: {done.value}"
                )
            if done.halt:
                turn.halted = done.denied
        gate = await self.hooks.aafter(tool.name, tool_args, _unwrapped(result), **_fields(turn, id, call))
        return self._shown(turn, gate, result)

    async def on_tool_error_callback(
        self, *, tool: Any, tool_args: dict[str, Any], tool_context: Any, error: BaseException
    ) -> Any:
        """Fire the event of an exception of a tool. A cancelled call fires none: its tool has not failed."""
        call = self._calls.pop(tool_context, None)
        if call is None:
            call = _Call(Gate(), 0.0, _scope.get())
        _scope.set(call.around)
        if not isinstance(error, Exception):
            return None
        turn, id = self._placed(tool_context)
        gate = await self.hooks.aafter(tool.name, tool_args, error=error, **_fields(turn, id, call))
        if gate.denied is None:
            if gate.context:
                error.add_note(gate.context)
            return None
        self._calls[tool_context] = _Call(None)
        return self._shown(turn, gate, {})

    def _shown(self, turn: _Turn, gate: Gate, result: Any) -> dict[str, Any] | None:
        """Return the replacement of a result for the model, or None to keep the result. A halt ends the turn."""
        context = {"hook_context": gate.context} if gate.context else {}
        if gate.denied is not None:
            if gate.halt:
                turn.halted = gate.denied
            return {"error": gate.denied, **context}
        if gate.rewritten:
            is_mapping = isinstance(gate.value, Mapping) and not _bare(result)
            new = gate.value if is_mapping else {"result": gate.value}
            return {**new, **context}
        if context:
            return {**_named(result), **context}
        return None

    # -- the agent is done --------------------------------------------------------------------------------------------

    async def on_event_callback(self, *, invocation_context: Any, event: Any) -> Any:
        """Record the agent's last text, and the calls that wait for a result from outside."""
        if _scope.get() is not None or event.partial:
            return None
        turn = self._turn(invocation_context)
        turn.waiting |= set(event.long_running_tool_ids or ())
        turn.waiting -= {response.id for response in event.get_function_responses()}
        content = event.content
        parts = (content.parts or ()) if content else ()
        text = "".join(part.text or "" for part in parts if not part.thought)
        if text:
            turn.final_text = text
        return None

    async def after_run_callback(self, *, invocation_context: Any) -> None:
        """Fire the event of the end of a turn. A hook may make the agent continue if ``self.run_async`` runs it."""
        if _scope.get() is not None:
            return
        turn = self._turn(invocation_context)
        self._turns.pop(invocation_context.invocation_id, None)
        if turn.halted is not None or turn.waiting:
            return
        gate = await self.hooks.astop(turn.final_text, session=turn.session)
        if gate.value is None:
            return
        if turn.session in self._driven:
            self._more[turn.session] = _content("\n".join(filter(None, [gate.value, gate.context])), "user")
        else:
            self.hooks.check_reach(f"a hook wants the agent to continue, which needs hooks.run_async: {gate.value}")


def _call_of(session: Any, id: Any) -> Any:
    """Return the model's call with this id in a conversation, or None."""
    for event in session.events:
        for call in event.get_function_calls():
            if call.id == id:
                return call
    return None


def _content(text: str, role: str) -> Any:
    return types.Content(role=role, parts=[types.Part(text=text)])


def _schema(declaration: Any) -> Any:
    """Return the JSON schema of a tool's arguments, or one with only their names if it is in ADK's own form."""
    if declaration.parameters_json_schema is not None:
        return declaration.parameters_json_schema
    own = declaration.parameters
    properties = (own.properties or ()) if own else ()
    return {"type": "object", "properties": {name: {} for name in properties}}


def _question(tool: Any, gate: Gate) -> str:
    """Return a question. ADK shows a person the model's call, so the text includes rewritten arguments."""
    if not gate.rewritten:
        return str(gate.ask)
    return f"{gate.ask} ({tool.name} {json_text(gate.value)})"


def _answer(context: Any, question: str) -> bool:
    """Return whether a person confirmed this question, not one of the tool's own."""
    id, confirmation = context.function_call_id, context.tool_confirmation
    if confirmation is None or confirmation.confirmed is not True:
        return False
    for event in context.session.events:
        request = event.actions.requested_tool_confirmations.get(id)
        if request is not None and request.hint == question:
            return True
    return False


def _fields(turn: _Turn, id: str, call: _Call) -> dict[str, Any]:
    duration_ms = round(1000 * (time.monotonic() - call.began), 3) if call.began else None
    return {"session": turn.session, "call_id": id, "before": call.gate, "duration_ms": duration_ms}


def _is_task(tool: Any) -> bool:
    """Return whether a tool is an agent in task mode, which talks to the person itself until its task is done."""
    return isinstance(tool, AgentTool) and getattr(tool.agent, "mode", None) == "task"


def _bare(result: Any) -> bool:
    """Return whether a result is not a mapping, or is one that ADK put under ``result``."""
    return not isinstance(result, Mapping) or result.keys() == {"result"}


def _unwrapped(result: Any) -> Any:
    """Return the form of a result that hooks see: without the mapping that ADK puts around a plain value."""
    if isinstance(result, Mapping) and _bare(result):
        return result["result"]
    return result


def _named(result: Any) -> Mapping[str, Any]:
    if isinstance(result, Mapping):
        return result
    return {"result": result}  # as ADK does
