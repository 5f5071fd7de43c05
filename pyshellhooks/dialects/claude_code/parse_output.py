"""Parser of a Claude Code hook's run: exit status and stdout (claude_code 6, 8)."""

from __future__ import annotations

from collections.abc import Iterator

from ...hooks.dialect import CLOSED, GUARDED
from ...hooks.failure_notices import BAD_OUTPUT, failing
from ...hooks.model import Decision, HookEvent, HookOutcome, HookRun, HookSpec
from ...hooks.output import Block, WrongType, after, exit_status, failure, find_block, text_of
from ...jsontext.compact import JSON, WireError
from ...jsontext.explain import ignored, stops
from ...jsontext.skeleton import loads_outline
from ...notice import FAILURE, STRICT, Notice
from ..grouped_events.blocks import DEFAULT_REASON, apply_block
from ..grouped_events.exit_statuses import failed_status, message_of_status, salvaged, shown_status
from ..grouped_events.parse_json import HINTS, Reader, blocks_in
from ..grouped_events.rows import LOGGED
from .env_file import assignments
from .events import EVENTS, FORM
from .parse_model import parse_model_answer
from .tables import LONG_OUTPUT, NOT_STOPPED

_TELLS_ONLY = "on {} its exit status 2 decides nothing"
_ASYNC = "remove async, so that Claude Code waits for the hook"


def parse(run: HookRun, spec: HookSpec, event: HookEvent, quirks: frozenset[str]) -> HookOutcome:
    """Return the outcome of one run."""
    failed = failure(run)
    if failed is not None:
        return failed
    if spec.kind in ("prompt", "agent"):
        return after(parse_model_answer(run, spec, event), run)
    outcome = Reading(run, spec, event, quirks).outcome()
    if run.env_text:
        _variables(run, outcome)
    return after(outcome, run)


