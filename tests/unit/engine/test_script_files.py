"""Which shell runs a script file (decisions shebang)."""

from __future__ import annotations

from pathlib import Path

import pytest
from own_programs import RM, Place

from pyshellhooks import HookEngine, MemoryFS, Shell, Verdict
from pyshellhooks.cli import main
from pyshellhooks.engine.executor import ShellExecutor
from tests import oracles

pytestmark = pytest.mark.not_on_windows("needs-program")


GUARD = "CMD=$(jq -r .tool_input.command)\ncase $CMD in rm*) echo no >&2; exit 2 ;; esac\n"
NEEDS_JQ = f"#!/bin/bash\n{GUARD}"
UNSURE = '#!/bin/bash\nif [ "$PWD" ]; then\n' + GUARD + "fi\n"
ASKS = f"#!/bin/bash\ncommand -v jq >/dev/null || exit 0\n{GUARD}"
BY_STDIN = "read -r line\n[[ $line == *'rm -rf'* ]] && { echo no >&2; exit 2; }\nexit 0\n"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    oracles.native("/bin/bash")
    return Place(tmp_path, "bash", "sh", "cat")


def ran_embedded(verdict: Verdict) -> bool:
    return any("the embedded shell ran the script" in notice for notice in verdict.notices)


@pytest.mark.parametrize(
    ("data", "hint"),
    [
        (NEEDS_JQ, "jq is not on PATH; the embedded shell ran the script; install it"),
        (f"#!/bin/bash\n{BY_STDIN}".replace("\n", "\r\n"), "save it with LF"),
        (f"#!/usr/bin/env bash\n{BY_STDIN}".replace("\n", "\r\n").rstrip("\n"), "save it with LF"),
        (f"\ufeff#!/bin/bash\n{BY_STDIN}", "save it without one"),
        (f"\ufeff#!/bin/bash\n{BY_STDIN}".replace("\n", "\r\n"), "save it without one"),
        (f"#!/no/such/dash\n{BY_STDIN}", "/no/such/dash not found; the embedded shell ran the script; install dash"),
    ],
    ids=["tool", "CRLF", "CRLF without an end", "BOM", "BOM and CRLF", "shell"],
)  # fmt: skip
def test_the_embedded_shell_is_the_substitute(place: Place, data: str, hint: str) -> None:
    """It answers, with a notice that says the mend; no fault: it denies nothing under strict."""
    place.write("guard.sh", data)
    verdict = place.fire("./guard.sh")
    assert (verdict.decision, ran_embedded(verdict)) == ("deny", True)
    assert any(hint in notice for notice in verdict.notices), verdict.notices
    assert not verdict.hooks[0].run.faults
    place.write("guard.sh", data.replace("rm", "xx"))  # now it lets everything pass, and so does strict
    verdict = place.fire("./guard.sh", strict=True)
    assert (verdict.decision, ran_embedded(verdict)) == ("none", True)


def test_the_hints_fix_it(place: Place) -> None:
    place.write("guard.sh", NEEDS_JQ)
    place.install("jq")
    verdict = place.fire("./guard.sh")
    assert (verdict.decision, verdict.notices) == ("deny", ())
    verdict = place.fire("./guard.sh", scripts="embedded", env={"PATH": "/none"})
    assert (verdict.decision, verdict.notices) == ("deny", ())


def test_installing_is_seen_without_a_change_of_the_file(place: Place) -> None:
    place.write("guard.sh", "#!/bin/sh\nhead -c1 >/dev/null; exit 2\n")
    assert ran_embedded(place.fire("./guard.sh"))
    place.install("head")
    assert not ran_embedded(place.fire("./guard.sh"))
    (place.path / "head").unlink()
    assert ran_embedded(place.fire("./guard.sh"))


def test_a_change_of_the_file_is_seen(place: Place) -> None:
    script = place.write("guard.sh", "#!/bin/sh\nexit 2\n")
    assert not ran_embedded(place.fire("./guard.sh"))
    script.write_bytes(b"#!/bin/sh\nexit 2\r\n")
    assert ran_embedded(place.fire("./guard.sh"))


