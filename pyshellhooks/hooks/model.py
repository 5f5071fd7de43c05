"""The records of hooks: a configured hook, its event, its job, its run and its outcome.

Nothing here runs anything or depends on a system. The classes have slots, because each fire creates several of them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from ..errors import Diagnostic
from ..jsontext.compact import JSON
from .internal_failures import InternalFailure, failure_of_end
from .session import HookSession as HookSession

if TYPE_CHECKING:
    from ..notice import Notice
    from .dialect import EventSpec


class Decision(StrEnum):
    """The decision of one hook, or of all hooks together, on the guarded act. Ordered: the stronger is the greater."""

    NONE = "none"
    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"

    @property
    def rank(self) -> int:
        """The index in the order none < allow < ask < deny."""
        return _RANK[self._value_]

    def __lt__(self, other: str) -> bool:
        return self.rank < Decision(other).rank

    def __le__(self, other: str) -> bool:
        return self.rank <= Decision(other).rank

    def __gt__(self, other: str) -> bool:
        return self.rank > Decision(other).rank

    def __ge__(self, other: str) -> bool:
        return self.rank >= Decision(other).rank

    __hash__ = str.__hash__


_RANK = {"none": 0, "allow": 1, "ask": 2, "deny": 3}

#: The ways in which a hook can end, as verdicts show them.
ENDED = (
    "ok",  # status 0, and its output could be read
    "nonzero",  # any other status
    "timed_out",  # its timeout passed
    "stopped",  # it breached a limit, a regular expression took too long, a process was lost, or this library failed
    "abandoned",  # it did not yield within the grace; it has no further effect
    "not_started",  # it was refused, or could not start
    "bad_output",  # status 0, and an output that the system cannot parse
    "too_much_output",  # more output than Limits.output
    "cancelled",  # the caller cancelled it
)
_STOPPED = {
    "deadline": "timed_out",
    "cancelled": "cancelled",
    "refused": "not_started",
    "abandoned": "abandoned",
}
FAILURES = frozenset(ENDED) - {"ok"}


class Origin:
    """The source of a hook: the file, its scope and its rank among the files (later files rank higher)."""

    __slots__ = ("column", "entry", "file", "line", "plugin", "rank", "scope")

    def __init__(
        self,
        file: str,
        scope: str = "given",
        rank: int = 0,
        line: int = 0,
        column: int = 0,
        *,
        plugin: str = "",
        entry: str = "",
    ) -> None:
        self.file = file
        self.scope = scope  # "system" | "user" | "project" | "given"
        self.rank = rank
        self.plugin = plugin  # the absolute directory of the plugin that contains the file
        self.entry = entry  # the plugin's entry in a marketplace's list, if the file is such a list
        self.line = line
        self.column = column

    def at(self, line: int, column: int) -> Origin:
        """Return the origin at another place of the same file."""
        return Origin(self.file, self.scope, self.rank, line, column, plugin=self.plugin, entry=self.entry)

    def diagnostic(self, message: str, hint: str = "", severity: str = "error", *, code: str = "") -> Diagnostic:
        """Return a diagnostic that points at the hook."""
        return Diagnostic(self.file, self.line, self.column, message, hint, severity, code=code)

    def __repr__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file


class PermissionRule:
    """One permission rule of a settings file (claude_code 12): ``decision`` is ``ALLOW``, ``ASK`` or ``DENY`` for the calls that it matches.

    ``compiled`` is the dialect's form of ``text``.
    """

    __slots__ = ("compiled", "decision", "origin", "text")

    def __init__(self, decision: Decision, text: str, origin: Origin, compiled: Any) -> None:
        self.decision = decision
        self.text = text
        self.origin = origin
        self.compiled = compiled

    @property
    def reason(self) -> str:
        """The reason of a verdict that this rule decides."""
        return f'permissions.{self.decision} has the rule "{self.text}" ({self.origin})'

    def __repr__(self) -> str:
        return f"PermissionRule({self.decision} {self.text!r})"


class Ruling:
    """The decision of the rules on one call, with the rule that made it, and notices about rules without an answer."""

    __slots__ = ("notices", "rule")

    def __init__(self, rule: PermissionRule | None = None, notices: Iterable[Notice] = ()) -> None:
        self.rule = rule
        self.notices = tuple(notices)

    @property
    def decision(self) -> Decision:
        """The decision of the rule; ``NONE`` if no rule matches."""
        return Decision.NONE if self.rule is None else self.rule.decision


NO_RULING = Ruling()


class Pattern(Protocol):
    """A compiled matcher; ``search`` returns a true value if it matches a subject."""

    def search(self, subject: str, /) -> object: ...


class HookSpec:
    """One configured hook. ``id`` is stable: it is derived from the hook's contents, not from its place in the list."""

    __slots__ = (
        "argv",
        "command",
        "env",
        "event",
        "extra",
        "id",
        "key",
        "kind",
        "lane",
        "matcher",
        "mistake",
        "name",
        "on_failure",
        "origin",
        "pattern",
        "timeout",
    )

    def __init__(
        self,
        event: str,
        command: str,
        *,
        id: str = "",
        matcher: str = "",
        pattern: Pattern | None = None,
        timeout: float = 30.0,
        name: str = "",
        on_failure: str | Mapping[str, str] | None = None,
        origin: Origin | None = None,
        env: Mapping[str, str] | None = None,
        key: Hashable | None = None,
        kind: str = "command",
        argv: tuple[str, ...] | None = None,
        lane: Hashable | None = None,
        extra: Mapping[str, JSON] | None = None,
    ) -> None:
        self.id = id
        self.event = event  # the system's own name
        self.command = command
        self.matcher = matcher
        self.pattern = pattern  # None: every subject
        self.timeout = timeout  # seconds
        self.name = name
        # "open" | "closed", or a mapping from a member of ``ENDED`` to one of them; None: the event's row decides
        self.on_failure = on_failure
        self.origin = origin or Origin("")
        self.env = env
        self.key = key  # equal keys run once; None: always runs
        self.kind = kind  # "command", or a kind that the host's handlers run: "prompt" "http" "agent" "mcp_tool"
        self.argv = argv  # a command without a shell: program and arguments
        self.lane = lane  # hooks of one lane run one after another, lanes side by side; None: a lane of its own
        self.extra = extra or {}  # data for its dialect only
        self.mistake = ""  # the place in its file of a syntax error in its command, and the error

    @property
    def title(self) -> str:
        """Its name for people: its configured name, or its command."""
        return self.name or self.command

    def __repr__(self) -> str:
        return f"HookSpec({self.id or self.event!s}: {self.command!r})"


