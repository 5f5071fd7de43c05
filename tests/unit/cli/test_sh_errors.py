"""The messages of ``pyshellhooks sh`` about a script that does not parse, and one that was stopped."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pyshellhooks import Shell, cli
from pyshellhooks.cancel import CancelScope
from pyshellhooks.engine.executor import as_run


def sh(*words: str, stdin: str = "") -> tuple[int, str, str]:
    """Run the command in a process of its own, as a person does."""
    root = str(Path(__file__).resolve().parents[3])
    done = subprocess.run(
        [sys.executable, "-m", "pyshellhooks", "sh", *words],
        capture_output=True,
        input=stdin.encode(),
        check=False,
        env={**os.environ, "PYTHONPATH": root, "PYTHONIOENCODING": "utf-8"},
    )
    return done.returncode, done.stdout.decode().replace("\r\n", "\n"), done.stderr.decode().replace("\r\n", "\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--timeout", "0.2", "-c", "sleep 100"], "bash: stopped by the timeout\n"),
        (["-c", "echo {1..9999999}"], "bash: stopped by a limit: a brace expansion makes more than 1000000 words\n"),
    ],
)
def test_a_stopped_script_gives_its_reason(words: list[str], message: str) -> None:
    status, output, errors = sh(*words)
    assert status != 0 and (output, errors) == ("", message)


def test_n_shows_the_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "hook.sh"
    path.write_text("touch no\nif a; then\n\techo )\nfi\n", encoding="utf-8", newline="\n")
    assert cli.main(["sh", "-n", str(path)]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err == (
        f"{path}:3:7: syntax error near unexpected token `)'\n"
        "    \techo )\n"
        "    \t     ^\n"
        "  expected `elif`, `else` or `fi`; `if` on line 2 has no `fi` yet\n"
        "    if a; then\n"
        "    ^\n"
    )
    assert not (tmp_path / "no").exists()


@pytest.mark.parametrize(
    ("script", "status", "said"),
    [
        ("echo a >no", 0, ""),
        ("if", 2, "bash:1:3: syntax error: unexpected end of file\n    if\n      ^\n"),
        ("cat <<X\n", 0, "bash:1:7: warning: here-document at line 1 delimited by end-of-file (wanted `X')\n"),
        ("a `b", 2, "  `` ` `` on line 1, column 3 is never closed\n"),
    ],
)
def test_n_of_a_command_string(script: str, status: int, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["sh", "-n", "-c", script]) == status
    shown = capsys.readouterr()
    assert shown.out == "" and said in shown.err and bool(shown.err) == bool(said)


# bash 5.2.15 on the same files: stdout, stderr and status are its own.
@pytest.mark.parametrize(
    ("script", "stdout", "stderr"),
    [
        ("echo a\nif b; fi\necho c\n", "a\n", "line 2: syntax error near unexpected token `fi'\nline 2: `if b; fi'\n"),
        ("a=1 (b)\n", "", "line 1: syntax error near unexpected token `('\nline 1: `a=1 (b)'\n"),
        (": $(a \n fi)\n", "", "line 2: syntax error near unexpected token `fi'\nline 2: ` fi)'\n"),
        ('f() {\n  foo "a\n b" )\n}', "", "line 3: syntax error near unexpected token `)'\nline 3: ` b\" )'\n"),
        ("for ((1;2)); do :; done\n", "", "line 1: syntax error: arithmetic expression required\nline 1: syntax error: `((1;2))'\n"),
        ("if true\n", "", "line 2: syntax error: unexpected end of file\n"),
        ("f() {\na\n", "", "line 3: syntax error: unexpected end of file\n"),
        ('echo b\nx="a\n\nfoo\n', "b\n", "line 2: unexpected EOF while looking for matching `\"'\n"),
        (": ${a\n\nfoo", "", "line 1: unexpected EOF while looking for matching `}'\n"),
        ("a `b\nc\n", "", "line 1: unexpected EOF while looking for matching ``'\n"),
    ],
)  # fmt: skip
def test_a_run_reports_as_bash_does(script: str, stdout: str, stderr: str, tmp_path: Path) -> None:
    path = tmp_path / "s.sh"
    path.write_text(script, encoding="utf-8", newline="\n")
    expected = "".join(f"{path}: {line}\n" for line in stderr.splitlines())
    assert sh(str(path)) == (2, stdout, expected)


def test_a_hooks_run_reports_more() -> None:
    """Its status is 2 as every shell's (decisions unparsable), and its fault has the place."""
    result = Shell(spawn=False).run("echo a\nif b; fi")
    assert (result.status, result.stderr.decode()) == (
        2,
        "bash: line 2: syntax error near unexpected token `fi'\nbash: line 2: `if b; fi'\n",
    )
    with CancelScope() as scope:
        run = as_run(result, scope)
    said = (
        "syntax error: line 2, column 7: near unexpected token `fi' (expected `then`; `if` on line 2 has no `fi` yet)\n"
        "    if b; <HERE>fi"
    )
    assert run.status == 2 and run.unparsed == said and run.faults == (said,) and said in run.notices
