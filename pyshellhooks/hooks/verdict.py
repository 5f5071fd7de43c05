"""The verdict on an event, joined from the outcomes of its hooks, and the result of each hook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..jsontext.compact import JSON, JsonText, WireError, loads
from ..notice import STRICT, Notice, noticed
from ..text import decode, encode, joined, last_of, lines
from .failure_notices import run_notices
from .model import Decision, HookOutcome, HookRun, HookSpec

_SHOWN = 60  # characters of a reason in a ``repr``


class HookResult:
    """The result of one hook that ran."""

    __slots__ = ("outcome", "run", "spec")

    def __init__(self, spec: HookSpec, run: HookRun, outcome: HookOutcome) -> None:
        self.spec = spec
        self.run = run
        self.outcome = outcome

    @property
    def id(self) -> str:
        return self.spec.id

    @property
    def name(self) -> str:
        """The hook's name, or its command if it has no name."""
        return self.spec.title

    @property
    def command(self) -> str:
        return self.spec.command

    @property
    def matcher(self) -> str:
        return self.spec.matcher

    @property
    def ended(self) -> str:
        """One of ``model.ENDED``."""
        return self.outcome.ended

    @property
    def exit_code(self) -> int | None:
        """The exit status; None if the hook timed out, was stopped or abandoned, or did not start."""
        return self.run.status

    @property
    def seconds(self) -> float:
        return self.run.seconds

    @property
    def decision(self) -> Decision:
        return self.outcome.decision

    @property
    def halt(self) -> bool:
        return self.outcome.halt

    @property
    def reason(self) -> str:
        return self.outcome.reason

    @property
    def input_rewrite(self) -> bool:
        """Whether the hook returned a rewrite, accepted or not."""
        return self.outcome.rewrite is not None

    @property
    def stdout(self) -> str:
        return decode(self.run.stdout)

    @property
    def stderr(self) -> str:
        return decode(self.run.stderr)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """The notices of this hook, one for each fact."""
        return run_notices(self.run, self.outcome)

    def as_json(self) -> dict[str, JSON]:
        """Return the result as a JSON object."""
        return {
            "id": self.id,
            "command": self.command,
            "ended": self.ended,
            "exit_code": self.exit_code,
            "seconds": round(self.seconds, 6),
            "decision": self.decision.value,
            "stdout": _printable(self.stdout),
            "stderr": _printable(self.stderr),
            "notices": [_printable(notice) for notice in self.notices],
        }

    def __repr__(self) -> str:
        return f"HookResult({self.id}: {self.ended}, {self.decision})"


class Verdict:
    """The decision on one fired event and all that belongs to it.

    ``decision``: ``none allow ask deny``; deny means that the guarded act must not go ahead. ``halt``: the agent loop
    ends, and the guarded act does not go ahead either: check ``proceeds``. ``withholds``: the event is about a result
    that already exists, and the model must not see it. ``notices``: texts with fields for a person
    (``pyshellhooks.notice.Notice``), one for each fact. ``faults``: the notices that report a failure; ``strict``,
    ``on_failure`` or ``own_failures`` decide their effect. ``reason`` is for the model, ``user_message`` for the
    person. ``updated_input`` is the whole input that would now run, None if unchanged, and ``updated_input_text`` the
    same as JSON text with the spelling that the model and the hooks gave it.
    """

    __slots__ = (
        "_input",
        "_input_parsed",
        "context",
        "decision",
        "effects",
        "event",
        "faults",
        "followup",
        "halt",
        "hooks",
        "notices",
        "reason",
        "updated_input_text",
        "updated_output_text",
        "user_message",
        "withholds",
    )

    def __init__(
        self,
        event: str = "",
        decision: Decision | str = Decision.NONE,
        *,
        halt: bool = False,
        reason: str = "",
        user_message: str = "",
        context: str = "",
        updated_input_text: str | None = None,
        updated_output_text: str | None = None,
        followup: str | None = None,
        effects: Mapping[str, JSON] | None = None,
        hooks: Sequence[HookResult] = (),
        notices: Sequence[str] = (),
        faults: Sequence[str] = (),
        withholds: bool = False,
    ) -> None:
        self.event = event
        self.decision = decision if type(decision) is Decision else Decision(decision)  # "deny" becomes one
        self.halt = halt
        self.reason = reason
        self.user_message = user_message
        self.context = context
        self.updated_input_text = updated_input_text
        self.updated_output_text = updated_output_text
        self.followup = followup
        self.effects: Mapping[str, JSON] = effects if effects is not None else {}
        self.hooks = tuple(hooks)
        self.notices = tuple(notices)
        self.faults = tuple(faults)
        self.withholds = withholds
        self._input: JSON = None
        self._input_parsed = False

    @property
    def proceeds(self) -> bool:
        """Whether the guarded act may go ahead without a person's approval: False for deny, halt **and ask**."""
        if self.halt:
            return False
        return self.decision is Decision.NONE or self.decision is Decision.ALLOW

    @property
    def needs_approval(self) -> bool:
        """Whether the guarded act may go ahead only if a person approves it."""
        return self.decision is Decision.ASK and not self.halt

    @property
    def blocked(self) -> bool:
        """Whether the guarded act must not go ahead, even if a person approves it: deny or halt."""
        return self.halt or self.decision is Decision.DENY

    @property
    def updated_input(self) -> JSON:
        """The whole input that would now run, or the rewritten prompt; None if unchanged."""
        if not self._input_parsed:
            self._input = _value(self.updated_input_text)
            self._input_parsed = True
        return self._input

    @property
    def updated_output(self) -> JSON:
        """The output that the model would see instead; None if unchanged."""
        return _value(self.updated_output_text)

    def replace(self, **changes: object) -> Verdict:
        """Return a copy with some attributes changed."""
        parts: dict[str, object] = {name: getattr(self, name) for name in _PARTS}
        return Verdict(**{**parts, **changes})  # type: ignore[arg-type]

    def as_json(self) -> dict[str, JSON]:
        """Return the JSON object that ``pyshellhooks fire --json`` prints."""
        return {
            "decision": self.decision.value,
            "halt": self.halt,
            "reason": _printable(self.reason),
            "user_message": _printable(self.user_message),
            "context": _printable(self.context),
            "updated_input": self.updated_input,
            "updated_output": self.updated_output,
            "withholds": self.withholds,
            "followup": self.followup,
            "effects": dict(self.effects),
            "hooks": [hook.as_json() for hook in self.hooks],
            "notices": [_printable(notice) for notice in self.notices],
            "faults": [_fault(fault) for fault in self.faults],
        }

    def __repr__(self) -> str:
        parts = [f"{self.event}: {self.decision}"]
        parts += [name for name in ("halt", "withholds") if getattr(self, name)]
        if self.reason:
            parts.append(_short(self.reason))
        changes = ("updated_input_text", "input"), ("updated_output_text", "output"), ("followup", "followup")
        parts += [f"{word} given" for name, word in changes if getattr(self, name) is not None]
        if self.effects:
            parts.append(f"effects: {' '.join(self.effects)}")
        counts = (len(self.hooks), "hook"), (len(self.notices), "notice"), (len(self.faults), "fault")
        for count, word in counts:
            if count or word == "hook":
                parts.append(f"{count} {word}" if count == 1 else f"{count} {word}s")
        return f"Verdict({', '.join(parts)})"


