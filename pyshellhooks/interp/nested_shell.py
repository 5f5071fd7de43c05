"""Nested shells: a script file, or ``sh -c``, run in-process with the state of a new process."""

from __future__ import annotations

import errno
from itertools import takewhile

from ..command.call import reason
from ..errors import UsageError
from ..state import variables
from ..state.context import DEFAULT_SHOPTS, OPTION_ATTRIBUTES
from ..state.context import ExecutionContext as Ctx
from ..streams.base import Stream
from ..text import decode
from .initial_variables import BASH_VERSION, InitialVariables
from .jobs.process import run_shell
from .refusals import NOT_FOUND, NOT_RUN, notice_unopened
from .resolve import script_on_path


def fresh(ctx: Ctx, arg0: str, args: list[str]) -> Ctx:
    """Return a context with the state of a new process: it inherits descriptors, environment, directory and umask."""
    new = ctx.subshell(waits=True)  # the shared tables are replaced right below
    env = variables.environment(ctx)
    # Functions are inherited only from this run's own ``export -f``, never from the host's environment.
    new.functions = {name: ctx.functions[name] for name in ctx.exported_functions if name in ctx.functions}
    new.functions_shared = False
    new.aliases = {}  # a new process inherits none (POSIX XCU alias)
    new.directories = []
    new.hashed = {}
    new.frame = None
    new.condition = 0
    new.level = new.nesting = 0
    new.pid = new.shell_pid = ctx.run.next_pid()
    new.in_trap = False
    new.inherited_traps = {}
    new.debugging = False
    new.command_string = False
    new.shopts = DEFAULT_SHOPTS
    for attribute in OPTION_ATTRIBUTES:
        setattr(new, attribute, False)
    new.status = 0
    new.last_background = 0
    new.arg0 = new.name = arg0
    new.args = args
    if "PWD" not in env:  # without it, PWD has no symbolic links in it (POSIX XCU 2.5.3)
        try:
            new.cwd = ctx.fs.realpath(ctx.cwd)
        except OSError:
            pass
    InitialVariables(new.run.fs).initialise(new, env)
    if "SHELLOPTS" in ctx.exports:
        _take_over_options(new, env.get("SHELLOPTS", ""))
    return new


def _take_over_options(ctx: Ctx, names: str) -> None:
    """Turn on the options of an exported SHELLOPTS (bash)."""
    from ..state.options import SET_OPTIONS, set_option

    for name in names.split(":"):
        if name in SET_OPTIONS:
            set_option(ctx, name, True)
    variables.export(ctx, "SHELLOPTS")


def run_script_file(
    ctx: Ctx, path: str, arg0: str, args: list[str], options: list[str] | None = None, shell: str = ""
) -> int:
    """Read a file and run it as a script; return its status, or the negative number of the signal that ended it.

    ``shell``: the name of the shell in ``bash FILE``; the messages of such a call have no line (bash 5.2).
    """
    try:
        stream = ctx.fs.open(path, 0).retain()
        try:
            data = read_all(ctx, stream)
        finally:
            stream.release()
    except OSError as error:
        status = NOT_FOUND if error.errno == errno.ENOENT else NOT_RUN
        speaker = arg0 if error.errno == errno.EISDIR else shell or arg0
        ctx.write_error(f"{speaker}: {arg0}: {reason(error)}\n")
        notice_unopened(ctx, f"{shell} {arg0}".lstrip(), error, path, status)
        return status
    if b"\0" in data[:512].split(b"\n", 1)[0]:  # bash looks for a NUL in the first line, to reject binaries only
        ctx.write_error(f"{arg0}: {arg0}: cannot execute binary file\n")
        name, hint = f"{shell} {arg0}".lstrip(), "choose a script in UTF-8 text"
        ctx.run.notice("cannot execute binary file", "file-not-runnable", command=name, hint=hint, status=NOT_RUN)
        return NOT_RUN
    new = fresh(ctx, arg0, args)
    for option in options or ():
        _apply(new, option)
    text = decode(data.replace(b"\0", b""))
    return run_shell(ctx, new, lambda sub: sub.run.evaluator.run_main(sub, text, arg0))


def _apply(ctx: Ctx, option: str) -> None:
    """Apply an option of a shebang line (``#!/bin/bash -eu``)."""
    from ..state.options import parse_invocation

    try:
        parse_invocation(ctx, option.split())
    except UsageError as error:
        ctx.warn(error.message)


def read_all(ctx: Ctx, stream: Stream) -> bytes:
    """Read a script; ``Stop`` past ``Limits.script``."""
    from ..errors import Stop

    chunks: list[bytes] = []
    size = 0
    while chunk := stream.read(65536):
        size += len(chunk)
        if size > ctx.limits.script:
            raise Stop("limit", f"a script is longer than {ctx.limits.script} bytes", "script")
        chunks.append(chunk)
        ctx.task.check()
    return b"".join(chunks)


def run_shell_command(ctx: Ctx, argv: list[str]) -> int:
    """Run ``sh``, ``bash`` or ``dash`` called by name and return its status."""
    return status_of(shell_outcome(ctx, argv))


def status_of(outcome: int) -> int:
    """Return the status of an outcome; a negative outcome is the number of a signal."""
    return outcome if outcome >= 0 else 128 - outcome


_VERSION_TEXTS = {
    "--version": f"GNU bash, version {BASH_VERSION} (pyshellhooks)\n",
    "--help": "Usage: bash [--norc] [--noprofile] [--posix] [-abefhkmnptuvxBCEHPT] [-o OPTION] [-O SHOPT] [-c TEXT [NAME [ARG]...] | FILE [ARG]... | -s [ARG]...]\n",
}


def shell_outcome(ctx: Ctx, argv: list[str]) -> int:
    """Run ``-c TEXT [NAME [ARG…]]``, ``FILE [ARG…]``, or text on stdin; return an outcome as ``run_script_file``."""
    from ..state.options import parse_invocation

    for word in takewhile(lambda word: len(word) > 2 and word.startswith("--"), argv[1:]):
        if text := _VERSION_TEXTS.get(word):
            ctx.write_stdout(text)
            return 0
    new = fresh(ctx, argv[0], [])
    try:
        invocation = parse_invocation(new, argv[1:])
    except UsageError as error:
        ctx.warn(f"{argv[0]}: {error.message}")
        new.fds.release()
        return 2
    rest = invocation.operands
    if invocation.command:
        if not rest:
            ctx.warn(f"{argv[0]}: -c: option requires an argument")
            new.fds.release()
            return 2
        text = rest[0]
        new.arg0 = rest[1] if len(rest) > 1 else argv[0]
        new.name = new.arg0
        new.command_string = True
        new.args = rest[2:]
        return run_shell(ctx, new, lambda sub: sub.run.evaluator.run_main(sub, text, sub.name))
    if rest and not invocation.stdin:
        new.fds.release()
        name = ctx.fs.in_one_form(rest[0])
        path = ctx.fs.absolute(ctx.cwd, name)
        is_plain_name = bool(name) and "/" not in name
        if is_plain_name and not ctx.fs.exists(path):
            path = script_on_path(ctx, name) or path  # the directory comes first, then PATH (bash)
        return run_script_file(ctx, path, name, rest[1:], options=invocation.flags, shell=argv[0])
    new.args = rest

    def from_stdin(sub: Ctx) -> int:
        return sub.run.evaluator.run_main(sub, decode(read_all(sub, sub.fds.get(0))), sub.name)

    return run_shell(ctx, new, from_stdin)
