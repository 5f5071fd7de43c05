"""``fire``, ``explain``, ``check``, ``dialects``: exit codes, JSON fields, and messages a person can act on."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import cli

FIELDS = {
    "decision", "halt", "reason", "user_message", "context", "updated_input", "updated_output", "followup", "effects",
    "faults", "hooks", "notices", "withholds",
}  # fmt: skip
ROW = {"id", "command", "ended", "exit_code", "seconds", "decision", "stdout", "stderr", "notices"}


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Write a config with these commands; the test runs in its directory."""
    monkeypatch.chdir(tmp_path)

    def write(*commands: str, **more: Any) -> str:
        hooks = [{"command": command, **more} for command in commands]
        (tmp_path / "crush.json").write_text(json.dumps({"hooks": {"PreToolUse": hooks}}), encoding="utf-8")
        return "crush.json"

    return write


def fire(*words: str) -> int:
    return cli.main(["fire", *words])


@pytest.mark.parametrize(
    ("command", "status", "decision"),
    [
        ("true", 0, "none"),
        ('echo \'{"decision":"allow"}\'', 0, "allow"),
        ("exit 2", 2, "deny"),
        ("exit 49", 49, "deny"),
        ("exit 1", 0, "none"),
    ],
)
def test_exit_status_and_fields(
    config: Any, command: str, status: int, decision: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fire("PreToolUse", "--config", config(command), "--json") == status
    verdict = json.loads(capsys.readouterr().out)
    assert set(verdict) == FIELDS
    assert [set(row) for row in verdict["hooks"]] == [ROW]
    assert verdict["decision"] == decision


def test_input_from_a_file_and_from_stdin(
    config: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = config("jq -r '.tool_input.command' >&2; exit 2", matcher="^bash$")
    call = '{"tool_name": "bash", "tool_input": {"command": "ls"}}'
    (tmp_path / "call.json").write_text(call)
    assert fire("PreToolUse", "--config", name, "--input", "call.json", "--json") == 2
    assert json.loads(capsys.readouterr().out)["reason"] == "ls"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(call.encode())))
    assert fire("before_tool", "--config", name, "--input", "-", "--json") == 2


@pytest.mark.parametrize("marks", [1, 2, 3])
def test_marks_before_the_input_count_for_nothing(
    config: Any, tmp_path: Path, marks: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = config("jq -r '.tool_input.command' >&2; exit 2", matcher="^bash$")
    call = b"\xef\xbb\xbf" * marks + b'{"tool_name": "bash", "tool_input": {"command": "ls"}}'
    (tmp_path / "call.json").write_bytes(call)
    assert fire("PreToolUse", "--config", name, "--input", "call.json", "--json") == 2
    assert json.loads(capsys.readouterr().out)["reason"] == "ls"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(call)))
    assert fire("PreToolUse", "--config", name, "--input", "-", "--json") == 2


def test_utf_16_input_is_named(config: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "call.json").write_bytes('{"tool_name": "bash"}'.encode("utf-16"))
    assert fire("PreToolUse", "--config", config("exit 0"), "--input", "call.json") not in (0, 2)
    assert "is UTF-16" in capsys.readouterr().err


def test_discovery_without_config(config: Any, capsys: pytest.CaptureFixture[str]) -> None:
    config("echo found >&2; exit 2")
    assert fire("PreToolUse", "--json", "--trust-project") == 2
    assert "found" in json.loads(capsys.readouterr().out)["reason"]


