"""Hooks that are off in their agent: ``check`` and ``doctor`` call each an error, ``fire`` and ``explain`` tell why.

What dash 0.5.12, sh and Claude Code 2.1.332 do with each: claude_code 4 and 7 (status 126 and 127 let the call
pass). The verdict is that of the embedded shell, the stricter one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from pyshellhooks import HookEngine
from pyshellhooks.engine.checks.checker import Checked, check_file
from pyshellhooks.engine.checks.doctor import examine
from pyshellhooks.fs.memory import MemoryFS
from pyshellhooks.notice import Notice

pytestmark = [
    pytest.mark.not_on_windows("needs-mode"),
    pytest.mark.usefixtures("usual_interpreters"),
]

IF_DASH = pytest.mark.skipif(Path("/bin/sh").resolve().name != "dash", reason="sh is another shell here")
CALL = {"tool_name": "Bash", "tool_input": {"command": "rm -rf build"}}
DENY = "#!/bin/bash\ncat >/dev/null; echo no >&2; exit 2\n"
SH = DENY.replace("bash", "sh")
BASHISM = "C=$(jq -r .tool_input.command)\nif [[ $C == *rm* ]]; then echo no >&2; exit 2; fi\n"
ONE = 'C=$(jq -r .tool_input.command)\nif echo "$C" | grep -q rm; then echo no >&2; exit 1; fi\nexit 0\n'
INLINE = "jq -r .tool_input.command | { read -r C; %s; }"
G = ".claude/hooks/g.sh"
DIR = '"$CLAUDE_PROJECT_DIR"/'
PLACES = {
    "claude_code": ".claude/settings.json",
    "gemini": ".gemini/settings.json",
    "crush": "crush.json",
    "cursor": ".cursor/hooks.json",
}
EVENTS = {"claude_code": "PreToolUse", "gemini": "BeforeTool", "crush": "PreToolUse", "cursor": "preToolUse"}


class Row(NamedTuple):
    """One hook: its command, its scripts, what is found (``""``: nothing), and the decision here.

    ``directory``: the project's name. ``below``: where the agent is in it. ``modes``: of the scripts, else 755.
    """

    id: str
    command: str | list[str]
    code: str
    fix: str
    decision: str
    script: str = DENY
    mode: int = 0o755
    directory: str = "p"
    system: str = "claude_code"
    below: str = ""
    others: Mapping[str, str] = {}


BIT, QUOTE, SHELL, PATH, STATUS = (
    "not-executable", "unquoted-variable", "bash-under-sh", "relative-script", "exit-1-does-not-block",
)  # fmt: skip
ROWS = [
    # the execute bit
    Row("644 by path", DIR + G, BIT, "chmod +x", "deny", mode=0o644),
    Row("644 by a relative path", f"./{G}", BIT, "chmod +x", "deny", mode=0o644),
    Row("644 behind env", f"env X=1 {DIR}{G}", BIT, "chmod +x", "deny", mode=0o644),
    Row("644 behind timeout", f"timeout 5 {DIR}{G}", BIT, "chmod +x", "deny", mode=0o644),
    Row("644 behind exec", f"exec {DIR}{G}", BIT, "chmod +x", "deny", mode=0o644),
    Row("644 behind cd", f'cd "$CLAUDE_PROJECT_DIR" && ./{G}', BIT, "chmod +x", "deny", mode=0o644),
    Row("644 in a pipe", f"cat | {DIR}{G}", BIT, "chmod +x", "deny", mode=0o644),
    Row("644 before ||", f"{DIR}{G} || exit 0", BIT, "chmod +x", "none", mode=0o644),
    Row("644 in a condition", f"if {DIR}{G}; then exit 0; else exit 2; fi", BIT, "chmod +x", "deny", mode=0o644),
    Row("644 without a first line", DIR + G, BIT, "chmod +x", "deny", mode=0o644, script="exit 2\n"),
    Row("600", DIR + G, BIT, "chmod +x", "deny", mode=0o600),
    Row("644 with words of its own", ["${CLAUDE_PROJECT_DIR}/" + G, "x"], BIT, "chmod +x", "deny", mode=0o644),
    Row("644 by uv as a command", f"uv run {DIR}{G}", BIT, "chmod +x", "none", mode=0o644),
    Row("644 for Gemini", f"./{G}", BIT, "chmod +x", "deny", mode=0o644, system="gemini"),
    Row("644 for Cursor", f"./{G}", BIT, "chmod +x", "deny", mode=0o644, system="cursor"),
    # quotes
    Row("a blank before the script", f"$CLAUDE_PROJECT_DIR/{G}", QUOTE, f'quote it: "$CLAUDE_PROJECT_DIR"/{G}', "none", directory="My Proj"),
    Row("a blank, in braces", f"${{CLAUDE_PROJECT_DIR}}/{G}", QUOTE, f'"${{CLAUDE_PROJECT_DIR}}"/{G}', "none", directory="My Proj"),
    Row("a blank behind bash", f"bash $CLAUDE_PROJECT_DIR/{G}", QUOTE, "quote it", "none", directory="My Proj"),
    Row("a blank behind bash -e", f"bash -e $CLAUDE_PROJECT_DIR/{G}", QUOTE, "quote it", "none", directory="My Proj", script="exit 2"),
    Row("a blank behind the dot", f". $CLAUDE_PROJECT_DIR/{G}", QUOTE, "quote it", "none", directory="My Proj"),
    Row("a tab", f"$CLAUDE_PROJECT_DIR/{G}", QUOTE, "quote it", "none", directory="My\tProj"),
    Row("two blanks", f"$CLAUDE_PROJECT_DIR/{G}", QUOTE, "quote it", "none", directory="My  own Proj"),
    Row("a blank in a variable of a variable", f"D=$CLAUDE_PROJECT_DIR; bash $D/{G}", QUOTE, f'bash $D/{G}'[5:].replace("$D", '"$D"'), "none", directory="My Proj"),
    Row("a blank before a file that grep reads", f"grep -qf $CLAUDE_PROJECT_DIR/{G} && exit 2; exit 0", QUOTE, "quote it", "none", directory="My Proj"),
    Row("a blank in a script", f"bash {DIR}{G}", QUOTE, f'"$CLAUDE_PROJECT_DIR"/{G}', "none", directory="My Proj", script=f"#!/bin/bash\n[ -r $CLAUDE_PROJECT_DIR/{G} ] 2>/dev/null && exit 2\nexit 0\n"),
    # the shell that reads it
    Row("[[ in a script for sh", DIR + G, SHELL, "begin it with #!/bin/bash", "deny", script=f"#!/bin/sh\n{BASHISM}"),
    Row("[[ in a script for env sh", DIR + G, SHELL, "begin it with #!/bin/bash", "deny", script=f"#!/usr/bin/env sh\n{BASHISM}"),
    Row("[[ in a script for dash", DIR + G, SHELL, "begin it with #!/bin/bash", "deny", script=f"#!/bin/dash\n{BASHISM}"),
    Row("[[ without a first line", DIR + G, SHELL, "begin it with #!/bin/bash", "deny", script=BASHISM),
    Row("[[ behind sh", f"sh {DIR}{G}", SHELL, "run it with bash", "deny", script=f"#!/bin/bash\n{BASHISM}"),
    Row("[[ behind sh -e", f"/bin/sh -e {DIR}{G}", SHELL, "run it with bash", "none", script=f"#!/bin/bash\n{BASHISM}"),
    Row("[[ in a file that is read", f". {DIR}{G}", SHELL, "", "deny", script=BASHISM),
    Row("[[ two scripts below", f"bash {DIR}{G}", SHELL, "run it with bash", "deny", script=f"sh {DIR}.claude/hooks/h.sh", others={".claude/hooks/h.sh": BASHISM}),
    Row("[[ in the command", INLINE % "if [[ $C == *rm* ]]; then exit 2; fi", SHELL, "#!/bin/bash", "deny"),
    Row("== in [", 'C=$(jq -r .tool_input.command); if [ "$C" == "rm -rf build" ]; then exit 2; fi', SHELL, "#!/bin/bash", "deny"),
    Row("<<< in the command", 'C=$(cat); grep -q rm <<< "$C" && exit 2; exit 0', SHELL, "#!/bin/bash", "deny"),
    Row("${x//} in the command", 'C=$(cat); [ "${C//rm/}" = "$C" ] || exit 2', SHELL, "#!/bin/bash", "deny"),
    Row("arrays in the command", "A=(rm); C=$(cat); for w in \"${A[@]}\"; do case $C in *$w*) exit 2;; esac; done", SHELL, "#!/bin/bash", "deny"),
    Row("[[ behind sh -c", "sh -c '[[ a == a ]] && exit 2'", SHELL, "write bash -c", "deny"),
    Row("sh -c as words", ["sh", "-c", "[[ a == a ]] && exit 2"], SHELL, "bash", "deny"),
    Row("[[ for sh under Gemini", f"./{G}", SHELL, "begin it with", "deny", script='#!/bin/sh\n[[ a == a ]] && { echo no >&2; exit 2; }\n', system="gemini"),
    Row("[[ for sh under Crush", f"./{G}", SHELL, "begin it with", "deny", script='#!/bin/sh\n[[ a == a ]] && { echo no >&2; exit 2; }\n', system="crush"),
    # the directory
    Row("a relative path", G, PATH, f'write {DIR}{G}', "none", below="sub"),
    Row("a relative path behind bash", f"bash {G}", PATH, f'write {DIR}{G}', "none", below="sub"),
    Row("a relative path with a dot", f"./{G}", PATH, f'write {DIR}{G}', "none", below="sub"),
    Row("a relative path as words", [f"./{G}"], PATH, "write ${CLAUDE_PROJECT_DIR}/" + G, "none", below="sub"),
    # the status
    Row("exit 1 in a script", f"bash {DIR}{G}", STATUS, "exit 2", "none", script=f"#!/bin/bash\n{ONE}"),
    Row("exit 1 by path", DIR + G, STATUS, "exit 2", "none", script=f"#!/bin/bash\n{ONE}"),
    Row("exit 1 in the command", ONE, STATUS, "exit 2", "none"),
    Row("exit 1 under Gemini", ONE, STATUS, "exit 2", "none", system="gemini"),
    Row("a blank behind cd", f"cd $CLAUDE_PROJECT_DIR && ./{G}", QUOTE, 'quote it: "$CLAUDE_PROJECT_DIR"', "none", directory="My Proj"),
    Row("[[ below extended patterns", f"bash {DIR}{G}", SHELL, "run it with bash", "deny", script=f"shopt -s extglob\ncase a in @(a|b)) sh {DIR}.claude/hooks/h.sh;; esac", others={".claude/hooks/h.sh": BASHISM}),
    Row("exit 1 under Crush", ONE, STATUS, "exit 2", "none", system="crush"),
]  # fmt: skip
SOUND = [
    Row("755", DIR + G, "", "", "deny"),
    Row("644 behind bash", f"bash {DIR}{G}", "", "", "deny", mode=0o644),
    Row("644 behind sh", f"sh {DIR}{G}", "", "", "deny", mode=0o644, script=SH),
    Row("644 that is read", f". {DIR}{G}", "", "", "deny", mode=0o644, script=SH),
    Row("644 for Crush, which asks for no bit", f"./{G}", "", "", "deny", mode=0o644, system="crush"),
    Row("quoted before a blank", DIR + G, "", "", "deny", directory="My Proj"),
    Row("quoted whole", f'"$CLAUDE_PROJECT_DIR/{G}"', "", "", "deny", directory="My Proj"),
    Row("in [[ nothing is split", f"bash {DIR}{G}", "", "", "deny", directory="My Proj", script=f"[[ -r $CLAUDE_PROJECT_DIR/{G} ]] && exit 2\n"),
    Row("in an assignment nothing is split", f'F=$CLAUDE_PROJECT_DIR/{G}; bash "$F"', "", "", "deny", directory="My Proj"),
    Row("echo splits and nothing is lost", f"echo $CLAUDE_PROJECT_DIR/{G} >/dev/null; exit 2", "", "", "deny", directory="My Proj"),
    Row("words that are meant to be split", f'B="bash -e"; $B {DIR}{G}', "", "", "deny"),
    Row("Gemini pastes the variable with quotes", f"$GEMINI_PROJECT_DIR/{G}", "", "", "none", directory="My Proj", system="gemini"),
    Row("[[ in a script for bash", DIR + G, "", "", "deny", script=f"#!/bin/bash\n{BASHISM}"),
    Row("[[ behind bash", f"bash {DIR}{G}", "", "", "deny", script=f"#!/bin/sh\n{BASHISM}"),
    Row("[[ behind bash -c", "bash -c '[[ a == a ]] && exit 2'", "", "", "deny"),
    Row("[[ in a command of Gemini, which runs bash", "[[ a == a ]] && { echo no >&2; exit 2; }", "", "", "deny", system="gemini"),
    Row("[[ in a command of Crush, whose own shell has it", "[[ a == a ]] && { echo no >&2; exit 2; }", "", "", "deny", system="crush"),
    Row("a script that asks for bash", DIR + G, "", "", "deny", script='#!/bin/sh\n[ -n "$BASH_VERSION" ] || exec bash "$0"\n[[ a == a ]] && exit 2\n'),
    Row("a path from the project's directory", DIR + G, "", "", "deny", below="sub"),
    Row("a cd before a relative path", f'cd "$CLAUDE_PROJECT_DIR"; {G}', "", "", "deny", below="sub"),
    Row("exit 1 beside an exit 2", ONE.replace("exit 0", "exit 2"), "", "", "none"),
]  # fmt: skip


def put(root: Path, row: Row) -> Path:
    """Write a row's project; return its config."""
    project = root / row.directory
    (project / ".git").mkdir(parents=True)
    for name, text in {G: row.script, **row.others}.items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(row.mode)
    (project / "sub").mkdir()
    config = project / PLACES[row.system]
    config.parent.mkdir(parents=True, exist_ok=True)
    words = [row.command] if isinstance(row.command, str) else row.command
    hook: dict[str, object] = {"command": words[0]}
    if not isinstance(row.command, str):
        hook["args"] = words[1:]
    if row.system in ("claude_code", "gemini"):
        hook = {"hooks": [{"type": "command", **hook}]}
    config.write_text(json.dumps({"version": 1, "hooks": {EVENTS[row.system]: [hook]}}))
    return config


