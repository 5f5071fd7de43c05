"""The command as a whole: dispatch, help, and that no error is a traceback."""

from __future__ import annotations

import pytest

from pyshellhooks import cli

pytestmark = pytest.mark.portable


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
