"""Claude Code: hooks of ``.claude/settings.json`` and of plugins, for thirty-four events (docs/contracts/claude_code.md)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import ClassVar

from ...hooks.config_form import ConfigForm, grouped
from ...hooks.dialect import CLOSED, ConfigFile, Dialect, EventSpec, HostContext, Loaded, Quirk, Setting, nameless
from ...hooks.model import (
    HookEvent,
    HookJob,
    HookOutcome,
    HookRun,
    HookSession,
    HookSpec,
    Origin,
    PermissionRule,
    Ruling,
)
from ...hooks.render import HookOutput, Rendering
from ...hooks.verdict import HookResult, Verdict
from ...jsontext.compact import JSON
from ..grouped_events import merging
from ..grouped_events.config import DROPPED
from ..grouped_events.payload import count_refused_stops
from . import config, parse_output, payload
from .events import EVENTS, FORM
from .matcher import names_of
from .rules import Rule
from .tables import (
    ABSOLUTE,
    ARGUMENTS,
    DEFAULT_TIMEOUT,
    EDITIONS,
    HOOK_FIELDS,
    INPUTS,
    OTHER_TOOLS,
    PERMISSION_EVENT,
    QUIRKS,
    SETTINGS,
    TOOLS,
    VARIABLES,
)


class ClaudeCode(Dialect):
    """Claude Code's events, matchers, rules, exit codes and answers, as documented, or as of an older client."""

    name: ClassVar[str] = "claude_code"
    title: ClassVar[str] = "Claude Code"
    basis: ClassVar[str] = "its documents, and runs of 2.1.332"
    events: ClassVar[Mapping[str, EventSpec]] = EVENTS
    quirks: ClassVar[Mapping[str, Quirk]] = QUIRKS
    editions: ClassVar[Mapping[str, frozenset[str]]] = EDITIONS
    file_names: ClassVar[tuple[str, ...]] = (
        ".claude/settings.json",
        ".claude/settings.local.json",
        "managed-settings.json",
    )
    tools: ClassVar[Mapping[str, tuple[str, ...]]] = TOOLS
    other_tools: ClassVar[frozenset[str]] = OTHER_TOOLS
    arguments: ClassVar[Mapping[str, Mapping[str, str]]] = ARGUMENTS
    inputs: ClassVar[Mapping[str, tuple[str, ...]]] = INPUTS
    absolute: ClassVar[frozenset[str]] = ABSOLUTE
    shell_output: ClassVar[Mapping[str, JSON]] = {"interrupted": False, "isImage": False}  # of its Bash tool
    default_timeout: ClassVar[float] = DEFAULT_TIMEOUT
    shell: ClassVar[str] = "sh"  # claude_code 4
    variables: ClassVar[tuple[str, ...]] = VARIABLES
    cwd_moves: ClassVar[bool] = True  # claude_code 4
    settings: ClassVar[Mapping[str, Setting]] = SETTINGS
    permission_events: ClassVar[frozenset[str]] = frozenset([PERMISSION_EVENT])
    handled: ClassVar[tuple[str, ...]] = ("prompt", "agent", "http", "mcp_tool")
    config_form: ClassVar[ConfigForm | None] = ConfigForm(grouped, HOOK_FIELDS, closed=("onFailure", "block"))

    def recognises(self, root: Mapping[str, JSON]) -> bool:
        """Return whether a file has groups of handlers under Claude Code's events, or its switches."""
        return config.recognises(root)

    def places(self, place: HostContext) -> list[ConfigFile]:
        """Return the files of claude_code 1, lowest first."""
        return config.places(place)

    def brought(
        self, place: HostContext, settings: Sequence[tuple[ConfigFile, str]], *, at_times: bool = True
    ) -> list[ConfigFile]:
        """Return the files of plugins that are enabled, and those with hooks in their frontmatter (claude_code 1.1)."""
        from .plugins import brought

        return brought(place, settings, self._is_dropped, at_times)

    def _is_dropped(self, file: ConfigFile, text: str) -> bool:
        """Return whether Claude Code ignores a settings file as a whole."""
        loaded = self.load(text, Origin(file.path, file.scope))
        return bool(loaded.errors) or DROPPED in loaded.settings

    def leads_to(self, text: str, origin: Origin) -> list[str]:
        """Return the hook files of a plugin, given its manifest; none for any other file."""
        from .plugins import is_manifest, leads_to

        return leads_to(text, origin.plugin) if is_manifest(origin.file) and origin.plugin else []

    def load(self, text: str, origin: Origin, agent: str = "") -> Loaded:
        """Read settings, a plugin's hooks, or the frontmatter of a skill or subagent (claude_code 1, 2)."""
        return config.Loader(text, origin, self.active).load()

    def combine(self, parts: Sequence[Loaded]) -> Loaded:
        """Add up the files, except ``disableAllHooks`` and ``allowManagedHooksOnly`` (claude_code 1)."""
        return config.combine(parts, "refused_files_are_off" in self.active)

    def added(self, event: str, command: str) -> HookSpec:
        """Return the hook that a command line or a host adds to an event (claude_code 1: session-registered)."""
        row, _ = self.event(event)
        timeout = row.timeout or self.default_timeout
        return HookSpec(row.native, command, timeout=timeout, key=("command", command, None, "", False))

    def mcp_names(self, server: str, tool: str) -> tuple[str, ...]:
        """Return Claude Code's name of an MCP server's tool (claude_code 3)."""
        return (f"mcp__{server}__{tool}",)

    def matches_tool(self, spec: HookSpec, tool: str) -> bool:
        """Return whether the matcher and the ``if`` rule, if any, name the tool."""
        rule = spec.extra.get("rule")
        return super().matches_tool(spec, tool) and (not isinstance(rule, Rule) or rule.names(tool))

    def watch_list(self, specs: Sequence[HookSpec]) -> list[str]:
        """Return the names in the working directory that FileChanged hooks watch (claude_code 3)."""
        texts = [spec.matcher for spec in specs if spec.event == "FileChanged"]
        return list(dict.fromkeys(name for text in texts if text != "*" for name in names_of(text, bars_only=True)))

    def prepare(self, host_context: HostContext) -> None:
        """Build the part of the environment that no event changes (claude_code 4)."""
        host_context.base = payload.base_environment(host_context)

    def make_event(
        self,
        row: EventSpec,
        neutral: bool,
        fields: Mapping[str, JSON],
        host_context: HostContext,
        session: HookSession | None,
    ) -> HookEvent:
        """Build the event with Claude Code's field names and order (claude_code 5)."""
        return payload.make_event(row, neutral, fields, host_context, session)

    def matches_subject(self, spec: HookSpec, row: EventSpec, subjects: tuple[str, ...]) -> bool:
        """Return whether the matcher, and the tool's name in the ``if`` rule, match a subject."""
        rule = spec.extra.get("rule")
        if isinstance(rule, Rule) and not nameless(row, subjects) and not any(map(rule.names, subjects)):
            return False
        return self._lets_through(spec, row, subjects)

    def _lets_through(self, spec: HookSpec, row: EventSpec, subjects: tuple[str, ...]) -> bool:
        """Return whether the matcher matches; a switch to an unknown model matches every hook."""
        return super().matches_subject(spec, row, subjects) or (row.subject == "to_model" and subjects == ("",))

    def has_conditions(self, spec: HookSpec) -> bool:
        """Return whether the hook runs once, or has an ``if`` rule, which tests the tool's input."""
        return bool(spec.extra.get("once")) or isinstance(spec.extra.get("rule"), Rule)

    def matches_conditions(self, spec: HookSpec, event: HookEvent) -> bool:
        """Return whether the ``if`` rule matches; False for a ``once`` hook that has already run."""
        if spec.extra.get("once") and _done(spec, event):
            return False
        rule = spec.extra.get("rule")
        if not isinstance(rule, Rule) or nameless(event.row, event.subjects):
            return True
        return rule.matches(
            event.subjects, payload.tool_values(event), event.cwd, event.project_dir, payload.home(event)
        )

    def why(self, spec: HookSpec, event: HookEvent) -> str:
        """Explain the effect of ``once``, or of the ``if`` rule if the matcher matched; else return ``""``."""
        rule = spec.extra.get("rule")
        if spec.extra.get("once") and _done(spec, event):
            return "it runs once per session, and has already run"
        if not isinstance(rule, Rule) or not self._lets_through(spec, event.row, event.subjects):
            return ""
        return f"its rule {rule} {'matches' if self.matches(spec, event) else 'does not match'} this call"

    def deduplicate(self, specs: Sequence[HookSpec]) -> list[HookSpec]:
        """Keep one of equal handlers: preferably a synchronous one, then one that blocks on failure, then the first."""
        chosen: dict[Hashable, HookSpec] = {}
        for spec in specs:
            if spec.key is not None:
                known = chosen.get(spec.key)
                if known is None or _weight(spec) > _weight(known):
                    chosen[spec.key] = spec
        return [spec for spec in specs if spec.key is None or chosen[spec.key] is spec]

    def job(self, event: HookEvent, spec: HookSpec, host_context: HostContext) -> HookJob:
        """Return the job of a hook (claude_code 2, 4)."""
        job = payload.job(event, spec, host_context)
        if "sh_of_the_machine" in self.active and not host_context.windows:
            job.shell = "/bin/sh"
        return job

    def parse(self, run: HookRun, spec: HookSpec, event: HookEvent) -> HookOutcome:
        """Parse the exit status and stdout (claude_code 6, 8)."""
        return parse_output.parse(run, spec, event, self.active)

    def merge(self, event: HookEvent, results: Sequence[HookResult]) -> Verdict:
        """Merge the outcomes (claude_code 6)."""
        return merging.merge(event, results, payload.used_up)

    def judge(self, rules: Sequence[PermissionRule], event: HookEvent) -> Ruling:
        """Return the decision of the permission rules on a call (claude_code 12)."""
        from .permissions import decide

        return decide(rules, event)

    def settle(self, event: HookEvent, verdict: Verdict) -> None:
        """Count refused stops in a row, and keep the variables that hooks exported for later Bash calls.

        Later hooks do not see those variables (claude_code 4). A ``once`` hook counts as run when it has succeeded.
        """
        session = event.session
        if session is None:
            return
        count_refused_stops(event, verdict)
        for result in verdict.hooks:
            if result.spec.extra.get("once") and result.outcome.ended == "ok":
                session.once(_once(result.spec))
        variables = verdict.effects.get("env")
        if isinstance(variables, dict):
            session.env.update(variables)

    def render(self, rendering: Rendering) -> HookOutput:
        """Render a verdict as JSON, with exit status 2 for a block that JSON can't express (claude_code 6)."""
        from ..grouped_events.render import Renderer

        return Renderer(rendering, FORM, self.active).render()

    def schema(self, kind: str, event: str = "") -> dict[str, JSON]:
        """Return the JSON Schema of ``config``, ``input`` or ``output``."""
        from .schema import schema as export

        return export(kind, self.event(event)[0].native if event else "PreToolUse")


def _once(spec: HookSpec) -> str:
    return f"once:{spec.id}"


def _done(spec: HookSpec, event: HookEvent) -> bool:
    return event.session is not None and _once(spec) in event.session.done


def _weight(spec: HookSpec) -> tuple[bool, bool]:
    background = bool(spec.extra.get("async") or spec.extra.get("rewake"))
    return not background, spec.on_failure == CLOSED


__all__ = ["ClaudeCode"]
