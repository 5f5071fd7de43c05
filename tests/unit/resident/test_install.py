"""``serve --install``: what moves, what stays, and that the way back leads to the same bytes."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import HookEngine
from pyshellhooks.hooks.installed import words_of
from pyshellhooks.resident.answering import Request, Told, answer
from pyshellhooks.resident.engines import Engines
from pyshellhooks.resident.install import doing, files
from pyshellhooks.resident.install.plan import Entry, Plan
from pyshellhooks.resident.install.targets import TAILS, Refused, Target, dialect_of, targets
from pyshellhooks.resident.project import VARIABLES

pytestmark = pytest.mark.portable
ENTRY = Entry("pyshellhooks-hook")
DENY = "echo no >&2; exit 2"
GUARD = {"type": "command", "command": DENY}


def nested(*handlers: dict[str, Any], event: str = "PreToolUse", **group: Any) -> dict[str, Any]:
    return {"hooks": {event: [{**group, "hooks": list(handlers)}]}}


def flat(*entries: dict[str, Any], event: str = "preToolUse") -> dict[str, Any]:
    return {"version": 1, "hooks": {event: list(entries)}}


#: One deny for each system, and the payload that it denies.
DENIES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "claude_code": (nested(GUARD), {"hook_event_name": "PreToolUse", "tool_name": "Bash"}),
    "gemini": (nested(GUARD, event="BeforeTool"), {"hook_event_name": "BeforeTool", "tool_name": "run_shell_command"}),
    "crush": ({"hooks": {"PreToolUse": [{"command": DENY}]}}, {"event": "PreToolUse", "tool_name": "bash"}),
    "cursor": (flat({"command": DENY}), {"hook_event_name": "preToolUse", "tool_name": "Shell"}),
    "firebender": (flat({"command": DENY}), {"hook_event_name": "preToolUse", "tool_name": "Shell"}),
}


class Project:
    """A directory with one settings file."""

    def __init__(self, path: Path, system: str = "claude_code", config: Any = None) -> None:
        self.path = path
        self.settings = path / TAILS[system][-1]
        self.settings.parent.mkdir(parents=True, exist_ok=True)
        given = DENIES[system][0] if config is None else config
        self.settings.write_bytes(given if isinstance(given, bytes) else json.dumps(given, indent=2).encode())
        self.target = Target(dialect_of(system), self.settings.as_posix(), "project", path.as_posix())
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": f"{path.as_posix()}/home",
            "XDG_DATA_HOME": f"{path.as_posix()}/data",
        }

    def install(self, entry: Entry = ENTRY) -> Plan:
        plan = doing.plan_install(self.target, entry)
        if plan.moved:
            doing.install(plan, self.env)
        return plan

    def uninstall(self, *, force: bool = False) -> None:
        back = doing.plan_uninstall(self.target, force=force)
        assert back is not None
        doing.uninstall(back, self.env)

    def plain(self) -> Any:
        """Return the settings as values."""
        return self.target.dialect.load(self.settings.read_text("utf-8-sig"), origin()).specs

    def commands(self) -> list[str]:
        return [spec.command for spec in self.plain()]

    def ask(self, payload: dict[str, Any], cwd: Path, **env: str) -> Told:
        """Ask through the only entry."""
        (entry,) = [one for one in self.commands() if "pyshellhooks-hook" in one]
        variable = {VARIABLES[self.target.dialect.name]: str(self.path), **env}
        data = json.dumps({"cwd": str(cwd), "session_id": "s", "tool_input": {"command": "ls"}, **payload}).encode()
        given = {key: value for key, value in {**self.env, **variable}.items() if value}
        with Engines() as engines:
            return answer(Request(tuple(words_of(entry)[1:]), data, given, str(cwd)), engines)


def origin() -> Any:
    from pyshellhooks.hooks.model import Origin

    return Origin("settings.json")


def everything(path: Path) -> dict[str, bytes]:
    return {one.relative_to(path).as_posix(): one.read_bytes() for one in path.rglob("*") if one.is_file()}


PRETTY = json.dumps(nested(GUARD), indent=2)
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
    assert project.ask(DENIES["claude_code"][1], tmp_path).decision == "deny"
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
    assert doing.plan_uninstall(project.target) is None


BROKEN: dict[str, tuple[bytes, str]] = {
    "no JSON": (b'{"hooks": {', "closed"),
    "no object": (b"[]", "not an object"),
    "UTF-16": ("{}".encode("utf-16"), "UTF-16"),
    "no UTF-8": (b'{"a": "\xff"}', "UTF-8"),
    "hooks twice": (b'{"hooks": {}, "hooks": {}}', "twice"),
    "an event twice": (b'{"hooks": {"Stop": [], "Stop": []}}', "twice"),
    "a hook without a command": (json.dumps(nested({"type": "command"})).encode(), "command is required"),
    "hooks that are no object": (b'{"hooks": []}', "object"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_broken_is_told_and_stays(name: str, tmp_path: Path) -> None:
    data, message = BROKEN[name]
    project = Project(tmp_path, config=data)
    with pytest.raises(Refused, match=message):
        project.install()
    assert everything(tmp_path) == {".claude/settings.json": data}


#: A hook beside a plain one, and why it stays.
STAYING: list[tuple[str, dict[str, Any], str]] = [
    ("claude_code", {"type": "prompt", "prompt": "?"}, "type prompt"),
    ("claude_code", {"type": "http", "url": "http://127.0.0.1/"}, "type http"),
    ("claude_code", {"type": "agent", "prompt": "?"}, "type agent"),
    ("claude_code", {"type": "mcp_tool", "server": "s", "tool": "t"}, "type mcp_tool"),
    ("claude_code", {**GUARD, "async": True}, "async"),
    ("claude_code", {**GUARD, "asyncRewake": True}, "asyncRewake"),
    ("claude_code", {**GUARD, "once": True}, "once"),
    ("claude_code", {**GUARD, "shell": "powershell"}, "shell is powershell"),
    ("claude_code", {**GUARD, "priority": 3}, "priority"),
    ("claude_code", {**GUARD, "command": "pyshellhooks-hook claude_code --config x"}, "already"),
    ("gemini", {**GUARD, "priority": 3}, "priority"),
    ("crush", {"command": "true", "async": True}, "async"),
    ("cursor", {"type": "prompt", "prompt": "?"}, "type prompt"),
    ("firebender", {"command": "true", "cwd": "/"}, "cwd"),
]


@pytest.mark.parametrize(("system", "other", "why"), STAYING, ids=[f"{one[0]} {one[2]}" for one in STAYING])
def test_what_is_more_than_a_command_stays(system: str, other: dict[str, Any], why: str, tmp_path: Path) -> None:
    config = json.loads(json.dumps(DENIES[system][0]))
    (elements,) = config["hooks"].values()
    elements[0].get("hooks", elements).append(other)
    project = Project(tmp_path, system, config)
    plan = project.install()
    assert plan.moved == 1
    assert [why in one.why for one in plan.stays] == [True]
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
    assert "watches" in plan.stays[0].why


@pytest.mark.parametrize("system", ["cursor", "firebender", "crush"])
def test_the_order_of_what_stays_and_what_moves_does_not_change(system: str, tmp_path: Path) -> None:
    """One that stays between two others keeps them all: each would see another input."""
    odd = {"command": "true", "nobody": 1}
    make = (lambda *e: {"hooks": {"PreToolUse": list(e)}}) if system == "crush" else flat
    between = Project(tmp_path / "a", system, make({"command": "exit 0"}, odd, {"command": DENY}))
    plan = between.install()
    assert plan.moved == 0
    assert sorted("order" in one.why for one in plan.stays) == [False, True, True]
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


def test_where_the_system_gives_less_time_the_hooks_stay(tmp_path: Path) -> None:
    """Claude Code gives all hooks of SessionEnd 60 seconds at most (claude_code 2)."""
    project = Project(tmp_path, config=nested({**GUARD, "timeout": 54}, event="SessionEnd"))
    plan = project.install()
    assert plan.moved == 0
    assert "60 seconds" in plan.stays[0].why
    assert "53 seconds" in plan.stays[0].why


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
def test_the_entry_asks_for_what_its_hooks_want(
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
        asked = any(project.target.dialect.takes(one, row, (tool,)) for one in wanted)
        takes = project.target.dialect.takes(spec, row, (tool,))
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


# -- whose hooks they are ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", DENIES)
def test_a_model_that_changes_the_directory_changes_no_guard(system: str, tmp_path: Path) -> None:
    """Only the agent's own variable says where the project is; a file that lies elsewhere never counts."""
    project = Project(tmp_path / "project", system)
    project.install()
    elsewhere = tmp_path / "project" / "deep" / "other"
    decoy = elsewhere / Path(project.target.ours).relative_to(project.path)
    decoy.parent.mkdir(parents=True)
    (elsewhere / ".git").mkdir()
    decoy.write_text(json.dumps({**DENIES[system][0], "hooks": {}}))
    payload = DENIES[system][1]
    assert project.ask(payload, elsewhere).decision == "deny"
    assert "no" in project.ask(payload, elsewhere).stdout + project.ask(payload, elsewhere).stderr
    variable = VARIABLES[system]
    for value in ("", "relative"):
        lost = project.ask(payload, elsewhere, **{variable: value})
        assert lost.decision == "deny"
        assert variable in lost.stdout + lost.stderr
    project.settings.parent.joinpath(Path(project.target.ours).name).unlink()
    assert project.ask(payload, elsewhere).decision == "deny", "its hooks are lost"