def looked_at(config: Path) -> Checked:
    return check_file(str(config), env={"PATH": "/usr/bin:/bin", "HOME": str(config.parents[1] / "home")})


def engine(config: Path, row: Row, **more: object) -> HookEngine:
    project = config.parents[len(Path(PLACES[row.system]).parts) - 1]
    options = {"scripts": "embedded", "cwd": str(project), **more}
    return HookEngine.load(str(config), **options)  # type: ignore[arg-type]


def fields(config: Path, row: Row) -> dict[str, object]:
    project = config.parents[len(Path(PLACES[row.system]).parts) - 1]
    tool = {"gemini": "run_shell_command", "crush": "bash", "cursor": "Shell"}.get(row.system, "Bash")
    return {**CALL, "tool_name": tool, "cwd": str(project / row.below)}


def off(notices: object) -> list[Notice]:
    assert isinstance(notices, tuple)
    return [one for one in notices if isinstance(one, Notice) and one.kind == "off-in-agent"]


@pytest.mark.parametrize("row", [row for row in ROWS if not row.below], ids=lambda row: row.id)
def test_check_and_doctor_call_it_an_error(row: Row, tmp_path: Path) -> None:
    config = put(tmp_path, row)
    errors = [one for one in looked_at(config).diagnostics if one.severity == "error"]
    assert [one.code for one in errors] == [row.code]
    assert row.fix in errors[0].hint and errors[0].line
    with engine(config, row) as made:
        found = [one for one in examine(made) if one.kind == "off-in-agent"]
    assert [one.code for one in found] == [row.code]
    assert row.fix in found[0].hint


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_fire_and_explain_report_it(row: Row, tmp_path: Path) -> None:
    if "/bin/sh" in row.command and not Path("/bin/sh").exists():
        pytest.skip("this machine has no /bin/sh")
    config = put(tmp_path, row)
    with engine(config, row) as made:
        verdict = made.fire(EVENTS[row.system], fields(config, row))
        plan = made.explain(EVENTS[row.system], fields(config, row))
    assert verdict.decision == row.decision, verdict.notices
    told = off(verdict.notices)
    assert len(told) == 1 and row.fix in told[0].hint, verdict.notices
    assert [one.hint for one in off(plan.notices)] == [told[0].hint]
    assert not any("or create the file" in one for one in verdict.notices)


