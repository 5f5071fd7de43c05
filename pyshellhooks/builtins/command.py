"""``command``, ``builtin``, ``type`` (POSIX XCU command, bash)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ..command.usual_places import SHELL_NAMES, program_meant
from ..command.utility import Utility
from ..interp.builtin import BUILTINS, Builtin, builtin, enabled_builtin, option_letters, run_builtin, write_lines
from ..interp.launch import command_not_found, run_command, run_file
from ..interp.resolve import (
    External,
    File,
    all_meanings,
    candidates,
    has_execute_bit,
    has_slash,
    hashed,
    resolve,
    resolve_command,
)
from ..state import variables
from ..state.context import ExecutionContext as Ctx
from ..state.context import FunctionDefinition
from ..text import paced
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
        results = [_describe(ctx, name, verbose="V" in flags) for name in paced(args)]
        return 0 if any(results) else 1
    name = args[0]
    found = enabled_builtin(ctx, name)
    if found is not None:
        # Under ``command`` a special builtin that fails does not end the shell (POSIX XCU command).
        return run_builtin(ctx, found, args, plain=True)
    if "p" in flags and not has_slash(ctx, name):
        # The point of -p is to find the standard utilities whatever PATH is (POSIX XCU command).
        path = next(candidates(ctx, name, DEFAULT_PATH), None)
        utility = ctx.run.registry.get(name)
        if utility is None:
            if path is None:
                return command_not_found(ctx, name, args[1:])
            return run_file(ctx, path, args)
    return run_command(ctx, resolve_command(ctx, name), args)


def _describe(ctx: Ctx, name: str, *, verbose: bool) -> bool:
    """Describe the meaning of a name: as ``command -v`` does, or in a sentence."""
    meaning = next(_words(ctx, name), None)
    if meaning is None:
        meaning = _meaning(ctx, name, resolve(ctx, name), verbose)
    if meaning is None:
        if verbose:
            ctx.warn(f"command: {name}: not found")
        return False
    _, short, sentence = meaning
    ctx.write_stdout(f"{sentence if verbose else short}\n")
    return True


Meaning = tuple[str, str, str]
"""The kind of what a name means (``type -t``), the name or path (``command -v``), and a sentence (``type``)."""


def _words(ctx: Ctx, name: str) -> Iterator[Meaning]:
    """Yield the meanings of a name to the parser."""
    if name in ctx.aliases and "expand_aliases" in ctx.shopts:
        value = ctx.aliases[name]
        quoted = value.replace("'", "'\\''")
        yield "alias", f"alias {name}='{quoted}'", f"{name} is aliased to `{value}'"
    if name in KEYWORDS:
        yield "keyword", name, f"{name} is a shell keyword"


def _meaning(ctx: Ctx, name: str, meaning: object, verbose: bool) -> Meaning | None:
    """Return the meaning of a command, or None if it cannot run.

    If ``verbose``, a function's sentence contains its text.
    """
    if isinstance(meaning, FunctionDefinition):
        text = function_text(ctx, name).rstrip() if verbose else ""
        return "function", name, f"{name} is a function\n{text}"
    if isinstance(meaning, Builtin) and name not in SHELL_NAMES:
        special = "special " * (meaning.special and "posix" in ctx.shopts)
        return "builtin", name, f"{name} is a {special}shell builtin"
    path = _path_of(ctx, name, meaning)
    if path is None:
        return None
    if isinstance(meaning, External) and name in hashed(ctx):
        return "file", path, f"{name} is hashed ({path})"
    return "file", path, f"{name} is {path}"


def _path_of(ctx: Ctx, name: str, meaning: object) -> str | None:
    if isinstance(meaning, Utility | Builtin):
        if "/" in name:
            return name
        return utility_path(ctx, name)
    if isinstance(meaning, External):
        return meaning.path
    if not isinstance(meaning, File):
        return None
    # The path of a shell runs in this process, so that it needs no file.
    if has_execute_bit(ctx, meaning.path) or program_meant(ctx.fs, name) in SHELL_NAMES:
        return name
    return None


def utility_path(ctx: Ctx, name: str) -> str:
    """Return the path of an in-process utility's program: on PATH, or else the usual one."""
    path = next(candidates(ctx, name, variables.get(ctx, "PATH") or ""), None)
    if path is None:
        return f"/usr/bin/{name}"
    return path


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


@builtin("type", summary="Show the meaning of names.", usage="[-afptP] name [name ...]")
def type_(ctx: Ctx, argv: list[str]) -> int:
    flags, args = option_letters(argv, "afptP")
    most = None if "a" in flags else 1
    status = 0
    for name in paced(args):
        shown = list(islice(_type_lines(ctx, name, flags), most))
        write_lines(ctx, [line for line in shown if line])
        if not shown:
            status = 1
            if not flags & {"t", "p", "P"}:
                ctx.warn(f"type: {name}: not found")
    return status


def _type_lines(ctx: Ctx, name: str, flags: set[str]) -> Iterator[str]:
    """Yield a line for each meaning of a name; with ``-p``, an empty one for a meaning that is not a file."""
    for kind, short, sentence in _meanings(ctx, name, flags):
        if "t" in flags:
            yield kind
        elif flags & {"p", "P"}:
            yield short if kind == "file" else ""
        else:
            yield sentence


def _meanings(ctx: Ctx, name: str, flags: set[str]) -> Iterator[Meaning]:
    hidden: set[str] = set()
    if "P" in flags:  # only files on PATH
        hidden = {"function", "builtin"}
    else:
        yield from _words(ctx, name)
        if "f" in flags:
            hidden = {"function"}
    has_sentences = not flags & {"t", "p", "P"}
    for command in all_meanings(ctx, name):
        meaning = _meaning(ctx, name, command, has_sentences)
        if meaning is not None and meaning[0] not in hidden:
            yield meaning
