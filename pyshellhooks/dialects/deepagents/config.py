"""Places and contents of ``hooks.json`` (deepagents 1, 2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from ...errors import Diagnostic
from ...hooks.dialect import ConfigFile, HostContext, Loaded
from ...hooks.model import HookSpec, Origin, Pattern
from ...jsontext.compact import JSON
from ...jsontext.document import Document, Node
from ..config_reader import LONGEST_TIMEOUT
from ..grouped_events.config import REFUSED_FILES_ARE_OFF, add_up
from ..grouped_events.relative import RelativeLoader
from ..matchers import EVERYTHING, BadMatcher, Exactly, compile_python
from .tables import EVENTS, HANDLERS, TITLE, TOOL_WORDS

FILE = ".deepagents/hooks.json"
_NAMES = re.compile(r"[\w\s,\-|]+")
_PARTS_ARE_OFF = "refused_parts_are_off"


def places(place: HostContext) -> list[ConfigFile]:
    """Return the project's file and the user's, in the order of their results (deepagents 1.1)."""
    project, user = place.join(place.directories()[0], FILE), place.join(place.home, FILE)
    files = [ConfigFile(user, "user")]
    return files if project == user else [ConfigFile(project, "project"), *files]


class Loader(RelativeLoader):
    """Loader of one file."""

    title = TITLE
    form = 'write {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [...]}]}}'
    rows = EVENTS
    handlers = HANDLERS
    tool_words = TOOL_WORDS

    def __init__(self, text: str, origin: Origin, quirks: frozenset[str]) -> None:
        super().__init__(text, origin, quirks, EVENTS)
        self.kept_matchers: list[Diagnostic] = []  # about wrong matchers whose hooks run here

    @property
    def drops_file(self) -> bool:
        """Whether the system drops the whole file for a mistake in a part: it drops the part."""
        return False

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
        elif hooks.kind not in ("object", "array"):
            message = f"hooks must be an object of events, not {hooks.described}: {TITLE} does not load this file"
            self.refuse(hooks.offset, message, self.form)
        elif hooks.kind == "array":
            message = "hooks is a list, the older form, which is not read here; its hooks never decide anything"
            self.warn(hooks.offset, message, self.form, code="config-unsupported")
        else:
            self.hooks(hooks)
            self.loaded.refused += self.kept_matchers
            self.loaded.off_in_agent += self.kept_matchers

    def compile_matcher(self, text: str, event: str) -> Pattern:
        """Compile a matcher: a list of names, or an expression of Python that is searched (deepagents 4)."""
        row = EVENTS.get(event)
        if row is not None and not row.subject:
            raise BadMatcher(f"{event} takes no matcher")
        if _NAMES.fullmatch(text):
            return Exactly(tuple(name.strip() for name in re.split(r"[|,]", text) if name.strip()))
        return compile_python(text)

    def pattern(
        self, where: str, node: Node | None, compile: Callable[[str], Pattern], *, severity: str = "error"
    ) -> Pattern | None:
        """Compile a matcher. For a wrong one the agent drops the group; here its hooks run on every subject."""
        if node is None or node.kind != "string" or not node.value or _PARTS_ARE_OFF in self.quirks:
            return super().pattern(where, node, compile, severity=severity)
        try:
            return compile(node.value)
        except BadMatcher as error:
            message = f'{where}: the matcher "{node.value}" is wrong ({error}): {TITLE} drops the group'
            self.report_strict_error(node.offset, message, "correct it, or leave it out", code="matcher-invalid")
            self.kept_matchers.append(self.loaded.diagnostics[-1])
            return EVERYTHING

    def handler(self, event: str, where: str, node: Node, matcher: str, pattern: Pattern | None) -> HookSpec | None:
        """Return the hook of a handler. The agent drops one with a mistake; here it runs, and verdicts report it."""
        self.reason = ""
        spec = super().handler(event, where, node, matcher, pattern)
        if spec is None or not self.reason:
            return spec
        if _PARTS_ARE_OFF in self.quirks:
            self.leave_handler_out(event, where, node, matcher, pattern)
            return None
        self.loaded.off_in_agent.append(self.loaded.refused[-1])
        return spec

    def seconds_of(self, event: str, where: str, fields: Mapping[str, Node]) -> float:
        """Return the timeout in seconds, which must be above 0; a text with a number counts as one."""
        node, default = fields.get("timeout"), self.default_seconds(event)
        if node is None:
            return default
        if node.kind == "string" and _is_number(node.value):
            value: float | None = float(node.value)
        else:
            value = self.seconds(where, fields, "timeout", TITLE)
        if value is not None and value <= 0:
            self.report(node.offset, f"{where}: timeout must be above 0", "write 1 or more", code="timeout-invalid")
            return default
        return default if value is None else min(value, LONGEST_TIMEOUT)

    def extra(self, where: str, fields: Mapping[str, Node]) -> dict[str, JSON]:
        """Check the fields that decide nothing, and whose types count all the same."""
        self.string(where, fields, "statusMessage")
        if self.boolean(where, fields, "async"):
            self.report(fields["async"].offset, f"{where}: async hooks are not supported", "leave async out")
        return {}


def _is_number(text: str) -> bool:
    return re.fullmatch(r"\s*[0-9]+(?:\.[0-9]+)?\s*", text) is not None


def combine(parts: Sequence[Loaded], quirks: frozenset[str]) -> Loaded:
    """Add up the files (deepagents 1.1)."""
    whole = Loaded()
    add_up(parts, whole, TITLE, REFUSED_FILES_ARE_OFF in quirks)
    for part in parts:
        whole.specs += part.specs
    return whole
