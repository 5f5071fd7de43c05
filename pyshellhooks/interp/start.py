"""``Call.start``: how utilities run other commands (rule 10)."""

from __future__ import annotations

import errno
import stat
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from ..cancel import CancelScope
from ..command.utility import Utility
from ..state.context import ExecutionContext as Ctx
from ..state.control import Died
from ..streams.base import Stream
from .traps import NAMES

if TYPE_CHECKING:
    from ..state.jobs import Job


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
        ignore: Collection[int] = (),
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
            sub.exports, sub.exports_shared = frozenset(env), True
            sub.vars.update(env)
            sub.hashed = {}
        if ignore:
            sub.traps = {**sub.traps, **{NAMES[number]: "" for number in ignore if number in NAMES}}
        words = list(argv)
        _check(sub, words[0])
        return StartedCommand(self.ctx, sub, words, scope)


# Builtins of ours that are programs of their own elsewhere: the embedded shell under its names, and kill.
OWN_NAMES = frozenset({"sh", "bash", "dash", "kill"})


def run_words(ctx: Ctx, argv: list[str], name: str = "") -> int:
    """Run a command that is no function: a utility (also one that is a builtin by nature), a file, a program.

    ``Died`` is its death by a signal. ``name`` is what the embedded shell is told to be called (``exec -a``).
    """
    from .external import outcome_of
    from .resolve import resolve_command

    found = resolve_command(ctx, argv[0])
    if isinstance(found, Utility) or argv[0] not in OWN_NAMES:
        outcome = outcome_of(ctx, found, argv)
    elif argv[0] == "kill":
        from .builtin import BUILTINS, run_builtin

        command = BUILTINS.get(argv[0])
        assert command is not None
        return run_builtin(ctx, command, argv)
    else:
        from .nested_shell import shell_outcome

        outcome = shell_outcome(ctx, [name or argv[0], *argv[1:]])
    if outcome < 0:
        raise Died(128 - outcome)
    return outcome


def _check(ctx: Ctx, name: str) -> None:
    """Raise the OSError of a command that is not there: the utility that wanted it words the message.

    The run's notice says it all the same: what a guard needs did not run.
    """
    from .resolve import File, Missing, resolve_command

    if name in OWN_NAMES:
        return
    found = resolve_command(ctx, name)
    try:
        if isinstance(found, Missing):
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", name)
        if isinstance(found, File) and stat.S_ISDIR(ctx.fs.stat(found.path).st_mode):
            raise PermissionError(errno.EACCES, "Permission denied", name)
    except PermissionError:
        ctx.run.notice("cannot be run", "file-not-runnable", command=name, mend="name a script or program", status=126)
        raise
    except OSError:
        mend = "correct the path" if isinstance(found, File) else "install it, or put its directory on PATH"
        ctx.run.notice("command not found", "command-not-found", command=name, mend=mend, status=127)
        raise


class StartedCommand:
    """A command under way. With a scope of its own it runs on another thread, else when it is waited for."""

    __slots__ = ("_ctx", "_job", "_status", "_sub", "_words", "signaled")

    def __init__(self, ctx: Ctx, sub: Ctx, words: list[str], scope: CancelScope | None) -> None:
        self._ctx = ctx
        self._sub = sub
        self._words = words
        self._status: int | None = None
        self._job: Job | None = None
        self.signaled: int | None = None
        if scope is not None:
            from .jobs import start_thread

            self._job = start_thread(ctx, sub, self._run, scope=scope, becomes=True)

    def _run(self, ctx: Ctx) -> int:
        try:
            return run_words(ctx, self._words)
        except Died as flow:
            self.signaled = flow.status - 128
            raise

    def wait(self) -> int:
        if self._status is None:
            if self._job is not None:
                self._status = self._job.wait(self._ctx, interruptible=False)
                if self._job.signaled and self._status == 128 + self._job.signaled:
                    self.signaled = self._job.signaled
            else:
                from .subshell import run_subshell

                self._status = run_subshell(self._sub, self._run)
        return self._status

    def signal(self, number: int, group: bool = True) -> None:
        if self._job is not None:
            self._job.signal(number, group)
