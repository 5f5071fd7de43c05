"""The port to a hook system: tables first, methods only where logic differs.

A dialect is data about one system (which events, which fields, what an exit code means, what a failure means) and a
few pure functions: a configuration becomes HookSpecs, an event becomes a job, a run becomes an outcome, outcomes
become a verdict. Editions overlay the tables: ``documented`` is what the system's document promises, ``shipped``
switches on named quirks of the program, and ``document`` those of the letter where the default is stricter.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, final

from ..errors import Diagnostic, Stop, UnknownDialectError, UnknownEventError
from .model import HookEvent, HookJob, HookOutcome, HookRun, HookSession, HookSpec, Origin
from .places import ConfigFile as ConfigFile
from .places import Surroundings as Surroundings
from .suggest import did_you_mean
from .tools import CONDITIONS
from .verdict import HookResult, Verdict
from .wire import JSON, JsonText, WireError, payload_fields

if TYPE_CHECKING:
    from .saying import Said, Saying

PARALLEL = "parallel"  # all hooks of the event at once; each sees the original
CHAIN = "chain"  # one after another; each sees the rewrites before it
CHAIN_UNTIL_BLOCK = "chain_until_block"  # the same; a block ends it

#: What systems call differently, under names of our own (rule 19): a host fires these at whatever system there is.
NEUTRAL_EVENTS = frozenset(
    [
        "before_tool",
        "after_tool",
        "before_prompt",
        "after_agent",
        "session_start",
        "session_end",
        "notification",
        "before_compact",
        "before_model",
        "after_model",
        "before_tool_selection",
        "subagent_start",
        "subagent_stop",
    ]
)

#: What the deny of an event holds back, by its neutral name (``EventSpec.guards``).
_GUARDS = {
    "before_tool": "call",
    "subagent_start": "call",
    "before_prompt": "prompt",
    "before_model": "prompt",
    "after_tool": "result",
    "after_model": "result",
}
#: The events on which a failure of ours, or what was left out, is a deny (decisions own failures).
GUARDED = frozenset({"call", "prompt", "result"})

OPEN = "open"  # a failed hook has no opinion; the verdict says that it failed
CLOSED = "closed"  # a failed hook denies


class Quirk:
    """A way in which an edition differs from the default one; ``rule`` says where that is written."""

    __slots__ = ("name", "rule", "summary")

    def __init__(self, name: str, rule: str, summary: str) -> None:
        self.name = name
        self.rule = rule
        self.summary = summary

    def __repr__(self) -> str:
        return f"Quirk({self.name}, {self.rule})"


class _Absent:
    """What stands for a key that the payload lacks unless the caller gives it."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: JSON = _Absent()


#: What a caller may give for a field of a kind, by exact type: anything else is looked at. Other kinds take all.
_TYPES: dict[str, frozenset[type]] = {
    "string": frozenset([str]),
    "string or null": frozenset([str, type(None)]),
    "boolean": frozenset([bool]),
    "integer": frozenset([int]),
    "number": frozenset([int, float]),
    "array": frozenset([list]),
    "strings": frozenset([list]),
    "object": frozenset([dict]),
    "words": frozenset([str, list]),
    "arguments": frozenset([dict]),
    "arguments or text": frozenset([dict]),
}


class Field:
    """One key of an event's payload: its name there, its neutral name, and what stands there by default.

    ``default``: ``ABSENT`` for a key that is there only if the caller gives it. ``sample``: what ``fire --sample``
    shows. ``kind``: "string", "json" (the value may be JSON text), or a JSON type's name for documentation.
    ``needed``: a matcher or a guard decides by it, so that one that is missing is a fault, but where one of ``unless``
    is given. ``takes``: the kind that a caller may give, where it is not the payload's: "any", "words" (a command line,
    or a list), "arguments" (an object, or its JSON text as a model wrote it), "arguments or text" (the same, and the
    dialect itself looks at text). ``values``: a closed list. ``known``: values that the contract lists, of a field that may
    hold others. ``about``: what it is, where the name does not say it; for schemas and typed models.
    """

    __slots__ = (
        "about",
        "default",
        "kind",
        "known",
        "native",
        "needed",
        "neutral",
        "sample",
        "takes",
        "unless",
        "values",
    )

    def __init__(
        self,
        native: str,
        neutral: str = "",
        default: JSON = "",
        kind: str = "string",
        sample: JSON = None,
        *,
        needed: bool = False,
        unless: tuple[str, ...] = (),
        takes: str = "",
        values: tuple[str, ...] = (),
        known: tuple[str, ...] = (),
        about: str = "",
    ) -> None:
        self.native = native
        self.neutral = neutral or native
        self.default = default
        self.kind = kind
        self.sample = sample
        self.needed = needed
        self.unless = unless
        self.takes = takes or kind
        self.values = values
        self.known = known
        self.about = about


