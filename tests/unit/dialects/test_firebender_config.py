"""hooks.json: what loads beside what does not, where it lies, and whose it is (firebender 1, 2, 4)."""

from __future__ import annotations

from typing import Any

import pytest

from pyshellhooks import ConfigError, HookEngine, MemoryFS, dialects
from pyshellhooks.dialects.firebender import Firebender
from pyshellhooks.dialects.flat_events.places import absolute, locate, same
from pyshellhooks.engine import RecordedExecutor
from pyshellhooks.engine.config.loading import check
from pyshellhooks.hooks.dialect import HostContext, Loaded
from pyshellhooks.hooks.model import Origin

BOTH = pytest.mark.parametrize("name", ["firebender", "cursor"])


def load(text: str, name: str = "firebender") -> Loaded:
    return dialects.get(name).load(text, Origin(f"/w/.{name}/hooks.json"))


def config_with(entry: str, event: str = "preToolUse") -> str:
    return '{"version": 1, "hooks": {"' + event + '": [' + entry + "]}}"


@BOTH
def test_an_entry_with_everything(name: str) -> None:
    loaded = load(
        config_with('{"command": "./x.sh", "type": "command", "timeout": 5, "matcher": "Shell", "failClosed": true}'),
        name,
    )
    assert loaded.diagnostics == []
    (spec,) = loaded.specs
    assert (spec.event, spec.command, spec.timeout, spec.matcher, spec.on_failure, spec.kind) == (
        "preToolUse", "./x.sh", 5.0, "Shell", "closed", "command",
    )  # fmt: skip
    assert repr(spec.origin).endswith("hooks.json:1:41")


@BOTH
@pytest.mark.parametrize(
    "wrong",
    [
        '{"command": ""}', '{"comand": "x"}', '{"command": 5}', '"x"', "5", "null", "[]",
        '{"command": "x", "timeout": 0}', '{"command": "x", "timeout": "5"}', '{"command": "x", "timeout": true}',
        '{"command": "x", "matcher": "("}', '{"command": "x", "matcher": 5}', '{"command": "x", "matcher": {"z": "x"}}',
        '{"command": "x", "matcher": {"command": 5}}', '{"command": "x", "matcher": {"command": "("}}',
        '{"command": "x", "type": "http"}', '{"command": "x", "type": 5}', '{"type": "prompt"}',
        '{"command": "x", "failClosed": 1}', '{"matcher": "x", "hooks": [{"command": "x"}]}',
    ],
)  # fmt: skip
def test_a_wrong_entry_is_an_error_at_its_place_and_its_neighbour_is_loaded(name: str, wrong: str) -> None:
    loaded = load(config_with(f'{wrong},\n{{"command": "good"}}'), name)
    assert [spec.command for spec in loaded.specs] == ["good"]
    (error,) = [diagnostic for diagnostic in loaded.errors]
    assert error.line == 1 and error.column >= 41 and "hooks.preToolUse[0]" in error.message


def test_check_keeps_neighbours_too_and_load_raises_nothing_away() -> None:
    found = check(text=config_with('{"command": ""}, {"command": "good"}'), dialect="firebender")
    assert [spec.command for spec in found.specs] == ["good"] and len(found.errors) == 1


@pytest.mark.parametrize(("limit", "kept"), [("null", None), ("0", 0), ("7", 7)])
def test_loop_limits(limit: str, kept: int | None) -> None:
    (spec,) = load(config_with('{"command": "x", "loop_limit": ' + limit + "}", "stop")).specs
    assert spec.extra["loop_limit"] == kept
    (without,) = load(config_with('{"command": "x"}', "stop")).specs
    assert "loop_limit" not in without.extra


def test_the_other_vendors_events_are_named() -> None:
    loaded = load(config_with('{"command": "x"}', "beforeSubmitPrompt"))
    assert loaded.specs == [] and loaded.errors == []
    assert loaded.diagnostics[0].hint == "it is an event of Cursor"


def test_a_prompt_may_be_in_either_key() -> None:
    loaded = load(config_with('{"type": "prompt", "prompt": "P", "model": "m"}, {"type": "prompt", "command": "C"}'))
    assert [(spec.kind, spec.command, spec.extra.get("model")) for spec in loaded.specs] == [
        ("prompt", "P", "m"), ("prompt", "C", None),
    ]  # fmt: skip


# -- places -----------------------------------------------------------------------------------------------------------


def paths(name: str, place: HostContext) -> list[tuple[str, str]]:
    return [(file.path, file.scope) for file in dialects.get(name).places(place)]


def test_where_firebender_looks() -> None:
    place = HostContext("/w/p/sub", env={}, home="/home/u", worktree="/w/p")
    assert paths("firebender", place) == [
        ("/home/u/.firebender/hooks.json", "user"),
        ("/w/p/.firebender/hooks.json", "project"),
        ("/w/p/sub/.firebender/hooks.json", "project"),
    ]


def test_a_home_under_git_is_no_project() -> None:
    place = HostContext("/home/u/x", env={}, home="/home/u", worktree="/home/u")
    assert paths("firebender", place) == [
        ("/home/u/.firebender/hooks.json", "user"),
        ("/home/u/x/.firebender/hooks.json", "project"),
    ]


