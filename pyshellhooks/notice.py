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
    "hook-timed-out": "a hook's time was over",
    "hook-cancelled": "the caller gave a hook up",
    "hook-stopped": "a hook was stopped: a bound was breached, a regular expression took too long, a process was lost",
    "hook-abandoned": "a hook did not yield in time, and was left behind without effect",
    "hook-not-started": "nothing of a hook ran",
    "directory-missing": "the directory of a call is not there: hooks run in the project's, as in the agent",
    "bad-output": "a hook printed what its system cannot read as an answer",
    "too-much-output": "a hook printed more than is taken",
    # problems in a hook's script
    "command-not-found": "a command that a hook names is not there",
    "file-not-found": "a script or program that a hook names by its path is not there",
    "file-not-runnable": "a script or program is there, and cannot be run",
    "interpreter-not-found": "the interpreter that a script names is not there",
    "process-refused": "a command needs a process, and none may be started, or it could not see the files",
    "input-too-large": "a program cannot be given what it would have to be given",
    "background-ended": "background work was cut off: it still ran when its hook ended",
    "text-with-nul": "a text has NUL characters, which no variable can hold",
    "syntax-error": "a command does not parse",
    "stand-in": "another program, or the embedded shell, ran in the place of the one that was named",
    # answers of hooks
    "answer-ignored": "a part of an answer does not count on this event or in this system",
    "deny-ignored": "a deny does not count beside an exit status",
    "deny-counts": "a deny, a stop or a question counts where the system's document promises none",
    "status-ignored": "an exit status decides nothing on this event, or beside an answer",
    "block-ignored": "a block does not count: the event cannot be blocked",
    "late-answer": "an answer came when the hook's time was over",
    "rewrite-refused": "a rewrite cannot be used, or not all of it",
    "followup-refused": "a hook wanted the agent to go on, and it stops all the same",
    "long-output": "an answer is longer than its system shows to the model",
    # fields of an event
    "field-unknown": "an event was given a field that its system does not know",
    "field-missing": "an event lacks a field that guards decide by, or has it empty",
    "field-wrong": "a field has a value that its system does not have there",
    "words-lost": "a call could not be told in the words of the hook's system",
    # hooks that did not run, or ran without their matcher
    "guard-not-asked": "a call looks like a guard's, which was not asked: a shell's, or an MCP tool's under another name",
    "hook-left-out": "a hook was not asked: for want of trust, or for a mistake in its file",
    "off-in-agent": "what runs here is off in the agent: it does not start it, or does not load its file",
    "not-trusted": "what was trusted has changed, or is missing",
    "matcher-failed": "a matcher could not be evaluated; its hook ran",
    # problems of this library or its host
    "session-lost": "what a hook left in its session does not stay, or the session was not found",
    "file-failed": "a file that a hook is given could not be written or made",
    "internal-error": "a mistake in pyshellhooks, or in code of the host",
    "other": "said by a host's own executor or dialect",
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
            raise ValueError(f"there is no kind of notice {kind!r}")
        text = f"{before}{command}: {message}" if command else before + message
        between = "\n    " if "\n" in message else "; "  # below an excerpt
        if hint:
            text += between + hint
        if status:
            text += f" (status {status})"
        if then:
            text += between + then
        made = super().__new__(cls, text)
        made.message, made.kind, made.hint, made.fault = str(message), kind, hint, fault
        made.command, made.status, made.then, made.hook = command, status, then, hook
        return made

    def changed(self, *, before: str = "", **changes: object) -> Notice:
        """Return a copy with some fields changed and a new text."""
        return Notice(**{**self.fields(), **changes}, before=before)  # type: ignore[arg-type]

    def advised(self, hint: str, kind: str = "") -> Notice:
        """Return a copy with a fix and another kind, and the same text: only ``about`` adds the fix to the text."""
        return read(str(self), {**self.fields(), "hint": hint, "kind": kind or self.kind})

    def about(self, hook: str, title: str, place: str) -> Notice:
        """Return a copy for a hook, with its name and place in front. A command equal to the name is left out."""
        command = "" if self.command == title else self.command
        made = self.changed(hook=hook, command=command, before=f"{title} ({place}): ")
        made.command = self.command
        return made

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
    made = str.__new__(Notice, text)
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def noticed(text: str, fault: str | None = None) -> Notice:
    """Return a text as a notice; a plain ``str`` becomes one of the kind ``other``."""
    return text if isinstance(text, Notice) else Notice(text, fault=fault)
