"""Hooks that are not commands: the host's own callables answer prompts, HTTP posts and tool calls."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Mapping
from typing import Any

from ..cancel import CancelScope
from ..hooks.model import HookJob, HookRun
from ..hooks.wire import JSON, dumps
from ..host.threads import abandoned, submit
from .executor import Executor

#: Given a request (``kind``, ``timeout`` in seconds, ``cwd``, ``payload`` as JSON text, and what the hook's type adds:
#: ``prompt model``, ``url headers``, ``server tool input``), gives the answer: text, bytes, a mapping (written as
#: JSON), None for nothing, or a whole HookRun. It may be a coroutine function. What it raises is a hook that could
#: not start.
Handler = Callable[[Mapping[str, JSON]], Any]


class HandlerExecutor:
    """Runs commands on another executor, and everything else on the host's handlers, each bounded by its deadline."""

    def __init__(self, commands: Executor, handlers: Mapping[str, Handler]) -> None:
        self.commands = commands
        self.handlers = dict(handlers)

    def run(self, job: HookJob, scope: CancelScope) -> HookRun:
        """Run a job by its kind; one that nobody handles did not start, and says so."""
        kind = job.spec.kind
        if kind == "command":
            return self.commands.run(job, scope)
        handler = self.handlers.get(kind)
        if handler is None:
            return HookRun("not_started", None, detail=f'hooks of type "{kind}" need a handler, and the host gave none')
        return _ask(handler, job, scope)

    def close(self) -> None:
        """Close the executor of commands."""
        close: Callable[[], None] | None = getattr(self.commands, "close", None)
        if close is not None:
            close()


def _ask(handler: Handler, job: HookJob, scope: CancelScope) -> HookRun:
    """Call the handler on a thread of its own: it is the host's code, and may not come back."""
    request: dict[str, JSON] = {"kind": job.spec.kind, "timeout": job.timeout, "cwd": job.cwd, **job.request}
    done = threading.Event()
    found: list[HookRun] = []

    def task() -> None:
        try:
            found.append(_run(handler, request))
        except BaseException as error:
            found.append(HookRun("not_started", None, detail=f"{type(error).__name__}: {error}"))
        finally:
            done.set()
            abandoned.discard(done)

    submit(task)
    with scope.on_cancel(done.set):
        while not done.wait(3600.0):
            pass
    if found:
        return found[0]
    abandoned.add(done)
    scope.check()
    return HookRun("abandoned", None, reason="cancelled")


def _run(handler: Handler, request: Mapping[str, JSON]) -> HookRun:
    answer = handler(request)
    if inspect.isawaitable(answer):
        import asyncio

        answer = asyncio.run(_awaited(answer))
    if isinstance(answer, HookRun):
        return answer
    if answer is None:
        return HookRun()
    if isinstance(answer, bytes):
        return HookRun(stdout=answer)
    text = answer if isinstance(answer, str) else dumps(answer)
    return HookRun(stdout=text.encode("utf-8", "surrogatepass"))


async def _awaited(answer: Any) -> Any:
    return await answer
