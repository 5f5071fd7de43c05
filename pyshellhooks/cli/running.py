"""Run a subcommand: every error becomes a message on stderr, under ``--json`` a JSON document, and an exit status."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import NoReturn, TextIO

from ..errors import ConfigError, PyShellHooksError, UsageError, message_of
from . import BROKEN_PIPE, INTERRUPTED, USAGE_ERROR, arguments, module_of, parsers, terminal


def guarded(name: str, words: Sequence[str], run: Callable[[Sequence[str]], int] | None = None) -> int:
    """Run a subcommand's ``main``, or ``run`` in its place, and return the exit status."""
    _open_all()
    all_words = words
    if "--" in words:
        words = words[: words.index("--")]  # our own options end there, so a later --json belongs to a script
    try:
        main = run or import_module(module_of(name)).main
        status = main(all_words)
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
        where = f"{terminal.relative_paths(error.filename)}: " if isinstance(error.filename, str) else ""
        if isinstance(error, arguments.OutputError) or not _writable():
            _drop_output()
            words = ()
            where = "standard output: "
        return failed(f"pyshellhooks {name}", words, f"{where}{message_of(error)}")
    except Exception as error:  # a bug, too, is reported as a message
        text = f"internal error: {type(error).__name__}: {error}"
        status = failed(f"pyshellhooks {name}", words, text)
        if os.environ.get("PYSHELLHOOKS_TRACEBACK"):
            raise
        terminal.print_error("  set PYSHELLHOOKS_TRACEBACK=1 to see the traceback, and please report it")
        return status


def failed(who: str, words: Sequence[str], message: str) -> int:
    """Report an error, as JSON too if ``--json`` is among the words; return its exit status."""
    terminal.print_error(f"{who}: {message}")
    if "--json" in words:
        try:
            arguments.write_error(message, USAGE_ERROR)
        except OSError:
            _drop_output()
    return USAGE_ERROR


def _unloaded(error: ConfigError) -> str:
    """Return the message about configs that do not load, with the command that shows more."""
    from ..engine.checks.codes import shown
    from .show import check_of, counted

    diagnostics = error.diagnostics
    errors = [diagnostic for diagnostic in diagnostics if diagnostic.severity == "error"] or diagnostics
    others = [diagnostic for diagnostic in diagnostics if diagnostic not in errors]
    lines = ["the hooks can't be loaded", *map(shown, errors)]
    if others:
        files = dict.fromkeys(other.file for other in others)
        lines.append(f"and {counted(len(others), 'warning')}: {check_of(files)}")
    return "\n".join(lines)


def unknown(name: str, names: Iterable[str]) -> NoReturn:
    """Raise UsageError for an unknown command, with a similar name if there is one."""
    hint = parsers.similar_name_question(name, names) or "; pyshellhooks --help lists the commands"
    raise UsageError(f"unknown command {name}{hint}")


def _open_all() -> None:
    """Replace standard streams that were closed."""
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, _discarding_stream())
        elif name != "stdin" and hasattr(stream, "reconfigure"):
            # A code page that lacks a character must not turn a verdict into an error.
            stream.reconfigure(errors="backslashreplace")


def _writable() -> bool:
    """Return whether the buffer of standard output can be flushed."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        return False
    return True


def _drop_output() -> None:
    """Discard all further output: Python would report the error again when it flushes at exit."""
    sys.stdout = _discarding_stream()


def _discarding_stream() -> TextIO:
    """Return an empty stream whose output is discarded."""
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
