"""The codes of the diagnostics of ``check`` and ``doctor``, one per class of mistake, and their rendering as text."""

from __future__ import annotations

from ..errors import Diagnostic
from ..host import current
from ..syntax.display import excerpt

#: Every code, with its meaning in one line. docs/diagnostics.md has an example and the fix of each.
CODES: dict[str, str] = {
    # the config
    "config-unreadable": "the file can't be read, or is not UTF-8",
    "config-unknown": "neither the file's name nor its shape tells the hook system",
    "config-syntax": "the file is not JSON or YAML",
    "config-refused": "the system refuses the file, or leaves a part of it out, as it is written",
    "config-invalid": "a part of the config is not as the system takes it",
    "wrong-type": "a value is of another type than the system takes",
    "wrong-nesting": "hooks stand one level too high or too low",
    "missing-key": "a key that a hook needs is not there, or is empty",
    "unknown-key": "the system does not know a key",
    "unknown-event": "the system has no such event, so that its hooks never run",
    "event-elsewhere": "the event is another system's, so that its hooks never run here",
    "hook-never-runs": "the system leaves a hook out",
    "no-hooks": "the file, or a group in it, has no hooks",
    "no-effect": "something that is written counts for nothing",
    "switched-off": "hooks are switched off",
    "plugin-missing": "a plugin that is enabled is not installed on this machine",
    "timeout-invalid": "a timeout is not one",
    "timeout-unit": "a timeout looks like milliseconds where seconds count, or the other way",
    # matchers
    "matcher-invalid": "a matcher is not a regular expression of the system's flavour",
    "matcher-matches-nothing": "a matcher can match no name at all",
    "matcher-matches-no-tool": "a matcher takes none of the agent's tools (--tool)",
    "matcher-other-system": "a matcher has another system's name of a tool",
    "matcher-unknown": "a matcher has a name that no tool of the system itself has",
    "matcher-glob": "a matcher is written as a glob where the system takes a regular expression",
    "matcher-subject": "a matcher has a tool's name where the system looks at something else",
    # the agent's tools
    "tool-missed": "a guard misses one of the agent's tools (--tool)",
    "tool-unknown": "no kind is known for one of the agent's tools (--tool)",
    "tool-guessed": "what one of the agent's tools does is a guess (--tool)",
    "tool-argument-missing": "a tool of a stated kind lacks the argument that guards of that kind read (check_tools)",
    "tool-unread": "one of the agent's tools runs code that no shell guard reads (--tool)",
    # commands and scripts
    "syntax-error": "a command or a script does not parse",
    "here-document": "a here-document has no end",
    "script-missing": "a script that a hook runs is not there",
    "program-missing": "a program is not installed on this machine",
    "interpreter": "the first line or the name of a script says that it can't be run so",
    "not-executable": "a script that is run by its path has no execute bit",
    "unquoted-variable": "a variable in a path is not quoted, and the shell splits its value at a blank",
    "bash-under-sh": "sh reads a text with parts that only bash has",
    "echo-under-sh": "the echo of sh takes backslashes of the payload for escapes",
    "relative-script": "a script is named by a relative path, and the agent may be in another directory",
    "crlf": "a script has the line ends of Windows",
    "byte-order-mark": "a script begins with a byte order mark",
    "exit-1-does-not-block": "a guard ends with a status on which its system goes ahead",
    "jq-syntax": "a filter of jq does not compile",
    "variable-unset": "a hook reads a variable that its system never sets",
    "payload-key": "jq is asked for a key that the payload never has",
    "read-backslash": "read without -r takes backslashes out of the payload",
    "json-pasted": "an answer of JSON is put together from a text that may hold quotes",
    "answer-unreadable": "the system can't read an answer",
    "answer-no-effect": "an answer says what counts for nothing on its event",
    "needs-process": "a program would be needed, and no process may be started",
    # reported when an engine is made
    "config-missing": "no configuration was given, or found",
    "config-unsupported": "a file of the system's that is not read here",
    "hook-left-out": "the hooks of a file are left out, for nobody has trusted it",
    "not-trusted": "what was trusted has changed, or is missing: what it guards is denied",
    "handler-missing": "a hook needs a handler of the host, which gives none",
    "hook-unknown": "a hook that is to be switched off is not there",
    "setting-invalid": "a setting is not of the type that the system takes",
    "setting-unknown": "no system has a setting",
    "not-asked": "a framework does something without asking any hook",
}
#: Codes that depend on the machine and the host: an engine reports them when it is made; ``check`` of a file does not.
OF_ENGINES = frozenset(
    "config-missing config-unsupported plugin-missing hook-left-out not-trusted handler-missing hook-unknown setting-invalid"
    " setting-unknown not-asked".split()
)
#: The default hint of each code, for a diagnostic without a more specific one.
MENDS: dict[str, str] = {
    "config-unreadable": "see that it is there, can be read, and is UTF-8",
    "config-unknown": "name the system: --dialect NAME",
    "config-syntax": "correct the text there",
    "config-refused": "write it as the system takes it",
    "config-invalid": "see what the system takes: pyshellhooks schema DIALECT config",
    "wrong-type": "see what the system takes: pyshellhooks schema DIALECT config",
    "wrong-nesting": "see how the system writes it: pyshellhooks schema DIALECT config",
    "missing-key": "add it",
    "unknown-key": "take it out, or write it as the system does: pyshellhooks schema DIALECT config",
    "unknown-event": "pyshellhooks dialects NAME lists the events",
    "event-elsewhere": "take it out if the file is for this system alone",
    "hook-never-runs": "write it as the system takes it, or take it out",
    "no-hooks": "add a hook, or take it out",
    "no-effect": "take it out",
    "plugin-missing": "install it, or take it out",
    "switched-off": "take the switch out if the hooks are meant to run",
    "timeout-invalid": "write a number above 0, or leave it out",
    "timeout-unit": "write the time in the system's own unit",
    "matcher-invalid": "correct the expression, or leave the matcher out to match everything",
    "matcher-matches-nothing": "leave the matcher out to match everything",
    "matcher-matches-no-tool": "name one of the agent's tools, or leave the matcher out",
    "matcher-other-system": "name the system's own tool",
    "tool-missed": "name the tool in the matcher",
    "program-missing": "install it, or write the hook without it",
    "interpreter": "name a program that runs it",
    "here-document": "write its end on a line of its own",
    "syntax-error": "correct the text there",
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
