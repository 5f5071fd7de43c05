"""Places and contents of ``hooks.json`` (openhands 1, 3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ...hooks.dialect import ConfigFile, HostContext, Loaded
from ...hooks.model import HookSpec, Origin, Pattern
from ...jsontext.compact import JSON
from ...jsontext.document import Document, Member, Node
from ..grouped_events.config import DROPPED, REFUSED_FILES_ARE_OFF, add_up, switch_off
from ..grouped_events.relative import RelativeLoader
from ..matchers import BadMatcher, Exactly, compile_python
from .tables import EVENTS, HANDLERS, SNAKE, TOOL_WORDS

_NAMES = re.compile(r"[A-Za-z0-9_-]+(?:\|[A-Za-z0-9_-]+)*")
_META = frozenset("|.*+?[]()^$\\")
AT_ONCE = 0.001  # seconds


def places(place: HostContext) -> list[ConfigFile]:
    """Return the files of openhands 1.1, in the order of their ranks."""
    user = place.env.get("OH_PERSISTENCE_DIR") or place.join(place.home, ".openhands")
    files = [ConfigFile(place.join(user, "hooks.json"), "user")]
    project = place.join(place.cwd, ".openhands/hooks.json")
    return files if files[0].path == project else [*files, ConfigFile(project, "project")]


class Loader(RelativeLoader):
    """Loader of one file."""

    title = "OpenHands"
    form = 'write {"PreToolUse": [{"matcher": "terminal", "hooks": [...]}]}'
    rows = EVENTS
    handlers = HANDLERS
    tool_words = TOOL_WORDS
    runs_without_subject = False
    rejects_empty = True

    def __init__(self, text: str, origin: Origin, quirks: frozenset[str]) -> None:
        super().__init__(text, origin, quirks, (*EVENTS, *SNAKE))
        self.drops = True

    @property
    def drops_file(self) -> bool:
        """Whether OpenHands rejects the whole file for a mistake: for each one but a handler without a group."""
        return self.drops

    def parse(self) -> Document:
        """Parse JSON without comments."""
        return self.parse_strictly()

    def root(self, node: Node) -> None:
        """Read the top level: the events, or ``hooks`` with the events and other keys, which are ignored."""
        self.report_unlike_json()
        wrapped = [member for member in node.value if member.key == "hooks"]
        self.report_repeated_keys(wrapped or node.value)
        if not wrapped:
            self.hooks(node)
        for member in self.counting(node.value) if wrapped else ():
            if member.key == "hooks":
                self.hooks(member.node)
            elif self.event_of(member.key) in EVENTS:
                message = f'the event "{member.key}" is beside "hooks": OpenHands ignores it'
                self.report(member.offset, message, 'put it into "hooks"', "warning", code="wrong-nesting")
                self.record_lost_hooks(member, member.key)
            else:
                self.unknown(self.origin.file, member, ("hooks",), "warning", "key")

    def hooks(self, node: Node) -> None:
        """Read the events; OpenHands rejects a file with both spellings of one."""
        seen: dict[str, str] = {}
        for member in self.events_of(node):
            other = seen.setdefault(self.event_of(member.key), member.key)
            if other != member.key:
                message = f'"{member.key}" is the same event as "{other}": OpenHands does not load this file'
                self.refuse(member.offset, message, "write the hooks of both under one of them")
        super().hooks(node)

    def event_of(self, name: str) -> str:
        """Return the event of a name in one of its two spellings."""
        return SNAKE.get(name, name)

    def report_unknown_event(self, member: Member, hint: str) -> None:
        """Report an event that OpenHands does not have: it rejects the file."""
        super().report_unknown_event(member, hint)
        self.loaded.settings[DROPPED] = True
        self.loaded.refused.append(self.loaded.diagnostics[-1])
        self.loaded.off_in_agent.append(self.loaded.diagnostics[-1])

    def record_lost_hooks(self, member: Member, meant: str) -> None:
        """Record the hooks of an unknown event as lost hooks of the event that was probably meant."""
        super().record_lost_hooks(member, self.event_of(meant))

    def compile_matcher(self, text: str, event: str) -> Pattern:
        """Compile a matcher: ``/an expression/``, an expression, or a name; each must match the whole name."""
        if _NAMES.fullmatch(text) or not EVENTS[event].subject:
            return Exactly(tuple(text.split("|")))
        if len(text) > 2 and text[0] == text[-1] == "/":
            return compile_python(text[1:-1], whole=True)
        if _META.isdisjoint(text):
            return Exactly((text,))
        try:
            return compile_python(text, whole=True)
        except BadMatcher:
            return Exactly((text,))

    def remarks(self, event: str, text: str, pattern: Pattern | None) -> Iterator[tuple[str, str, str]]:
        """Yield the probable mistakes in a matcher."""
        if isinstance(pattern, Exactly) and not _META.isdisjoint(text) and not _NAMES.fullmatch(text):
            message = f'the matcher "{text}" is an invalid expression: it is compared as a name'
            yield message, "correct the expression", "matcher-invalid"
            return
        yield from super().remarks(event, text, pattern)

    def no_hooks(self, where: str, node: Node) -> None:
        """Report a group without handlers, which OpenHands ignores without rejecting the file."""
        self.drops = False
        super().no_hooks(where, node)
        self.drops = True

    def seconds_of(self, event: str, where: str, fields: Mapping[str, Node]) -> float:
        """Return the timeout; with 0 or less OpenHands ends a hook at once (openhands 1.4)."""
        node = fields.get("timeout")
        if node is None or node.kind != "number" or node.value > 0:
            return super().seconds_of(event, where, fields)
        message = f"{where}: with a timeout of {node.value:g} OpenHands ends the hook at once"
        self.warn_never_runs(node.offset, message, "write whole seconds, 1 or more")
        return AT_ONCE if "zero_times_out" in self.quirks else HANDLERS.timeout

    def nulls(self, where: str, node: Node, known: Sequence[str]) -> None:
        """Report null in a group, for which OpenHands rejects the file."""
        for key in known:
            own = node.get(key)
            if own is not None and own.kind == "null":
                self.report(own.offset, f"{where}: {key} must not be null", "leave it out", code="wrong-type")

    def handler(self, event: str, where: str, node: Node, matcher: str, pattern: Pattern | None) -> HookSpec | None:
        """Return the hook of a handler; a prompt or an agent with a command rejects the file."""
        kind, command = node.get("type"), node.get("command")
        if kind is not None and kind.value in HANDLERS.skipped and command is not None and command.value:
            message = f'{where}: a hook of type "{kind.value}" has no command'
            self.report(command.offset, message, 'leave it out, or write "type": "command"')
        return super().handler(event, where, node, matcher, pattern)

    def extra(self, where: str, fields: Mapping[str, Node]) -> dict[str, JSON]:
        """Return whether OpenHands does not wait for the hook."""
        self.string(where, fields, "name")
        return {"async": self.boolean(where, fields, "async")}


def combine(parts: Sequence[Loaded], quirks: frozenset[str]) -> Loaded:
    """Take the project's file, else the user's: never both (openhands 1.1)."""
    whole = Loaded()
    add_up(parts, whole, "OpenHands", REFUSED_FILES_ARE_OFF in quirks)
    project = next((part for part in parts if part.origin.scope == "project"), None)
    for part in parts:
        if project is not None and part.origin.scope == "user":
            switch_off(whole, part, project, "the precedence")
        else:
            whole.specs += part.specs
    return whole