@pytest.mark.parametrize(
    "data",
    [
        ASKS,
        UNSURE,
        f"#!/bin/bash\nPATH=/none:$PATH\n{GUARD}",
        f"#!/bin/bash\n. ./lib.sh\n{GUARD}",
        f"#!/bin/bash\neval :\n{GUARD}",
        f"#!/bin/bash\n{GUARD}exit 0\nif\n",
        "#!/bin/bash\nC=$(jq -r .x || echo rm)\n",
    ],
    ids=["asks", "unsure", "PATH", "sources", "evals", "does not parse", "before ||"],
)
def test_the_real_shell_runs_scripts_that_may_do_without_it(place: Place, data: str) -> None:
    place.write("lib.sh", "jq() { echo rm; }\n")
    place.write("guard.sh", data.replace("#!/bin/bash\n", '#!/bin/bash\necho "$BASH" > ran\n'))
    verdict = place.fire("./guard.sh")
    assert not ran_embedded(verdict)
    assert (place.root / "ran").read_text() == "/bin/bash\n"


def test_a_tool_that_a_script_may_lack_is_reported(place: Place) -> None:
    """Nobody sees inside a real shell: that jq was not found there shows nowhere else."""
    place.write("guard.sh", UNSURE)
    verdict = place.fire("./guard.sh")
    assert verdict.decision == "none"
    (notice,) = verdict.notices
    assert "jq is not on PATH" in notice and 'scripts="embedded"' in notice
    assert place.fire("./guard.sh", scripts="embedded").decision == "deny"
    place.write("guard.sh", ASKS)
    assert place.fire("./guard.sh").notices == ()


@pytest.mark.parametrize("head", ["#!/bin/sh", "#!/bin/bash", "#!/usr/bin/env bash", "#!/no/such/sh"])
@pytest.mark.parametrize("tail", ["no-such-tool", "./no-such-file", "x=$(no-such-tool)"])
def test_status_127_of_the_real_shell_is_reported(place: Place, head: str, tail: str) -> None:
    place.write("guard.sh", f"{head}\n{tail}\n")
    verdict = place.fire("./guard.sh || true")
    (notice,) = verdict.notices
    assert "./guard.sh: " in notice and "127" in notice
    assert ("no-such-tool is not on PATH; install it" in notice) == ("tool" in tail)
    assert place.fire("./guard.sh || true", strict=True).decision == "deny"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x=$(no-such-tool 2>/dev/null); case $x in *rm*) exit 2;; esac", True),  # status 0, and nothing on stderr
        ("no-such-tool | cat >/dev/null; exit 0", True),
        ("[ -e nothing ] || exit 0; x=$(no-such-tool)", False),  # a run may have ended before
        ("if false; then no-such-tool; fi", False),
        ("no-such-tool || true", False),  # the script knows
        ("if command -v no-such-tool >/dev/null; then no-such-tool; fi", False),
        ("no-such-tool() { :; }; no-such-tool", False),
    ],
)
def test_a_tool_that_a_script_certainly_lacks_is_always_reported(place: Place, text: str, told: bool) -> None:
    place.write("guard.sh", f"#!/bin/bash\n{text}\n")
    verdict = place.fire("./guard.sh")
    assert (verdict.decision, verdict.hooks[0].run.status) == ("none", 0)
    assert [("no-such-tool is not on PATH" in notice, "install it" in notice) for notice in verdict.notices] == [
        (True, True)
    ] * told
    assert (place.fire("./guard.sh", strict=True).decision == "deny") is told


def test_status_126_of_the_real_shell_is_reported(place: Place) -> None:
    place.write("guard.sh", "#!/bin/sh\n./path\n")
    assert "a command in it could not be run" in place.fire("./guard.sh || true").notices[0]
    assert place.fire("./guard.sh || true", strict=True).decision == "deny"


def test_the_embedded_shell_replaces_a_lost_utility(place: Place) -> None:
    place.write("guard.sh", "#!/bin/bash\nset -e\nif read -r line; then jq -n 1; fi\n")
    notices = place.fire("./guard.sh").notices
    assert any("ended with status 127: jq is not on PATH; install it, or use scripts" in notice for notice in notices)
    assert place.fire("./guard.sh", scripts="embedded").hooks[0].run.status == 0


@pytest.mark.parametrize("isolation", ["thread", "process"])
def test_the_option(place: Place, isolation: str) -> None:
    place.write("guard.sh", NEEDS_JQ)
    decisions = {}
    for scripts in ("auto", "embedded", "host"):
        verdict = place.fire("./guard.sh", scripts=scripts, isolation=isolation)
        decisions[scripts] = (verdict.decision, ran_embedded(verdict), bool(verdict.notices))
    assert decisions == {
        "auto": ("deny", True, True),
        "embedded": ("deny", False, False),
        "host": ("none", False, True),  # what jq's absence made of the guard is told
    }
    assert place.fire("./guard.sh", scripts="host", isolation=isolation, strict=True).decision == "deny"


