"""Hooks whose command is a native program, such as ``python hook.py``: on Windows they get native paths."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ...analysis.named_commands import SHELLS, named_commands
from ...errors import ShellSyntaxError, Stop
from ...hooks.model import HookEvent, HookSpec
from ...windows_paths import with_backslashes
from .event_paths import for_native_program

#: Commands that read no payload: they may be before or after the program (``cd "$DIR" && python hook.py || true``).
_READ_NOTHING = frozenset(
    ": [ builtin cd command echo env exec exit export false nice nohup printf set test timeout true type".split()
)
_SCRIPT_ENDINGS = (".sh", ".bash")


def is_native_program(spec: HookSpec, embedded: Collection[str]) -> bool:
    """Return whether native programs alone read the payload of a hook.

    ``embedded``: the names of the commands of the embedded shell, which runs anything else that is a shell script: a path
    that ends in ``.sh`` or ``.bash``, or that has no ending.
    """
    if spec.kind != "command":
        return False
    readers = [word for word in _first_words(spec) if word not in _READ_NOTHING]
    return bool(readers) and not any(_is_for_shell(word, embedded) for word in readers)


def _first_words(spec: HookSpec) -> Iterator[str]:
    """Yield the name of each command; if it has an expansion, its text in the script without quotes."""
    if spec.argv is not None:
        yield spec.argv[0]
        return
    try:
        commands = named_commands(spec.command, untold=True)
    except (ShellSyntaxError, Stop, RecursionError):
        return
    for command in commands:
        begin, end = command.written[0][1:] if command.written else (0, 0)
        yield command.name or spec.command[begin:end].replace('"', "").replace("'", "")


def _is_for_shell(word: str, embedded: Collection[str]) -> bool:
    name = word.replace("\\", "/").rpartition("/")[2]
    if name == word:
        if name in embedded or name in SHELLS:
            return True
        return name.endswith(_SCRIPT_ENDINGS)
    return "." not in name or name.endswith(_SCRIPT_ENDINGS)


def with_native_paths(event: HookEvent) -> HookEvent:
    """Return an event as a native program sees it: with native paths in its payload, its fields and its variables."""
    input_field = event.row.places.get("tool_input", "tool_input")
    return HookEvent(
        event.row,
        None,
        spell=lambda: for_native_program(event.payload, input_field),
        fields=for_native_program(event.fields, "tool_input"),
        subjects=event.subjects,
        cwd=with_backslashes(event.cwd),
        project_dir=with_backslashes(event.project_dir),
        neutral=event.neutral,
        session=event.session,
    )
