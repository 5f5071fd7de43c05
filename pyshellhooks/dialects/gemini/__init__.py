"""Gemini CLI: hooks of ``settings.json`` and of extensions (docs/contracts/gemini.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ...hooks.config_form import ConfigForm, grouped
from ...hooks.dialect import ConfigFile, Dialect, EventSpec, HostContext, Loaded, Quirk, Setting
from ...hooks.failure_notices import failing
from ...hooks.model import Delivery, HookEvent, HookJob, HookOutcome, HookRun, HookSession, HookSpec, Origin
from ...hooks.render import HookOutput, Rendering
from ...hooks.verdict import HookResult, Verdict
from ...jsontext.compact import JSON
from . import config, extensions, merging, parse_output, payload
from .tables import ARGUMENTS, DEFAULT_TIMEOUT, EDITIONS, EVENTS, HOOK_FIELDS, QUIRKS, RETRIES, TOOLS, VARIABLES


class Gemini(Dialect):
    """Gemini CLI's events, matchers, exit codes and answers, as documented or as shipped."""

    name: ClassVar[str] = "gemini"
    title: ClassVar[str] = "Gemini CLI"
    basis: ClassVar[str] = "its document, its source, and runs of 0.61.0"
    events: ClassVar[Mapping[str, EventSpec]] = EVENTS
    quirks: ClassVar[Mapping[str, Quirk]] = QUIRKS
    editions: ClassVar[Mapping[str, frozenset[str]]] = EDITIONS
    file_names: ClassVar[tuple[str, ...]] = (".gemini/settings.json",)
    tools: ClassVar[Mapping[str, tuple[str, ...]]] = TOOLS
    arguments: ClassVar[Mapping[str, Mapping[str, str]]] = ARGUMENTS
    timeout_key: ClassVar[tuple[str, str]] = ("timeout", "milliseconds")
    shell: ClassVar[str] = "bash"  # gemini 3
    variables: ClassVar[tuple[str, ...]] = VARIABLES
    pasted: ClassVar[frozenset[str]] = frozenset(VARIABLES)  # gemini 3; the edition ``shipped`` does it
    default_timeout: ClassVar[float] = DEFAULT_TIMEOUT
    config_form: ClassVar[ConfigForm | None] = ConfigForm(grouped, HOOK_FIELDS)
    settings: ClassVar[Mapping[str, Setting]] = {
        "plans_dir": Setting("string", "the directory of plans, for GEMINI_PLANS_DIR"),
    }

    def recognises(self, root: Mapping[str, JSON]) -> bool:
        """Return whether ``hooks`` has an event that only Gemini CLI has, or the file has ``hooksConfig``."""
        return config.recognises(root)

    def places(self, place: HostContext) -> list[ConfigFile]:
        """Return the files of gemini 1, lowest first."""
        return config.places(place)

    def brought(
        self, place: HostContext, settings: Sequence[tuple[ConfigFile, str]], *, at_times: bool = True
    ) -> list[ConfigFile]:
        """Return the files of the user's extensions (gemini 1.1)."""
        return list(extensions.brought(place))

    def bundled(self, place: HostContext) -> list[ConfigFile]:
        """Return the files of an extension that is in the working directory."""
        if not place.exists(place.join(place.cwd, extensions.MANIFEST)):
            return []
        return list(extensions.extension(place, place.cwd, extensions.fault_of(place, place.cwd)))

    def load(self, text: str, origin: Origin, agent: str = "") -> Loaded:
        """Read one settings.json, or an extension's hooks.json (gemini 1)."""
        return config.Loader(text, origin, self.active).load()

    def combine(self, parts: Sequence[Loaded]) -> Loaded:
        """Join the files, extensions last, without the hooks that ``hooksConfig`` switches off."""
        return config.combine(parts)

    def mcp_names(self, server: str, tool: str) -> tuple[str, ...]:
        """Return Gemini CLI's names of an MCP server's tool (gemini 1)."""
        return payload.mcp_names(server, tool, self.active)

    def prepare(self, host_context: HostContext) -> None:
        """Build the part of the environment that no event changes (gemini 2.2)."""
        host_context.base = payload.Base(host_context)

    def make_event(
        self,
        row: EventSpec,
        neutral: bool,
        fields: Mapping[str, JSON],
        host_context: HostContext,
        session: HookSession | None,
    ) -> HookEvent:
        """Build the event, with Gemini CLI's field names and order (gemini 2.1)."""
        return payload.make_event(row, neutral, fields, host_context, session, self.active)

    def lanes(self, specs: Sequence[HookSpec]) -> list[list[int]]:
        """Return the lanes: one per sequential group; in ``shipped``, one for all hooks if any group is sequential."""
        if "global_sequential" in self.active and any(spec.lane is not None for spec in specs):
            return [list(range(len(specs)))]
        return super().lanes(specs)

    def job(self, event: HookEvent, spec: HookSpec, host_context: HostContext) -> HookJob:
        """Return the job of a hook: the stdin that all hooks of the event share, its environment (gemini 2, 3)."""
        if event.delivery is None:
            event.delivery = Delivery(payload.stdin(event, self.active))
        env = payload.variables(event, spec, host_context, self.active)
        command = spec.command
        if "extension" in spec.extra:
            command = command.replace("${workspacePath}", event.project_dir)
        if "load_time_variables" in self.active:
            from .shipped import filled_in, pasted

            env.update({name: filled_in(value, host_context.env) for name, value in (spec.env or {}).items()})
            command = pasted(filled_in(command, host_context.env), env)
        return HookJob(
            spec,
            stdin=event.delivery.stdin,
            env=env,
            cwd=event.cwd,
            timeout=spec.timeout,
            command=command,
        )

    def parse(self, run: HookRun, spec: HookSpec, event: HookEvent) -> HookOutcome:
        """Parse a run: its exit status and the answer on stdout (gemini 4)."""
        if "json_beats_exit_code" in self.active:
            from . import shipped

            if spec.timeout <= 0:
                what, hint = "timed out at once: its timeout is 0 or less", "set a timeout in milliseconds"
                return failing("timed_out", what, hint=hint)
            return shipped.parse(run, event.row, self.active)
        return parse_output.parse(run, event.row, self.active)

    def rewritten(self, event: HookEvent, outcome: HookOutcome) -> HookEvent:
        """Return the event as the next hook of a sequential group sees it (gemini 5)."""
        return payload.rewritten(event, outcome)

    def merge(self, event: HookEvent, results: Sequence[HookResult]) -> Verdict:
        """Join the outcomes, in config order (gemini 5)."""
        if "later_overrides" in self.active:
            from . import shipped

            return shipped.merged(event, results, self.active)
        return merging.merge(event, [result.outcome for result in results], results)

    def settle(self, event: HookEvent, verdict: Verdict) -> None:
        """Count the retries of a turn, for ``stop_hook_active``; an accepted response resets the count."""
        if "followup" in event.row.can and event.session is not None:
            if verdict.followup is not None:
                event.session.count(RETRIES)
            else:
                event.session.counters.pop(RETRIES, None)
        super().settle(event, verdict)

    def render(self, rendering: Rendering) -> HookOutput:
        """Render a verdict as JSON at exit status 0 (gemini 4)."""
        from .render import render

        return render(rendering, self.active)

    def schema(self, kind: str, event: str = "") -> dict[str, JSON]:
        """Return the JSON Schema of ``config``, ``input`` or ``output``."""
        from .schema import schema as export

        return export(kind, self.event(event)[0].native if event else "BeforeTool")


__all__ = ["Gemini"]