class Reading:
    """One finished run, and the row of its event, by which it is parsed."""

    __slots__ = ("output_rules", "event", "quirks", "run", "spec", "status", "text")

    def __init__(self, run: HookRun, spec: HookSpec, event: HookEvent, quirks: frozenset[str]) -> None:
        self.run = run
        self.spec = spec
        self.event = event
        self.quirks = quirks
        self.output_rules = EVENTS[event.row.native].output_rules
        self.status = exit_status(run) if run.kind == "exited" else -1  # -1 for a signal, which has no exit status
        self.text = text_of(run.stdout)

    @property
    def by_schema(self) -> bool:
        """Return whether a block counts only in an answer that the program's schema accepts."""
        return "answers_by_its_schema" in self.quirks

    def outcome(self) -> HookOutcome:
        """Return the outcome, with a warning about an async line before a block by exit status 2."""
        outcome = self.read()
        if self.status == 2 and outcome.blocks and _is_async(self.text.partition("\n")[0]):
            message = 'its first line {"async": true} makes Claude Code continue before the hook exits with 2'
            outcome.notices += (Notice(message, "off-in-agent", hint="print no async line in a guard"),)
        return outcome

    def read(self) -> HookOutcome:
        """Return the outcome without that warning."""
        if self.spec.extra.get("async") or self.spec.extra.get("rewake"):
            return self.asynchronous()
        if self.status == 0 and self.detaches():
            return self.asynchronous()
        if "worktreePath" in self.output_rules.fields:
            return self.worktree()
        if "json_on_exit_0_only" in self.quirks and self.status != 0:
            return self.blocked(None, "") if self.status == 2 else self.failed("")
        value, problem = self.document()
        if value is None:
            return self._without_object(problem)
        try:
            reader = Reader(value, self.text, self.event, FORM, self.by_schema)
            outcome = reader.read()
        except WrongType as error:
            return self.blocked(None, str(error)) if self.status == 2 else self.unreadable(str(error))
        if reader.only_stops:
            self._report_call_before_the_stop(outcome)
        if self.status == 2:
            return self.blocked(outcome, "")
        if self.status != 0:
            self._report_ignored_status(outcome)
        return outcome

    def _without_object(self, problem: str) -> HookOutcome:
        """Return the outcome for stdout that is not a JSON object; ``problem``: why not, ``""`` for plain text."""
        if self.status == 0:
            return self.unreadable(problem) if problem else self.plain()
        return self.blocked(None, problem) if self.status == 2 else self.failed(problem)

    def _report_call_before_the_stop(self, outcome: HookOutcome) -> None:
        """Report that Claude Code runs the call despite ``continue: false``, unless exit status 2 denies it."""
        native = self.event.row.native
        denies_by_status = self.status == 2 and self.output_rules.status_2(self.quirks)
        if native in NOT_STOPPED and not denies_by_status:
            what, fix = NOT_STOPPED[native]
            outcome.notices += (Notice(what, "off-in-agent", hint=fix),)

    def _report_ignored_status(self, outcome: HookOutcome) -> None:
        """Report an exit status that is ignored beside JSON; it is a fault if the JSON decides nothing."""
        # Without a decision in the JSON, the status may be the only sign of a crash.
        undecided = outcome.decision is Decision.NONE and not outcome.halt and outcome.followup is None
        message = f"exit status {shown_status(self.run)} is ignored: the JSON on stdout decides"
        notice = Notice(
            message, "status-ignored", hint="exit with 0 when you print JSON", fault=STRICT if undecided else None
        )
        outcome.notices += (notice,)
        if undecided:
            outcome.faults += (notice,)

    def detaches(self) -> bool:
        """Strip a first line ``{"async": true}`` and return whether it did; Claude Code does not wait for such a hook.

        A block after that line still counts: then nothing is stripped.
        """
        first, newline, rest = self.text.partition("\n")
        if not newline or not _is_async(first) or self.salvageable() is not None:
            return False
        self.text = rest.lstrip()
        return True

    def document(self) -> tuple[dict[str, JSON] | None, str]:
        """Parse stdout as JSON. Return the object or the problem; neither for plain text."""
        text = self.text
        if not (text.startswith("{") and text.endswith("}")):
            return None, ""
        try:
            value = loads_outline(text)
        except WireError as error:
            return None, "" if _plain_lines(text) else f"stdout is not one JSON object: {stops(text, error)}"
        assert isinstance(value, dict)
        return value, ""

    def block(self) -> Block | None:
        """Return the block in an output that is not a valid answer, or None."""
        return find_block(self.text, lambda value: blocks_in(value, self.event), HINTS)

    def salvageable(self) -> Block | None:
        """Return the block that counts although the answer is invalid (decisions noise); None under ``by_schema``."""
        return None if self.by_schema else self.block()

    # -- exit 0 -------------------------------------------------------------------------------------------------------

    def plain(self) -> HookOutcome:
        """Read plain text, which is context if the event accepts it. A block inside the text still counts."""
        outcome = HookOutcome()
        if not self.text:
            return outcome
        block = self.salvageable()
        if block is not None:
            return salvaged(block, self.event, "stdout has other text beside a JSON object")
        outcome.notices = ignored(self.text)
        if self.spec.kind == "mcp_tool" and self.spec.on_failure == CLOSED:
            return failing("bad_output", "the tool returned text, not a JSON object")
        if self.output_rules.text == "context" or self.spec.kind == "http":
            outcome.context = self.text
            outcome.notices += _too_long("context", self.text)
        elif self.output_rules.text == "user_message":
            outcome.user_message = self.text
        elif self.output_rules.text:
            outcome.effects = {self.output_rules.text: self.text}
        return outcome

    def unreadable(self, problem: str) -> HookOutcome:
        """Read JSON that is broken or has wrong types; a block in it still counts (decisions noise)."""
        block = self.salvageable()
        if block is not None:
            return salvaged(block, self.event, problem)
        ended = "bad_output" if self.status == 0 else "nonzero"
        return failing(ended, problem, hint="" if self.status == 0 else BAD_OUTPUT)

    # -- other statuses -----------------------------------------------------------------------------------------------

    def blocked(self, outcome: HookOutcome | None, problem: str) -> HookOutcome:
        """Apply exit status 2, which blocks whatever the JSON decides; its other fields are still read."""
        if outcome is None:
            notice = Notice(f"{problem}; exit status 2 counts", "answer-ignored", hint=BAD_OUTPUT) if problem else None
            outcome = HookOutcome("nonzero", notices=(notice,) if notice else ())
        outcome.ended = "nonzero"
        what = self.output_rules.status_2(self.quirks)
        if what == LOGGED:
            what, outcome.ended = "", "ok"
        error = text_of(self.run.stderr)
        if "defer" in outcome.effects:  # exit 2 is a deny, which is stronger
            outcome.halt = False
            outcome.decision = Decision.NONE
        if _blocks_already(outcome, error):
            outcome.reason = outcome.reason or ("" if outcome.followup else error or DEFAULT_REASON)
            return outcome
        if not what:
            return self._exit_2_without_block(outcome, error)
        _forget_decision(outcome)
        apply_block(outcome, self.event, what, error or DEFAULT_REASON)
        return outcome

    def _exit_2_without_block(self, outcome: HookOutcome, error: str) -> HookOutcome:
        """Report an exit 2 that can't block its event. An allow beside it counts under ``by_schema`` only."""
        if outcome.decision is Decision.ALLOW:
            if self.by_schema:
                return outcome
            beside = "an allow with exit status 2 is ignored here; Claude Code grants it"
            outcome.notices += (Notice(beside, "answer-ignored", hint="exit with 0 to allow"),)
        _forget_decision(outcome)
        message, first = _TELLS_ONLY.format(self.event.row.native), error.partition("\n")[0]
        notice = Notice(f"{message}: {first}" if first else message, "status-ignored", fault=FAILURE)
        outcome.notices += (notice,)
        if self.event.row.guards in GUARDED:
            outcome.faults += (notice,)
        return outcome

    def failed(self, problem: str) -> HookOutcome:
        """Read any other status without JSON: a non-blocking error, reported with the first line of stderr."""
        others = [Notice(problem, "answer-ignored", hint=BAD_OUTPUT)] if problem else []
        if self.output_rules.status_2(self.quirks) == LOGGED:
            return HookOutcome(
                "ok", notices=(Notice(message_of_status(self.run), "hook-failed", hint="exit with 0"), *others)
            )
        block = self.block() if self.text else None
        return failed_status(self.run, self.event, block, *others)

    def worktree(self) -> HookOutcome:
        """Read the run of a WorktreeCreate hook, which prints the worktree's path; any failure fails the event."""
        value, problem = self.document()
        if problem and self.status == 0:  # a broken answer is not a path
            return failing("bad_output", problem)
        outcome = HookOutcome()
        if value is not None:
            try:
                outcome = Reader(value, self.text, self.event, FORM, self.by_schema).read()
            except WrongType as error:
                outcome = failing("bad_output", str(error))
        if self.status != 0:
            if outcome.halt:
                return outcome
            return self.blocked(None, "") if self.status == 2 else self.failed("")
        if "worktree_path" not in outcome.effects and value is None:
            if self.text:
                outcome.effects = {"worktree_path": self.text.rpartition("\n")[2].strip()}
        if "worktree_path" not in outcome.effects and not outcome.halt:
            if outcome.ended == "bad_output":
                return outcome
            found = failing("bad_output", "it printed no worktree path", hint="print the path of a worktree")
            found.notices += outcome.notices
            return found
        return outcome

    def asynchronous(self) -> HookOutcome:
        """Read an asynchronous hook: only its context and message are delivered, no decision (claude_code 8)."""
        outcome = HookOutcome("ok" if self.status == 0 else "nonzero")
        value, problem = self.document()
        if value is not None:
            specific = value.get("hookSpecificOutput")
            context = specific.get("additionalContext") if isinstance(specific, dict) else None
            message = value.get("systemMessage")
            outcome.context = context if isinstance(context, str) else ""
            outcome.user_message = message if isinstance(message, str) else ""
            if blocks_in(value, self.event) is not None:
                what = "it is asynchronous: its decision is ignored"
                outcome.notices += (Notice(what, "block-ignored", hint=_ASYNC),)
        elif self.status == 0 and self.output_rules.text == "context" and not problem:
            outcome.context = self.text
        if self.status == 2:
            if self.spec.extra.get("rewake"):
                outcome.ended = "ok"
                outcome.effects = {"rewake": text_of(self.run.stderr) or self.text or "a hook woke the agent"}
            else:
                what = "it is asynchronous: exit status 2 blocks nothing"
                outcome.notices += (Notice(what, "status-ignored", hint=_ASYNC, fault=FAILURE),)
        elif self.status != 0:
            outcome.notices += failing("nonzero", message_of_status(self.run), hint="exit with 0").notices
        return outcome


