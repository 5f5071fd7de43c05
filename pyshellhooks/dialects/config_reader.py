"""The base class of configuration readers: each error becomes a diagnostic at its position; valid parts are kept."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from ..errors import Diagnostic
from ..hooks.dialect import Loaded
from ..hooks.failure_notices import left_out
from ..hooks.model import HookSpec, Origin, Pattern
from ..hooks.suggest import did_you_mean, is_annotation
from ..jsontext.document import Document, JsonError, Member, Node, read
from .matchers import BadMatcher

HOUR = 3600.0
LONGEST_TIMEOUT = 4_000_000.0  # seconds, 46 days: the longest wait that every platform supports


class ConfigReader(ABC):
    """Reader of one text. A subclass reads the root; ``where`` in its calls names the position, for messages."""

    def __init__(self, text: str, origin: Origin, quirks: frozenset[str] = frozenset()) -> None:
        self.text = text
        self.origin = origin
        self.quirks = quirks
        self.document = Document(text, origin.file)
        self.loaded = Loaded(origin=origin)

    def load(self) -> Loaded:
        """Return the hooks, the variables and the diagnostics."""
        if not self.text:
            self.report(0, "the file is empty: no hooks", severity="warning", code="no-hooks")
            return self.loaded
        try:
            self.document = self.parse()
        except JsonError as error:
            self.report(error.offset, self.unreadable(error), error.hint, code="config-syntax")
            return self.loaded
        root = self.document.root
        if not self.expect(root, "object", f"the config must be {self.article} object"):
            return self.loaded
        self.root(root)
        return self.loaded

    title: ClassVar[str]  # the name of the system, for messages
    article = "a JSON"
    collection = "an object"
    form = ""  # how to write hooks

    def parse(self) -> Document:
        """Parse the text: JSON, with comments. Raises ``JsonError``."""
        return read(self.text, self.origin.file)

    def unreadable(self, error: JsonError) -> str:
        """Return the message for a text that does not parse."""
        return f"invalid JSON in config file {self.origin.file}: {error.message}"

    @abstractmethod
    def root(self, node: Node) -> None:
        """Read the top level, which is an object."""

    # -- diagnostics --------------------------------------------------------------------------------------------------

    def report(self, offset: int, message: str, hint: str = "", severity: str = "error", *, code: str = "") -> None:
        """Add a diagnostic. ``code`` is one of docs/diagnostics.md; by default ``config-invalid`` or ``no-effect``."""
        code = code or ("config-invalid" if severity == "error" else "no-effect")
        self.loaded.diagnostics.append(self.document.diagnostic(offset, message, hint, severity, code=code))

    def warn(self, offset: int, message: str, hint: str = "", *, code: str = "") -> None:
        """Add a warning, which does not prevent loading."""
        self.report(offset, message, hint, "warning", code=code)

    def refuse(self, offset: int, message: str, hint: str) -> None:
        """Warn that the system refuses the file, although this library loads it: an error for ``check``."""
        self.overridden(offset, message, hint)

    def overridden(self, offset: int, message: str, hint: str) -> None:
        """Warn that the system ignores a part that counts here: an error for ``check``."""
        self.warn(offset, message, hint, code="config-refused")
        self.loaded.refused.append(self.loaded.diagnostics[-1])
        self.loaded.off_in_agent.append(self.loaded.diagnostics[-1])

    def report_repeated_keys(self, members: Sequence[Member]) -> None:
        """Report keys that are repeated in these members, or below: the system uses the last one of each."""
        last: dict[str, Member] = {}
        for member in members:
            if earlier := last.get(member.key):
                message = f'"{member.key}" is repeated below: {self.title} uses only the last one'
                self.overridden(earlier.offset, message, f'merge both into one "{member.key}"')
            last[member.key] = member
            for node in _objects(member.node):
                self.report_repeated_keys(node.value)

    def lose(
        self, event: str, where: str, node: Node, reason: str, hint: str = "", diagnostic: Diagnostic | None = None
    ) -> HookSpec:
        """Record a hook that its system does not run as written; each verdict reports it (decisions left out).

        ``diagnostic``: the diagnostic about it; by default the last one.
        """
        command = node.get("command") if node.kind == "object" else None
        text = command.value if command is not None and command.kind == "string" else ""
        spec = HookSpec(event, text, name="" if text.strip() else where, origin=self.place(node))
        self.loaded.lost.append(
            (spec, left_out(reason, hint or "correct it"), diagnostic or self.loaded.diagnostics[-1])
        )
        return spec

    def record_lost_hooks(self, member: Member, meant: str) -> None:
        """Record the hooks of an unknown event as lost hooks of the event that was probably meant."""
        if meant:
            reason = f'unknown event "{member.key}"'
            self.drop(meant, f"hooks.{member.key}", member.node, reason, f'write "{meant}"')

    def drop(self, event: str, where: str, node: Node, reason: str, hint: str = "") -> list[HookSpec]:
        """Record all hooks of a part that its system ignores, and return them."""
        return [self.lose(event, where, hook, reason, hint) for hook in _commands(node) or [node]]

    def place(self, node: Node) -> Origin:
        """Return the origin of a hook at a node: the file, with line and column."""
        return self.origin.at(*self.document.place(node.offset))

    @property
    def mistakes(self) -> int:
        """The number of errors so far; compared before and after a part, it shows whether the part added any."""
        return len(self.loaded.errors)

    # -- reading ------------------------------------------------------------------------------------------------------

    def expect(
        self, node: Node, kind: str, what: str, hint: str = "", *, severity: str = "error", ends: str = ""
    ) -> bool:
        """Return whether a node is of a kind. If not, add a diagnostic: ``what``, the kind found, and ``ends``."""
        if node.kind == kind:
            return True
        self.report(node.offset, f"{what}, not {node.described}{ends}", hint, severity, code="wrong-type")
        return False

    def events_of(self, node: Node) -> Sequence[Member]:
        """Return the members of ``hooks``, an object of events; for another type, add a diagnostic and return ()."""
        if node.kind == "null" or not self.expect(
            node, "object", f"hooks must be {self.collection} of events", self.form
        ):
            return ()
        members: Sequence[Member] = node.value
        return members

    def fields(
        self, where: str, node: Node, known: Iterable[str], *, severity: str = "warning", prefix: str = "field"
    ) -> dict[str, Node]:
        """Return the members of an object that are known and not null; report unknown keys, with "did you mean"."""
        names = tuple(known)
        result: dict[str, Node] = {}
        for member in node.value:
            if member.key not in names:
                self.unknown(where, member, names, severity, prefix)
            elif member.node.kind != "null":
                result[member.key] = member.node
            else:
                result.pop(member.key, None)
        return result

    def unknown(self, where: str, member: Member, names: Iterable[str], severity: str, prefix: str = "field") -> bool:
        """Report an unknown key, unless it is an annotation such as a comment. Return whether it was reported.

        In a hook of an event, ``event`` with the name of that event is an annotation, too.
        """
        names = tuple(names)
        is_label = member.key == "event" and member.node.value in re.split(r"[\s.\[\]]", where)
        if severity == "warning" and (is_label or is_annotation(member.key, names)):
            return False
        self.report(
            member.offset,
            f'{where}: unknown {prefix} "{member.key}"',
            did_you_mean(member.key, names),
            severity,
            code="unknown-key",
        )
        return True

    def string(self, where: str, fields: Mapping[str, Node], name: str) -> str:
        """Read a string field; ``""`` if it is absent or not a string."""
        node = fields.get(name)
        if node is None:
            return ""
        if not self.expect(node, "string", f"{where}: {name} must be a string"):
            return ""
        return str(node.value)

    def boolean(self, where: str, fields: Mapping[str, Node], name: str, default: bool = False) -> bool:
        """Read a boolean field."""
        node = fields.get(name)
        if node is None:
            return default
        hint = f"write {node.value} without quotes" if node.value in ("true", "false") else ""
        if not self.expect(node, "boolean", f"{where}: {name} must be true or false", hint):
            return default
        return bool(node.value)

    def number(self, where: str, fields: Mapping[str, Node], name: str, unit: str) -> float | int | None:
        """Read a number field; None if it is absent or not a number."""
        node = fields.get(name)
        if node is None:
            return None
        if node.kind != "number":
            hint = ""
            if node.kind == "string" and node.value.strip().isdigit():
                hint = f"write {node.value.strip()} without quotes"
            self.report(
                node.offset,
                f"{where}: {name} must be a number of {unit}, not {node.described}",
                hint,
                code="wrong-type",
            )
            return None
        value: float | int = node.value
        return value

    def seconds(self, where: str, fields: Mapping[str, Node], name: str, system: str) -> float | None:
        """Read a time in seconds; accept more than an hour, but warn that it looks like milliseconds."""
        value = self.number(where, fields, name, "seconds")
        if value is None:
            return None
        if value > HOUR:
            hint = f"{system} counts seconds; this looks like milliseconds"
            self.warn(fields[name].offset, f"{where}: a {name} of more than an hour", hint, code="timeout-unit")
        return min(float(value), LONGEST_TIMEOUT)

    def variables_of(self, where: str, node: Node | None) -> dict[str, str]:
        """Read a hook's ``env``."""
        if node is None:
            return {}
        if not self.expect(
            node, "object", f"{where}: env must be an object", ends="; it is ignored", severity="warning"
        ):
            return {}
        variables: dict[str, str] = {}
        for member in node.value:
            value = member.node
            if value.kind == "string":
                variables[member.key] = self.substituted(value.value)
            elif value.kind in ("number", "boolean"):
                variables[member.key] = self.document.text[value.offset : value.end]
                self.warn(
                    value.offset, f"{where}: env.{member.key} must be a string", "put it in quotes", code="wrong-type"
                )
            else:
                message = f"{where}: env.{member.key} must be a string, not {value.described}; it is ignored"
                self.warn(value.offset, message, code="wrong-type")
        return variables

    def substituted(self, text: str) -> str:
        """Return the value of a variable; a system may replace placeholders in it."""
        return text

    def pattern(
        self, where: str, node: Node | None, compile: Callable[[str], Pattern], *, severity: str = "error"
    ) -> Pattern | None:
        """Compile a matcher; None if it is absent or empty, or invalid, in which case a diagnostic is added."""
        if node is None or node.kind != "string" or not node.value:
            return None
        try:
            return compile(node.value)
        except BadMatcher as error:
            hint = 'leave "matcher" out to match every tool' if node.value == "*" else ""
            self.report(
                node.offset,
                f'{where}: invalid matcher regex "{node.value}": {error}',
                hint,
                severity,
                code="matcher-invalid",
            )
            return None


def _commands(node: Node) -> list[Node]:
    """Return the objects with a ``command`` below an event, in groups or not."""
    if node.kind == "array":
        return [command for item in node.value for command in _commands(item)]
    if node.kind != "object":
        return []
    inner = node.get("hooks")
    return [node] if node.get("command") is not None else _commands(inner) if inner is not None else []


def _objects(node: Node) -> Iterator[Node]:
    """Yield the objects in a node: the node itself, or the items of its lists, nested ones included."""
    if node.kind == "object":
        yield node
    elif node.kind == "array":
        for item in node.value:
            yield from _objects(item)
