"""The reader of agent files, and their usual locations (docker_agent 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ...hooks.dialect import CLOSED, ConfigFile, EventSpec, HostContext, Loaded
from ...hooks.model import HookSpec, Origin, Pattern
from ...hooks.suggest import did_you_mean, nearest
from ...hooks.tools import KIND_OF
from ...jsontext.compact import JSON
from ...jsontext.document import Document, JsonError, Member, Node
from ...jsontext.yaml_document import read_yaml
from ..config_reader import ConfigReader
from ..matchers import compile_re2_whole
from .payload import own_names
from .tables import DEFAULT_TIMEOUT, EVENTS, FILE_NAMES, GROUP_FIELDS, HOOK_FIELDS, LATER_EVENTS, LATER_FIELDS

_OF_AN_AGENT = frozenset(["model", "instruction", "toolsets", "sub_agents", "commands"])
_LATER = "only later versions of Docker Agent have it; the documented ones are"


def recognises(root: Mapping[str, JSON]) -> bool:
    """Return whether a file has agents in Docker Agent's form, or hooks in its shape at the root."""
    agents = root.get("agents")
    if isinstance(agents, Mapping) and agents:
        named = [agent for agent in agents.values() if isinstance(agent, Mapping)]
        if len(named) < len(agents) or any("prompt" in agent for agent in named):  # Claude Code's agents have a prompt
            return False
        if "hooks" in root and not _own_hooks(root["hooks"]):
            return False
        return any(_own_hooks(agent["hooks"]) if "hooks" in agent else _OF_AN_AGENT & agent.keys() for agent in named)
    # Cursor's and Firebender's files have an event "stop", too, but a number as version.
    return "agents" not in root and type(root.get("version")) is not int and _own_hooks(root.get("hooks"))


def _own_hooks(hooks: JSON) -> bool:
    if not isinstance(hooks, Mapping) or not hooks or not EVENTS.keys() >= hooks.keys():
        return False
    for event, entries in hooks.items():
        key = "hooks" if EVENTS[event].subject else "type"  # Crush accepts flat entries under pre_tool_use
        if not isinstance(entries, list) or not all(isinstance(entry, Mapping) and key in entry for entry in entries):
            return False
    return any(hooks.values())


def places(place: HostContext) -> list[ConfigFile]:
    """Return the files with the usual names. Docker Agent itself always gets its file by name."""
    return [ConfigFile(place.join(place.cwd, name), "project") for name in FILE_NAMES]


