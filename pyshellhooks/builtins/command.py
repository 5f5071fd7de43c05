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
        return run_builtin(ctx, found, args, plain=True)
    if "p" in flags and not has_slash(ctx, name):
        path = next(candidates(ctx, name, DEFAULT_PATH), None)
        utility = ctx.run.registry.get(name)
        if utility is None:
            return run_file(ctx, path, args) if path is not None else command_not_found(ctx, name, args[1:])
    return run_command(ctx, resolve_command(ctx, name), args)


def _describe(ctx: Ctx, name: str, *, verbose: bool) -> bool:
    """Describe the meaning of a name: as ``command -v`` does, or in a sentence."""
    meaning = next(_words(ctx, name), None) or _meaning(ctx, name, resolve(ctx, name), verbose)
    if meaning is not None:
        _, short, sentence = meaning
        ctx.write_stdout(f"{sentence if verbose else short}\n")
    elif verbose:
        ctx.warn(f"command: {name}: not found")
    return meaning is not None


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
    is_hashed = isinstance(meaning, External) and name in hashed(ctx)
    return "file", path, f"{name} is hashed ({path})" if is_hashed else f"{name} is {path}"


def _path_of(ctx: Ctx, name: str, meaning: object) -> str | None:
    if isinstance(meaning, Utility | Builtin):
        return name if "/" in name else utility_path(ctx, name)
    if isinstance(meaning, External):
        return meaning.path
    runs = isinstance(meaning, File) and (
        has_execute_bit(ctx, meaning.path) or program_meant(ctx.fs, name) in SHELL_NAMES
    )
    return name if runs else None


def utility_path(ctx: Ctx, name: str) -> str:
    """Return the path of an in-process utility's program: on PATH, or else the usual one."""
    path = next(candidates(ctx, name, variables.get(ctx, "PATH") or ""), None)
    return path if path is not None else f"/usr/bin/{name}"


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
    found = True
    for name in paced(args):
        shown = list(islice(_type_lines(ctx, name, flags), None if "a" in flags else 1))
        write_lines(ctx, [line for line in shown if line])
        if not shown:
            found = False
            if not flags & {"t", "p", "P"}:
                ctx.warn(f"type: {name}: not found")
    return int(not found)


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
    if "P" not in flags:  # -P: only on PATH
        yield from _words(ctx, name)
    hidden = {"function", "builtin"} if "P" in flags else {"function"} if "f" in flags else set()
    for found in all_meanings(ctx, name):
        meaning = _meaning(ctx, name, found, not flags & {"t", "p", "P"})
        if meaning is not None and meaning[0] not in hidden:
            yield meaning
