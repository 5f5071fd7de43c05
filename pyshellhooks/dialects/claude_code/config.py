"""Places, contents and mistakes of ``settings.json`` and of plugins' ``hooks.json`` (claude_code 1, 2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ...errors import Diagnostic
from ...hooks.dialect import ConfigFile, HostContext, Loaded
from ...hooks.model import Decision, HookSpec, Origin, Pattern, PermissionRule
from ...hooks.suggest import did_you_mean, nearest
from ...jsontext.compact import JSON
from ...jsontext.document import KINDS, Document, JsonError, Member, Node
from ..grouped_events.config import DROPPED, GroupLoader, add_up, switch_off
from .events import BUDGET, EVENTS, LARGEST_BUDGET
from .handler import HandlerReader
from .manifest import LEFT_OUT, REFUSED, ManifestReader
from .matcher import compile_matcher, remarks
from .plugins import STANDARD, in_marketplace, is_catalog, is_manifest
from .tables import DROPS_THE_FILE, MANAGED, SETTING_KINDS, TOP_LEVEL

_TURNS = frozenset({"boolean", "array"})  # an array lists versions
_SWITCHES = ("disableAllHooks", "allowManagedHooksOnly")
_COUNTING = frozenset({"hooks", "env", "enabledPlugins", "permissions", *_SWITCHES})
_MANAGED_RULES_ONLY = "allowManagedPermissionRulesOnly"
_RULES = ("deny", "ask", "allow")
_OPTION = re.compile(r"\$\{user_config\.([^}]+)\}")
# Events of Gemini CLI, whose files have the same three levels.
_GEMINI = frozenset(
    ["BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "BeforeModel", "AfterModel", "BeforeToolSelection"]
) | {"PreCompress"}
_GEMINI_KEYS = frozenset({"sequential"})
_GEMINI_HANDLER_KEYS = frozenset({"name", "description"})
#: Names from other systems that people write for an event of Claude Code.
_MEANT = {
    "BeforeTool": "PreToolUse",
    "AfterTool": "PostToolUse",
    "BeforeAgent": "UserPromptSubmit",
    "AfterAgent": "Stop",
    "PreCompress": "PreCompact",
    "beforeShellExecution": "PreToolUse",
    "beforeMCPExecution": "PreToolUse",
    "beforeSubmitPrompt": "UserPromptSubmit",
    "afterFileEdit": "PostToolUse",
}


def recognises(root: Mapping[str, JSON]) -> bool:
    """Return whether a file looks like Claude Code's: groups under its events, or its own switches."""
    if "claude-code-settings" in str(root.get("$schema", "")) or any(isinstance(root.get(k), bool) for k in _SWITCHES):
        return True
    hooks = root.get("hooks")
    if not isinstance(hooks, dict) or _GEMINI & hooks.keys() or "hooksConfig" in root:
        return False
    known = [groups for event, groups in hooks.items() if event in EVENTS]
    return any(groups for groups in known) and all(_grouped(groups) for groups in known)


def _grouped(groups: JSON) -> bool:
    """Return whether these are Claude Code's groups, without any key of Gemini CLI."""
    if not isinstance(groups, list):
        return False
    for group in groups:
        if not isinstance(group, dict) or not isinstance(group.get("hooks"), list) or _GEMINI_KEYS & group.keys():
            return False
        for hook in group["hooks"]:
            if not isinstance(hook, dict) or _GEMINI_HANDLER_KEYS & hook.keys():
                return False
    return True


def places(place: HostContext) -> list[ConfigFile]:
    """Return the files of claude_code 1, lowest first. Those of plugins come from ``plugins.brought``."""
    join = place.join
    user = place.env.get("CLAUDE_CONFIG_DIR") or join(place.home, ".claude")
    files = [ConfigFile(join(user, "settings.json"), "user")]
    directories = place.directories()
    for directory in dict.fromkeys((directories[0], directories[-1])):
        for name in ("settings.json", "settings.local.json"):
            path = join(directory, ".claude", name) if directory != "/" else f"/.claude/{name}"
            if path != files[0].path:
                files.append(ConfigFile(path, "project"))
    if place.windows:
        managed = ["C:/ProgramData/ClaudeCode"]
    else:
        managed = ["/etc/claude-code", "/Library/Application Support/ClaudeCode"]
    files += [ConfigFile(join(directory, MANAGED), "system") for directory in managed]
    return files


def managed(origin: Origin) -> bool:
    """Return whether a file is the organisation's policy."""
    return origin.scope == "system" or origin.file.replace("\\", "/").rpartition("/")[2] == MANAGED


