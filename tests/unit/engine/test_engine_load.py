"""Loading: paths, text, several files, trust, ids, discovery."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pyshellhooks import MemoryFS
from pyshellhooks.engine import HookEngine, RecordedExecutor, check
from pyshellhooks.errors import ConfigError, UnknownDialectError


def config(*commands: str, **fields: object) -> str:
    import json

    return json.dumps({"hooks": {"PreToolUse": [{"command": command, **fields} for command in commands]}})


def commands(engine: HookEngine) -> list[str]:
    return [spec.command for spec in engine.specs]


def run(engine: HookEngine) -> list[str]:
    """Fire, and give the names of the hooks that ran."""
    return [row.name for row in engine.fire("PreToolUse", tool_name="bash").hooks]


def test_a_path_a_pathlike_a_mapping_and_text(tmp_path: Path) -> None:
    file = tmp_path / "crush.json"
    file.write_text(config("x"))
    for source in (str(file), file, [file], {"hooks": {"PreToolUse": [{"command": "x"}]}}, config("x")):
        dialect = None if source in (str(file), file, [file]) else "crush"
        assert commands(HookEngine.load(source, dialect)) == ["x"]
    assert commands(HookEngine.load(text=config("x"), dialect="crush")) == ["x"]


def test_the_dialect_is_detected_by_shape_or_must_be_named(tmp_path: Path) -> None:
    assert HookEngine.load(config("x")).dialect.full_name == "crush@documented"
    assert HookEngine.load(config("x"), "crush@shipped").dialect.edition == "shipped"
    odd = tmp_path / "odd.json"
    odd.write_text("{}")
    with pytest.raises(ConfigError) as caught:
        HookEngine.load(odd)
    assert str(caught.value).startswith(
        f"{odd.as_posix()}: error: the hook system can't be detected from the file's name and content\n  hint: name it with --dialect or dialect=: "
    )
    with pytest.raises(UnknownDialectError):
        HookEngine.load(config("x"), "nope")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        HookEngine.load(tmp_path / "crush.json")
    assert str(caught.value) == f"{(tmp_path / 'crush.json').as_posix()}: error: No such file or directory"
    (tmp_path / "crush.json").write_bytes(b'{"hooks": "\xff"}')
    with pytest.raises(ConfigError, match="byte 0xff is not UTF-8"):
        HookEngine.load(tmp_path / "crush.json")


def test_a_byte_order_mark_and_crlf(tmp_path: Path) -> None:
    file = tmp_path / "crush.json"
    file.write_bytes(b"\xef\xbb\xbf" + config("x").replace(" ", "\r\n").encode())
    assert commands(HookEngine.load(file)) == ["x"]


def test_mistakes_raise_with_all_diagnostics_and_oddities_do_not() -> None:
    with pytest.raises(ConfigError) as caught:
        HookEngine.load(
            '{"hooks": {"PreToolUse": [{"command": ""}, {"command": "x", "matcher": "("}], "Nope": []}}', "crush"
        )
    assert [d.severity for d in caught.value.diagnostics] == ["error", "error", "warning"]
    engine = HookEngine.load('{"hooks": {"Nope": []}}', "crush", name="f")
    assert [str(d)[:20] for d in engine.diagnostics] == ["f:1:12: warning: Cru"]


def test_check_raises_nothing() -> None:
    checked = check('{"hooks": {"PreToolUse": [{"command": "x"}, {}]}}')
    assert [spec.command for spec in checked.specs] == ["x"]
    assert [str(d) for d in checked.diagnostics] == ["<text>:1:45: error: hook PreToolUse[1]: command is required"]
    assert checked.dialect.name == "crush"


def test_several_files_append_and_the_later_one_wins_equal_commands(tmp_path: Path) -> None:
    paths = []
    for name, text in (("a", config("x", "g", name="global")), ("b", config("p", "x", name="project"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "crush.json").write_text(text)
        paths.append(tmp_path / name / "crush.json")
    recorded = RecordedExecutor()
    engine = HookEngine.load(paths, executor=recorded)
    assert commands(engine) == ["x", "g", "p", "x"]
    rows = engine.fire("PreToolUse").hooks
    assert [(row.command, row.name) for row in rows] == [("g", "global"), ("p", "project"), ("x", "project")]
    shipped = HookEngine.load(paths, "crush@shipped", executor=recorded).fire("PreToolUse").hooks
    assert [(row.command, row.name) for row in shipped] == [("x", "global"), ("g", "global"), ("p", "project")]


def test_ids_are_stable_and_unique() -> None:
    first = HookEngine.load(config("a", "b", "a"), "crush")
    ids = [spec.id for spec in first.specs]
    assert len(set(ids)) == 3 and ids[2] == ids[0] + "~2"
    assert ids[0].startswith("given:PreToolUse:")
    moved = HookEngine.load(config("new", "b", "a"), "crush")
    assert [spec.id for spec in moved.specs][1:] == [ids[1], ids[0]]


def test_disabled_hooks_and_unknown_ids() -> None:
    id = HookEngine.load(config("a"), "crush").specs[0].id
    engine = HookEngine.load(config("a", "b"), "crush", disabled=[id, "nope"], executor=RecordedExecutor())
    assert run(engine) == ["b"]
    assert [why.reason for why in engine.explain("PreToolUse")] == ["skipped: it is disabled", "it has no matcher"]
    assert [d.message for d in engine.diagnostics] == [f'disabled switches off "{id}"', 'no hook has the id "nope"']


def test_a_named_file_is_trusted_by_default(tmp_path: Path) -> None:
    file = tmp_path / "crush.json"
    file.write_text(config("x"))
    engine = HookEngine.load(file, trust_project=False)
    assert commands(engine) == [] and "not trusted" in engine.diagnostics[0].message


def test_env_of_the_config_reaches_the_hooks() -> None:
    recorded = RecordedExecutor()
    text = '{"env": {"A": "config", "CRUSH": "x"}, "hooks": {"PreToolUse": [{"command": "x"}]}}'
    HookEngine.load(text, "crush", env={"A": "host", "B": "b"}, executor=recorded).fire("PreToolUse")
    env = recorded.jobs[0].env
    assert (env["A"], env["B"], env["CRUSH"]) == ("config", "b", "1")


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """Make a user's configuration, and give the environment that points at it."""
    (tmp_path / "home/.config/crush").mkdir(parents=True)
    (tmp_path / "home/.config/crush/crush.json").write_text(config("user"))
    (tmp_path / "w/sub/.crush").mkdir(parents=True)
    (tmp_path / "w/.git").mkdir()
    (tmp_path / "w/crush.json").write_text("// outer\n" + config("outer"))
    (tmp_path / "w/.crush.json").write_text("")
    (tmp_path / "w/crushrc").write_text("hook add")
    (tmp_path / "w/sub/crush.json").write_text(config("inner"))
    (tmp_path / "w/sub/.crush/crush.json").write_text(config("workspace"))
    root = str(tmp_path / "home")
    return {"HOME": root, "USERPROFILE": root, "CRUSH_GLOBAL_DATA": str(tmp_path / "none")}