def test_host_never_uses_the_embedded_shell(place: Place) -> None:
    place.write("guard.sh", f"#!/no/such/dash\n{BY_STDIN}")
    verdict = place.fire("./guard.sh", scripts="host")
    assert (verdict.decision, verdict.hooks[0].run.status) == ("none", 127)
    assert "install dash" in verdict.notices[0]
    assert place.fire("./guard.sh", scripts="host", strict=True).decision == "deny"
    verdict = place.fire("./guard.sh", scripts="host", spawn=False)
    assert (verdict.decision, verdict.hooks[0].run.status) == ("deny", 126)  # a refusal of ours
    assert "processes are not allowed (spawn=False)" in verdict.notices[0]


def test_without_processes_the_embedded_shell_reports_it(place: Place) -> None:
    place.write("guard.sh", NEEDS_JQ)
    verdict = place.fire("./guard.sh", spawn=False)
    assert (verdict.decision, ran_embedded(verdict)) == ("deny", True)
    verdict = place.fire("./guard.sh", spawn=False, scripts="embedded")
    assert (verdict.decision, verdict.notices) == ("deny", ())


def test_in_a_virtual_file_system_it_reports_it() -> None:
    files = MemoryFS()
    Shell(fs=files).run("printf '#!/bin/bash\nexit 2\n' > /guard.sh")
    done = Shell(fs=files).run("./guard.sh")
    assert (done.status, ["/bin/bash cannot see this file system" in notice for notice in done.notices]) == (2, [True])
    assert Shell(fs=files, scripts="embedded").run("./guard.sh").notices == ()
    assert Shell(fs=files, scripts="host").run("./guard.sh").status == 126


def test_a_shell_without_path_has_one_of_its_own(place: Place) -> None:
    """What is on it nobody knows, so that nothing is missing for sure."""
    place.write("guard.sh", NEEDS_JQ)
    done = Shell(cwd=str(place.root), env={}).run("./guard.sh")
    assert done.notices == ()


def test_crlf_in_here_documents_and_strings(place: Place) -> None:
    text = "#!/bin/bash\ncat <<E\na\nE\nx='b\nc'\necho \"$x\" \\\n d # e\n[[ a == a ]] && echo f\n"
    script = place.write("x.sh", text)
    shell = Shell(cwd=str(place.root), env={"PATH": str(place.path)})
    plain = shell.run("./x.sh")
    script.write_bytes(text.replace("\n", "\r\n").encode())
    crlf = shell.run("./x.sh")
    assert (plain.stdout, plain.notices, plain.stderr) == (b"a\nb\nc d\nf\n", (), b"")
    assert (crlf.stdout, crlf.stderr, len(crlf.notices)) == (plain.stdout, b"", 1)


def test_payloads_behind_the_text_are_no_line_ends(place: Place) -> None:
    place.write("x.sh", b"#!/bin/bash\necho $BASH; exit 0\n\0\r\n\0")
    assert Shell(cwd=str(place.root)).run("./x.sh").stdout == b"/bin/bash\n"


@pytest.mark.parametrize("make", [Shell, ShellExecutor, lambda scripts: HookEngine("crush", scripts=scripts)])
def test_misspelt(make: type[Shell]) -> None:
    with pytest.raises(ValueError, match='scripts must be "auto", "embedded" or "host", got \'hots\''):
        make(scripts="hots")


def test_the_command_line(place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    place.write("guard.sh", NEEDS_JQ)
    place.write("crush.json", '{"hooks": {"PreToolUse": [{"command": "./guard.sh"}]}}')
    import json

    event = place.write("event.json", json.dumps(RM))
    monkeypatch.setenv("PATH", str(place.path))
    monkeypatch.chdir(place.root)
    fire = ["fire", "PreToolUse", "--config", "crush.json", "--input", str(event), "--json"]
    statuses = {mode: main([*fire, "--scripts", mode]) for mode in ("auto", "embedded", "host")}
    assert statuses == {"auto": 2, "embedded": 2, "host": 0}
    assert main(["explain", "PreToolUse", "--config", "crush.json", "--scripts", "host"]) == 0
    doctor = ["doctor", "--config", "crush.json", "--all", "--json"]
    capsys.readouterr()
    said = {}
    for mode in ("auto", "embedded", "host"):
        status = main([*doctor, "--scripts", mode])
        rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)["commands"]}
        said[mode] = (status, rows["jq"]["kind"], "embedded" in rows["./guard.sh"]["detail"])
    assert said == {"auto": (0, "utility", True), "embedded": (0, "utility", False), "host": (1, "missing", False)}
