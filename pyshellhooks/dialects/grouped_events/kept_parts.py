"""Loader for systems that check their configs with pydantic and drop the parts that are wrong.

A guard would be lost with such a part. So it runs here, with a notice on each verdict and an error in ``check``; under
``refused_parts_are_off`` it is off as in the agent.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ...errors import Diagnostic
from ...hooks.dialect import Loaded
from ...hooks.model import HookSpec, Origin, Pattern
from ...jsontext.document import Node
from ..config_reader import LONGEST_TIMEOUT
from ..matchers import EVERYTHING, BadMatcher
from .relative import RelativeLoader

REFUSED_PARTS_ARE_OFF = "refused_parts_are_off"
_NUMBER = re.compile(r"\s*-?[0-9]+(?:\.[0-9]+)?\s*")
_TRUE = frozenset(["1", "t", "true", "y", "yes", "on"])
_FALSE = frozenset(["0", "f", "false", "n", "no", "off"])


def as_boolean(text: str) -> bool | None:
    """Return the truth value for which pydantic takes a text; None for another text."""
    word = text.lower()
    if word in _TRUE:
        return True
    return False if word in _FALSE else None


class KeptPartsLoader(RelativeLoader):
    """Loader of one file."""

    def __init__(self, text: str, origin: Origin, quirks: frozenset[str], events: Mapping[str, object]) -> None:
        super().__init__(text, origin, quirks, events)
        self.kept_matchers: list[Diagnostic] = []  # about wrong matchers whose hooks run here
        self.keeps = REFUSED_PARTS_ARE_OFF not in quirks

    @property
    def drops_file(self) -> bool:
        """Whether the system drops the whole file for a mistake in a part: it drops the part."""
        return False

    def load(self) -> Loaded:
        """Return the hooks, the variables and the diagnostics."""
        loaded = super().load()
        # Not earlier: a mistake leaves out the group that is read.
        loaded.refused += self.kept_matchers
        loaded.off_in_agent += self.kept_matchers
        return loaded

    def pattern(
        self, where: str, node: Node | None, compile: Callable[[str], Pattern], *, severity: str = "error"
    ) -> Pattern | None:
        """Compile a matcher. For a wrong one the agent drops the hooks; here they run on every subject."""
        if node is None or node.kind != "string" or not node.value or not self.keeps:
            return super().pattern(where, node, compile, severity=severity)
        try:
            return compile(node.value)
        except BadMatcher as error:
            message = f'{where}: the matcher "{node.value}" is wrong ({error}): {self.title} drops its hooks'
            self.report_strict_error(node.offset, message, "correct it, or leave it out", code="matcher-invalid")
            self.kept_matchers.append(self.loaded.diagnostics[-1])
            return EVERYTHING

    def handler(self, event: str, where: str, node: Node, matcher: str, pattern: Pattern | None) -> HookSpec | None:
        """Return the hook of a handler. The agent drops one with a mistake; here it runs, and verdicts report it."""
        self.reason = ""
        spec = super().handler(event, where, node, matcher, pattern)
        if spec is None or not self.reason:
            return spec
        if not self.keeps:
            self.leave_handler_out(event, where, node, matcher, pattern)
            return None
        self.loaded.off_in_agent.append(self.loaded.refused[-1])
        return spec

    def written_seconds(self, where: str, fields: Mapping[str, Node]) -> float | None:
        """Return the timeout in the file, None without one; a text with a number counts as the number."""
        node = fields.get("timeout")
        if node is not None and node.kind == "string" and _NUMBER.fullmatch(node.value):
            return min(float(node.value), LONGEST_TIMEOUT)
        return self.seconds(where, fields, "timeout", self.title)

    def boolean(self, where: str, fields: Mapping[str, Node], name: str, default: bool = False) -> bool:
        """Read a boolean field; some texts count as one."""
        node = fields.get(name)
        value = as_boolean(node.value) if node is not None and node.kind == "string" else None
        return super().boolean(where, fields, name, default) if value is None else value