class Loader(ConfigReader):
    """Reader of one agent file: the hooks of one agent, then those at the root. All agents' hooks must be valid."""

    article = "a YAML"
    collection = "a mapping"
    rows: ClassVar[Mapping[str, EventSpec]] = EVENTS
    group_fields: ClassVar[tuple[str, ...]] = GROUP_FIELDS
    hook_fields: ClassVar[tuple[str, ...]] = HOOK_FIELDS
    types: ClassVar[tuple[str, ...]] = ("command",)

    def __init__(self, text: str, origin: Origin, agent: str, quirks: frozenset[str]) -> None:
        super().__init__(text, origin, quirks)
        self.agent = agent
        self.is_chosen = True  # whether the hooks being read belong to the chosen agent or the root

    def parse(self) -> Document:
        """Parse the text as YAML, which includes JSON."""
        document = read_yaml(self.text, self.origin.file)
        if document.root.kind == "null":
            self.warn(0, "the file is empty: no hooks", code="no-hooks")
            document.root = Node("object", [], 0, 0)
        return document

    def unreadable(self, error: JsonError) -> str:
        """Return the message for a text that is not YAML."""
        return error.message

    def root(self, node: Node) -> None:
        """Read ``agents``, and ``hooks`` at the root."""
        agents, hooks = node.get("agents"), node.get("hooks")
        if node.value and agents is None and (hooks is None or hooks.kind == "array"):
            self.report_other_system(hooks)
        for member in node.value:
            if member.key not in ("agents", "hooks") and nearest(member.key, ("agents", "hooks")):
                hint = did_you_mean(member.key, ("agents", "hooks"))
                self.warn(member.offset, f'unknown key "{member.key}"', hint, code="unknown-key")
        if agents is not None:
            self.agents(agents)
        elif self.agent and hooks is None and self.origin.scope != "project":
            self.report(0, f'unknown agent "{self.agent}": the file has no agents')
        self.is_chosen = True
        if hooks is not None and not (hooks.kind == "array" and agents is None):
            self.hooks(hooks)

    def report_other_system(self, hooks: Node | None) -> None:
        """Report that a file is not Docker Agent's. For a file found by its name only, this is a warning."""
        hint = "write the hooks under agents.<name>.hooks"
        if hooks is not None and self.origin.scope != "project":
            self.report(hooks.offset, "hooks must be a mapping of events, not a list", hint, code="wrong-type")
        else:
            self.warn(0, "the file has no agents and no hooks of Docker Agent", hint, code="no-hooks")

    def agents(self, node: Node) -> None:
        """Read the agents; only the hooks of one of them are kept."""
        if not self.expect(node, "object", "agents must be a mapping of names"):
            return
        names = [member.key for member in node.value]
        if self.agent and self.agent not in names:
            hint = " ".join(filter(None, [did_you_mean(self.agent, names), f"the file has: {', '.join(names)}"]))
            self.report(node.offset, f'unknown agent "{self.agent}"', hint)
        chosen = self.agent or next(iter(names), "")
        for member in node.value:
            self.is_chosen = member.key == chosen
            self.read_agent(member)

    def read_agent(self, member: Member) -> None:
        """Read one agent."""
        if member.node.kind == "null":
            return
        if not self.expect(member.node, "object", f"agents.{member.key} must be a mapping"):
            return
        for inner in member.node.value:
            if inner.key == "hooks":
                self.hooks(inner.node)
            elif nearest(inner.key, ("hooks",)):
                self.warn(
                    inner.offset,
                    f'agents.{member.key}: unknown key "{inner.key}"',
                    'did you mean "hooks"?',
                    code="unknown-key",
                )

    def hooks(self, node: Node) -> None:
        """Read ``hooks``: event -> list of groups, or of hooks."""
        for member in self.events_of(node):
            row = self.rows.get(member.key)
            if row is None:
                self.unknown_event(member)
                continue
            items = self.items(member.node)
            if items is not None:
                for index, item in enumerate(items):
                    where = f"hooks.{row.native}[{index}]"
                    if item.kind != "object":
                        hint = "write type: command and command: ..." if item.kind == "string" else ""
                        self.report(
                            item.offset, f"{where} must be a mapping, not {item.described}", hint, code="wrong-type"
                        )
                    elif row.subject:
                        self.group(row, where, item)
                    else:
                        self.hook(row, where, item)
            elif member.node.kind != "null":
                hint = 'put "- " before it' if member.node.kind == "object" else ""
                self.report(
                    member.node.offset,
                    f"hooks.{row.native} must be a list, not {member.node.described}",
                    hint,
                    code="wrong-type",
                )

    def items(self, node: Node) -> Sequence[Node] | None:
        """Return the items of a list; None for another node."""
        return node.value if node.kind == "array" else None

    def unknown_event(self, member: Member) -> None:
        """Report an unknown event."""
        listed = ", ".join(self.rows)
        later = f"{_LATER}: {listed}" if member.key in LATER_EVENTS else ""
        hint = later or did_you_mean(member.key, self.rows) or f"the events are {listed}"
        self.report(member.offset, f'hooks: unknown event "{member.key}"', hint, code="unknown-event")

    def group(self, row: EventSpec, where: str, node: Node) -> None:
        """Read a matcher and its hooks."""
        inner = node.get("hooks")
        if inner is None and (node.get("command") is not None or node.get("type") is not None):
            hint = f"{row.native} takes groups: write - hooks: and below it - type: command, with its command"
            self.report(node.offset, f"{where}: at least one hook is required", hint, code="missing-key")
            return
        before = self.mistakes
        fields = self.fields(where, node, self.group_fields, severity="error", prefix="key")
        matcher = self.string(where, fields, "matcher")
        pattern = None if matcher in ("", "*") else self.matcher(where, fields["matcher"], matcher)
        dropped = matcher not in ("", "*") and pattern is None and self.mistakes == before
        items = self.items(inner) if inner is not None else ()
        if inner is None or inner.kind == "null" or (items is not None and not items):
            self.report(node.offset, f"{where}: at least one hook is required", code="missing-key")
        elif items is None:
            hint = 'put "- " before it' if inner.kind == "object" else ""
            self.report(inner.offset, f"{where}.hooks must be a list, not {inner.described}", hint, code="wrong-type")
        else:
            was_chosen, self.is_chosen = self.is_chosen, self.is_chosen and not dropped
            for index, item in enumerate(items):
                self.hook_of_group(row, f"{where}.hooks[{index}]", item, matcher, pattern)
            self.is_chosen = was_chosen

    def hook_of_group(self, row: EventSpec, where: str, item: Node, matcher: str, pattern: Pattern | None) -> None:
        """Read one hook of a group."""
        if item.kind == "object":
            self.hook(row, where, item, matcher, pattern)
        else:
            self.report(item.offset, f"{where} must be a mapping, not {item.described}", code="wrong-type")

    def matcher(self, where: str, node: Node, text: str) -> Pattern | None:
        """Compile a matcher, which must match the tool's whole name."""
        severity = "warning" if "dropped_groups" in self.quirks else "error"
        pattern = self.pattern(where, node, compile_re2_whole, severity=severity)
        if pattern is None:
            return None
        words = [word for word in text.strip("^$()").split("|") if word in KIND_OF and own_names(word)]
        if words and not any(word in own_names(other) for word in words for other in words):
            names = ", ".join(f'{word} is "{own_names(word)[0]}"' for word in words)
            self.warn(
                node.offset,
                f"{where}: the matcher names another system's tools",
                f"in Docker Agent {names}",
                code="matcher-other-system",
            )
        elif text != text.strip():
            self.warn(node.offset, f"{where}: white space in a matcher counts", f'write "{text.strip()}"')
        return pattern

    def hook(self, row: EventSpec, where: str, node: Node, matcher: str = "", pattern: Pattern | None = None) -> None:
        """Read one hook."""
        before = self.mistakes
        fields: dict[str, Node] = {}
        for member in node.value:
            if member.key not in self.hook_fields:
                hint = self.hint(row, member.key)
                self.report(member.offset, f'{where}: unknown key "{member.key}"', hint, code="unknown-key")
            elif member.node.kind != "null":
                fields[member.key] = member.node
        kind = self.string(where, fields, "type")
        command = self.string(where, fields, "command")
        if self.mistakes == before:
            if not kind:
                self.report(node.offset, f"{where}: type is required", "write type: command", code="missing-key")
            elif kind not in self.types:
                supported = " or ".join(f"'{name}'" for name in self.types)
                message = f"{where}: unsupported hook type '{kind}' (only {supported} is supported)"
                self.report(fields["type"].offset, message, "write type: command")
            elif not command and kind != "model":
                self.report(node.offset, f"{where}: command is required for command hooks", code="missing-key")
            elif kind == "command" and not command.strip():
                self.warn(fields["command"].offset, f"{where}: the command is blank; it does nothing", code="no-hooks")
        timeout = self.timeout(where, fields)
        self.further_fields(row, where, fields)
        if self.mistakes == before and not self.is_chosen:
            self.loaded.others.add(row.native)
        if self.mistakes > before or not self.is_chosen:
            return
        spec = self.spec(row, command, timeout, fields)
        spec.matcher, spec.pattern, spec.origin = matcher, pattern, self.place(node)
        self.loaded.specs.append(spec)

    def further_fields(self, row: EventSpec, where: str, fields: Mapping[str, Node]) -> None:
        """Check the fields of a hook that only some editions have."""

    def spec(self, row: EventSpec, command: str, timeout: float, fields: Mapping[str, Node]) -> HookSpec:
        """Return the hook of valid fields."""
        return make_spec(row, command, self.quirks, timeout)

    def hint(self, row: EventSpec, key: str) -> str:
        """Return the hint about an unknown key of a hook."""
        return _hint(row, key)

    def timeout(self, where: str, fields: Mapping[str, Node]) -> float:
        """Read whole seconds; zero or less means the default (docker_agent 1)."""
        value = self.seconds(where, fields, "timeout", "Docker Agent")
        if value is None:
            return DEFAULT_TIMEOUT
        node = fields["timeout"]
        if not isinstance(node.value, int):
            self.report(
                node.offset,
                f"{where}: timeout must be a whole number of seconds, not {node.value}",
                code="timeout-invalid",
            )
        elif node.value <= 0:
            hint = f"write the seconds, or leave it out for {DEFAULT_TIMEOUT:g}"
            self.warn(node.offset, f"{where}: a timeout of {node.value} means the default", hint)
            return DEFAULT_TIMEOUT
        return value


def _hint(row: EventSpec, key: str) -> str:
    if key in LATER_FIELDS:
        return f"{_LATER}: {', '.join(HOOK_FIELDS)}"
    if key in GROUP_FIELDS:
        return "write matcher beside hooks, in the group" if row.subject else f"{row.native} takes hooks without groups"
    return did_you_mean(key, HOOK_FIELDS)


def make_spec(row: EventSpec, command: str, quirks: frozenset[str], timeout: float = DEFAULT_TIMEOUT) -> HookSpec:
    """Return a hook; under ``failures_deny``, its failure denies if the event can be denied."""
    closed = "failures_deny" in quirks and "deny" in row.can
    return HookSpec(row.native, command, timeout=timeout, key=command, on_failure=CLOSED if closed else None)


def load(text: str, origin: Origin, agent: str, quirks: frozenset[str]) -> Loaded:
    """Read one agent file."""
    return Loader(text, origin, agent, quirks).load()
