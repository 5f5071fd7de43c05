"""Places and contents of Qwen Code's ``settings.json`` (qwen 1, 2, 4)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ...hooks.dialect import ConfigFile, HostContext, Loaded
from ...hooks.model import HookSpec, Origin, Pattern
from ...jsontext.compact import JSON
from ...jsontext.document import Member, Node
from ..config_reader import LONGEST_TIMEOUT
from ..grouped_events.config import GROUP_FIELDS, add_up, switch_off
from ..grouped_events.matcher import tool_remark
from ..grouped_events.relative import RelativeLoader
from .matcher import QwenPattern, compile_matcher
from .tables import ALIASES, EVENTS, HANDLERS, MILLISECONDS, NOT_EVENTS, POWERSHELL, TOOL_WORDS
from .tables import GROUP_FIELDS as OWN_GROUP_FIELDS

_SWITCH = "disableAllHooks"
_DEFAULTS = "system-defaults.json"
_NUMBER = re.compile(r"\s*[0-9]+(\.[0-9]+)?\s*")
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_]+")
#: Scope of a file -> its rank for settings other than hooks; the highest one counts.
_RANKS = {"user": 1, "project": 2, "system": 3}


def places(place: HostContext) -> list[ConfigFile]:
    """Return the files of qwen 1.1, in the order in which their hooks run."""
    env, join = place.env, place.join
    user = join(env.get("QWEN_HOME") or join(place.home, ".qwen"), "settings.json")
    cwd = place.cwd.replace("\\", "/") if place.windows else place.cwd
    project = join(cwd, ".qwen", "settings.json")
    files = [ConfigFile(project, "project")] if project != user else []
    files.append(ConfigFile(user, "user"))
    for path in _system_paths(place):
        defaults = env.get("QWEN_CODE_SYSTEM_DEFAULTS_PATH") or join(path.rpartition("/")[0], _DEFAULTS)
        files += [ConfigFile(defaults, "system"), ConfigFile(path, "system")]
    return files


def _system_paths(place: HostContext) -> list[str]:
    own = place.env.get("QWEN_CODE_SYSTEM_SETTINGS_PATH")
    if own:
        return [own]
    if place.windows:
        return ["C:/ProgramData/qwen-code/settings.json"]
    return ["/etc/qwen-code/settings.json", "/Library/Application Support/QwenCode/settings.json"]


class Loader(RelativeLoader):
    """Loader of one file."""

    title = "Qwen Code"
    form = 'write {"hooks": {"PreToolUse": [{"matcher": "run_shell_command", "hooks": [...]}]}}'
    rows = EVENTS
    handlers = HANDLERS
    tool_words = TOOL_WORDS
    group_fields = (*GROUP_FIELDS, *(field.native for field in OWN_GROUP_FIELDS))

    def __init__(self, text: str, origin: Origin, quirks: frozenset[str]) -> None:
        super().__init__(text, origin, quirks, EVENTS)
        self.sequential = False  # of the group that is read
        self.commands: dict[tuple[str, str, str, bool], str] = {}  # the identity of each hook so far -> its command

    @property
    def drops_file(self) -> bool:
        """Whether Qwen Code rejects the whole file for a mistake in a hook: it ignores only the part."""
        return False

    def root(self, node: Node) -> None:
        """Read the top level, of which only the hooks and their switch matter here."""
        self.report_repeated_keys([member for member in node.value if member.key in ("hooks", _SWITCH)])
        for member in node.value:
            if member.key == "hooks":
                self.hooks(member.node)
            elif member.key == _SWITCH:
                self._switch(member)
            elif member.key in EVENTS:
                message = f'the event "{member.key}" is at the top level of the file'
                hint = f'put it in "hooks": {{"{member.key}": [...]}}'
                self.report(member.offset, message, hint, code="wrong-nesting")

    def _switch(self, member: Member) -> None:
        if self.expect(member.node, "boolean", f"{_SWITCH} must be true or false"):
            self.loaded.settings[_SWITCH] = member.node.value

    def hooks(self, node: Node) -> None:
        """Read ``hooks``, without the keys of older versions."""
        if node.kind == "object":
            members = [member for member in node.value if member.key not in NOT_EVENTS]
            node = Node("object", members, node.offset, node.end)
        super().hooks(node)

    def group(self, event: str, where: str, node: Node) -> None:
        """Read one group, whose hooks may run one after another."""
        fields = {"sequential": node.get("sequential")} if node.kind == "object" else {}
        known = {name: value for name, value in fields.items() if value is not None}
        self.sequential = self.boolean(where, known, "sequential")
        super().group(event, where, node)

    def compile_matcher(self, text: str, event: str) -> Pattern:
        """Compile a matcher (qwen 4)."""
        return compile_matcher(text)

    def remarks(self, event: str, text: str, pattern: Pattern | None) -> Iterator[tuple[str, str, str]]:
        """Yield the probable mistakes in a matcher: of a list for tools, each name that no tool has."""
        if self.rows[event].subject != "tool_name" or not isinstance(pattern, QwenPattern):
            yield from super().remarks(event, text, pattern)
            return
        if pattern.problem:
            yield f'"{text}" is no regular expression: {pattern.problem}', "correct it", "matcher-invalid"
        others = [name for names in ALIASES.values() for name in names]
        if not any(map(pattern.search, TOOL_WORDS.own)) and any(map(pattern.search, others)):
            message = f'the matcher "{text}" matches no tool: an expression is not tried on other names such as Bash'
            yield message, "write run_shell_command", "matcher-matches-nothing"
            return
        for name in pattern.names:
            is_name = _PLAIN_NAME.fullmatch(name) and not name.startswith("mcp__")
            if is_name and not any(compile_matcher(name).search(tool) for tool in TOOL_WORDS.own):
                yield tool_remark(name, TOOL_WORDS)

    def seconds_of(self, event: str, where: str, fields: Mapping[str, Node]) -> float:
        """Return the timeout in seconds. A value of 1000 or more is in milliseconds (qwen 2.1)."""
        node = fields.get("timeout")
        if node is None:
            return HANDLERS.timeout
        value = node.value
        if node.kind == "string" and _NUMBER.fullmatch(value):
            self.warn(node.offset, f"{where}: timeout is a text", "write it without quotes", code="wrong-type")
            value = float(value)
        if not isinstance(value, int | float) or isinstance(value, bool) or value <= 0:
            message = f"{where}: timeout must be a positive number: Qwen Code takes {HANDLERS.timeout:g} seconds"
            self.report_strict_error(node.offset, message, "write the seconds", code="timeout-invalid")
            return HANDLERS.timeout
        if value < MILLISECONDS:
            return float(value)
        message = f"{where}: a timeout of {value:g} is in milliseconds in Qwen Code: {value / 1000:g} seconds"
        self.report_strict_error(node.offset, message, f"write {value / 1000:g}", code="timeout-unit")
        self.loaded.refused.append(self.loaded.diagnostics[-1])
        return min(value / 1000, LONGEST_TIMEOUT)

    def extra(self, where: str, fields: Mapping[str, Node]) -> dict[str, JSON]:
        """Return whether Qwen Code does not wait for the hook."""
        for name in ("description", "statusMessage"):
            self.string(where, fields, name)
        return {"async": self.boolean(where, fields, "async")}

    def complete(self, spec: HookSpec, where: str, fields: Mapping[str, Node]) -> None:
        """Set the name, the variables, the shell, and the rules of hooks that are equal or run in sequence."""
        spec.name = self.string(where, fields, "name")
        spec.env = self.variables_of(where, fields.get("env")) or None
        if self.string(where, fields, "shell") == "powershell":
            spec.argv = (*POWERSHELL, spec.command)
        variables = () if "namesakes_are_dropped" in self.quirks else tuple(sorted((spec.env or {}).items()))
        spec.key = (spec.name, spec.command, variables)
        spec.lane = "sequential" if self.sequential else None
        identity = (spec.event, spec.name or spec.command, spec.matcher, self.sequential)
        if self.commands.setdefault(identity, spec.command) != spec.command:
            message = f'{where}: a hook named "{spec.name}" is above: Qwen Code drops this one'
            self.warn_never_runs(fields["command"].offset, message, "give it another name")
            spec.extra = {**spec.extra, "dropped": True}


def combine(parts: Sequence[Loaded], quirks: frozenset[str]) -> Loaded:
    """Add up the files, unless the highest file with the switch turns all hooks off (qwen 1.2)."""
    whole = Loaded()
    add_up(parts, whole, "Qwen Code", drops=False)
    switches = [part for part in parts if _SWITCH in part.settings]
    switch = max(switches, key=_rank, default=None)
    for part in parts:
        if switch is not None and switch.settings[_SWITCH]:
            switch_off(whole, part, switch)
            continue
        for spec in part.specs:
            if spec.extra.get("dropped") and "namesakes_are_dropped" in quirks:
                whole.off.append((spec, "a hook with its name is above"))
            else:
                whole.specs.append(spec)
    return whole


def _rank(part: Loaded) -> int:
    """Return the rank of a file's settings; the defaults of the organisation are the lowest."""
    is_defaults = part.origin.file.replace("\\", "/").endswith(f"/{_DEFAULTS}")
    return 0 if is_defaults else _RANKS.get(part.origin.scope, _RANKS["project"])
