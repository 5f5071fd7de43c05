"""Redirections (POSIX XCU 2.7): compiled to a plan, applied with an undo list."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable

from ..command.call import reason
from ..errors import message_of
from ..expand.params import fetch_named
from ..state import variables
from ..state.context import ExecutionContext as Ctx
from ..state.failure import ExpansionError
from ..state.references import is_digits
from ..streams.base import BytesReader, DirectoryReader, NullSink, NullSource, NullStream, Stream
from ..syntax import nodes as n
from ..syntax.printer import print_word
from ..text import encode, parse_digits
from .compile import WORDS

Exec = Callable[[Ctx], int]
Step = Callable[[Ctx], list[tuple[int, Stream | None]]]
Undo = list[tuple[int, "Stream | None"]]

_DEFAULT_FD = {"<": 0, "<>": 0, "<&": 0, "<<": 0, "<<-": 0, "<<<": 0}
_FLAGS = {
    "<": os.O_RDONLY,
    "<>": os.O_RDWR | os.O_CREAT,
    ">": os.O_WRONLY | os.O_CREAT | os.O_TRUNC,
    ">|": os.O_WRONLY | os.O_CREAT | os.O_TRUNC,
    ">>": os.O_WRONLY | os.O_CREAT | os.O_APPEND,
    "&>": os.O_WRONLY | os.O_CREAT | os.O_TRUNC,
    "&>>": os.O_WRONLY | os.O_CREAT | os.O_APPEND,
}


def compile_redirects(redirects: tuple[n.Redirect, ...], *, lines: bool = False) -> tuple[Step, ...]:
    """Compile redirections into steps that return pairs of a descriptor number and its new stream.

    ``lines``: an error names the line of the redirection, as for a compound command; a simple one has one line (bash).
    """
    return tuple(_compile(r, lines) for r in redirects)


def _compile(node: n.Redirect, lines: bool) -> Step:
    if isinstance(node.target, n.HereDoc) or node.op == "<<<":
        step = _compile_text(node)
    elif node.op in ("<&", ">&"):
        step = _compile_duplicate(node)
    else:
        step = _compile_file(node)
    if node.variable is not None:
        step = _lasting(step)
    if not lines:
        return step
    line = node.line

    def run(ctx: Ctx) -> list[tuple[int, Stream | None]]:
        ctx.line = line
        return step(ctx)

    return run


def _lasting(step: Step) -> Step:
    """Wrap a step of ``{name}>``: its descriptor stays open after the command (bash; unless ``varredir_close``)."""

    def run(ctx: Ctx) -> list[tuple[int, Stream | None]]:
        plan = step(ctx)
        if "varredir_close" in ctx.shopts:
            return plan
        for number, stream in plan:
            old = ctx.fds.swap(number, stream)
            if old is not None:
                old.release()
        return []

    return run


def _number(ctx: Ctx, node: n.Redirect) -> int:
    """Return the descriptor number of a redirection. ``{name}>`` takes a free one and assigns it to the variable."""
    if node.variable is not None:
        number = ctx.fds.free()  # 10 or higher (bash)
        _remember(ctx, node.variable, number)
        return number
    return _written_number(node)


def _written_number(node: n.Redirect) -> int:
    return _DEFAULT_FD.get(node.op, 1) if node.fd is None else node.fd


def _remember(ctx: Ctx, name: str, number: int) -> None:
    if name.endswith("]"):
        base, _, subscript = name[:-1].partition("[")
        variables.assign_element(ctx, base, subscript, str(number))
    else:
        variables.assign(ctx, name, str(number))


class RedirectError(ExpansionError):
    """A redirection that fails although its word could be expanded: an ambiguous target, or ``noclobber``."""


def _target(node: n.Redirect) -> Callable[[Ctx], str]:
    assert isinstance(node.target, n.Word)
    fields = WORDS.words((node.target,))
    source = node.target

    def run(ctx: Ctx) -> str:
        words = fields(ctx)
        if len(words) != 1:
            raise RedirectError(f"{print_word(source)}: ambiguous redirect")
        return words[0]

    return run


def _compile_file(node: n.Redirect) -> Step:
    target = _target(node)
    op = node.op
    both = op in ("&>", "&>>")

    def step(ctx: Ctx) -> list[tuple[int, Stream | None]]:
        name = target(ctx)
        stream = open_file(ctx, name, op)
        if both:
            return [(1, stream), (2, stream)]
        return [(_number(ctx, node), stream)]

    return step


def open_file(ctx: Ctx, name: str, op: str) -> Stream:
    """Open the file of a redirection."""
    if name == "/dev/null":
        if op == "<":
            return NullSource()
        return NullStream() if op == "<>" else NullSink()
    if name.startswith(("/dev/tcp/", "/dev/udp/")):
        raise OSError(errno.ENOTSUP, "network redirections are not supported", name)
    try:
        path = ctx.fs.absolute(ctx.cwd, name)
        flags = _FLAGS[op]
        if op in (">", "&>") and ctx.noclobber:
            flags = _noclobber_flags(ctx, path, name)
        if op != "<":
            return ctx.fs.open(path, flags, 0o666 & ~ctx.umask)
        try:
            return ctx.fs.open(path, flags)
        except IsADirectoryError:  # a kernel opens it for reading, and fails at the first read
            return DirectoryReader(path)
    except OSError as error:
        raise OSError(error.errno, message_of(error), ctx.fs.in_one_form(name)) from None


def _noclobber_flags(ctx: Ctx, path: str, name: str) -> int:
    """Return the flags under ``set -C``, which protects regular files only (POSIX XCU 2.7.2): devices stay writable."""
    try:
        regular = ctx.fs.stat(path).st_mode & 0o170000 == 0o100000
    except OSError:
        return os.O_WRONLY | os.O_CREAT | os.O_EXCL  # EXCL: another process may create the file right now
    if regular:
        raise RedirectError(f"{name}: cannot overwrite existing file")
    return os.O_WRONLY


def _compile_text(node: n.Redirect) -> Step:
    if isinstance(node.target, n.HereDoc):
        text = WORDS.string(node.target.body, tilde=False)
        newline = ""
    else:
        text = WORDS.string(node.target, assignment=True)  # with tildes, and lists joined as in an assignment (bash)
        newline = "\n"

    def step(ctx: Ctx) -> list[tuple[int, Stream | None]]:
        data = encode(text(ctx) + newline)
        return [(_number(ctx, node), BytesReader(data))]

    return step


def _compile_duplicate(node: n.Redirect) -> Step:
    target = _target(node)
    op = node.op
    if node.variable is None and isinstance(node.target, n.Word):
        constant = node.target.literal()
        if constant is not None and is_digits(constant):
            return _duplicate_constant(parse_digits(constant), _written_number(node))

    def step(ctx: Ctx) -> list[tuple[int, Stream | None]]:
        word = target(ctx)
        if word == "-":
            if node.variable is not None:
                return [(_descriptor_in(ctx, node.variable), None)]
            return [(_number(ctx, node), None)]
        if is_digits(word.removesuffix("-")):
            source = parse_digits(word.removesuffix("-"))
            stream = _duplicated(ctx, source)
            number = _number(ctx, node)
            plan: list[tuple[int, Stream | None]] = [(number, stream)]
            if word.endswith("-") and number != source:
                plan.append((source, None))
            return plan
        if op == ">&" and node.variable is None and node.fd in (None, 1):  # ``>&file`` is ``&>file`` (bash)
            stream = open_file(ctx, word, "&>")
            return [(1, stream), (2, stream)]
        raise RedirectError(f"{word}: ambiguous redirect")

    return step


def _duplicate_constant(source: int, number: int) -> Step:
    return lambda ctx: [(number, _duplicated(ctx, source))]


def _duplicated(ctx: Ctx, number: int) -> Stream:
    try:
        return ctx.fds.get(number)
    except OSError as error:
        raise OSError(error.errno, message_of(error), str(number)) from None


def _descriptor_in(ctx: Ctx, name: str) -> int:
    text = fetch_named(ctx, name)
    if not isinstance(text, str) or not text.isdecimal():
        raise RedirectError(f"{name}: ambiguous redirect")
    return parse_digits(text)


def apply_redirects(ctx: Ctx, steps: tuple[Step, ...], *, external: bool = False) -> Undo | None:
    """Apply redirections in order. Return the undo list, or None after a reported failure, whose status is in ``$?``.

    A failed expansion is raised as anywhere else, unless the command is ``external``: bash expands there in the child,
    so only that command fails.
    """
    undo: Undo = []
    try:
        for step in steps:
            for number, stream in step(ctx):
                undo.append((number, ctx.fds.swap(number, stream)))
    except OSError as error:
        name = "" if error.filename is None else f"{error.filename}: "
        ctx.warn(f"{name}{reason(error)}")  # earlier redirections apply: 2>/dev/null <missing is silent
        undo_redirects(ctx, undo)
        ctx.status = 1
        return None
    except ExpansionError as error:
        only_redirect_failed = isinstance(error, RedirectError) and not error.fatal
        if not external and not only_redirect_failed:
            undo_redirects(ctx, undo)
            raise
        ctx.warn(error.message)
        undo_redirects(ctx, undo)
        ctx.status = error.status
        return None
    except BaseException:
        undo_redirects(ctx, undo)
        raise
    if ctx.task.sheds is ctx:
        # The command becomes this job: it must not hold the streams that it replaced (``(…) >log &``).
        ctx.task.sheds = None
        keep_redirects(undo)
        undo.clear()
    return undo


def keep_redirects(undo: Undo) -> None:
    """Make redirections permanent: release the streams that they replaced."""
    for _, old in undo:
        if old is not None:
            old.release()


def undo_redirects(ctx: Ctx, undo: Undo) -> None:
    """Restore the streams that redirections replaced."""
    for number, old in reversed(undo):
        ctx.fds.restore(number, old)


def in_child(redirects: tuple[n.Redirect, ...]) -> bool:
    """Return whether bash forks for redirections without a command: it does if one of them changes stdin."""
    return any(redirect.op[0] == "<" and not redirect.fd for redirect in redirects)


def with_redirects(redirects: tuple[n.Redirect, ...], body: Exec, line: int, *, external: bool = False) -> Exec:
    """Wrap a compound command in its redirections."""
    if not redirects:
        return body
    steps = compile_redirects(redirects, lines=True)

    def run(ctx: Ctx) -> int:
        before, ctx.line = ctx.line, line
        undo = apply_redirects(ctx, steps, external=external)
        if undo is None:
            from .jobs.traps import on_failure

            ctx.line = before
            status = ctx.status
            if not external:
                on_failure(ctx, status)
            return status
        try:
            return body(ctx)
        except ExpansionError as error:
            error.report(ctx)
            raise
        finally:
            undo_redirects(ctx, undo)

    from .substitution import has_process_substitution, releasing

    return releasing(run) if has_process_substitution(r.target for r in redirects) else run
