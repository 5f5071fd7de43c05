"""Reading of TOML files whose hooks are flat entries: ``[[hooks]]`` with an event, a matcher and a command."""

from __future__ import annotations

from ..hooks.model import HookSpec
from ..hooks.suggest import nearest
from ..jsontext.document import Document, JsonError, Member, Node
from ..jsontext.toml_document import read_toml
from .grouped_events.relative import RelativeLoader


class TomlHooksLoader(RelativeLoader):
    """Loader of one file. A subclass has the tables; ``handlers.flat`` names the keys of the event and the matcher."""

    article = "a TOML"

    @property
    def drops_file(self) -> bool:
        """Whether the system drops the whole file for a mistake in an entry; else it ignores the entry."""
        return False

    def parse(self) -> Document:
        """Parse the text as TOML, or as the JSON of a mapping that a host gives. Raises ``JsonError``."""
        if self.text.lstrip().startswith("{"):
            return super().parse()
        return read_toml(self.text, self.origin.file)

    def unreadable(self, error: JsonError) -> str:
        """Return the message for a text that does not parse."""
        return f"invalid TOML in config file {self.origin.file}: {error.message.removeprefix('not TOML: ')}"

    def root(self, node: Node) -> None:
        """Read the top level: the entries, and the other settings of the file."""
        for member in node.value:
            if member.key == "hooks":
                self.entries(member.node)
            else:
                self.setting(member)

    def setting(self, member: Member) -> None:
        """Read another key of the top level; by default it is ignored."""

    def entries(self, node: Node) -> None:
        """Read the list of hooks."""
        if not self.expect(node, "array", "hooks must be an array of tables", "write [[hooks]]"):
            return
        for index, entry in enumerate(node.value):
            self.entry(f"hooks[{index}]", entry)
        self.reading = ""

    def entry(self, where: str, node: Node) -> None:
        """Read one hook; a mistake in it turns off this hook only (decisions refused)."""
        self.reading = where
        if not self.expect(node, "object", f"{where}: must be a table", "write [[hooks]]"):
            return
        event = self.event_name(where, node)
        if not event:
            return
        self.reading = event
        mistakes = self.mistakes
        _, key = self.handlers.flat or ("", "matcher")
        matcher, pattern = self.matcher(event, where, node.get(key), key)
        if self.mistakes > mistakes:
            self.leave_out(event, where, node)
            return
        spec = self.handler(event, where, node, matcher, pattern)
        if spec is not None:
            self.loaded.specs.append(self.completed(spec, where, node))

    def completed(self, spec: HookSpec, where: str, node: Node) -> HookSpec:
        """Return the hook of an entry, with what only its system has, such as a name; unchanged by default."""
        return spec

    def event_name(self, where: str, node: Node) -> str:
        """Return the event of an entry; ``""``, with a diagnostic, if it is missing or unknown."""
        key, _ = self.handlers.flat or ("event", "")
        name = node.get(key)
        if name is None:
            message = f"{where}: {key} is required"
            self.report(node.offset, message, f"one of {', '.join(self.rows)}", code="missing-key")
        elif self.expect(name, "string", f"{where}: {key} must be a string"):
            if name.value in self.events:
                return str(name.value)
            self._unknown_event(where, node, name)
        return ""

    def _unknown_event(self, where: str, node: Node, name: Node) -> None:
        """Report an event that the system does not have; the hook is a lost one of the event that was meant."""
        word = str(name.value)
        meant = self.meant.get(word) or nearest(word, self.events)
        hint = f'did you mean "{meant}"?' if meant else f"it has: {', '.join(self.rows)}"
        self.report(name.offset, f'{where}: {self.title} has no event "{word}"', hint, code="unknown-event")
        if meant:
            self.drop(meant, where, node, f'unknown event "{word}"', f'write "{meant}"')

    def type_of(self, where: str, node: Node) -> str:
        """Return the type of an entry, which is always a command."""
        return next(iter(self.handlers.types))
