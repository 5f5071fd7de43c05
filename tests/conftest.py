"""What all tests share: the repository's root, and the rule for tests that need a real program."""

from __future__ import annotations

import asyncio
import ctypes
import faulthandler
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from rotation import VARIABLE, decide

from tests import oracles

# No test fails by the clock: neither a slow example nor slow making of examples says anything on a busy machine. The
# same examples each time: what a run finds, the next one finds too.
settings.register_profile(
    "house", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("house")

# Who starts the tests may ignore SIGINT (a job in the background of a shell) or SIGHUP (``nohup``): then every program that
# a test starts would ignore it too, and no shell among them could trap it. What has a handler here is the default there.
if threading.current_thread() is threading.main_thread():
    for _name in ("SIGINT", "SIGHUP", "SIGQUIT", "SIGTERM"):
        _number = getattr(signal, _name, None)
        if _number is not None and signal.getsignal(_number) is signal.SIG_IGN:
            signal.signal(_number, signal.default_int_handler if _name == "SIGINT" else lambda *_: None)

ROOT = Path(__file__).resolve().parent.parent


# What takes long by its nature: comparisons with real programs, generated and hostile inputs, all cases, and these files.
SLOW_ROOMS = frozenset(("adapters", "contract", "differential", "fuzz", "hostile", "property"))
SLOW_FILES = frozenset(
    """
    test_aggregate test_bashlex_check test_completion test_every_command test_exit_of_the_host test_facts_of_ends
    test_fields_arrive test_host_fifo test_isolation_children test_isolation_kill test_jq_bounds
    test_jq_regexes_recorded test_jq_workers test_lines test_long_texts test_many_lines test_no_processes test_on_a_terminal
    test_own_failures test_sessions test_text test_threads_and_forks test_timeout test_xargs test_yaml_text
    """.split()
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what ``-m "not slow"`` leaves out."""
    for item in items:
        room = item.path.relative_to(ROOT / "tests").parts[0] if item.path.is_relative_to(ROOT / "tests") else ""
        if room in SLOW_ROOMS or item.path.stem in SLOW_FILES:
            item.add_marker("slow")


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the repository's root."""
    return ROOT


@pytest.fixture
def program(request: pytest.FixtureRequest) -> Callable[..., str]:
    """Return the function that finds a real program to compare with: ``tests/oracles.py``."""
    assert request.node.get_closest_marker("oracle"), "a test that asks a real program carries @pytest.mark.oracle"
    return oracles.find


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


def pytest_configure(config: pytest.Config) -> None:
    """Watch the pool in every run, and choose the rows of this run before there are workers of pytest-xdist."""
    decide()
    config.pluginmanager.register(Leak())
    if sys.platform == "win32" and hasattr(ctypes.WinDLL("ntdll"), "wine_get_version"):
        asyncio.set_event_loop_policy(_beating())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Say of a failure in a part of a table how the same part is run again."""
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
