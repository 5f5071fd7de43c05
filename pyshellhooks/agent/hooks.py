"""``AgentHooks``: an engine in an agent's loop."""

from __future__ import annotations

import inspect
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

from ..engine import HookEngine
from ..errors import ConfigError, Diagnostic
from ..hooks.session import generated_id
from ..hooks.suggest import did_you_mean
from ..hooks.tools import ToldKind
from ..hooks.verdict import Verdict
from ..text import lines
from .calls import GateStore, ToolCall, copied
from .gate import BLOCKED, Gate, guarded

T = TypeVar("T")

#: A function that asks a person: the tool, its arguments, the question. Only ``True`` lets the call go ahead.
OnAsk = Callable[[str, Any, str], "bool | Awaitable[bool]"]

#: Types of exceptions that are not errors, such as a framework's interrupts.
Passes = type[BaseException] | tuple[type[BaseException], ...]

ASK_CHOICES = ("deny", "defer")
REMEMBERED = 1000  # gates of calls that a framework may repeat; the oldest are dropped
_log = logging.getLogger("pyshellhooks")


class AgentHooks:
    """An engine in an agent's loop. Create one for an agent; share it between threads, tasks and conversations.

    engine         a ``HookEngine``. None loads the config files of the project around ``cwd`` that the user has trusted
                   (``pyshellhooks trust``; ``trust_project=True`` loads all), and the user's own files only with
                   ``user=True``; if it finds none, it reports a notice
    tools          the kinds of the agent's tools: ``{"execute": "shell"}``, or with the tool's names of arguments:
                   ``{"terminal": ("shell", {"command": "cmdline"})}`` (see ``HookEngine``)
    on_ask         a function or coroutine function ``(tool, arguments, question) -> bool`` that asks a person; without
                   it a question is a deny
    ask            ``"deny"``, or ``"defer"`` to leave a question open for a framework that asks in its own way
    on_notice      a function that gets each notice as a string; default: a warning in the log ``pyshellhooks``
    options        those of ``HookEngine``, for the engine that is created here

    ``session`` of each method is the id of the conversation; without one, this object has one conversation. ``fields``
    of each method are more of the event's fields (``agent_id``, ``model``). Raises ``TypeError`` and ``ValueError`` for
    wrong options, ``ConfigError`` for files that don't load.
    """

    def __init__(
        self,
        engine: HookEngine | None = None,
        *,
        tools: Mapping[str, ToldKind] | None = None,
        on_ask: OnAsk | None = None,
        ask: str = "deny",
        on_notice: Callable[[str], object] | None = None,
        cwd: str | None = None,
        user: bool = False,
        trust_project: bool | Literal["store"] = "store",
        **options: Any,
    ) -> None:
        _check(engine, on_ask, ask, on_notice)
        made: dict[str, Any] = {"tools": tools, "user": user or None, **options}
        if trust_project != "store":
            made["trust_project"] = trust_project
        made = {name: value for name, value in made.items() if value is not None}
        self._owns = engine is None
        self._on_notice = on_notice
        if engine is None:
            engine = HookEngine.discover(cwd, **{"user": user, **made})
        elif made:
            names = ", ".join(f"{name}=" for name in made)
            raise TypeError(f"{names} can't be combined with engine=: pass it to HookEngine.load or discover")
        self.engine = engine
        self._on_ask = on_ask
        self._defers = ask == "defer"
        self._context = {} if cwd is None else {"cwd": cwd}
        self._session = generated_id()
        self._gates = GateStore(REMEMBERED)
        if self._owns:
            for diagnostic in self.engine.diagnostics:
                self._notify(str(diagnostic))

    def check_tools(self, tools: Any) -> None:
        """Report a notice for each mismatch between hooks and the agent's tools (``HookEngine.check_tools``).

        ``tools``: names, schemas, objects with a ``name``, or a mapping of names to schemas. Raises ``ConfigError``
        under ``strict`` if a guard would never run for a tool of its kind.
        """
        for diagnostic in self.engine.check_tools(tools):
            self._notify(str(diagnostic))

    def check_reach(self, *unreached: str) -> None:
        """Report a notice for each act of a framework that no hook sees. Raises ``ConfigError`` under ``strict``."""
        diagnostics = [Diagnostic("agent", 0, 0, message, code="not-asked") for message in unreached]
        if diagnostics and self.engine.strict:
            raise ConfigError(diagnostics)
        for diagnostic in diagnostics:
            self._notify(str(diagnostic))

    def __enter__(self) -> AgentHooks:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    async def __aenter__(self) -> AgentHooks:
        return self

    async def __aexit__(self, *exc: object) -> None:
        if self._owns:
            await self.engine.__aexit__(*exc)

    def close(self) -> None:
        """Close the engine, if it was created here."""
        if self._owns:
            self.engine.close()

    # -- a conversation begins and ends -------------------------------------------------------------------------------

    def start(self, *, session: str = "", source: str = "startup", subagent: str = "", **fields: Any) -> Gate:
        """Begin a conversation: fire ``session_start`` the first time, and nothing after that.

        ``prompt`` does so too. Without either, the hooks of a session's start do not run. ``subagent`` is the type of a
        subagent that begins inside the conversation: it fires ``subagent_start`` each time, and may be denied.
        """
        return _finished(self._start(_SyncBackend(self), session, source, fields, subagent))

    async def astart(self, *, session: str = "", source: str = "startup", subagent: str = "", **fields: Any) -> Gate:
        """Begin a conversation like ``start``, from a coroutine."""
        return await self._start(_AsyncBackend(self), session, source, fields, subagent)

    async def _start(
        self, backend: _Backend, session: str, source: str, fields: Mapping[str, Any], subagent: str = ""
    ) -> Gate:
        if subagent:
            start_fields = {"agent_type": subagent, **fields}
            verdict, notices = await self._fire_event(backend, "subagent_start", session, start_fields)
            if verdict is None:
                return Gate(None, notices[-1], notices=notices)
            gate = guarded(verdict, None, str, None)
            gate.notices = notices
            return await self._answered(backend, subagent, gate)
        try:
            if not self.engine.session(session or self._session).once("session_start"):
                return Gate()
        except Exception as error:
            return Gate(notices=(self._notify(f"the session could not begin: {_named(error)}"),))
        verdict, notices = await self._fire_event(backend, "session_start", session, {**fields, "source": source})
        return self._unguarded_gate(verdict, notices)

    def end(self, *, session: str = "", reason: str = "other", **fields: Any) -> Gate:
        """End a conversation: fire ``session_end``."""
        return _finished(self._end(_SyncBackend(self), session, reason, fields))

    async def aend(self, *, session: str = "", reason: str = "other", **fields: Any) -> Gate:
        """End a conversation like ``end``, from a coroutine."""
        return await self._end(_AsyncBackend(self), session, reason, fields)

    async def _end(self, backend: _Backend, session: str, reason: str, fields: Mapping[str, Any]) -> Gate:
        self._gates.drop_open(session)
        verdict, notices = await self._fire_event(backend, "session_end", session, {**fields, "reason": reason})
        if verdict is not None:
            # So that ``start`` fires for this id again.
            self.engine.session(session or self._session).done.discard("session_start")
        return self._unguarded_gate(verdict, notices)

    def _unguarded_gate(self, verdict: Verdict | None, notices: tuple[str, ...]) -> Gate:
        """Return the gate of an event that has no guards: only a halt denies it."""
        if verdict is None:
            return Gate(notices=notices)
        denied: str | None = None
        if verdict.halt:
            denied = verdict.reason or BLOCKED
        return Gate(None, denied, verdict.context, verdict.halt, None, False, notices, verdict)

    # -- a prompt -----------------------------------------------------------------------------------------------------

    def prompt(self, text: str, *, session: str = "", followup: bool | None = None, **fields: Any) -> Gate:
        """Fire ``before_prompt``. The gate's value is the prompt, which hooks may have rewritten.

        ``followup``: whether the text is the value of a ``stop`` gate; None compares it with that value.
        """
        return _finished(self._prompt(_SyncBackend(self), text, session, followup, fields))

    async def aprompt(self, text: str, *, session: str = "", followup: bool | None = None, **fields: Any) -> Gate:
        """Fire ``before_prompt`` like ``prompt``, from a coroutine."""
        return await self._prompt(_AsyncBackend(self), text, session, followup, fields)

    async def _prompt(
        self, backend: _Backend, text: str, session: str, followup: bool | None, fields: Mapping[str, Any]
    ) -> Gate:
        self._gates.drop_open(session)  # a new turn may use the ids of earlier calls
        begun = await self._start(backend, session, "startup", {})  # without effect if ``start`` was called
        if begun.denied is not None:
            begun.value = text
            return begun
        prompt_fields = {**fields, "prompt": text}
        if followup is not None:
            prompt_fields["followup"] = followup
        verdict, notices = await self._fire_event(backend, "before_prompt", session, prompt_fields)
        notices = (*begun.notices, *notices)
        if verdict is None:
            return Gate(text, notices[-1], begun.context, notices=notices)
        gate = guarded(verdict, text, str, verdict.updated_input)
        gate.context = lines(begun.context, gate.context)
        gate.notices = notices
        return await self._answered(backend, "prompt", gate)

    # -- a tool's call ------------------------------------------------------------------------------------------------

    def before(
        self, tool: str, arguments: Any, *, session: str = "", call_id: str = "", turn: str = "", **fields: Any
    ) -> Gate:
        """Fire ``before_tool``. ``arguments``: a mapping, or the model's own JSON text; the gate's value is the same.

        The gate's value is a copy, which hooks have judged: pass that to the tool. Arguments that change meanwhile are
        a deny. A framework may repeat the same call after an interrupt: with a ``call_id`` it gets the first gate
        again, once, and no hook runs twice. ``turn`` distinguishes calls if ids repeat.
        """
        return _finished(self._before(_SyncBackend(self), ToolCall(tool, arguments, session, call_id, turn, fields)))

    async def abefore(
        self, tool: str, arguments: Any, *, session: str = "", call_id: str = "", turn: str = "", **fields: Any
    ) -> Gate:
        """Fire ``before_tool`` like ``before``, from a coroutine."""
        return await self._before(_AsyncBackend(self), ToolCall(tool, arguments, session, call_id, turn, fields))

    async def _before(self, backend: _Backend, call: ToolCall) -> Gate:
        call.read()
        stored = self._gates.take(call.key)
        if stored is not None:
            known, call.judged = stored
            if call.holds(known):
                if known.ask is not None:  # still open: the next caller gets the same question
                    self._gates.put(call.key, known, call.judged)
                return known
        arguments = call.arguments
        call_fields = {**call.fields, "tool_input": arguments}
        verdict, notices = await self._fire_event(backend, "before_tool", call.session, call_fields)
        if verdict is None:
            return Gate(arguments, notices[-1], notices=notices)
        if isinstance(arguments, str):
            gate = guarded(verdict, arguments, str, verdict.updated_input_text)
        else:
            gate = guarded(verdict, arguments, Mapping, verdict.updated_input)
        gate.notices = notices
        gate = self._deny_if_changed(call, await self._answered(backend, call.tool, gate))
        call.seal(gate)
        self._gates.put(call.key, gate, call.judged)
        return gate

    def _deny_if_changed(self, call: ToolCall, gate: Gate, changed: bool = False) -> Gate:
        """Return the gate, or a denied one if the call's arguments have changed since hooks judged them."""
        is_final = gate.denied is not None and gate.ask is None
        if is_final:
            return gate
        if not changed and not call.changed():
            return gate
        notice = self._notify(
            f"the arguments of {call.tool} changed while hooks judged them, so the call is denied: "
            "pass arguments that nothing else changes"
        )
        return Gate(call.arguments, notice, gate.context, notices=(*gate.notices, notice), verdict=gate.verdict)

    async def _answered(self, backend: _Backend, tool: str, gate: Gate) -> Gate:
        """Return the gate after a person's answer, if it has a question that the framework does not ask."""
        if gate.ask is None or self._defers:
            return gate
        if self._on_ask is None:
            return gate.answered(False)
        on_ask, ask = self._on_ask, gate.ask
        value, _ = copied(gate.value)  # ``on_ask`` may change it
        return await self._confirm_with_person(backend, gate, lambda: on_ask(tool, value, ask), ())

    async def _confirm_with_person(
        self, backend: _Backend, gate: Gate, question: Callable[[], Any], passes: Passes
    ) -> Gate:
        """Return the gate after the answer to its question; any answer but ``True`` and any exception is a no."""
        try:
            answer = await backend.wait(question())
        except passes:
            raise
        except Exception as error:
            gate.notices += (self._notify(f"the question failed: {_named(error)}"),)
            return gate.answered(False)
        if not isinstance(answer, bool):
            gate.notices += (self._notify(f"the answer to a question must be True or False, got {answer!r:.80}"),)
        return gate.answered(answer is True)

    def after(
        self,
        tool: str,
        arguments: Any,
        output: Any = None,
        *,
        error: object = None,
        before: Gate | None = None,
        session: str = "",
        call_id: str = "",
        turn: str = "",
        duration_ms: float | None = None,
        **fields: Any,
    ) -> Gate:
        """Fire ``after_tool`` for a result, or for the error that a tool raised. A denied gate has no result.

        ``before``: the call's gate; its context and its notices come first. ``duration_ms``: milliseconds of the call.
        """
        call = ToolCall(tool, arguments, session, call_id, turn, fields)
        self._gates.take(call.key)  # the call has run: an approval of it is used up
        return _finished(self._after(_SyncBackend(self), call, arguments, output, error, before, duration_ms))

    async def aafter(
        self,
        tool: str,
        arguments: Any,
        output: Any = None,
        *,
        error: object = None,
        before: Gate | None = None,
        session: str = "",
        call_id: str = "",
        turn: str = "",
        duration_ms: float | None = None,
        **fields: Any,
    ) -> Gate:
        """Fire ``after_tool`` like ``after``, from a coroutine."""
        call = ToolCall(tool, arguments, session, call_id, turn, fields)
        self._gates.take(call.key)
        return await self._after(_AsyncBackend(self), call, arguments, output, error, before, duration_ms)

    async def _after(
        self,
        backend: _Backend,
        call: ToolCall,
        arguments: Any,
        output: Any,
        error: object,
        before: Gate | None,
        duration_ms: float | None,
    ) -> Gate:
        """Fire ``after_tool`` for a call that ran with these arguments, which hooks may have rewritten."""
        result_fields = {
            **call.fields,
            "tool_input": arguments,
            "duration_ms": duration_ms,
            "success": error is None,
        }
        if error is None:
            result_fields["tool_output"] = output
        else:
            result_fields["tool_error"] = str(error)
        verdict, notices = await self._fire_event(backend, "after_tool", call.session, result_fields)
        context = ""
        if before is not None:
            context, notices = before.context, before.notices + notices
        if verdict is None:
            return Gate(None, notices[-1], context, notices=notices)
        context = lines(context, verdict.context)
        if verdict.withholds or verdict.halt:
            default = "withheld by a hook" if verdict.withholds else BLOCKED
            return Gate(None, verdict.reason or default, context, verdict.halt, None, False, notices, verdict)
        if not verdict.proceeds:  # the result remains, and the reason is context for the model
            context = lines(context, verdict.reason)
        new = verdict.updated_output
        shown = output if new is None else new
        return Gate(shown, None, context, False, None, new is not None, notices, verdict)

    # -- a whole call -------------------------------------------------------------------------------------------------

    def call(
        self,
        tool: str,
        arguments: Any,
        run: Callable[[Any], Any],
        *,
        seen: Callable[[Any], Any] = lambda result: result,
        asks: Callable[[Gate], Any] | None = None,
        passes: Passes = (),
        session: str = "",
        call_id: str = "",
        turn: str = "",
        **fields: Any,
    ) -> Gate:
        """Call ``run(arguments)`` under the hooks of a tool. The gate's value is its result, or the hooks' replacement.

        ``run`` gets a copy of the arguments that hooks judged. ``seen`` returns the form of a result that hooks see. An
        exception of ``run`` is raised again, with the hooks' context as a note. Exceptions of the types in ``passes``
        (a framework's interrupts) are not errors, and no hook sees them.
        With ``ask="defer"``, ``asks(gate)`` asks the question in the framework's own way; only ``True`` is a yes. It
        may raise the types in ``passes``, and is called again, with the same gate, when the framework repeats the call.
        """
        call = ToolCall(tool, arguments, session, call_id, turn, fields)
        return _finished(self._call(_SyncBackend(self), call, _Callbacks(run, seen, asks, passes)))

    async def acall(
        self,
        tool: str,
        arguments: Any,
        run: Callable[[Any], Any],
        *,
        seen: Callable[[Any], Any] = lambda result: result,
        asks: Callable[[Gate], Any] | None = None,
        passes: Passes = (),
        session: str = "",
        call_id: str = "",
        turn: str = "",
        **fields: Any,
    ) -> Gate:
        """Call a tool like ``call``, from a coroutine; ``run``, ``asks`` and ``on_ask`` may return awaitables."""
        call = ToolCall(tool, arguments, session, call_id, turn, fields)
        return await self._call(_AsyncBackend(self), call, _Callbacks(run, seen, asks, passes))

    async def _call(self, backend: _Backend, call: ToolCall, callbacks: _Callbacks) -> Gate:
        before = gate = await self._before(backend, call)
        result, failure = None, None
        try:
            gate = await self._confirmed(backend, call, gate, callbacks)
            if gate.denied is not None:
                return gate
            self._gates.take(call.key)  # only an interrupt stores it again: a cancelled call must leave no yes
            began = time.monotonic()
            result = callbacks.run(copied(gate.value)[0])  # the tool may change its arguments
            if backend.awaits and inspect.isawaitable(result):
                result = await result
        except callbacks.passes:
            # The framework may repeat the call again: for the hook's question, then for an interrupt of the tool
            # itself. A framework that shows a person the rewritten arguments repeats the call with those.
            self._gates.put(call.key, before, call.judged)
            if before.rewritten and before.ask is not None:
                self._gates.put(call.keyed(before.value), before, call.judged)
            raise
        except Exception as error:
            failure = error
        duration_ms = round(1000 * (time.monotonic() - began), 3)
        output = None
        if failure is None:
            try:
                output = callbacks.seen(result)
            except Exception as error:
                notice = self._notify(f"the result could not be passed to the hooks: {_named(error)}")
                return Gate(None, notice, gate.context, notices=(*gate.notices, notice))
        after = await self._after(backend, call, gate.value, output, failure, gate, duration_ms)
        if after.denied is not None:
            return after
        if failure is not None:
            if after.context:
                failure.add_note(after.context)
            raise failure
        if not after.rewritten:
            after.value = result  # the tool's own object, not the form that hooks see
        return after

    async def _confirmed(self, backend: _Backend, call: ToolCall, gate: Gate, callbacks: _Callbacks) -> Gate:
        """Return the gate after a question in the framework's way; a deny if the arguments have changed meanwhile."""
        asks = callbacks.asks
        if gate.ask is not None and asks is not None:
            answered = await self._confirm_with_person(backend, gate, lambda: asks(gate), callbacks.passes)
            return self._deny_if_changed(call, answered, not call.holds(gate))
        if call.whole:
            return gate
        return self._deny_if_changed(call, gate)

    # -- the agent wants to stop --------------------------------------------------------------------------------------

    def stop(self, response: str = "", *, session: str = "", subagent: str = "", **fields: Any) -> Gate:
        """Fire ``after_agent``: the agent is done. The gate's value is the next prompt to continue with, or None.

        ``subagent`` is the type of the subagent that is done: it fires ``subagent_stop`` instead.
        """
        return _finished(self._stop(_SyncBackend(self), response, session, subagent, fields))

    async def astop(self, response: str = "", *, session: str = "", subagent: str = "", **fields: Any) -> Gate:
        """Fire ``after_agent`` like ``stop``, from a coroutine."""
        return await self._stop(_AsyncBackend(self), response, session, subagent, fields)

    async def _stop(
        self, backend: _Backend, response: str, session: str, subagent: str, fields: Mapping[str, Any]
    ) -> Gate:
        event, event_fields = "after_agent", {**fields, "response": response}
        if subagent:
            event, event_fields = "subagent_stop", {"agent_type": subagent, **event_fields}
        else:
            self._gates.drop_open(session)  # only the end of a turn: a subagent is a part of it
        verdict, notices = await self._fire_event(backend, event, session, event_fields)
        gate = self._unguarded_gate(verdict, notices)
        if verdict is not None and not verdict.halt:
            gate.value = verdict.followup
        return gate

    # -- the engine ---------------------------------------------------------------------------------------------------

    async def _fire_event(
        self, backend: _Backend, event: str, session: str, fields: Mapping[str, Any]
    ) -> tuple[Verdict | None, tuple[str, ...]]:
        """Fire an event. Return its verdict and notices, or None and a notice of the exception of the engine."""
        all_fields = {"session_id": session or self._session, **self._context, **fields}
        present = {name: value for name, value in all_fields.items() if value is not None}
        try:
            verdict = await backend.fire(event, present)
        except Exception as error:
            return None, (self._notify(f"the hooks could not run: {_named(error)}"),)
        for notice in verdict.notices:
            self._notify(notice)
        return verdict, verdict.notices

    def _notify(self, notice: str) -> str:
        """Report a notice to ``on_notice`` and return it. An exception of ``on_notice`` is only logged."""
        if self._on_notice is None:
            _log.warning("%s", notice)
            return notice
        try:
            self._on_notice(notice)
        except Exception:
            _log.exception("on_notice failed for the notice: %s", notice)
        return notice


