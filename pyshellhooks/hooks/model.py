"""The facts of the hook half: what a hook is, what it was given, and how it ended.

Nothing here runs anything or knows a system; slots classes, because a fire builds a handful of them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from ..errors import Diagnostic
from ..limits import Limits
from .own_failures import OwnFailure, of_end
from .session import HookSession as HookSession
from .wire import JSON

if TYPE_CHECKING:
    from ..notice import Notice
    from .dialect import EventSpec


class Decision(StrEnum):
    """What a hook, or all hooks together, say about the guarded act. Ordered: the stronger is the greater."""

    NONE = "none"
    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"

    @property
    def rank(self) -> int:
        """Place in the order none < allow < ask < deny."""
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

#: How a hook can have ended, as verdicts show it.
ENDED = (
    "ok",  # status 0, and its output could be read
    "nonzero",  # any other status
    "timed_out",  # its time was over
    "stopped",  # a limit was breached, or a program refused
    "abandoned",  # it did not yield within the grace; it has no effect any more
    "not_started",  # nothing of it ran
    "bad_output",  # status 0, and an output that the system cannot read
    "too_much_output",  # more output than Limits.output
    "cancelled",  # the caller gave up
)
_STOPPED = {
    "deadline": "timed_out",
    "cancelled": "cancelled",
    "refused": "not_started",
    "abandoned": "abandoned",
}
FAILURES = frozenset(ENDED) - {"ok"}


class Origin:
    """Where a hook was written: the file, its scope and its rank among the files (later files rank higher)."""

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
        self.plugin = plugin  # the directory, from the root on, of the plugin that the file is a part of
        self.entry = entry  # the plugin of a marketplace's list, where the file is one
        self.line = line
        self.column = column

    def at(self, line: int, column: int) -> Origin:
        """Return the same file at another place."""
        return Origin(self.file, self.scope, self.rank, line, column, plugin=self.plugin, entry=self.entry)

    def diagnostic(self, message: str, hint: str = "", severity: str = "error", *, code: str = "") -> Diagnostic:
        """Make a diagnostic that points at the hook."""
        return Diagnostic(self.file, self.line, self.column, message, hint, severity, code=code)

    def __repr__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file


class Pattern(Protocol):
    """A compiled matcher: says whether it is found in a subject."""

    def search(self, subject: str, /) -> object: ...


class HookSpec:
    """One configured hook. ``id`` is stable: it comes from what the hook is, not from where in the list it stands."""

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
        # "open" | "closed", or a mapping from how it ended to one of them; None: as the event's table says
        self.on_failure = on_failure
        self.origin = origin or Origin("")
        self.env = env
        self.key = key  # equal keys run once; None: always runs
        self.kind = kind  # "command", or what the host's handlers run: "prompt" "http" "agent" "mcp_tool"
        self.argv = argv  # a command without a shell: program and arguments
        self.lane = lane  # hooks of one lane run one after another, lanes side by side; None: a lane of its own
        self.extra = extra or {}  # what only its dialect understands
        self.mistake = ""  # the place in its file where its command does not parse, and why

    @property
    def title(self) -> str:
        """Name for people: its name, else its command."""
        return self.name or self.command

    def __repr__(self) -> str:
        return f"HookSpec({self.id or self.event!s}: {self.command!r})"


class HookEvent:
    """One thing that happened, in the words of the dialect.

    ``spell`` writes the payload out (JSON text, times) when it is first read: most events find no hook that does. It
    gives a payload of its own, since two threads may ask at once, and it neither fails nor has anything to tell.
    """

    __slots__ = (
        "cwd",
        "delivery",
        "faults",
        "fields",
        "neutral",
        "notices",
        "own",
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
        self.subjects = subjects  # what matchers are tested against; one that matches is enough
        self.cwd = cwd
        self.project_dir = project_dir
        self.neutral = neutral  # fired under its neutral name
        self.session = session
        self.notices = notices
        self.faults = faults  # those of the notices that are a deny under ``strict``
        self.own: OwnFailure | None = None  # what of it no hook can be told, as no process could
        self.delivery: Any = None  # what a dialect shares between the jobs of one event

    def __getattr__(self, name: str) -> Any:
        if name != "payload" or self.spell is None:
            raise AttributeError(name)
        self.payload = self.spell()
        return self.payload


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
        "limits",
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
        limits: Limits | None = None,
        session: HookSession | None = None,
    ) -> None:
        self.spec = spec
        self.command = spec.command if command is None else command
        self.argv = spec.argv if argv is None else tuple(argv)  # not None: run without a shell
        self.stdin = stdin
        self.env = env
        self.cwd = cwd
        self.timeout = timeout  # seconds
        self.files = files  # path -> content, there while the hook runs
        # The name of a variable: the hook finds there the path of an empty file of its own, and what it leaves in
        # that file is the run's ``env_text``.
        self.env_file = env_file
        self.request = request or {}  # for handlers of kinds other than "command": what they are asked
        self.session = session
        self.limits = limits
        self.ends_background = False  # whether background work of the hook's script ends with it (``Dialect``)
        #: The path of a program that reads the command in the place of the embedded shell; "": none.
        self.shell = ""
        #: Path -> content: what the hook finds there, whatever has come there since somebody looked.
        self.pinned: Mapping[str, bytes] | None = None


class HookRun:
    """How the run of one hook went: raw facts, before any system's reading of them.

    ``kind``: ``exited`` (``status`` is its status), ``signaled`` (128 + signal), ``stopped`` and ``abandoned``
    (``reason``: ``deadline cancelled limit regex refused lost crashed``, ``limit``: which of ``Limits`` was breached),
    ``not_started``. ``late``: it ended by itself, but only in the grace after its time was over. ``faults`` are the
    notices that mean that a part of it did not run (a missing program, an unreadable file). ``harm``: what happened to
    it that could happen only here, although it may have come to an end by itself. ``allowed``: the seconds that its job
    had; 0 where nobody says. ``outer``: the firing as a whole was given up.
    """

    __slots__ = (
        "allowed",
        "detail",
        "env_text",
        "faults",
        "harm",
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
        harm: OwnFailure | None = None,
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
        self.env_text = env_text  # what the hook wrote into its ``env_file``
        self.unparsed = unparsed  # why its command is no shell text
        self.limit = limit
        self.harm = harm
        self.untrusted = untrusted  # why it may not run for want of trust
        self.allowed = 0.0
        self.outer = False

    @property
    def own(self) -> OwnFailure | None:
        """What ended it, or kept a part of it from running, that could happen only here."""
        if self.harm is not None or self.kind == "exited":
            return self.harm
        return of_end(self.kind, self.reason, self.detail, self.limit)

    def classify(self) -> str:
        """Say how it ended, before its output is looked at; one of ``ENDED``."""
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
    """What one hook's run means in its system. ``rewrite`` and ``output`` are JSON text."""

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
        "own",
        "reason",
        "rewrite",
        "stands",
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
        stands: bool = False,
        own: Notice | None = None,
    ) -> None:
        self.ended = ended
        self.decision = decision
        self.halt = halt
        self.reason = reason
        self.user_message = user_message
        self.context = context
        self.rewrite = rewrite  # a patch or a whole input, as the event's rewrite rule takes it
        self.output = output
        self.followup = followup
        self.effects = effects or {}
        self.notices = notices
        self.faults = faults  # what went wrong without being a failure; notices too; a deny under ``strict``
        self.own = own  # what is to be told of an end that could happen only here
        self.stands = stands  # it denies a result that the model sees all the same: it is told the reason beside it

    @property
    def silent(self) -> bool:
        """Say whether it ended well and said nothing: what nearly every hook says of nearly every call."""
        return (
            self.decision is Decision.NONE
            and self.ended == "ok"
            and not (self.halt or self.reason or self.user_message or self.context or self.effects or self.stands)
            and self.rewrite is None
            and self.output is None
            and self.followup is None
        )

    @property
    def blocks(self) -> bool:
        """Say whether it keeps the guarded act from going ahead."""
        return self.halt or self.decision is Decision.DENY

    @property
    def speaks(self) -> bool:
        """Say whether something of its answer counts."""
        return self.blocks or self.followup is not None or bool(self.effects or self.context)

    def replace(self, **changes: Any) -> HookOutcome:
        """Return a copy with some parts changed."""
        return HookOutcome(**{**{name: getattr(self, name) for name in HookOutcome.__slots__}, **changes})


Observer = Callable[[str, dict[str, JSON]], None]
