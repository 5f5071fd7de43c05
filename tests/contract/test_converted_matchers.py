"""No converted guard runs on fewer calls than the original, unless a loss with an error names it: all pairs, all tools."""

from __future__ import annotations

from pathlib import Path

import pytest
from converting import ENV, PAIRS, call_row, config_of, text_of

from pyshellhooks import dialects
from pyshellhooks.convert import convert
from pyshellhooks.convert.matchers import KINDS_OF_CONDITION
from pyshellhooks.engine.config.loading import Source
from pyshellhooks.hooks.config_form import Config
from pyshellhooks.hooks.dialect import Dialect
from pyshellhooks.hooks.model import Origin

GUARD = "echo no >&2; exit 2"


def tools_after(source: Dialect, target: Dialect, config: Config, place: Path) -> tuple[set[str], bool]:
    """Return the other system's tools for which the converted hook runs, and whether a loss names an error."""
    conversion = convert(Source(str(place / "hooks"), text_of(source, config)), source, target, env=ENV)
    loaded = target.load(conversion.text, Origin("hooks"))
    probes = [*target.own_tools, *[names[0] for names in _mcp(target)]]
    specs = target.combine([loaded]).specs
    return {tool for tool in probes for spec in specs if target.matches_tool(spec, tool)}, conversion.weaker


def _mcp(dialect: Dialect) -> list[tuple[str, ...]]:
    names = [dialect.mcp_names(server, tool) for server, tool in (("server", "tool"), ("fs", "write_file"))]
    return [found for found in names if found]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_each_tool(source: str, target: str, tmp_path: Path) -> None:
    here, there = dialects.get(source), dialects.get(target)
    form = here.config_form
    assert form is not None
    for kind, names in here.tools.items():
        for name in names:
            kinds = [other for other, tools in here.tools.items() if name in tools]
            config = config_of(here, {form.command: GUARD, "matcher": form.matchers([name])[0]})
            matched, is_listed = tools_after(here, there, config, tmp_path)
            expected = {tool for other in kinds for tool in there.tools.get(other, ())}
            assert expected <= matched, (kind, name, matched)
            assert expected or is_listed or name in matched, (kind, name)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_each_event_about_calls(source: str, target: str, tmp_path: Path) -> None:
    """Without a matcher a hook runs for all tools of its event, those of MCP servers included."""
    here, there = dialects.get(source), dialects.get(target)
    form = here.config_form
    assert form is not None
    rows = [row for row in here.events.values() if "before_tool" in row.neutral]
    assert call_row(here) in rows
    for row in rows:
        matched, is_listed = tools_after(
            here, there, config_of(here, {form.command: GUARD}, event=row.native), tmp_path
        )
        kinds = KINDS_OF_CONDITION.get(row.when)
        expected = {tool for kind in kinds or () for tool in there.tools.get(kind, ())}
        if not row.when:
            expected = set(there.own_tools)
        if not kinds:  # every call, or those of MCP tools
            expected |= {names[0] for names in _mcp(there)}
        assert expected <= matched or is_listed, row.native