class EventSpec:
    """A row of a dialect's table of events."""

    __slots__ = (
        "can",
        "defaults",
        "deniable",
        "failure",
        "fields",
        "guards",
        "limited",
        "named",
        "native",
        "needed",
        "neutral",
        "order",
        "places",
        "rewrite",
        "shielded",
        "subject",
        "summary",
        "target",
        "timeout",
        "types",
        "when",
    )

    def __init__(
        self,
        native: str,
        *,
        neutral: tuple[str, ...] = (),
        subject: str = "",
        fields: Sequence[Field] = (),
        can: frozenset[str] = frozenset(),
        order: str = PARALLEL,
        rewrite: str = "",
        target: str = "tool_input",
        when: str = "",
        timeout: float = 0.0,
        shielded: bool = False,
        failure: Mapping[str, str] | None = None,
        guards: str = "",
        summary: str = "",
    ) -> None:
        self.native = native
        self.neutral = neutral
        self.subject = subject  # the neutral field that matchers are tested against; "": matchers do not count
        self.fields = tuple(fields)
        self.defaults: dict[str, JSON] = {f.native: f.default for f in fields if f.default is not ABSENT}
        # The key that a caller's name stands for; a system's own name wins over another field's neutral one.
        self.places: dict[str, str] = {field.neutral: field.native for field in fields}
        self.places.update({field.native: field.native for field in fields})
        # What its deny holds back: "call" "prompt" "result"; "act": something else (a compaction, a worktree); "stop":
        # the end of a turn or task; "": nothing can be denied.
        self.guards = guards or _guards(neutral, can)
        self.deniable = self.guards not in ("", "stop")  # a deny holds something back, and not only the end of a turn
        self.named: dict[str, Field] = {field.native: field for field in fields}
        self.types = {field.native: _TYPES[field.takes] for field in fields if field.takes in _TYPES}
        self.needed = tuple(field.native for field in fields if field.needed)
        self.limited = tuple(field for field in fields if field.values)
        self.can = can  # of "deny allow ask halt rewrite context output followup env plugins"
        self.order = order
        self.rewrite = rewrite  # the name of a rule in hooks.aggregate.REWRITES
        self.target = target  # the neutral field that the verdict's updated_input stands for: "tool_input", "prompt"
        self.when = when  # a name in hooks.tools.CONDITIONS: fired under a neutral name only if it holds
        self.timeout = timeout  # seconds that its hooks have by default; 0: the dialect's
        self.shielded = shielded  # runs although the caller's scope is cancelled: the end of a session
        self.failure = failure or {}  # how it ended -> OPEN or CLOSED; missing: OPEN
        self.summary = summary


def _guards(neutral: tuple[str, ...], can: frozenset[str]) -> str:
    if "deny" in can:
        return next((_GUARDS[name] for name in neutral if name in _GUARDS), "act")
    return "stop" if "followup" in can else ""


class Setting:
    """What a host may set for a system. ``kind``: "string" "boolean" "seconds" "strings" "object"."""

    __slots__ = ("kind", "summary")

    def __init__(self, kind: str, summary: str) -> None:
        self.kind = kind
        self.summary = summary


