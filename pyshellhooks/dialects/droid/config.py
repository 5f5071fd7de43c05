"""Places and contents of Droid's ``hooks.json`` and ``settings.json`` (droid 1, 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...hooks.dialect import ConfigFile, HostContext, Loaded
from ...hooks.model import HookSpec, Origin, Pattern
from ...jsontext.document import Member, Node
from ..grouped_events.config import GROUP_FIELDS, add_up, switch_off
from ..grouped_events.relative import RelativeLoader
from ..matchers import compile_js
from .tables import EVENTS, HANDLERS, TOOL_WORDS

_SWITCH = "hooksDisabled"
_DISPLAY = "showHookOutput"
_FILES = ("settings.json", "hooks/hooks.json", "hooks.json")  # a later one replaces the events of an earlier one


def places(place: HostContext) -> list[ConfigFile]:
    """Return the files of droid 1.1."""
    join = place.join
    user, project = join(place.home, ".factory"), join(place.directories()[0], ".factory")
    files = [ConfigFile(join(user, name), "user") for name in _FILES]
    if project != user:
        files += [ConfigFile(join(project, name), "project") for name in _FILES]
    return files


class DroidPattern:
    """A matcher: the tool's whole name, or an expression that is searched in it (droid 3)."""

    __slots__ = ("name", "regex")

    def __init__(self, name: str, regex: Pattern) -> None:
        self.name = name
        self.regex = regex

    def search(self, subject: str) -> bool:
        """Return whether the subject is the name, or the expression is found in it."""
        return subject == self.name or bool(self.regex.search(subject))


class Loader(RelativeLoader):
    """Loader of one file."""

    title = "Droid"
    form = 'write {"PreToolUse": [{"matcher": "Execute", "hooks": [...]}]}'
    rows = EVENTS
    handlers = HANDLERS
    tool_words = TOOL_WORDS
    group_fields = (*GROUP_FIELDS, "commandRegex")

    def __init__(self, text: str, origin: Origin, quirks: frozenset[str]) -> None:
        super().__init__(text, origin, quirks, EVENTS)
        self.command_pattern: Pattern | None = None  # of the group that is read

    @property
    def drops_file(self) -> bool:
        """Whether Droid ignores the whole file for a mistake: for each one."""
        return True

    def root(self, node: Node) -> None:
        """Read the top level: events, or settings with the events under ``hooks``."""
        hooks = node.get("hooks")
        switches = [member for member in node.value if member.key == _SWITCH]
        if hooks is not None and hooks.kind == "object":
            switches += [member for member in hooks.value if member.key == _SWITCH]
            self.hooks(_events(hooks.value, hooks))
        else:
            self.hooks(_events([member for member in node.value if member.key[:1].isupper()], node))
        for member in switches:
            if self.expect(member.node, "boolean", f"{_SWITCH} must be true or false") and member.node.value:
                self.loaded.settings[_SWITCH] = member.offset

    def group(self, event: str, where: str, node: Node) -> None:
        """Read one group, which may be for some commands only (droid 3)."""
        text = node.get("commandRegex") if node.kind == "object" else None
        self.command_pattern = self.pattern(f"{where}.commandRegex", text, compile_js, severity="warning")
        if text is not None and self.command_pattern is None:
            self.leave_out(event, where, node)
            return
        super().group(event, where, node)

    def compile_matcher(self, text: str, event: str) -> Pattern:
        """Compile a matcher (droid 3)."""
        return DroidPattern(text, compile_js(text))

    def seconds_of(self, event: str, where: str, fields: Mapping[str, Node]) -> float:
        """Return the timeout in seconds."""
        return self.seconds(where, fields, "timeout", self.title) or HANDLERS.timeout

    def complete(self, spec: HookSpec, where: str, fields: Mapping[str, Node]) -> None:
        """Set the condition of the group."""
        if self.command_pattern is not None:
            spec.extra = {**spec.extra, "command_pattern": self.command_pattern}


def _events(members: Sequence[Member], node: Node) -> Node:
    others = (_SWITCH, _DISPLAY)
    return Node("object", [member for member in members if member.key not in others], node.offset, node.end)


def combine(parts: Sequence[Loaded], quirks: frozenset[str]) -> Loaded:
    """Add up the files; in one folder an event of ``hooks.json`` replaces that of ``settings.json`` (droid 1.1)."""
    whole = Loaded()
    add_up(parts, whole, "Droid", drops=False)
    switch = next((part for part in parts if _SWITCH in part.settings), None)
    for index, part in enumerate(parts):
        if switch is not None:
            switch_off(whole, part, switch)
            continue
        later = [other for other in parts[index + 1 :] if _folder(other) == _folder(part)]
        replaced = {spec.event for other in later for spec in other.specs}
        for spec in part.specs:
            if spec.event in replaced:
                whole.off.append((spec, "hooks.json replaces the event"))
            else:
                whole.specs.append(spec)
    return whole


def _folder(part: Loaded) -> str:
    """Return the folder of a file, for both places of ``hooks.json``; ``""`` for a text without a file."""
    folder, _, name = part.origin.file.replace("\\", "/").rpartition("/")
    return folder.removesuffix("/hooks") if name in ("hooks.json", "settings.json") else part.origin.file