class Loader(GroupLoader):
    """Loader of one file of settings, a plugin's hooks, or the frontmatter of a skill or subagent."""

    title = "Claude Code"
    form = 'write {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [...]}]}}'
    rows = EVENTS
    meant = _MEANT

    def __init__(self, text: str, origin: Origin, quirks: frozenset[str]) -> None:
        super().__init__(text, origin, quirks, [name for name, row in EVENTS.items() if row.absent not in quirks])
        usual = origin.file.replace("\\", "/").removesuffix(f"/{STANDARD}")
        self.plugin = origin.plugin or (usual if usual != origin.file and usual.startswith("/") else "")
        self.frontmatter = text.startswith("---") and text.split("\n", 1)[0].rstrip() == "---"
        self.subagent = self.frontmatter and "/agents/" in "/" + origin.file.replace("\\", "/")
        self.in_entry = False  # of a marketplace: Claude Code leaves it out for any mistake

    def parse(self) -> Document:
        """Parse the text: JSON with comments, or the lines between the first two ``---`` of a Markdown file."""
        if not self.frontmatter:
            return self.parse_strictly()
        from ...jsontext.yaml_document import read_yaml

        lines = self.text.split("\n")
        end = next((n for n, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), len(lines))
        return read_yaml("\n".join(["", *lines[1:end], ""]), self.origin.file)  # "" keeps the line numbers

    def unreadable(self, error: JsonError) -> str:
        """Return the message for a text that does not parse."""
        return f"invalid frontmatter: {error.message}" if self.frontmatter else super().unreadable(error)

    def root(self, node: Node) -> None:
        """Read the top level, of which only hooks, their switches and ``env`` matter here."""
        self.report_unlike_json()
        if is_catalog(self.origin.file):
            self.loaded.leads = True
            self.marketplace(node)
            return
        if is_manifest(self.origin.file):
            self.loaded.leads = True
            reader = ManifestReader(self, REFUSED)
            reader.parts(node)
            reader.hooks(node.get("hooks"))
            return
        self.plugins(node.get("enabledPlugins"))
        self.report_repeated_keys([member for member in node.value if member.key in _COUNTING])
        if not (self.plugin or self.frontmatter):
            self.settings_of_another_type(node)
        for member in self.counting(node.value):
            self._top_level_member(member)

    def _top_level_member(self, member: Member) -> None:
        """Read one key of the top level."""
        if self.plugin and not self.frontmatter and member.key in ("env", *_SWITCHES):
            self.warn(member.offset, f"{member.key} works in settings only, not in a plugin", code="no-effect")
            return
        if self.plugin and member.key == "modules":
            message = "modules: JavaScript modules do not run as hooks here"
            self.warn(member.offset, message, code="no-effect")
            self.lose("PreToolUse", "modules", member.node, message, "write them as commands, or run them in the agent")
        if member.key == "hooks":
            self.hooks(member.node)
        elif member.key == "env":
            self.read_variables(member.node)
        elif member.key in _SWITCHES:
            self.switch(member)
        elif member.key in ("permissions", _MANAGED_RULES_ONLY, *_RULES):
            self._permission_member(member)
        elif member.key in EVENTS and member.node.kind == "array":
            hint = 'put it in "hooks": {"hooks": {"' + member.key + '": [...]}}'
            self.report(
                member.offset, f'the event "{member.key}" is at the top level of the file', hint, code="wrong-nesting"
            )
        elif member.key not in TOP_LEVEL and nearest(member.key, TOP_LEVEL) in ("hooks", *_SWITCHES):
            self._misspelt_key(member)

    def _misspelt_key(self, member: Member) -> None:
        """Report a key that resembles ``hooks`` or a switch; Claude Code loads no hook under it."""
        self.warn(
            member.offset,
            f'unknown key "{member.key}"',
            did_you_mean(member.key, TOP_LEVEL),
            code="unknown-key",
        )
        if member.node.kind == "object" and any(name.key in EVENTS for name in member.node.value):
            self.loaded.refused.append(self.loaded.diagnostics[-1])

    def _permission_member(self, member: Member) -> None:
        """Read permission rules, which a plugin does not have, and the switch for those of managed settings only."""
        if self.plugin or self.frontmatter:
            return
        if member.key == "permissions":
            from .permissions import read_permissions

            read_permissions(self, member.node)
        elif member.key == _MANAGED_RULES_ONLY:
            self.loaded.settings[_MANAGED_RULES_ONLY] = managed(self.origin) and member.node.value is True
        elif member.node.kind == "array":
            message, hint = f'"{member.key}" at the top level', f'write "permissions": {{"{member.key}": [...]}}'
            self.warn_left_out(member.offset, message, hint, code="config-refused", then="its rules have no effect")

    def plugins(self, node: Node | None) -> None:
        """Check ``enabledPlugins``; ``plugins.brought`` finds the plugins themselves (claude_code 1.1)."""
        if node is None:
            return
        self.loaded.leads = True
        wrong = [node] if node.kind != "object" else [name.node for name in node.value if name.node.kind not in _TURNS]
        for name in wrong:
            what = (
                "enabledPlugins must be an object of true and false"
                if name is node
                else "a plugin must be true or false"
            )
            message = f"{what}, not {name.described}: Claude Code does not load this file"
            self.refuse(name.offset, message, 'write "enabledPlugins": {"NAME@MARKETPLACE": true}')

    def marketplace(self, node: Node) -> None:
        """Read a marketplace's list of plugins: the entry of the named plugin, or all entries if no plugin is named."""
        entries, owner, metadata = (node.get(key) for key in ("plugins", "owner", "metadata"))
        if entries is None or entries.kind != "array" or owner is None or owner.kind != "object":
            message = "a marketplace needs an owner and a list of plugins: Claude Code ignores it"
            self.refuse(node.offset, message, 'write "owner": {"name": "..."}, "plugins": [...]')
        for entry in entries.value if entries is not None and entries.kind == "array" else ():
            name = entry.get("name") if entry.kind == "object" else None
            if name is None or self.origin.entry in ("", name.value):
                self.in_entry = True
                self.entry(entry, {"metadata": None if metadata is None else metadata.plain()})

    def entry(self, node: Node, whole: Mapping[str, JSON]) -> None:
        """Read one plugin of a marketplace's list. Hooks of a plugin with an unknown directory are only checked.

        ``whole``: the list without its plugins.
        """
        if node.kind != "object":
            if not self.origin.entry:
                self.refuse(node.offset, f"a plugin must be an object, not {node.described}: {LEFT_OUT}", "remove it")
            return
        below = in_marketplace(self.origin.file, node.plain(), whole)
        root = self.origin.plugin if self.origin.entry else below
        self.plugin = root or self.origin.file
        known = len(self.loaded.specs)
        ManifestReader(self, LEFT_OUT).entry(node, bool(below))
        if not root:
            del self.loaded.specs[known:]

    def nulls(self, where: str, node: Node, known: Sequence[str]) -> None:
        """Report keys with null, which counts as absent here and as a mistake in Claude Code."""
        for member in node.value:
            if member.key in known and member.node.kind == "null":
                self.report(member.node.offset, f"{where}: {member.key} is null", "leave it out", code="wrong-type")

    @property
    def drops_file(self) -> bool:
        """Whether Claude Code drops the whole file for a mistake in the event that is read."""
        return self.reading in DROPS_THE_FILE or self.in_entry

    def compile_matcher(self, text: str, event: str) -> Pattern:
        """Compile a matcher (claude_code 3)."""
        return compile_matcher(text, event)

    def remarks(self, event: str, text: str, pattern: Pattern | None) -> Iterator[tuple[str, str, str]]:
        """Yield the probable mistakes in a matcher."""
        return remarks(event, text, pattern)

    def handler(self, event: str, where: str, node: Node, matcher: str, pattern: Pattern | None) -> HookSpec | None:
        """Return the hook of a handler; None, with a diagnostic, if it is wrong or never runs."""
        return HandlerReader(self, event, where, matcher, pattern).read(node)

    def event_of(self, name: str) -> str:
        """Return the event: a Stop hook of a subagent runs on SubagentStop of the agent around it."""
        return "SubagentStop" if self.subagent and name == "Stop" else name

    def settings_of_another_type(self, node: Node) -> None:
        """Report settings whose wrong type makes Claude Code drop the file; for ``hooks`` it is an error anyway."""
        for member in node.value:
            kind, value = SETTING_KINDS.get(member.key, member.node.kind), member.node
            if value.kind != kind and (member.key != "hooks" or value.kind == "null"):
                message = (
                    f"{member.key} must be {KINDS[kind]}, not {value.described}: Claude Code does not load this file"
                )
                self.refuse(value.offset, message, f"write {KINDS[kind]}, or leave {member.key} out")

    def read_variables(self, node: Node) -> None:
        """Read ``env``: variables of Claude Code itself, and so of its hooks. Of two ``env`` the last one counts."""
        self.loaded.env.clear()
        if node.kind == "object":
            for member in node.value:
                if member.node.kind == "string":
                    self.loaded.env[member.key] = member.node.value

    def switch(self, member: Member) -> None:
        """Read a switch for all hooks."""
        if member.node.kind != "boolean":
            hint = f"write {member.node.value} without quotes" if member.node.value in ("true", "false") else ""
            self.report(
                member.node.offset,
                f"{member.key} must be true or false, not {member.node.described}",
                hint,
                code="wrong-type",
            )
        elif member.node.value:
            if member.key == "allowManagedHooksOnly" and not managed(self.origin):
                self.warn(member.offset, "allowManagedHooksOnly counts in managed settings only", f"see {MANAGED}")
            else:
                self.loaded.settings[member.key] = member.offset
        else:
            self.loaded.settings.pop(member.key, None)  # of two equal keys the last one counts


