"""Configs as TOML, read again by the standard library's parser."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyshellhooks.convert.toml_text import toml_text
from pyshellhooks.dialects import get
from pyshellhooks.hooks.config_form import ConfigForm, entries, grouped
from pyshellhooks.hooks.model import Origin

CONFIGS: list[dict[str, Any]] = [
    {"hooks": [{"event": "before_tool", "matcher": "bash", "command": 'echo "no"\nexit 2', "timeout": 5}]},
    {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "a"}, {"command": "b"}]}]}},
    {
        "version": 1,
        "hooks": {"Stop": [{"hooks": [{"command": "x", "async": True, "seconds": 1.5, "args": ["a", "b"]}]}]},
    },
    {"a key": {"b": {"c": "\x7f\u2028 \\ ' \""}}},
    {},
]


@pytest.mark.parametrize("config", CONFIGS)
def test_it_comes_back(config: dict[str, Any]) -> None:
    assert tomllib.loads(toml_text(config)) == config


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    TEXTS | st.booleans() | st.integers(-(2**53), 2**53),
    lambda inner: st.lists(TEXTS, min_size=1) | st.dictionaries(st.text("ab -.", min_size=1), inner, min_size=1),
    max_leaves=8,
)


@given(st.dictionaries(st.text("abc _.", min_size=1), VALUES))
def test_any_config_comes_back(config: dict[str, Any]) -> None:
    assert tomllib.loads(toml_text(config)) == config


def test_codex_reads_it() -> None:
    config = grouped("PreToolUse", [{"matcher": "Bash", "command": "exit 2", "timeout": 7}])
    (spec,) = get("codex").load(toml_text(config), Origin("/x/.codex/config.toml")).specs
    assert (spec.command, spec.matcher, spec.timeout) == ("exit 2", "Bash", 7.0)


def test_entries_of_a_toml_file() -> None:
    form = ConfigForm(entries, suffix="toml")
    text = toml_text(form.shape("before_tool", [{"matcher": "bash", "command": "x"}]))
    assert text == '[[hooks]]\nevent = "before_tool"\nmatcher = "bash"\ncommand = "x"\n'
