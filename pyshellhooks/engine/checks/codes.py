"""The codes of the diagnostics of ``check`` and ``doctor``, one per class of mistake, and their rendering as text."""

from __future__ import annotations

from ...errors import Diagnostic
from ...host import current
from ...syntax.display import excerpt

#: Every code, with its meaning in one line. docs/diagnostics.md has an example and the fix of each.
CODES: dict[str, str] = {
    # the config
    "config-unreadable": "the file can't be read, or is not UTF-8",
    "config-unknown": "the hook system can't be detected from the file's name and content",
    "config-syntax": "the file is not JSON or YAML",
    "config-refused": "the system rejects the file, or ignores a part of it",
    "config-invalid": "the system does not accept a part of the config",
    "wrong-type": "a value has a type that the system does not accept",
    "wrong-nesting": "hooks are one level too high or too low",
    "missing-key": "a key that a hook needs is missing or empty",
    "unknown-key": "the system does not know a key",
    "unknown-event": "the system has no such event, so its hooks never run",
    "event-elsewhere": "the event belongs to another system, so its hooks never run in this one",
    "hook-never-runs": "the system ignores a hook",
    "no-hooks": "the file, or a group in it, has no hooks",
    "no-effect": "a setting has no effect",
    "switched-off": "hooks are switched off",
    "plugin-missing": "an enabled plugin is not installed on this machine",
    "timeout-invalid": "a timeout is invalid",
    "timeout-unit": "a timeout looks like milliseconds but counts seconds, or vice versa",
    # matchers
    "matcher-invalid": "a matcher is not a regular expression of the system's flavour",
    "matcher-matches-nothing": "a matcher can't match any name",
    "matcher-matches-no-tool": "a matcher matches none of the agent's tools (--tool)",
    "matcher-other-system": "a matcher has another system's name for a tool",
    "matcher-unknown": "a matcher has a name that no built-in tool of the system has",
    "matcher-glob": "a matcher is a glob, but the system expects a regular expression",
    "matcher-subject": "a matcher has a tool's name, but the event matches something else",
    # the agent's tools
    "tool-missed": "a guard misses one of the agent's tools (--tool)",
    "tool-unknown": "the kind of one of the agent's tools is unknown (--tool)",
    "tool-guessed": "the kind of one of the agent's tools is a guess (--tool)",
    "tool-argument-missing": "a tool lacks the argument that guards of its stated kind read (check_tools)",
    "tool-unread": "one of the agent's tools runs code that no shell guard reads (--tool)",
    # commands and scripts
    "syntax-error": "a command or a script does not parse",
    "here-document": "a here-document has no end",
    "script-missing": "a script that a hook runs does not exist",
    "program-missing": "a program is not installed on this machine",
    "interpreter": "the first line or the name of a script does not allow it to run this way",
    "not-executable": "a script that is run by its path has no execute bit",
    "unquoted-variable": "a variable in a path is not quoted, and the shell splits its value at a blank",
    "bash-under-sh": "sh reads a text with syntax that only bash has",
    "echo-under-sh": "the echo of sh interprets backslashes of the payload as escapes",
    "relative-script": "a script is named by a relative path, and the agent may be in another directory",
    "crlf": "a script has Windows line endings",
    "byte-order-mark": "a script begins with a byte order mark",
    "exit-1-does-not-block": "a guard exits with a status that does not block in its system",
    "jq-syntax": "a jq filter does not compile",
    "variable-unset": "a hook reads a variable that its system never sets",
    "payload-key": "jq reads a key that the payload never has",
    "read-backslash": "read without -r removes backslashes from the payload",
    "json-pasted": "JSON output is concatenated from a text that may contain quotes",
    "answer-unreadable": "the system can't parse a hook's output",
    "answer-no-effect": "a hook's output has no effect on its event",
    "needs-process": "a program is needed, but no process may start",
    # reported when an engine is made
    "config-missing": "no config was passed or found",
    "config-unsupported": "a config file of the system is not supported",
    "hook-left-out": "the hooks of a file are skipped because it is not trusted",
    "not-trusted": "a trusted file has changed or is missing: the events that it guards are denied",
    "handler-missing": "a hook needs a handler that the host does not provide",
    "hook-unknown": "a hook that should be switched off does not exist",
    "setting-invalid": "a setting has a wrong type",
    "setting-unknown": "a setting is unknown to all systems",
    "not-asked": "a framework acts without running any hook",
}
#: Codes that depend on the machine and the host: an engine reports them when it is made; ``check`` of a file does not.
OF_ENGINES = frozenset(
    "config-missing config-unsupported plugin-missing hook-left-out not-trusted handler-missing hook-unknown setting-invalid"
    " setting-unknown not-asked".split()
)
#: The default hint of each code, for a diagnostic without a more specific one.
MENDS: dict[str, str] = {
    "config-unreadable": "make sure that it exists, can be read, and is UTF-8",
    "config-unknown": "name the system: --dialect NAME",
    "config-syntax": "correct the syntax there",
    "config-refused": "use the form that the system accepts",
    "config-invalid": "see the accepted values: pyshellhooks schema DIALECT config",
    "wrong-type": "see the accepted values: pyshellhooks schema DIALECT config",
    "wrong-nesting": "see the expected structure: pyshellhooks schema DIALECT config",
    "missing-key": "add it",
    "unknown-key": "remove it, or correct its name: pyshellhooks schema DIALECT config",
    "unknown-event": "see the known events: pyshellhooks dialects NAME",
    "event-elsewhere": "remove it if the file is for this system only",
    "hook-never-runs": "use the form that the system accepts, or remove it",
    "no-hooks": "add a hook, or remove it",
    "no-effect": "remove it",
    "plugin-missing": "install it, or remove it",
    "switched-off": "remove the switch if the hooks should run",
    "timeout-invalid": "use a number above 0, or remove it",
    "timeout-unit": "use the system's unit",
    "matcher-invalid": "correct the expression, or remove the matcher to match everything",
    "matcher-matches-nothing": "remove the matcher to match everything",
    "matcher-matches-no-tool": "name one of the agent's tools, or remove the matcher",
    "matcher-other-system": "use the system's name for the tool",
    "tool-missed": "name the tool in the matcher",
    "program-missing": "install it, or change the hook so that it does not need it",
    "interpreter": "name a program that runs it",
    "here-document": "write its end on a line of its own",
    "syntax-error": "correct the syntax there",
}
#: Mistakes because of which a hook never runs: an error for ``check``, even if the rest of the file loads.
NEVER = frozenset(
    "syntax-error unknown-event hook-never-runs wrong-nesting missing-key matcher-matches-nothing".split()
)
#: Directories whose files are built or installed on each machine, after the checkout.
PLACES_THAT_COME_LATER = frozenset(
    "node_modules .venv venv env vendor target dist build out .tox .nox .env .env.local".split()
)


def brief(diagnostic: Diagnostic) -> str:
    """Render a diagnostic in one line: its place relative to the current directory, its message and its code."""
    code = f" [{diagnostic.code}]" if diagnostic.code else ""
    return f"{current().relative(diagnostic.place)}: {diagnostic.severity}: {diagnostic.message}{code}"


def shown(diagnostic: Diagnostic) -> str:
    """Render a diagnostic: its place and message, the source line with a caret under it, and the hint."""
    lines = [brief(diagnostic)]
    if diagnostic.source.strip() and diagnostic.column:
        lines.append(excerpt(diagnostic.source, diagnostic.column, diagnostic.end_column))
    if hint := diagnostic.hint or MENDS.get(diagnostic.code, ""):
        lines.append(f"  hint: {hint}")
    return "\n".join(lines)
