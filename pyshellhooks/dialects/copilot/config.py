"""Places and contents of Copilot's files of hooks (copilot 1, 2, 4)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ...hooks.dialect import ConfigFile, HostContext, Loaded
from ...hooks.model import HookSpec, Origin, Pattern
from ...jsontext.compact import JSON
from ...jsontext.document import Member, Node
from ..config_reader import LONGEST_TIMEOUT
from ..grouped_events.config import GROUP_FIELDS, add_up, switch_off
from ..grouped_events.matcher import remarks as remarks_of
from ..grouped_events.relative import RelativeLoader
from ..matchers import Exactly, compile_js, compile_js_whole
from .tables import (
    CLAUDE_FILES,
    CLAUDE_WORDS,
    CLOUD,
    COMMANDS,
    EVENTS,
    HANDLERS,
    LOCAL_COMMANDS,
    NATIVE,
    NOT_IN_CLOUD,
    REFUSED_FILES_ARE_OFF,
    STARS_SKIP_HOOKS,
    TOOL_WORDS,
    VSCODE,
)

_NAMES = re.compile(r"[A-Za-z0-9_|-]+")
_ALL = ("*", "**", "")
_SWITCH = "disableAllHooks"
_POLICY = "/policy.d/"
#: Keys under which the matchers of flat items follow Claude Code's rules (copilot 4.2).
_CLAUDE_RULES = ("PreToolUse", "PermissionRequest")
_OWN, _CLAUDE = "own", "claude"  # the names of a tool that a matcher is tested on


def places(place: HostContext, quirks: frozenset[str]) -> list[ConfigFile]:
    """Return the files of copilot 1, in the order in which their hooks run."""
    join = place.join
    root = place.directories()[0].rstrip("/")
    folder = [ConfigFile(path, "project") for path in _files(place, f"{root}/.github/hooks")]
    claude = [f"{root}/.claude/settings{end}.json" for end in ("", ".local")] if CLAUDE_FILES in quirks else []
    if CLOUD in quirks:
        return folder
    if VSCODE in quirks:
        return [*folder, *(ConfigFile(path, "project") for path in claude)]
    policy = "C:/ProgramData/GitHub/Copilot/policy.d" if place.windows else "/etc/github-copilot/policy.d"
    user = place.env.get("COPILOT_HOME") or join(place.home, ".copilot")
    own = [f"{root}/.github/copilot/settings{end}.json" for end in ("", ".local")]
    return [
        *[ConfigFile(path, "system") for path in _files(place, policy)],
        *[ConfigFile(path, "user") for path in (*_files(place, join(user, "hooks")), join(user, "settings.json"))],
        *folder,
        *[ConfigFile(path, "project") for path in (*own, *claude)],
    ]


def _files(place: HostContext, folder: str) -> list[str]:
    return [f"{folder}/{name}" for name in place.names(folder) if name.endswith(".json")]


class Loader(RelativeLoader):
    """Loader of one file."""

    title = "Copilot"
    form = 'write {"version": 1, "hooks": {"preToolUse": [{"type": "command", "bash": "..."}]}}'
    rows = EVENTS
    handlers = HANDLERS

    def __init__(self, text: str, origin: Origin, quirks: frozenset[str]) -> None:
        missing = NOT_IN_CLOUD if CLOUD in quirks else ()
        natives = [native for native in EVENTS if native not in missing]
        super().__init__(text, origin, quirks, [*natives, *(name for name in NATIVE if NATIVE[name] in natives)])
        self.key = ""  # of the event that is read, in its own spelling
        self.in_group = False
        self.is_settings = origin.file.replace("\\", "/").rpartition("/")[2].startswith("settings.")

    @property
    def drops_file(self) -> bool:
        """Whether one bad item turns off all hooks: in settings, not in a file of hooks (copilot 1.3)."""
        return self.is_settings

    @property
    def is_claude(self) -> bool:
        """Whether the matcher that is read follows Claude Code's rules (copilot 4.2)."""
        return self.in_group or self.key in _CLAUDE_RULES

    def root(self, node: Node) -> None:
        """Read the top level."""
        for member in self.counting(node.value):
            if member.key == "hooks":
                self.hooks(member.node)
            elif member.key == "version":
                self._version(member)
            elif member.key == _SWITCH:
                if member.node.value is True:
                    self.loaded.settings[_SWITCH] = member.offset
            elif member.key in self.events:
                message, hint = f'the event "{member.key}" is at the top level of the file', self.form
                self.report(member.offset, message, hint, code="wrong-nesting")
            elif not self.is_settings:
                self.unknown("the file", member, ("version", "hooks", _SWITCH), "warning", "key")

    def _version(self, member: Member) -> None:
        """Read ``version``: Copilot loads a file of another version than 1 not at all (copilot 1.2)."""
        node = member.node
        if node.kind not in ("null", "number") or (node.kind == "number" and node.value != 1):
            written = self.document.text[node.offset : node.end]
            self.refuse(node.offset, f"version {written}: Copilot does not load this file", "write 1")

    def event_of(self, name: str) -> str:
        """Return the native event of a name in camelCase or PascalCase."""
        return NATIVE.get(name, name)

    def event(self, member: Member) -> None:
        """Read the items of one event."""
        self.key = member.key
        super().event(member)

    def group(self, event: str, where: str, node: Node) -> None:
        """Read one item, or a group of items as Claude Code has them (copilot 1.4)."""
        if node.kind == "object" and node.get("hooks") is None:
            self._item(event, where, node)
            return
        self.in_group = True
        super().group(event, where, node)
        self.in_group = False

    def _item(self, event: str, where: str, node: Node) -> None:
        """Read one item that is directly under its event."""
        matcher_node = node.get("matcher")
        mistakes = self.mistakes
        if matcher_node is not None and self._is_skipped(where, matcher_node):
            self.reason = f'{where}: Copilot skips a hook with the matcher "{matcher_node.value}"'
            self.leave_out(event, where, node)
            return
        matcher, pattern = self.matcher(event, where, matcher_node)
        if self.mistakes > mistakes:
            self.leave_out(event, where, node)
            return
        spec = self.handler(event, where, node, matcher, pattern)
        if spec is not None and event in self.events:
            self.loaded.specs.append(spec)

    # -- matchers (copilot 4) -----------------------------------------------------------------------------------------

    def _is_skipped(self, where: str, node: Node) -> bool:
        """Report a matcher that is meant to match all and that Copilot refuses; return whether its hook is off here."""
        if node.kind != "string" or node.value not in _ALL or self.is_claude or VSCODE in self.quirks:
            return False
        message = f'{where}: "{node.value}" is no regular expression in Copilot, which skips the hook'
        self.warn_never_runs(node.offset, message, "leave matcher out")
        return STARS_SKIP_HOOKS in self.quirks

    def compile_matcher(self, text: str, event: str) -> Pattern:
        """Compile a matcher: a list of names, or an expression for the whole name."""
        if text in _ALL or VSCODE in self.quirks:
            return compile_js("")
        if _NAMES.fullmatch(text):
            return Exactly(tuple(name for name in text.split("|") if name))
        return compile_js_whole(text)

    def remarks(self, event: str, text: str, pattern: Pattern | None) -> Iterator[tuple[str, str, str]]:
        """Yield the probable mistakes in a matcher."""
        if VSCODE in self.quirks and text not in _ALL:
            yield f'VS Code ignores the matcher "{text}": the hook runs for every tool', "leave it out", "no-effect"
        else:
            yield from remarks_of(EVENTS[event], text, pattern, CLAUDE_WORDS if self.is_claude else TOOL_WORDS)

    def _tested(self, pattern: Pattern | None) -> str:
        """Return on which names of a tool a matcher is tested; ``""`` for all of them."""
        if not self.is_claude:
            return _OWN
        return "" if isinstance(pattern, Exactly) or pattern is None else _CLAUDE

    # -- items (copilot 2) --------------------------------------------------------------------------------------------

    def handler(self, event: str, where: str, node: Node, matcher: str, pattern: Pattern | None) -> HookSpec | None:
        """Return the hook of an item; None, with a diagnostic, if it is wrong or never runs."""
        mistakes = self.mistakes
        if not self.expect(node, "object", f"{where}: must be an object", 'write {"bash": "..."}'):
            self.leave_handler_out(event, where, node, matcher, pattern)
            return None
        kind = self.type_of(where, node)
        if kind in self.handlers.skipped:
            self.reason = f'{where}: a hook of type "{kind}" {self.handlers.skipped[kind]}'
            self.report_strict_error(node.offset, self.reason, "write a command", code="hook-never-runs")
        fields = self.fields(where, node, dict.fromkeys((*GROUP_FIELDS[:1], *self.handlers.names)))
        extra = self.extra(where, fields)
        if kind == "command":
            self._check_command(where, node, fields, extra)
        elif kind == "http" and not self.string(where, fields, "url"):
            self.report(node.offset, f"{where}: url is required", code="missing-key")
        timeout = self.seconds_of(event, where, fields)
        if not kind or kind in self.handlers.skipped or self.mistakes > mistakes:
            self.leave_handler_out(event, where, node, matcher, pattern)
            return None
        words = [self.string(where, fields, "exec"), *_texts(fields, "args")]
        return HookSpec(
            event,
            str(extra["bash"] or extra["url"] or " ".join(words).strip() or extra["powershell"]),
            matcher=matcher,
            pattern=pattern,
            timeout=timeout,
            origin=self.place(node),
            kind=kind,
            argv=tuple(words) if words[0] else None,
            env=_variables(fields),
            extra={**extra, "tested": self._tested(pattern)},
        )

    def extra(self, where: str, fields: Mapping[str, Node]) -> dict[str, JSON]:
        """Return Copilot's own fields of an item."""
        names = (*COMMANDS, "cwd", "url", *LOCAL_COMMANDS)
        texts = {name: self.string(where, fields, name) for name in names}
        unix, windows = texts["bash"], texts["powershell"]
        if VSCODE in self.quirks:
            unix = texts["linux"] or unix or texts["command"] or texts["osx"]
            windows = texts["windows"] or windows
        return {
            "bash": unix or texts["command"],
            "powershell": windows or texts["command"],
            "cwd": texts["cwd"],
            "url": texts["url"],
            "key": self.key,
            "headers": fields["headers"].plain() if "headers" in fields else {},
            "allowed": _texts(fields, "allowedEnvVars"),
        }

    def _check_command(self, where: str, node: Node, fields: Mapping[str, Node], extra: Mapping[str, JSON]) -> None:
        """Report an item without a command, or with a program beside one."""
        has_text = bool(str(extra["bash"]).strip() or str(extra["powershell"]).strip())
        if "exec" in fields and has_text:
            message = f"{where}: exec stands beside bash, powershell or command"
            self.report(fields["exec"].offset, message, "keep one of them")
        elif "exec" not in fields and not has_text:
            self.report(node.offset, f"{where}: bash, command or exec is required", code="missing-key")
        elif CLOUD in self.quirks and not extra["bash"]:
            then = "the cloud agent skips it"
            self.warn_left_out(node.offset, f"{where}: bash or command is required", code="missing-key", then=then)

    def seconds_of(self, event: str, where: str, fields: Mapping[str, Node]) -> float:
        """Return the timeout in seconds, which may have a fraction."""
        name = "timeoutSec" if "timeoutSec" in fields else "timeout"
        seconds = self.seconds(where, fields, name, self.title)
        if seconds is None:
            return self.handlers.timeout
        if seconds <= 0:
            hint = f"leave it out for {self.handlers.timeout:g} seconds"
            self.report(fields[name].offset, f"{where}: {name} must be more than 0", hint, code="timeout-invalid")
            return self.handlers.timeout
        return min(seconds, LONGEST_TIMEOUT)


