"""The reader of configurations of ``user_hooks`` in their four shapes, and their locations (everruns 1, 2)."""

from __future__ import annotations

from collections.abc import Mapping

from ...hooks.dialect import ConfigFile, HostContext
from ...hooks.model import Origin
from ...hooks.suggest import did_you_mean
from ...jsontext.compact import JSON, dumps
from ...jsontext.document import Document, Member, Node
from ..config_reader import ConfigReader
from .spec import SpecReader
from .tables import (
    CAPABILITY,
    CONFIG_FIELDS,
    LARGEST_CONFIG,
    MOST_HOOKS,
    PAIR_FIELDS,
    SPEC_FIELDS,
)

AGENT, BARE = "agent document", "configuration"


def recognises(root: Mapping[str, JSON]) -> bool:
    """Return whether a text looks like Everruns': capabilities with references, or hooks as a list of specs."""
    capabilities = root.get("capabilities")
    if isinstance(capabilities, list):
        return any(
            isinstance(capability, dict) and isinstance(capability.get("ref"), str) for capability in capabilities
        ) or (CAPABILITY in capabilities)
    hooks = root.get("hooks")
    if isinstance(hooks, list):
        entries = [hook for hook in hooks if isinstance(hook, dict)]
        return not hooks or any(isinstance(entry.get("executor"), dict) or "event" in entry for entry in entries)
    return isinstance(root.get("disabled_contributions"), list) and hooks is None


def places(place: HostContext) -> list[ConfigFile]:
    """Return the pair of files of Everruns' own coding agent, lowest first (everruns 1).

    Any directory from the worktree's root down to the working directory may be its workspace.
    """
    config = place.env.get("XDG_CONFIG_HOME") or place.join(place.home, ".config")
    if place.windows and place.env.get("APPDATA"):
        config = place.env["APPDATA"].replace("\\", "/")
    files = [ConfigFile(place.join(config, "yolop", "hooks.json"), "user")]
    files += [ConfigFile(place.join(path, ".agents", "hooks.json"), "project") for path in place.directories()]
    return files


