"""Places and contents of ``hooks.json``, ``config.toml`` and ``requirements.toml`` (codex 1, 3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ...hooks.dialect import ConfigFile, HostContext, Loaded
from ...hooks.installed import ENDING
from ...hooks.model import HookSpec, Origin, Pattern
from ...jsontext.compact import JSON
from ...jsontext.document import Document, Member, Node
from ...syntax import check_text
from ..grouped_events.config import REFUSED_FILES_ARE_OFF, add_up, switch_off
from ..grouped_events.relative import RelativeLoader
from ..matchers import Exactly, compile_rust
from .reviews import (
    DISABLED_HOOKS_ARE_OFF,
    STATE,
    Review,
    add_enabled,
    hashes,
    not_run,
    place_in_file,
    review_of,
    reviews_of,
    uniform_key,
)
from .tables import EVENTS, HANDLERS, LIMITED, LONGEST_END, NOT_EVENTS, REQUIREMENTS, TOOL_WORDS

_NAMES = re.compile(r"[A-Za-z0-9_|]*")
_FILES = ("hooks.json", "config.toml")
_FEATURE = ("hooks", "codex_hooks")  # the second one is an older name
_ENABLE = "remove enabled = false, or the hook"


def places(place: HostContext) -> list[ConfigFile]:
    """Return the files of codex 1.1, in the order in which their hooks count."""
    join = place.join
    files = [] if place.windows else [ConfigFile(f"/etc/codex/{name}", "system") for name in (REQUIREMENTS, *_FILES)]
    user = home(place)
    files += [ConfigFile(join(user, name), "user") for name in _FILES]
    known = {file.path for file in files}
    for directory in place.directories():
        folder = join(directory, ".codex") if directory != "/" else "/.codex"
        files += [ConfigFile(join(folder, name), "project") for name in _FILES if join(folder, name) not in known]
    return files


def home(place: HostContext) -> str:
    """Return the directory of the user's configuration."""
    return place.env.get("CODEX_HOME") or place.join(place.home, ".codex")


def is_managed(origin: Origin) -> bool:
    """Return whether a file is the organisation's: its hooks run without a review, and a user can not disable them."""
    return origin.scope == "system" or is_policy(origin)


def is_policy(origin: Origin) -> bool:
    """Return whether a file is the organisation's policy, which can switch off the hooks of others."""
    return origin.file.replace("\\", "/").rpartition("/")[2] == REQUIREMENTS


