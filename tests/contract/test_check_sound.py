"""``check`` says nothing of sound hooks: a false alarm teaches people not to read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pyshellhooks import cli, dialects
from pyshellhooks.engine.checks.checker import check_file
from pyshellhooks.errors import Diagnostic
from tests.contract.collected_hooks import CALLS, Hook, config, hooks
from tests.contract.test_hundred_hooks import COMMANDS

pytestmark = pytest.mark.usefixtures("usual_interpreters")

#: Hooks of the hundred that are written for another event or system than the one on which they are all put.
ELSEWHERE = dict.fromkeys((47, 56, 69, 80, 82, 83, 84, 85), "payload-key") | dict.fromkeys((73, 81), "answer-no-effect")
SOUND = [hook for hook in hooks() if hook.kind not in ("mistakes", "payloads")]
#: What ``check`` sees of the usual mistakes; the others show only when they run.
SEEN = {
    "status 1 instead of 2": "exit-1-does-not-block",
    "quotes are not escaped in the answer": "json-pasted",
    "a wrong path gives null": "payload-key",
    "a syntax error of jq": "jq-syntax",
    "a command that is not there, at the end": "program-missing",
    "a path that is not there": "script-missing",
    "no execute bit": "not-executable",
    "a file does not parse": "syntax-error",
    "an argument instead of stdin": "variable-unset",
    "environment variables that hosts do not set": "variable-unset",
    "set -u and a name that is not set": "variable-unset",
}


def check_config(
    root: Path, system: str, written: object, script: tuple[str, str, int] | None = None
) -> list[Diagnostic]:
    """Check a config in a project of its own; what is not installed here is not the hook's fault."""
    (root / ".git").mkdir()
    if script is not None:
        path = root / script[0]
        path.parent.mkdir(parents=True)
        path.write_text(script[1])
        path.chmod(script[2])
    file = root / dialects.get(system).file_names[0]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(written))
    return check_file(str(file), system, env={"PATH": "/usr/bin:/bin", "HOME": str(root / "home")}).diagnostics


def of(hook: Hook, root: Path) -> list[str]:
    script = (hook.at, hook.script, hook.mode) if hook.script else None
    codes = [one.code for one in check_config(root, hook.system, config(hook), script)]
    # The commands of the collection are bash's; Claude Code has them read by sh (tests/unit/engine/test_off_in_agent.py).
    return [code for code in codes if code not in ("bash-under-sh", "echo-under-sh")]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("hook", SOUND, ids=str)
def test_the_sound_ones_of_the_collection(hook: Hook, tmp_path: Path) -> None:
    assert set(of(hook, tmp_path)) <= {"program-missing"}


@pytest.mark.not_on_windows("needs-program")
def test_the_mistakes_of_the_collection(tmp_path: Path) -> None:
    found = {}
    for number, hook in enumerate(hook for hook in hooks() if hook.kind == "mistakes"):
        (tmp_path / str(number)).mkdir()
        codes = of(hook, tmp_path / str(number))
        if codes:
            found[hook.name] = codes
    assert found == {name: [code] for name, code in SEEN.items()}


@pytest.mark.parametrize("system", CALLS)
def test_a_missing_program_is_found_on_every_system(system: str, tmp_path: Path) -> None:
    """Everruns' hooks start in a directory that is not on this disk: ``check`` and ``doctor`` ended there."""
    hook = Hook(system, "", "", CALLS[system][0], {}, "no-such-program; exit 0")
    assert of(hook, tmp_path) == ["program-missing"]


@pytest.mark.parametrize("number", range(len(COMMANDS)))
def test_the_hundred(number: int, tmp_path: Path) -> None:
    found = check_config(tmp_path, "crush", {"hooks": {"PreToolUse": [{"command": COMMANDS[number]}]}})
    codes = {one.code for one in found} - {"program-missing"}
    assert codes == ({ELSEWHERE[number]} if number in ELSEWHERE else set())


def test_the_demo(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    data = Path(cli.__file__).with_name("demo_data")
    monkeypatch.chdir(data)
    files = sorted(one.name for one in (data / "seven").iterdir())
    assert cli.main(["check", "crush.json", *(f"seven/{name}" for name in files)]) == 0
    out = capsys.readouterr().out
    # Everruns' bash has no argument "command": the guard of the demo is asked under neutral events only.
    assert out.count("nothing wrong") == 7 and out.count("matcher-unknown") == 1