class HookEvent:
    """One event, in its system's terms.

    ``spell`` creates the payload (JSON text, times) when it is first read, since most events match no hook that reads
    it. Each call returns a new payload, because two threads may call it at once. It never raises and adds no notices.
    """

    __slots__ = (
        "cwd",
        "delivery",
        "faults",
        "fields",
        "neutral",
        "notices",
        "internal_failure",
        "payload",
        "project_dir",
        "row",
        "session",
        "spell",
        "subjects",
    )

    def __init__(
        self,
        row: EventSpec,
        payload: dict[str, JSON] | None,
        *,
        fields: Mapping[str, JSON],
        spell: Callable[[], dict[str, JSON]] | None = None,
        subjects: tuple[str, ...] = (),
        cwd: str = "",
        project_dir: str = "",
        neutral: bool = False,
        session: HookSession | None = None,
        notices: tuple[str, ...] = (),
        faults: tuple[str, ...] = (),
    ) -> None:
        self.row = row
        self.spell = spell
        if payload is not None:
            self.payload = payload  # the system's own keys, in its order; values may be JsonText
        self.fields = fields  # under neutral names
        self.subjects = subjects  # the texts that matchers test; one match is enough
        self.cwd = cwd
        self.project_dir = project_dir
        self.neutral = neutral  # fired under its neutral name
        self.session = session
        self.notices = notices
        self.faults = faults  # the notices that are a deny under ``strict``
        self.internal_failure: InternalFailure | None = None  # why hooks lack a part of it, such as a NUL
        self.delivery: Any = None  # a dialect's data that the jobs of one event share

    def __getattr__(self, name: str) -> Any:
        if name != "payload" or self.spell is None:
            raise AttributeError(name)
        self.payload = self.spell()
        return self.payload


