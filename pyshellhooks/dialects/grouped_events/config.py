"""Reading of configs of Claude Code's form: events with groups of a matcher and handlers (claude_code 1, 2)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from ...errors import Diagnostic
from ...hooks.dialect import EventSpec, Loaded
from ...hooks.model import HookSpec, Origin, Pattern
from ...hooks.suggest import did_you_mean, nearest
from ...jsontext.document import Document, JsonError, Member, Node, read
from ..config_reader import ConfigReader
from ..matchers import may_match

GROUP_FIELDS = ("matcher", "hooks")
DROPPED = "is dropped"  # our own setting: the system loads nothing of the file
#: The quirk under which a file that the system rejects is off; of equal keys the last one counts.
REFUSED_FILES_ARE_OFF = "refused_files_are_off"


class GroupLoader(ConfigReader):
    """Loader of one file. A subclass reads its top level, its handlers and its matchers."""

    rows: ClassVar[Mapping[str, EventSpec]]
    #: The keys of a group.
    group_fields: ClassVar[tuple[str, ...]] = GROUP_FIELDS
    #: Names from other systems that people write for an event of this system.
    meant: ClassVar[Mapping[str, str]] = {}
    #: Whether the matcher of an event without a subject is ignored; else it must match the empty text.
    runs_without_subject: ClassVar[bool] = True

    def __init__(self, text: str, origin: Origin, quirks: frozenset[str], events: Iterable[str]) -> None:
        super().__init__(text, origin, quirks)
        self.events = frozenset(events)
        self.reading = ""  # the event whose hooks are read
        self.reason = ""  # the last mistake in one of them
        self.unlike_json: JsonError | None = None  # a comment or a trailing comma, which only this library accepts

    @property
    @abstractmethod
    def drops_file(self) -> bool:
        """Whether the system drops the whole file for a mistake in the event that is read; else it ignores the part."""

    @abstractmethod
    def compile_matcher(self, text: str, event: str) -> Pattern:
        """Compile a matcher that is neither empty nor ``*``, which match everything. Raises ``BadMatcher``."""

    @abstractmethod
    def remarks(self, event: str, text: str, pattern: Pattern | None) -> Iterator[tuple[str, str, str]]:
        """Yield (message, hint, code) for each probable mistake in a matcher."""

    @abstractmethod
    def handler(self, event: str, where: str, node: Node, matcher: str, pattern: Pattern | None) -> HookSpec | None:
        """Return the hook of a handler; None, with a diagnostic, if it is wrong or never runs."""

    def nulls(self, where: str, node: Node, known: Sequence[str]) -> None:
        """Report keys with null, if they are a mistake in this system. By default null counts as absent."""

    def parse_strictly(self) -> Document:
        """Parse JSON. Comments and trailing commas are accepted; ``report_unlike_json`` reports them."""
        try:
            return read(self.text, self.origin.file, comments=False)
        except JsonError as error:
            document = super().parse()
            self.unlike_json = error
            return document

    def report_unlike_json(self) -> None:
        """Report a comment or a trailing comma, for which the system does not load the file."""
        if self.unlike_json is not None:
            message = f"{self.unlike_json.message}: {self.title} does not load this file"
            self.refuse(self.unlike_json.offset, message, self.unlike_json.hint)

    # -- diagnostics --------------------------------------------------------------------------------------------------

    @property
    def mistakes(self) -> int:
        """The number of errors so far, including the parts that the system refuses."""
        return super().mistakes + len(self.loaded.refused)

    def report(self, offset: int, message: str, hint: str = "", severity: str = "error", *, code: str = "") -> None:
        """Add a diagnostic. A mistake in an event's hooks turns off these, not the file (decisions refused)."""
        if severity != "error" or not self.reading:
            super().report(offset, message, hint, severity, code=code)
            return
        drops = self.drops_file
        then = f"{self.title} does not load this file" if drops else f"{self.title} ignores it"
        self.warn_left_out(offset, message, hint, code=code or "config-invalid", then=then)
        if drops:
            self.loaded.settings[DROPPED] = True
            self.loaded.off_in_agent.append(self.loaded.diagnostics[-1])

    def warn_left_out(self, offset: int, message: str, hint: str = "", *, code: str, then: str) -> None:
        """Warn about a part that the system leaves out: an error for ``check``. ``then`` names the consequence."""
        self.report_strict_error(offset, f"{message}: {then}", hint, code=code)
        self.loaded.refused.append(self.loaded.diagnostics[-1])
        self.reason = message

    def warn_never_runs(self, offset: int, message: str, hint: str) -> None:
        """Warn about a hook that runs here and never in the agent: an error for ``check``, a notice on verdicts."""
        self.warn(offset, message, hint, code="hook-never-runs")
        self.loaded.off_in_agent.append(self.loaded.diagnostics[-1])

    def refuse(self, offset: int, message: str, hint: str) -> None:
        """Warn about a mistake for which the system, but not this library, drops the file: an error for ``check``."""
        self.loaded.settings[DROPPED] = True
        super().refuse(offset, message, hint)

    def report_strict_error(self, offset: int, message: str, hint: str = "", *, code: str = "") -> None:
        """Warn about a guard that never runs, or not as it was meant; a strict engine does not load such a file."""
        self.warn(offset, message, hint, code=code)
        self.loaded.strict_errors.append(self.loaded.diagnostics[-1])

    # -- hooks --------------------------------------------------------------------------------------------------------

    def hooks(self, node: Node) -> None:
        """Read ``hooks``: event name -> array of groups."""
        for member in self.counting(self.events_of(node)):
            self.event(member)

    def counting(self, members: Sequence[Member]) -> Sequence[Member]:
        """Return the members that count: all, or under ``refused_files_are_off`` the last one of equal keys."""
        if REFUSED_FILES_ARE_OFF not in self.quirks:
            return members
        return list({member.key: member for member in members}.values())

    def event_of(self, name: str) -> str:
        """Return the event on which the hooks under a name run: usually the event of that name."""
        return name

    def event(self, member: Member) -> None:
        """Read the groups of one event."""
        if member.key not in self.events:
            meant = self.meant.get(member.key)
            hint = f'did you mean "{meant}"?' if meant else did_you_mean(member.key, self.events)
            hint = hint or f"it has: {', '.join(name for name in self.rows if name in self.events)}"
            self.report_unknown_event(member, hint)
            self.record_lost_hooks(member, meant or nearest(member.key, self.events))
        node = member.node
        if node.kind == "null":
            return
        event = self.event_of(member.key)
        self.reading = event
        if self.expect(node, "array", f"hooks.{member.key} must be an array", "put it in [ ]"):
            for index, group in enumerate(node.value):
                self.group(event, f"{member.key}[{index}]", group)
        else:
            self.leave_out(event, f"hooks.{member.key}", node)
        self.reading = ""

    def report_unknown_event(self, member: Member, hint: str) -> None:
        """Report an event that the system does not have."""
        message = f'{self.title} has no event "{member.key}"; its hooks never run'
        self.report_strict_error(member.offset, message, hint, code="unknown-event")

    def leave_out(self, event: str, where: str, node: Node) -> list[HookSpec]:
        """Record the hooks of a part as left out for its last mistake, so that verdicts report them. Return them."""
        if event not in self.events:
            return []
        return self.drop(event, where, node, self.reason, self.loaded.diagnostics[-1].hint)

    def group(self, event: str, where: str, node: Node) -> None:
        """Read one group: a matcher and its handlers."""
        hint = 'write {"matcher": "Bash", "hooks": [{"type": "command", "command": "..."}]}'
        if not self.expect(node, "object", f"{where}: must be an object", hint):
            self.leave_out(event, where, node)
            return
        if node.get("hooks") is None:
            self.no_hooks(where, node)
            self.leave_out(event, where, node)
            return
        fields = self.fields(where, node, self.group_fields)
        self.nulls(where, node, self.group_fields)
        mistakes = self.mistakes
        matcher, pattern = self.matcher(event, where, fields.get("matcher"))
        if self.mistakes > mistakes:
            self.leave_out(event, where, node)
            return
        handlers = fields.get("hooks")
        if handlers is None or handlers.kind != "array":
            described = "null" if handlers is None else handlers.described
            self.report(
                (handlers or node).offset,
                f"{where}: hooks must be an array of handlers, not {described}",
                "put it in [ ]",
                code="wrong-type",
            )
            self.leave_out(event, where, node)
            return
        if not handlers.value:
            self.warn(handlers.offset, f"{where}: the group has no hooks", code="no-hooks")
        for index, handler in enumerate(handlers.value):
            spec = self.handler(event, f"{where}.hooks[{index}]", handler, matcher, pattern)
            if spec is not None and event in self.events:
                self.loaded.specs.append(spec)

    def matcher(self, event: str, where: str, node: Node | None, key: str = "matcher") -> tuple[str, Pattern | None]:
        """Return the text of a matcher and its pattern; None if it matches everything or is wrong."""
        if node is None:
            return "", None
        text = self.string(where, {key: node}, key)
        place = node if text != "*" else None
        pattern = self.pattern(where, place, lambda text: self.compile_matcher(text, event), severity="warning")
        if text not in ("", "*") and pattern is None:
            last = self.loaded.diagnostics.pop()
            self.warn_left_out(node.offset, last.message, last.hint, code=last.code, then="its hooks never run")
        elif event in self.events and not self.rows[event].subject and not self.runs_without_subject:
            if pattern is not None and not may_match(pattern, ""):
                message = f"{where}: {event} has nothing that a matcher matches"
                self.warn_left_out(
                    node.offset, message, "leave it out", code="matcher-matches-nothing", then="its hooks never run"
                )
        elif event in self.events:
            for message, hint, code in self.remarks(event, text, pattern):
                self.report_strict_error(node.offset, f"{where}: {message}", hint, code=code)
            if not self.rows[event].subject:
                return "", None
        return text, pattern

    def no_hooks(self, where: str, node: Node) -> None:
        """Report a group without handlers; most often a handler was written in its place."""
        if node.get("command") is None and node.get("type") is None:
            hint = "; ".join(filter(None, (did_you_mean(m.key, GROUP_FIELDS) for m in node.value)))
            self.report(
                node.offset, f'{where}: a group needs "hooks"', hint or 'write {"hooks": [{...}]}', code="missing-key"
            )
            return
        written = self.document.text[node.offset : node.end]
        matcher = node.get("matcher")
        outer = f'"matcher": {self.document.text[matcher.offset : matcher.end]}, ' if matcher is not None else ""
        inner = written if matcher is None and len(written) <= 100 and "\n" not in written else "{...}"
        message = f"{where}: a handler is directly under the event; put it into a group"
        self.report(node.offset, message, f'write {{{outer}"hooks": [{inner}]}}', code="wrong-nesting")