@pytest.mark.parametrize("system", DENIES)
def test_hooks_run_where_they_ran(system: str, tmp_path: Path) -> None:
    """With the agent's project in the same variables, and in the same directory (firebender 4, cursor 4, claude_code 4)."""
    variable = VARIABLES[system]
    config = json.loads(json.dumps(DENIES[system][0]).replace(DENY, f"pwd >&2; echo ${variable} >&2; exit 2"))
    project = Project(tmp_path / "project", system, config)
    below = project.path / "below"
    below.mkdir()
    project.install()
    told = project.ask(DENIES[system][1], below)
    text = (told.stdout + told.stderr).replace("\\n", "\n")
    there = project.path if system in ("cursor", "firebender") else below
    assert f"{there.as_posix()}\n{project.path.as_posix()}" in text.replace("\\\\", "/")


@pytest.mark.parametrize("system", ["cursor", "firebender"])
def test_a_users_hooks_run_in_the_users_directory(system: str, tmp_path: Path) -> None:
    """Paths of a user's hooks count from ``~/.cursor`` (cursor 4, firebender 4)."""
    config = json.loads(json.dumps(DENIES[system][0]).replace(DENY, "pwd >&2; exit 2"))
    project = Project(tmp_path / "home", system, config)
    work = tmp_path / "work"
    work.mkdir()
    project.env["HOME"] = project.path.as_posix()
    (target,) = targets(project.target.dialect, [], str(work), project.env, user=True)
    assert (target.scope, target.named(False)) == ("user", target.ours)
    doing.install(doing.plan_install(target, ENTRY), project.env)
    told = project.ask(DENIES[system][1], work, **{VARIABLES[system]: str(work)})
    assert project.settings.parent.as_posix() in told.stdout + told.stderr
    assert told.decision == "deny"


