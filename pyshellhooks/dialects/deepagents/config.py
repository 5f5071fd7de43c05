"""Places and contents of ``hooks.json`` (deepagents 1, 2)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ...hooks.dialect import ConfigFile, HostContext, Loaded
from ...hooks.model import Origin, Pattern
from ...jsontext.compact import JSON
from ...jsontext.document import Document, Node
from ..grouped_events.config import REFUSED_FILES_ARE_OFF, add_up
from ..grouped_events.kept_parts import KeptPartsLoader
from ..matchers import BadMatcher, Exactly, compile_python
from .tables import EVENTS, HANDLERS, TITLE, TOOL_WORDS

FILE = ".deepagents/hooks.json"
_NAMES = re.compile(r"[\w\s,\-|]+")


def places(place: HostContext) -> list[ConfigFile]:
    """Return the project's file and the user's, in the order of their results (deepagents 1.1)."""
    project, user = place.join(place.directories()[0], FILE), place.join(place.home, FILE)
    files = [ConfigFile(user, "user")]
    return files if project == user else [ConfigFile(project, "project"), *files]


class Loader(KeptPartsLoader):
    """Loader of one file."""

    title = TITLE
    form = 'write {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [...]}]}}'
    rows = EVENTS
    handlers = HANDLERS
    tool_words = TOOL_WORDS

    def __init__(self, text: str, origin: Origin, quirks: frozenset[str]) -> None:
        super().__init__(text, origin, quirks, EVENTS)

    def parse(self) -> Document:
        """Parse JSON without comments."""
        return self.parse_strictly()

    def root(self, node: Node) -> None:
        """Read the top level; keys other than ``hooks`` are ignored."""
        self.report_unlike_json()
        self.report_repeated_keys([member for member in node.value if member.key == "hooks"])
        hooks = node.get("hooks")
        if hooks is None:
            self.refuse(node.offset, f"{TITLE} does not load a file without hooks", self.form)
        elif hooks.kind == "array":
            message = "hooks is a list, the older form, which is not read here; its hooks never decide anything"
            self.warn(hooks.offset, message, self.form, code="config-unsupported")
        elif hooks.kind != "object":
            message = f"hooks must be an object of events, not {hooks.described}: {TITLE} does not load this file"
            self.refuse(hooks.offset, message, self.form)
        else:
            self.hooks(hooks)

    def compile_matcher(self, text: str, event: str) -> Pattern:
        """Compile a matcher: a list of names, or an expression of Python that is searched (deepagents 4)."""
        row = EVENTS.get(event)
        if row is not None and not row.subject:
            raise BadMatcher(f"{event} takes no matcher")
        if _NAMES.fullmatch(text):
            return Exactly(tuple(name.strip() for name in re.split(r"[|,]", text) if name.strip()))
        return compile_python(text)

    def seconds_of(self, event: str, where: str, fields: Mapping[str, Node]) -> float:
        """Return the timeout in seconds, which must be above 0."""
        value = self.written_seconds(where, fields)
        if value is not None and value <= 0:
            offset = fields["timeout"].offset
            self.report(offset, f"{where}: timeout must be above 0", "write 1 or more", code="timeout-invalid")
            value = None
        return self.default_seconds(event) if value is None else value

    def extra(self, where: str, fields: Mapping[str, Node]) -> dict[str, JSON]:
        """Check the fields that decide nothing, and whose types count all the same."""
        self.string(where, fields, "statusMessage")
        if self.boolean(where, fields, "async"):
            self.report(fields["async"].offset, f"{where}: async hooks are not supported", "leave async out")
        return {}


def combine(parts: Sequence[Loaded], quirks: frozenset[str]) -> Loaded:
    """Add up the files (deepagents 1.1)."""
    whole = Loaded()
    add_up(parts, whole, TITLE, REFUSED_FILES_ARE_OFF in quirks)
    for part in parts:
        whole.specs += part.specs
    return whole