@pytest.mark.parametrize("row", SOUND, ids=lambda row: row.id)
def test_a_correct_hook_is_not_reported(row: Row, tmp_path: Path) -> None:
    config = put(tmp_path, row)
    assert [one for one in looked_at(config).diagnostics if one.severity == "error"] == []
    with engine(config, row) as made:
        assert [one for one in examine(made) if one.kind == "off-in-agent"] == []
        verdict = made.fire(EVENTS[row.system], fields(config, row))
    assert verdict.decision == row.decision, verdict.notices
    assert off(verdict.notices) == []


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (f"$CLAUDE_PROJECT_DIR/{G}", "unquoted-variable"),
        (f"bash ${{CLAUDE_PROJECT_DIR}}/{G}", "unquoted-variable"),
        (f"./{G}", "relative-script"),
        (f"bash {G}", "relative-script"),
    ],
)
def test_a_hook_that_would_be_off_elsewhere_is_a_hint(command: str, code: str, tmp_path: Path) -> None:
    row = Row("", command, "", "", "deny")
    config = put(tmp_path, row)
    assert [(one.code, one.severity) for one in looked_at(config).diagnostics] == [(code, "hint")]
    with engine(config, row) as made:
        assert off(made.fire("PreToolUse", fields(config, row)).notices) == []


