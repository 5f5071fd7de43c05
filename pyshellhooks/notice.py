"""``Notice``: a text for a person about a run, an event or a hook, with the same facts as fields.

A ``Notice`` is a ``str``, so it can be shown as it is. Programs use its fields and never parse the text, which may
change.
"""

from __future__ import annotations

from collections.abc import Mapping

# The rule that decides the effect of a fault.
FAILURE = "failure"  # the hook failed: its own setting, ``on_failure``, or the event's row
STRICT = (
    "strict"  # a part of the hook did not run or count, or it lacked facts for its decision: a deny under ``strict``
)
OWN = "own"  # only pyshellhooks can cause the failure: ``own_failures``
FAULTS = (FAILURE, STRICT, OWN)

#: The kinds of notices, with their meanings. The codes are stable.
KINDS = {
    # ends of hooks
    "hook-failed": "a hook ended with an exit status that is a failure in its system",
    "hook-killed": "a signal killed a hook",
    "hook-timed-out": "a hook reached its timeout",
    "hook-cancelled": "the caller cancelled a hook",
    "hook-stopped": "a hook was stopped: it exceeded a limit, a regular expression took too long, or a process was lost",
    "hook-abandoned": "a hook did not yield in time and was abandoned without effect",
    "hook-not-started": "a hook did not start",
    "directory-missing": "the directory of a call does not exist: hooks run in the project's directory, as in the agent",
    "bad-output": "the system can't parse a hook's output",
    "too-much-output": "a hook's output exceeds the limit",
    # problems in a hook's script
    "command-not-found": "a command that a hook names was not found",
    "file-not-found": "a script or program that a hook names by its path does not exist",
    "file-not-runnable": "a script or program exists but can't run",
    "interpreter-not-found": "the interpreter that a script names was not found",
    "process-refused": "a command needs a process, but no process may start, or it could not access the files",
    "input-too-large": "a program's arguments or environment are too large",
    "background-ended": "background work was ended: it was still running when its hook ended",
    "text-with-nul": "a text has NUL characters, which no variable can hold",
    "syntax-error": "a command does not parse",
    "stand-in": "another program, or the embedded shell, ran instead of the named one",
    # answers of hooks
    "answer-ignored": "a part of a hook's output is ignored on this event or in this system",
    "deny-ignored": "a deny is ignored because of the exit status",
    "deny-counts": "a deny, a halt or an ask has an effect that the system's documents do not promise",
    "status-ignored": "an exit status has no effect on this event, or beside other output",
    "block-ignored": "a block is ignored: the event can't be blocked",
    "late-answer": "a hook's output came after its timeout",
    "rewrite-refused": "a rewrite, or a part of it, is ignored",
    "followup-refused": "a hook requested another turn, but the agent stops",
    "long-output": "a hook's output is longer than its system shows to the model",
    # fields of an event
    "field-unknown": "an event has a field that its system does not know",
    "field-missing": "an event lacks a field that guards need, or the field is empty",
    "field-wrong": "a field has a value that its system does not allow",
    "words-lost": "a call could not be translated to the tool names of the hook's system",
    # hooks that did not run, or ran without their matcher
    "guard-not-asked": "a guard did not run for a call that it may be meant for: a shell call, or an MCP tool under another name",
    "hook-left-out": "a hook was skipped: its file is not trusted or has a mistake",
    "off-in-agent": "a hook, or a part of it, runs here but not in the agent",
    "not-trusted": "a trusted file has changed or is missing",
    "matcher-failed": "a matcher could not be evaluated; its hook ran",
    # permission rules of the settings
    "permission-rule": "a permission rule of the settings decides about a call, beside its hooks",
    "permission-unknown": "whether a permission rule is for a call is known only when the call runs",
    # problems of this library or its host
    "session-lost": "the state of a session was not kept, or the session was not found",
    "file-failed": "a file for a hook could not be created or written",
    "internal-error": "an error in pyshellhooks or in code of the host",
    "other": "a notice of a host's executor or dialect",
}


class Notice(str):
    """A text for a person about a run, with fields for programs.

    ``kind``     its code (str), a key of ``KINDS``
    ``fault``    the rule that decides about it (str), one of ``FAULTS``; None if it is not a fault
    ``hook``     the id of its hook (str); None for a notice of the event, and before the hook is known
    ``hint``     the fix (str), or ``""``
    ``command``  the command in the hook's script (str), or ``""``
    ``status``   the exit status of that command (int: 126, 127), or 0
    ``message``  the problem (str), without the other parts
    ``then``     its consequence (str), or ``""``

    The text is ``command: message; hint (status N); then``, with the hook's name and place in front once it is known.
    It equals a plain ``str`` of the same text.
    """

    __slots__ = ("command", "fault", "hint", "hook", "kind", "message", "status", "then")

    command: str
    fault: str | None
    hint: str
    hook: str | None
    kind: str
    message: str
    status: int
    then: str

    def __new__(
        cls,
        message: str,
        kind: str = "other",
        *,
        hint: str = "",
        fault: str | None = None,
        command: str = "",
        status: int = 0,
        then: str = "",
        hook: str | None = None,
        before: str = "",
    ) -> Notice:
        """Create a notice with its text; ``before`` is a prefix of it. Raises ``ValueError`` for an unknown kind."""
        if kind not in KINDS:
            raise ValueError(f"unknown kind of notice {kind!r}")
        text = f"{before}{command}: {message}" if command else before + message
        between = "\n    " if "\n" in message else "; "  # below an excerpt
        if hint:
            text += between + hint
        if status:
            text += f" (status {status})"
        if then:
            text += between + then
        notice = super().__new__(cls, text)
        notice.message, notice.kind, notice.hint, notice.fault = str(message), kind, hint, fault
        notice.command, notice.status, notice.then, notice.hook = command, status, then, hook
        return notice

    def changed(self, *, before: str = "", **changes: object) -> Notice:
        """Return a copy with some fields changed and a new text."""
        return Notice(**{**self.fields(), **changes}, before=before)  # type: ignore[arg-type]

    def advised(self, hint: str, kind: str = "") -> Notice:
        """Return a copy with a fix and another kind, and the same text: only ``about`` adds the fix to the text."""
        return read(str(self), {**self.fields(), "hint": hint, "kind": kind or self.kind})

    def about(self, hook: str, title: str, place: str) -> Notice:
        """Return a copy for a hook, with its name and place in front. A command equal to the name is left out."""
        command = "" if self.command == title else self.command
        notice = self.changed(hook=hook, command=command, before=f"{title} ({place}): ")
        notice.command = self.command
        return notice

    def fields(self) -> dict[str, str | int | None]:
        """Return all fields by name."""
        return {name: getattr(self, name) for name in Notice.__slots__}

    def as_json(self) -> dict[str, str | int | None]:
        """Return the notice as a JSON object (dict), in the form of ``faults`` of ``pyshellhooks fire --json``."""
        return {
            "kind": self.kind,
            "fault": self.fault,
            "hook": self.hook,
            "command": self.command,
            "status": self.status or None,
            "hint": self.hint,
            "notice": str(self),
        }

    def __reduce__(self) -> tuple[object, ...]:
        return read, (str(self), self.fields())


def read(text: str, fields: Mapping[str, object]) -> Notice:
    """Return the notice of a saved text and its fields."""
    notice = str.__new__(Notice, text)
    for name, value in fields.items():
        setattr(notice, name, value)
    return notice


def noticed(text: str, fault: str | None = None) -> Notice:
    """Return a text as a notice; a plain ``str`` becomes one of the kind ``other``."""
    return text if isinstance(text, Notice) else Notice(text, fault=fault)