def test_discovery_merges_from_the_user_to_the_workspace(tmp_path: Path, home: dict[str, str]) -> None:
    engine = HookEngine.discover(str(tmp_path / "w/sub"), "crush", trust_project=True, env=home)
    assert commands(engine) == ["user", "outer", "inner", "workspace"]
    assert [d.message for d in engine.diagnostics] == ["crushrc is not read; put its hooks into a crush.json"]
    assert [spec.id.partition(":")[0] for spec in engine.specs] == ["user", "project", "project", "project"]


def test_discovery_leaves_project_files_out_unless_trusted(tmp_path: Path, home: dict[str, str]) -> None:
    engine = HookEngine.discover(str(tmp_path / "w/sub"), env=home)
    assert commands(engine) == ["user"]
    assert sum("this file is not trusted" in d.message for d in engine.diagnostics) == 3  # an empty file has no hooks


def test_discovery_raises_for_a_broken_file(tmp_path: Path, home: dict[str, str]) -> None:
    (tmp_path / "w/sub/crush.json").write_text("{")
    with pytest.raises(ConfigError, match="invalid JSON in config file"):
        HookEngine.discover(str(tmp_path / "w/sub"), trust_project=True, env=home)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
def test_discovery_leaves_out_files_of_another_user(tmp_path: Path, home: dict[str, str]) -> None:
    os.chown(tmp_path / "w/crush.json", 12345, 12345)
    engine = HookEngine.discover(str(tmp_path / "w/sub"), trust_project=True, env=home)
    assert commands(engine) == ["user", "inner", "workspace"]
    assert any("neither to this user" in d.message for d in engine.diagnostics)


