"""The ``pyshellhooks`` command: one module for each subcommand, imported when it is called.

``main`` looks at the first word only, so that ``pyshellhooks sh`` imports nothing that it does not use.
"""

from __future__ import annotations

import _thread
import gc
import sys
from collections.abc import Sequence
from time import sleep

from ..host import current

COMMANDS = {
    "sh": "run a script in the embedded shell, or lines on a terminal",
    "fire": "fire an event and print the verdict of its hooks",
    "explain": "show which hooks would run for an event, which would not, and why",
    "check": "check config files and report each mistake with line and column",
    "convert": "write a config for another hook system, and list what that system can't express",
    "doctor": "list the hooks' commands that will not run on this machine",
    "mcp-proxy": "run the hooks around the tools of an MCP server",
    "trust": "review a project's hooks and trust them as they are",
    "serve": "run the hooks of all agents in one resident process",
    "schema": "print the JSON Schema of a config, a payload or an output",
    "dialects": "list the hook systems, their events and the effects of each event",
    "conformance": "run the conformance cases on pyshellhooks, or on any shell",
    "demo": "run real configs on real payloads and show what each hook decided",
    "mcp-shell": "serve a sandboxed shell as a tool for models (MCP, on standard input and output)",
    "completion": "print a completion script for bash, zsh, fish or PowerShell",
}


def module_of(name: str) -> str:
    """Return the name of a subcommand's module."""
    return f"{__name__}.{name.replace('-', '_')}"


INTERRUPTED = 130  # 128 + SIGINT, the status that a shell reports
BROKEN_PIPE = 141  # 128 + SIGPIPE
USAGE_ERROR = 1


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status. No error ends in a traceback."""
    words = list(sys.argv[1:] if argv is None else argv)
    if current().windows:
        from .windows import in_one_form, write_line_feeds

        words = in_one_form(words)
        write_line_feeds()
    if argv is None:
        _reraise_interrupts()
    try:
        if words[:1] == ["sh"]:
            return shell(words[1:], owned=argv is None)
        return command(words)
    except KeyboardInterrupt:
        return INTERRUPTED


def _reraise_interrupts() -> None:
    """Raise an interrupt again if it came in a destructor: Python ignores it there and prints a traceback."""
    before = sys.unraisablehook

    def hook(unraisable: sys.UnraisableHookArgs) -> None:
        if unraisable.exc_type is KeyboardInterrupt:
            _thread.start_new_thread(_interrupt, ())  # raised from here, it would be ignored again
        else:
            before(unraisable)

    sys.unraisablehook = hook


def _interrupt() -> None:
    sleep(0.001)
    _thread.interrupt_main()


def command(words: Sequence[str]) -> int:
    """Run every subcommand but ``sh``, which starts faster without these imports."""
    from .running import guarded, unknown

    name, rest = (words[0], words[1:]) if words else ("help", [])
    named = [word for word in rest if not word.startswith("-")]
    if name == "help" and named:  # ``help fire`` is ``fire --help``
        name, rest = named[0], [*(word for word in rest if word == "--json"), "--help"]
        if name == "sh":
            return shell(["--help", *rest], owned=False)
    if name in ("-h", "--help"):
        name = "help"
    if name in ("-V", "--version"):
        name, rest = "help", ["--version", *rest]
    if name != "help" and name not in COMMANDS:
        return guarded(name, rest, lambda _: unknown(name, [*COMMANDS, "help"]))
    return guarded(name, rest)


def shell(words: Sequence[str], owned: bool) -> int:
    """Run ``sh``; if ``owned``, the process and its garbage collector belong to this command."""
    if owned:
        gc.disable()  # an import leaves no garbage, and collecting takes a fifth of startup and of exit
    from .sh import main

    if owned:
        gc.freeze()
        gc.enable()
    return main(words)