#: Two lines, and a backslash: the echo of dash changes the payload. One line without a backslash it leaves as it is.
MANY, ONE_LINE = "cd x\nrm 'a\\d'", "rm -rf 'build'"
ECHO = 'IN=$(cat); C=$(echo "$IN" | jq -r .tool_input.command); case "$C" in *rm*) echo no >&2; exit 2;; esac'
PLAIN_ECHO = 'C=$(jq -r .tool_input.command); echo "$C" | grep -q rm && exit 2; exit 0'
ECHOES = [
    Row("echo in the command", ECHO, "echo-under-sh", "printf '%s\\n' \"$IN\"", "deny"),
    Row("echo in a script for sh", DIR + G, "echo-under-sh", "printf", "deny", script=f"#!/bin/sh\n{ECHO}\n"),
    Row("echo behind sh", f"sh {DIR}{G}", "echo-under-sh", "printf", "deny", script=ECHO),
    Row("echo behind sh -c", f"sh -c '{ECHO}'", "echo-under-sh", "printf", "deny"),
    Row("echo in words for sh", ["sh", "-c", ECHO], "echo-under-sh", "printf", "deny"),
    Row("echo for sh under Gemini", f"./{G}", "echo-under-sh", "printf", "deny", script=f"#!/bin/sh\n{ECHO}\n", system="gemini"),
]  # fmt: skip


