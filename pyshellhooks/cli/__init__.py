"""The ``pyshellhooks`` command: one module for each subcommand, imported when it is called.

``main`` looks at the first word only, so that ``pyshellhooks sh`` pays for nothing that it does not use.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

COMMANDS = {
    "sh": "run a script in the embedded shell",
    "fire": "fire an event and print the verdict of its hooks",
    "explain": "say which hooks would run for an event, which not, and why",
    "check": "read config files and say what is wrong with them, with line and column",
    "doctor": "say which commands of the hooks will not run on this machine",
    "trust": "look at a project's hooks and trust them as they are",
    "schema": "print the JSON Schema of a config, of an event's payload or of an answer",
    "dialects": "list the hook systems, their events, and what each event may do",
    "conformance": "run the conformance cases on pyshellhooks, or on any shell",
    "demo": "run real configs on real payloads and show what each hook decided",
}

INTERRUPTED = 130  # 128 + SIGINT, as a shell says it
FAILED = 1


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and give the exit status. No error ends in a traceback."""
    words = list(sys.argv[1:] if argv is None else argv)
    name = words[0] if words else "--help"
    if name == "sh":
        return shell(words[1:], owned=argv is None)
    if name in ("-h", "--help", "help"):
        print(usage())
        return 0
    if name in ("-V", "--version"):
        from pyshellhooks import __version__

        print(f"pyshellhooks {__version__}")
        return 0
    if name not in COMMANDS:
        return unknown(name)
    return guarded(name, words[1:])


def shell(words: Sequence[str], owned: bool) -> int:
    """Run ``sh``; ``owned``: this process is ours, and so is its garbage collector."""
    if owned:
        gc.disable()  # nothing of what is imported is garbage: to look for it is a fifth of the start and of the end
    from .sh import main

    if owned:
        gc.freeze()
        gc.enable()
    return main(words)


def usage() -> str:
    """Write the help of the command as a whole."""
    lines = ["Usage: pyshellhooks COMMAND [ARGUMENT]...", "Run agent hooks in-process.", ""]
    lines += [f"  {name:12} {summary}" for name, summary in COMMANDS.items()]
    lines += ["", "pyshellhooks COMMAND --help says more about one of them."]
    return "\n".join(lines)


def unknown(name: str) -> int:
    """Say that there is no such command, and which one may be meant."""
    from difflib import get_close_matches

    near = get_close_matches(name, COMMANDS, n=1)
    hint = f"did you mean {near[0]}?" if near else "pyshellhooks --help lists the commands"
    print(f"pyshellhooks: no command {name}; {hint}", file=sys.stderr)
    return FAILED


def guarded(name: str, words: Sequence[str]) -> int:
    """Run a subcommand; every error becomes one message on stderr and a status."""
    from importlib import import_module

    from pyshellhooks.errors import PyShellHooksError

    for stream in (sys.stdout, sys.stderr):
        # A code page that lacks a character must not turn a verdict into an error.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        status: int = import_module(f"{__name__}.{name}").main(words)
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has gone. Python would complain once more when it flushes at exit.
        sys.stdout = None
        return FAILED
    except PyShellHooksError as error:
        print(f"pyshellhooks {name}: {error}", file=sys.stderr)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"pyshellhooks {name}: {where}{error.strerror or error}", file=sys.stderr)
    except Exception as error:  # the last line of defence: a bug must still read like a message
        print(f"pyshellhooks {name}: internal error: {type(error).__name__}: {error}", file=sys.stderr)
        import os

        if os.environ.get("PYSHELLHOOKS_TRACEBACK"):
            raise
        print("  set PYSHELLHOOKS_TRACEBACK=1 to see where, and please report it", file=sys.stderr)
    return FAILED