def test_table_for_people(config: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert fire("PreToolUse", "--config", config("echo 'no [red] light' >&2; exit 2")) == 2
    shown = capsys.readouterr().out
    assert "deny" in shown and "no [red] light" in shown and "nonzero" in shown


def test_verbose_shows_the_input_and_output_of_each_hook(config: Any, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("PreToolUse", "--config", config("cat; echo told >&2", "exit 2"), "--input", "call.json")
    Path("call.json").write_text('{"tool_name": "bash", "tool_input": {"command": "ls"}}', encoding="utf-8")
    assert fire(*words, "-v") == 2
    out = capsys.readouterr().out
    first, second = out.index("hook: cat; echo told >&2"), out.index("hook: exit 2")
    shown = out[first:second]
    assert '"command":"ls"' in shown.partition("ended: ok with 0")[0]
    assert "CRUSH_TOOL_INPUT_COMMAND=ls" in shown and "stderr: told" in shown
    assert '"command":"ls"' in shown.partition("stdout: ")[2]
    assert "ended: nonzero with 2" in out[second:]
    assert fire(*words, "--verbose", "--json") == 2
    document = json.loads(capsys.readouterr().out)
    assert set(document) == {*FIELDS, "given"}
    assert ['"command":"ls"' in one["stdin"] for one in document["given"]] == [True, True]
    assert document["given"][0]["environment"]["CRUSH_TOOL_INPUT_COMMAND"] == "ls"


def test_dry_run_runs_nothing(config: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert fire("PreToolUse", "--config", config("echo x > made; exit 2"), "--dry-run", "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["hooks"][0]["matches"] and '"event":"PreToolUse"' in shown["stdin"]
    assert not (tmp_path / "made").exists()


def test_overlay_keeps_writes_off_the_disk(config: Any, tmp_path: Path) -> None:
    assert fire("PreToolUse", "--config", config("echo x > made; [ -s made ] && exit 2"), "--fs", "overlay") == 2
    assert not (tmp_path / "made").exists()


def test_timeout_bounds_the_event(config: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert fire("PreToolUse", "--config", config("sleep 100"), "--timeout", "0.2", "--json") == 2
    assert json.loads(capsys.readouterr().out)["hooks"][0]["ended"] == "timed_out"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "crush.json"),
        ('{"hooks": {"PreToolUse": [', "crush.json:1:"),
        ("[]", "object"),
        ('{"hooks": {"PreToolUse": [{"matcher": "(", "command": "x"}]}}', "matcher"),
        ('{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "x"}]}]}}', "Claude"),
    ],
    ids=["empty", "truncated", "no object", "bad regex", "claude's shape"],
)
def test_wrong_configs_name_their_mistake(
    tmp_path: Path, text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "crush.json"
    path.write_text(text)
    status = fire("PreToolUse", "--config", str(path), "--json")
    shown = capsys.readouterr()
    if text:
        assert status == 1 and said in shown.err and "Traceback" not in shown.err
    else:  # an empty file is skipped, as Crush does (crush 1.1)
        assert status == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["PreToolsUse"], 'did you mean "PreToolUse"'),
        (["PreToolUse", "--dialect", "crsh"], "crush"),
        (["PreToolUse", "--dialect", "crush@nope"], "documented"),
        (["PreToolUse", "--input", "gone.json"], "gone.json: No such file"),
        (["PreToolUse", "--input", "list.json"], "list.json:2:1: error: it must hold a JSON object, not an array"),
        (["PreToolUse", "--input", "word.json"], "word.json:1:1: error: it must hold a JSON object, not a value"),
        (["PreToolUse", "--input", "empty.json"], "empty.json:1:1: error: it is not JSON"),
        (["PreToolUse", "--input", "bytes.json"], "bytes.json:1:8: error: byte 0xff is not UTF-8"),
        (["PreToolUse", "--input", "misspelt.json"], 'unknown field "tool_nam"; did you mean "tool_name"?'),
        (
            ["PreToolUse", "--input", "broken.json"],
            "broken.json:3:5: error: it is not JSON: a trailing comma is not JSON\n  hint: remove the comma",
        ),
    ],
)
def test_wrong_arguments_name_their_mistake(
    config: Any, tmp_path: Path, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "list.json").write_text("\n[1]")
    (tmp_path / "word.json").write_text('"bash"')
    (tmp_path / "broken.json").write_text('{\n"a":\n1234,\n}')
    (tmp_path / "bytes.json").write_bytes(b'{"a": "\xff"}')
    (tmp_path / "empty.json").write_text("")
    (tmp_path / "misspelt.json").write_text('{"tool_nam": "bash"}')
    assert fire(*words, "--config", config("true")) == 1
    assert said in capsys.readouterr().err


def test_the_effect_of_internal_failures(config: Any, capsys: pytest.CaptureFixture[str]) -> None:
    written = config("f() { f; }; f")
    assert fire("PreToolUse", "--config", written) == 2
    assert fire("PreToolUse", "--config", written, "--own-failures", "vendor") == 0
    with pytest.raises(SystemExit, match="1"):
        fire("PreToolUse", "--config", written, "--own-failures", "open")
    assert "invalid choice" in capsys.readouterr().err


def test_paths_as_the_event_has_them(config: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = config("jq -r .tool_input.file_path >&2; exit 2")
    (tmp_path / "call.json").write_text('{"tool_name": "edit", "tool_input": {"file_path": "c:\\\\p\\\\x"}}')
    words = ["PreToolUse", "--config", written, "--input", "call.json"]
    assert fire(*words) == 2
    seen = "C:/p/x" if sys.platform == "win32" else "c:\\p\\x"
    assert f"reason: {seen}\n" in capsys.readouterr().out
    assert fire(*words, "--paths", "native") == 2
    assert "reason: c:\\p\\x\n" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="1"):
        fire(*words, "--paths", "slashes")
    assert "invalid choice" in capsys.readouterr().err


