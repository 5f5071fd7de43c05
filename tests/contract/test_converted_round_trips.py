"""A config that is converted to another system and back has what the first conversion kept, for every pair."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from converting import ENV, PAIRS, answering, call_row, guard

from pyshellhooks import dialects
from pyshellhooks.convert import Conversion, convert
from pyshellhooks.convert.target import Target
from pyshellhooks.engine.checks.checker import check_file
from pyshellhooks.engine.config.loading import Source
from pyshellhooks.hooks.config_form import Hook
from pyshellhooks.hooks.dialect import Dialect
from pyshellhooks.hooks.model import HookSpec, Origin
from pyshellhooks.hooks.verdict import Verdict


def written(dialect: Dialect) -> str:
    """Return a config with a guard of the shell, a guard of two tools, and a hook on each event with a neutral name."""
    form = dialect.config_form
    assert form is not None
    seconds = 20 * (1000 if dialect.timeout_key[1] == "milliseconds" else 1)
    names = list(dict.fromkeys(name for kind in ("write", "edit") for name in dialect.tools[kind]))
    event = call_row(dialect).native
    hooks: list[tuple[str, Hook]] = [
        (
            event,
            {
                form.command: guard(dialect),
                "matcher": form.matchers(dialect.tools["shell"][:1])[0],
                dialect.timeout_key[0]: seconds,
            },
        ),
        (event, {form.command: "echo 'no' >&2; exit 2", "matcher": form.matchers(names)[0]}),
        (event, {form.command: answering(dialect, Verdict(decision="deny", reason="not at all"))}),
    ]
    for row in dialect.events.values():
        if row.neutral and not row.when:
            hooks.append((row.native, {form.command: f"echo {row.native}"}))
    return Target(dialect, form).text(Target(dialect, form).config(hooks))


def converted(text: str, source: Dialect, target: Dialect, place: Path, *, wrap: bool) -> Conversion:
    return convert(Source(str(place / "hooks"), text), source, target, wrap=wrap, env=ENV)


def facts(dialect: Dialect, text: str) -> list[tuple[Any, ...]]:
    """Return what counts of each hook: its event, command, time, policy, and the tools that it is for."""
    loaded = dialect.load(text, Origin("hooks"))
    assert not loaded.errors, loaded.errors
    return [_facts(dialect, spec) for spec in dialect.combine([loaded]).specs]


def _facts(dialect: Dialect, spec: HookSpec) -> tuple[Any, ...]:
    probes = [*dialect.own_tools, "zz_other", *dialect.mcp_names("server", "tool")]
    tools = tuple(tool for tool in probes if dialect.matches_tool(spec, tool))
    return spec.event, spec.command, spec.timeout, tools


@pytest.mark.one_in(4)
@pytest.mark.parametrize("wrap", [True, False])
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_there_and_back_again(source: str, target: str, wrap: bool, tmp_path: Path) -> None:
    here, there = dialects.get(source), dialects.get(target)
    text = written(here)
    first = converted(text, here, there, tmp_path, wrap=wrap)
    back = converted(first.text, there, here, tmp_path, wrap=False)
    before, after = facts(here, text), facts(here, back.text)
    # A hook with a script of its own words comes back without the client.
    assert "pyshellhooks-hook" not in back.text
    assert back.hooks == first.hooks <= len(before)
    kept = {row[:2]: row for row in before}
    events = {row.neutral for row in here.events.values()} & {row.neutral for row in there.events.values()}
    assert {row[0] for row in after} == {event for event, *_ in before if here.events[event].neutral in events}
    for event, command, seconds, tools in after:
        original = kept[event, command]
        is_listed = any(loss.about == "timeout" for loss in (*first.losses, *back.losses))
        assert abs(seconds - original[2]) < 1 or is_listed, (command, "timeouts are rounded up to whole seconds")
        assert set(tools) >= set(original[3]) - _unknown_in(there, here), (command, tools)


def _unknown_in(target: Dialect, source: Dialect) -> set[str]:
    """Return the tools for which the other system has no name."""
    return {
        name
        for name in source.own_tools
        if not any(target.tools.get(kind) for kind, names in source.tools.items() if name in names)
    }


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_every_result_is_checked(source: str, target: str, tmp_path: Path) -> None:
    """The other system loads each hook as it was written, and ``check`` finds no error in the result."""
    here, there = dialects.get(source), dialects.get(target)
    conversion = converted(written(here), here, there, tmp_path, wrap=True)
    loaded = there.load(conversion.text, Origin("hooks"))
    assert not loaded.errors and not loaded.refused and not loaded.lost
    assert len(there.combine([loaded]).specs) == conversion.hooks > 0
    file = tmp_path / there.file_names[0]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(conversion.text, encoding="utf-8")
    errors = [one for one in check_file(str(file), there.name).diagnostics if one.severity == "error"]
    listed = {loss.about for loss in conversion.losses if loss.weaker}
    assert not errors or "script" in listed, errors
