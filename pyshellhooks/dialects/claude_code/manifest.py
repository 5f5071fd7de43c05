"""Checks of a plugin's manifest, and of its entry in a marketplace's list: permitted values, and refused plugins.

Each row was tried with Claude Code 2.1.332 (claude_code 1.1). A wrong value that only a catalog shows (``description``,
``author``) is left out there, without a refusal of the plugin.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ...hooks.suggest import did_you_mean
from ...jsontext.document import KINDS, Member, Node
from .events import EVENTS
from .plugins import stays_inside
from .tables import DROPS_THE_FILE

if TYPE_CHECKING:
    from .config import Loader

REFUSED = "Claude Code refuses the plugin"
LEFT_OUT = "Claude Code ignores the plugin"
_URL = re.compile(r"https?://\S+\.(?:mcpb|dxt)", re.ASCII)
_OPTION = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_DEEPEST = 3  # levels below a key of the manifest that Claude Code searches for guards outside of hooks


class Part(NamedTuple):
    """The types of a key's value and of an array's items, and the suffixes of a path; ``ends`` None: any text."""

    kinds: tuple[str, ...]
    items: tuple[str, ...] = ()
    ends: tuple[str, ...] | None = None


_PATHS = Part(("string", "array"), ("string",), ("",))
#: Keys of a manifest whose wrong value makes Claude Code refuse the plugin. ``hooks`` has its own reader.
PARTS = {
    "agents": Part(("string", "array"), ("string",), (".md",)),
    "channels": Part(("array",), ("object",)),
    "commands": Part(("string", "array", "object"), ("string",), ("",)),
    "defaultEnabled": Part(("boolean",)),
    "dependencies": Part(("array",), ("string", "object")),
    "lspServers": Part(("string", "array", "object"), ("string", "object"), (".json",)),
    "mcpServers": Part(("string", "array", "object"), ("string", "object"), (".json", ".mcpb", ".dxt")),
    "monitors": Part(("string", "array"), ("object",), (".json",)),
    "outputStyles": _PATHS,
    "settings": Part(("object",)),
    "skills": _PATHS,
    "themes": _PATHS,
    "types": Part(("string",), (), (".d.ts",)),
    "userConfig": Part(("object",)),
    "version": Part(("string",)),
    "workflows": _PATHS,
}
#: The keys of one option in ``userConfig``, and the types of their values.
OPTION_KEYS = {
    "type": ("string",),
    "title": ("string",),
    "description": ("string",),
    "required": ("boolean",),
    "default": ("string", "number", "boolean", "array"),
    "multiple": ("boolean",),
    "sensitive": ("boolean",),
    "min": ("number",),
    "max": ("number",),
    "options": ("array",),
}
OPTION_TYPES = ("string", "number", "boolean", "directory", "file")
#: Keys whose values other readers search for hooks, or none does.
_UNREAD = frozenset({"hooks", "metadata", "mcpServers", "lspServers", "experimental"})


class ManifestReader:
    """Reader of one manifest or entry; ``then``: the consequence of a mistake, for messages."""

    def __init__(self, loader: Loader, then: str) -> None:
        self.loader = loader
        self.then = then

    def refuse(self, node: Node, message: str, hint: str) -> None:
        """Report a mistake that keeps Claude Code from running any hook of the plugin."""
        self.loader.refuse(node.offset, f"{message}: {self.then}", hint)

    def parts(self, root: Node) -> None:
        """Check the name and every key of the table, and look for guards in wrong places."""
        name = root.get("name")
        if name is None or name.kind != "string" or not name.value or " " in name.value:
            self.refuse(name or root, "a plugin needs a name without blanks", 'write "name": "my-plugin"')
        for member in root.value:
            part = PARTS.get(member.key)
            if part is not None:
                self.part(member, part)
            if member.key not in _UNREAD and any(_guards(member, _DEEPEST)):
                message = f'"{member.key}" has guards outside of "hooks"'
                self.refuse(member.node, message, 'put them into "hooks"')

    def part(self, member: Member, part: Part) -> None:
        """Check the value of one key."""
        node = member.node
        if node.kind not in part.kinds:
            expected = _expected(part.kinds)
            self.refuse(
                node, f"{member.key} must be {expected}, not {node.described}", f"write {expected}, or leave it out"
            )
            return
        if member.key == "userConfig":
            self.options(node)
        if member.key == "commands" and node.kind == "object":
            self.commands(node, part)
        if node.kind == "string":
            self.path(member.key, node, part)
        for item in node.value if node.kind == "array" else ():
            if item.kind not in part.items:
                expected = _expected(part.items)
                self.refuse(item, f"{member.key} must hold {expected}, not {item.described}", f"write {expected}")
            elif item.kind == "string":
                self.path(member.key, item, part)

    def path(self, key: str, node: Node, part: Part) -> None:
        """Check a path of a manifest."""
        text = node.value
        is_root = key == "skills" and text == "."
        is_address = key == "mcpServers" and _URL.fullmatch(text) is not None
        if part.ends is None or is_root or is_address:
            return
        if not text.startswith("./") or not text.endswith(part.ends):
            ends = " or ".join(end for end in part.ends if end)
            message = f'{key}: the path "{text}" must begin with ./{f" and end with {ends}" if ends else ""}'
            is_plain = not text.startswith((".", "/", "~")) and text.endswith(part.ends)
            self.refuse(node, message, f'write "./{text}"' if is_plain else "write a path below the plugin's directory")

    def options(self, node: Node) -> None:
        """Check ``userConfig``: the options of the plugin that a user can set."""
        for member in node.value:
            option = member.node
            if not _OPTION.fullmatch(member.key):
                message = f'userConfig: "{member.key}" must consist of letters, digits and _'
                self.refuse(option, message, "rename the option")
            if option.kind != "object":
                self.refuse(
                    option, f"userConfig.{member.key} must be an object, not {option.described}", "write an object"
                )
                continue
            kind = option.get("type")
            if kind is None or kind.value not in OPTION_TYPES:
                message = f"userConfig.{member.key} needs a type: {', '.join(OPTION_TYPES)}"
                self.refuse(kind or option, message, 'write "type": "string"')
            for key in ("title", "description"):
                if option.get(key) is None:
                    self.refuse(option, f"userConfig.{member.key} needs a {key}", f'write "{key}": "..."')
            for item in option.value:
                self.option_key(f"userConfig.{member.key}", item)

    def option_key(self, where: str, member: Member) -> None:
        """Check one key of an option."""
        kinds = OPTION_KEYS.get(member.key)
        if kinds is None:
            hint = did_you_mean(member.key, OPTION_KEYS) or "remove it"
            self.refuse(member.node, f'{where}: unknown key "{member.key}"', hint)
        elif member.node.kind not in kinds:
            expected = _expected(kinds)
            message = f"{where}: {member.key} must be {expected}, not {member.node.described}"
            self.refuse(member.node, message, f"write {expected}")

    def commands(self, node: Node, part: Part) -> None:
        """Check an object of commands: each has either a path or a text."""
        for member in node.value:
            command = member.node
            alternatives = [command.get(key) for key in ("source", "content")] if command.kind == "object" else []
            texts = [alternative for alternative in alternatives if alternative is not None and alternative.value]
            if len(texts) != 1 or texts[0].kind != "string":
                message = f"commands.{member.key} needs one text as source or content"
                self.refuse(command, message, 'write {"source": "./commands/x.md"}')
            elif texts[0] is alternatives[0]:
                self.path(f"commands.{member.key}", texts[0], part)

    # -- hooks of a manifest ------------------------------------------------------------------------------------------

    def hooks(self, node: Node | None) -> None:
        """Read ``hooks``: a path, a list of paths and objects, or the events (claude_code 1.1)."""
        if node is None:
            return
        for item in node.value if node.kind == "array" else (node,):
            if item.kind == "object":
                self.inline(item)
            elif item.kind != "string":
                message = f"hooks must be a path, a list of paths, or an object, not {item.described}"
                self.refuse(item, message, 'write "hooks": "./hooks/hooks.json"')
            elif not item.value.startswith("./") or not item.value.endswith(".json"):
                inside = item.value.endswith(".json") and not item.value.startswith(("/", "."))
                hint = f'write "./{item.value}"' if inside else 'write the path of a file, such as "./hooks/hooks.json"'
                self.refuse(item, f'hooks: the path "{item.value}" must begin with ./ and end with .json', hint)
            elif not stays_inside(item.value):
                message = f'hooks: the path "{item.value}" is outside of the plugin; Claude Code does not read it'
                self.loader.report(item.offset, message, "move the file into the plugin", code="hook-never-runs")

    def inline(self, node: Node) -> None:
        """Read hooks in the manifest itself: the events, without an enclosing ``hooks``."""
        wrapped = node.get("hooks")
        if wrapped is not None and wrapped.kind == "object":
            self.refuse(node, "inline hooks must hold the events directly", 'remove the inner "hooks"')
            node = wrapped
        self.loader.hooks(node)

    # -- entries of a marketplace -------------------------------------------------------------------------------------

    def entry(self, root: Node, is_below: bool) -> None:
        """Read one entry of a marketplace's list. It is checked like a manifest, but its hooks must be an object.

        ``is_below``: its source is a directory of the marketplace.
        """
        self.parts(root)
        source = root.get("source")
        if source is None or not (is_below or source.kind == "object"):
            message = "the source must be a path that begins with ./, or an object"
            self.refuse(source or root, message, 'begin the path with "./"')
        strict = root.get("strict")
        if strict is not None and strict.kind != "boolean":
            self.refuse(strict, f"strict must be true or false, not {strict.described}", "write true or false")
        node = root.get("hooks")
        if node is None:
            return
        if node.kind == "object":
            for member in node.value:
                if member.key not in EVENTS and member.key != "hooks":
                    self.refuse(member.node, f'hooks: Claude Code has no event "{member.key}"', "remove it")
            self.inline(node)
            return
        hint = "move the hooks into hooks/hooks.json of the plugin, or write the events here"
        if node.kind not in ("string", "array"):
            self.refuse(node, f"hooks must be an object, not {node.described}", hint)
            return
        for item in node.value if node.kind == "array" else (node,):
            if item.kind == "object":
                self.inline(item)
        message = f"hooks: in a marketplace's list Claude Code reads only an object, not {node.described}"
        self.loader.refuse(node.offset, message, hint)


def _expected(kinds: Iterable[str]) -> str:
    return " or ".join(KINDS.get(kind, "true or false") for kind in kinds)


def _guards(member: Member, levels: int) -> Iterator[Member]:
    """Yield the members here and below that hold hooks of an event that guards."""
    node = member.node
    if member.key in DROPS_THE_FILE and node.kind != "null" and (node.kind != "array" or node.value):
        yield member
    if levels and node.kind == "object":
        for item in node.value:
            yield from _guards(item, levels - 1)


__all__ = ["LEFT_OUT", "PARTS", "REFUSED", "ManifestReader"]
