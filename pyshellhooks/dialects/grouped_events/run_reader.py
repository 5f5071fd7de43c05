"""Reader of one run of a relative's hook: its exit status and stdout.

A deny that the agent loses counts here, with a notice that names the loss; under ``silent_exit_2_passes`` and
``invalid_answers_pass`` it is lost as in the agent (decisions stricter).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from ...hooks.failure_notices import BAD_OUTPUT, failing, strict_fault
from ...hooks.model import Decision, HookEvent, HookOutcome, HookRun, HookSpec
from ...hooks.output import Block, WrongType, after, exit_status, failure, find_block, text_of
from ...jsontext.compact import JSON, WireError
from ...jsontext.explain import ignored, stops
from ...jsontext.skeleton import loads_outline
from ...notice import FAILURE, Notice
from .blocks import DEFAULT_REASON, apply_block
from .exit_statuses import failed_status, message_of_status, salvaged
from .form import AnswerForm
from .parse_json import HINTS, Reader, blocks_in
from .rows import output_rules_of

#: The quirks of ``RunReader``; a system that has them lists them in its table.
SILENT_EXIT_2_PASSES = "silent_exit_2_passes"
INVALID_ANSWERS_PASS = "invalid_answers_pass"


class RunReader:
    """Reader of one run. A subclass has the system's form, and the rules by which it refuses an answer."""

    __slots__ = ("event", "quirks", "run", "spec", "text")

    form: ClassVar[AnswerForm]

    def __init__(self, run: HookRun, spec: HookSpec, event: HookEvent, quirks: frozenset[str]) -> None:
        self.run = run
        self.spec = spec
        self.event = event
        self.quirks = quirks
        self.text = text_of(run.stdout)

    def read(self) -> HookOutcome:
        """Return the outcome of the run."""
        failed = failure(self.run)
        if failed is not None:
            return failed
        status = exit_status(self.run) if self.run.kind == "exited" else -1
        return after(self.outcome(status), self.run)

    def outcome(self, status: int) -> HookOutcome:
        """Return the outcome of an exit status; -1 for the end by a signal."""
        if self.spec.extra.get("async"):
            return self.asynchronous(status)
        if status == 2:
            return self.exit_2()
        if status != 0:
            return self.failed()
        return self.answer() if self.text else HookOutcome()

    # -- exit statuses ------------------------------------------------------------------------------------------------

    def failed(self) -> HookOutcome:
        """Return the failure of a status that decides nothing; a block in the output is ignored."""
        return failed_status(self.run, self.event, self.block())

    def exit_2(self) -> HookOutcome:
        """Apply exit status 2, which blocks with stderr as the reason and ignores stdout."""
        effect, reason = output_rules_of(self.event.row).status_2(self.quirks), text_of(self.run.stderr)
        if not effect:
            return self.failed()
        outcome = HookOutcome("nonzero")
        if not reason and not self.form.default_reason:
            message = f"exit status 2 without a message on stderr: {self.form.title} goes on"
            hint = "write the reason to stderr"
            if SILENT_EXIT_2_PASSES in self.quirks:
                return failing("nonzero", message, hint=hint)
            outcome.notices = (Notice(message, "off-in-agent", hint=hint),)
        apply_block(outcome, self.event, effect, reason or self.default_reason)
        return outcome

    @property
    def default_reason(self) -> str:
        """The reason of a block that gives none."""
        return (self.form.default_reason or DEFAULT_REASON).replace("{}", self.event.row.native)

    def asynchronous(self, status: int) -> HookOutcome:
        """Return the outcome of a hook for which the agent does not wait: no decision counts."""
        outcome = HookOutcome("ok" if status == 0 else "nonzero")
        if status == 2 or self.block() is not None:
            message = "it is asynchronous: its decision is ignored"
            hint = f"remove async, so that {self.form.title} waits for the hook"
            outcome.notices = (Notice(message, "block-ignored", hint=hint, fault=FAILURE),)
        elif status != 0:
            outcome.notices = failing("nonzero", message_of_status(self.run), hint="exit with 0").notices
        return outcome

    # -- stdout -------------------------------------------------------------------------------------------------------

    def block(self) -> Block | None:
        """Return the block in an output that the agent can't read, or None."""
        return self.find_block(lambda value: blocks_in(value, self.event), HINTS)

    def find_block(self, blocks: Callable[[dict[str, JSON]], Block | None], hints: Sequence[str]) -> Block | None:
        """Return the block of an object in the output, or None; ``hints``: see ``hooks.output.find_block``."""
        return find_block(self.text, blocks, hints) if self.text else None

    def answer(self) -> HookOutcome:
        """Read stdout at exit status 0: one JSON object, or plain text."""
        if self.text[0] not in "{[":
            return self.plain()
        try:
            value = loads_outline(self.text)
        except WireError as error:
            return self.unreadable(f"stdout is not one JSON object: {stops(self.text, error)}")
        if not isinstance(value, dict):
            return self.unreadable("stdout is JSON but not an object")
        return self.checked(value)

    def checked(self, value: Mapping[str, JSON]) -> HookOutcome:
        """Read one JSON object, and refuse it where the system does."""
        try:
            outcome = self.object(value)
        except WrongType as error:
            return self.unreadable(str(error))
        problems = self.problems(value)
        return self.refused(outcome, problems) if problems else outcome

    def object(self, value: Mapping[str, JSON]) -> HookOutcome:
        """Read one JSON object. Raises ``WrongType``."""
        return Reader(value, self.text, self.event, self.form).read()

    def problems(self, value: Mapping[str, JSON]) -> Sequence[str]:
        """Return the reasons for which the system refuses a well-formed answer as a whole."""
        return ()

    def plain(self) -> HookOutcome:
        """Read plain text, which is context on some events, and no answer on a stop."""
        block = self.block()
        if block is not None:
            return self.salvaged(block, "stdout has other text beside a JSON object")
        use = output_rules_of(self.event.row).text
        if use == "user_message":
            return HookOutcome(user_message=self.text, notices=ignored(self.text))
        if "followup" in self.event.row.can:
            return failing("bad_output", f"stdout must be JSON on {self.event.row.native}")
        return HookOutcome(context=self.text if use == "context" else "", notices=ignored(self.text))

    # -- answers that the agent loses ---------------------------------------------------------------------------------

    def unreadable(self, problem: str) -> HookOutcome:
        """Read an output that can't be parsed; a block in it still counts (decisions noise)."""
        block = self.block()
        return failing("bad_output", problem) if block is None else self.salvaged(block, problem)

    def salvaged(self, block: Block, problem: str) -> HookOutcome:
        """Return the outcome of a block in an output that the agent ignores."""
        if INVALID_ANSWERS_PASS in self.quirks:
            return lost(problem)
        outcome = salvaged(block, self.event, problem)
        outcome.notices = (self._ignored(problem, BAD_OUTPUT),)
        return outcome

    def refused(self, outcome: HookOutcome, problems: Sequence[str]) -> HookOutcome:
        """Return the outcome of an answer that the agent refuses as a whole: only a block or an ask in it counts."""
        problem = "; ".join(problems)
        restricts = outcome.blocks or outcome.followup is not None or outcome.decision is Decision.ASK
        if not restricts:
            return failing("bad_output", problem)
        if INVALID_ANSWERS_PASS in self.quirks:
            return lost(problem)
        outcome.ended = "bad_output"
        outcome.rewrite = outcome.output = None
        outcome.context = ""
        outcome.reason = outcome.reason.strip() or DEFAULT_REASON
        outcome.effects = {}
        outcome.notices = (self._ignored(problem, "correct the answer, or exit with 2 and a reason on stderr"),)
        outcome.faults = ()
        return outcome

    def _ignored(self, problem: str, hint: str) -> Notice:
        return Notice(f"{problem}: {self.form.title} ignores the answer and goes on", "off-in-agent", hint=hint)


def specific_of(value: Mapping[str, JSON]) -> Mapping[str, JSON]:
    """Return the ``hookSpecificOutput`` of an answer; an empty object if it has none."""
    specific = value.get("hookSpecificOutput")
    return specific if isinstance(specific, dict) else {}


def with_event(value: Mapping[str, JSON], event: HookEvent) -> Mapping[str, JSON]:
    """Return an answer with the name of this event, for systems that do not compare the name."""
    specific = specific_of(value)
    if not specific:
        return value
    return {**value, "hookSpecificOutput": {**specific, "hookEventName": event.row.native}}


def lost(problem: str) -> HookOutcome:
    """Return the failure of a hook whose block has no effect."""
    return failing("bad_output", problem, strict_fault(f"a block is ignored: {problem}", "deny-ignored", BAD_OUTPUT))
