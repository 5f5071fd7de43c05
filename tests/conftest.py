"""The fixtures and rules of all tests: the root, real programs, the tiers, a watch on threads and memory."""

from __future__ import annotations

import asyncio
import ctypes
import faulthandler
import gc
import os
import signal
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Generator, Sequence
from pathlib import Path

import pytest
import tiers
from hypothesis import HealthCheck, settings
from rotation import VARIABLE, decide

from tests import oracles

# No test fails by the clock: neither a slow example nor slow making of examples says anything on a busy machine. The
# same examples each time: a failure comes again in the next run.
settings.register_profile(
    "house", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("house")

# Who starts the tests may ignore SIGINT (a job in the background of a shell) or SIGHUP (``nohup``): then every program that
# a test starts would ignore it too, and no shell among them could trap it. A signal with a handler here has its default there.
if threading.current_thread() is threading.main_thread():
    for _name in ("SIGINT", "SIGHUP", "SIGQUIT", "SIGTERM"):
        _number = getattr(signal, _name, None)
        if _number is not None and signal.getsignal(_number) is signal.SIG_IGN:
            signal.signal(_number, signal.default_int_handler if _name == "SIGINT" else lambda *_: None)

ROOT = Path(__file__).resolve().parent.parent

if sys.platform == "win32":  # a test writes and reads the same bytes on every system: UTF-8, and line feeds alone
    _write_text, _read_text = Path.write_text, Path.read_text

    def _write(self: Path, data: str, encoding: str = "utf-8", errors: str | None = None, newline: str = "\n") -> int:
        return _write_text(self, data, encoding, errors, newline)

    def _read(self: Path, encoding: str = "utf-8", errors: str | None = None) -> str:
        return _read_text(self, encoding, errors)

    Path.write_text, Path.read_text = _write, _read  # type: ignore[method-assign,assignment]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the files unread that have no test of this tier: importing them takes seconds."""
    return True if tiers.has_no_test(collection_path, config) else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the slow tests before ``-m`` is read."""
    left_out = tiers.mark(items)
    if unread := tiers.unread(items):
        raise pytest.UsageError(f"the slow tier does not read {', '.join(unread)}: write the marks into these files")
    gone = set(tiers.left_out_on_windows(items))
    if config.option.markexpr:  # without it all is to run: a file is named
        gone.update(left_out)
    if gone:
        config.hook.pytest_deselected(items=list(gone))
        items[:] = [item for item in items if item not in gone]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name the part that a quick run leaves out."""
    if tiers.is_quick(config):
        terminalreporter.write_line(tiers.SUMMARY)


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the repository's root."""
    return ROOT


@pytest.fixture
def program(request: pytest.FixtureRequest) -> Callable[..., str]:
    """Return the function that finds a real program to compare with: ``tests/oracles.py``."""
    assert request.node.get_closest_marker("oracle"), "a test that asks a real program carries @pytest.mark.oracle"
    return oracles.find


@pytest.fixture
def usual_interpreters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the machine have the interpreters that first lines of scripts name, of which a container may have none."""
    from pyshellhooks.engine.scripts import first_line, off_rules
    from pyshellhooks.errors import Diagnostic

    usual = {"/bin/sh", "/bin/bash", "/bin/dash", "/usr/bin/env", "/usr/bin/python3", "/usr/bin/bash", "/bin/python3"}

    def fault(line: str, cwd: str, path: Sequence[str], is_there: Callable[[str], bool]) -> Diagnostic | None:
        return first_line.fault(line, cwd, [*path, "/bin"], lambda file: file in usual or is_there(file))

    monkeypatch.setattr(off_rules, "fault", fault)


class Timings:
    """Append to the file that ``TEST_TIMINGS`` names how many seconds each file of tests took; CI prints the dearest."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add a part of a test to its file."""
        self.seconds[report.nodeid.partition("::")[0]] += report.duration

    def pytest_unconfigure(self) -> None:
        """Write the sums."""
        with open(self.path, "a", encoding="utf-8") as file:
            file.writelines(f"{seconds:.1f} {name}\n" for name, seconds in self.seconds.items())


class Trim:
    """Gives freed memory back to the system when a test has left much of it: glibc would keep some hundred megabytes."""

    ENOUGH = 32 << 20  # bytes

    def __init__(self) -> None:
        self.trim = ctypes.CDLL(None).malloc_trim
        self.resident = self._resident()

    def pytest_runtest_logfinish(self) -> None:
        """Look after each test."""
        if self._resident() - self.resident > self.ENOUGH:
            gc.collect()  # the traceback of an expected error keeps what its test made
            self.trim(0)
            self.resident = self._resident()

    @staticmethod
    def _resident() -> int:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Leak:
    """Fails the test that leaves a thread of the pool at work, not one that finds it there much later."""

    PATIENCE = 10.0  # seconds: a loaded machine

    def __init__(self) -> None:
        self.known = 0

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self) -> Generator[None]:
        """Wait for the pool after each test."""
        yield
        threads = sys.modules.get("pyshellhooks.host.threads")
        until = time.monotonic() + self.PATIENCE
        while threads is not None:
            stats = threads.pool.stats()
            left = stats["alive"] - stats["idle"]
            if left <= self.known:
                return
            if time.monotonic() > until:
                self.known = left
                faulthandler.dump_traceback()
                pytest.fail(f"{left} threads of the pool are still at work")
            time.sleep(0.005)


def leave_the_package_unrewritten(config: pytest.Config) -> None:
    """Keep pytest from rewriting the modules of the package, as it does for every package with a plugin.

    They assert nothing, and threads import some of them: CPython 3.11 then raises "AST constructor recursion depth mismatch"
    now and then, since its counter belongs to all threads.
    """
    config.pluginmanager.rewrite_hook._must_rewrite.discard("pyshellhooks")  # type: ignore[attr-defined]


def pytest_configure(config: pytest.Config) -> None:
    """Watch the pool in every run, and choose the tests and rows of this run before there are workers of pytest-xdist."""
    decide()
    leave_the_package_unrewritten(config)
    tiers.run_named_files_whole(config)
    config.pluginmanager.register(Leak())
    if sys.platform == "linux" and hasattr(ctypes.CDLL(None), "malloc_trim"):
        config.pluginmanager.register(Trim())
    if "TEST_TIMINGS" in os.environ and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Timings(os.environ["TEST_TIMINGS"]))
    if sys.platform == "win32" and hasattr(ctypes.WinDLL("ntdll"), "wine_get_version"):
        asyncio.set_event_loop_policy(_beating())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add to a failure in a part of a table the command that runs the same part again."""
    report = yield
    if report.failed and "sample" in vars(getattr(item, "module", item)):
        report.sections.append(("the same rows", f"{VARIABLE}={decide()} python -m pytest '{item.nodeid}'"))
    return report


def _beating() -> asyncio.AbstractEventLoopPolicy:
    """Make loops that wake every 50 ms.

    Under Wine a byte sent to a socket does not wake one wait in 200, if it comes just when the wait begins: measured with
    bare asyncio and a thread that stands ready, with completion ports and with select.
    """

    class Beating(asyncio.ProactorEventLoop):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__()
            self._beat()

        def _beat(self) -> None:
            self.call_later(0.05, self._beat)

    class Policy(asyncio.WindowsProactorEventLoopPolicy):  # type: ignore[name-defined,misc]
        _loop_factory = Beating

    return Policy()  # type: ignore[no-any-return]
