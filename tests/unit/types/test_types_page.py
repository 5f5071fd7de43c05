"""docs/typed-hooks.md and docs/vscode.md: their examples run, and do what they promise."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest
from typed import EVENTS, module

import pyshellhooks
from pyshellhooks import cli, dialects
from pyshellhooks.hooks.effects import EFFECTS
from pyshellhooks.hooks.tools import ARGUMENTS
from tests.generators.types import SYSTEMS, pascal

ROOT = Path(pyshellhooks.__file__).parents[1]
HOOKS = (ROOT / "docs" / "typed-hooks.md").read_text(encoding="utf-8")
EDITOR = (ROOT / "docs" / "vscode.md").read_text(encoding="utf-8")


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def run(script: Path, event: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(script)], input=json.dumps(event), capture_output=True, text=True, check=False
    )


@pytest.mark.slow
@pytest.mark.not_on_windows("needs-tools")  # the package is not installed there
def test_the_guard_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    guard, several, test = blocks(HOOKS, "python")
    (config,) = blocks(HOOKS, "json")
    (commands,) = blocks(HOOKS, "sh")
    written = re.search(r"^echo '(.*)' > call.json\n(pyshellhooks .*)$", commands, re.MULTILINE)
    assert written is not None
    (tmp_path / ".claude").mkdir()
    (tmp_path / "guard.py").write_text(guard, encoding="utf-8")
    (tmp_path / "call.json").write_text(written[1], encoding="utf-8")
    settings = config.replace("python3 guard.py", f'\\"{Path(sys.executable).as_posix()}\\" guard.py')
    (tmp_path / ".claude" / "settings.json").write_text(settings, encoding="utf-8")
    assert cli.main(written[2].split()[1:]) == 2
    assert capfd.readouterr().out.endswith("decision: deny\nreason: no rm -rf\n")
    names: dict[str, Any] = {}
    exec(compile(test, "typed-hooks.md", "exec"), names)  # the text is ours
    names["test_guard"]()
    hook = tmp_path / "several.py"
    hook.write_text(several, encoding="utf-8")
    stop = {"hook_event_name": "Stop", "stop_hook_active": False, "last_assistant_message": "Done."}
    assert json.loads(run(hook, stop).stdout) == {"decision": "block", "reason": "Run the tests before you stop."}
    assert run(hook, {**stop, "stop_hook_active": True}).stdout == ""
    prompt = {"hook_event_name": "UserPromptSubmit", "prompt": "my password"}
    assert json.loads(run(hook, prompt).stdout)["decision"] == "block"


def test_the_table_of_systems() -> None:
    text = HOOKS.partition("## The same in all systems")[2]
    rows = re.findall(r"^\| (.+?) \| `(\w+)` \| (.+?) \| `(\w+)` \|$", text, re.MULTILINE)
    assert [row[1] for row in rows] == list(SYSTEMS)
    for title, system, events, command in rows:
        dialect = dialects.get(system)
        assert dialect.title == title
        for event in re.findall(r"`(\w+)`", events):
            assert "before_tool" in dialect.events[getattr(module(system), event).EVENT].neutral
        assert (
            dialect.arguments.get("shell", {}).get("command", "command") == command in (command, *ARGUMENTS["command"])
        )


def test_the_page_names_the_classes() -> None:
    named = set(re.findall(r"`(\w+)`", HOOKS.partition("| argument of `answer`")[2].partition("\n\n")[0]))
    known = {"decision", "reason", "halt", "user_message", "context", "updated_input", "updated_output", "followup"}
    assert named - {"answer"} - known <= set(EFFECTS) and known <= named
    words = {"answer", "deny", "allow", "ask", "halt"}
    for system, native in EVENTS:
        own = vars(getattr(module(system), pascal(native)))
        methods = {name for name, value in own.items() if isinstance(value, FunctionType)}
        assert {name for name in methods if not name.startswith(("_", "model_"))} <= words


def test_the_denies_of_the_page() -> None:
    """Each system's deny, by the words of the page."""
    rows = dict(re.findall(r"^\| (.+?) \| (.+) \| [02] \|$", HOOKS.partition("| system | its deny")[2], re.MULTILINE))
    for title, words in rows.items():
        dialect = dialects.get(title.split(":")[0].split(",")[0].lower().replace(" cli", "").replace(" ", "_"))
        event = title.partition(": ")[2].split(",")[0] or next(
            row.native for row in dialect.events.values() if "before_tool" in row.neutral
        )
        answer = dialect.answer(event, pyshellhooks.Verdict(event, "deny", reason="why"))
        for word in re.findall(r'"(\w+)":"(?:deny|block)"', words):
            assert re.search(rf'"{word}":"(deny|block)"', answer.stdout)
        assert (answer.exit_code == 2) == (": " in title)


def test_the_pages_for_editors(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for text in blocks(EDITOR, "json"):
        json.loads(text)
    rows = re.findall(r"^\| (.+?) \| .+ \| `(\w+) config` \|$", EDITOR, re.MULTILINE)
    assert [row[1] for row in rows] == [
        name for name in SYSTEMS if name not in ("kimi", "vibe")
    ]  # their files are TOML
    for _, system in rows:
        assert cli.main(["schema", system, "config"]) == 0
        assert json.loads(capfd.readouterr().out)["$id"] == f"urn:pyshellhooks:schema:{system}:config"
    tasks = json.loads(blocks(EDITOR, "json")[-1])["tasks"][0]["problemMatcher"]["pattern"]
    bad = tmp_path / "settings.json"
    bad.write_text('{"hooks": {"PreToolUse": [{"hooks": [{"type": "comand"}]}]}}', encoding="utf-8")
    cli.main(["check", str(bad), "--dialect", "claude_code"])
    shown = capfd.readouterr().out
    found = re.search(tasks["regexp"], shown, re.MULTILINE)
    assert found is not None, shown
    assert found[tasks["line"]] == "1" and found[tasks["severity"]] == "error" and "comand" in found[tasks["message"]]
