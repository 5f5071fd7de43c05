"""Lines, paths and progress on a terminal's standard error."""

from __future__ import annotations

import io
from pathlib import Path
from time import monotonic, sleep

import pytest

from pyshellhooks.cli import terminal
from pyshellhooks.cli.terminal import Progress, relative_paths, wrapped
from pyshellhooks.host import current
from tests.clock import patient


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("short", "short"),
        ("a.json:1:2: error: this is longer than the line", "a.json:1:2: error: this is\n    longer than the line"),
        ("one\n  hint: words that are too many here", "one\n  hint: words that are too\n      many here"),
        ("/a/path/that/is/longer/than/the/whole/line: no", "/a/path/that/is/longer/than/the/whole/line:\n    no"),
        ("", ""),
        ("a:1:9: no\n    short line\n    ^^^", "a:1:9: no\n    short line\n    ^^^"),
        ("    " + "0123456789" * 4 + "\n" + " " * 34 + "^", "…789" + "0123456789" * 2 + "\n" + " " * 14 + "^"),
    ],
)
def test_wrapped(text: str, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "28")
    assert wrapped(text, Terminal()) == shown
    assert wrapped(text, io.StringIO()) == text


def test_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    relative, inside = current().relative, str(tmp_path / "a" / "b.json")
    assert relative(inside) == "a/b.json"
    assert relative(str(tmp_path.parent / "b.json")) == str(tmp_path.parent / "b.json")
    assert relative(str(tmp_path)) == str(tmp_path)
    assert relative("a.json") == "a.json" and relative("standard input") == "standard input"
    here = tmp_path.as_posix()
    assert relative_paths(f"x.sh ({here}/b.json:7:1): {here}/c, {here}") == f"x.sh (b.json:7:1): c, {here}"
    assert relative_paths(f"/mnt{here}/b.json") == f"/mnt{here}/b.json"


def test_progress_appears_late_and_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    out = Terminal()
    monkeypatch.setattr("sys.stderr", out)
    monkeypatch.setenv("COLUMNS", "30")
    with Progress("at once"):
        pass
    assert out.getvalue() == ""
    monkeypatch.setattr(terminal, "SLOW", 0.01)
    monkeypatch.setattr(terminal, "AGAIN", 0.01)
    progress = Progress("looking at")
    progress.step = "a thing with a very long name"
    with progress:
        until = monotonic() + patient(5)
        while not out.getvalue() and monotonic() < until:
            sleep(0.01)
    line, *_, last, end = out.getvalue().split("\r")[1:]
    assert line.startswith("looking at a thing") and line.endswith("(0 s)") and len(line) < 30
    assert last.strip() == "" and len(last) >= len(line) and end == ""
    assert "\x1b" not in out.getvalue()


def test_progress_is_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    monkeypatch.setattr("sys.stderr", out)
    monkeypatch.setattr(terminal, "SLOW", 0.0)
    with Progress("looking"):
        sleep(0.05)
    assert out.getvalue() == ""
