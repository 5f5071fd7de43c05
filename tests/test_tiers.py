"""Which tests each tier runs, and which failed tests CI excuses."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Any

import changed
import once_more
import pytest
import rotation
import tiers

pytestmark = pytest.mark.not_on_windows("needs-tools")

TABLE = "tests/unit/syntax/test_table.py"


class Item:
    """As much of a test as the tiers look at."""

    def __init__(self, name: str, path: str = TABLE, **marks: Any) -> None:
        self.nodeid = f"{path}::{name}"
        self.path = tiers.TESTS.parent / path
        self.marks = {mark: getattr(pytest.mark, mark)(*words, **named).mark for mark, (words, named) in marks.items()}

    def get_closest_marker(self, name: str) -> Any:
        return self.marks.get(name)

    def add_marker(self, name: str) -> None:
        self.marks[name] = getattr(pytest.mark, name).mark


def slow(items: list[Any]) -> tuple[list[str], list[str]]:
    """Return the names of the slow tests, and those of the tests that no tier runs."""
    gone = tiers.mark(items)
    return [item.nodeid.partition("::")[2] for item in items if "slow" in item.marks], [
        item.nodeid.partition("::")[2] for item in gone
    ]


def test_a_test_is_slow_by_its_folder_by_a_mark_or_by_an_oracle() -> None:
    items = [Item("a"), Item("b", "tests/hostile/test_x.py"), Item("c", oracle=((), {})), Item("d", slow=((), {}))]
    assert slow(items) == (["b", "c", "d"], [])


@pytest.mark.parametrize("turn", range(4))
def test_each_row_of_a_table_has_its_turn(monkeypatch: pytest.MonkeyPatch, turn: int) -> None:
    monkeypatch.setenv(rotation.VARIABLE, str(turn))
    monkeypatch.setattr(tiers, "WHOLE_TABLES", False)
    table = [Item(f"row[{number}]", one_in=((4,), {"slow": 2})) for number in range(8)]
    names, gone = slow([*table, Item("other")])
    quick = {f"row[{number}]" for number in range(8) if number % 4 == turn}
    slow_rows = {f"row[{number}]" for number in range(8) if number % 2 == turn % 2} - quick
    assert quick == {f"row[{number}]" for number in range(8)} - set(names)
    assert slow_rows == set(names) - set(gone)


@pytest.mark.parametrize(
    ("marks", "rows", "quick", "ran"),
    [
        ({}, 40, 40, 40),
        ({"slow": ((), {})}, 40, 0, 8),
        ({"slow": ((), {})}, 8, 0, 8),
        ({"oracle": ((), {})}, 9, 0, 2),
        ({"one_in": ((4,), {})}, 40, 10, 20),  # 10 and a third of 30
        ({"one_in": ((4,), {})}, 8, 2, 8),
        ({"one_in": ((4,), {"slow": 4})}, 40, 10, 10),
    ],
)
def test_the_part_of_a_table_that_runs(
    monkeypatch: pytest.MonkeyPatch, marks: dict[str, Any], rows: int, quick: int, ran: int
) -> None:
    monkeypatch.setattr(tiers, "WHOLE_TABLES", False)
    monkeypatch.setenv(rotation.VARIABLE, "0")
    names, gone = slow([Item(f"row[{number}]", **marks) for number in range(rows)])
    assert (rows - len(names), rows - len(gone)) == (quick, ran)


@pytest.mark.parametrize(
    ("name", "turns"),
    [
        ("unit/fs/test_names.py", 2),
        ("unit/syntax/test_lexer.py", 2),
        ("unit/fs/names.py", 6),
        ("unit/fs", 6),
        (tiers.EVERY_TIME[0], 6),
    ],
)
def test_the_turns_of_a_file_under_wine(monkeypatch: pytest.MonkeyPatch, name: str, turns: int) -> None:
    monkeypatch.setattr(tiers, "WHOLE_TABLES", False)
    monkeypatch.setattr(tiers, "is_on_windows", lambda: True)
    monkeypatch.setenv("CI", "true")
    of_six = []
    for turn in range(6):
        monkeypatch.setenv(rotation.VARIABLE, str(turn))
        of_six.append(tiers.has_its_turn(tiers.TESTS / name))
    assert sum(of_six) == turns


def test_a_file_that_is_left_out_on_windows_is_not_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "test_a.py"
    texts = {
        'pytestmark = pytest.mark.not_on_windows("needs-fifo")\n': True,
        'pytestmark = [\n    pytest.mark.slow,\n    pytest.mark.not_on_windows("needs-fifo"),\n]\n': True,
        '@pytest.mark.not_on_windows("needs-fifo")\ndef test_a(): ...\n': False,
    }
    monkeypatch.setattr(tiers, "is_on_windows", lambda: True)
    made = config(tmp_path)
    for text, is_left_out in texts.items():
        file.write_text(text)
        assert tiers.has_no_test(file, made) is is_left_out, text


def test_a_test_is_left_out_on_windows_for_a_known_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    items: list[Any] = [Item("a"), Item("b", not_on_windows=(("needs-fifo",), {})), Item("c", oracle=((), {}))]
    assert tiers.left_out_on_windows(items) == []
    monkeypatch.setattr(tiers, "is_on_windows", lambda: True)
    assert tiers.left_out_on_windows(items) == items[1:]
    with pytest.raises(pytest.UsageError, match="no such reason: fifo"):
        tiers.left_out_on_windows([Item("d", not_on_windows=(("fifo",), {}))])


def test_files_that_run_each_time_exist() -> None:
    assert [name for name in tiers.EVERY_TIME if not (tiers.TESTS / name).exists()] == []


def test_all_rows_run_where_the_tables_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiers, "WHOLE_TABLES", True)
    assert slow([Item(f"row[{number}]", one_in=((4,), {"slow": 4})) for number in range(8)])[1] == []


def test_marks_that_are_not_in_the_file_are_found(tmp_path: Path) -> None:
    items: list[Any] = [Item(name, str(tmp_path / name), slow=((), {})) for name in ("test_a.py", "test_b.py")]
    items[0].path.write_text("from marks import SLOW\npytestmark = SLOW\n")
    items[1].path.write_text("pytestmark = [pytest.mark.slow]\n")
    assert tiers.unread([*items, Item("c", "tests/hostile/test_c.py", slow=((), {}))]) == ["test_a.py"]


def test_files_that_are_listed_as_slow_exist() -> None:
    assert [name for name in tiers.SLOW if not (tiers.TESTS / name).exists()] == []


def config(tmp_path: Path, *words: str) -> Any:
    """Return as much of pytest's configuration as the tiers read, for these words of a command line."""
    (tmp_path / "test_a.py").touch()
    paths = [word for word in words if not word.startswith("-")]

    class Config:
        class option:
            markexpr = "not slow"
            lf = "--lf" in words

        class invocation_params:
            args = words
            dir = tmp_path

        class cache:
            get = staticmethod(lambda key, default: {"test_a.py::test_x[1]": True})

        args = paths
        args_source = pytest.Config.ArgsSource.ARGS if paths else pytest.Config.ArgsSource.TESTPATHS

    return Config