class Loaded:
    """What a configuration text holds: hooks in order, variables for them, and what is to be said about it.

    ``settings``: what else it says (a list of hooks that are switched off), for the dialect's own ``combine``.
    """

    __slots__ = (
        "diagnostics",
        "doubts",
        "env",
        "leads",
        "lost",
        "off",
        "off_in_agent",
        "origin",
        "others",
        "refused",
        "settings",
        "specs",
    )

    def __init__(
        self,
        specs: Sequence[HookSpec] = (),
        diagnostics: Sequence[Diagnostic] = (),
        env: Mapping[str, str] | None = None,
        origin: Origin | None = None,
    ) -> None:
        self.specs = list(specs)
        self.diagnostics = list(diagnostics)
        self.env = dict(env or {})
        self.origin = origin or Origin("")
        self.doubts: list[Diagnostic] = []  # those of the warnings that keep a strict engine from loading
        #: Those of the warnings for which the system loads less than this library does: ``check`` calls them errors.
        self.refused: list[Diagnostic] = []
        self.off_in_agent: list[
            Diagnostic
        ] = []  # those of them by which hooks that run here are off: each verdict tells it
        self.settings: dict[str, Any] = {}
        self.off: list[tuple[HookSpec, str]] = []  # hooks that somebody switched off, and how: they are only explained
        #: Hooks that the system does not ask as they are written: what they would be, why, the mend, and what tells it here.
        self.lost: list[tuple[HookSpec, str, str, Diagnostic]] = []
        self.leads = False  # it leads to other files of hooks, and so takes part in all that these guard
        self.others: set[str] = set()  # native events of hooks that the text has for other agents

    @property
    def errors(self) -> list[Diagnostic]:
        """The diagnostics that keep it from loading."""
        return [diagnostic for diagnostic in self.diagnostics if diagnostic.severity == "error"]


def nameless(row: EventSpec, subjects: tuple[str, ...]) -> bool:
    """Say whether an event is about a call whose tool nobody has named: what would its matchers be tested against?"""
    return row.subject == "tool_name" and not any(subjects)