class _Callbacks(NamedTuple):
    """The callbacks of ``call``, and the types of exceptions that pass."""

    run: Callable[[Any], Any]
    seen: Callable[[Any], Any]
    asks: Callable[[Gate], Any] | None
    passes: Passes


class _Backend(Protocol):
    """The way to fire events: in the caller's thread, or from a coroutine. In the first, coroutines never suspend.

    So one set of coroutines implements both the sync and the async methods.
    """

    awaits: bool

    async def fire(self, event: str, fields: Mapping[str, Any]) -> Verdict: ...

    async def wait(self, answer: Any) -> Any: ...


class _SyncBackend:
    """Fires events in the caller's thread."""

    awaits = False

    def __init__(self, hooks: AgentHooks) -> None:
        self._hooks = hooks

    async def fire(self, event: str, fields: Mapping[str, Any]) -> Verdict:
        return self._hooks.engine.fire(event, fields)

    async def wait(self, answer: Any) -> Any:
        if not inspect.isawaitable(answer):
            return answer
        from ..aio import finish  # only an ``on_ask`` that is a coroutine function needs it

        return finish(answer)


class _AsyncBackend:
    """Fires events from a coroutine."""

    awaits = True

    def __init__(self, hooks: AgentHooks) -> None:
        self._hooks = hooks

    async def fire(self, event: str, fields: Mapping[str, Any]) -> Verdict:
        return await self._hooks.engine.afire(event, fields)

    async def wait(self, answer: Any) -> Any:
        if inspect.isawaitable(answer):
            return await answer
        return answer


def _finished(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that never suspends, and return its result. Raises ``RuntimeError`` if it does."""
    try:
        work.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    work.close()
    raise RuntimeError("the coroutine suspended")


def _named(error: Exception) -> str:
    name = type(error).__name__
    return f"{name}: {error}" if str(error) else name


def _check(engine: object, on_ask: object, ask: object, on_notice: object) -> None:
    """Raise ``TypeError`` or ``ValueError`` for wrong options."""
    if engine is not None and not isinstance(engine, HookEngine):
        raise TypeError(f"engine must be a HookEngine or None, got {engine!r:.80}: make one with HookEngine.load")
    for name, value in (("on_ask", on_ask), ("on_notice", on_notice)):
        if value is not None and not callable(value):
            raise TypeError(f"{name} must be a function or None, got {value!r:.80}")
    if ask not in ASK_CHOICES:
        message = f'ask must be "deny" or "defer", got {ask!r}'
        hint = did_you_mean(ask, ASK_CHOICES) if isinstance(ask, str) else ""
        raise ValueError(f"{message}; {hint}" if hint else message)
    if ask == "defer" and on_ask is not None:
        raise ValueError('on_ask and ask="defer" exclude each other: pass one of them')
