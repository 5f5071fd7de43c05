"""The two tiers of the tests, and the part of a long table that a run takes.

The *quick* tier is README's command: ``-m "not slow"`` in pyproject.toml. It needs pip and nothing else, and takes minutes.
The *slow* tier is the rest, ``-m slow``: CI runs it after the quick one. A test is slow when

- its file or folder is listed in ``SLOW``: a quick run does not even import it;
- it is marked ``slow``, or ``oracle``: it compares with a real program;
- it is a row of a long table that the run leaves out: ``one_in(20)`` on a test with parameters keeps every twentieth row
  for the quick tier, ``one_in(20, slow=2)`` runs every second of the other rows in the slow one. On a slow test without
  parameters ``one_in(3, slow=3)`` means every third commit.

Of a table of more than eight rows the slow tier takes a part with each commit, unless ``one_in`` names another: a fifth if
the table is slow, a third of the rows that the quick tier leaves out. ``ROTATION`` decides which rows (rotation.py), so that
the commits take all of them in turn; ``TABLES=whole`` runs all. CI's run under Wine takes files in turn (``has_its_turn``).

If the command line names nothing but files and slow folders, they run whole, with all rows of their tables. So do the tests
that failed last (``--lf``).

On Windows the tests with the mark ``not_on_windows`` are left out too (tests/windows/left_out.py has its reasons).
"""

from __future__ import annotations

import os
import re
import zlib
from collections import Counter
from pathlib import Path

import pytest
from rotation import WHOLE_TABLES, first

from tests.windows.left_out import MARK, REASONS, reason_of

TESTS = Path(__file__).resolve().parent

# Files that CI runs under Wine with each commit: they take cases and pages in turn themselves, or prove README.
EVERY_TIME = ("unit/conformance/test_conformance_cases.py", "test_readme.py")

_MARKS = re.compile(r"\bmark\.(?:slow|oracle|one_in)\b")
WINE_TURN = 3  # commits in which CI's run under Wine takes all files once
LONG = 8  # rows: the slow tier takes a longer table in parts
PART_OF_A_SLOW_TABLE, PART_OF_THE_REST = 5, 3
_WHOLE_FILE = re.compile(rf"^pytestmark = (?:\[[^\]]*|[^\[\n]*)\bmark\.{MARK}\(", re.MULTILINE)
SUMMARY = "The slow tests were left out. They run with: python -m pytest -q -n auto -m slow"

# Files and folders below tests/ that the quick tier leaves out whole.
SLOW = frozenset(
    """
    differential fuzz hostile property
    adapters/test_adapter_examples.py
    architecture/test_caches.py architecture/test_circles.py architecture/test_citations.py architecture/test_density.py architecture/test_paced.py
    architecture/test_possessive.py architecture/test_process_wide.py architecture/test_sizes_and_names.py
    architecture/test_typed_facts.py architecture/test_typed_options.py architecture/test_unused.py
    contract/test_answers_again.py contract/test_gemini_reads_answers.py contract/test_guard_matrix.py
    contract/test_hook_collection.py contract/test_oils.py
    unit/cli/test_completion.py unit/cli/test_editing.py unit/cli/test_mcp_shell.py unit/cli/test_on_a_terminal.py
    unit/cli/test_sh_errors.py
    unit/concurrency/test_exit_of_the_host.py unit/concurrency/test_threads_and_forks.py
    unit/mcp_proxy/test_proxy_processes.py unit/mcp_proxy/test_proxy_story.py
    unit/utilities/jq/test_jq_bounds.py
    """.split()
)


def is_quick(config: pytest.Config) -> bool:
    """Return whether a run leaves the slow tests out."""
    return "not slow" in (config.option.markexpr or "")


