"""``pyshellhooks sh`` with prompt_toolkit, on a terminal: the history, commands of several lines, and Ctrl-C."""

from __future__ import annotations

import os
import signal
import stat
import sys
from pathlib import Path

import pytest

pytest.importorskip("prompt_toolkit")

from tests.pseudo_terminal import Typist

pytestmark = pytest.mark.not_on_windows("needs-terminal")

ROOT = str(Path(__file__).resolve().parents[3])
INTERRUPT, END, TAB, UP = "\x03", "\x04", "\t", "\x1b[A"
PROMPT = "ask%"


def environment(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    return {
        **kept, "PYTHONPATH": ROOT, "HOME": str(home), "TERM": "xterm", "PS1": f"{PROMPT} ", "PS2": "more% ", "PROMPT_TOOLKIT_NO_CPR": "1",
    }  # fmt: skip


def typist(home: Path, *words: str) -> Typist:
    return Typist([sys.executable, "-m", "pyshellhooks", "sh", *words], cwd=str(home), env=environment(home))


def test_a_person_who_edits(tmp_path: Path) -> None:
    (tmp_path / "a_long_name").write_text("content $((6 * 7))\n", encoding="utf-8")
    with typist(tmp_path) as shell:
        shell.sees(PROMPT)
        shell.types("echo $((40 + 2))\r")
        shell.sees("\n", "42", PROMPT)
        shell.types(UP + "\r")
        shell.sees("\n", "42", PROMPT)
        shell.types(f"cat a_lo{TAB}")
        shell.sees("ng_name")
        shell.types("\r")
        shell.sees("content", PROMPT)
        shell.types("for i in 1 2\r")
        shell.sees("more%")
        shell.types("do echo n$((i * 100)); done\r")
        shell.sees("n100", "n200", PROMPT)
        shell.types("half a line")
        shell.sees("line")
        shell.types(INTERRUPT)
        shell.sees(PROMPT)
        shell.types("echo $?\r")
        shell.sees("\n", "130", PROMPT)
        shell.types("echo on; sleep 1000\r")
        shell.sees("\n", "on")
        shell.types(INTERRUPT)
        shell.sees(PROMPT)
        shell.types(" echo sec'ret'; read answer; echo [$answer]\r")
        shell.sees("secret")
        shell.types("typed\n")
        shell.sees("[typed]", PROMPT)
        shell.types(END)
        assert shell.ends() == 0
        assert "Traceback" not in shell.shown
    kept = tmp_path / ".local" / "share" / "pyshellhooks" / "history"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    text = kept.read_text(encoding="utf-8")
    assert "+echo $((40 + 2))" in text and "+do echo n" in text and "sec'ret'" not in text
    with typist(tmp_path) as shell:
        shell.sees(PROMPT)
        shell.types(UP * 3 + "\r")  # a command of several lines is one entry
        shell.sees("n100", "n200", PROMPT)
        shell.types("exit 7\r")
        assert shell.ends() == 7


@pytest.mark.parametrize("kind", ["memory", "overlay"])
def test_to_play_safely(kind: str, tmp_path: Path) -> None:
    (tmp_path / "real").write_text("real\n", encoding="utf-8")
    with typist(tmp_path, "--fs", kind, "--env", f"PS1={PROMPT} ", "--cwd", "/") as shell:
        shell.sees(PROMPT)
        shell.types(f"cat {tmp_path}/real; echo changed > {tmp_path}/real; echo sta''tus $?\r")
        shown = shell.sees("\nstatus ", PROMPT)
        assert ("status 0" in shown) is (kind == "overlay") and ("No such file" in shown) is (kind == "memory")
        assert "> " not in shown.partition("\nstatus")[0].rpartition("\r")[2]  # a long line goes on without a prompt
        shell.types("exit 3\r")
        assert shell.ends() == 3
    assert (tmp_path / "real").read_text(encoding="utf-8") == "real\n"
    assert [path.name for path in tmp_path.iterdir()] == ["real"]  # no history either


def test_a_history_that_cannot_be_saved_is_reported(tmp_path: Path) -> None:
    (tmp_path / ".local").write_text("a file", encoding="utf-8")
    with typist(tmp_path) as shell:
        assert "the history is not saved" in shell.sees(PROMPT)
        shell.types("exit\r")
        assert shell.ends() == 0


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_ends_it_without_a_traceback(name: str, tmp_path: Path) -> None:
    with typist(tmp_path) as shell:
        shell.sees(PROMPT)
        os.kill(shell._process.pid, signal.Signals[name])
        assert shell.ends() == 128 + signal.Signals[name]
        assert "Traceback" not in shell.shown and "Exception" not in shell.shown


def test_an_interrupt_from_outside_drops_the_line(tmp_path: Path) -> None:
    with typist(tmp_path) as shell:
        shell.sees(PROMPT)
        shell.types("echo never")
        shell.sees("never")
        os.kill(shell._process.pid, signal.SIGINT)
        shell.sees(PROMPT)
        shell.types("echo st$?\r")
        shell.sees("st130", PROMPT)
        assert "Traceback" not in shell.shown
