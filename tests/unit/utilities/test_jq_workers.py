"""The worker that runs what may loop: round trips, kills, crashes."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator

import pytest
from clock import patient

from pyshellhooks import workers
from pyshellhooks.cancel import CancelScope
from pyshellhooks.errors import Stop
from pyshellhooks.workers import client

pytestmark = pytest.mark.portable


@pytest.fixture(autouse=True, scope="module")
def _end_workers() -> Iterator[None]:
    yield
    workers.pool.close()


def _run(program: str, data: str = "null", timeout: float | None = 10.0) -> list[object]:
    with CancelScope(timeout=timeout) as scope:
        source = f"try (({program})|tojson) catch [tojson]"
        return list(workers.run(source, data, (program, (), None, False), scope))


def test_results_and_errors() -> None:
    assert _run("1, 1.10, [.a]", '{"a":"x"}') == ["1", "1.10", '["x"]']
    assert _run('1, error({"a": 1})') == ["1", ['{"a":1}']]
    assert _run(".", '"\u00e9\U0001f600\\u0000"') == ['"\u00e9\U0001f600\\u0000"']


def test_a_worker_is_used_again() -> None:
    _run("1")
    before = workers.pool.alive()
    for _ in range(20):
        assert _run("1") == ["1"]
    assert workers.pool.alive() == before


def test_large_data_both_ways() -> None:
    data = '"' + "x" * 3_000_000 + '"'
    assert _run(". , .", data) == [data, data]


def test_many_results_come_in_blocks() -> None:
    assert _run("range(50000)") == [str(n) for n in range(50000)]


def test_a_program_that_does_not_compile() -> None:
    with pytest.raises(workers.NotCompiled) as caught:
        _run("1, foo(2)")
    # libjq's words about the program as it was written, not as it was wrapped.
    assert str(caught.value).startswith("jq: error: foo/1 is not defined at <top-level>, line 1, column 4:")
    assert _run("1") == ["1"]


def test_data_that_is_no_json() -> None:
    with pytest.raises(ValueError, match="parse error: Invalid numeric literal"):
        _run(".", "nonsense")
    assert _run("1") == ["1"]


@pytest.mark.parametrize("program", ["last(range(1e12))", "def f: f; f", "[.[]?] | until(false; .)"])
def test_a_deadline_kills_it(program: str) -> None:
    since = time.monotonic()
    with pytest.raises(Stop) as caught:
        _run(program, timeout=0.3)
    assert caught.value.reason == "deadline"
    assert time.monotonic() - since < patient(2.0)
    assert _run("1") == ["1"]


def test_cancel_from_another_thread_kills_it() -> None:
    with CancelScope() as scope:
        threading.Timer(0.2, scope.cancel, ["cancelled", "enough"]).start()
        with pytest.raises(Stop) as caught:
            list(workers.run("last(range(1e12))", "null", ("", (), None, False), scope))
    assert (caught.value.reason, caught.value.detail) == ("cancelled", "enough")


def test_a_crash_of_libjq_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    # A small address space: libjq aborts its process when memory ends.
    monkeypatch.setattr(client, "MEMORY", 100)
    if not hasattr(os, "fork"):
        pytest.skip("no bound on memory here")
    with pytest.raises(Stop) as caught:
        _run("[range(1e9)]")
    assert caught.value.reason == "limit"
    monkeypatch.undo()
    assert _run("1") == ["1"]


def test_a_reader_that_stops_early_ends_an_endless_program() -> None:
    with CancelScope(timeout=10) as scope:
        results = workers.run("repeat(1)", "null", ("", (), None, False), scope)
        assert [next(results) for _ in range(3)] == [1, 1, 1]
        results.close()  # type: ignore[attr-defined]
    assert _run("1") == ["1"]


def test_never_more_than_four_at_once() -> None:
    found: list[list[object]] = []
    threads = [threading.Thread(target=lambda: found.append(_run("[range(300000)] | length"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [["300000"]] * 8
    assert workers.pool.alive() <= client.MOST


def test_an_idle_worker_that_died_is_replaced() -> None:
    _run("1")
    for worker in list(workers.pool._idle):
        worker.kill()
    time.sleep(0.05)
    assert _run("1") == ["1"]


def test_it_sees_no_environment_and_reads_no_library() -> None:
    os.environ["PYSHELLHOOKS_SECRET"] = "x"
    try:
        workers.pool.close()
        assert _run('env | has("PYSHELLHOOKS_SECRET"), has("HOME")') == ["false", "false"]
    finally:
        del os.environ["PYSHELLHOOKS_SECRET"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_child_has_its_own() -> None:
    _run("1")
    before = workers.pool.alive()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            answer = _run("2")
            os.write(writer, f"{answer} {workers.pool.alive()}".encode())
            workers.pool.close()
            status = 0
        finally:
            os._exit(status)
    os.close(writer)
    assert os.read(reader, 100) == b"['2'] 1"
    os.close(reader)
    assert os.waitpid(child, 0)[1] == 0
    assert workers.pool.alive() == before
    assert _run("1") == ["1"]


def test_no_python_to_run_it_with(monkeypatch: pytest.MonkeyPatch) -> None:
    workers.pool.close()
    monkeypatch.setattr(sys, "executable", "")
    with pytest.raises(Stop) as caught:
        _run("1")
    assert caught.value.reason == "refused"


def test_a_host_may_name_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    workers.pool.close()
    script = os.path.join(os.path.dirname(client.__file__), "jq_worker.py")
    monkeypatch.setattr(workers.pool, "command", [sys.executable, "-I", "-S", script])
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert _run("1") == ["1"]
    workers.pool.close()
