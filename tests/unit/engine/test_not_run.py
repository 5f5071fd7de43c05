"""What a hook names and cannot run (decisions missing).

"status 126 or 127, seen by ``||`` and ``if``; each is a notice on the verdict, and a failure under ``strict``". Statuses and
texts on stderr are those of bash 5.2, but for shebangs (crush 3.5).
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from own_programs import RM, Place

from pyshellhooks import HookEngine, MemoryFS, Shell

pytestmark = pytest.mark.not_on_windows("needs-mode")


FILES: dict[str, tuple[str | bytes, int]] = {
    "plain.sh": ("exit 0\n", 0o644),
    "binary": (b"\x7fELF\0\0", 0o755),
    "binary.txt": (b"\x7fELF\0\0", 0o644),
    "utf16.sh": ("#!/bin/sh\nexit 0\n".encode("utf-16"), 0o755),
    "bad": ("#!/no/such/program\n", 0o755),
    "bad.crlf": ("#!/no/such/program\r\nexit 0\r\n", 0o755),
    "bad.bom": ("\ufeff#!/no/such/program\nexit 0\n", 0o755),
    "env.bad": ("#!/usr/bin/env no-such-program\n", 0o755),
    "env.s": ("#!/usr/bin/env -S no-such-program -x y\n", 0o755),
    "env.s.sh": ("#!/usr/bin/env -S no-such-program -x y\n", 0o644),
    "env.flag": ("#!/usr/bin/env -i sh\n", 0o755),
    "env.none": ("#!/usr/bin/env\n", 0o755),
    "empty": ("#!\n", 0o755),
    "x.ps1": ("exit 0\n", 0o755),
    "x.bat": ("\r\n@echo off\r\nexit 0\r\n", 0o755),
    "y.cmd": ("REM says no\r\nexit 2\r\n", 0o755),
    "real.sh": ("#!/bin/sh\n./missing\n", 0o755),
    "real.command.sh": ("#!/bin/sh\nno-such\n", 0o755),
    "loop": ("", 0o755),
}

# The command -> its status, what bash says on stderr (without "bash: line 1: "), what the notice tells to do.
TABLE = {
    "./missing.sh": (127, "./missing.sh: No such file or directory", "correct the path, or create the file"),
    "dir/missing.sh": (127, "dir/missing.sh: No such file or directory", "@/dir/missing.sh does not exist; correct the path"),
    "plain.sh/x": (126, "plain.sh/x: Not a directory", "@/plain.sh/x does not exist; correct the path"),
    "./loop": (126, "./loop: Too many levels of symbolic links", "run `chmod u+rx @/loop"),
    "$HOME/missing.sh": (127, "@/missing.sh: No such file or directory", "correct the path"),
    "bash missing.sh": (127, "bash: missing.sh: No such file or directory", "@/missing.sh does not exist; correct the path"),
    "bash -e ./missing.sh": (127, "bash: ./missing.sh: No such file or directory", "correct the path"),
    "sh missing.sh": (127, "sh: missing.sh: No such file or directory", "correct the path"),
    "dash missing.sh": (127, "dash: missing.sh: No such file or directory", "correct the path"),
    "bash plain.sh/x": (126, "bash: plain.sh/x: Not a directory", "correct the path"),
    "bash dir": (126, "dir: dir: Is a directory", "choose a script in this directory"),
    "bash binary": (126, "binary: binary: cannot execute binary file", "choose a script in UTF-8 text"),
    "bash utf16.sh": (126, "utf16.sh: utf16.sh: cannot execute binary file", "choose a script in UTF-8 text"),
    "/bin/bash missing.sh": (127, "/bin/bash: missing.sh: No such file or directory", "see its stderr"),
    "sh -c ./missing": (127, "sh: line 1: ./missing: No such file or directory", "correct the path"),
    "bash -c 'bash missing.sh'": (127, "bash: missing.sh: No such file or directory", "correct the path"),
    ". missing.sh": (1, "missing.sh: No such file or directory", "@/missing.sh does not exist; correct the path"),
    "source ./missing.sh": (1, "./missing.sh: No such file or directory", "correct the path"),
    ". ./dir": (1, ".: ./dir: is a directory", "choose a script in this directory"),
    "./dir": (126, "./dir: Is a directory", "choose a script in this directory"),
    "exec ./missing.sh": (127, "@/missing.sh: No such file or directory", "correct the path"),
    "command ./missing.sh": (127, "./missing.sh: No such file or directory", "correct the path"),
    "env ./missing.sh": (127, "env: './missing.sh': No such file or directory", "correct the path"),
    "timeout 5 ./missing.sh": (127, "timeout: failed to run command './missing.sh': No such file or directory", "correct"),
    "nohup ./missing.sh": (127, "nohup: failed to run command './missing.sh': No such file or directory", "correct"),
    "echo | xargs ./missing.sh": (127, "xargs: ./missing.sh: No such file or directory", "correct the path"),
    "no-such": (127, "no-such: command not found", "install it, or put its directory on PATH"),
    "plain.sh": (127, "plain.sh: command not found", "write ./plain.sh"),
    "exec no-such": (127, "exec: no-such: not found", "install it"),
    "env no-such": (127, "env: 'no-such': No such file or directory", "install it"),
    "x=$(no-such)": (127, "no-such: command not found", "install it"),
    "echo | no-such": (127, "no-such: command not found", "install it"),
    "./binary": (126, "./binary: cannot execute binary file: Exec format error", None),
    "./binary.txt": (126, "./binary.txt: Permission denied", "run `chmod u+rx @/binary.txt"),
    "./utf16.sh": (126, "./utf16.sh: cannot execute binary file: Exec format error", None),
    "./bad": (127, './bad: interpreter "/no/such/program" not found and "program" not in PATH', "install program, or write"),
    "./bad.crlf": (127, './bad.crlf: interpreter "/no/such/program" not found', "install program, or write"),
    "./bad.bom": (127, './bad.bom: interpreter "/no/such/program" not found', "install program, or write"),
    "./env.bad": (127, './env.bad: interpreter "no-such-program" not found in PATH', "install no-such-program"),
    "./env.s": (127, './env.s: interpreter "no-such-program" not found in PATH', "install no-such-program"),
    "./env.s.sh": (127, './env.s.sh: interpreter "no-such-program" not found in PATH', "first line of @/env.s.sh"),
    "./env.flag": (126, "./env.flag: unsupported env flag: -i", "write an interpreter in the first line of @/env.flag"),
    "./env.none": (126, "./env.none: env: missing program name", "as #!/bin/sh"),
    "./empty": (126, "./empty: empty shebang", "as #!/bin/sh"),
    "./x.ps1": (126, "./x.ps1: a PowerShell script does not run by its name; run `pwsh -File ./x.ps1`", "run `pwsh"),
    "./x.bat": (126, "./x.bat: a batch file of Windows does not run by its name here; run `cmd.exe /c ./x.bat`", "run `cmd.exe"),
    "./y.cmd": (126, "./y.cmd: a batch file of Windows does not run by its name here; run `cmd.exe /c ./y.cmd`", "run `cmd.exe"),
    "./real.sh": (127, "./missing: No such file|./missing: not found", "see its stderr"),
    "./real.command.sh": (127, "no-such: command not found|no-such: not found", "no-such is not on PATH; install it"),
}  # fmt: skip


@pytest.fixture
def place(tmp_path: Path) -> Place:
    place = Place(tmp_path, "sh", "bash")
    (tmp_path / "dir").mkdir()
    for name, (data, mode) in FILES.items():
        place.write(name, data, mode)
    (tmp_path / "loop").unlink()
    (tmp_path / "loop").symlink_to("loop")
    return place


@pytest.mark.parametrize("command", TABLE)
def test_each_spelling(place: Place, command: str) -> None:
    status, stderr, hint = TABLE[command]
    root = str(place.root)
    env = {"HOME": root}
    verdict = place.fire(command, env=env)
    run = verdict.hooks[0].run
    assert run.status == status
    assert any(text.replace("@", root) in run.stderr.decode() for text in stderr.split("|")), run.stderr
    assert run.faults and verdict.notices
    if hint is not None:
        assert any(hint.replace("@", root) in notice for notice in verdict.notices), verdict.notices
    heard = place.fire(f"{{ {command}\n}} || true; true", env=env)
    if not command.startswith("exec"):
        assert (heard.decision, heard.hooks[0].run.status) == ("none", 0)
    assert heard.notices
    for text in (command, f"if {command}\nthen exit 3; fi", f"( {command}\n) 2>/dev/null || :"):
        assert place.fire(text, env=env, strict=True).decision == "deny", text


@pytest.mark.parametrize("command", ["./x.sh", "bash x.sh", ". ./x.sh"])
def test_unreadable(command: str) -> None:
    """In a file system of ours that has modes also for root."""
    files = MemoryFS()
    Shell(fs=files).run("echo 'exit 0' > x.sh; chmod 000 x.sh")
    config = {"hooks": {"PreToolUse": [{"command": f"{command} || exit 0"}]}}
    engine = HookEngine.load(config, "crush", fs=files)
    verdict = engine.fire("PreToolUse", **RM)
    assert b"x.sh: Permission denied\n" in verdict.hooks[0].run.stderr
    assert "run `chmod u+rx /x.sh`" in verdict.notices[0]
    assert HookEngine.load(config, "crush", fs=files, strict=True).fire("PreToolUse", **RM).decision == "deny"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read anything")
@pytest.mark.parametrize("command", ["./x.sh", "bash x.sh"])
def test_unreadable_on_the_disk(place: Place, command: str) -> None:
    place.write("x.sh", "exit 0\n", 0)
    verdict = place.fire(command)
    assert (verdict.hooks[0].run.status, bool(verdict.hooks[0].run.faults)) == (126, True)


@pytest.mark.parametrize("text", ["exit 2\n", "#!/bin/sh\nexit 2\n", "#!/usr/bin/env -S sh -e\nfalse || exit 2\n"])
def test_no_execute_bit_is_needed(place: Place, text: str) -> None:
    """An archive or a checkout loses it (docs/shell.md)."""
    place.write("x.sh", text, 0o644)
    verdict = place.fire("./x.sh")
    assert (verdict.decision, verdict.notices) == ("deny", ())


def test_bash_finds_a_script_on_path(place: Place) -> None:
    """Bash manual 6.1: if the file is not in the working directory, PATH is searched."""
    (place.path / "tool.sh").write_text('echo "$0 $1"\n')
    shell = Shell(cwd=str(place.root), env={"PATH": str(place.path)})
    assert shell.run("bash tool.sh x; bash ./tool.sh; echo $?").stdout == b"tool.sh x\n127\n"


def test_without_processes_it_has_a_reason(place: Place) -> None:
    place.write("x.py", "#!/usr/bin/env python3\n")
    for command, status in (("./x.py", 126), ("./binary", 126), ("python3 x.py", 127), ("/bin/sh -c :", 126)):
        verdict = place.fire(command, spawn=False)
        assert verdict.hooks[0].run.status == status
        assert any("spawn=False" in notice for notice in verdict.notices), verdict.notices
        assert place.fire(command, spawn=False, strict=True).decision == "deny"


def test_a_file_for_cmd_and_for_a_shell_is_run(place: Place) -> None:
    place.write("both.cmd", ": <<'CMD'\n@echo off\nexit 0\nCMD\nexit 2\n", 0o755)
    assert place.fire("./both.cmd").decision == "deny"