def run_named_files_whole(config: pytest.Config) -> None:
    """Take back the ``-m`` of pyproject.toml when the command line names nothing but files of tests, or asks for ``--lf``.

    ``--lf`` collects the rows that failed alone: one in so many of them would be other rows than those that failed.
    """
    if any(str(word).startswith("-m") for word in config.invocation_params.args):
        return
    names = [str(argument).partition("::")[0] for argument in config.args]
    paths = [(config.invocation_params.dir / name).resolve() for name in names]
    is_named = config.args_source == pytest.Config.ArgsSource.ARGS and all(
        path.is_file() or is_listed(path) for path in paths
    )
    if is_named or (getattr(config.option, "lf", False) and config.cache.get("cache/lastfailed", {})):
        config.option.markexpr = ""


def is_listed(path: Path) -> bool:
    """Return whether a file or folder of tests is slow as a whole."""
    if not path.is_relative_to(TESTS):
        return False
    below = path.relative_to(TESTS)
    return any(place.as_posix() in SLOW for place in (below, *below.parents))


def has_no_test(path: Path, config: pytest.Config) -> bool:
    """Return whether a file or folder has no test that the tier of this run takes."""
    if is_quick(config) and (is_listed(path) or not has_its_turn(path)):
        return True
    if not path.name.startswith("test_") or path.suffix != ".py":
        return False
    if is_on_windows() and _WHOLE_FILE.search(path.read_text(encoding="utf-8")):
        return True
    if config.option.markexpr != "slow" or is_listed(path):
        return False
    return _MARKS.search(path.read_text(encoding="utf-8")) is None


def unread(items: list[pytest.Item]) -> list[str]:
    """Return the files with slow tests that the slow tier does not read: the marks are not in their text."""
    paths = {item.path for item in items if item.get_closest_marker("slow") and not is_listed(item.path)}
    return sorted(path.name for path in paths if _MARKS.search(path.read_text(encoding="utf-8")) is None)


def is_on_windows() -> bool:
    """Return whether the tests run on Python for Windows; a test of the tiers replaces it."""
    return os.name == "nt"


def left_out_on_windows(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the tests that have a reason not to run on Windows, if this is Windows."""
    reasons = {item: reason_of(item) for item in items}
    unknown = sorted({reason for reason in reasons.values() if reason and reason not in REASONS})
    if unknown:
        raise pytest.UsageError(f"{MARK}: no such reason: {', '.join(unknown)}; see tests/windows/left_out.py")
    return [item for item in items if reasons[item]] if is_on_windows() else []


def has_its_turn(path: Path) -> bool:
    """Return whether CI's run under Wine takes a file: every third, in turn."""
    if not is_on_windows() or not os.environ.get("CI") or WHOLE_TABLES or not path.is_relative_to(TESTS):
        return True
    if path.suffix != ".py" or not path.name.startswith("test_"):
        return True
    name = path.relative_to(TESTS).as_posix()
    return name in EVERY_TIME or zlib.crc32(name.encode()) % WINE_TURN == first(WINE_TURN)


def mark(items: list[pytest.Item]) -> list[pytest.Item]:
    """Mark the slow tests; return those rows that neither tier runs this time."""
    listed = {path: is_listed(path) for path in {item.path for item in items}}
    lengths = Counter(_test_of(item) for item in items)
    rows: Counter[str] = Counter()
    left_out = []
    for item in items:
        name = _test_of(item)
        row = rows[name] if lengths[name] > 1 else zlib.crc32(name.encode())
        rows[name] += 1
        table = item.get_closest_marker("one_in")
        is_slow = listed[item.path] or any(item.get_closest_marker(marker) for marker in ("oracle", "slow"))
        is_long = lengths[name] > LONG
        if table is not None:
            quick_step, slow_step = table.args[0], table.kwargs.get("slow", PART_OF_THE_REST if is_long else 1)
        elif is_slow and is_long:
            quick_step = slow_step = PART_OF_A_SLOW_TABLE
        else:
            quick_step = slow_step = 1
        is_taken = row % quick_step == first(quick_step)
        if is_slow or not is_taken:
            item.add_marker("slow")
        if not is_taken and row % slow_step != first(slow_step) and not WHOLE_TABLES:
            left_out.append(item)
    return left_out


def _test_of(item: pytest.Item) -> str:
    """Return the name of a test without its parameters."""
    return item.nodeid.partition("[")[0]