def _texts(fields: Mapping[str, Node], name: str) -> list[str]:
    node = fields.get(name)
    return [str(item.value) for item in node.value] if node is not None and node.kind == "array" else []


def _variables(fields: Mapping[str, Node]) -> dict[str, str]:
    """Return ``env``, whose values Copilot takes literally."""
    node = fields.get("env")
    if node is None or node.kind != "object":
        return {}
    return {member.key: str(member.node.value) for member in node.value if member.node.kind == "string"}


def combine(parts: Sequence[Loaded], quirks: frozenset[str]) -> Loaded:
    """Add up the files, except the switches (copilot 1.4)."""
    whole = Loaded()
    add_up(parts, whole, "Copilot", REFUSED_FILES_ARE_OFF in quirks)
    for part in parts:
        switch = next((one for one in parts if one.settings.get(_SWITCH) and _reaches(one.origin, part.origin)), None)
        if switch is None:
            whole.specs += part.specs
        else:
            switch_off(whole, part, switch)
    return whole


def _reaches(switch: Origin, part: Origin) -> bool:
    """Return whether a switch is for a file: that of a repository's settings for all but the policy's files."""
    file, other = switch.file.replace("\\", "/"), part.file.replace("\\", "/")
    is_wide = switch.scope == "project" and file.rpartition("/")[2].startswith("settings.")
    return file == other or (is_wide and _POLICY not in other)
