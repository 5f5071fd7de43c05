"""Reading of the config that is converted: its hooks, each with its keys and their places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ..engine.config import loading
from ..errors import ConfigError
from ..hooks.dialect import Dialect, EventSpec, Loaded
from ..hooks.model import HookSpec, Origin
from ..jsontext.document import Document, Member, Node, read


class SourceHook(NamedTuple):
    """One hook. ``keys``: its keys in the file, those of its executor included; ``group``: those of the group around it."""

    spec: HookSpec
    row: EventSpec
    keys: Mapping[str, Node]
    group: Mapping[str, Node]

    def origin(self, node: Node, document: Document) -> Origin:
        """Return the place of one of its keys."""
        return self.spec.origin.at(*document.place(node.offset))


class SourceConfig(NamedTuple):
    """A config, as its system loads it. ``loaded`` also has the hooks that the system does not run as they are written.

    ``off``: the hooks that the config switches off, each with the reason.
    """

    dialect: Dialect
    file: str
    document: Document
    hooks: tuple[SourceHook, ...]
    loaded: Loaded
    off: tuple[tuple[HookSpec, str], ...]


def read_config(source: loading.Source, dialect: Dialect, agent: str = "") -> SourceConfig:
    """Read one config. Raises ``ConfigError`` for a file that can't be read or has a mistake."""
    if source.diagnostic is not None:
        raise ConfigError([source.diagnostic])
    loaded = dialect.load(source.text, Origin(source.name), agent)
    if loaded.errors:
        raise ConfigError(loaded.diagnostics)
    document = _parse(source, dialect)
    nodes = dict(_hooks_in(document))
    form = dialect.config_form
    inner = form.inner if form is not None else ""
    hooks = []
    whole = dialect.combine([loaded])
    for spec in whole.specs:
        row = dialect.events.get(spec.event)
        node, group = nodes.get((spec.origin.line, spec.origin.column), (None, None))
        if row is not None:
            hooks.append(SourceHook(spec, row, _keys(node, inner), _keys(group, "")))
    return SourceConfig(dialect, source.name, document, tuple(hooks), loaded, tuple(whole.off))


def _parse(source: loading.Source, dialect: Dialect) -> Document:
    """Parse the text of a config again, for the places of its keys."""
    form = dialect.config_form
    suffix = form.suffix if form is not None else "json"
    if source.name.endswith(".toml") or (suffix == "toml" and not source.name.endswith(".json")):
        from ..jsontext.toml_document import read_toml

        return read_toml(source.text, source.name)
    if source.name.endswith((".yaml", ".yml")) or suffix == "yaml":
        from ..jsontext.yaml_document import read_yaml

        return read_yaml(source.text, source.name)
    return read(source.text, source.name)


def _hooks_in(document: Document) -> Iterator[tuple[tuple[int, int], tuple[Node, Node | None]]]:
    """Yield each object by its place, with the object whose list ``hooks`` has it."""
    pending: list[tuple[Node, Node | None]] = [(document.root, None)]
    while pending:
        node, group = pending.pop()
        if node.kind == "array":
            pending += [(item, group) for item in node.value]
        elif node.kind == "object":
            yield document.place(node.offset), (node, group)
            for member in node.value:
                pending.append((member.node, node if member.key == "hooks" else None))


def _keys(node: Node | None, inner: str) -> dict[str, Node]:
    """Return the keys of an object that are not null; those of the object ``inner`` in its place."""
    if node is None or node.kind != "object":
        return {}
    keys: dict[str, Node] = {}
    members: list[Member] = node.value
    for member in members:
        if member.node.kind == "null":
            continue
        if inner and member.key == inner:
            keys.update(_keys(member.node, ""))
        else:
            keys[member.key] = member.node
    return keys