@pytest.mark.parametrize("system", DENIES)
def test_discovery_asks_the_moved_hooks_themselves(system: str, tmp_path: Path) -> None:
    project = Project(tmp_path, system)
    project.install()
    event, fields = project.target.dialect.read({**DENIES[system][1], "tool_input": {"command": "ls"}})
    for engine in (
        HookEngine.discover(str(tmp_path), system, env=project.env, trust_project=True),
        HookEngine.load(project.settings, system, env=project.env, cwd=str(tmp_path)),
    ):
        with engine:
            verdict = engine.fire(event, fields)
            assert [one.spec.command for one in verdict.hooks] == [DENY]
            assert verdict.blocked
            assert [one for one in engine.diagnostics if one.severity == "error"] == []
    Path(project.target.ours).unlink()
    with pytest.raises(Exception, match="No such file"):
        HookEngine.discover(str(tmp_path), system, env=project.env, trust_project=True)


def test_an_event_without_its_entry_is_not_asked(tmp_path: Path) -> None:
    both = {"hooks": {**nested(GUARD)["hooks"], **nested(GUARD, event="UserPromptSubmit")["hooks"]}}
    project = Project(tmp_path, config=both)
    project.install()
    table = json.loads(project.settings.read_text())
    del table["hooks"]["UserPromptSubmit"]
    project.settings.write_text(json.dumps(table))
    with HookEngine.discover(str(tmp_path), env={**project.env, "HOME": "/none"}, trust_project=True) as engine:
        assert [spec.event for spec in engine.specs] == ["PreToolUse"]


def test_a_client_that_asks_what_is_discovered_is_not_asked_by_discovery(tmp_path: Path) -> None:
    """It would ask itself without end."""
    client = {"type": "command", "command": "pyshellhooks-hook claude_code --strict"}
    project = Project(
        tmp_path, config=nested(client, GUARD, {**client, "command": "pyshellhooks-hook claude_code --config a"})
    )
    with HookEngine.discover(str(tmp_path), env={**project.env, "HOME": "/none"}, trust_project=True) as engine:
        assert [spec.command for spec in engine.specs] == [DENY, "pyshellhooks-hook claude_code --config a"]


# -- edits, crashes, links -----------------------------------------------------------------------------------------------


