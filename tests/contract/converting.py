"""Guards of each system in its own words, made of its tables, and engines that run converted configs."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

from pyshellhooks import HookEngine, dialects
from pyshellhooks.cancel import CancelScope
from pyshellhooks.convert import Conversion, convert
from pyshellhooks.convert.target import Target
from pyshellhooks.engine.config.loading import Source
from pyshellhooks.engine.executor import ShellExecutor
from pyshellhooks.hooks.adapted import adapted_of
from pyshellhooks.hooks.config_form import Config, Hook
from pyshellhooks.hooks.dialect import Dialect, EventSpec
from pyshellhooks.hooks.model import HookJob, HookRun
from pyshellhooks.hooks.verdict import Verdict
from pyshellhooks.resident.answering import Request, alone

SYSTEMS = [name for name in dialects.built_in() if dialects.get(name).config_form is not None]
PAIRS = [(source, target) for source in SYSTEMS for target in SYSTEMS if source != target]
ENV = {"PATH": "/usr/bin:/bin"}


class ClientExecutor(ShellExecutor):
    """An executor that answers for ``pyshellhooks-hook`` in this process, as the program does."""

    def run(
        self, job: HookJob, scope: CancelScope | None, timeout: float | None = None, grace: float | None = None
    ) -> HookRun:
        if adapted_of(job.command) is None:
            return super().run(job, scope, timeout, grace)
        request = Request(tuple(shlex.split(job.command)[1:]), job.stdin, dict(job.env), job.cwd)
        stdout, status, stderr = alone(request)
        return HookRun(status=status, stdout=stdout, stderr=stderr)


def call_row(dialect: Dialect) -> EventSpec:
    """Return the event before a call of any tool."""
    rows = [row for row in dialect.events.values() if "before_tool" in row.neutral]
    return next((row for row in rows if not row.when), rows[0])


def shell_tool(dialect: Dialect) -> str:
    return dialect.tools["shell"][0]


def reading_command(dialect: Dialect) -> str:
    """Return a shell's text that prints the command of a call."""
    argument = dialect.arguments.get("shell", {}).get("command", "command")
    path = ".".join(["", *filter(None, [dialect.data_key]), call_row(dialect).places["tool_input"], argument])
    if dialect.payload_variables:
        return f"printf %s \"${dialect.payload_variables[0]}\" | jq -r '{path}'"
    return f"jq -r '{path}'"


def answering(dialect: Dialect, verdict: Verdict) -> str:
    """Return a shell's text that answers with a verdict, in the system's words."""
    row = call_row(dialect)
    argument = dialect.arguments.get("shell", {}).get("command", "command")
    fields = {"tool_name": shell_tool(dialect), "tool_input": {argument: "npm test"}}
    answer = dialect.answer(row.native, verdict, fields)
    assert not answer.exit_code and answer.stdout
    return f"printf %s {shlex.quote(answer.stdout)}"


def guard(dialect: Dialect) -> str:
    """Return a guard that reads the command, denies, rewrites or allows, and else has no opinion."""
    argument = dialect.arguments.get("shell", {}).get("command", "command")
    allow = ""
    if "allow" in call_row(dialect).can:
        allow = f"'git status') {answering(dialect, Verdict(decision='allow'))} ;;"
    rewrite = ""
    if "rewrite" in call_row(dialect).can:
        changed = Verdict(updated_input_text=json.dumps({argument: "bun test"}))
        rewrite = f"'npm test') {answering(dialect, changed)} ;;"
    return f"case $({reading_command(dialect)}) in *--force*) echo 'not so' >&2; exit 2 ;; {rewrite} {allow} esac"


def config_of(dialect: Dialect, *hooks: Hook, event: str = "") -> Config:
    """Return a config of one event: by default that before a call."""
    form = dialect.config_form
    assert form is not None
    return form.shape(event or call_row(dialect).native, [dict(hook) for hook in hooks])


def for_shell(dialect: Dialect, command: str, **more: Any) -> Hook:
    """Return a hook for the shell tool only."""
    form = dialect.config_form
    assert form is not None
    return {"matcher": form.matchers([shell_tool(dialect)])[0], form.command: command, **more}


def converted(
    source: str, target: str, config: Config, place: Path, *, wrap: bool = True
) -> tuple[Conversion, HookEngine, HookEngine]:
    """Convert a config, and return the engines of both."""
    here, there = dialects.get(source), dialects.get(target)
    text = text_of(here, config)
    conversion = convert(Source(str(place / "hooks"), text), here, there, wrap=wrap, env=ENV)
    return conversion, engine_of(here, text, place), engine_of(there, conversion.text, place)


def text_of(dialect: Dialect, config: Config) -> str:
    """Return a config as the text of one of the system's files."""
    form = dialect.config_form
    assert form is not None
    return Target(dialect, form).text(config)


def engine_of(dialect: Dialect, text: str, place: Path) -> HookEngine:
    mounts = {"/workspace": str(place)} if dialect.session_files else None
    executor = None if mounts else ClientExecutor(env=ENV)
    return HookEngine.load(
        text=text, dialect=dialect, cwd=None if mounts else str(place), env=ENV, executor=executor, mounts=mounts
    )


def call(engine: HookEngine, command: str, tool: str = "bash") -> Verdict:
    """Fire a call of a shell."""
    return engine.fire("before_tool", tool_name=tool, tool_input={"command": command})


def specs_of(conversion: Conversion) -> list[Any]:
    """Return the hooks of a converted config, as its system loads them."""
    engine = HookEngine.load(text=conversion.text, dialect=conversion.target)
    return list(engine.specs)