class Delivery:
    """The stdin that all hooks of one event share, and their environment if they share that too."""

    __slots__ = ("env", "stdin")

    def __init__(self, stdin: bytes, env: Mapping[str, str] | None = None) -> None:
        self.stdin = stdin
        self.env = env or {}


class HookJob:
    """Everything an executor needs to run one hook."""

    __slots__ = (
        "argv",
        "command",
        "cwd",
        "ends_background",
        "env",
        "env_file",
        "files",
        "output_watch",
        "pinned",
        "request",
        "session",
        "shell",
        "spec",
        "stdin",
        "timeout",
    )

    def __init__(
        self,
        spec: HookSpec,
        *,
        stdin: bytes,
        env: Mapping[str, str],
        cwd: str,
        timeout: float,
        command: str | None = None,
        argv: Sequence[str] | None = None,
        files: Mapping[str, bytes] | None = None,
        env_file: str = "",
        request: Mapping[str, JSON] | None = None,
        session: HookSession | None = None,
    ) -> None:
        self.spec = spec
        self.command = spec.command if command is None else command
        self.argv = spec.argv if argv is None else tuple(argv)  # not None: run without a shell
        self.stdin = stdin
        self.env = env
        self.cwd = cwd
        self.timeout = timeout  # seconds
        self.files = files  # path -> content of files that exist while the hook runs
        # The name of a variable that holds the path of an empty file for this hook. The contents of the file after
        # the run are the run's ``env_text``.
        self.env_file = env_file
        self.request = request or {}  # the request to handlers of kinds other than "command"
        self.session = session
        self.ends_background = False  # whether background jobs of the script end with it (``Dialect``)
        #: Whether the agent reads the output to its end: "report" notes in the run that a background job still had it
        #: open, "wait" also waits for the job, "" does neither.
        self.output_watch = ""
        #: The path of a program that runs the command instead of the embedded shell; "": the embedded shell.
        self.shell = ""
        #: Path -> content as it was reviewed: the hook reads this, even if the file has changed since.
        self.pinned: Mapping[str, bytes] | None = None


