"""The notices of one hook: one for each problem, with its cause and its consequence. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..jsontext.explain import LOOKED_AT, hint_for
from ..notice import FAILURE, OWN, STRICT, Notice
from ..regexes import lazy_pattern
from .model import FAILURES, Decision, HookOutcome, HookRun, HookSpec

if TYPE_CHECKING:
    from .dialect import Dialect, EventSpec

#: The way in which a hook ended (``model.ENDED``) -> the kind of its notice.
ENDS = {
    "nonzero": "hook-failed",
    "timed_out": "hook-timed-out",
    "stopped": "hook-stopped",
    "abandoned": "hook-abandoned",
    "not_started": "hook-not-started",
    "bad_output": "bad-output",
    "too_much_output": "too-much-output",
    "cancelled": "hook-cancelled",
}
_SHOWN = 200  # characters of an exception in a notice
_READ = 65536  # bytes at the end of stderr that are searched for an exception
# The frames of a Python traceback are indented, and the line after them names the exception; a frame of Node's stack
# begins with "at", and the line before the first frame names the exception.
_PYTHON = lazy_pattern(rb"Traceback \(most recent call last\):\r?\n(?:[ \t][^\n]*\n|\r?\n)+([^\s\n][^\n]*)")
_NODE = lazy_pattern(
    rb"(?:^|\n)([A-Za-z]*(?:Error|Exception)\b[^\n]*)\n(?:Require stack:\n(?:- [^\n]*\n)*)?(?:[ \t]+at [^\n]+(?:\n|$))+"
)
BAD_OUTPUT = "print one JSON object in the documented form, and nothing else"
_HINTS = {
    "hook-failed": "exit with 0 to let it pass, with 2 to deny",
    "hook-killed": "run it by hand to see what kills it",
    "hook-timed-out": "raise its timeout, or make it faster",
    "hook-not-started": "check that its program exists",
    "bad-output": BAD_OUTPUT,
    "too-much-output": "print less",
    "status-ignored": "exit with 0",
}


def failing(ended: str, what: str, *others: Notice, kind: str = "", hint: str = "", then: str = "") -> HookOutcome:
    """Return the outcome of a failed hook. Its first notice describes the failure, the ``others`` further problems."""
    first = Notice(what, kind or ENDS[ended], fault=FAILURE, then=then).advised(hint)
    return HookOutcome(ended, notices=(first, *others), faults=tuple([other for other in others if other.fault]))


def strict_fault(what: str, kind: str = "answer-ignored", hint: str = "") -> Notice:
    """Return a notice that is a deny under ``strict``."""
    return Notice(what, kind, hint=hint, fault=STRICT)


def left_out(why: str, hint: str = "", *, is_fault: bool = True) -> Notice:
    """Return the notice that a hook is skipped: a deny under ``strict``, unless its agent does not run it either."""
    return Notice(why, "hook-left-out", hint=hint, fault=STRICT if is_fault else None)


def unused(name: str, why: str) -> Notice:
    """Return the notice that a rewrite, called ``name``, is not used."""
    return strict_fault(f"{name} is ignored: {why}", "rewrite-refused", "give a JSON object")


def deny_ignored(beside: str) -> Notice:
    """Return the notice that a deny is ignored beside something, such as an exit status."""
    return strict_fault(f"a deny on stdout is ignored with {beside}", "deny-ignored", "use exit 0 with it, or exit 2")


def status_hint(row: EventSpec) -> str:
    """Return the hint that lists the meaningful exit statuses of a hook of an event."""
    if "deny" in row.can:
        return _HINTS["hook-failed"]
    if "followup" in row.can:
        return "exit with 0 to let the agent stop, with 2 to make it go on"
    return "exit with 0: a hook can't deny anything on this event"


#: The thing that a deny holds back (``EventSpec.guards``) -> the consequence of a failure that denies nothing.
_GOES_ON = {
    "call": "{} runs the call unless another hook denies it",
    "prompt": "{} sends the prompt unless another hook denies it",
    "result": "the model sees the result unless another hook withholds it",
    "act": "{} continues unless another hook denies it",
    "stop": "the agent stops unless another hook makes it go on",
}
_DENIED = {"call": "the call is denied", "prompt": "the prompt is denied", "result": "the result is withheld"}


def add_consequence(outcome: HookOutcome, run: HookRun, spec: HookSpec, row: EventSpec, dialect: Dialect) -> None:
    """Add the consequence for the call to the notice of a failed hook, and its timeout if it took too long.

    The notice of a failure that is possible only in this library already has both (``HookOutcome.internal_failure``).
    """
    if outcome.internal_failure is not None:
        return
    continues = _GOES_ON.get(row.guards, "{} continues").format(dialect.title)
    if outcome.decision is Decision.ASK:
        then = "a person must confirm it"
    elif outcome.blocks:
        then = _DENIED.get(row.guards, "it is denied")
    else:
        then = continues
    notices: list[str] = []
    for one in outcome.notices:
        if isinstance(one, Notice) and one.kind == ENDS[outcome.ended] and one.fault == FAILURE:
            hint = one.hint
            if not hint and outcome.ended == "timed_out":
                hint = _more_time(run, spec, dialect)
            one = one.changed(hint="", then=_joined_consequences(one.then, then)).advised(hint)
        notices.append(one)
    outcome.notices = tuple(notices)


def _more_time(run: HookRun, spec: HookSpec, dialect: Dialect) -> str:
    allowed = run.allowed or spec.timeout
    if run.outer and run.seconds < allowed:
        return "the event's own timeout ended before the hook's: raise timeout= of fire(), or make the hook faster"
    key, unit = dialect.timeout_key
    return f'it had {allowed:g} s: raise "{key}" (in {unit}), or make the hook faster'


def run_notices(run: HookRun, outcome: HookOutcome) -> tuple[Notice, ...]:
    """Return the notices of one hook: at least one for a failure, and only one for each problem.

    The cause of a failure (a missing command, a syntax error) and the failure become one notice; so do the end of a
    hook by a failure of this library and the outcome's own notice of that failure.
    """
    notices, own = _outcome_notices(outcome), outcome.internal_failure
    if not notices and not run.notices and not own:
        return ()
    causes = [_of_run(notice, run) for notice in run.notices]
    others = [notice for notice in notices if not _is_end(notice)]
    end = next((notice for notice in notices if _is_end(notice)), None)
    at = None if end is None else _add_end(causes, end, run)
    if run.unparsed:
        others = _merge_syntax_errors(causes, others)
    if own is not None:
        here = next((place for place, notice in enumerate(causes) if notice.fault == OWN), at)
        if here is None:
            causes.append(own)
        else:
            causes[here] = _with_internal_failure(causes[here], own)
    return (*causes, *others)


def _add_end(causes: list[Notice], end: Notice, run: HookRun) -> int:
    """Add the notice of an end: to its cause if that is known, else as a notice of its own. Return its index."""
    end, at = _with_hint(end, run), _cause(end, causes, run)
    if at is None:
        causes.append(end)
        return len(causes) - 1
    causes[at] = causes[at].changed(then=_joined_consequences(end.message, end.then))
    return at


def _is_end(notice: Notice) -> bool:
    return notice.fault == FAILURE or notice.kind == "hook-failed"  # some systems only log the latter


def _outcome_notices(outcome: HookOutcome) -> list[Notice]:
    """Return the notices of an outcome, each as a ``Notice``; for a failure without any, one that names its end."""
    failed = outcome.ended in FAILURES
    notices: list[Notice] = []
    for notice in outcome.notices:
        if not isinstance(notice, Notice):  # text of a host's dialect or executor; the first one describes a failure
            if failed and not notices:
                notice = Notice(notice, ENDS[outcome.ended], fault=FAILURE)
            else:
                notice = Notice(notice, fault=STRICT if notice in outcome.faults else None)
        notices.append(notice)
    is_silent_failure = failed and not notices
    if is_silent_failure and not _answers(outcome):
        notices.append(Notice(outcome.ended.replace("_", " "), ENDS[outcome.ended], fault=FAILURE))
    return notices


def _answers(outcome: HookOutcome) -> bool:
    """Return whether a nonzero exit status is a hook's answer, with an effect, and not a failure."""
    return outcome.ended == "nonzero" and not outcome.replace(ended="ok").silent