@pytest.mark.parametrize("row", ECHOES, ids=lambda row: row.id)
def test_echo_under_sh_counts_for_a_call_with_escapes(row: Row, tmp_path: Path) -> None:
    config = put(tmp_path, row)
    (error,) = [one for one in looked_at(config).diagnostics if one.severity == "error"]
    assert error.code == row.code and row.fix in error.hint
    with engine(config, row) as made:
        assert [one.code for one in examine(made) if one.kind == "off-in-agent"] == [row.code]
        for command, count in ((MANY, 1), (ONE_LINE, 0)):
            verdict = made.fire(EVENTS[row.system], {**fields(config, row), "tool_input": {"command": command}})
            assert (verdict.decision, len(off(verdict.notices))) == (row.decision, count), command


@pytest.mark.parametrize(("command", "count"), [(r"printf 'a\c'; rm x", 1), ("cd x\nrm y", 0)])
def test_an_echo_of_a_text_is_a_warning_and_no_finding_of_doctor(command: str, count: int, tmp_path: Path) -> None:
    row = Row("", PLAIN_ECHO, "", "", "deny")
    config = put(tmp_path, row)
    assert [(one.severity, one.code) for one in looked_at(config).diagnostics] == [("warning", "echo-under-sh")]
    with engine(config, row) as made:
        assert [one for one in examine(made) if one.kind == "off-in-agent"] == []
        verdict = made.fire("PreToolUse", {**fields(config, row), "tool_input": {"command": command}})
    assert (verdict.decision, len(off(verdict.notices))) == ("deny", count)


