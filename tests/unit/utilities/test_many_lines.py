"""grep and sed on more than a few lines: the same answers as line by line, and as the machine's own tools."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from utility_runs import run

from pyshellhooks.patterns import lines
from pyshellhooks.utilities.sed import run as sed_run

GREP = [
    ["-c", "error"],
    ["-vc", "error"],
    ["-n", "error"],
    ["-vn", "x"],
    ["-v", "x"],
    ["-vH", "error"],
    ["-vP", "id="],
    ["-H", "user"],
    ["-b", "user"],
    ["-o", "error"],
    ["-no", "id=[0-9]*"],
    ["-oE", "id=[0-9]+"],
    ["-bo", "x"],
    ["-oE", "[a-z]+$"],
    ["-oE", "x*"],
    ["-oE", "\\<err"],
    ["-ow", "x"],
    ["-m", "40", "error"],
    ["-A1", "needle"],
    ["-c", "."],
    ["-v", "."],
    ["-c", ""],
    ["-x", "x"],
    ["-iE", "ERROR|needle"],
    ["-F", "-e", "error", "-e", "id="],
    ["-P", "id=\\d$"],
    ["-oP", "id=\\d+?"],
    ["-noP", "\\b[a-z]+\\b"],
    ["-vP", "error|user"],
    ["-P", "x(?! x)"],
    ["-E", "(x|user) \\1"],
    ["-a", "-o", "e.."],
    ["-ow", "error"],
    ["-owi", "error|er"],
    ["-nowE", "[a-z]+|7"],
    ["-bowE", "x|user"],
    ["-cw", "x"],
    ["-nobE", "id=[0-9]+"],
    ["-no", "x"],
    ["-Ho", "id=7"],
    ["-c", "id=[0-9]"],
    ["-cP", "id=\\d+$"],
    ["-cE", "id=[0-9]+ (x|user)"],
    ["-c", "us*er"],
    ["-C1", "error"],
    ["-A0", "error"],
    ["-A2", "-B1", "needle"],
    ["-B3", "needle"],
    ["-C2", "-v", "x"],
    ["-A100000", "needle"],
    ["-B100000", "needle"],
    ["-C1", "--group-separator=..", "user"],
    ["-C1", "--no-group-separator", "-P", "id=\\d$"],
    ["-C1", ""],
    ["-C1", "-a", "error"],
    ["-nC1", "error"],
    ["-oC1", "error"],
    ["--color=always", "error"],
    ["--color=always", "-iE", "err|x"],
    ["--color=always", "-w", "x"],
    ["--color=always", "-v", "x"],
    ["--color=always", "-n", "x"],
    ["--color=always", "-o", "x"],
    ["--color=always", "-C1", "needle"],
    ["--color=always", "-E", "x*"],
]
SED = [
    "5,10p",
    "5,10d",
    "$p",
    "$!d",
    "$=",
    "3~4p",
    "0~3d",
    "1d",
    "p",
    "d",
    "200q",
    "/needle/q",
    "/error/p",
    "/error/!p",
    "/error/d",
    "/needle/,/error/p",
    "/needle/,/error/d",
    "/needle/,$s/x/Y/",
    "/needle/,+2d",
    "3,/error/d",
    "0,/error/d",
    "100,/needle/s/x/Y/",
    "2,4!s/x/Y/",
    "/error/=",
    "/needle/i\\before",
    "/needle/c\\changed",
    "s/x/Y/",
    "s/x/Y/g",
    "s/x/Y/2",
    "s/[a-z]*/N/",
    "s/[a-z]*/N/g",
    "s/[0-9]$/N/",
    "s/id=\\([0-9]*\\)/<\\1>/p",
    "s/.*id=//p",
    "s/^/> /",
    "s/$/;/",
    "s/\\b/|/g",
    "s/ER*OR/e\\n/I",
    "s/x/a\\nb/;s/b/c/",
    "s/\\n/ /",
    "/error/{s/x/Y/;s/user/U/}",
    "/error/{s/x/Y/;p}",
    "/error/{/x/d}",
    "/x/s/error/E/;/E/d",
    "s/error/x/;/x/q",
    "y/abc/ABC/",
    "y/é/e/",
    "/a/d;2,40p",
    "/error/s//E/",
    "N;s/\\n/+/",
    "$!N;P;D",
    "s/x/Y/;ta;s/$/no/;:a",
    "=",
    "G",
    "n;d",
    "N;P",
    "$!N;s/\\n/ %s\\\\ /",
    "N;N;s/\\n/,/g;p",
    "h;n;G;p",
    "n;n;n;=;d",
    "h;n;H;x;N;P",
    "N;h;$!d;x;G",
    "$!h;$G",
    "x;p;x",
    "1!G;h;$!d",
    "n;g",
    "$!{N;d}",
    "${p;p}",
    "N;=;s/\\n//;l",
    "N;s/\\n/a\\nb/;P",
    "l",
    "l 1",
    "l 7",
]


def data(kind: str) -> bytes:
    """Make some hundred lines."""
    chance = random.Random(kind)
    words = ["error", "user", "x", "x", "id=7", "id=123", "needles", "a.b", "---", "-", "", "ERROR"]
    if kind == "beyond":
        words += ["größe", "é", "日本語", "errorß"]
    made = [" ".join(chance.choices(words, k=chance.randrange(7))) for _ in range(1200)]
    text = "\n".join(line + " needle" * (not number % 97) for number, line in enumerate(made)).encode()
    if kind == "broken":
        text = text.replace(b"-", b"\xff", 3)
    elif kind == "hostile":  # NULs, CRs, empty lines and long ones, over several blocks
        text = b"\n\n".join((text.replace(b"x\n", b"\r\n"), b"x " * 50_000, text, b"x\0y error" * 9, text))
    return text if kind in ("open", "hostile") else text + b"\n"


KINDS = ["plain", "beyond", "open", "broken", "hostile"]


def calls() -> list[list[str]]:
    return [["grep", *words, "f"] for words in GREP] + [["sed", *n, words, "f"] for words in SED for n in ([], ["-n"])]


@pytest.mark.one_in(8, slow=3)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("argv", calls(), ids=" ".join)
def test_as_line_by_line(monkeypatch: pytest.MonkeyPatch, argv: list[str], kind: str) -> None:
    files = {"f": data(kind)}
    assert len(files["f"]) > lines.SMALL
    at_once = run(argv, files=files)
    monkeypatch.setattr(lines, "SMALL", 1 << 60)
    monkeypatch.setattr(sed_run, "_WORTHWHILE", 1 << 60)
    if argv[0] == "grep" and "-m" not in argv:
        argv = ["grep", "-m", "1000000", *argv[1:]]  # which counts lines, and so looks at each
    assert run(argv, files=files) == at_once


@pytest.mark.one_in(3, slow=3)
@pytest.mark.oracle
@pytest.mark.parametrize("kind", KINDS)
def test_as_the_machine_answers(program: Callable[[str], str], tmp_path: Path, kind: str) -> None:
    real_ones = {name: program(name) for name in ("grep", "sed")}
    content = data(kind).replace(b"\0", b"\1")  # GNU grep reads another number of lines before it sees a NUL
    (tmp_path / "f").write_bytes(content)
    for argv in calls():
        with_context = any(word.startswith("-") and word[-1].isdigit() for word in argv)
        if kind == "broken" and ("\\b" in argv[-2] or with_context):
            # Bytes that are no characters are no word's neighbours to us (engines.py), and a line that is not printed has context.
            continue
        real = subprocess.run(
            argv, executable=real_ones[argv[0]], cwd=tmp_path, capture_output=True, env={"LC_ALL": "C.UTF-8"}
        )
        assert run(argv, files={"f": content})[:2] == (real.returncode, real.stdout), argv