def test_the_project_directory_is_the_worktree(tmp_path: Path, home: dict[str, str]) -> None:
    recorded = RecordedExecutor()
    engine = HookEngine.load(config("x"), "crush", cwd=str(tmp_path / "w/sub"), executor=recorded)
    engine.fire("PreToolUse")
    assert recorded.jobs[0].env["CRUSH_PROJECT_DIR"] == (tmp_path / "w").as_posix()
    assert recorded.jobs[0].cwd == (tmp_path / "w/sub").as_posix()


@pytest.mark.parametrize(("option", "value"), [("on_failure", "maybe"), ("ask", "no"), ("nonsense", 1)])
def test_wrong_options(option: str, value: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        HookEngine.load(config("x"), "crush", **{option: value})


def test_the_project_directory_is_that_of_the_events_cwd() -> None:
    """The worktree's root, else cwd (decisions project directory), where one engine serves several."""
    files = MemoryFS({"/here/x": b"", "/there/.git/HEAD": b"x", "/there/sub/x": b"", "/plain/x": b""})
    script = 'echo "$CRUSH_PROJECT_DIR" >&2; exit 2'
    hook = {"hooks": {"PreToolUse": [{"command": script}]}}

    def project(stands: str, **fields: str) -> str:
        with HookEngine.load(hook, "crush", fs=files, cwd=stands, env={}, spawn=False) as engine:
            return engine.fire("PreToolUse", tool_name="bash", **fields).reason

    assert project("/here") == "/here"
    assert project("/there/sub") == "/there"
    assert project("/here", cwd="/there/sub") == "/there"
    assert project("/here", cwd="/plain") == "/plain"
    assert project("/there", cwd="/there/sub") == "/there"  # the agent walks about in its project
    assert project("/", cwd="/plain") == "/plain"  # a service's own directory is no project
    assert project("/here", cwd="/there/sub", project_dir="/given") == "/given"


def test_the_project_of_a_directory_is_found_once() -> None:
    looked: list[str] = []

    class Counting(MemoryFS):
        __slots__ = ()

        def stat(self, path: str, *, follow: bool = True) -> os.stat_result:
            looked.append(path)
            return super().stat(path, follow=follow)

    files = Counting({"/here/x": b"", "/there/.git/HEAD": b"x", "/there/sub/x": b""})
    with HookEngine.load(config("true"), "crush", fs=files, cwd="/here", env={}) as engine:
        looked.clear()
        for _ in range(2):
            engine.fire("PreToolUse", tool_name="bash", cwd="/there/sub")
    assert looked.count("/there/.git") == 1


def test_a_payload_that_cannot_be_read_is_reported() -> None:
    with HookEngine.load(config("exit 2"), "crush") as engine:
        for payload in ("{bad", "[1]", b"\xff", b"{", "1"):
            with pytest.raises(ValueError, match="^the payload is not a JSON object: "):
                engine.fire("PreToolUse", payload)


def test_a_relative_cwd_counts_from_the_engines() -> None:
    """What ``fire --sample`` prints says ``.``; hooks are told a path that means something."""
    files = MemoryFS({"/w/.git/HEAD": b"x", "/w/sub/x": b""})
    hook = {"hooks": {"PreToolUse": [{"command": 'echo "$PWD $CRUSH_CWD $CRUSH_PROJECT_DIR" >&2; exit 2'}]}}
    with HookEngine.load(hook, "crush", fs=files, cwd="/w", env={}, spawn=False) as engine:
        told = [engine.fire("PreToolUse", tool_name="bash", cwd=cwd).reason for cwd in (".", "sub", "./sub/..", "/w")]
    assert told == ["/w /w /w", "/w/sub /w/sub /w", "/w /w /w", "/w /w /w"]


def test_discovered_hooks_run_on_a_file_system_without_the_directory(tmp_path: Path, home: dict[str, str]) -> None:
    """They were "not started", and a guard that does not start guards nothing."""
    (tmp_path / "crush.json").write_text(config("echo x > f; cat f >&2; exit 2"))
    with HookEngine.discover(str(tmp_path), "crush", trust_project=True, env=home, fs=MemoryFS()) as engine:
        assert engine.fire("PreToolUse", tool_name="bash").reason == "x"