def test_missing_fields_are_reported_with_the_inputs_name(
    config: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["PreToolUse", "--config", config("true"), "--json"]
    (tmp_path / "call.json").write_text('{"tool_name": "bash", "timeout": 3}')
    lacks = 'field "tool_input" is missing: hooks see {}'
    assert cli.main(["fire", *given, "--input", "call.json"]) == 0
    notices = json.loads(capsys.readouterr().out)["notices"]
    assert notices[0] == 'call.json: field "timeout" is unknown; it is passed through'  # and not the option's value
    assert notices[1].startswith(f"call.json: {lacks}") and len(notices) == 2
    assert cli.main(["explain", *given, "--input", "call.json"]) == 0
    assert f"\ncall.json: {lacks}" in capsys.readouterr().err
    assert cli.main(["fire", *given, "--dry-run", "--input", "call.json"]) == 0
    assert f"\ncall.json: {lacks}" in capsys.readouterr().err
    assert cli.main(["fire", *given, "--strict", "--input", "call.json"]) == 2
    assert lacks in json.loads(capsys.readouterr().out)["reason"]
    assert cli.main(["explain", *given]) == 0
    assert 'no --input: field "tool_name" is missing' in capsys.readouterr().err
    (tmp_path / "call.json").write_text('{"tool_name": "bash", "tool_input": {}}')
    assert cli.main(["fire", *given, "--strict", "--input", "call.json"]) == 0
    assert json.loads(capsys.readouterr().out)["notices"] == []


def test_explain(config: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["explain", "PreToolUse", "--config", config("true", matcher="^view$"), "--json"]
    (tmp_path / "call.json").write_text('{"tool_name": "bash"}')
    assert cli.main([*words, "--input", str(tmp_path / "call.json")]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["matches"] is False and "^view$" in row["reason"]
    assert cli.main(words) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["matches"] is True and "names no tool" in row["reason"]


def test_a_hook_without_a_handler_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In the table and in JSON, by ``fire`` and by ``explain`` (decisions left out)."""
    file = tmp_path / "hooks.json"
    file.write_text('{"version": 1, "hooks": {"beforeSubmitPrompt": [{"type": "prompt", "prompt": "is it safe?"}]}}')
    (tmp_path / "prompt.json").write_text('{"prompt": "x"}')
    given = ["before_prompt", "--config", str(file), "--dialect", "cursor", "--input", str(tmp_path / "prompt.json")]
    assert cli.main(["fire", *given, "--json"]) == 0
    out = capsys.readouterr()
    (notice,) = json.loads(out.out)["notices"]
    assert (
        f'({file.as_posix()}:1:49): not started: the host must provide a handler for hooks of type "prompt"' in notice
    )
    assert 'pass handlers={"prompt": ...} to the engine' in notice and out.err == ""
    assert cli.main(["fire", *given, "--strict"]) == 2
    assert "the host must provide a handler" in " ".join(capsys.readouterr().out.split())
    assert cli.main(["explain", *given, "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["matches"] is False and row["reason"].startswith(
        'skipped: the host must provide a handler for hooks of type "prompt"'
    )
    assert cli.main(["explain", *given]) == 0
    assert "skipped:" in " ".join(capsys.readouterr().out.split())


def test_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, odd, bad = (tmp_path / name / "crush.json" for name in ("good", "odd", "bad"))
    for path, text in (
        (good, '{"command": "true"}'),
        (odd, '{"command": "x", "timout": 1}'),
        (bad, '{"matcher": "x"}'),
    ):
        path.parent.mkdir()
        path.write_text('{"hooks": {"PreToolUse": [' + text + "]}}")
    assert cli.main(["check", str(good)]) == 0
    assert "1 hook of crush" in capsys.readouterr().out
    assert cli.main(["check", str(odd)]) == 0
    assert 'did you mean "timeout"' in capsys.readouterr().out
    assert cli.main(["check", str(odd), "--strict"]) == 1
    assert cli.main(["check", str(good), str(bad), "--json"]) == 1
    assert '"severity": "error"' in capsys.readouterr().out
    assert cli.main(["check", str(tmp_path / "gone.json")]) == 1
    assert "gone.json: error" in capsys.readouterr().out


def test_dialects(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["dialects"]) == 0
    assert "PreToolUse" in capsys.readouterr().out
    assert cli.main(["dialects", "crush", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["events"][0]["matched_against"] == "tool_name"


def test_an_overlay_keeps_the_mounts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "hooks.json"
    spec = {"event": "pre_tool_use", "executor": {"type": "bash", "command": "ls; echo x > made; cat made >&2; exit 1"}}
    config.write_text(json.dumps({"hooks": [spec]}))
    (tmp_path / "room").mkdir()
    mount = f"{tmp_path / 'room'}:/workspace"
    arguments = ["fire", "pre_tool_use", "--config", str(config), "--dialect", "everruns", "--mount", mount, "--json"]
    for files, left in (("overlay", []), (None, ["made"])):
        cli.main([*arguments, *(["--fs", files] if files else [])])
        assert json.loads(capsys.readouterr().out)["hooks"][0]["stderr"] == "x\n"
        assert [path.name for path in (tmp_path / "room").iterdir()] == left
