"""The entry of ``serve --install`` in a settings file, and the file of hooks beside it (docs/serve-install.md)."""

from __future__ import annotations

from .model import HookSpec

CLIENT = "pyshellhooks-hook"
WRITTEN_FOR = (
    "--written-for"  # precedes the system of a single hook, which the command itself names (``hooks.adapted``)
)
WORD = "--installed"  # precedes the file of hooks in the command of an entry
QUERY = "?installed="  # precedes the same file in the URL of an ``http`` entry
ENDING = ".pyshellhooks.json"
_FILES = frozenset({WORD, WRITTEN_FOR, "--config", "--project"})


def beside(settings: str) -> str:
    """Return the path of the file for the hooks of a settings file; no agent reads a file of such a name."""
    return settings.removesuffix(".json") + ENDING


def words_of(command: str) -> list[str]:
    """Split a command of ``--install`` into words; [] for one whose quotes are not closed."""
    import shlex

    try:
        words = shlex.split(command.removeprefix("& "))  # PowerShell needs ``&`` to run a quoted program
    except ValueError:
        return []
    return words


def is_client(command: str) -> bool:
    """Return whether a command runs ``pyshellhooks-hook``."""
    if CLIENT not in command:
        return False
    program = next(iter(words_of(command)), "").replace("\\", "/").rpartition("/")[2]
    return program.removesuffix(".exe") == CLIENT


def named_by(spec: HookSpec, dialect: str) -> str:
    """Return the file that an entry of ``--install`` names; ``""`` for any other hook.

    An entry has exactly one of two forms: with further words in a command, only the client knows how its hooks run.
    """
    if spec.kind == "http":
        from urllib.parse import unquote  # 5 ms, only for engines with such a hook

        before, mark, file = str(spec.extra.get("url", "")).partition(QUERY)
        if not mark or not before.endswith(f"/{dialect}"):
            return ""
        return unquote(file)
    if not _is_client_command(spec):
        return ""
    words = words_of(spec.command)
    has_form = len(words) == 6 and words[2] == WORD and words[4] == "--timeout"
    if not has_form or not _is_of(words, dialect):
        return ""
    return words[3]


def _is_client_command(spec: HookSpec) -> bool:
    """Return whether a hook is a command line of the client."""
    if spec.kind != "command" or spec.argv is not None:
        return False
    return is_client(spec.command)


def is_entry(spec: HookSpec, dialect: str) -> bool:
    """Return whether a hook is the entry for the file of hooks beside its own settings file."""
    named = named_by(spec, dialect).replace("\\", "/")
    ours = beside(spec.origin.file.replace("\\", "/"))
    if not named:
        return False
    return ours == named or ours.endswith(f"/{named}")


def is_recursive_client(spec: HookSpec, dialect: str) -> bool:
    """Return whether a discovered hook starts a client that runs all discovered hooks, itself included: a loop."""
    discovered = spec.origin.scope != "given"  # a file that a caller names is not discovered
    if not discovered or not _is_client_command(spec):
        return False
    words = words_of(spec.command)
    if len(words) < 2 or not _is_of(words, dialect):
        return False
    return not _FILES.intersection(words)


def _is_of(words: list[str], dialect: str) -> bool:
    return words[1].partition("@")[0].replace("-", "_") == dialect
