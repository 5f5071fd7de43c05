"""which: locate a command on PATH (Debian's debianutils 5.7).

The result is that of ``type -P`` in this shell: the file on PATH, or for an in-process utility that is not on PATH its
usual place, so that ``which jq || exit`` continues if ``jq`` would run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..command import Call, Flag, Flags, utility
from ..command.flags import Options
from ..command.usual_places import SHELL_NAMES, means_a_program
from ..text import encode, paced
from .find.commands import is_program, program_extensions, split_path


class _Getopts(Flags):
    """Parses options as the shell's getopts does, and keeps the first unknown one."""

    __slots__ = ()

    def parse(self, argv: Sequence[str], env: Mapping[str, str]) -> tuple[Options, list[str]]:
        """Split the words. Never raises."""
        options = Options()
        names = list(argv)
        while names and names[0].startswith("-") and names[0] != "-":
            word = names.pop(0)
            if word == "--":
                break
            if word == "--help":
                options.add("help", None)
            for letter in word[1:]:
                if letter == "a":
                    options.add("a", None)
                else:
                    options.add("illegal", letter)
        return options, names


def _directories(call: Call) -> list[str]:
    """Return the directories of PATH. As in the shell, one of several empty ones at its end is dropped."""
    path = call.env.get("PATH", "")
    if not path:
        return []
    parts = split_path(call)
    if path == ":" or path.endswith("::"):
        return parts[:-1]
    return parts


def _find(call: Call, name: str, directories: list[str], extensions: list[str], every: bool) -> bool:
    """Write the paths of a command. Return whether there is any."""
    if "/" in name:
        found = is_program(call, call.path(name)) or means_a_program(call.fs, name, call.programs)
        if found:
            call.out.write(encode(name) + b"\n")
        return found
    found = False
    for directory in directories:
        shown = _program_in(call, directory or ".", name, extensions)
        if shown is None:
            continue
        call.out.write(encode(shown) + b"\n")
        found = True
        if not every:
            break
    if not found and (name in call.programs or name in SHELL_NAMES):
        call.out.write(encode(f"/usr/bin/{name}\n"))
        found = True
    return found


def _program_in(call: Call, directory: str, name: str, extensions: list[str]) -> str | None:
    """Return the path of a program in a directory, with the first extension of Windows that it has there."""
    for extension in extensions:
        path = f"{directory}/{name}{extension}"
        if is_program(call, call.path(path)):
            return path
    return None


@utility(
    "which",
    summary="Write the path of each COMMAND that is found on PATH.",
    usage="[-a] COMMAND...",
    flags=_Getopts([Flag("-a", help="write all matching paths of each COMMAND")]),
)
def which(call: Call) -> int:
    """Search PATH. Return 0 if all commands were found, 1 if not, 2 for an unknown option."""
    illegal = call.opts.all("illegal")
    if illegal:
        call.stderr.write(encode(f"Illegal option -{illegal[0]}\nUsage: {call.argv[0]} [-a] args\n"))
        return 2
    every = "a" in call.opts
    directories = _directories(call)
    extensions = program_extensions(call)
    missing = not call.args
    for name in paced(call.args):
        call.check()
        if not name or not _find(call, name, directories, extensions, every):
            missing = True
    return 1 if missing else 0
