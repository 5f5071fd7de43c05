"""Running a subcommand: every error becomes one message on standard error, one JSON document where asked, and a status."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import NoReturn, TextIO

from ..errors import ConfigError, PyShellHooksError, UsageError
from . import BROKEN_PIPE, INTERRUPTED, WRONG, arguments, module_of, parsers, terminal


def guarded(name: str, words: Sequence[str], run: Callable[[Sequence[str]], int] | None = None) -> int:
    """Run a subcommand's ``main``, or ``run`` in its place, and give the status."""
    _open_all()
    given, words = words, words[: words.index("--")] if "--" in words else words  # what follows is no option of ours
    try:
        status = (run or import_module(module_of(name)).main)(given)
        sys.stdout.flush()
        return int(status)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _drop_output()
        return BROKEN_PIPE
    except UsageError as error:
        return failed("pyshellhooks", words, error.message)
    except ConfigError as error:
        return failed(f"pyshellhooks {name}", words, _unloaded(error))
    except PyShellHooksError as error:
        return failed(f"pyshellhooks {name}", words, str(error))
    except OSError as error:
        where = f"{terminal.from_here(error.filename)}: " if isinstance(error.filename, str) else ""
        if isinstance(error, arguments.OutputError) or not _writable():
            _drop_output()
            words = ()
            where = "standard output: "
        return failed(f"pyshellhooks {name}", words, f"{where}{error.strerror or error}")
    except Exception as error:  # the last line of defence: a bug must still read like a message
        text = f"internal error: {type(error).__name__}: {error}"
        status = failed(f"pyshellhooks {name}", words, text)
        if os.environ.get("PYSHELLHOOKS_TRACEBACK"):
            raise
        terminal.tell("  set PYSHELLHOOKS_TRACEBACK=1 to see where, and please report it")
        return status


def failed(who: str, words: Sequence[str], message: str) -> int:
    """Say what went wrong, as JSON too where the words ask for it."""
    terminal.tell(f"{who}: {message}")
    if "--json" in words:
        try:
            arguments.write_error(message, WRONG)
        except OSError:
            _drop_output()
    return WRONG


def _unloaded(error: ConfigError) -> str:
    """Say what keeps configs from loading, and where there is more to read."""
    from ..engine.diagnostics import shown
    from .show import check_of, counted

    errors = [one for one in error.diagnostics if one.severity == "error"] or error.diagnostics
    others = [one for one in error.diagnostics if one not in errors]
    lines = ["the hooks can't be loaded", *map(shown, errors)]
    if others:
        files = dict.fromkeys(one.file for one in others)
        lines.append(f"{counted(len(others), 'warning')} beside: {check_of(files)}")
    return "\n".join(lines)


def unknown(name: str, names: Iterable[str]) -> NoReturn:
    """Say that there is no such command, and which one may be meant."""
    hint = parsers.near(name, names) or "; pyshellhooks --help lists the commands"
    raise UsageError(f"no command {name}{hint}")


def _open_all() -> None:
    """Put something in the place of standard streams that were closed."""
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, _nowhere())
        elif name != "stdin" and hasattr(stream, "reconfigure"):
            # A code page that lacks a character must not turn a verdict into an error.
            stream.reconfigure(errors="backslashreplace")


def _writable() -> bool:
    """Say whether standard output takes what it still holds."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        return False
    return True


def _drop_output() -> None:
    """Write to nobody from now on: Python would complain once more when it flushes at exit."""
    sys.stdout = _nowhere()


def _nowhere() -> TextIO:
    """Return a stream that holds nothing, and that nobody reads."""
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