def join_verdicts(event: str, verdicts: Sequence[Verdict]) -> Verdict:
    """Join the verdicts of several native events, or several systems, that one call of ``fire`` ran in order.

    The hooks of each received the input as the earlier ones had rewritten it, so the last rewrite is complete. The
    reasons are those of the verdicts with the joined decision or a halt.
    """
    if len(verdicts) == 1:
        verdict = verdicts[0]
        return verdict if verdict.event == event else verdict.replace(event=event)
    decision = max(
        (verdict.decision for verdict in verdicts), key=lambda decision: decision.rank, default=Decision.NONE
    )
    halt = any(verdict.halt for verdict in verdicts)
    blocked = halt or decision is Decision.DENY
    deciding = [verdict for verdict in verdicts if verdict.halt or verdict.decision is decision]
    effects: dict[str, JSON] = {}
    hooks: list[HookResult] = []
    # Each checked the same fields: a problem of the fields is reported once.
    notices: dict[str, None] = {}
    faults: dict[str, None] = {}
    for verdict in verdicts:
        effects.update(verdict.effects)
        hooks += verdict.hooks
        notices.update(dict.fromkeys(verdict.notices))
        faults.update(dict.fromkeys(verdict.faults))
    return Verdict(
        event,
        decision,
        halt=halt,
        reason=lines(*[verdict.reason for verdict in deciding]),
        user_message=lines(*[verdict.user_message for verdict in verdicts]),
        context=lines(*[verdict.context for verdict in verdicts]),
        updated_input_text=None if blocked else last_of(verdict.updated_input_text for verdict in verdicts),
        updated_output_text=last_of(verdict.updated_output_text for verdict in verdicts),
        followup=joined((verdict.followup for verdict in verdicts), "\n\n"),
        effects=effects,
        hooks=hooks,
        notices=list(notices),
        faults=list(faults),
        withholds=any(verdict.withholds for verdict in verdicts),
    )


_PARTS = tuple(name for name in Verdict.__slots__ if not name.startswith("_"))


def _value(text: str | None) -> JSON:
    if text is None:
        return None
    try:
        return loads(text)
    except WireError:
        return JsonText(text)


def _short(text: str) -> str:
    return repr(text) if len(text) <= _SHOWN else f"{text[:_SHOWN]!r}..."


def _fault(fault: str) -> dict[str, JSON]:
    fields = noticed(fault, STRICT).as_json()
    return {name: _printable(value) if isinstance(value, str) else value for name, value in fields.items()}


def _printable(text: str) -> str:
    """Replace bytes that are not UTF-8: JSON cannot represent them."""
    if text.isascii():
        return text
    return encode(text).decode("utf-8", "replace")