def combine(parts: Sequence[Loaded], drops: bool = False) -> Loaded:
    """Merge the loaded files: everything adds up except the switches (claude_code 1).

    ``drops``: turn off the hooks of a file that Claude Code refuses.
    """
    whole = Loaded()
    whole.permissions = _permissions(parts, drops)
    for part in parts:
        if part.settings.get(DROPPED):
            _confine(part)
    add_up(parts, whole, "Claude Code", drops)
    all_off = any("disableAllHooks" in part.settings and managed(part.origin) for part in parts)
    own_off = _switching_off(parts)
    for part in parts:
        whole.off_in_agent += _without_options(part)
        if own_off is None or (managed(part.origin) and not all_off):
            whole.specs += part.specs
        else:
            switch_off(whole, part, own_off)
    _share_budget(whole.specs)
    return whole


def _permissions(parts: Sequence[Loaded], drops: bool) -> list[PermissionRule]:
    """Return the permission rules of all files (claude_code 12.1, 12.2).

    A file that Claude Code refuses grants nothing, nor does any file beside the managed settings, if their switch is on.
    """
    managed_only = any(part.settings.pop(_MANAGED_RULES_ONLY, False) for part in parts)
    rules: list[PermissionRule] = []
    for part in parts:
        is_dropped = bool(part.settings.get(DROPPED))
        if is_dropped and drops:
            continue
        grants = not is_dropped and (not managed_only or managed(part.origin))
        rules += [rule for rule in part.permissions if grants or rule.decision is not Decision.ALLOW]
    return rules


