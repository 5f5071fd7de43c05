"""``Call.start``: how utilities run other commands (rule 10)."""

from __future__ import annotations

import errno
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from ..cancel import CancelScope
from ..command.utility import Utility, execute
from ..streams.base import Stream
from .context import ExecutionContext as Ctx

if TYPE_CHECKING:
    from .jobs import Job


class Starter:
    """Starts utilities, files and programs on PATH; never functions. ``sh -c`` by name is the embedded shell."""

    __slots__ = ("ctx",)

    def __init__(self, ctx: Ctx) -> None:
        self.ctx = ctx

    @property
    def spawn_allowed(self) -> bool:
        """Whether native processes may be started."""
        return self.ctx.run.spawn

    def __call__(
        self,
        argv: Sequence[str],
        *,
        stdin: Stream | None = None,
        stdout: Stream | None = None,
        stderr: Stream | None = None,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        scope: CancelScope | None = None,
    ) -> StartedCommand:
        sub = self.ctx.subshell()
        for number, stream in enumerate((stdin, stdout, stderr)):
            if stream is not None:
                sub.fds.set(number, stream)
        if cwd is not None:
            sub.cwd = cwd
        if env is not None:
            for name in sub.exports:
                sub.vars.pop(name, None)
            sub.exports = frozenset(env)
            sub.vars.update(env)
            sub.hashed = {}
        words = list(argv)
        _check(sub, words[0])
        return StartedCommand(self.ctx, sub, lambda ctx: run_words(ctx, words), scope)


# Builtins of ours that are programs of their own elsewhere: the embedded shell under its names, and kill.
_SHELLS = frozenset({"sh", "bash", "dash", "kill"})


def run_words(ctx: Ctx, argv: list[str]) -> int:
    """Run a command that is no function: a utility (also one that is a builtin by nature), a file, a program."""
    from .builtin import BUILTINS, run_builtin
    from .external import make_call, run_resolved
    from .resolve import resolve_command

    found = resolve_command(ctx, argv[0])
    if isinstance(found, Utility):
        return execute(found, make_call(ctx, argv))
    if argv[0] in _SHELLS:
        command = BUILTINS.get(argv[0])
        assert command is not None
        return run_builtin(ctx, command, argv)
    return run_resolved(ctx, found, argv)


def _check(ctx: Ctx, name: str) -> None:
    """Raise the OSError of a command that is not there: the utility that wanted it words the message.

    The run's notice says it all the same: what a guard needs did not run.
    """
    from .resolve import File, Missing, resolve_command

    if name in _SHELLS:
        return
    found = resolve_command(ctx, name)
    try:
        if isinstance(found, Missing):
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", name)
        if isinstance(found, File):
            ctx.fs.stat(found.path)
    except OSError:
        ctx.run.notice(f"{name}: command not found (status 127)")
        raise


class StartedCommand:
    """A command under way. With a scope of its own it runs on another thread, else when it is waited for."""

    __slots__ = ("_body", "_ctx", "_job", "_status", "_sub")

    def __init__(self, ctx: Ctx, sub: Ctx, body: Callable[[Ctx], int], scope: CancelScope | None) -> None:
        self._ctx = ctx
        self._sub = sub
        self._body = body
        self._status: int | None = None
        self._job: Job | None = None
        if scope is not None:
            from .jobs import start_thread

            self._job = start_thread(ctx, sub, body)

    def wait(self) -> int:
        if self._status is None:
            if self._job is not None:
                self._status = self._job.wait(self._ctx)
            else:
                from .subshell import run_subshell

                self._status = run_subshell(self._sub, self._body)
        return self._status

    def signal(self, number: int) -> None:
        if self._job is not None:
            self._job.signal(number)