@IF_DASH
@pytest.mark.slow
@pytest.mark.parametrize(
    ("row", "dialect", "strict", "decision"),
    [
        (ECHOES[0], "claude_code@shipped", False, "none"),
        (ECHOES[1], "claude_code", False, "none"),
        (ECHOES[1], "claude_code", True, "deny"),
    ],
    ids=["shipped", "a script", "a script, strict"],
)
def test_dash_itself_echoes(row: Row, dialect: str, strict: bool, decision: str, tmp_path: Path) -> None:
    """Claude Code 2.1.332 lets the call pass where sh is dash 0.5.12."""
    config = put(tmp_path, row)
    with engine(config, row, dialect=dialect, scripts="auto", strict=strict) as made:
        verdict = made.fire("PreToolUse", {**fields(config, row), "tool_input": {"command": MANY}})
    assert (verdict.decision, len(off(verdict.notices))) == (decision, 1)


@pytest.mark.parametrize("gone", ["p/gone", "elsewhere/gone"])
@pytest.mark.parametrize("command", [DIR + G, f"./{G}", f"bash {G}", [f"./{G}"]], ids=str)
def test_a_hook_starts_in_the_project_if_the_directory_of_the_call_is_gone(
    command: str | list[str], gone: str, tmp_path: Path
) -> None:
    """Claude Code 2.1.332 starts it there (claude_code 4); a relative path leads to the same file."""
    row = Row("", command, "", "", "deny")
    config = put(tmp_path, row)
    with engine(config, row) as made:
        verdict = made.fire("PreToolUse", {**fields(config, row), "cwd": str(tmp_path / gone)})
    assert (verdict.decision, [one.kind for one in verdict.faults]) == ("deny", [])
    assert "directory-missing" in [one.kind for one in verdict.notices if isinstance(one, Notice)]


def test_a_hook_of_another_system_does_not_start_where_no_directory_is(tmp_path: Path) -> None:
    row = Row("", f"./{G}", "", "", "none", system="crush")
    config = put(tmp_path, row)
    with engine(config, row) as made:
        verdict = made.fire("PreToolUse", {**fields(config, row), "cwd": str(tmp_path / "p" / "gone")})
    assert verdict.decision == "none"
    assert "hook-not-started" in [one.kind for one in verdict.notices if isinstance(one, Notice)]


