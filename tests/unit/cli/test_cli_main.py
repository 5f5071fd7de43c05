"""The command as a whole: dispatch, help, and that no error is a traceback."""

from __future__ import annotations

import subprocess
import sys

import pytest
from clock import patient

from pyshellhooks import cli


def test_no_word_is_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in cli.COMMANDS)


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("pyshellhooks 0.")


@pytest.mark.parametrize(("word", "hint"), [("frie", "did you mean fire?"), ("zzz", "--help lists")])
def test_unknown_command(word: str, hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([word]) == 1
    shown = capsys.readouterr()
    assert (shown.out, hint in shown.err) == ("", True)


@pytest.mark.parametrize("name", [name for name in cli.COMMANDS if name not in ("sh", "conformance")])
def test_usage_errors_are_status_1(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """2 means "denied", so argparse's own 2 must not leak."""
    with pytest.raises(SystemExit) as stop:
        cli.main([name, "--no-such-option"])
    assert stop.value.code == 1
    shown = capsys.readouterr().err
    assert "--no-such-option" in shown or "required" in shown


@pytest.mark.parametrize(
    ("raised", "status", "said"),
    [
        (KeyboardInterrupt(), 130, ""),
        (FileNotFoundError(2, "No such file or directory", "x.json"), 1, "x.json: No such file or directory"),
        (ZeroDivisionError("boom"), 1, "internal error: ZeroDivisionError: boom"),
    ],
)
def test_errors_become_one_message(
    raised: BaseException, status: int, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from pyshellhooks.cli import check

    def fail(argv: object) -> int:
        raise raised

    monkeypatch.setattr(check, "main", fail)
    assert cli.main(["check", "x"]) == status
    shown = capsys.readouterr().err
    assert said in shown and "Traceback" not in shown


def test_an_interrupt_while_an_object_is_freed_is_not_lost() -> None:
    program = """
import signal, sys, time
from pyshellhooks import cli

class Slow:
    def __del__(self):
        raise KeyboardInterrupt  # as a signal's handler does, wherever the program is

def command(words):
    Slow()
    for _ in range(600):
        time.sleep(0.1)

cli.command = command
sys.argv = ["pyshellhooks", "doctor"]
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(cli.main())
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=patient(50), check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