class Loader(RelativeLoader):
    """Loader of one file."""

    title = "Codex"
    form = 'write {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [...]}]}}'
    rows = EVENTS
    handlers = HANDLERS
    tool_words = TOOL_WORDS

    def __init__(self, text: str, origin: Origin, quirks: frozenset[str]) -> None:
        super().__init__(text, origin, quirks, EVENTS)
        self.toml = origin.file.endswith(".toml")
        self.drops = True
        self.written_matcher: str | None = None  # of the group that is read
        if self.toml:
            self.collection = "a table"

    @property
    def drops_file(self) -> bool:
        """Whether Codex rejects the whole file for a mistake: for each one but a handler without a group."""
        return self.drops

    def parse(self) -> Document:
        """Parse the text: TOML, or JSON without comments."""
        if not self.toml:
            return self.parse_strictly()
        from ...jsontext.toml_document import read_toml

        return read_toml(self.text, self.origin.file)

    def root(self, node: Node) -> None:
        """Read the top level. A ``hooks.json`` has hooks and a description only."""
        self.report_unlike_json()
        if not self.toml:
            self.report_repeated_keys([member for member in node.value if member.key == "hooks"])
        for member in self.counting(node.value):
            if member.key == "hooks":
                self.hooks(member.node)
            elif self.toml:
                self._setting(member)
            elif member.key in EVENTS:
                message = f'the event "{member.key}" is at the top level of the file'
                self.report(
                    member.offset, message, f'put it in "hooks": {{"{member.key}": [...]}}', code="wrong-nesting"
                )
            elif member.key != "description":
                message = f'unknown key "{member.key}": Codex does not load this file'
                self.refuse(member.offset, message, "keep only hooks and description")

    def _setting(self, member: Member) -> None:
        """Read a setting of a TOML file that decides whether hooks run."""
        if member.key == "allow_managed_hooks_only" and is_policy(self.origin) and member.node.value is True:
            self.loaded.settings[member.key] = member.offset
        elif member.key == "features":
            for name in _FEATURE:
                feature = member.node.get(name)
                if feature is not None and feature.value is False:
                    self.loaded.settings[f"features.{name}"] = feature.offset

    def hooks(self, node: Node) -> None:
        """Read ``hooks``. Beside the events, TOML files have the state of reviews and the folder of managed hooks."""
        if self.toml and node.kind == "object":
            state = node.get("state")
            self._read_state(state.value if state is not None and state.kind == "object" else ())
            managed = node.get("allow_managed_hooks_only")
            if managed is not None and managed.value is True and is_policy(self.origin):
                self.loaded.settings["allow_managed_hooks_only"] = managed.offset
            others = (*NOT_EVENTS, "allow_managed_hooks_only")
            members = [member for member in node.value if member.key not in others]
            node = Node("object", members, node.offset, node.end)
        super().hooks(node)

    def _read_state(self, states: Sequence[Member]) -> None:
        """Read the records of reviews, which count in the user's file only."""
        reviews: dict[str, Review] = {}
        for member in states:
            if self.origin.scope == "project" or is_managed(self.origin):
                message = "Codex reads the state of hooks from the user's config.toml only"
                self.report(member.offset, message, "remove it", "hint", code="no-effect")
                return
            message = f'"{member.key}" is disabled here: Codex does not run this hook'
            diagnostic = self.document.diagnostic(member.offset, message, _ENABLE, "warning", code="switched-off")
            review = review_of(member, diagnostic)
            if review is not None:
                reviews[uniform_key(member.key)] = review
        if reviews:
            self.loaded.settings[STATE] = reviews

    def group(self, event: str, where: str, node: Node) -> None:
        """Read one group, and keep its matcher as it is written: the hash of its hooks contains it."""
        matcher = node.get("matcher")
        self.written_matcher = None
        if matcher is not None and matcher.kind == "string" and event in EVENTS and EVENTS[event].subject:
            self.written_matcher = matcher.value
        super().group(event, where, node)

    def handler(self, event: str, where: str, node: Node, matcher: str, pattern: Pattern | None) -> HookSpec | None:
        """Return the hook of a handler, with its place and its hashes for the records of reviews."""
        spec = super().handler(event, where, node, matcher, pattern)
        if spec is not None:
            handler: dict[str, JSON] = {"type": "command", "command": spec.command, "timeout": int(spec.timeout or 0)}
            handler["async"] = spec.extra["async"]
            status, limit = node.get("statusMessage"), node.get("additionalContextLimit")
            if status is not None and status.kind == "string":
                handler["statusMessage"] = status.value
            if limit is not None and limit.kind == "number" and event in LIMITED:
                handler["additionalContextLimit"] = limit.value
            both = hashes(event, self.written_matcher, handler, str(spec.extra["windows"]))
            spec.extra = {**spec.extra, "place": place_in_file(event, where), "hashes": both}
        return spec

    def compile_matcher(self, text: str, event: str) -> Pattern:
        """Compile a matcher: names between bars, or an expression of Rust that is searched (codex 5).

        Codex ignores the matcher of an event without a subject, an invalid one too (codex 4).
        """
        row = EVENTS.get(event)
        if row is not None and not row.subject:
            return Exactly(())
        if _NAMES.fullmatch(text):
            return Exactly(tuple(name for name in text.split("|") if name))
        return compile_rust(text)

    def no_hooks(self, where: str, node: Node) -> None:
        """Report a group without handlers, which Codex ignores without rejecting the file."""
        self.drops = False
        super().no_hooks(where, node)
        self.drops = True

    def seconds_of(self, event: str, where: str, fields: Mapping[str, Node]) -> float:
        """Return the timeout; Codex ends a hook of SessionEnd or Interrupt after three seconds (codex 3)."""
        seconds = super().seconds_of(event, where, fields)
        if event not in ("SessionEnd", "Interrupt") or seconds <= LONGEST_END:
            return seconds
        message = f"{where}: Codex ends a hook of {event} after {LONGEST_END:g} seconds"
        self.warn(fields["timeout"].offset, message, code="timeout-invalid")
        return LONGEST_END

    def extra(self, where: str, fields: Mapping[str, Node]) -> dict[str, JSON]:
        """Return the command for Windows, and whether Codex does not wait for the hook."""
        self.string(where, fields, "statusMessage")
        windows = {name: self.string(where, fields, name) for name in ("commandWindows", "command_windows")}
        for name, text in windows.items():
            for problem in check_text(text):
                message = (
                    f"{where}: the embedded shell, which runs {name} on Windows, can't parse it: {problem.message}"
                )
                self.report(fields[name].offset, message, problem.hint, "hint", code=problem.code)
        return {
            "windows": windows["commandWindows"] or windows["command_windows"],
            "async": self.boolean(where, fields, "async"),
        }


def combine(parts: Sequence[Loaded], quirks: frozenset[str]) -> Loaded:
    """Add up the files, except the switches of TOML files (codex 1.3)."""
    whole = Loaded()
    reviews = reviews_of(parts)
    add_up(parts, whole, "Codex", REFUSED_FILES_ARE_OFF in quirks)
    switches = [part for part in parts if part.settings]
    for part in parts:
        switch = next((switch for switch in switches if not _spares(switch, part)), None)
        if switch is not None:
            switch_off(whole, part, switch)
        elif is_managed(part.origin):
            whole.specs += part.specs
        else:
            add_enabled(whole, part, reviews, is_off=DISABLED_HOOKS_ARE_OFF in quirks)
    return whole


def not_reviewed(
    hooks: Sequence[tuple[HookSpec, Sequence[str]]], place: HostContext
) -> Iterator[tuple[HookSpec, str, str]]:
    """Yield (hook, message, hint) for each hook that Codex does not run by the user's records of reviews (codex 2).

    Without a config.toml of the user nothing is known: Codex may not be installed here.
    """
    file = place.join(home(place), "config.toml")
    text = place.text(file)
    if text:
        part = Loader(text, Origin(file, "user"), frozenset()).load()
        own = [hook for hook in hooks if _needs_review(hook[0].origin)]
        yield from not_run(own, reviews_of([part]), file)


def _spares(switch: Loaded, part: Loaded) -> bool:
    """Return whether a switch leaves a file on: that of the organisation, unless its own policy switches all hooks off."""
    is_total = is_policy(switch.origin) and any(name.startswith("features.") for name in switch.settings)
    return is_managed(part.origin) and not is_total


def _needs_review(origin: Origin) -> bool:
    """Return whether Codex reads a file, and runs its hooks only after a review."""
    return not origin.file.endswith(ENDING) and not is_managed(origin)
