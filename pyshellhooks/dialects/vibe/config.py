"""Places and contents of ``hooks.toml`` (vibe 1, 2, 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import translate

from ...errors import Diagnostic
from ...hooks.dialect import CLOSED, ConfigFile, HostContext, Loaded
from ...hooks.failure_notices import left_out
from ...hooks.model import HookSpec, Origin, Pattern
from ...jsontext.compact import JSON
from ...jsontext.document import Node
from ..grouped_events.config import add_up
from ..grouped_events.kept_parts import KeptPartsLoader
from ..matchers import Exactly, compile_python
from ..toml_hooks import TomlHooksLoader
from .tables import AT_ONCE, EVENTS, HANDLERS, TITLE, TOOL_WORDS

FILE = ".vibe/hooks.toml"
_WILD = frozenset("*?[")


def places(place: HostContext) -> list[ConfigFile]:
    """Return the project's file and the user's: of equal names the first one counts (vibe 1)."""
    home = place.env.get("VIBE_HOME") or place.join(place.home, ".vibe")
    project, user = place.join(place.directories()[0], FILE), place.join(home, "hooks.toml")
    files = [ConfigFile(user, "user")]
    return files if project == user else [ConfigFile(project, "project"), *files]


class AnyCase(Exactly):
    """One name, in lower case, that a subject may have in any case."""

    def search(self, subject: str) -> bool:
        """Return whether the subject is the name."""
        return subject.lower() in self.names


class Loader(KeptPartsLoader, TomlHooksLoader):
    """Loader of one file."""

    title = TITLE
    form = "write [[hooks]]"
    rows = EVENTS
    handlers = HANDLERS
    tool_words = TOOL_WORDS

    def __init__(self, text: str, origin: Origin, quirks: frozenset[str]) -> None:
        super().__init__(text, origin, quirks, EVENTS)

    def compile_matcher(self, text: str, event: str) -> Pattern:
        """Compile a match: ``re:`` and an expression of Python for the whole name, else a glob; in any case."""
        if text.startswith("re:"):
            return compile_python(text[3:], ignores_case=True, whole=True)
        name = text.lower()
        if _WILD.isdisjoint(name):
            return AnyCase((name,))
        return compile_python(translate(name), ignores_case=True, whole=True)

    def seconds_of(self, event: str, where: str, fields: Mapping[str, Node]) -> float:
        """Return the timeout; with 0 or less Vibe ends a hook at once."""
        value = self.written_seconds(where, fields)
        if value is None or value > 0:
            return value or HANDLERS.timeout
        message = f"{where}: with a timeout of {value:g} {TITLE} ends the hook at once"
        self.warn_never_runs(fields["timeout"].offset, message, "write seconds, such as 10")
        return AT_ONCE if "zero_times_out" in self.quirks else HANDLERS.timeout

    def extra(self, where: str, fields: Mapping[str, Node]) -> dict[str, JSON]:
        """Return whether a failure denies; check the fields that decide nothing, and whose types count all the same."""
        name, match = fields.get("name"), fields.get("match")
        if name is None:
            self.report(fields["type"].offset, f"{where}: name is required", 'add name = "..."', code="missing-key")
        for key in ("name", "description"):
            self.string(where, fields, key)
        if match is not None and match.kind == "string" and not match.value.strip():
            self.report(match.offset, f"{where}: match is empty", "leave it out")
        strict = self.boolean(where, fields, "strict")
        if strict and fields["type"].value == "post_agent":
            self.report(fields["strict"].offset, f"{where}: strict is only for hooks of tools", "leave it out")
            strict = False
        return {"strict": strict}

    def completed(self, spec: HookSpec, where: str, node: Node) -> HookSpec:
        """Return the hook with its name, and with the policy for its failures."""
        name = node.get("name")
        spec.name = name.value if name is not None and name.kind == "string" else ""
        if spec.extra.get("strict"):
            spec.on_failure = CLOSED
        return spec


def combine(parts: Sequence[Loaded]) -> Loaded:
    """Add up the files; of equal names the first one counts (vibe 1.2)."""
    whole = Loaded()
    add_up(parts, whole, TITLE, drops=False)
    first: dict[str, HookSpec] = {}
    for part in parts:
        for spec in part.specs:
            known = first.setdefault(spec.name, spec) if spec.name else spec
            if known is spec:
                whole.specs.append(spec)
            else:
                _switch_off(whole, spec, known)
    return whole


def _switch_off(whole: Loaded, spec: HookSpec, by: HookSpec) -> None:
    """Switch a hook off whose name an earlier one has; within one file that is a mistake, which verdicts report."""
    origin = spec.origin
    message = f'the name "{spec.name}" is used before, in {by.origin}: {TITLE} skips this hook'
    diagnostic = Diagnostic(
        origin.file, origin.line, origin.column, message, "take another name", "warning", code="switched-off"
    )
    whole.diagnostics.append(diagnostic)
    if origin.file != by.origin.file:
        whole.off.append((spec, message))
        return
    whole.strict_errors.append(diagnostic)
    whole.refused.append(diagnostic)
    whole.lost.append((spec, left_out(message, "take another name"), diagnostic))
