"""``check FILE...`` and ``doctor FILE...`` as commands."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pyshellhooks import cli

GOOD = '{"hooks": {"PreToolUse": [{"command": "true"}]}}'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    return tmp_path


def put(project: Path, name: str, text: str) -> str:
    path = project / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


def test_all_files_are_reported_when_one_is_bad(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [put(project, "a/crush.json", "{"), put(project, "b/x.json", "[]"), str(project / "none/crush.json")]
    files += [put(project, "c/crush.json", '{"hooks": {"PreToolUse": [{"command": "./x.sh"}]}}')]
    files += [put(project, "d/crush.json", GOOD)]
    assert cli.main(["check", *files, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [one["code"] for one in found] == ["config-syntax", "config-unknown", "config-unreadable", "script-missing"]
    assert list(found[3]) == ["file", "line", "column", "end_column", "severity", "code", "message", "hint"]
    assert (found[3]["line"], found[3]["column"], found[3]["end_column"]) == (1, 40, 46)
    assert cli.main(["check", *files]) == 1
    assert "1 hook of crush@documented, nothing wrong" in capsys.readouterr().out


def test_files_that_are_ignored(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = put(project, "crush.json", '{"hooks": {"PreToolUse": [{"command": "read x", "timout": 3}]}}')
    assert cli.main(["check", odd, "--ignore", "read-backslash,unknown-key"]) == 0
    assert "nothing wrong" in capsys.readouterr().out
    assert cli.main(["check", odd, "--ignore", "script-mising"]) == 1
    assert 'did you mean "script-missing"' in capsys.readouterr().err
    bad = put(project, "b/crush.json", "{")
    assert cli.main(["check", bad, "--ignore", "config-syntax"]) == 1  # it is no config
    assert "[config-syntax]" in capsys.readouterr().out


def test_tools_of_the_agent(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = put(project, "crush.json", '{"hooks": {"PreToolUse": [{"matcher": "^bash$", "command": "true"}]}}')
    assert cli.main(["check", config, "--tool", "bash"]) == 0
    assert cli.main(["check", config, "--tool", "fetch"]) == 1
    assert "[matcher-matches-no-tool]" in capsys.readouterr().out
    assert cli.main(["check", config, "--tool", "x=shll"]) == 1
    assert "shll" in capsys.readouterr().err


def test_a_missing_program_is_for_doctor(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    text = '{"hooks": {"PreToolUse": [{"command": "./hooks/x.sh"}]}}'
    config = put(project, "crush.json", text)
    put(project, "hooks/x.sh", "frobnicate\ncommand -v other && other\n")
    assert cli.main(["check", config]) == 0
    out = capsys.readouterr().out
    assert "hooks/x.sh:1:1: warning: frobnicate" in out and "other:" not in out
    assert cli.main(["check", config, "--strict"]) == 1
    assert cli.main(["doctor", config]) == 1  # from another directory
    assert "frobnicate" in capsys.readouterr().out
    put(project, "hooks/x.sh", "jq . | grep -q x\n")
    assert cli.main(["doctor", config]) == 0
    capsys.readouterr()
    assert cli.main(["doctor", config, put(project, "b/crush.json", "{"), "--json"]) == 1
    caught = capsys.readouterr()
    assert json.loads(caught.out)["hooks"] == 1
    assert "b/crush.json:1:" in caught.err


def test_the_substitute_python_is_no_missing_program(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    config = put(project, "crush.json", '{"hooks": {"PreToolUse": [{"command": "python3 x.py"}]}}')
    put(project, "x.py", "print(1)\n")
    assert cli.main(["doctor", config, "--json"]) == 0
    (python, _) = json.loads(capsys.readouterr().out)["commands"]
    assert python["kind"] == "program" and "ran instead" in python["detail"]
    assert cli.main(["check", config]) == 0
    assert "nothing wrong" in capsys.readouterr().out


@pytest.mark.parametrize(
    "command",
    [
        "[ -x ./x.sh ] && ./x.sh",
        "if [[ -f ./x.sh ]]; then . ./x.sh; fi",
        "./x.sh || true",
        "echo 'exit 0' > ./x.sh; sh ./x.sh",
        "cd \"$(git rev-parse --show-toplevel)\" && ./x.sh",
        "node_modules/.bin/eslint",
        "x=./x.sh; test -r $x && . $x",
    ],
)  # fmt: skip
def test_scripts_that_may_be_missing(command: str, project: Path) -> None:
    config = put(project, "crush.json", json.dumps({"hooks": {"PreToolUse": [{"command": command}]}}))
    assert cli.main(["check", config]) == 0


def test_a_users_own_config_is_for_unknown_projects(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(project))
    monkeypatch.setenv("USERPROFILE", str(project))
    hook = {"type": "command", "command": '"$CLAUDE_PROJECT_DIR"/x.sh'}
    config = put(project, ".claude/settings.json", json.dumps({"hooks": {"Stop": [{"hooks": [hook]}]}}))
    assert cli.main(["check", config]) == 0


def test_firing_imports_nothing_of_it() -> None:
    program = (
        "import sys\nfrom pyshellhooks import HookEngine\n"
        "HookEngine.load({'hooks': {'PreToolUse': [{'command': 'exit 2'}]}}, 'crush').fire('PreToolUse', tool_name='bash', tool_input={})\n"
        "names = ('checking', 'diagnostics', 'doctor', 'matcher_check', 'payload_keys', 'script_advice', 'spots')\n"
        "print([name for name in names if f'pyshellhooks.engine.{name}' in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.stdout.strip() == "[]", done.stderr


def test_the_order_is_that_of_the_lines(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hooks = [{"command": "./x.sh"}, {"command": "./gone.sh", "matcher": "^$"}, {"command": "true", "timeot": 1}]
    config = put(project, "crush.json", json.dumps({"hooks": {"PreToolUse": hooks}}, indent=1))
    put(project, "x.sh", "jq .x\njq .toolname\n")
    assert cli.main(["check", config, "--json"]) == 1
    found = [(Path(one["file"]).name, one["line"], one["code"]) for one in json.loads(capsys.readouterr().out)]
    assert found == [
        ("crush.json", 8, "script-missing"),
        ("crush.json", 9, "matcher-matches-nothing"),
        ("crush.json", 13, "unknown-key"),
        ("x.sh", 1, "payload-key"),
        ("x.sh", 2, "payload-key"),
    ]
