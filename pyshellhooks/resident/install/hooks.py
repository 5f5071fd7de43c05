"""The hooks of a settings file that can move behind the client, and the reasons why others stay."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from ...hooks.dialect import PARALLEL, Dialect, EventSpec, Loaded
from ...hooks.installed import is_client
from ...hooks.model import HookSpec
from ...jsontext.document import Member, Node
from ...limits import GRACE
from .settings import Settings
from .targets import Refused

NESTED = frozenset({"claude_code", "codex", "gemini"})  # systems whose hooks are in groups
_HANDLERS: dict[str, frozenset[str]] = {
    "claude_code": frozenset({"type", "command", "args", "if", "timeout", "statusMessage", "shell", "onFailure"}),
    "gemini": frozenset({"type", "command", "name", "timeout", "description", "env"}),
    "codex": frozenset({"type", "command", "commandWindows", "command_windows", "timeout", "statusMessage"}),
    "crush": frozenset({"command", "matcher", "timeout", "name"}),
    "cursor": frozenset({"type", "command", "timeout", "loop_limit", "matcher", "failClosed"}),
    "firebender": frozenset({"type", "command", "timeout", "loop_limit", "matcher", "failClosed"}),
}
_GROUPS = {
    "claude_code": frozenset({"matcher", "hooks"}),
    "codex": frozenset({"matcher", "hooks"}),
    "gemini": frozenset({"matcher", "sequential", "hooks"}),
}
_BY_AGENT = ("async", "asyncRewake", "once", "additionalContextLimit")
_SHELLS = ("", "bash", "sh")
_TOO_SHORT = "Codex ends its hooks after 3 seconds, too soon for the entry"
#: Events whose hooks stay, and why.
_STAYING = {
    ("claude_code", "FileChanged"): "its matcher is also the list of files that Claude Code watches",
    ("codex", "SessionEnd"): _TOO_SHORT,
    ("codex", "Interrupt"): _TOO_SHORT,
}
#: Seconds for all hooks of an event together, in spite of longer timeouts (claude_code 2).
CAPS = {("claude_code", "SessionEnd"): 60.0}
LONGEST = 2_000_000.0  # seconds: a JavaScript timer of more than 2**31 milliseconds fires at once

TRANSPORT = 1.0  # seconds for the event and the answer between the client and the engine
AFTERWARDS = GRACE + TRANSPORT  # seconds that the client waits after the timeouts of the hooks
MARGIN = 5.0  # seconds by which the entry's timeout exceeds the client's


class Hook(NamedTuple):
    """One hook of a file: its node, its spec for the dialect, and the reason why it stays (``""``: it moves)."""

    node: Node
    spec: HookSpec | None
    stays: str


class Element(NamedTuple):
    """One element of an event's array: a group with its hooks, or a flat entry, which is one hook."""

    node: Node
    hooks: tuple[Hook, ...]

    @property
    def all_move(self) -> bool:
        """Whether all of its hooks move."""
        return bool(self.hooks) and not any(hook.stays for hook in self.hooks)

    @property
    def any_moves(self) -> bool:
        """Whether any of its hooks moves."""
        return any(not hook.stays for hook in self.hooks)


class Event(NamedTuple):
    """One event of a file. ``row``: None for an event that the system does not have."""

    member: Member
    row: EventSpec | None
    elements: tuple[Element, ...]

    @property
    def moved(self) -> list[HookSpec]:
        """The hooks that move."""
        return [hook.spec for hook in self.all_hooks if not hook.stays and hook.spec is not None]

    @property
    def all_hooks(self) -> list[Hook]:
        """All hooks."""
        return [hook for element in self.elements for hook in element.hooks]


def read_events(settings: Settings, hooks: Node, dialect: Dialect, loaded: Loaded) -> list[Event]:
    """Return the events of a file with their hooks, each marked to move or to stay. Raises ``Refused``."""
    # Refuse a file with an invalid hook, which would be lost; parts that only the system refuses are kept.
    wrong = loaded.errors + [diagnostic for diagnostic in loaded.refused if diagnostic.code != "config-refused"]
    if wrong:
        raise Refused("\n".join(map(str, wrong[:5])) + "\nfix it first; `pyshellhooks check` lists all mistakes")
    if hooks.kind == "null":
        return []
    specs = {(spec.origin.line, spec.origin.column): spec for spec in loaded.specs}
    disabled = frozenset(identity for identity, _ in loaded.settings.get("disabled", ()))
    events: dict[str, Event] = {}
    for member in hooks.value:
        name = dialect.canonical_event(member.key)
        if name in events:
            line = settings.line(member.offset)
            raise Refused(f'{settings.path}:{line}: duplicate event "{member.key}"; merge both first')
        row = dialect.events.get(name)
        elements: list[Element] = []
        if row is not None and member.node.kind == "array":
            elements = [_element(settings, item, dialect, row, specs, disabled) for item in member.node.value]
        events[name] = Event(member, row, tuple(_keep_order(elements, dialect)))
    return list(events.values())


