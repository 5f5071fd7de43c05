"""``check --fix`` corrects what it calls off in the agent, and ``--diff`` only shows it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pyshellhooks import cli
from pyshellhooks.engine.checks import fixes
from pyshellhooks.engine.scripts.off_reason import Edit
from pyshellhooks.hooks.model import HookSpec
from pyshellhooks.jsontext.document import Document

pytestmark = pytest.mark.not_on_windows("needs-mode")

G = ".claude/hooks/g.sh"
DIR = '"$CLAUDE_PROJECT_DIR"/'
DENY = "#!/bin/bash\necho no >&2\nexit 2\n"
ONE = 'C=$(jq -r .tool_input.command)\nif echo "$C" | grep -q rm; then echo "no" >&2; exit 1; fi\nexit 0\n'
PRINTF = """printf '%s\\n' "$C\""""
PRINTED = ONE.replace('echo "$C"', PRINTF)
ECHOED = """#!/bin/sh
IN=$(cat)
C=$(echo $IN | jq -r .tool_input.command)
[ "$C" = ls ] || echo '{"decision": "block", "reason": "one\\ntwo"}'
echo "a\\tb" >&2
exit 0
"""
CONFIG = ".claude/settings.json"


def written(command: str) -> str:
    return json.dumps({"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": command}]}]}}, indent=1)


#: A command, the script, its mode; the command, the script and its mode behind ``--fix``; a part of what ``--diff`` shows.
ROWS = [
    ("execute bit", DIR + G, DENY, 0o644, DIR + G, DENY, 0o755, "new mode 100755"),
    ("execute bit of a private file", DIR + G, DENY, 0o600, DIR + G, DENY, 0o700, "new mode 100700"),
    ("quotes", f"$CLAUDE_PROJECT_DIR/{G}", DENY, 0o755, DIR + G, DENY, 0o755, r'"\"$CLAUDE_PROJECT_DIR\"/'),
    ("quotes and braces", f"bash ${{CLAUDE_PROJECT_DIR}}/{G} x", DENY, 0o755, f'bash "${{CLAUDE_PROJECT_DIR}}"/{G} x', DENY, 0o755, r"\"${CLAUDE"),
    ("quotes behind an escape", f'echo "é\t\\"" >&2; $CLAUDE_PROJECT_DIR/{G}', DENY, 0o755, f'echo "é\t\\"" >&2; {DIR}{G}', DENY, 0o755, "PROJECT"),
    ("quotes in a script", f"bash {DIR}{G}", f"#!/bin/bash\n. $CLAUDE_PROJECT_DIR/{G}.x\nexit 2\n", 0o755, f"bash {DIR}{G}", f"#!/bin/bash\n. {DIR}{G}.x\nexit 2\n", 0o755, f"+. {DIR}"),
    ("CRLF", f"bash {DIR}{G}", DENY.replace("\n", "\r\n"), 0o755, f"bash {DIR}{G}", DENY, 0o755, "+exit 2"),
    ("quotes in a script with CRLF", f"bash {DIR}{G}", f"#!/bin/bash\n:\n:\n. $CLAUDE_PROJECT_DIR/{G}.x\nexit 2\n".replace("\n", "\r\n"), 0o755, f"bash {DIR}{G}", f"#!/bin/bash\n:\n:\n. {DIR}{G}.x\nexit 2\n", 0o755, f"+. {DIR}"),
    ("quotes behind a byte order mark", f"bash {DIR}{G}", f"\ufeff#!/bin/bash\n. $CLAUDE_PROJECT_DIR/{G}.x\nexit 2\n", 0o755, f"bash {DIR}{G}", f"#!/bin/bash\n. {DIR}{G}.x\nexit 2\n", 0o755, f"+. {DIR}"),
    ("byte order mark", f"bash {DIR}{G}", "\ufeff" + DENY, 0o755, f"bash {DIR}{G}", DENY, 0o755, "+#!/bin/bash"),
    ("exit 1", f"bash {DIR}{G}", f"#!/bin/bash\n{ONE}", 0o755, f"bash {DIR}{G}", f"#!/bin/bash\n{ONE.replace('exit 1', 'exit 2')}", 0o755, "exit 2"),
    ("exit 1 in the config", ONE, DENY, 0o755, PRINTED.replace("exit 1", "exit 2"), DENY, 0o755, "exit 2"),
    ("echo under sh", f"{DIR}{G}", ECHOED, 0o755, f"{DIR}{G}", ECHOED.replace("echo $IN", PRINTF.replace("C", "IN")).replace("echo '{", "printf '%s\\n' '{"), 0o755, "+C="),
    ("all at once", f"$CLAUDE_PROJECT_DIR/{G}", f"\ufeff#!/bin/bash\n{ONE}".replace("\n", "\r\n"), 0o644, DIR + G, f"#!/bin/bash\n{ONE.replace('exit 1', 'exit 2')}", 0o755, "new mode"),
]  # fmt: skip


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "My Proj"
    (made / ".git").mkdir(parents=True)
    (made / ".claude/hooks").mkdir(parents=True)
    (made / f"{G}.x").write_text(":\n")
    monkeypatch.chdir(made)
    return made


