"""grep and sed on more than a few lines: the same answers as line by line, and as the machine's own tools."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from utility_runs import run

from pyshellhooks.pattern import lines
from pyshellhooks.utilities.sed import run as sed_run

GREP = [
    ["-c", "error"],
    ["-vc", "error"],
    ["-n", "error"],
    ["-vn", "x"],
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
]


def data(kind: str) -> bytes:
    """Make some hundred lines."""
    chance = random.Random(kind)
    words = ["error", "user", "x", "x", "id=7", "id=123", "needles", "a.b", "---", "-", "", "ERROR"]
    if kind == "beyond":
        words += ["größe", "é", "日本語", "errorß"]
    made = [" ".join(chance.choices(words, k=chance.randrange(7))) for _ in range(1200)]
    text = "\n".join(line + " needle" * (not number % 97) for number, line in enumerate(made)).encode()
    return text if kind == "open" else text.replace(b"-", b"\xff", 3) + b"\n" if kind == "broken" else text + b"\n"


KINDS = ["plain", "beyond", "open", "broken"]


def calls() -> list[list[str]]:
    return [["grep", *words, "f"] for words in GREP] + [["sed", *n, words, "f"] for words in SED for n in ([], ["-n"])]


@pytest.mark.portable
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("argv", calls(), ids=" ".join)
def test_as_line_by_line(monkeypatch: pytest.MonkeyPatch, argv: list[str], kind: str) -> None:
    files = {"f": data(kind)}
    assert len(files["f"]) > lines.SMALL
    at_once = run(argv, files=files)
    monkeypatch.setattr(lines, "SMALL", 1 << 60)
    monkeypatch.setattr(sed_run, "_WORTHWHILE", 1 << 60)
    assert run(argv, files=files) == at_once


@pytest.mark.oracle
@pytest.mark.parametrize("kind", KINDS)
def test_as_the_machine_answers(program: Callable[[str], object], tmp_path: Path, kind: str) -> None:
    program("grep")
    program("sed")
    content = data(kind)
    (tmp_path / "f").write_bytes(content)
    for argv in calls():
        if kind == "broken" and "\\b" in argv[-2]:
            continue  # bytes that are no characters are no word's neighbours to us (engines.py)
        real = subprocess.run(
            argv, cwd=tmp_path, capture_output=True, env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}
        )
        assert run(argv, files={"f": content})[:2] == (real.returncode, real.stdout), argv