def _element(
    settings: Settings,
    node: Node,
    dialect: Dialect,
    row: EventSpec,
    specs: Mapping[tuple[int, int], HookSpec],
    disabled: frozenset[str],
) -> Element:
    """Return a group or a flat entry with its hooks, each marked to move or to stay."""
    stays = _STAYING.get((dialect.name, row.native), "")
    nodes: Sequence[Node] = [node]
    if dialect.name in NESTED:
        nodes = _hooks_of_group(node)
        keys = {member.key for member in node.value} if node.kind == "object" else set()
        stays = stays or _unknown(keys - _GROUPS[dialect.name])
    hooks = []
    for handler in nodes:
        spec = specs.get(settings.document.place(handler.offset))
        hooks.append(Hook(handler, spec, stays or _stays(handler, spec, dialect.name, disabled)))
    lane = node.get("sequential")
    if lane is not None and lane.value is True:
        hooks = _keep_together(hooks, "the hooks of its group run in sequence, and one of them stays")
    return Element(node, tuple(hooks))


def _hooks_of_group(group: Node) -> Sequence[Node]:
    hooks = group.get("hooks")
    if hooks is None or hooks.kind != "array":
        return []
    nodes: Sequence[Node] = hooks.value
    return nodes


def _stays(node: Node, spec: HookSpec | None, system: str, disabled: frozenset[str]) -> str:
    """Return the reason why a hook stays, or ``""`` if it moves."""
    if spec is None:
        return "the system does not run it as written; see `pyshellhooks check`"
    if spec.kind != "command":
        return f"its type is {spec.kind}"
    fields: dict[str, Node] = {}
    for member in node.value:
        fields[member.key.lower() if system == "crush" else member.key] = member.node  # Crush ignores case (Go)
    for name in _BY_AGENT:
        value = fields.pop(name, None)
        if value is not None and value.value not in (False, None):
            return f'"{name}" needs the agent'
    shell = fields.get("shell")
    if shell is not None and shell.value not in (None, *_SHELLS):
        return f"its shell is {shell.value}"
    kind = fields.get("type")
    if kind is not None and kind.value not in ("command", None):
        return f"its type is {kind.value}"
    if spec.title in disabled:
        return "hooksConfig.disabled turns it off"
    if is_client(spec.command):
        return "it already runs pyshellhooks-hook"
    return _unknown(fields.keys() - _HANDLERS[system])


def _unknown(keys: Any) -> str:
    if not keys:
        return ""
    return f"unknown fields: {', '.join(sorted(keys))}"


def _keep_together(hooks: Sequence[Hook], why: str) -> list[Hook]:
    """Mark all hooks to stay if one of them stays."""
    if not any(hook.stays for hook in hooks):
        return list(hooks)
    return all_stay(hooks, why)


def all_stay(hooks: Sequence[Hook], why: str) -> list[Hook]:
    """Mark all hooks to stay; a hook that stays for a reason of its own keeps that."""
    return [hook._replace(stays=hook.stays or why) for hook in hooks]


def _keep_order(elements: Sequence[Element], dialect: Dialect) -> list[Element]:
    """Mark all hooks to stay if one that stays is between hooks that would move: their order would change.

    Claude Code's hooks have no order (claude_code 4).
    """
    flags = [bool(hook.stays) for element in elements for hook in element.hooks]
    if dialect.name == "claude_code" or False not in flags:
        return list(elements)
    begin, end = flags.index(False), len(flags) - flags[::-1].index(False)
    if True not in flags[begin:end]:
        return list(elements)
    why = "a hook that stays is between the hooks that would move, and their order matters"
    return [Element(element.node, tuple(all_stay(element.hooks, why))) for element in elements]


def total(dialect: Dialect, row: EventSpec, specs: Sequence[HookSpec]) -> float:
    """Return the most seconds that hooks take: the longest timeout in parallel, the sum one after another."""
    lanes = dialect.lanes(specs) if row.order == PARALLEL else [list(range(len(specs)))]
    return max(sum(specs[place].timeout for place in lane) for lane in lanes)


def matcher(dialect: Dialect, row: EventSpec, specs: Sequence[HookSpec]) -> str:
    """Return the matcher of the entry: the names in its hooks' matchers, ``""`` if one is not a plain list of names."""
    if not row.subject or any(spec.pattern is None for spec in specs):
        return ""
    names: dict[str, None] = {}
    plain = _plain(dialect.name in ("claude_code", "codex"))
    for text in dict.fromkeys(spec.matcher for spec in specs):
        if not plain.fullmatch(text):
            return ""
        # ^(A|B)$ stays whole, as its anchors belong to both names.
        names |= dict.fromkeys([text] if "^" in text else text.split("|"))
    return "|".join(names)


@lru_cache(2)
def _plain(exact: bool) -> re.Pattern[str]:
    """Return a pattern for names with ``|`` between them; if matchers are regular expressions, also with anchors."""
    names = "[A-Za-z0-9_]+(?:[|][A-Za-z0-9_]+)*"
    return re.compile(names if exact else rf"{names}|\^[A-Za-z0-9_]+\$|\^\({names}\)\$")


def loop_limit(specs: Sequence[HookSpec]) -> dict[str, Any]:
    """Return the entry's ``loop_limit``, the largest of its hooks (None: no limit), or ``{}`` if no hook sets one."""
    if not any("loop_limit" in spec.extra for spec in specs):
        return {}
    limits = [spec.extra.get("loop_limit", 5) for spec in specs]  # 5 is the default of Cursor and Firebender
    if None in limits:
        return {"loop_limit": None}
    return {"loop_limit": max(limits)}
