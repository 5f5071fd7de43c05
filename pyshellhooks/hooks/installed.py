"""The entry that ``pyshellhooks serve --install`` leaves in a settings file, and the file of hooks beside it (docs/serve-install.md)."""

from __future__ import annotations

from .model import HookSpec

CLIENT = "pyshellhooks-hook"
WORD = "--installed"  # before the file of hooks, in the words of an entry
QUERY = "?installed="  # before the same file, in the address of an ``http`` entry
ENDING = ".pyshellhooks.json"
_FILES = frozenset({WORD, "--config", "--project"})


def beside(settings: str) -> str:
    """Return the path of the file that takes the hooks of a settings file: no agent looks for such a name."""
    return settings.removesuffix(".json") + ENDING


def words_of(command: str) -> list[str]:
    """Split a command of ours into words; [] for one that is no simple command."""
    import shlex

    try:
        words = shlex.split(command.removeprefix("& "))  # PowerShell calls a quoted program so
    except ValueError:
        return []
    return words


def is_client(command: str) -> bool:
    """Say whether a command runs ``pyshellhooks-hook``."""
    if CLIENT not in command:
        return False
    program = next(iter(words_of(command)), "").replace("\\", "/").rpartition("/")[2]
    return program.removesuffix(".exe") == CLIENT


def named_by(spec: HookSpec, dialect: str) -> str:
    """Return the file that an entry of ``--install`` names; ``""`` for any other hook.

    An entry has one of two forms and no other: one with more words asks its hooks in a way that only the client knows.
    """
    if spec.kind == "http":
        from urllib.parse import unquote  # 5 ms, which no other engine pays

        before, mark, file = str(spec.extra.get("url", "")).partition(QUERY)
        return unquote(file) if mark and before.endswith(f"/{dialect}") else ""
    if spec.kind != "command" or spec.argv is not None or not is_client(spec.command):
        return ""
    words = words_of(spec.command)
    if len(words) != 6 or words[2] != WORD or words[4] != "--timeout":
        return ""
    return words[3] if _is_of(words, dialect) else ""


def is_entry(spec: HookSpec, dialect: str) -> bool:
    """Say whether a hook is the entry for the file that lies beside its own."""
    named = named_by(spec, dialect).replace("\\", "/")
    ours = beside(spec.origin.file.replace("\\", "/"))
    return bool(named) and (ours == named or ours.endswith(f"/{named}"))


def asks_again(spec: HookSpec, dialect: str) -> bool:
    """Say whether a hook starts a client that asks what discovery finds: whoever has discovered it would ask itself."""
    found = spec.origin.scope != "given"  # a file that was named is not what discovery finds
    if not found or spec.kind != "command" or spec.argv is not None or not is_client(spec.command):
        return False
    words = words_of(spec.command)
    return len(words) > 1 and _is_of(words, dialect) and not _FILES.intersection(words)


def _is_of(words: list[str], dialect: str) -> bool:
    return words[1].partition("@")[0].replace("-", "_") == dialect
