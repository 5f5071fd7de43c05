"""Hooks that are not commands: the host's callables handle prompts, HTTP requests and MCP tool calls."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Collection, Mapping
from typing import Any

from ..cancel import CancelScope
from ..hooks.model import HookJob, HookRun
from ..hooks.suggest import did_you_mean
from ..host.threads import abandoned, submit
from ..jsontext.compact import JSON, WireError, dumps
from ..notice import Notice

#: Takes a request (``kind``, ``timeout`` in seconds, ``cwd``, ``payload`` as JSON text, and the fields of the hook's
#: type: ``prompt model``, ``url headers``, ``server tool input``) and returns the hook's output: text, bytes, a mapping
#: (written as JSON), None for no output, or a complete HookRun. It may be a coroutine function. An exception, also
#: SystemExit, and a result of any other type are failures of the hook: its event's policy decides, and the notice has
#: the message.
Handler = Callable[[Mapping[str, JSON]], Any]

_LONG = 300  # characters of an exception's message


class InvalidHandlerOutput(TypeError):
    """Raised if a handler returns a value that is not a hook's output."""


def hint_for(kind: str) -> str:
    """Return the hint for hooks of a type without a handler."""
    return f'pass handlers={{"{kind}": ...}} to the engine'


def check_handlers(handlers: Mapping[str, object], known: Collection[str]) -> None:
    """Raise for a handler of a type that no system has (``ValueError``), or that can't be called (``TypeError``).

    Types of systems that are not loaded are accepted: a host gives the same handlers to every engine.
    """
    for kind, handler in handlers.items():
        if kind == "command":
            raise ValueError('handlers: hooks of type "command" are run by the executor; pass executor=')
        if kind not in known:
            hint = did_you_mean(kind, known) if isinstance(kind, str) else ""
            hint = hint or f"expected one of: {', '.join(sorted(known))}"
            raise ValueError(f"handlers: unknown hook type {kind!r}; {hint}")
        if not callable(handler):
            raise TypeError(f'handlers["{kind}"] must be a function of a request, got {type(handler).__name__}')


def run_handler(handlers: Mapping[str, Handler], job: HookJob, scope: CancelScope) -> HookRun:
    """Run a hook that is not a command on the handler of its type. Without one it is not started, with a notice."""
    kind = job.spec.kind
    handler = handlers.get(kind)
    if handler is None:
        message = f'the host must provide a handler for hooks of type "{kind}"'
        detail = Notice(message, "hook-not-started", hint=hint_for(kind))
        return HookRun("not_started", None, detail=detail)
    return _call_handler(handler, job, scope)


def _call_handler(handler: Handler, job: HookJob, scope: CancelScope) -> HookRun:
    """Call the handler on another thread, up to the deadline: it is the host's code, and may never return."""
    request: dict[str, JSON] = {"kind": job.spec.kind, "timeout": job.timeout, "cwd": job.cwd, **job.request}
    done = threading.Event()
    runs: list[HookRun] = []

    def task() -> None:
        try:
            runs.append(_run(handler, request))
        except InvalidHandlerOutput as error:
            runs.append(_failed(job, f"returned {error}"))
        except BaseException as error:
            runs.append(_failed(job, f"raised {_message(error)}"))
        finally:
            done.set()
            abandoned.discard(done)

    submit(task)
    with scope.on_cancel(done.set):
        while not done.wait(3600.0):
            pass
    if runs:
        return runs[0]
    abandoned.add(done)
    scope.check()
    return HookRun("abandoned", None, reason="cancelled")


def _failed(job: HookJob, problem: str) -> HookRun:
    spec = job.spec
    message, hint = f'the handler of "{spec.kind}" {problem}', "correct this handler of the host"
    return HookRun("not_started", None, detail=Notice(message, "hook-not-started", hint=hint))


def _message(error: BaseException) -> str:
    """Describe a handler's exception in one line; its ``__str__`` may fail, too."""
    try:
        text = " ".join(str(error).split())
    except Exception:
        text = ""
    text = text if len(text) <= _LONG else text[: _LONG - 3] + "..."
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _run(handler: Handler, request: Mapping[str, JSON]) -> HookRun:
    answer = handler(request)
    if inspect.isawaitable(answer):
        import asyncio

        answer = asyncio.run(_awaited(answer))
    if answer is None:
        return HookRun()
    if isinstance(answer, HookRun):
        if not (isinstance(answer.stdout, bytes) and isinstance(answer.stderr, bytes)):
            raise InvalidHandlerOutput("a HookRun whose stdout and stderr are not bytes")
        return answer
    if isinstance(answer, (bytes, bytearray)):
        return HookRun(stdout=bytes(answer))
    if isinstance(answer, Mapping):
        try:
            answer = dumps(answer)
        except (WireError, TypeError, ValueError, RecursionError) as error:
            raise InvalidHandlerOutput(f"a mapping that can't be written as JSON: {_message(error)}") from None
    if not isinstance(answer, str):
        raise InvalidHandlerOutput(f"{_described(answer)}; it must return text, bytes, a mapping, None or a HookRun")
    return HookRun(stdout=answer.encode("utf-8", "surrogatepass"))


def _described(answer: object) -> str:
    name = type(answer).__name__
    return f"an object of type {name}: it must return, not yield" if name.endswith("generator") else f"a {name}"


async def _awaited(answer: Any) -> Any:
    return await answer
