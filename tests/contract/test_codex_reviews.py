"""The keys and hashes of Codex's reviews, as the program 0.171.0 lists them, and what ``check`` says about reviews."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import HookEngine
from pyshellhooks.dialects.codex import Codex
from pyshellhooks.engine.checks.checker import check_file
from pyshellhooks.hooks.model import Origin

RECORD: dict[str, Any] = json.loads(Path(__file__).with_name("codex_reviews.json").read_text(encoding="utf-8"))
COMMAND = "echo no >&2; exit 2"
HOOKS = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": COMMAND}]}]}}


def ours() -> dict[str, list[Any]]:
    """Return the end of each hook's key, with its timeout and its hash."""
    config = json.dumps({"hooks": {event: RECORD["groups"] for event in Codex.events}})
    specs = Codex().load(config, Origin("/home/.codex/hooks.json")).specs
    return {spec.extra["place"]: [int(spec.timeout or 0), spec.extra["hashes"][0]] for spec in specs}


@pytest.mark.parametrize("key", RECORD["hooks"])
def test_a_hook_has_the_key_and_the_hash_of_the_program(key: str) -> None:
    seconds, _, digest = RECORD["hooks"][key]
    assert ours()[key] == [seconds, f"sha256:{digest}"]


def test_the_program_lists_no_other_hook_with_a_valid_matcher() -> None:
    assert ours().keys() == RECORD["hooks"].keys()


def home(folder: Path, state: str) -> dict[str, str]:
    """Write the user's files into a folder. ``state``: the fields of the hook's record. Return the environment."""
    (folder / "hooks.json").write_text(json.dumps(HOOKS), encoding="utf-8")
    key = f"{folder.as_posix()}/hooks.json:pre_tool_use:0:0"
    text = f"[hooks.state.'{key}']\n{state}\n" if state else "model = 'm'\n"
    (folder / "config.toml").write_text(text, encoding="utf-8")
    return {"CODEX_HOME": str(folder), "HOME": str(folder)}


def checked(folder: Path, env: dict[str, str]) -> list[str]:
    """Return the messages of ``check`` about reviews."""
    found = check_file(str(folder / "hooks.json"), "codex", env=env).diagnostics
    return [one.message for one in found if one.code == "switched-off"]


def reviewed_hash() -> str:
    (spec,) = Codex().load(json.dumps(HOOKS), Origin("hooks.json")).specs
    return str(spec.extra["hashes"][0])


def test_check_reports_a_hook_without_a_review(tmp_path: Path) -> None:
    (message,) = checked(tmp_path, home(tmp_path, ""))
    assert message == "Codex does not run it before its review; codex exec skips it without a message"


def test_check_reports_a_hook_that_changed_since_its_review(tmp_path: Path) -> None:
    (message,) = checked(tmp_path, home(tmp_path, 'trusted_hash = "sha256:00"'))
    assert message == "it has changed since its review: Codex does not run it"


def test_check_reports_a_hook_that_a_person_disabled(tmp_path: Path) -> None:
    env = home(tmp_path, f'trusted_hash = "{reviewed_hash()}"\nenabled = false')
    (message,) = checked(tmp_path, env)
    assert message.endswith("config.toml disables it: Codex does not run it")


def test_check_is_silent_about_a_reviewed_hook(tmp_path: Path) -> None:
    assert checked(tmp_path, home(tmp_path, f'trusted_hash = "{reviewed_hash()}"')) == []


def test_check_is_silent_if_no_record_is_known(tmp_path: Path) -> None:
    env = home(tmp_path, "")
    (tmp_path / "config.toml").unlink()
    assert checked(tmp_path, env) == []


def test_a_record_with_a_wrong_type_counts_for_nothing(tmp_path: Path) -> None:
    (message,) = checked(tmp_path, home(tmp_path, 'trusted_hash = "x"\nenabled = "no"'))
    assert "before its review" in message


@pytest.mark.parametrize("edition", ["documented", "shipped"])
def test_a_disabled_hook_is_off_in_the_shipped_edition_only(edition: str, tmp_path: Path) -> None:
    env = home(tmp_path, "enabled = false")
    with HookEngine.discover(str(tmp_path), dialect=f"codex@{edition}", env=env) as engine:
        verdict = engine.fire("PreToolUse", tool_name="Bash", tool_input={"command": "ls"})
    if edition == "shipped":
        assert verdict.proceeds
    else:
        assert verdict.decision == "deny"
        assert any("is disabled here: Codex does not run this hook" in one for one in verdict.notices)