def test_bash_env_of_the_agent_is_named(tmp_path: Path) -> None:
    """bash 5.2 runs that file before the script (bash manual 6.2): ``exit 0`` in it turns the guard off."""
    row = Row("", DIR + G, "", "", "deny")
    config = put(tmp_path, row)
    (tmp_path / "env.sh").write_text("exit 0\n")
    with engine(config, row, env={"BASH_ENV": f"{tmp_path}/env.sh"}) as made:
        (notice,) = off(made.fire("PreToolUse", fields(config, row)).notices)
    assert "BASH_ENV" in notice
    with engine(config, row, env={"BASH_ENV": f"{tmp_path}/none.sh"}) as made:
        assert off(made.fire("PreToolUse", fields(config, row)).notices) == []


def test_a_file_system_without_a_disk_has_no_bits(tmp_path: Path) -> None:
    fs = MemoryFS({f"/p/{G}": DENY})
    fs.chmod(f"/p/{G}", 0o644)
    text = json.dumps({"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": f"/p/{G}"}]}]}})
    with HookEngine.load(text, "claude_code", fs=fs, cwd="/p", scripts="embedded") as made:
        verdict = made.fire("PreToolUse", CALL)
    assert (verdict.decision, off(verdict.notices)) == ("deny", [])


def test_a_change_of_the_script_counts_at_the_next_call(tmp_path: Path) -> None:
    row = ROWS[0]
    config = put(tmp_path, row)
    script = config.parents[1] / G
    with engine(config, row) as made:
        assert len(off(made.fire("PreToolUse", fields(config, row)).notices)) == 1
        script.chmod(0o755)
        assert off(made.fire("PreToolUse", fields(config, row)).notices) == []
        script.write_text(f"#!/bin/sh\n# longer now\n{BASHISM}")
        (notice,) = off(made.fire("PreToolUse", fields(config, row)).notices)
    assert "[[ ]]" in notice


@pytest.mark.parametrize(
    ("scripts", "fault"), [("embedded", None), pytest.param("auto", "strict", marks=[pytest.mark.slow, IF_DASH])]
)
def test_strict_denies_if_sh_did_not_run_a_part(scripts: str, fault: str | None, tmp_path: Path) -> None:
    """Where a real sh reads the script, its guard is off here as well; the embedded shell does run it."""
    row = next(row for row in ROWS if row.id == "[[ in a script for sh")
    config = put(tmp_path, row)
    with engine(config, row, strict=True, scripts=scripts) as made:
        verdict = made.fire("PreToolUse", fields(config, row))
    (notice,) = off(verdict.notices)
    assert (notice.fault, verdict.decision) == (fault, "deny")


def test_strict_takes_an_exit_1_that_was_not_reached_for_no_fault(tmp_path: Path) -> None:
    row = Row("", DIR + G, "", "", "none", script=f"#!/bin/sh\n{ONE}")
    config = put(tmp_path, row)
    with engine(config, row, strict=True) as made:
        good = {**fields(config, row), "tool_input": {"command": "ls"}}
        verdict = made.fire("PreToolUse", good)
    assert (verdict.decision, [one.fault for one in off(verdict.notices)]) == ("none", [None])


@IF_DASH
@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["644 by path", "[[ in a script for sh", "[[ in the command", "a blank before the script"]
)
def test_the_shipped_edition_answers_as_the_program_does(name: str, tmp_path: Path) -> None:
    """Claude Code 2.1.332 lets these calls pass: ``/bin/sh -c`` gives 126, 127 or 0 (claude_code 4, 7)."""
    row = next(row for row in ROWS if row.id == name)
    config = put(tmp_path, row)
    with engine(config, row, dialect="claude_code@shipped", scripts="auto") as made:
        verdict = made.fire("PreToolUse", fields(config, row))
    assert verdict.decision == "none"
    assert len(off(verdict.notices)) == 1