def test_a_second_install_changes_nothing(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.install()
    before = everything(tmp_path)
    plan = project.install()
    assert plan.installed
    assert everything(tmp_path) == before


def test_edits_elsewhere_survive(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.install()
    text = project.settings.read_text()
    project.settings.write_text(text.replace("{", '{\n  "model": "x",', 1) + "\n\n")
    project.uninstall()
    assert project.settings.read_text() == PRETTY.replace("{", '{\n  "model": "x",', 1) + "\n\n"


def test_a_formatter_is_no_edit(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.install()
    project.settings.write_text(json.dumps(json.loads(project.settings.read_text()), indent=7))
    project.uninstall()
    assert json.loads(project.settings.read_text()) == nested(GUARD)


def test_a_clone_with_other_line_ends(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.install()
    project.settings.write_bytes(project.settings.read_bytes().replace(b"\n", b"\r\n"))
    project.uninstall()
    assert project.settings.read_bytes() == PRETTY.replace("\n", "\r\n").encode()


EDITS: dict[str, tuple[str, str, str]] = {
    "a hook more": ("settings", '"PreToolUse": [', '"PreToolUse": [{"hooks": []},'),
    "another timeout": ("settings", "607", "600"),
    "a comment": ("settings", '"PreToolUse": [', '"PreToolUse": [ // mine'),
    "no hooks": ("settings", '"hooks": {\n    "Pre', '"hocks": {\n    "Pre'),
    "the file of hooks": ("ours", "exit 2", "exit 3"),
}


@pytest.mark.parametrize("name", EDITS)
def test_what_was_edited_since_is_told_and_stays(name: str, tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.install()
    where, old, new = EDITS[name]
    path = project.settings if where == "settings" else Path(project.target.ours)
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    before = everything(tmp_path)
    with pytest.raises(Refused, match="edited since") as found:
        project.uninstall()
    assert found.value.now != found.value.before
    assert everything(tmp_path) == before
    if name != "no hooks":
        project.uninstall(force=True)
        assert everything(tmp_path) == {".claude/settings.json": PRETTY.encode()}


def test_without_what_was_kept_the_way_back_is_told(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.install()
    undo = Path(project.target.undo)
    for text in (None, "{", '{"version": 2}', "[]"):
        undo.unlink(missing_ok=True)
        if text is not None:
            undo.write_text(text)
        with pytest.raises(Refused, match=r"undo\.json"):
            project.uninstall()


@pytest.mark.parametrize("content", [b"{}", b"mine"])
def test_a_file_in_the_way_stays(content: bytes, tmp_path: Path) -> None:
    project = Project(tmp_path)
    Path(project.target.ours).write_bytes(content)
    with pytest.raises(Refused, match="did not write it"):
        project.install()
    assert Path(project.target.ours).read_bytes() == content


@pytest.mark.parametrize("read_only", ["file"])
def test_a_read_only_file_stays(read_only: str, tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.settings.chmod(0o444)
    with pytest.raises(Refused, match="read-only"):
        project.install()
    project.settings.chmod(0o644)
    project.install()
    project.settings.chmod(0o444)
    with pytest.raises(Refused, match="read-only"):
        project.uninstall()
    project.settings.chmod(0o644)


class Crash(BaseException):
    """The machine goes off: nothing is cleaned up."""


@pytest.mark.parametrize("step", range(3))
@pytest.mark.parametrize("then", ["install", "uninstall"])
def test_a_crash_between_two_writes(step: int, then: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before each of the three writes: the settings are as they were, and both commands finish."""
    project = Project(tmp_path)
    _crash_at(step, monkeypatch, "put")
    with pytest.raises(Crash):
        project.install()
    monkeypatch.undo()
    assert project.settings.read_text() == PRETTY
    if then == "install":
        assert project.install().moved == 1
        assert project.ask(DENIES["claude_code"][1], tmp_path).decision == "deny"
        project.uninstall()
    elif step > 0:
        project.uninstall()
    else:
        assert doing.plan_uninstall(project.target) is None
    assert everything(tmp_path) == {".claude/settings.json": PRETTY.encode()}


@pytest.mark.parametrize(("step", "of"), [(0, "put"), (0, "remove"), (1, "remove")])
@pytest.mark.parametrize("then", ["install", "uninstall"])
def test_a_crash_on_the_way_back(
    step: int, of: str, then: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = Project(tmp_path)
    project.install()
    _crash_at(step, monkeypatch, of)
    with pytest.raises(Crash):
        project.uninstall()
    monkeypatch.undo()
    assert DENY in project.settings.read_text() or project.ask(DENIES["claude_code"][1], tmp_path).decision == "deny"
    if then == "install":
        project.install()
        assert project.ask(DENIES["claude_code"][1], tmp_path).decision == "deny"
    project.uninstall()
    assert everything(tmp_path) == {".claude/settings.json": PRETTY.encode()}


def _crash_at(step: int, monkeypatch: pytest.MonkeyPatch, of: str) -> None:
    real, count = getattr(files, of), iter(range(9))

    def crash(*given: Any) -> None:
        if next(count) == step:
            raise Crash
        real(*given)

    monkeypatch.setattr(files, of, crash)


def test_a_disk_that_is_full_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = Project(tmp_path)
    for step in range(3):
        real, count = files.put, iter(range(9))

        def full(*given: Any, real: Any = real, count: Any = count, step: int = step) -> None:
            if next(count) == step:
                raise OSError(28, "No space left on device")
            real(*given)

        with monkeypatch.context() as patched:
            patched.setattr(files, "put", full)
            with pytest.raises(OSError, match="No space"):
                project.install()
        assert everything(tmp_path) == {".claude/settings.json": PRETTY.encode()}


def test_who_changes_the_settings_meanwhile_wins(tmp_path: Path) -> None:
    project = Project(tmp_path)
    plan = doing.plan_install(project.target, ENTRY)
    project.settings.write_text(PRETTY + " ")
    with pytest.raises(Refused, match="just changed"):
        doing.install(plan, project.env)
    assert everything(tmp_path) == {".claude/settings.json": (PRETTY + " ").encode()}


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="links and modes are others on Windows")
def test_a_link_is_followed_and_modes_are_kept(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "claude.json"
    real.parent.mkdir()
    project = Project(tmp_path / "project")
    project.settings.rename(real)
    project.settings.symlink_to(real)
    real.chmod(0o640)
    project.install()
    assert project.settings.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640
    assert Path(project.target.ours).stat().st_mode & 0o777 == 0o640
    assert project.ask(DENIES["claude_code"][1], tmp_path).decision == "deny"
    project.uninstall()
    assert project.settings.is_symlink()
    assert (real.read_text(), real.stat().st_mode & 0o777) == (PRETTY, 0o640)


# -- which files ---------------------------------------------------------------------------------------------------------


def test_the_projects_files_come_first_and_a_file_can_be_named(tmp_path: Path) -> None:
    project = Project(tmp_path / "project")
    local = project.settings.with_name("settings.local.json")
    local.write_text(PRETTY)
    home = Project(tmp_path / "home")
    env = {"HOME": home.path.as_posix()}
    claude = dialect_of("claude")
    here = str(project.path)
    assert [Path(one.path) for one in targets(claude, [], here, env)] == [project.settings, local]
    assert [one.scope for one in targets(claude, [], here, env, user=True)] == ["user"]
    named = targets(claude, [".claude/settings.local.json", str(home.settings)], here, env)
    assert [(one.scope, one.named(False)) for one in named] == [
        ("project", ".claude/settings.local.pyshellhooks.json"),
        ("user", f"{home.path.as_posix()}/.claude/settings.pyshellhooks.json"),
    ]
    (other,) = targets(claude, [str(project.settings)], str(tmp_path), env)
    assert (other.scope, other.root) == ("project", project.path.as_posix())
    for name in ("nothing.json", ".claude", str(tmp_path / "x" / "hooks" / "hooks.json")):
        with pytest.raises(Refused):
            targets(claude, [name], here, env)
    with pytest.raises(Refused, match="--user"):
        targets(claude, [], str(tmp_path), env)


@pytest.mark.parametrize(
    "path", ["plugin/hooks/hooks.json", "managed-settings.d/a.json", "a.txt", "a.pyshellhooks.json"]
)
def test_files_that_are_no_settings_are_refused(path: str, tmp_path: Path) -> None:
    file = tmp_path / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(PRETTY)
    with pytest.raises(Refused):
        targets(dialect_of("claude"), [str(file)], str(tmp_path), {"HOME": "/none"})


@pytest.mark.parametrize("path", ["crush.json", ".crush.json", ".crush/crush.json"])
def test_every_file_of_crush(path: str, tmp_path: Path) -> None:
    file = tmp_path / path
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(DENIES["crush"][0]))
    (target,) = targets(dialect_of("crush"), [], str(tmp_path), {"HOME": "/none"})
    assert (target.root, target.path) == (tmp_path.as_posix(), file.as_posix())
    assert f"{tmp_path.as_posix()}/{target.named(False)}" == target.ours
    assert not [one for one in target.dialect.places(_around(tmp_path)) if one.path in (target.ours, target.undo)]


def _around(path: Path) -> Any:
    from pyshellhooks.engine.surroundings import look_around

    return look_around(path.as_posix(), {"HOME": "/none"})
