"""Places and contents of ``config.toml`` (kimi 1, 6.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...hooks.dialect import ConfigFile, HostContext, Loaded
from ...hooks.model import HookSpec, Origin, Pattern
from ...jsontext.document import Member, Node
from ..grouped_events.config import REFUSED_FILES_ARE_OFF, add_up
from ..matchers import compile_js, compile_python
from ..toml_hooks import TomlHooksLoader
from .tables import CLI, CLI_EVENTS, EVENTS, HANDLERS, LONGEST, PROMPTS, TOOL_WORDS


def places(place: HostContext, quirks: frozenset[str]) -> list[ConfigFile]:
    """Return the user's file, the only one."""
    variable, folder = ("KIMI_SHARE_DIR", ".kimi") if CLI in quirks else ("KIMI_CODE_HOME", ".kimi-code")
    return [ConfigFile(place.join(place.env.get(variable) or place.join(place.home, folder), "config.toml"), "user")]


class Loader(TomlHooksLoader):
    """Loader of one file."""

    title = "Kimi Code"
    rows = EVENTS
    handlers = HANDLERS
    tool_words = TOOL_WORDS
    every = ("",)
    runs_without_subject = False

    def __init__(self, text: str, origin: Origin, quirks: frozenset[str]) -> None:
        super().__init__(text, origin, quirks, CLI_EVENTS if CLI in quirks else EVENTS)
        self.rejects_empty = CLI not in quirks

    @property
    def drops_file(self) -> bool:
        """Whether a mistake in an entry turns off all hooks of the file: each does but a matcher's."""
        return True

    def unknown(self, where: str, member: Member, names: Iterable[str], severity: str, prefix: str = "field") -> bool:
        """Report an unknown key, for which Kimi Code drops the hooks of the file; the Kimi CLI ignores it."""
        return super().unknown(where, member, names, "warning" if CLI in self.quirks else "error", prefix)

    def compile_matcher(self, text: str, event: str) -> Pattern:
        """Compile a matcher, an expression of JavaScript that is searched; in the Kimi CLI one of Python."""
        return compile_python(text) if CLI in self.quirks else compile_js(text)

    def remarks(self, event: str, text: str, pattern: Pattern | None) -> Iterator[tuple[str, str, str]]:
        """Yield the probable mistakes in a matcher; the texts of prompts have no mistakes."""
        if event not in PROMPTS:
            yield from super().remarks(event, text, pattern)

    def seconds_of(self, event: str, where: str, fields: Mapping[str, Node]) -> float:
        """Return the timeout: whole seconds from 1 to 600."""
        node = fields.get("timeout")
        if node is not None and node.kind == "number" and not 1 <= node.value <= LONGEST:
            message = f"{where}: timeout must be 1 to {LONGEST} seconds"
            self.report(node.offset, message, "write whole seconds in this range", code="timeout-invalid")
        return super().seconds_of(event, where, fields)

    def completed(self, spec: HookSpec, where: str, node: Node) -> HookSpec:
        """Return the hook of an entry; equal commands run once."""
        spec.key = ("command", spec.command)
        return spec


def combine(parts: Sequence[Loaded], quirks: frozenset[str]) -> Loaded:
    """Add up the files that are given."""
    whole = Loaded()
    add_up(parts, whole, "Kimi Code", REFUSED_FILES_ARE_OFF in quirks)
    for part in parts:
        whole.specs += part.specs
    return whole
