"""The seed document's own examples, verbatim, on their promised verdicts.

The document is not part of the repository: where it lies beside it (``../shared/seeds``) its code blocks are read and
run; elsewhere the twins in conformance/cases/crush/seed_twins.toml stand for them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import HookEngine, Verdict
from tests import oracles

ROOT = Path(__file__).resolve().parents[2]
SEED = ROOT.parent / "shared" / "seeds" / "004_c8ee071c8dc3303a.txt"

pytestmark = [
    pytest.mark.skipif(not SEED.is_file(), reason="the seed document does not lie beside this repository"),
]

# The code blocks in the order of the document.
(
    SAMPLE_CONFIG, FIRST_HOOK, PAYLOAD, SHELL_READER, PYTHON_READER, EXIT_FRAGMENT, ENVELOPE, REWRITE, NO_RM_CONFIG, NO_RM,
    APPROVE_CONFIG, SAFE_BASH, GO_CONFIG, GO_CONTEXT, MCP_ENTRY, LOG_ENTRY, LUA, JAVASCRIPT,
) = range(18)  # fmt: skip


@cache
def blocks() -> list[str]:
    """Take the code blocks out of the document, whose lines carry a number of three columns."""
    lines = [line[3:] for line in SEED.read_text(encoding="utf-8").splitlines()[2:]]
    return [body for _, body in re.findall(r"^```(\w+)\n(.*?)^```$", "\n".join(lines), re.MULTILINE | re.DOTALL)]


def without_shebang(script: str) -> str:
    assert script.startswith("#!")
    return script.partition("\n")[2]


BOTH = pytest.mark.parametrize("form", [str, without_shebang], ids=["as it stands", "without its shebang"])
Form = Callable[[str], str]


def fire(home: Path, config: str, tool: str, tool_input: dict[str, Any], **more: Any) -> Verdict:
    """Write the config and fire its hooks for one tool call."""
    (home / "crush.json").write_text(config, encoding="utf-8")
    with HookEngine.load(str(home / "crush.json"), **more) as engine:
        return engine.fire("PreToolUse", tool_name=tool, tool_input=tool_input, session_id="s1", cwd=str(home))


def script(home: Path, name: str, text: str) -> None:
    path = home / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
    path.chmod(0o755)


def entry(command: str, matcher: str = "") -> str:
    return json.dumps({"hooks": {"PreToolUse": [{"command": command, "matcher": matcher}]}})


def around(fragment: str) -> str:
    """Put an entry that the document shows alone where it belongs."""
    return '{"hooks": {"PreToolUse": [' + fragment + "]}}"


def test_the_sample_config_loads(tmp_path: Path) -> None:
    script(tmp_path, "hooks/my-hot-hook.sh", "exit 2\n")
    assert fire(tmp_path, blocks()[SAMPLE_CONFIG], "bash", {"command": "ls"}).decision == "deny"


@BOTH
def test_first_hook_logs(tmp_path: Path, form: Form) -> None:
    script(tmp_path, "log.sh", form(blocks()[FIRST_HOOK]))
    verdict = fire(tmp_path, entry("./log.sh"), "bash", {"command": "make all"})
    assert (verdict.decision, verdict.hooks[0].ended) == ("none", "ok")
    assert (tmp_path / "bash.log").read_text().endswith(": s1 / make all")


def test_shell_reader(tmp_path: Path) -> None:
    text = without_shebang(blocks()[SHELL_READER]) + '\necho "$tool_name $command" >&2; exit 2\n'
    script(tmp_path, "reader.sh", text)
    assert fire(tmp_path, entry("./reader.sh"), "bash", {"command": "a  b"}).reason == "bash a  b"


def test_python_reader(tmp_path: Path) -> None:
    import sys

    script(
        tmp_path, "reader.py", blocks()[PYTHON_READER] + "\nprint(tool_name, command, file=sys.stderr); sys.exit(2)\n"
    )
    python = Path(sys.executable).as_posix()
    assert fire(tmp_path, entry(f'"{python}" ./reader.py'), "bash", {"command": "ls"}).reason == "bash ls"


def test_exit_fragment(tmp_path: Path) -> None:
    verdict = fire(tmp_path, entry("some_bad_condition() { true; }\n" + blocks()[EXIT_FRAGMENT]), "bash", {})
    assert verdict.decision == "deny" and verdict.reason.startswith("Blocked")


def test_envelope(tmp_path: Path) -> None:
    envelope = re.sub(r"\s+//.*", "", blocks()[ENVELOPE]).replace(",\n}", "\n}")
    (tmp_path / "out").write_text(envelope, encoding="utf-8")
    verdict = fire(tmp_path, entry("cat out"), "bash", {"command": "ls", "timeout": 1})
    assert verdict.decision == "allow" and not verdict.halt and verdict.context
    assert verdict.updated_input["timeout"] == 1 and verdict.updated_input["command"] != "ls"


def test_rewrite(tmp_path: Path) -> None:
    scrubber = "secret-scrubber() { printf '%s' \"${2//hunter2/***}\"; }\n"
    script(tmp_path, "rewrite.sh", scrubber + without_shebang(blocks()[REWRITE]))
    verdict = fire(tmp_path, entry("./rewrite.sh"), "bash", {"command": "login hunter2", "timeout": 9})
    assert (verdict.decision, verdict.updated_input) == ("allow", {"command": "login ***", "timeout": 9})


@BOTH
def test_no_rm_rf(tmp_path: Path, form: Form) -> None:
    script(tmp_path, "hooks/no-rm-rf.sh", form(blocks()[NO_RM]))
    config = blocks()[NO_RM_CONFIG]
    denied = fire(tmp_path, config, "bash", {"command": "sudo rm  -fr /etc"})
    assert denied.decision == "deny" and "rm -rf" in denied.reason
    assert fire(tmp_path, config, "bash", {"command": "rm -rf ./build"}).decision == "none"
    assert fire(tmp_path, config, "view", {"file_path": "rm -rf /"}).hooks == ()


def test_read_only_tools_are_approved(tmp_path: Path) -> None:
    assert fire(tmp_path, blocks()[APPROVE_CONFIG], "grep", {}).decision == "allow"
    assert fire(tmp_path, blocks()[APPROVE_CONFIG], "bash", {}).decision == "none"


@BOTH
def test_safe_bash(tmp_path: Path, form: Form) -> None:
    script(tmp_path, "safe-bash.sh", form(blocks()[SAFE_BASH]))
    assert fire(tmp_path, entry("./safe-bash.sh"), "bash", {"command": "ls -l"}).decision == "allow"
    assert fire(tmp_path, entry("./safe-bash.sh"), "bash", {"command": "make"}).decision == "none"


@BOTH
def test_go_context(tmp_path: Path, form: Form) -> None:
    script(tmp_path, "hooks/go-context.sh", form(blocks()[GO_CONTEXT]))
    config = blocks()[GO_CONFIG]
    touched = fire(tmp_path, config, "write", {"file_path": "a/b.go"})
    assert "gofumpt" in touched.context and touched.decision == "none"
    assert fire(tmp_path, config, "write", {"file_path": "a/b.py"}).context == ""


def test_mcp_tools_are_blocked_inline(tmp_path: Path) -> None:
    verdict = fire(tmp_path, around(blocks()[MCP_ENTRY]), "mcp_x_y", {})
    assert verdict.decision == "deny" and "MCP" in verdict.reason


def test_every_call_is_logged_inline(tmp_path: Path) -> None:
    assert fire(tmp_path, around(blocks()[LOG_ENTRY]), "view", {}).decision == "none"
    assert (tmp_path / "tools.log").read_text().endswith(" view\n")


@pytest.mark.parametrize(
    ("index", "program", "name"), [(LUA, "lua", "no-rm-rf.lua"), (JAVASCRIPT, "node", "no-rm-rf.js")]
)
def test_other_languages(tmp_path: Path, index: int, program: str, name: str) -> None:
    oracles.native(program)
    script(tmp_path, f"hooks/{name}", blocks()[index])
    config = entry(f"{program} ./hooks/{name}", "^bash$")
    assert fire(tmp_path, config, "bash", {"command": "rm -rf /"}).decision == "deny"
    assert fire(tmp_path, config, "bash", {"command": "ls"}).decision == "none"