def _without_options(part: Loaded) -> list[Diagnostic]:
    """Return a warning for each placeholder of an unset plugin option: Claude Code does not start such a hook."""
    warnings = []
    for spec in part.specs:
        options = spec.extra.get("options")
        words = " ".join(spec.argv or ()) if isinstance(options, dict) else ""
        for name in sorted(set(_OPTION.findall(words)) - set(options or {})):
            message = f"the option {name} of the plugin is not set: Claude Code does not start this hook"
            fix = "set it in the agent: /plugin"
            warnings.append(spec.origin.diagnostic(message, fix, "warning", code="config-refused"))
    return warnings


def _switching_off(parts: Sequence[Loaded]) -> Loaded | None:
    """Return the first file that switches hooks off; one with ``disableAllHooks`` comes before all others."""
    for switch in _SWITCHES:
        for part in parts:
            if switch in part.settings:
                return part
    return None


def _confine(part: Loaded) -> None:
    """Confine a file that Claude Code drops: its switches have no effect, its variables apply to its own hooks only."""
    part.settings = {DROPPED: True}
    for spec in part.specs:
        spec.extra = {**spec.extra, "env": dict[str, JSON](part.env)}
        spec.key = (spec.key, part.origin.file) if part.env else spec.key  # with other variables it is another hook
    part.env = {}


def _share_budget(specs: Sequence[HookSpec]) -> None:
    """Limit the hooks of SessionEnd to their common time: 1.5 s, or the longest timeout in settings, at most 60 s."""
    ends = [spec for spec in specs if spec.event == "SessionEnd"]
    explicit_timeouts = [spec.timeout for spec in ends if spec.extra.get("explicit") and not spec.extra.get("plugin")]
    budget = min(max([BUDGET, *explicit_timeouts]), LARGEST_BUDGET)
    for spec in ends:
        spec.timeout = min(spec.timeout, budget) if spec.extra.get("explicit") else budget