def test_where_cursor_looks() -> None:
    place = HostContext("/w", env={}, home="/home/u")
    assert paths("cursor", place) == [
        ("/home/u/.cursor/hooks.json", "user"),
        ("/w/.cursor/hooks.json", "project"),
        ("/Library/Application Support/Cursor/hooks.json", "system"),
        ("/etc/cursor/hooks.json", "system"),
    ]
    windows = HostContext("C:\\w", env={}, home="C:/Users/u", windows=True)
    assert paths("cursor", windows)[-1] == ("C:/ProgramData/Cursor/hooks.json", "system")
    assert len(paths("cursor", windows)) == 3


@pytest.mark.parametrize(
    ("file", "scope", "found"),
    [
        ("/w/.firebender/hooks.json", "given", ("project", "/w", "/w")),
        ("/home/u/.firebender/hooks.json", "given", ("user", "/home/u", "/home/u/.firebender")),
        ("/home/u/.firebender/hooks.json", "user", ("user", "/home/u", "/home/u/.firebender")),
        ("/home/u/x/../.firebender/hooks.json", "given", ("user", "/home/u", "/home/u/.firebender")),
        (".firebender/hooks.json", "given", ("project", "/w/sub", "/w/sub")),
        ("../.firebender/hooks.json", "given", ("project", "/w", "/w")),
        ("/.firebender/hooks.json", "given", ("project", "/", "/")),
        ("/w/other.json", "given", ("given", "", "")),
        ("<text>", "given", ("given", "", "")),
    ],
)
def test_the_system_of_a_file(file: str, scope: str, found: tuple[str, str, str]) -> None:
    around = HostContext(env={}, cwd="/w/sub", home="/home/u")
    place = locate(Origin(file, scope), Firebender.vendor, around)
    assert (place.scope, place.root, place.cwd) == found


def test_the_system_of_a_file_on_windows() -> None:
    around = HostContext(env={}, cwd="C:/w", home="c:/users/U")
    place = locate(Origin("C:\\Users\\u\\.firebender\\hooks.json"), Firebender.vendor, around)
    assert (place.scope, place.cwd) == ("user", "C:/Users/u/.firebender")


def test_the_computers_owners_file_runs_in_its_folder() -> None:
    around = HostContext(env={}, cwd="/w", home="/home/u")
    place = locate(Origin("/etc/cursor/hooks.json"), dialects.get("cursor").vendor, around)  # type: ignore[attr-defined]
    assert (place.scope, place.cwd) == ("system", "/etc/cursor")


@pytest.mark.parametrize(
    ("path", "cwd", "found"),
    [
        ("//etc/passwd", "/w", "/etc/passwd"),
        ("/w/../etc/./passwd", "/w", "/etc/passwd"),
        ("../../etc/passwd", "/w/a", "/etc/passwd"),
        ("x:secret", "/w", "/w/x:secret"),
        ("a\\b", "/w", "/w/a\\b"),
        ("\\\\host\\share\\a", "C:/w", "//host/share/a"),
        ("//host/share/a", "C:/w", "//host/share/a"),
        ("a\\b", "C:/w", "C:/w/a/b"),
    ],
)
def test_a_guard_sees_the_intended_path(path: str, cwd: str, found: str) -> None:
    assert absolute(path, cwd) == found


def test_paths() -> None:
    assert absolute("a/../b", "/w") == "/w/b" and absolute("C:\\a\\..\\b", "/") == "C:/b"
    assert same("C:/A", "c:\\a\\") and not same("/A", "/a") and same("/a/", "/a")


def ran(name: str, files: list[tuple[str, str]], home: str = "/home/u", **options: Any) -> list[str]:
    """Load files of one hook each from memory, and give the commands in the order in which they ran."""
    executor = RecordedExecutor()
    loaded = [
        dialects.get(name).load(config_with('{"command": "' + file + '"}'), Origin(file, scope))
        for file, scope in files
    ]
    specs = [spec for part in loaded for spec in part.specs]
    engine = HookEngine(name, specs, executor=executor, cwd="/w", env={"HOME": home, "USERPROFILE": home}, **options)
    engine.fire("preToolUse", tool_name="Shell")
    return list(executor.commands())


def test_the_order_is_the_systems_own() -> None:
    user, project, other = "/home/u/.cursor/hooks.json", "/w/.cursor/hooks.json", "/v/.cursor/hooks.json"
    assert ran("cursor", [(user, "given"), (other, "given"), (project, "given"), ("/etc/cursor/hooks.json", "given")]) == [
        "/etc/cursor/hooks.json", other, project, user,
    ]  # fmt: skip


def test_a_file_system_without_the_place_of_the_file() -> None:
    """Hooks on a file system of their own must run all the same: a guard whose directory is missing guards nothing."""
    config = config_with('{"command": "exit 2"}')
    spec = dialects.get("firebender").load(config, Origin("/no/such/.firebender/hooks.json")).specs
    with HookEngine("firebender", spec, fs=MemoryFS(), cwd="/", spawn=False) as engine:
        assert engine.fire("preToolUse", tool_name="Shell").decision == "deny"


@pytest.mark.parametrize("wrong", [0, -1, "5", True, float("nan")])
def test_a_null_default_timeout_is_left_out(wrong: Any) -> None:
    with HookEngine("firebender", settings={"default_timeout": wrong}) as engine:
        assert "default_timeout must be a number of seconds above 0" in engine.diagnostics[0].message
    with pytest.raises(ConfigError, match="default_timeout must be a number of seconds above 0"):
        HookEngine("firebender", settings={"default_timeout": wrong}, strict=True)
