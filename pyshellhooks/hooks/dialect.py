"""The port to a hook system: tables first, methods only where logic differs.

A dialect is data about one system (its events, their fields, the meaning of exit codes and failures) and a few pure
functions: a configuration becomes HookSpecs, an event becomes a job, a run becomes an outcome, outcomes become a
verdict. Editions overlay the tables: ``documented`` follows the system's document, ``shipped`` turns on named quirks
of the program, and ``document`` turns on those of the document's letter, if the default is stricter.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, final

from ..errors import Diagnostic, Stop, UnknownDialectError, UnknownEventError
from ..jsontext.compact import JSON, JsonText, WireError, payload_fields
from ..notice import Notice
from .config_form import ConfigForm
from .event_field import ABSENT as ABSENT
from .event_field import EXACT_TYPES
from .event_field import Field as Field
from .model import (
    NO_RULING,
    HookEvent,
    HookJob,
    HookOutcome,
    HookRun,
    HookSession,
    HookSpec,
    Origin,
    PermissionRule,
    Ruling,
)
from .places import ConfigFile as ConfigFile
from .places import HostContext as HostContext
from .suggest import did_you_mean
from .tools import CONDITIONS
from .verdict import HookResult, Verdict

if TYPE_CHECKING:
    from .render import HookOutput, Rendering

PARALLEL = "parallel"  # all hooks of the event at once; each sees the original
CHAIN = "chain"  # one after another; each sees the rewrites before it
CHAIN_UNTIL_BLOCK = "chain_until_block"  # the same; a block ends it

#: Neutral names of events that systems name differently (rule 19): a host can fire these at any system.
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

#: Neutral name of an event -> the thing that its deny holds back (``EventSpec.guards``).
_GUARDS = {
    "before_tool": "call",
    "subagent_start": "call",
    "before_prompt": "prompt",
    "before_model": "prompt",
    "after_tool": "result",
    "after_model": "result",
}
#: The values of ``guards`` for which a failure of this library or an excluded hook is a deny (decisions own failures).
GUARDED = frozenset({"call", "prompt", "result"})

OPEN = "open"  # a failed hook decides nothing; the verdict has a notice of the failure
CLOSED = "closed"  # a failed hook denies


class Quirk:
    """One difference of an edition from the default one; ``rule`` cites the place that describes it."""

    __slots__ = ("name", "rule", "summary")

    def __init__(self, name: str, rule: str, summary: str) -> None:
        self.name = name
        self.rule = rule
        self.summary = summary

    def __repr__(self) -> str:
        return f"Quirk({self.name}, {self.rule})"


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
        self.subject = subject  # the neutral field that matchers test; "": matchers are ignored
        self.fields = tuple(fields)
        self.defaults: dict[str, JSON] = {f.native: f.default for f in fields if f.default is not ABSENT}
        # Name as a caller may give it -> native key; a native name wins over another field's equal neutral name.
        self.places: dict[str, str] = {field.neutral: field.native for field in fields}
        self.places.update({field.native: field.native for field in fields})
        # The thing that its deny holds back: "call" "prompt" "result"; "act": another one (a compaction, a worktree);
        # "stop": the end of a turn or task; "": nothing can be denied.
        self.guards = guards or _guards(neutral, can)
        self.deniable = self.guards not in ("", "stop")  # a deny refuses an act, not only the end of a turn
        self.named: dict[str, Field] = {field.native: field for field in fields}
        self.types = {field.native: EXACT_TYPES[field.takes] for field in fields if field.takes in EXACT_TYPES}
        self.needed = tuple(field.native for field in fields if field.needed)
        self.limited = tuple(field for field in fields if field.values)
        self.can = can  # a subset of "deny allow ask halt rewrite context output followup env plugins"
        self.order = order
        self.rewrite = rewrite  # the name of a rule in hooks.aggregate.REWRITES
        self.target = target  # the neutral field that the verdict's updated_input replaces: "tool_input", "prompt"
        self.when = when  # a name in hooks.tools.CONDITIONS: fired under a neutral name only if it holds
        self.timeout = timeout  # default timeout of its hooks in seconds; 0: the dialect's
        self.shielded = shielded  # runs although the caller's scope is cancelled: the end of a session
        self.failure = failure or {}  # a member of ``model.ENDED`` -> OPEN or CLOSED; missing: OPEN
        self.summary = summary


def _guards(neutral: tuple[str, ...], can: frozenset[str]) -> str:
    if "deny" in can:
        return next((_GUARDS[name] for name in neutral if name in _GUARDS), "act")
    return "stop" if "followup" in can else ""


class Setting:
    """A setting of a system that a host may give. ``kind``: "string" "boolean" "seconds" "strings" "object"."""

    __slots__ = ("kind", "summary")

    def __init__(self, kind: str, summary: str) -> None:
        self.kind = kind
        self.summary = summary


class Loaded:
    """The contents of a configuration text: its hooks in order, their variables, and diagnostics.

    ``settings``: its other contents (such as a list of disabled hooks), for the dialect's own ``combine``.
    """

    __slots__ = (
        "diagnostics",
        "strict_errors",
        "env",
        "leads",
        "lost",
        "off",
        "off_in_agent",
        "origin",
        "others",
        "permissions",
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
        self.strict_errors: list[Diagnostic] = []  # the warnings that keep a strict engine from loading
        #: The warnings for which the system loads less than this library does: ``check`` reports them as errors.
        self.refused: list[Diagnostic] = []
        #: The warnings due to which the agent does not run hooks that run here: each verdict has a notice of them.
        self.off_in_agent: list[Diagnostic] = []
        self.settings: dict[str, Any] = {}
        self.off: list[tuple[HookSpec, str]] = []  # disabled hooks, and how each was disabled; for ``explain``
        #: Hooks that the system does not run as written: intended hook, notice and diagnostic.
        self.lost: list[tuple[HookSpec, Notice, Diagnostic]] = []
        self.leads = False  # it names other files of hooks, and so may affect every event that these guard
        self.permissions: list[PermissionRule] = []  # the rules of its settings, beside its hooks
        self.others: set[str] = set()  # native events of the hooks that the text configures for other agents

    @property
    def errors(self) -> list[Diagnostic]:
        """The diagnostics that prevent loading."""
        return [diagnostic for diagnostic in self.diagnostics if diagnostic.severity == "error"]


def nameless(row: EventSpec, subjects: tuple[str, ...]) -> bool:
    """Return whether an event is about a tool call without a tool name, so that its matchers have no subject."""
    return row.subject == "tool_name" and not any(subjects)


class Dialect(ABC):
    """One hook system, in one edition."""

    name: ClassVar[str]
    title: ClassVar[str]
    events: ClassVar[Mapping[str, EventSpec]]
    quirks: ClassVar[Mapping[str, Quirk]]
    editions: ClassVar[Mapping[str, frozenset[str]]]  # edition -> the names of its quirks; the first is the default
    file_names: ClassVar[tuple[str, ...]]  # names by which its configuration files are recognised
    tools: ClassVar[Mapping[str, tuple[str, ...]]]  # a kind of tool_kinds -> this system's names, the usual one first
    other_tools: ClassVar[frozenset[str]] = frozenset()  # the system's tools that are of no kind
    #: A kind -> its arguments (by their names in tool_kinds) -> their names in this system, if these differ.
    arguments: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    #: Tool -> all of its arguments, for tools whose arguments the contract lists; other tools may have any argument.
    inputs: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    #: The keys of the old and of the new text in an item of a list of edits.
    edit_items: ClassVar[tuple[str, str]] = ("old_string", "new_string")
    #: The members of its shell's output beside ``stdout`` and ``stderr``; empty if that output is a text.
    shell_output: ClassVar[Mapping[str, JSON]] = {}
    absolute: ClassVar[frozenset[str]] = frozenset()  # the kinds whose tools take absolute paths only
    default_timeout: ClassVar[float] = 60.0  # seconds; for hooks without a timeout of their own or their event's
    timeout_key: ClassVar[tuple[str, str]] = ("timeout", "seconds")  # the key that sets it on a hook, and its unit
    execute_bit: ClassVar[bool] = True  # whether a script that is run by its path must have it
    ends_background: ClassVar[bool] = False  # the program's own shell ends the background jobs of its script
    #: The shell that runs a hook's command on Unix: "sh", "bash"; "": one with bash's syntax, or any.
    shell: ClassVar[str] = ""
    cwd_moves: ClassVar[bool] = False  # hooks start in the agent's current directory, not always in the project's
    #: Variables that the program itself replaces in a command by their quoted values, if written as ``$NAME``.
    pasted: ClassVar[frozenset[str]] = frozenset()
    #: The variables that it sets for its hooks; ``NAME_*`` means all that begin with ``NAME_``.
    variables: ClassVar[tuple[str, ...]] = ()
    session_files: ClassVar[bool] = False  # hooks live on the session's own file system, not on the host's
    #: The settings of this system that a host may give (``HookEngine(settings=...)``).
    settings: ClassVar[Mapping[str, Setting]] = {}
    basis: ClassVar[str] = ""  # the sources of its rules, with the program's version, for the list of systems
    #: The values of ``HookSpec.kind`` whose hooks the host's handlers run.
    handled: ClassVar[tuple[str, ...]] = ()
    event_key: ClassVar[str] = "hook_event_name"  # the key of the event's name in its payloads
    names_events: ClassVar[bool] = True  # whether every payload has ``event_key``
    data_key: ClassVar[str] = ""  # the key that holds an event's own fields in its payloads; "": beside the others
    permission_events: ClassVar[frozenset[str]] = frozenset()  # the events on which rules of the settings decide
    #: The variables that hold the payload, and the path of a file with it, if it is not on stdin.
    payload_variables: ClassVar[tuple[str, ...]] = ()
    config_form: ClassVar[ConfigForm | None] = None  # how its configs are written; None: ``convert`` can't write one

    def __init_subclass__(cls) -> None:
        if "matches" in cls.__dict__:  # hooks are selected by subject without calling it: a guard would be off silently
            raise TypeError(
                f"{cls.__name__} overrides matches: override matches_subject, has_conditions and matches_conditions"
            )

    def __init__(self, edition: str = "") -> None:
        edition = edition or next(iter(self.editions))
        if edition not in self.editions:
            known = ", ".join(self.editions)
            raise UnknownDialectError(f"unknown edition {edition!r} of {self.name} (expected one of: {known})")
        self.edition = edition
        self.active = self.editions[edition]

    @property
    def full_name(self) -> str:
        """``name@edition``."""
        return f"{self.name}@{self.edition}"

    def event(self, name: str) -> tuple[EventSpec, bool]:
        """Return the row of an event by its native or neutral name, and whether the name was neutral.

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
        listed: list[str] = []
        for row in self.events.values():
            listed.append(f"{row.native} ({', '.join(row.neutral)})" if row.neutral else row.native)
        hint = f"it has: {', '.join(listed)}"
        nearest = did_you_mean(name, known)
        if nearest:
            hint = f"{nearest} {hint}"
        raise UnknownEventError(f'{self.title} has no event "{name}"; {hint}')

    def native_events(self, name: str, fields: Mapping[str, JSON], kind: str = "") -> tuple[list[EventSpec], bool]:
        """Return the native events that a name means with these fields, in order, and whether the name was neutral.

        ``kind`` is that of the tool (``hooks.tools.tool_kind``).

        The list is empty for a neutral event that the system does not have. Raises ``UnknownEventError`` for any other
        unknown name.
        """
        if name not in NEUTRAL_EVENTS or name in self.events:
            row, neutral = self.event(name)
            if not neutral:
                return [row], False
        rows = [row for row in self.events.values() if name in row.neutral]
        return [row for row in rows if not row.when or CONDITIONS[row.when](fields, kind)], True

    @cached_property
    def session_keys(self) -> tuple[str, ...]:
        """The native keys of the session's id in its payloads."""
        keys: dict[str, None] = {}
        for row in self.events.values():
            keys.update(dict.fromkeys(field.native for field in row.fields if field.neutral == "session_id"))
        return tuple(keys)

    @cached_property
    def own_tools(self) -> tuple[str, ...]:
        """The names of the system's own tools: those of a kind in the table's order, then the others."""
        names = [name for tools in self.tools.values() for name in tools]
        return tuple(dict.fromkeys([*names, *sorted(self.other_tools)]))

    def natives(self, name: str) -> frozenset[str]:
        """Return the native events that a name can mean, with any fields. Raises ``UnknownEventError``."""
        if name in NEUTRAL_EVENTS and name not in self.events:
            return frozenset(row.native for row in self.events.values() if name in row.neutral)
        return frozenset([self.event(name)[0].native])

    def hook_keys(self) -> tuple[str, ...]:
        """Return the keys that a hook may have in a config."""
        return self.config_form.keys if self.config_form is not None else ()

    def canonical_event(self, name: str) -> str:
        """Return the native name for one of its spellings. Most systems have only one spelling."""
        return name

    # -- configuration ------------------------------------------------------------------------------------------------

    @abstractmethod
    def recognises(self, root: Mapping[str, JSON]) -> bool:
        """Return whether a parsed configuration has this system's shape."""

    @abstractmethod
    def places(self, place: HostContext) -> list[ConfigFile]:
        """Return the configuration files that the system reads, in merge order."""

    def brought(
        self, place: HostContext, settings: Sequence[tuple[ConfigFile, str]], *, at_times: bool = True
    ) -> list[ConfigFile]:
        """Return the further files that settings add (plugins); with ``at_times``, also those that apply only at times.

        ``settings``: the supported files of ``places``, with their texts. By default the list is empty.
        """
        return []

    def bundled(self, place: HostContext) -> list[ConfigFile]:
        """Return the files of a plugin or extension if the working directory is its directory, for ``check``."""
        return []

    @final
    def all_places(self, place: HostContext, *, at_times: bool = True) -> list[ConfigFile]:
        """Return the files of ``places`` and those that their current texts add (``brought``)."""
        files = self.places(place)
        settings = [(file, place.text(file.path)) for file in files if file.supported]
        return [*files, *self.brought(place, settings, at_times=at_times)]

    def leads_to(self, text: str, origin: Origin) -> list[str]:
        """Return the paths of further files of hooks that a file names; they are loaded with it."""
        return []

    @abstractmethod
    def load(self, text: str, origin: Origin, agent: str = "") -> Loaded:
        """Parse one configuration text. Mistakes become diagnostics, never exceptions.

        ``agent`` names one of the agents of a text with several; ``""`` is the first.
        """

    def combine(self, parts: Sequence[Loaded]) -> Loaded:
        """Combine the parsed texts, lowest rank first. By default lists are appended, and later variables win."""
        whole = Loaded()
        for part in parts:
            whole.specs += part.specs
            whole.env.update(part.env)
            whole.diagnostics += part.diagnostics
            whole.strict_errors += part.strict_errors
            whole.refused += part.refused
            whole.off_in_agent += part.off_in_agent
            whole.lost += part.lost
        return whole

    def commands_of(self, spec: HookSpec) -> Sequence[str]:
        """Return the commands of a hook on all operating systems; a review of trust shows the scripts of each."""
        return (spec.command,)

    def not_reviewed(
        self, hooks: Sequence[tuple[HookSpec, Sequence[str]]], place: HostContext
    ) -> Iterator[tuple[HookSpec, str, str]]:
        """Yield (hook, message, hint) for each hook that the agent skips by its own record of reviews, for ``check``.

        ``hooks``: each with the absolute paths of its file. By default the agent has no such record.
        """
        return iter(())

    def contribute(self, whole: Loaded, settings: Mapping[str, JSON]) -> Loaded:
        """Apply the host's settings to the combined configuration. By default it is returned unchanged."""
        return whole

    def added(self, event: str, command: str) -> HookSpec:
        """Return the hook that a command line or a host adds to an event, for every subject.

        Raises ``UnknownEventError``.
        """
        row, _ = self.event(event)
        return HookSpec(row.native, command, timeout=row.timeout or self.default_timeout, key=("added", command))

    # -- tools --------------------------------------------------------------------------------------------------------

    def mcp_names(self, server: str, tool: str) -> tuple[str, ...]:
        """Return the system's names of an MCP server's tool, the usual spelling first; () if it has no single name."""
        return ()

    def shaped_output(self, kind: str, output: JSON) -> JSON:
        """Return an output in the shape of this system's tool of the kind; by default only a shell's text changes."""
        if kind != "shell" or not self.shell_output:
            return output
        if not isinstance(output, str) or isinstance(output, JsonText):
            return output
        return {"stdout": output, "stderr": "", **self.shell_output}

    def plain_output(self, kind: str, output: JSON) -> JSON:
        """Undo ``shaped_output`` for a hook's replacement of the output. A value with more than a text is unchanged."""
        if kind != "shell" or not self.shell_output:
            return output
        if not isinstance(output, dict):
            return output
        text, error = output.get("stdout"), output.get("stderr")
        if not isinstance(text, str) or output.keys() - {"stdout", "stderr", *self.shell_output}:
            return output
        return text + error if isinstance(error, str) else text

    def matches_tool(self, spec: HookSpec, tool: str) -> bool:
        """Return whether a hook's matcher matches a tool of this name, with any arguments."""
        try:
            return spec.pattern is None or bool(spec.pattern.search(tool))
        except Stop:
            return True  # the matcher took too long: the hook may be for this tool

    # -- one event ----------------------------------------------------------------------------------------------------

    def prepare(self, host_context: HostContext) -> None:
        """Compute the part that every job needs once, and store it in ``host_context.base``.

        This default stores the host's environment, which hooks of most systems inherit.
        """
        host_context.base = dict(host_context.env)

    def arrange(self, specs: Sequence[HookSpec], host_context: HostContext) -> Sequence[HookSpec]:
        """Return the hooks, which are in config order, in the order that the home or the settings require."""
        return specs

    @abstractmethod
    def make_event(
        self,
        row: EventSpec,
        neutral: bool,
        fields: Mapping[str, JSON],
        host_context: HostContext,
        session: HookSession | None,
    ) -> HookEvent:
        """Return the event, with this system's payload, for neutral or native fields."""

    def matches_subject(self, spec: HookSpec, row: EventSpec, subjects: tuple[str, ...]) -> bool:
        """Return whether a hook has no matcher, or its matcher matches one of the event's subjects.

        Pure: it is called once for each event and its subjects, and the result is cached (``engine.selection``). A call
        without a tool name runs the hooks of every matcher (decisions required fields).
        """
        pattern = spec.pattern
        if pattern is None or any(map(pattern.search, subjects)):
            return True
        return nameless(row, subjects)

    def has_conditions(self, spec: HookSpec) -> bool:
        """Return whether a hook also has conditions beside its matcher, which ``matches_conditions`` tests for each event."""
        return False

    def matches_conditions(self, spec: HookSpec, event: HookEvent) -> bool:
        """Return whether an event meets the further conditions of a hook; called only if ``has_conditions`` holds."""
        return True

    @final
    def matches(self, spec: HookSpec, event: HookEvent) -> bool:
        """Return whether a hook is for an event: its matcher and its further conditions hold."""
        if not self.matches_subject(spec, event.row, event.subjects):
            return False
        return not self.has_conditions(spec) or self.matches_conditions(spec, event)

    def why(self, spec: HookSpec, event: HookEvent) -> str:
        """Return why the further conditions of a hook hold or fail for an event; ``""`` if only its matcher decides."""
        return ""

    def deduplicate(self, specs: Sequence[HookSpec]) -> list[HookSpec]:
        """Return the hooks in config order, with only the first of those with an equal key."""
        first: dict[Hashable, HookSpec] = {}
        for spec in specs:
            if spec.key is not None:
                first.setdefault(spec.key, spec)
        return [spec for spec in specs if spec.key is None or first[spec.key] is spec]

    def lanes(self, specs: Sequence[HookSpec]) -> list[list[int]]:
        """Return the indexes of the hooks of each lane: the hooks of a lane run in sequence, the lanes in parallel."""
        lanes: dict[Hashable, list[int]] = {}
        for index, spec in enumerate(specs):
            # A hook without a lane has one of its own; a lane's name is in a tuple, so that it never equals an index.
            lane: Hashable = index if spec.lane is None else (spec.lane,)
            lanes.setdefault(lane, []).append(index)
        return list(lanes.values())

    @abstractmethod
    def job(self, event: HookEvent, spec: HookSpec, host_context: HostContext) -> HookJob:
        """Return the job of a hook: its stdin, environment, working directory and timeout."""

    @abstractmethod
    def parse(self, run: HookRun, spec: HookSpec, event: HookEvent) -> HookOutcome:
        """Parse the output of a hook's run into its outcome. Pure."""

    def rewritten(self, event: HookEvent, outcome: HookOutcome) -> HookEvent:
        """Return the event as the next hook of a chain sees it, with the same subjects. Pure; unchanged by default."""
        return event

    @abstractmethod
    def merge(self, event: HookEvent, results: Sequence[HookResult]) -> Verdict:
        """Merge the outcomes, in config order, into a verdict; not called if every hook was silent. Pure."""

    # -- the hook's side: from payload to fields, from verdict to output ----------------------------------------------

    def read(self, payload: Mapping[str, JSON] | str | bytes) -> tuple[str, dict[str, JSON]]:
        """Parse the payload on a hook's stdin into the native event and its fields, for ``fire(event, fields)``.

        JSON text keeps its spelling. Raises ``WireError`` if the payload is not a JSON object or has no event's name,
        and ``UnknownEventError`` for an event that the system does not have.
        """
        fields = dict(payload_fields(payload))
        name = fields.pop(self.event_key, None)
        if not isinstance(name, str):
            raise WireError(f'the payload has no event: {self.title} expects its name in "{self.event_key}"')
        row = self._native(name)
        return row.native, self.fields_of(row, fields)

    def _native(self, name: str) -> EventSpec:
        """Return the row of an event by its native name; a neutral name raises, since it may mean several events."""
        row, neutral = self.event(name)
        if neutral:
            raise UnknownEventError(f'{self.title} has no event "{name}": that is the neutral name of {row.native}')
        return row

    def fields_of(self, row: EventSpec, fields: dict[str, JSON]) -> dict[str, JSON]:
        """Return the fields of a payload as ``make_event`` takes them; unchanged by default."""
        return fields

    def answer(self, event: str, verdict: Verdict, fields: Mapping[str, JSON] | None = None) -> HookOutput:
        """Render a verdict as the output of a hook of this system: its stdout, exit status and stderr.

        ``event`` is a native name. ``fields`` are those that the event was fired with: they show the changes of a
        rewrite and the form of a result. The output is never weaker than the verdict. A part that the system cannot
        express is rendered as the nearest one that is as strict or stricter, with a notice (docs/dialect-answers.md).
        Raises ``UnknownEventError``.
        """
        from .render import Rendering

        return self.render(Rendering(self.title, self._native(event), verdict, fields))

    def render(self, rendering: Rendering) -> HookOutput:
        """Fit a verdict to the answers that this system has, and render it. Pure; raises ``TypeError`` by default."""
        raise TypeError(f"{type(self).__name__} does not implement render()")

    def judge(self, rules: Sequence[PermissionRule], event: HookEvent) -> Ruling:
        """Return the decision of the settings' permission rules on an event. By default they decide nothing."""
        return NO_RULING

    def settle(self, event: HookEvent, verdict: Verdict) -> None:
        """Store the state for later events in the event's session; no other method of a dialect changes state."""
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