class Dialect(ABC):
    """One hook system, in one edition."""

    name: ClassVar[str]
    title: ClassVar[str]
    events: ClassVar[Mapping[str, EventSpec]]
    quirks: ClassVar[Mapping[str, Quirk]]
    editions: ClassVar[Mapping[str, frozenset[str]]]  # edition -> the names of its quirks; the first is the default
    file_names: ClassVar[tuple[str, ...]]  # by which a configuration file is recognised
    tools: ClassVar[Mapping[str, tuple[str, ...]]]  # a kind of tool_kinds -> this system's names, the usual one first
    other_tools: ClassVar[frozenset[str]] = frozenset()  # the system's tools that are of no kind
    #: A kind -> its arguments (by their names in tool_kinds) -> what this system calls them, where that differs.
    arguments: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    #: What its tools are given, for those whose arguments its contract lists; of others nobody says what they never have.
    inputs: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    #: What an item of a list of edits calls the old text and the new one.
    edit_items: ClassVar[tuple[str, str]] = ("old_string", "new_string")
    #: What stands beside ``stdout`` and ``stderr`` in the output of its shell; empty where that is a text.
    shell_output: ClassVar[Mapping[str, JSON]] = {}
    absolute: ClassVar[frozenset[str]] = frozenset()  # the kinds whose tools take paths from the root only
    default_timeout: ClassVar[float] = 60.0  # seconds that a hook has where neither it nor its event says
    timeout_key: ClassVar[tuple[str, str]] = ("timeout", "seconds")  # what sets it on a hook, and in what
    execute_bit: ClassVar[bool] = True  # whether a script must have it to be run by its path
    ends_background: ClassVar[bool] = False  # the program's own shell ends the background jobs of its script
    shell: ClassVar[str] = (
        ""  # what reads a hook's command on Unix: "sh", "bash"; "": a shell that has bash's syntax, or any
    )
    cwd_moves: ClassVar[bool] = (
        False  # hooks start where the agent is just then, and not always in the project's directory
    )
    #: Variables that the program itself puts into a command, quoted, where they are written as ``$NAME``.
    pasted: ClassVar[frozenset[str]] = frozenset()
    session_files: ClassVar[bool] = False  # hooks live on the session's own file system, not on the host's
    #: What a host may set for this system (``HookEngine(settings=...)``).
    settings: ClassVar[Mapping[str, Setting]] = {}
    #: The types of hooks that the host's handlers run, as ``HookSpec.kind`` has them.
    handled: ClassVar[tuple[str, ...]] = ()
    event_key: ClassVar[str] = "hook_event_name"  # under which its payloads name the event
    data_key: ClassVar[str] = ""  # under which its payloads hold an event's own fields; "": beside the others
    #: The variables that hold the payload, and the path of a file with it, where it is not on stdin.
    payload_variables: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        if "matches" in cls.__dict__:  # hooks are found by subject, without asking it: a guard would be off in silence
            raise TypeError(f"{cls.__name__} overrides matches: override takes, looks_further and wants instead")

    def __init__(self, edition: str = "") -> None:
        edition = edition or next(iter(self.editions))
        if edition not in self.editions:
            known = ", ".join(self.editions)
            raise UnknownDialectError(f"{self.name} has no edition {edition!r}; it has: {known}")
        self.edition = edition
        self.active = self.editions[edition]

    @property
    def full_name(self) -> str:
        """``name@edition``."""
        return f"{self.name}@{self.edition}"

    def event(self, name: str) -> tuple[EventSpec, bool]:
        """Return the row of an event by its native or neutral name, and whether it was the neutral one.

        Raises ``UnknownEventError``.
        """
        row = self.events.get(name)
        if row is not None:
            return row, False
        row = self.events.get(self.canonical_event(name))
        if row is not None:
            return row, False
        for row in self.events.values():
            if name in row.neutral:
                return row, True
        known = [native for row in self.events.values() for native in (row.native, *row.neutral)]
        hint = did_you_mean(name, known)
        listed = ", ".join(
            row.native + (f" ({', '.join(row.neutral)})" if row.neutral else "") for row in self.events.values()
        )
        raise UnknownEventError(f'{self.title} has no event "{name}"; {hint + " " if hint else ""}it has: {listed}')

    def stages(self, name: str, fields: Mapping[str, JSON], kind: str = "") -> tuple[list[EventSpec], bool]:
        """Return the native events, in order, that a name stands for with these fields, and whether it was neutral.

        ``kind`` is that of the tool (``hooks.tools.concept``).

        A neutral event that the system does not have stands for none. Raises ``UnknownEventError`` for any other name
        that it does not know.
        """
        if name not in NEUTRAL_EVENTS or name in self.events:
            row, neutral = self.event(name)
            if not neutral:
                return [row], False
        rows = [row for row in self.events.values() if name in row.neutral]
        return [row for row in rows if not row.when or CONDITIONS[row.when](fields, kind)], True

    @cached_property
    def session_keys(self) -> tuple[str, ...]:
        """Return the keys under which its payloads name the conversation."""
        rows = self.events.values()
        return tuple({field.native: None for row in rows for field in row.fields if field.neutral == "session_id"})

    def natives(self, name: str) -> frozenset[str]:
        """Return the native events that a name can stand for, whatever the fields. Raises ``UnknownEventError``."""
        if name in NEUTRAL_EVENTS and name not in self.events:
            return frozenset(row.native for row in self.events.values() if name in row.neutral)
        return frozenset([self.event(name)[0].native])

    def canonical_event(self, name: str) -> str:
        """Return the native name for one of its spellings. Most systems have one spelling only."""
        return name

    # -- configuration ------------------------------------------------------------------------------------------------

    @abstractmethod
    def recognises(self, root: Mapping[str, JSON]) -> bool:
        """Say whether a parsed configuration has this system's shape."""

    @abstractmethod
    def places(self, place: Surroundings) -> list[ConfigFile]:
        """Return the files where the system looks, in merge order."""

    def brought(
        self, place: Surroundings, settings: Sequence[tuple[ConfigFile, str]], *, at_times: bool = True
    ) -> list[ConfigFile]:
        """Return the further files that settings bring (plugins), and, with ``at_times``, those whose hooks count at times only.

        ``settings``: the files of ``places`` that count, with their texts. Most systems have nothing of the kind.
        """
        return []

    def bundled(self, place: Surroundings) -> list[ConfigFile]:
        """Return the files of a plugin or extension that is itself in the working directory, for ``check``."""
        return []

    @final
    def all_places(self, place: Surroundings, *, at_times: bool = True) -> list[ConfigFile]:
        """Return the files of ``places`` and those that they bring as they are now."""
        found = self.places(place)
        settings = [(file, place.text(file.path)) for file in found if file.supported]
        return [*found, *self.brought(place, settings, at_times=at_times)]

    def leads_to(self, text: str, origin: Origin) -> list[str]:
        """Return the paths of further files of hooks that a file names; they count with it."""
        return []

    @abstractmethod
    def load(self, text: str, origin: Origin, agent: str = "") -> Loaded:
        """Read one configuration text. Mistakes become diagnostics, never exceptions.

        ``agent`` names one of several agents that a text may hold; ``""`` is the first.
        """

    def combine(self, parts: Sequence[Loaded]) -> Loaded:
        """Put the texts together, lowest first. By default lists append, and later variables win."""
        whole = Loaded()
        for part in parts:
            whole.specs += part.specs
            whole.env.update(part.env)
            whole.diagnostics += part.diagnostics
            whole.doubts += part.doubts
            whole.refused += part.refused
            whole.off_in_agent += part.off_in_agent
            whole.lost += part.lost
        return whole

    def contribute(self, whole: Loaded, settings: Mapping[str, JSON]) -> Loaded:
        """Add what the host's settings bring to a whole configuration. Most systems have nothing of the kind."""
        return whole

    def added(self, event: str, command: str) -> HookSpec:
        """Make the hook that a command line or a host adds to an event, for every subject.

        Raises ``UnknownEventError``.
        """
        row, _ = self.event(event)
        return HookSpec(row.native, command, timeout=row.timeout or self.default_timeout, key=("added", command))

    # -- tools --------------------------------------------------------------------------------------------------------

    def mcp_names(self, server: str, tool: str) -> tuple[str, ...]:
        """Return what the system calls a tool of an MCP server, the usual spelling first; () where it is no one name."""
        return ()

    def shaped_output(self, kind: str, output: JSON) -> JSON:
        """Return a tool's output in the shape that this system's tool of the kind gives it; by default a shell's text."""
        if kind != "shell" or not self.shell_output or not isinstance(output, str) or isinstance(output, JsonText):
            return output
        return {"stdout": output, "stderr": "", **self.shell_output}

    def plain_output(self, kind: str, output: JSON) -> JSON:
        """Undo ``shaped_output``, for what a hook gives instead of the output. What says more than a text stays."""
        if kind != "shell" or not self.shell_output or not isinstance(output, dict):
            return output
        text, error = output.get("stdout"), output.get("stderr")
        if not isinstance(text, str) or output.keys() - {"stdout", "stderr", *self.shell_output}:
            return output
        return text + (error if isinstance(error, str) else "")

    def aims_at(self, spec: HookSpec, tool: str) -> bool:
        """Say whether a hook is for a tool of this name, whatever its arguments are."""
        try:
            return spec.pattern is None or bool(spec.pattern.search(tool))
        except Stop:
            return True  # it comes to no end: who can say that it is not

    # -- one event ----------------------------------------------------------------------------------------------------

    @abstractmethod
    def prepare(self, surroundings: Surroundings) -> None:
        """Compute once, into ``surroundings.base``, what every job needs."""

    def arrange(self, specs: Sequence[HookSpec], surroundings: Surroundings) -> Sequence[HookSpec]:
        """Put the hooks of an engine in order, where that hangs on its home or settings. They are in config order."""
        return specs

    @abstractmethod
    def make_event(
        self,
        row: EventSpec,
        neutral: bool,
        fields: Mapping[str, JSON],
        surroundings: Surroundings,
        session: HookSession | None,
    ) -> HookEvent:
        """Turn an event's fields, neutral or native, into the event as this system tells it."""

    def takes(self, spec: HookSpec, row: EventSpec, subjects: tuple[str, ...]) -> bool:
        """Say whether a hook takes an event with these subjects: no matcher, or a matcher found in one of them.

        Pure: it is asked once for each event and subjects, and remembered (``engine.selection``). A call without a tool
        name runs every matcher's hooks (decisions required fields).
        """
        pattern = spec.pattern
        return pattern is None or any(map(pattern.search, subjects)) or nameless(row, subjects)

    def looks_further(self, spec: HookSpec) -> bool:
        """Say whether a hook that takes an event's subjects looks at more of it (``wants``), each time."""
        return False

    def wants(self, spec: HookSpec, event: HookEvent) -> bool:
        """Say whether a hook that takes an event's subjects wants the event. Asked where it looks further."""
        return True

    @final
    def matches(self, spec: HookSpec, event: HookEvent) -> bool:
        """Say whether a hook is for an event: it takes its subjects, and wants what else there is of it."""
        return self.takes(spec, event.row, event.subjects) and (not self.looks_further(spec) or self.wants(spec, event))

    def why(self, spec: HookSpec, event: HookEvent) -> str:
        """Say why a hook does or does not want an event, where more than its matcher decides; else ``""``."""
        return ""

    def deduplicate(self, specs: Sequence[HookSpec]) -> list[HookSpec]:
        """Keep one of each group of equal hooks, in config order: the first of equal keys."""
        first: dict[Hashable, HookSpec] = {}
        for spec in specs:
            if spec.key is not None:
                first.setdefault(spec.key, spec)
        return [spec for spec in specs if spec.key is None or first[spec.key] is spec]

    def lanes(self, specs: Sequence[HookSpec]) -> list[list[int]]:
        """Say which of an event's hooks run one after another: the indexes of each lane; lanes run side by side."""
        lanes: dict[Hashable, list[int]] = {}
        for index, spec in enumerate(specs):
            lanes.setdefault(index if spec.lane is None else (spec.lane,), []).append(index)
        return list(lanes.values())

    @abstractmethod
    def job(self, event: HookEvent, spec: HookSpec, surroundings: Surroundings) -> HookJob:
        """Say how a hook is run: stdin, environment, directory, time."""

    @abstractmethod
    def parse(self, run: HookRun, spec: HookSpec, event: HookEvent) -> HookOutcome:
        """Read what a hook's run means. Pure."""

    def rewritten(self, event: HookEvent, outcome: HookOutcome) -> HookEvent:
        """In a chain, give the event as the next hook sees it, with the same subjects. Pure; systems without chains keep it."""
        return event

    @abstractmethod
    def merge(self, event: HookEvent, results: Sequence[HookResult]) -> Verdict:
        """Put the outcomes together, in config order; not asked where every hook was silent. Pure."""

    # -- the other way round ------------------------------------------------------------------------------------------

    def read(self, payload: Mapping[str, JSON] | str | bytes) -> tuple[str, dict[str, JSON]]:
        """Read what the program gives a hook on stdin: the native event, and its fields for ``fire(event, fields)``.

        JSON text keeps its spelling. Raises ``WireError`` for what is no JSON object or names no event, and
        ``UnknownEventError`` for an event that the system does not have.
        """
        fields = dict(payload_fields(payload))
        name = fields.pop(self.event_key, None)
        if not isinstance(name, str):
            raise WireError(f'the payload names no event: {self.title} says it under "{self.event_key}"')
        row = self._native(name)
        return row.native, self.fields_of(row, fields)

    def _native(self, name: str) -> EventSpec:
        """Return the row of an event by its native name; a neutral one may stand for several."""
        row, neutral = self.event(name)
        if neutral:
            raise UnknownEventError(f'{self.title} has no event "{name}": that is the neutral name of {row.native}')
        return row

    def fields_of(self, row: EventSpec, fields: dict[str, JSON]) -> dict[str, JSON]:
        """Return the fields of a payload as ``make_event`` takes them; most systems' are taken as they are."""
        return fields

    def answer(self, event: str, verdict: Verdict, fields: Mapping[str, JSON] | None = None) -> Said:
        """Say a verdict as a hook of this system would have: its stdout, its exit status, its stderr.

        ``event`` is a native name, ``fields`` what the event was fired with: they tell what a rewrite changed, and
        which form a result has. The answer is never weaker than the verdict. What the system cannot be told is said
        as the nearest thing that is as strict or stricter, and is a notice (docs/dialect-answers.md). Raises
        ``UnknownEventError``.
        """
        from .saying import Saying

        return self.say(Saying(self.title, self._native(event), verdict, fields))

    def say(self, saying: Saying) -> Said:
        """Fit a verdict to what the system can be told, and write it. Pure; a dialect without answers raises."""
        raise TypeError(f"{type(self).__name__} has no say(): nobody wrote how a verdict is said to {self.title}")

    def settle(self, event: HookEvent, verdict: Verdict) -> None:
        """Keep in the event's session what later events need: the one place where a dialect changes anything."""
        session = event.session
        if session is None:
            return
        if verdict.followup is not None:
            session.count("followups")
        variables = verdict.effects.get("env")
        if isinstance(variables, dict):
            session.env.update({name: str(value) for name, value in variables.items()})

    # -- documentation ------------------------------------------------------------------------------------------------

    @abstractmethod
    def schema(self, kind: str, event: str = "") -> dict[str, JSON]:
        """Return the JSON Schema of ``config``, ``input`` or ``output``."""