def put(project: Path, command: str, script: str, mode: int) -> None:
    (project / CONFIG).write_text(written(command))
    (project / G).write_bytes(script.encode())
    (project / G).chmod(mode)


def state(project: Path) -> tuple[str, bytes, int]:
    command = json.loads((project / CONFIG).read_text())["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    return command, (project / G).read_bytes(), (project / G).stat().st_mode & 0o777


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_it_is_corrected(row: tuple[str, ...], project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, command, script, mode, command_after, script_after, mode_after, shown = row
    put(project, command, script, int(mode))
    before = state(project)
    cli.main(["check", "--diff", CONFIG])
    assert shown in capsys.readouterr().out
    assert state(project) == before
    assert cli.main(["check", "--fix", CONFIG]) == 0
    assert state(project) == (command_after, script_after.encode(), mode_after)
    assert "corrected: .claude/" in capsys.readouterr().err
    assert cli.main(["check", "--diff", CONFIG]) == 0
    assert capsys.readouterr().out == ""


def test_mistakes_that_can_t_be_corrected_are_still_reported(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(project, f"$CLAUDE_PROJECT_DIR/{G}", "#!/bin/sh\n[[ a == a ]] && exit 2\n", 0o644)
    assert cli.main(["check", "--fix", CONFIG]) == 1
    assert "[bash-under-sh]" in capsys.readouterr().out
    assert state(project)[2] == 0o755


def test_a_file_outside_the_project_is_left_alone(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outside = project.parent / "g.sh"
    outside.write_text(DENY)
    outside.chmod(0o644)
    (project / G).symlink_to(outside)
    (project / CONFIG).write_text(written(DIR + G))
    assert cli.main(["check", "--fix", CONFIG]) == 1
    assert outside.stat().st_mode & 0o777 == 0o644


def test_two_hooks_of_one_text(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(project, "", DENY, 0o755)
    hook = {"type": "command", "command": f"$CLAUDE_PROJECT_DIR/{G}"}
    table = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [hook]}, {"matcher": "Write", "hooks": [hook]}]}}
    (project / CONFIG).write_text("\ufeff" + json.dumps(table))
    assert cli.main(["check", "--fix", CONFIG]) == 0
    text = (project / CONFIG).read_text()
    assert text.startswith("\ufeff") and text.count(r"\"$CLAUDE_PROJECT_DIR\"/") == 2


def test_hooks_that_install_has_moved_are_followed(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """pyshellhooks runs them for the agent: it needs no execute bit, and knows bash's syntax. Their quotes count all the same."""
    put(project, f"[[ a == b ]] && exit 2; $CLAUDE_PROJECT_DIR/{G}", DENY, 0o644)
    (project / CONFIG).rename(project / ".claude/settings.pyshellhooks.json")
    (project / CONFIG).write_text(
        written("pyshellhooks-hook claude_code --installed .claude/settings.pyshellhooks.json --timeout 602")
    )
    assert cli.main(["check", "--json", CONFIG]) == 1
    errors = [one for one in json.loads(capsys.readouterr().out) if one["severity"] == "error"]
    assert [(Path(one["file"]).name, one["code"]) for one in errors] == [
        ("settings.pyshellhooks.json", "unquoted-variable")
    ]
    assert cli.main(["check", "--fix", CONFIG]) == 0


UNQUOTED = f"$CLAUDE_PROJECT_DIR/{G}"
#: Links to the config: the path that is a link, and its target, relative to the project's parent.
LINKS = {"the file": (CONFIG, "elsewhere.json"), "its directory": (".claude", "elsewhere")}


@pytest.mark.parametrize("row", LINKS)
def test_a_config_that_leads_out_of_the_project_stays(
    row: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name, target = LINKS[row]
    put(project, UNQUOTED, DENY, 0o755)
    outside = project.parent / target
    (project / name).rename(outside)
    (project / name).symlink_to(outside)
    real = (outside if outside.is_file() else outside / "settings.json").resolve()
    before = real.read_bytes()
    assert cli.main(["check", "--fix", CONFIG]) == 1
    message = capsys.readouterr().err
    assert f"leads to {real}, outside the project" in message
    assert real.read_bytes() == before
    if outside.is_file():
        assert f"pyshellhooks check --fix {real}" in message


def test_a_config_that_is_a_link_within_the_project_is_corrected(project: Path) -> None:
    put(project, UNQUOTED, DENY, 0o755)
    (project / CONFIG).rename(project / "real.json")
    (project / CONFIG).symlink_to("../real.json")
    assert cli.main(["check", "--fix", CONFIG]) == 0
    assert (project / CONFIG).is_symlink()
    assert r"\"$CLAUDE_PROJECT_DIR\"/" in (project / "real.json").read_text()


@pytest.mark.parametrize("label", ["statusMessage", "description"])
def test_a_label_that_repeats_the_command_stays(label: str, project: Path) -> None:
    put(project, UNQUOTED, DENY, 0o755)
    hook = {label: UNQUOTED, "type": "command", "command": UNQUOTED}
    (project / CONFIG).write_text(json.dumps({"hooks": {"PreToolUse": [{"hooks": [hook]}]}}))
    assert cli.main(["check", "--fix", CONFIG]) == 0
    found = json.loads((project / CONFIG).read_text())["hooks"]["PreToolUse"][0]["hooks"][0]
    assert (found[label], found["command"]) == (UNQUOTED, DIR + G)


def test_line_ends_and_mode_of_a_config_stay(project: Path) -> None:
    put(project, UNQUOTED, DENY, 0o755)
    text = written(UNQUOTED).replace("\n", "\r\n")
    (project / CONFIG).write_bytes(text.encode())
    (project / CONFIG).chmod(0o640)
    assert cli.main(["check", "--fix", CONFIG]) == 0
    assert (project / CONFIG).read_bytes() == text.replace(UNQUOTED, r"\"$CLAUDE_PROJECT_DIR\"/" + G).encode()
    assert (project / CONFIG).stat().st_mode & 0o777 == 0o640
    assert [path.name for path in (project / ".claude").iterdir() if path.name.startswith("settings")] == [
        "settings.json"
    ]


@pytest.mark.parametrize("new", ['"', "\\", "(", '", "matcher": "'])
def test_a_correction_that_breaks_the_config_is_not_written(
    new: str, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever a correction makes of a command: a config with another mistake is not written."""
    put(project, UNQUOTED, DENY, 0o755)
    before = (project / CONFIG).read_bytes()

    def in_config(document: Document, spec: HookSpec, edit: Edit) -> Edit:
        place = document.text.index("$CLAUDE_PROJECT_DIR")
        return place, place + 1, new

    monkeypatch.setattr(fixes, "_in_config", in_config)
    assert cli.main(["check", "--fix", CONFIG]) == 1
    assert "is not corrected, because that would add another mistake" in capsys.readouterr().err
    assert (project / CONFIG).read_bytes() == before


def test_a_file_that_changes_in_between_stays(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(project, UNQUOTED, DENY, 0o755)
    newer = written(f"{UNQUOTED} newer")
    told = fixes.Fixes.corrections

    def corrections(self: fixes.Fixes, config: str) -> list[fixes.Correction]:
        found = told(self, config)
        (project / CONFIG).write_text(newer)
        return found

    monkeypatch.setattr(fixes.Fixes, "corrections", corrections)
    assert cli.main(["check", "--fix", CONFIG]) == 1
    assert "it has just changed" in capsys.readouterr().err
    assert (project / CONFIG).read_text() == newer
