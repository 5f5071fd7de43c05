"""What a person should know of a run, an event or a hook: a text, and beside it the same as facts.

A ``Notice`` is a ``str``, so whoever shows notices shows texts. Whatever is decided about one is decided by its fields:
no code reads them out of the text, which is for people and may change.
"""

from __future__ import annotations

from collections.abc import Mapping

# Which rule decides what a fault comes to.
FAILURE = "failure"  # the hook failed: what stands on it, ``on_failure``, or the event's row
STRICT = (
    "strict"  # a part of it did not run or did not count, or it can't see what it decides by: a deny under ``strict``
)
OWN = "own"  # it can happen in pyshellhooks only: ``own_failures``
FAULTS = (FAILURE, STRICT, OWN)

#: Every kind of notice, and what it says. The codes are stable.
KINDS = {
    # how a hook ended
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
    # what a hook's script came upon
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
    # what a hook answered
    "answer-ignored": "a part of an answer does not count on this event or in this system",
    "deny-ignored": "a deny does not count beside an exit status",
    "deny-counts": "a deny, a stop or a question counts where the system's document promises none",
    "status-ignored": "an exit status decides nothing on this event, or beside an answer",
    "block-ignored": "a block does not count: the event cannot be blocked",
    "late-answer": "an answer came when the hook's time was over",
    "rewrite-refused": "a rewrite cannot be used, or not all of it",
    "followup-refused": "a hook wanted the agent to go on, and it stops all the same",
    "long-output": "an answer is longer than its system shows to the model",
    # what an event has
    "field-unknown": "an event was given a field that its system does not know",
    "field-missing": "an event lacks a field that guards decide by, or has it empty",
    "field-wrong": "a field has a value that its system does not have there",
    "words-lost": "a call could not be told in the words of the hook's system",
    # which hooks were asked
    "guard-not-asked": "a call looks like a guard's, which was not asked: a shell's, or an MCP tool's under another name",
    "hook-left-out": "a hook was not asked: for want of trust, or for a mistake in its file",
    "off-in-agent": "what runs here is off in the agent: it does not start it, or does not load its file",
    "not-trusted": "what was trusted has changed, or is missing",
    "matcher-failed": "a matcher could not be evaluated; its hook ran",
    # ours
    "session-lost": "what a hook left in its session does not stay, or the session was not found",
    "file-failed": "a file that a hook is given could not be written or made",
    "internal-error": "a mistake in pyshellhooks, or in code of the host",
    "other": "said by a host's own executor or dialect",
}


class Notice(str):
    """One thing that a person should know: a text with fields.

    ``kind``     its code, a key of ``KINDS``
    ``fault``    what decides about it: one of ``FAULTS``; None for what decides nothing
    ``hook``     the id of the hook that it is about; None for an event's own, and before a hook is known
    ``mend``     what a person can do about it; ``""`` for nothing
    ``command``  the command in a hook's script that it is about; ``""`` for none
    ``status``   the exit status that the command came to (126, 127); 0 for none
    ``what``     what happened, without the rest
    ``then``     what it led to, if that is said; ``""`` else

    The text is ``command: what; mend (status N); then``, with the hook's name and place in front once it is known.
    It equals a plain ``str`` of the same text.
    """

    __slots__ = ("command", "fault", "hook", "kind", "mend", "status", "then", "what")

    command: str
    fault: str | None
    hook: str | None
    kind: str
    mend: str
    status: int
    then: str
    what: str

    def __new__(
        cls,
        what: str,
        kind: str = "other",
        *,
        mend: str = "",
        fault: str | None = None,
        command: str = "",
        status: int = 0,
        then: str = "",
        hook: str | None = None,
        before: str = "",
    ) -> Notice:
        """Word a notice. ``before`` stands in front of it. Raises ``ValueError`` for a kind that there is not."""
        if kind not in KINDS:
            raise ValueError(f"there is no kind of notice {kind!r}")
        text = f"{before}{command}: {what}" if command else before + what
        between = "\n    " if "\n" in what else "; "  # below an excerpt
        if mend:
            text += between + mend
        if status:
            text += f" (status {status})"
        if then:
            text += between + then
        made = super().__new__(cls, text)
        made.what, made.kind, made.mend, made.fault = str(what), kind, mend, fault
        made.command, made.status, made.then, made.hook = command, status, then, hook
        return made

    def changed(self, *, before: str = "", **changes: object) -> Notice:
        """Return a copy with some fields changed, its text worded anew."""
        return Notice(**{**self.fields(), **changes}, before=before)  # type: ignore[arg-type]

    def advised(self, mend: str, kind: str = "") -> Notice:
        """Return it with a mend, which stands in its text only when it is told of a hook; and of a finer kind."""
        return read(str(self), {**self.fields(), "mend": mend, "kind": kind or self.kind})

    def about(self, hook: str, title: str, place: str) -> Notice:
        """Return it as it is told of a hook: behind its name and place. Its name is not said again."""
        command = "" if self.command == title else self.command
        made = self.changed(hook=hook, command=command, before=f"{title} ({place}): ")
        made.command = self.command
        return made

    def fields(self) -> dict[str, str | int | None]:
        """Return what it is made of."""
        return {name: getattr(self, name) for name in Notice.__slots__}

    def as_json(self) -> dict[str, str | int | None]:
        """Return it as a JSON object, as it stands in ``faults`` of ``pyshellhooks fire --json``."""
        return {
            "kind": self.kind,
            "fault": self.fault,
            "hook": self.hook,
            "command": self.command,
            "status": self.status or None,
            "mend": self.mend,
            "notice": str(self),
        }

    def __reduce__(self) -> tuple[object, ...]:
        return read, (str(self), self.fields())


def read(text: str, fields: Mapping[str, object]) -> Notice:
    """Return a notice that was written as its text and its fields."""
    made = str.__new__(Notice, text)
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def noticed(text: str, fault: str | None = None) -> Notice:
    """Return a text as a notice: one that is none yet is of the kind ``other``."""
    return text if isinstance(text, Notice) else Notice(text, fault=fault)