class HookRun:
    """The run of one hook: raw facts, before a dialect parses them.

    ``kind``: ``exited`` (``status`` is its status), ``signaled`` (128 + signal), ``stopped`` and ``abandoned``
    (``reason``: ``deadline cancelled limit regex refused lost crashed``, ``limit``: the member of ``Limits`` that was
    breached), ``not_started``. ``late``: it ended by itself, but only in the grace after its deadline. ``faults``: the
    notices that a part of it did not run (a missing program, an unreadable file). ``harm``: a failure of this library
    that affected it, although it may have ended by itself. ``allowed``: the seconds that its job had; 0 if unknown.
    ``outer``: the firing as a whole was cancelled or timed out.
    """

    __slots__ = (
        "allowed",
        "detail",
        "env_text",
        "faults",
        "harm",
        "holds_output",
        "kind",
        "late",
        "limit",
        "notices",
        "outer",
        "reason",
        "seconds",
        "status",
        "stderr",
        "stdout",
        "unparsed",
        "untrusted",
    )

    def __init__(
        self,
        kind: str = "exited",
        status: int | None = 0,
        stdout: bytes = b"",
        stderr: bytes = b"",
        *,
        seconds: float = 0.0,
        reason: str = "",
        detail: str = "",
        late: bool = False,
        notices: tuple[str, ...] = (),
        faults: tuple[str, ...] = (),
        env_text: bytes = b"",
        unparsed: str = "",
        limit: str = "",
        harm: InternalFailure | None = None,
        untrusted: str = "",
    ) -> None:
        self.kind = kind
        self.status = status
        self.stdout = stdout
        self.stderr = stderr
        self.seconds = seconds
        self.reason = reason
        self.detail = detail
        self.late = late
        self.notices = notices
        self.faults = faults
        self.env_text = env_text  # the contents of its ``env_file``
        self.unparsed = unparsed  # the syntax error of its command, or ""
        self.limit = limit
        self.harm = harm
        self.untrusted = untrusted  # why it was not trusted to run, or ""
        self.allowed = 0.0
        self.outer = False
        self.holds_output = False  # a background job still had its output open when it ended (``HookJob.output_watch``)

    @property
    def internal_failure(self) -> InternalFailure | None:
        """The failure, possible only in this library, that ended it or kept a part of it from running, or None."""
        if self.harm is not None or self.kind == "exited":
            return self.harm
        return failure_of_end(self.kind, self.reason, self.detail, self.limit)

    def classify(self) -> str:
        """Return the member of ``ENDED`` for it, without regard to its output."""
        kind = self.kind
        if kind == "exited":
            return "ok" if self.status == 0 else "nonzero"
        if kind == "signaled":
            return "nonzero"
        if kind == "stopped":
            if self.limit == "output":
                return "too_much_output"
            return _STOPPED.get(self.reason, "stopped")
        return kind


class HookOutcome:
    """One hook's output, parsed by its dialect. ``rewrite`` and ``output`` are JSON text."""

    __slots__ = (
        "context",
        "decision",
        "effects",
        "ended",
        "faults",
        "followup",
        "halt",
        "notices",
        "output",
        "internal_failure",
        "reason",
        "rewrite",
        "keeps_result",
        "user_message",
    )

    def __init__(
        self,
        ended: str = "ok",
        decision: Decision = Decision.NONE,
        *,
        halt: bool = False,
        reason: str = "",
        user_message: str = "",
        context: str = "",
        rewrite: str | None = None,
        output: str | None = None,
        followup: str | None = None,
        effects: Mapping[str, JSON] | None = None,
        notices: tuple[str, ...] = (),
        faults: tuple[str, ...] = (),
        keeps_result: bool = False,
        internal_failure: Notice | None = None,
    ) -> None:
        self.ended = ended
        self.decision = decision
        self.halt = halt
        self.reason = reason
        self.user_message = user_message
        self.context = context
        self.rewrite = rewrite  # a patch or a whole input, depending on the event's rewrite rule
        self.output = output
        self.followup = followup
        self.effects = effects or {}
        self.notices = notices
        self.faults = faults  # the notices of problems that are not a failure but a deny under ``strict``
        self.internal_failure = internal_failure  # the notice of a failure that is possible only in this library
        self.keeps_result = keeps_result  # it denies a result that the model sees nevertheless, with the reason

    @property
    def silent(self) -> bool:
        """Return whether it ended with ``ok`` and has no effect at all, as nearly every hook on nearly every call."""
        if self.decision is not Decision.NONE or self.ended != "ok":
            return False
        if self.rewrite is not None or self.output is not None or self.followup is not None:
            return False
        return not (self.halt or self.reason or self.user_message or self.context or self.effects or self.keeps_result)

    @property
    def blocks(self) -> bool:
        """Return whether it denies or halts."""
        return self.halt or self.decision is Decision.DENY

    @property
    def affects_agent(self) -> bool:
        """Return whether it blocks or has a followup, effects or a context."""
        if self.blocks or self.followup is not None:
            return True
        return bool(self.effects or self.context)

    def replace(self, **changes: Any) -> HookOutcome:
        """Return a copy with some parts changed."""
        return HookOutcome(**{**{name: getattr(self, name) for name in HookOutcome.__slots__}, **changes})


Observer = Callable[[str, dict[str, JSON]], None]
