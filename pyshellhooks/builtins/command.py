"""``command``, ``builtin``, ``type`` (POSIX XCU command, bash)."""

from __future__ import annotations

from collections.abc import Iterator

from ..command.utility import Utility
from ..interp.builtin import BUILTINS, Builtin, builtin, option_letters, run_builtin
from ..interp.launch import command_not_found, run_command, run_file
from ..interp.resolve import (
    External,
    File,
    Missing,
    all_meanings,
    candidates,
    has_slash,
    hashed,
    resolve,
    resolve_command,
)
from ..state import variables
from ..state.context import ExecutionContext as Ctx
from ..state.context import FunctionDefinition
from ..text import encode
from .set import function_text

KEYWORDS = frozenset(
    "if then else elif fi case esac for select while until do done in function time { } ! [[ ]] coproc".split()
)
DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@builtin("command", summary="Run a command, passing over functions.", usage="[-pVv] command [arg ...]")
def command(ctx: Ctx, argv: list[str]) -> int:
    flags, args = option_letters(argv, "pvV")
    if not args:
        return 0
    if flags & {"v", "V"}:
        results = [_describe(ctx, name, verbose="V" in flags) for name in args]
        return 0 if any(results) else 1
    name = args[0]
    found = BUILTINS.get(name)
    if found is not None and name not in ctx.disabled_builtins:
        return run_builtin(ctx, found, args, plain=True)
    if "p" in flags and not has_slash(ctx, name):
        path = next(candidates(ctx, name, DEFAULT_PATH), None)
        utility = ctx.run.registry.get(name)
        if utility is None:
            return run_file(ctx, path, args) if path is not None else command_not_found(ctx, name, args[1:])
    return run_command(ctx, resolve_command(ctx, name), args)


def _describe(ctx: Ctx, name: str, *, verbose: bool) -> bool:
    text = describe(ctx, name, verbose=verbose)
    if text is None:
        if verbose:
            ctx.warn(f"command: {name}: not found")
        return False
    ctx.say(text + "\n")
    return True


def describe(ctx: Ctx, name: str, *, verbose: bool) -> str | None:
    """Say what a name means: as ``command -v`` does, or in a sentence."""
    if name in ctx.aliases and "expand_aliases" in ctx.shopts:
        return f"{name} is aliased to `{ctx.aliases[name]}'" if verbose else f"alias {name}={_alias(ctx.aliases[name])}"
    if name in KEYWORDS:
        return f"{name} is a shell keyword" if verbose else name
    return describe_command(ctx, name, resolve(ctx, name), verbose=verbose)


def _alias(value: str) -> str:
    return "'" + value.replace("'", "'\\''") + "'"


def describe_command(ctx: Ctx, name: str, found: object, *, verbose: bool) -> str | None:
    """Word one meaning of a name."""
    if isinstance(found, FunctionDefinition):
        return f"{name} is a function\n{function_text(ctx, name).rstrip()}" if verbose else name
    if isinstance(found, Builtin):
        special = found.special and "posix" in ctx.shopts
        return f"{name} is a {'special ' if special else ''}shell builtin" if verbose else name
    if isinstance(found, Utility):
        path = utility_path(ctx, name)
        return f"{name} is {path}" if verbose else path
    if isinstance(found, External):
        if verbose and name in hashed(ctx):
            return f"{name} is hashed ({found.path})"
        return f"{name} is {found.path}" if verbose else found.path
    if isinstance(found, File):
        try:
            mode = ctx.fs.stat(found.path).st_mode
        except OSError:
            return None
        if mode & 0o170000 == 0o040000 or not mode & 0o111:
            return None
        return f"{name} is {name}" if verbose else name
    assert isinstance(found, Missing)
    return None


def utility_path(ctx: Ctx, name: str) -> str:
    """Return the path of the program that an in-process utility stands for: PATH's, or the usual one where there is none."""
    found = next(candidates(ctx, name, variables.get(ctx, "PATH") or ""), None)
    return found if found is not None else f"/usr/bin/{name}"


@builtin("builtin", summary="Run a shell builtin.", usage="[shell-builtin [arg ...]]")
def builtin_(ctx: Ctx, argv: list[str]) -> int:
    _, args = option_letters(argv, "")
    if not args:
        return 0
    found = BUILTINS.get(args[0])
    if found is None:
        ctx.warn(f"builtin: {args[0]}: not a shell builtin")
        return 1
    return run_builtin(ctx, found, args)


@builtin("type", summary="Say what names mean.", usage="[-afptP] name [name ...]")
def type_(ctx: Ctx, argv: list[str]) -> int:
    flags, args = option_letters(argv, "afptP")
    status = 0
    for name in args:
        if not _type(ctx, name, flags):
            status = 1
            if not flags & {"t", "p", "P"}:
                ctx.warn(f"type: {name}: not found")
    return status


def _type(ctx: Ctx, name: str, flags: set[str]) -> bool:
    lines = list(_type_lines(ctx, name, flags))
    if "a" not in flags:
        lines = lines[:1]
    shown = [line for line in lines if line]
    if shown:
        ctx.fds.get(1).write(encode("\n".join(shown) + "\n"))
    return bool(lines)


def _type_lines(ctx: Ctx, name: str, flags: set[str]) -> Iterator[str]:
    """Yield a line for each meaning of a name; an empty one for what is found and not shown."""
    files = "P" in flags  # -P: on PATH alone
    if not files:
        silent = "p" in flags and "t" not in flags
        if name in ctx.aliases and "expand_aliases" in ctx.shopts:
            yield "alias" if "t" in flags else "" if silent else describe(ctx, name, verbose=True) or ""
        if name in KEYWORDS:
            yield "keyword" if "t" in flags else "" if silent else f"{name} is a shell keyword"
    for found in all_meanings(ctx, name):
        if isinstance(found, FunctionDefinition) and (files or "f" in flags) or files and isinstance(found, Builtin):
            continue
        line = _type_line(ctx, name, found, flags)
        if line is not None:
            yield line


def _type_line(ctx: Ctx, name: str, found: object, flags: set[str]) -> str | None:
    if "t" in flags:
        if isinstance(found, FunctionDefinition):
            return "function"
        return "builtin" if isinstance(found, Builtin) else "file"
    if flags & {"p", "P"}:
        if isinstance(found, FunctionDefinition | Builtin):
            return ""  # found, but it is no file: nothing to print
        if isinstance(found, Utility):
            return utility_path(ctx, name)
        return found.path if isinstance(found, External) else name
    return describe_command(ctx, name, found, verbose=True)