def _of_run(notice: str, run: HookRun) -> Notice:
    if not isinstance(notice, Notice):
        return Notice(notice, fault=STRICT if notice in run.faults else None)
    if notice.kind == "syntax-error" and not notice.hint:
        return notice.advised("correct the command")
    return notice


def _with_hint(end: Notice, run: HookRun) -> Notice:
    """Return the notice of an end with its own hint, or else with a hint for its kind."""
    kind = end.kind
    if run.kind == "signaled" and kind == "hook-failed":
        kind = "hook-killed"
    if kind in ("hook-failed", "bad-output"):
        uncaught = uncaught_error(run.stderr)
        if uncaught:
            return end.changed(then=_joined_consequences(end.then, uncaught), hint="catch it, or correct the script")
    if end.hint and kind == end.kind:
        return end
    known = kind == "bad-output" and len(run.stdout) <= LOOKED_AT
    better = hint_for(run.stdout.decode("utf-8", "replace").strip()) if known else ""
    return end.advised(better or _HINTS.get(kind, ""), kind)


def uncaught_error(stderr: bytes) -> str:
    """Return the line of stderr with the exception that ended a Python or Node program; ``""`` without one.

    The script's own messages may precede and follow it.
    """
    end = stderr[-_READ:]
    match = _PYTHON.search(end, max(0, end.rfind(b"Traceback (most recent call last):"))) or _NODE.search(end)
    line = "" if match is None else match[1].decode("utf-8", "replace").strip()
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"


def _cause(end: Notice, notices: list[Notice], run: HookRun) -> int | None:
    """Return the index of the notice of a failure's cause: a syntax error, or the last command with its exit status."""
    if run.unparsed:
        return next((at for at, notice in enumerate(notices) if notice.kind == "syntax-error"), None)
    if end.kind != "hook-failed" or run.kind != "exited":
        return None
    return next(
        (at for at in reversed(range(len(notices))) if notices[at].fault and notices[at].status == run.status), None
    )


def _merge_syntax_errors(notices: list[Notice], others: list[Notice]) -> list[Notice]:
    """Add the places of a syntax error in the config file to the notice of the error; return the other notices."""
    places = [other for other in others if other.kind == "syntax-error"]
    for at, notice in enumerate(notices):
        if notice.kind == "syntax-error":
            notices[at] = notice.changed(then="; ".join([text for text in (notice.then, *places) if text]))
            return [other for other in others if other.kind != "syntax-error"]
    return others


def _with_internal_failure(notice: Notice, own: Notice) -> Notice:
    """Return a notice as that of a failure of this library, with the hint and consequence of ``own``."""
    # The firing's deadline passed, not the hook's own timeout: a hint about the latter would be wrong.
    is_timeout = notice.kind == own.kind == "hook-timed-out"
    hint = own.hint
    if notice.hint and not is_timeout:
        hint = f"{notice.hint}, or {own.hint}"
    return notice.changed(hint=hint, then=_joined_consequences(notice.then, own.then), fault=OWN)


def _joined_consequences(*texts: str) -> str:
    """Join the consequences of a failure into one text, without the empty ones."""
    return "; ".join([text for text in texts if text])