def _blocks_already(outcome: HookOutcome, error: str) -> bool:
    """Return whether an answer blocks by itself; a context that only makes the agent continue yields to stderr."""
    only_context = outcome.followup is not None and outcome.followup == outcome.context
    return outcome.blocks or (outcome.followup is not None and not (only_context and error))


def _forget_decision(outcome: HookOutcome) -> None:
    """Discard the decision and the changes of an answer, which do not count beside exit status 2."""
    outcome.rewrite = outcome.output = None
    outcome.effects = {key: value for key, value in outcome.effects.items() if key not in ("defer", "elicitation")}
    outcome.decision = Decision.NONE
    outcome.reason = ""


def _is_async(line: str) -> bool:
    """Return whether a line is JSON with ``"async": true``: Claude Code does not wait for the hook."""
    if '"async"' not in line:
        return False
    try:
        value = loads_outline(line)
    except WireError:
        return False
    return isinstance(value, dict) and value.get("async") is True


def _plain_lines(text: str) -> bool:
    """Return whether a text of several JSON lines is plain text: none of them has a field of an answer."""
    if "\n" not in text:
        return False
    try:
        return not any(_is_answer(loads_outline(line)) for line in _lines(text) if line.strip())
    except WireError:
        return False


def _is_answer(value: JSON) -> bool:
    return isinstance(value, dict) and any(key in FORM.top_level for key in value)


def _lines(text: str) -> Iterator[str]:
    """Yield the lines one by one: there may be millions."""
    at = 0
    while (end := text.find("\n", at)) >= 0:
        yield text[at:end]
        at = end + 1
    yield text[at:]


def _too_long(name: str, text: str) -> tuple[Notice, ...]:
    if len(text) <= LONG_OUTPUT:
        return ()
    message = f"{name} has {len(text)} characters; Claude Code would put all beyond {LONG_OUTPUT} into a file"
    return (Notice(message, "long-output", hint="print less"),)


def _variables(run: HookRun, outcome: HookOutcome) -> None:
    """Add the hook's exports to the effects: ``env``, and ``env_file``, which a shell of the host can source."""
    text = run.env_text.decode("utf-8", "replace")
    found, unclear = assignments(text)
    outcome.effects = {**outcome.effects, "env": found, "env_file": text if text.endswith("\n") else text + "\n"}
    for line in unclear[:10]:
        message = f"CLAUDE_ENV_FILE: only a shell can read this: {line[:60]}"
        outcome.notices += (Notice(message, "answer-ignored").advised("write NAME=value"),)
