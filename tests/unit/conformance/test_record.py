"""The recorder: what a shell answers is written into both forms of a case, and reads back as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.case import Case, ShellCase, load_file
from conformance.drivers import Outcome, Spawned
from conformance.judge import judge
from conformance.record import record

HEAD = 'rule = "r"\nsource = "bash 5"\n'
BLOCKS = "[[case]]\nid = 'a'\nscript = 'x'\n\n[[case]]\nid = 'b'\nscript = 'y'\nstdout = 'old'\n"
ROWS = "case = [\n{ id = 'a', script = 'x' },\n{ id = 'b', script = 'y', stdout = 'old' },\n]\n"


class Answering(Spawned):
    """A shell whose answers are given."""

    def __init__(self, *outcomes: Outcome) -> None:
        super().__init__(["bash"])
        self.outcomes = list(outcomes)

    def run(self, case: Case) -> Outcome:
        return self.outcomes.pop(0)


def recorded(path: Path, text: str, *outcomes: Outcome) -> list[Case]:
    """Record a file, and read it again."""
    path.write_text(text, encoding="utf-8")
    assert record(path, Answering(*outcomes), "bash 5") == 1
    return load_file(path)


@pytest.mark.parametrize("form", [BLOCKS, ROWS])
@pytest.mark.parametrize("stdout", ["", "a\n", "it's\n'''\n", '\0\t\x7f\\"é\r\n', "[[case]]\n{ id = 'z' },\n"])
def test_an_answer_reads_back(form: str, stdout: str, tmp_path: Path) -> None:
    outcome = Outcome(stdout=stdout, status=3)
    first, second = recorded(tmp_path / "t.toml", HEAD + form, outcome, outcome)
    assert isinstance(first, ShellCase) and isinstance(second, ShellCase)
    assert judge(first, outcome) == []
    assert (first.source, second.stdout) == ("bash 5", "old")


def test_stderr_and_files_are_recorded_if_the_case_has_them(tmp_path: Path) -> None:
    head = HEAD + "stderr = ''\nwhole = true\nfiles = { gone = '', 'd/same' = '1', l = '->same' }\n"
    outcome = Outcome(stderr="x: no\n", wrote={"d/": "", "d/same": "1", "l": "->d", "e/": "", "new": "ÿ"})
    first, _ = recorded(tmp_path / "t.toml", head + ROWS, outcome, outcome)
    assert isinstance(first, ShellCase)
    assert (first.stderr, first.wrote) == ("x: no\n", {"gone": False, "l": "->d", "e/": "", "new": "ÿ"})
    assert judge(first, outcome) == []
    assert judge(first, Outcome(stderr="x: no\n", wrote={**outcome.wrote, "more": ""})) == [
        "file more: expected False, got ''"
    ]


@pytest.mark.parametrize(
    ("outcomes", "message"),
    [((Outcome(stdout="1"), Outcome(stdout="2")), "two runs differ"), ((Outcome(stdout="\udcff"),) * 2, "not UTF-8")],
)
def test_answers_that_can_not_be_written_down_are_refused(
    outcomes: tuple[Outcome, ...], message: str, tmp_path: Path
) -> None:
    with pytest.raises(SystemExit, match=message):
        recorded(tmp_path / "t.toml", HEAD + ROWS, *outcomes)