@pytest.mark.parametrize(
    ("words", "is_whole"),
    [
        (["test_a.py"], True),
        (["test_a.py::test_x[1]", "-q"], True),
        (["."], False),
        (["test_a.py", "."], False),
        ([str(tiers.TESTS / "hostile")], True),
        ([str(tiers.TESTS / "unit")], False),
        (["--lf"], True),
        (["--lf", "."], True),
        (["--lf", "-m", "not slow"], False),
        (["-q"], False),
        (["-mnot slow", "test_a.py"], False),
    ],
)
def test_named_files_and_failed_tests_run_whole(tmp_path: Path, words: list[str], is_whole: bool) -> None:
    made = config(tmp_path, *words)
    tiers.run_named_files_whole(made)
    assert tiers.is_quick(made) is not is_whole


def test_failures_of_a_guard_are_never_excused() -> None:
    guards = ["tests/contract/test_a.py::t", "tests/unit/engine/test_b.py::t", "tests/unit/cli/test_cli_trust.py::t"]
    assert once_more.inexcusable([*guards, "tests/unit/syntax/test_c.py::test_trust[x]"]) == guards


@pytest.mark.slow
@pytest.mark.parametrize(
    ("row", "status", "flaky"), [("1", 0, "test_a.py::test_row[1]\n"), ("2", 1, ""), ("skip", 1, "")]
)
def test_a_test_that_did_not_run_once_more_is_not_excused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, row: str, status: int, flaky: str
) -> None:
    record = tmp_path / ".pytest_cache" / "v" / "cache" / "lastfailed"
    record.parent.mkdir(parents=True)
    record.write_text('{"test_a.py::test_row[1]": true}')
    (tmp_path / "pytest.ini").write_text("[pytest]")
    (tmp_path / "test_a.py").write_text(
        "import os, pytest\n"
        "row = os.environ['ROW']\n"
        "@pytest.mark.parametrize('row', [row if row != 'skip' else '1'])\n"
        "def test_row(row):\n"
        "    if os.environ['ROW'] == 'skip': pytest.skip()\n"
    )
    (tmp_path / "flaky").touch()
    monkeypatch.setattr(once_more, "ROOT", tmp_path)
    monkeypatch.setattr(once_more, "FAILED", record)
    monkeypatch.setenv("ROW", row)
    monkeypatch.setenv("FLAKY", str(tmp_path / "flaky"))
    assert (once_more.main([]), (tmp_path / "flaky").read_text()) == (status, flaky)


@pytest.mark.parametrize(
    ("path", "tests"),
    [
        ("pyshellhooks/syntax/lexer.py", [changed.CASES, "tests/unit/syntax"]),
        ("pyshellhooks/expand/words.py", [changed.CASES, "tests/unit/interp", "tests/unit/builtins"]),
        ("tests/unit/fs/test_identity.py", ["tests/unit/fs/test_identity.py"]),
        ("tests/unit/engine/trusting.py", ["tests/unit/engine"]),
        ("tests/clock.py", []),
        ("docs/faq.md", []),
    ],
)
def test_the_tests_of_a_file_that_changed(path: str, tests: list[str]) -> None:
    assert changed.tests_of(PurePosixPath(path)) == tests


def test_rooms_that_have_their_tests_elsewhere() -> None:
    assert [place for place in changed.ELSEWHERE.values() if not (changed.ROOT / place).exists()] == []
