"""Places, contents and mistakes of ``crush.json`` (crush 1)."""

from __future__ import annotations

from collections.abc import Mapping

from ...hooks.dialect import ConfigFile, HostContext
from ...hooks.model import HookSpec, Origin, Pattern
from ...hooks.suggest import did_you_mean, nearest
from ...hooks.tools import KIND_OF
from ...jsontext.compact import JSON, dumps
from ...jsontext.document import Document, Member, Node, read
from ..config_reader import ConfigReader
from ..matchers import compile_re2
from .payload import own_names
from .tables import DEFAULT_TIMEOUT, ENTRY_FIELDS, EVENTS, TOP_LEVEL

_CANONICAL = {name.lower(): name for name in EVENTS}

# Events of other systems that people expect here; Crush never fires them.
_FOREIGN = (
    "PostToolUse",
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "Stop",
    "SubagentStop",
    "Notification",
    "PreCompact",
    "PermissionRequest",
)


def canonical_event(name: str) -> str:
    """Return Crush's own spelling of an event: letter case and ``_`` do not count (crush 1.4)."""
    return _CANONICAL.get(name.replace("_", "").lower(), name)


def recognises(root: Mapping[str, JSON]) -> bool:
    """Return whether a file looks like Crush's: its own top-level keys, or flat entries under PreToolUse."""
    if "crush" in str(root.get("$schema", "")):
        return True
    hooks = root.get("hooks")
    if "version" in root:
        return False  # Firebender's and Cursor's: the same flat entries, under the same event in another spelling
    if not isinstance(hooks, dict):
        return not hooks and bool({"providers", "lsp", "options"} & root.keys())
    for event, entries in hooks.items():
        if canonical_event(event) in EVENTS and isinstance(entries, list):
            return all(isinstance(entry, dict) and "hooks" not in entry for entry in entries)
    return False


def places(place: HostContext) -> list[ConfigFile]:
    """Return the files of crush 1.1, lowest first."""
    env, join = place.env, place.join
    files = [] if place.windows else [ConfigFile("/etc/crush/crush.json", "system")]
    config = env.get("CRUSH_GLOBAL_CONFIG") or join(env.get("XDG_CONFIG_HOME") or join(place.home, ".config"), "crush")
    files.append(ConfigFile(join(config, "crush.json"), "user"))
    files.append(_crushrc(join(config, "crushrc"), "user"))
    data = env.get("CRUSH_GLOBAL_DATA")
    if not data and place.windows and env.get("LOCALAPPDATA") and not env.get("XDG_DATA_HOME"):
        data = join(env["LOCALAPPDATA"], "crush")
    data = data or join(env.get("XDG_DATA_HOME") or join(place.home, ".local", "share"), "crush")
    files.append(ConfigFile(join(data, "crush.json"), "user"))
    directories = place.directories()
    for directory in directories:
        files.append(ConfigFile(join(directory, "crush.json"), "project"))
        files.append(ConfigFile(join(directory, ".crush.json"), "project"))
        files.append(_crushrc(join(directory, "crushrc"), "project"))
        files.append(_crushrc(join(directory, ".crushrc"), "project"))
    workspaces = [join(directory, ".crush") for directory in reversed(directories)]
    workspace = next((path for path in workspaces if place.exists(path)), workspaces[0])
    files.append(ConfigFile(join(workspace, "crush.json"), "project"))
    return files


def _crushrc(path: str, scope: str) -> ConfigFile:
    return ConfigFile(path, scope, supported=False, message="crushrc is not read; put its hooks into a crush.json")