def add_up(parts: Sequence[Loaded], whole: Loaded, title: str, drops: bool) -> None:
    """Add everything but the hooks of the files to ``whole``. ``drops``: a file that the system rejects is off."""
    for part in parts:
        if part.settings.pop(DROPPED, False) and drops:
            whole.off += [(spec, f"{title} does not load {part.origin.file}") for spec in part.specs]
            part.specs = []
        whole.env.update(part.env)
        whole.diagnostics += part.diagnostics
        whole.strict_errors += part.strict_errors
        whole.refused += part.refused
        whole.off_in_agent += part.off_in_agent
        whole.lost += part.lost


def switch_off(whole: Loaded, part: Loaded, by: Loaded, name: str = "") -> None:
    """Switch the hooks of a file off; ``by``: the file with the switch, which is a setting of it or has a ``name``."""
    if not part.specs:
        return
    switch = f"{name or next(iter(by.settings))} of {by.origin.file}"
    count = len(part.specs)
    message = f"{switch} switches off {count} hook{'s' if count > 1 else ''} of this file"
    whole.off += [(spec, f"{switch} switches it off") for spec in part.specs]
    whole.diagnostics.append(Diagnostic(part.origin.file, 0, 0, message, severity="warning", code="switched-off"))
    if by.origin.scope == "project" and part.origin.scope != "project":
        whole.strict_errors.append(whole.diagnostics[-1])  # a project turns off the user's own guards
