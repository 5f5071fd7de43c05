"""Agent files: docker_agent 1."""

from __future__ import annotations

from typing import Any

import pytest
from docker_configs import GOOD, ONE, diagnostic_texts, load, pre, start
from shapes_of_all import SHAPES

from pyshellhooks import dialects
from pyshellhooks.dialects.docker_agent import DockerAgent
from pyshellhooks.hooks.dialect import HostContext


@pytest.mark.parametrize(("system", "root"), SHAPES)
def test_no_shape_is_taken_for_anothers(system: str, root: dict[str, Any]) -> None:
    assert DockerAgent().recognises(root) is (system == "docker_agent")
    found = dialects.detect("unknown.file", root)
    if system == "docker_agent":
        assert found is not None and found.name == "docker_agent"


@pytest.mark.parametrize(
    "root",
    [
        {}, {"agents": {}}, {"agents": []}, {"agents": {"a": 1}}, {"agents": {"overrides": {"x": True}}},
        {"agents": {"a": {"hooks": {"PreToolUse": []}}}}, {"agents": {"a": {"model": "m"}, "b": 5}},
        {"agents": {"a": {"model": "m"}}, "hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "x"}]}]}},
        {"agents": {"a": {"model": "m", "prompt": "p", "description": "d"}}},
        {"hooks": {}}, {"hooks": None}, {"hooks": {"stop": []}}, {"hooks": {"stop": [1]}},
        {"hooks": {"stop": [{"type": "command"}], "beforeReadFile": []}},
    ],
)  # fmt: skip
def test_texts_of_another_shape(root: dict[str, Any]) -> None:
    assert not DockerAgent().recognises(root)


@pytest.mark.parametrize("name", ["agent.yaml", "agent.yml", "cagent.yaml", "docker-agent.yaml"])
def test_its_files_are_known_by_name_and_looked_for_in_the_working_directory(name: str) -> None:
    found = dialects.detect(f"/w/{name}", None)
    assert found is not None and found.name == "docker_agent"
    places = DockerAgent().places(HostContext("/w/p", env={}, home="/h", worktree="/w"))
    assert f"/w/p/{name}" in [place.path for place in places] and {place.scope for place in places} == {"project"}


def test_hooks_of_the_agent_then_of_the_root() -> None:
    text = f"hooks:\n  stop: [{{type: command, command: root}}]\nagents:\n  a:\n    hooks: {{stop: [{ONE}]}}\n"
    loaded = load(text)
    assert [spec.command for spec in loaded.specs] == ["x", "root"] and not loaded.diagnostics
    assert [str(spec.origin) for spec in loaded.specs] == ["a.yaml:5:20", "a.yaml:2:10"]


def test_the_first_agent_or_the_one_that_is_named() -> None:
    text = "agents:\n" + "".join(
        f"  {name}:\n    hooks:\n      stop: [{{type: command, command: {name}}}]\n" for name in ("zoe", "adam")
    )
    assert [spec.command for spec in load(text).specs] == ["zoe"]
    assert [spec.command for spec in load(text, "adam").specs] == ["adam"]
    loaded = load(text, "adan")
    assert loaded.specs == []
    assert diagnostic_texts(loaded) == [
        'a.yaml:2:3: error: unknown agent "adan"\n  hint: did you mean "adam"? the file has: zoe, adam'
    ]


def test_an_agent_of_a_file_without_agents() -> None:
    assert "the file has no agents" in diagnostic_texts(load("models: {}\n", "a"))[-1]
    assert not load("models: {}\n", "a", scope="project").errors  # found by discovery, and another system's
    assert not load(start(ONE), "a").errors  # hooks at the root are those of every agent


def test_mistakes_of_other_agents_count_as_docker_agent_reads_the_whole_file() -> None:
    text = f"agents:\n  a:\n    hooks: {{stop: [{ONE}]}}\n  b:\n    hooks: {{stop: [{{type: command}}]}}\n"
    assert diagnostic_texts(load(text)) == ["a.yaml:5:20: error: hooks.stop[0]: command is required for command hooks"]


def test_anchors_and_merge_keys_share_hooks() -> None:
    text = """\
x-guards: &guards
  pre_tool_use:
    - matcher: shell
      hooks:
        - &guard
          type: command
          command: |
            read -r call
            exit 2
agents:
  a:
    hooks:
      <<: *guards
      session_start: [*guard]
"""
    loaded = load(text)
    assert not loaded.diagnostics
    assert [(spec.event, spec.command) for spec in loaded.specs] == [
        ("pre_tool_use", "read -r call\nexit 2\n"),
        ("session_start", "read -r call\nexit 2\n"),
    ]
    assert str(loaded.specs[0].origin) == "a.yaml:5:11"


def test_a_bad_regex_is_an_error_and_shipped_drops_the_group() -> None:
    text = pre(f"{{matcher: '*foo', {GOOD}}}") + f"    - {GOOD}\n"
    loaded = load(text)
    assert len(loaded.errors) == 1
    assert diagnostic_texts(loaded)[0].startswith(
        'a.yaml:3:17: error: hooks.pre_tool_use[0]: invalid matcher regex "*foo"'
    )
    shipped = load(text, edition="shipped")
    assert not shipped.errors and len(shipped.diagnostics) == 1
    assert [(spec.matcher, spec.pattern) for spec in shipped.specs] == [("", None)]


@pytest.mark.parametrize("pattern", ["(?=x)", "(a)\\1", "a)(?:b", "["])
def test_patterns_that_go_does_not_take(pattern: str) -> None:
    assert len(load(pre(f"{{matcher: '{pattern}', {GOOD}}}")).errors) == 1


@pytest.mark.parametrize(
    ("matcher", "hits", "misses"),
    [
        ("''", "shell edit_file x", ""),
        ("'*'", "shell edit_file x", ""),
        ("~", "shell", ""),
        ("shell", "shell", "Shell shell2 myshell"),
        ("shell|edit_file", "shell edit_file", "shell2 x_edit_file edit"),
        ("edit", "edit", "edit_file"),
        ("edit.*", "edit edit_file", "x_edit"),
        ("'mcp:.*'", "mcp:x mcp:", "mcp_x xmcp:"),
        ("'mcp__.*'", "mcp__a__b", "mcp:a"),
        ("' shell'", "", "shell"),
        ("^shell$", "shell", "shell2"),
        ("'(?i)shell'", "SHELL", "shells"),
    ],
)
def test_matchers_are_anchored_at_both_ends(matcher: str, hits: str, misses: str) -> None:
    loaded = load(pre(f"{{matcher: {matcher}, {GOOD}}}"))
    [spec] = loaded.specs
    for name in hits.split():
        assert spec.pattern is None or spec.pattern.search(name)
    for name in misses.split():
        assert spec.pattern is not None and not spec.pattern.search(name)


def test_matchers_that_match_nothing_are_reported() -> None:
    assert 'Bash is "shell"' in diagnostic_texts(load(pre(f"{{matcher: Bash|Edit, {GOOD}}}")))[0]
    assert 'write "shell"' in diagnostic_texts(load(pre(f"{{matcher: ' shell', {GOOD}}}")))[0]


@pytest.mark.parametrize(
    ("given", "seconds"), [("", 60), ("timeout: 30", 30), ("timeout: 0", 60), ("timeout: -1", 60), ("timeout: ~", 60)]
)
def test_timeouts_are_seconds(given: str, seconds: float) -> None:
    [spec] = load(start(f"{{type: command, command: x, {given}}}")).specs
    assert spec.timeout == seconds


def test_failclosed_marks_the_hooks_that_can_deny() -> None:
    text = pre(GOOD) + f"  stop: [{ONE}]\n"
    assert [spec.on_failure for spec in load(text, edition="failclosed").specs] == ["closed", None]
    assert [spec.on_failure for spec in load(text).specs] == [None, None]
    assert DockerAgent("failclosed").added("before_tool", "x").on_failure == "closed"