class Loader(ConfigReader):
    """Loader of one ``crush.json``."""

    form = 'write {"hooks": {"PreToolUse": [{"command": "..."}]}}'

    def __init__(self, text: str, origin: Origin, quirks: frozenset[str]) -> None:
        super().__init__(text, origin, quirks)
        self.counts: dict[str, int] = {}

    def parse(self) -> Document:
        """Parse the text; comments are errors under the quirk ``strict_config_json``."""
        return read(self.text, self.origin.file, comments="strict_config_json" not in self.quirks)

    def root(self, node: Node) -> None:
        """Read the top-level keys."""
        for member in node.value:
            self.top_level(member)

    def top_level(self, member: Member) -> None:
        """Read one top-level key, of which only ``hooks`` and ``env`` matter here."""
        name = member.key.lower()
        if name == "hooks":
            self.hooks(member.node)
        elif name == "env":
            self.read_variables(member.node)
        elif name not in TOP_LEVEL and nearest(name, TOP_LEVEL) == "hooks":
            self.report(
                member.offset, f'unknown key "{member.key}"', 'did you mean "hooks"?', "warning", code="unknown-key"
            )

    def read_variables(self, node: Node) -> None:
        """Read ``env``: variables that Crush sets for itself, and so for its hooks (crush 2.2)."""
        if node.kind == "object":
            for member in node.value:
                if member.node.kind == "string":
                    self.loaded.env[member.key] = member.node.value

    def hooks(self, node: Node) -> None:
        """Read ``hooks``: event name -> array of entries."""
        for member in self.events_of(node):
            self.event(member)

    def event(self, member: Member) -> None:
        """Read the entries of one event."""
        event = canonical_event(member.key)
        if event not in EVENTS and "silent_unknown_events" not in self.quirks:
            self.unknown_event(member)
        node = member.node
        if node.kind == "null":
            return
        if not self.expect(node, "array", f"hooks.{member.key} must be an array", "put it in [ ]"):
            return
        for item in node.value:
            index = self.counts.get(event, 0)
            self.counts[event] = index + 1
            self.entry(event, index, item)

    def unknown_event(self, member: Member) -> None:
        """Warn about an event that Crush never fires."""
        hint, meant = did_you_mean(member.key, EVENTS), nearest(member.key, EVENTS)
        if not hint or nearest(member.key, (*EVENTS, *_FOREIGN)) in _FOREIGN:
            hint, meant = f"Crush fires {', '.join(EVENTS)} only", ""
        message = f'Crush has no event "{member.key}"; its hooks never run'
        self.report(member.offset, message, hint, "warning", code="unknown-event")
        self.record_lost_hooks(member, meant)

    def entry(self, event: str, index: int, node: Node) -> None:
        """Read one hook."""
        where = f"hook {event}[{index}]"
        hint = f'write {{"command": {dumps(node.value)}}}' if node.kind == "string" else ""
        if not self.expect(node, "object", f"{where}: must be an object", hint):
            return
        fields: dict[str, Node] = {}
        nested: Member | None = None
        for member in node.value:
            name = member.key.lower()
            if name in ENTRY_FIELDS:
                if member.node.kind != "null":
                    fields[name] = member.node
            elif name == "hooks" and member.node.kind == "array":
                nested = member
            else:
                self.unknown(where, member, ENTRY_FIELDS, "warning")
        before = len(self.loaded.errors)
        command = self.string(where, fields, "command")
        name = self.string(where, fields, "name")
        timeout = self.timeout(where, fields)
        matcher = self.string(where, fields, "matcher")
        if not command and len(self.loaded.errors) == before:
            self.no_command(where, node, nested, fields)
            if nested is not None:
                return
        pattern = self.matcher(where, fields.get("matcher"), matcher)
        if len(self.loaded.errors) > before:
            return
        place = self.origin.at(*self.document.place(node.offset))
        self.loaded.specs.append(
            HookSpec(
                event, command, matcher=matcher, pattern=pattern, timeout=timeout, name=name, origin=place, key=command
            )
        )

    def timeout(self, where: str, fields: Mapping[str, Node]) -> float:
        """Return the timeout in seconds; zero and less mean the default (crush 1.3)."""
        value = self.seconds(where, fields, "timeout", "Crush")
        if value is None:
            return DEFAULT_TIMEOUT
        if "integer_timeout" in self.quirks and not isinstance(fields["timeout"].value, int):
            self.report(
                fields["timeout"].offset, f"{where}: timeout must be a whole number of seconds", code="wrong-type"
            )
        return value if value > 0 else DEFAULT_TIMEOUT

    def matcher(self, where: str, node: Node | None, text: str) -> Pattern | None:
        """Return the pattern of a matcher; None for a missing or empty one, which matches every tool."""
        if node is None or not text:
            return None
        pattern = self.pattern(where, node, compile_re2)
        if pattern is None:
            return None
        foreign = [word for word in text.strip("^$()").split("|") if word in KIND_OF and own_names(word)]
        if foreign and not any(word in own_names(tool) for word in foreign for tool in foreign):
            names = ", ".join(f'{word} is "{own_names(word)[0]}"' for word in foreign)
            self.report(
                node.offset,
                f"{where}: the matcher names another system's tools",
                f"in Crush {names}",
                "warning",
                code="matcher-other-system",
            )
        return pattern

    def no_command(self, where: str, node: Node, nested: Member | None, fields: Mapping[str, Node]) -> None:
        """Report a missing command; for Claude Code's nested form the hint is the flat one."""
        if nested is None:
            place = fields["command"].offset if "command" in fields else node.offset
            self.report(place, f"{where}: command is required", code="missing-key")
            return
        matcher = fields.get("matcher")
        text = _translate(matcher.value) if matcher is not None and matcher.kind == "string" else ""
        written = []
        for inner in nested.node.value:
            command = inner.get("command")
            entry: dict[str, JSON] = {"matcher": text} if text else {}
            entry["command"] = command.value if command is not None and command.kind == "string" else "..."
            timeout = inner.get("timeout")
            if timeout is not None and timeout.kind == "number":
                entry["timeout"] = timeout.value
            written.append(_spaced(entry))
        hint = "write " + ", ".join(written) if written else 'write {"command": "..."}'
        message = f"{where}: command is required; this is Claude Code's nested form, Crush's entries are flat"
        self.report(nested.offset, message, hint, code="wrong-nesting")


def _translate(matcher: str) -> str:
    """Return a Claude Code matcher with Crush's tool names, as far as it is a list of words."""
    if matcher in ("", "*", ".*"):
        return ""
    pieces = matcher.split("|")
    if any(piece in KIND_OF for piece in pieces):
        named = [(own_names(piece) or (piece,))[0] for piece in pieces]
        return f"^({'|'.join(named)})$" if len(named) > 1 else f"^{named[0]}$"
    return matcher


def _spaced(entry: dict[str, JSON]) -> str:
    return "{" + ", ".join(f'"{key}": {dumps(value)}' for key, value in entry.items()) + "}"
