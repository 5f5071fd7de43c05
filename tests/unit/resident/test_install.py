"""``serve --install``: what moves, what stays, and that the way back leads to the same bytes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from installing import DENIES, DENY, GUARD, PRETTY, Project, everything, flat, nested

from pyshellhooks.hooks.installed import words_of
from pyshellhooks.resident.install import apply
from pyshellhooks.resident.install.targets import Refused

FORMATS: dict[str, bytes] = {
    "pretty": PRETTY.encode(),
    "one line": json.dumps(nested(GUARD)).encode(),
    "no spaces": json.dumps(nested(GUARD), separators=(",", ":")).encode(),
    "final newline": PRETTY.encode() + b"\n",
    "many newlines": b"\n\n" + PRETTY.encode() + b"\n\n\n",
    "CRLF": PRETTY.replace("\n", "\r\n").encode(),
    "mixed line ends": PRETTY.replace("\n", "\r\n", 3).encode(),
    "byte order mark": b"\xef\xbb\xbf" + PRETTY.encode(),
    "tabs": json.dumps(nested(GUARD), indent="\t").encode(),
    "comments": b"// one\n{ /* two */ \"hooks\" /* three */ : " + json.dumps(nested(GUARD)["hooks"]).encode() + b" // four\n, }",
    "comments between hooks": PRETTY.replace('"hooks": [', '"hooks": [ // why', 1).replace("exit 2", "exit 2 # {]}").encode(),
    "trailing commas": PRETTY.replace("]\n", "],\n").encode(),
    "beside other settings": json.dumps({"model": "é", **nested(GUARD), "permissions": {"deny": ["x"]}}, indent=4).encode(),
    "letters of all kinds": json.dumps(nested({**GUARD, "command": DENY + " # é 😀 \u2028 \\ \" '"}), ensure_ascii=False).encode(),
    "events of nobody": json.dumps({"hooks": {**nested(GUARD)["hooks"], "BeforeTool": [{"hooks": [GUARD]}], "NoEvent": []}}).encode(),
    "empty events": json.dumps({"hooks": {"Stop": [], **nested(GUARD)["hooks"], "SessionStart": None}}).encode(),
    "empty groups": json.dumps({"hooks": {"PreToolUse": [{"hooks": []}, *nested(GUARD)["hooks"]["PreToolUse"]]}}).encode(),
}  # fmt: skip


@pytest.mark.parametrize("name", FORMATS)
def test_the_way_back_leads_to_the_same_bytes(name: str, tmp_path: Path) -> None:
    project = Project(tmp_path, config=FORMATS[name])
    assert project.install().moved == 1
    data = project.settings.read_bytes()
    before, _, _ = FORMATS[name].partition(b'"hooks"')
    assert data.startswith(before), "what stands before the hooks stays"
    assert data != FORMATS[name]
    assert (b"\r\n" in data) is (b"\r\n" in FORMATS[name])
    assert project.send(DENIES["claude_code"][1], tmp_path).decision == "deny"
    project.uninstall()
    assert everything(tmp_path) == {".claude/settings.json": FORMATS[name]}


NOTHING: dict[str, bytes] = {
    "no hooks key": b'{"model": "x"}',
    "no events": b'{"hooks": {}}',
    "null": b'{"hooks": null}',
    "only prompts": json.dumps(nested({"type": "prompt", "prompt": "?"})).encode(),
    "only what Claude Code does not run": json.dumps(nested(GUARD, event="BeforeTool")).encode(),
}


@pytest.mark.parametrize("name", NOTHING)
def test_where_nothing_can_be_moved_nothing_changes(name: str, tmp_path: Path) -> None:
    project = Project(tmp_path, config=NOTHING[name])
    assert project.install().moved == 0
    assert everything(tmp_path) == {".claude/settings.json": NOTHING[name]}
    assert apply.plan_uninstall(project.target) is None


BROKEN: dict[str, tuple[bytes, str]] = {
    "no JSON": (b'{"hooks": {', "closed"),
    "no object": (b"[]", "expected an object"),
    "UTF-16": ("{}".encode("utf-16"), "UTF-16"),
    "no UTF-8": (b'{"a": "\xff"}', "UTF-8"),
    "hooks twice": (b'{"hooks": {}, "hooks": {}}', "duplicate key"),
    "an event twice": (b'{"hooks": {"Stop": [], "Stop": []}}', "duplicate event"),
    "a hook without a command": (json.dumps(nested({"type": "command"})).encode(), "command is required"),
    "hooks that are no object": (b'{"hooks": []}', "object"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_settings_are_reported_and_stay(name: str, tmp_path: Path) -> None:
    data, message = BROKEN[name]
    project = Project(tmp_path, config=data)
    with pytest.raises(Refused, match=message):
        project.install()
    assert everything(tmp_path) == {".claude/settings.json": data}


#: A hook beside a plain one, and why it stays.
STAYING: list[tuple[str, dict[str, Any], str]] = [
    ("claude_code", {"type": "prompt", "prompt": "?"}, "type is prompt"),
    ("claude_code", {"type": "http", "url": "http://127.0.0.1/"}, "type is http"),
    ("claude_code", {"type": "agent", "prompt": "?"}, "type is agent"),
    ("claude_code", {"type": "mcp_tool", "server": "s", "tool": "t"}, "type is mcp_tool"),
    ("claude_code", {**GUARD, "async": True}, "async"),
    ("claude_code", {**GUARD, "asyncRewake": True}, "asyncRewake"),
    ("claude_code", {**GUARD, "once": True}, "once"),
    ("claude_code", {**GUARD, "shell": "powershell"}, "shell is powershell"),
    ("claude_code", {**GUARD, "priority": 3}, "priority"),
    ("claude_code", {**GUARD, "command": "pyshellhooks-hook claude_code --config x"}, "already"),
    ("gemini", {**GUARD, "priority": 3}, "priority"),
    ("crush", {"command": "true", "async": True}, "async"),
    ("cursor", {"type": "prompt", "prompt": "?"}, "type is prompt"),
    ("firebender", {"command": "true", "cwd": "/"}, "cwd"),
]


@pytest.mark.parametrize(("system", "other", "why"), STAYING, ids=[f"{one[0]} {one[2]}" for one in STAYING])
def test_hooks_with_more_than_a_command_stay(system: str, other: dict[str, Any], why: str, tmp_path: Path) -> None:
    config = json.loads(json.dumps(DENIES[system][0]))
    (elements,) = config["hooks"].values()
    elements[0].get("hooks", elements).append(other)
    project = Project(tmp_path, system, config)
    plan = project.install()
    assert plan.moved == 1
    assert [why in one.message for one in plan.stays] == [True]
    (elements,) = json.loads(project.settings.read_text())["hooks"].values()
    kept = [hook for one in elements for hook in one.get("hooks", [one])]
    assert other in kept
    assert len(kept) == 2
    (mine,) = [one for one in kept if one != other]
    assert words_of(mine["command"])[0] == "pyshellhooks-hook"


def test_a_watch_list_stays(tmp_path: Path) -> None:
    project = Project(tmp_path, config=nested(GUARD, event="FileChanged", matcher=".env"))
    plan = project.install()
    assert plan.moved == 0
    assert "watches" in plan.stays[0].message


@pytest.mark.parametrize("system", ["cursor", "firebender", "crush"])
def test_the_order_of_hooks_that_stay_or_move_does_not_change(system: str, tmp_path: Path) -> None:
    """One that stays between two others keeps them all: each would see another input."""
    odd = {"command": "true", "nobody": 1}
    make = (lambda *e: {"hooks": {"PreToolUse": list(e)}}) if system == "crush" else flat
    between = Project(tmp_path / "a", system, make({"command": "exit 0"}, odd, {"command": DENY}))
    plan = between.install()
    assert plan.moved == 0
    assert sorted("order matters" in one.message for one in plan.stays) == [False, True, True]
    behind = Project(tmp_path / "b", system, make({"command": "exit 0"}, {"command": DENY}, odd))
    assert behind.install().moved == 2


def test_a_sequential_group_moves_whole_or_not_at_all(tmp_path: Path) -> None:
    odd = {**GUARD, "nobody": 1}
    project = Project(tmp_path / "a", "gemini", nested(GUARD, odd, event="BeforeTool", sequential=True))
    assert project.install().moved == 0
    whole = Project(tmp_path / "b", "gemini", nested(GUARD, GUARD, event="BeforeTool", sequential=True))
    assert whole.install().moved == 2
    assert json.loads(Path(whole.target.ours).read_text())["hooks"]["BeforeTool"][0]["sequential"] is True


def test_a_hook_that_is_switched_off_stays_off(tmp_path: Path) -> None:
    config = {**nested(GUARD, {**GUARD, "command": "exit 2 # 2", "name": "mine"}, event="BeforeTool"), "hooksConfig": {"disabled": ["mine"]}}  # fmt: skip
    project = Project(tmp_path, "gemini", config)
    plan = project.install()
    assert (plan.moved, [one.title for one in plan.stays]) == (1, ["mine"])


#: Hooks of one event (matcher, more of the hook), and the seconds of the client and of the entry.
TIMES: list[tuple[str, str, list[dict[str, Any]], str, int]] = [
    ("claude_code", "PreToolUse", [{}], "602", 607),
    ("claude_code", "PreToolUse", [{"timeout": 5}, {"timeout": 20}], "22", 27),
    ("claude_code", "PreToolUse", [{"timeout": 0.5}], "2.5", 8),
    ("claude_code", "UserPromptSubmit", [{}], "32", 37),
    ("claude_code", "SessionEnd", [{}], "3.5", 9),
    ("claude_code", "SessionEnd", [{"timeout": 53}], "55", 60),
    ("gemini", "BeforeTool", [{}], "62", 67000),
    ("gemini", "BeforeTool", [{"timeout": 1500}, {"timeout": 9000}], "11", 16000),
    ("crush", "PreToolUse", [{}, {"timeout": 3}], "32", 37),
    ("cursor", "preToolUse", [{}, {"timeout": 3}], "65", 70),
    ("firebender", "preToolUse", [{"timeout": 1}, {"timeout": 3}], "6", 11),
]


@pytest.mark.parametrize(("system", "event", "hooks", "client", "entry"), TIMES)
def test_the_entry_has_more_time_than_its_hooks(
    system: str, event: str, hooks: list[dict[str, Any]], client: str, entry: int, tmp_path: Path
) -> None:
    """Side by side the longest counts, one after another all (claude_code 4, gemini 1, crush 3, firebender 7)."""
    own = [{"command": f"exit {n}", **({"type": "command"} if system in ("claude_code", "gemini") else {}), **one} for n, one in enumerate(hooks)]  # fmt: skip
    make = nested if system in ("claude_code", "gemini") else flat
    config = {"hooks": {event: own}} if system == "crush" else make(*own, event=event)
    project = Project(tmp_path, system, config)
    project.install()
    (found,) = json.loads(project.settings.read_text())["hooks"][event]
    found = found["hooks"][0] if "hooks" in found else found
    assert words_of(found["command"])[-2:] == ["--timeout", client]
    assert found["timeout"] == entry


def test_a_sequential_group_takes_the_time_of_all(tmp_path: Path) -> None:
    hooks = [{**GUARD, "command": f"exit {n}", "timeout": 4000} for n in range(3)]
    project = Project(tmp_path, "gemini", nested(*hooks, event="BeforeTool", sequential=True))
    project.install()
    assert "--timeout 14" in project.commands()[0]


def test_hooks_stay_if_the_system_allows_less_time(tmp_path: Path) -> None:
    """Claude Code gives all hooks of SessionEnd 60 seconds at most (claude_code 2)."""
    project = Project(tmp_path, config=nested({**GUARD, "timeout": 54}, event="SessionEnd"))
    plan = project.install()
    assert plan.moved == 0
    assert "60 seconds" in plan.stays[0].message
    assert "53 seconds" in plan.stays[0].message


#: The matchers of an event's hooks, and that of the entry; None: it has none.
MATCHERS: list[tuple[str, list[str], str | None]] = [
    ("claude_code", ["Bash"], "Bash"),
    ("claude_code", ["Bash", "Edit|Bash", "Write"], "Bash|Edit|Write"),
    ("claude_code", ["Bash", ""], None),
    ("claude_code", ["Bash", "*"], None),
    ("claude_code", ["Bash", "mcp__.*"], None),
    ("claude_code", ["^Bash$"], None),
    ("claude_code", ["Bash, Edit"], None),
    ("crush", ["^bash$", "^(edit|write)$"], "^bash$|^(edit|write)$"),
    ("crush", ["bash", "^(edit|.*)$"], None),
    ("cursor", ["Shell", "Write|Shell"], "Shell|Write"),
    ("gemini", ["run_shell_command"], "run_shell_command"),
    ("gemini", ["^read"], None),
]


@pytest.mark.parametrize(("system", "matchers", "expected"), MATCHERS)
def test_the_entry_has_the_timeout_that_its_hooks_need(
    system: str, matchers: list[str], expected: str | None, tmp_path: Path
) -> None:
    event = next(iter(DENIES[system][0]["hooks"]))
    if system in ("claude_code", "gemini"):
        config: Any = {"hooks": {event: [{"matcher": one, "hooks": [GUARD]} for one in matchers]}}
    else:
        config = {"version": 1, "hooks": {event: [{"matcher": one, "command": DENY} for one in matchers]}}
    if system == "crush":
        del config["version"]
    project = Project(tmp_path, system, config)
    wanted = project.plain()
    project.install()
    (spec,) = project.plain()
    assert (spec.matcher or None) == expected
    row = project.target.dialect.events[event]
    for tool in ("Bash", "bash", "Edit", "edit", "edits", "mcp__a__b", "Shell", "Write", "run_shell_command", "read_file", "x"):  # fmt: skip
        asked = any(project.target.dialect.matches_subject(one, row, (tool,)) for one in wanted)
        takes = project.target.dialect.matches_subject(spec, row, (tool,))
        assert takes or not asked, f"{tool} would not be asked about"
        assert takes == asked or expected is None


@pytest.mark.parametrize(
    ("system", "more", "expected"),
    [
        ("cursor", [{"loop_limit": 2}, {}], 5),
        ("cursor", [{"loop_limit": 9}], 9),
        ("firebender", [{"loop_limit": None}], "null"),
        ("cursor", [{}], None),
    ],
)
def test_the_entry_ends_no_loop_earlier(system: str, more: list[Any], expected: Any, tmp_path: Path) -> None:
    project = Project(
        tmp_path, system, flat(*({"command": f"exit {n}", **one} for n, one in enumerate(more)), event="stop")
    )
    project.install()
    (entry,) = json.loads(project.settings.read_text())["hooks"]["stop"]
    found = entry.get("loop_limit", "none")
    assert found == {None: "none", "null": None}.get(expected, expected)


@pytest.mark.parametrize(("seconds", "moved"), [(1_999_993, 1), (1_999_994, 0), (1e300, 0)])
def test_a_time_that_rings_at_once_is_not_written(seconds: float, moved: int, tmp_path: Path) -> None:
    """JavaScript's timers hold 2**31 milliseconds; one that is set to more ends the entry before it begins."""
    project = Project(tmp_path, config=nested({**GUARD, "timeout": seconds}))
    plan = project.install()
    assert plan.moved == moved
    if moved:
        (group,) = json.loads(project.settings.read_text())["hooks"]["PreToolUse"]
        assert group["hooks"][0]["timeout"] * 1000 < 2**31