class Loader(ConfigReader):
    """Reader of one text: an agent's document, a bare configuration, or a list of hooks.

    It sets these keys of ``loaded.settings``: ``shape``, ``configured`` (whether the text configures ``user_hooks``),
    ``order`` (the listed capabilities), ``muted`` and ``dropped`` (lists of (id, Origin)) and ``length`` (of its list).
    """

    def parse(self) -> Document:
        """Parse the text; a list at the top is the list of hooks. Raises ``JsonError``."""
        document = super().parse()
        root = document.root
        if root.kind == "array":
            document.root = Node("object", [Member("hooks", root.offset, root)], root.offset, root.end)
        elif root.kind == "null":
            document.root = Node("object", [], root.offset, root.end)
        return document

    def root(self, node: Node) -> None:
        """Read the top level by its shape."""
        self.loaded.settings.update(configured=False, order=[], muted=[], dropped=[], length=0)
        if node.get("capabilities") is not None:
            self.loaded.settings["shape"] = AGENT
            self.agent(node)
            return
        self.loaded.settings["shape"] = BARE
        if node.get("definition") is not None and node.get("hooks") is None:
            self.definition(node)
        elif node.get("event") is not None and node.get("executor") is not None:
            self.report(node.offset, "this is one hook, not a configuration", 'put it in {"hooks": [ ]}')
        else:
            self.configuration(node, PAIR_FIELDS)

    def definition(self, node: Node) -> None:
        """Report that the declarative form of a bundle is ignored, as it is by Everruns (everruns 1)."""
        offset = next(member.offset for member in node.value if member.key == "definition")
        hint = 'put its hooks into {"hooks": [...]}'
        self.report_strict_error(
            offset, 'the declarative form ("definition") is ignored: its hooks never run', hint, code="hook-never-runs"
        )

    # -- an agent's document ------------------------------------------------------------------------------------------

    def agent(self, node: Node) -> None:
        """Read ``capabilities`` of a harness, an agent or a session."""
        for member in node.value:
            if member.key in CONFIG_FIELDS:
                hint = f'put it into the config of {{"ref": "{CAPABILITY}"}}'
                self.report_strict_error(
                    member.offset, f'"{member.key}" beside capabilities is ignored', hint, code="no-effect"
                )
        entries = node.get("capabilities")
        if entries is None or entries.kind != "array":
            described = entries.described if entries is not None else "null"
            self.report((entries or node).offset, f"capabilities must be an array, not {described}", code="wrong-type")
            return
        for index, entry in enumerate(entries.value):
            self.capability(f"capabilities[{index}]", entry)

    def capability(self, where: str, node: Node) -> None:
        """Read one entry: a name, or a reference with a configuration."""
        ref = node if node.kind == "string" else node.get("ref")
        if ref is None or ref.kind != "string":
            hint = f'write {{"ref": "{CAPABILITY}", "config": {{...}}}}'
            self.report_strict_error(
                node.offset, f"{where}: ref must be a string; the entry is ignored", hint, code="wrong-type"
            )
            return
        order = self.loaded.settings["order"]
        if ref.value not in order:
            order.append(ref.value)
        if ref.value != CAPABILITY:
            self.stranger(where, node, ref)
            return
        if self.loaded.settings["configured"]:
            self.report_strict_error(node.offset, f"{where}: duplicate {CAPABILITY}; only the last one counts")
            self.loaded.specs.clear()
            self.loaded.settings.update(muted=[], dropped=[], length=0)
        self.loaded.settings["configured"] = True
        config = node.get("config")
        if node.kind == "object":
            self.members(where, node, ("ref", "config"))
        if config is None or config.kind == "null":
            return
        if not self.expect(config, "object", f"{where}: config must be an object"):
            return
        self.configuration(config, CONFIG_FIELDS)

    def stranger(self, where: str, node: Node, ref: Node) -> None:
        """Report hooks of another capability whose author may have meant this one, and unread bundles."""
        hint = did_you_mean(str(ref.value), [CAPABILITY])
        config = node.get("config")
        if hint and config is not None and config.get("hooks") is not None:
            self.report_strict_error(
                ref.offset,
                f'{where}: "{ref.value}" is another capability; its hooks never run',
                hint,
                code="hook-never-runs",
            )
        for name in ("user_hooks", "definition"):
            if node.get(name) is not None:
                hint = 'pass the bundle to the engine: settings={"bundles": {...}}'
                self.report_strict_error(
                    node.offset, f'{where}: "{name}" of a capability is ignored', hint, code="no-effect"
                )

    # -- the configuration --------------------------------------------------------------------------------------------

    def configuration(self, node: Node, known: tuple[str, ...]) -> None:
        """Read ``hooks`` and ``disabled_contributions``."""
        self.loaded.settings["configured"] = True
        self.members(CAPABILITY, node, known, nearest=(*known, *SPEC_FIELDS))
        if self.too_large(node):
            return
        self.loaded.settings["muted"] = self.names(node, "disabled_contributions")
        if "disabled" in known:
            self.loaded.settings["dropped"] = self.names(node, "disabled")
        hooks = node.get("hooks")
        if hooks is None or self.misfit(hooks):
            return
        self.loaded.settings["length"] = len(hooks.value)
        if len(hooks.value) > MOST_HOOKS:
            message = f"{CAPABILITY}: {len(hooks.value)} hooks; at most {MOST_HOOKS} are accepted"
            self.report(hooks.offset, message, "put several commands into one hook")
            return
        for index, entry in enumerate(hooks.value):
            SpecReader(self, index, entry).read()

    def misfit(self, hooks: Node) -> bool:
        """Return whether ``hooks`` is not a list; report its type and the form to write."""
        if hooks.kind == "array":
            return False
        hint = 'write {"hooks": [{"event": "pre_tool_use", "executor": {"type": "bash", "command": "..."}}]}'
        if hooks.kind == "object":
            hint = f"each hook names its own event: {hint}"
        self.report(
            hooks.offset, f"{CAPABILITY}.hooks must be an array, not {hooks.described}", hint, code="wrong-type"
        )
        return True

    def too_large(self, node: Node) -> bool:
        """Return whether a configuration has too many bytes as compact JSON; report it."""
        if len(self.text) * 4 <= LARGEST_CONFIG:
            return False
        size = len(dumps(node.plain()).encode("utf-8", "surrogatepass"))
        if size <= LARGEST_CONFIG:
            return False
        self.report(node.offset, f"{CAPABILITY}: {size} bytes of configuration; at most {LARGEST_CONFIG} are accepted")
        return True

    def names(self, node: Node, key: str) -> list[tuple[str, Origin]]:
        """Read a list of ids, each with its origin."""
        ids = node.get(key)
        if ids is None:
            return []
        if not self.expect(ids, "array", f"{CAPABILITY}.{key} must be an array of ids", "put it in [ ]"):
            return []
        for index, item in enumerate(ids.value):
            if item.kind != "string":
                self.report(
                    item.offset,
                    f"{CAPABILITY}.{key}[{index}] must be a string, not {item.described}",
                    code="wrong-type",
                )
        return [(item.value, self.place(item)) for item in ids.value if item.kind == "string"]

    def members(self, where: str, node: Node, known: tuple[str, ...], nearest: tuple[str, ...] = ()) -> None:
        """Report unknown keys: Everruns ignores them, its published schema forbids them (everruns 2)."""
        for member in node.value:
            if member.key not in known:
                hint = did_you_mean(member.key, nearest or known)
                self.report_strict_error(
                    member.offset, f'{where}: unknown field "{member.key}"', hint, code="unknown-key"
                )

    def report_strict_error(self, offset: int, message: str, hint: str = "", *, code: str = "") -> None:
        """Add a warning that is an error for a strict engine."""
        self.warn(offset, message, hint, code=code)
        self.loaded.strict_errors.append(self.loaded.diagnostics[-1])
