"""The workers of jq: what they say, and how they end; a run with one gives what a run without one gives."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from clock import patient
from jq_handing import Spawning, hand_over, slow
from utility_runs import Alone, Outcome, run

from pyshellhooks.cancel import CancelScope
from pyshellhooks.errors import Stop
from pyshellhooks.utilities.jq import libjq_race
from pyshellhooks.workers import Session, client, pool

ENDLESS = "last(range(1e12))"


def _settled(condition: Callable[[], bool]) -> bool:
    until = time.monotonic() + patient(5.0)
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.005)
    return True


@pytest.fixture(autouse=True)
def _no_workers_are_left() -> Iterator[None]:
    yield
    assert _settled(lambda: pool.alive() == 0)


def _wrapped(program: str) -> str:
    return f"(try (({program})|tojson) catch [tojson]), null"


def _events(session: Session, data: str, scope: CancelScope) -> list[tuple[str, str]]:
    session.send(data.encode())
    found = []
    while (event := session.wait(scope)) is not None:
        session.drop_event()
        found.append((event[0].decode(), event[1].decode()))
    return found


def _run_program(program: str, data: str = "null", timeout: float = 60.0) -> list[tuple[str, str]]:
    session = Session(_wrapped(program), timeout)
    with CancelScope(timeout=timeout) as scope:
        try:
            return _events(session, data, scope)
        finally:
            session.close()


# -- what a worker says


def test_results_errors_and_ends() -> None:
    assert _run_program("1, 1.10, [.a]", '{"a":"x"}') == [("r", "1"), ("r", "1.10"), ("r", '["x"]'), (".", "")]
    assert _run_program('1, error({"a": 1}), 2', "1 2") == [("r", "1"), ("e", '{"a":1}')] * 2
    assert _run_program("error(null)") == [("e", "null")]
    assert _run_program("empty", "[1] {}\n3") == [(".", "")] * 3
    assert _run_program(".", '"\u00e9\U0001f600\\u0000"') == [("r", '"\u00e9\U0001f600\\u0000"'), (".", "")]


def test_large_data_both_ways() -> None:
    data = '"' + "x" * 3_000_000 + '"'
    assert _run_program(". , .", data) == [("r", data), ("r", data), (".", "")]


def test_many_results() -> None:
    assert _run_program("range(50000)") == [*(("r", str(n)) for n in range(50000)), (".", "")]


def test_it_reads_no_further_ahead_than_it_should(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "AHEAD", 1000)
    session = Session(_wrapped("repeat(1)"), 60.0)
    with CancelScope(timeout=60.0) as scope:
        session.send(b"null")
        for _ in range(1000):
            assert session.wait(scope) == (b"r", b"1")
            session.drop_event()
        # What is read at once is a matter of the pipe.
        assert len(session._events) < 100_000
        session.close()


def test_a_text_that_is_broken_ends_the_answer() -> None:
    assert _run_program(".", '{"a":1}\n{"a":') == [("r", '{"a":1}'), (".", "")]
    assert _run_program(".", "nonsense") == []


def test_a_program_that_libjq_rejects_ends_the_worker() -> None:
    session = Session(_wrapped("1, foo(2)"), 60.0)
    with CancelScope(timeout=60.0) as scope:
        assert _events(session, "null", scope) == []
    assert session.is_over
    session.close()


def test_one_worker_answers_again_and_again() -> None:
    session = Session(_wrapped(". + 1"), 60.0)
    with CancelScope(timeout=60.0) as scope:
        for number in range(20):
            assert _events(session, str(number), scope) == [("r", str(number + 1)), (".", "")]
            assert pool.alive() == 1
    session.close()


def test_it_sees_no_environment_and_reads_no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYSHELLHOOKS_SECRET", "x")
    assert _run_program('env | has("PYSHELLHOOKS_SECRET"), has("HOME")') == [("r", "false"), ("r", "false"), (".", "")]


# -- how it ends


@pytest.mark.parametrize("program", [ENDLESS, "def f: f; f", "[.[]?] | until(false; .)"])
def test_it_is_ended_in_the_middle(program: str) -> None:
    session = Session(_wrapped(program), 60.0)
    session.send(b"null")
    assert _settled(lambda: pool.alive() == 1)
    time.sleep(0.1)
    session.close()
    with CancelScope(timeout=60.0) as scope:
        assert session.wait(scope) is None
    assert session.is_over


@pytest.mark.slow
def test_its_processor_time_is_bounded() -> None:
    if not hasattr(os, "fork"):
        pytest.skip("a watchdog's wall time there")
    session = Session(_wrapped(ENDLESS), 0.0)
    with CancelScope(timeout=patient(30.0)) as scope:
        assert _events(session, "null", scope) == []
    session.close()


@pytest.mark.slow
def test_a_crash_of_libjq_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    # A small address space: libjq aborts its process when memory ends.
    monkeypatch.setattr(client, "MEMORY", 100)
    if not hasattr(os, "fork"):
        pytest.skip("no bound on memory here")
    assert _run_program("[range(1e9)]") == []


def test_never_more_than_four_at_once() -> None:
    sessions = [Session(_wrapped(ENDLESS), 60.0) for _ in range(8)]
    for session in sessions:
        session.send(b"null")
    assert _settled(lambda: sum(session.is_over for session in sessions) == 4)
    assert pool.alive() == client.MOST
    for session in sessions:
        session.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_child_has_its_own() -> None:
    session = Session(_wrapped(". + 1"), 60.0)
    with CancelScope(timeout=60.0) as scope:
        assert _events(session, "1", scope) == [("r", "2"), (".", "")]
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                before = pool.alive()
                os.write(writer, f"{before} {_run_program('2')}".encode())
                status = 0
            finally:
                os._exit(status)
        os.close(writer)
        assert os.read(reader, 100) == b"0 [('r', '2'), ('.', '')]"
        os.close(reader)
        assert os.waitpid(child, 0)[1] == 0
        assert _events(session, "3", scope) == [("r", "4"), (".", "")]
    session.close()


def test_no_python_to_run_it_with(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "")
    assert _run_program("1") == []
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert _run_program("1") == []


def test_a_host_may_name_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    script = os.path.join(os.path.dirname(client.__file__), "jq_worker.py")
    monkeypatch.setattr(pool, "command", [sys.executable, "-I", "-S", script])
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert _run_program("1") == [("r", "1"), (".", "")]


# -- with the command

LINES = b"".join(b'{"n":%d,"a":[%d,1.10],"s":"line %d \xc3\xa9"}\n' % (n % 11, n, n) for n in range(100))
FEW = LINES[: LINES.index(b'{"n":9')]
INPUTS = {
    "lines": LINES,
    "an error in the middle": LINES[:2000] + b'\n"no object"\n\n17\n' + LINES[2000:],
    "broken in the middle": LINES + b'{"a":\n' + LINES,
    "not UTF-8": LINES + b'{"a":"\xff\xc3"}\n' + LINES,
    "over several lines": LINES.replace(b",", b",\n") + b"[1,\n2]",
    "numbers": b"1.0 1E400\n-0\n100000000000000000001 nan\n1.10 \n" * 30,
    "across a piece": b'{"a":"%s"}\n' % (b"x" * 3000) * 25 + LINES,
}
PROGRAMS = [
    "[.n, .a]",
    ".a",
    "select(.n > 5) | .s",
    "[.n?, .a?], error(.s?)",
    "$x, env.FOO, $ENV.FOO, $ARGS",
    ".. | numbers",
]


def _three(words: list[str], data: bytes, patch: pytest.MonkeyPatch) -> tuple[Outcome, Outcome, list[int]]:
    """Run with one argument alone and with a worker that is always faster."""
    env = {"FOO": "b\u00e9"}
    alone = run(words, data, env=env, start=Alone())
    answered = hand_over(patch)
    return alone, run(words, data, env=env, start=Spawning()), answered


@pytest.mark.one_in(20, slow=4)
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("name", INPUTS)
def test_the_same_with_a_worker(name: str, program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["jq", "-c", "--argjson", "x", '{"\\\\(a":[1.10,"\\"\\u00e9"]}', slow(program)]
    alone, handed, answered = _three(words, INPUTS[name], monkeypatch)
    assert handed == alone
    assert len(answered) > 10


@pytest.mark.one_in(5)
@pytest.mark.parametrize(
    "options",
    ["-r", "-j", "-cr", "-S", "-cS", "-a", "--tab", "-e", "-er", "-R", "-n", "--unbuffered"],
)
def test_options_with_a_worker(options: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = '{b: ., a: "\u00e9\u007f"}, .s?, 1e300, -1e1000, 1.10, nan, [nan], null'
    data = FEW if options != "--seq" else b"\x1e" + FEW.replace(b"}\n", b"}\n\x1e")
    alone, handed, answered = _three(["jq", options, slow(program)], data, monkeypatch)
    assert handed == alone
    assert answered


def test_colors_are_not_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    # The worker's text of nan is null's, and the color is not.
    alone, handed, answered = _three(["jq", "-C", slow("nan, null, [nan]")], FEW, monkeypatch)
    assert handed == alone
    assert not answered


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("program", "status"),
    [
        ("false, .n", 0),
        ("null", 1),
        ("nan", 0),
        ("false", 1),
        ("empty", 4),
        ("if .n == 0 then 1 else empty end", 0),
        ("error", 5),
    ],
)
def test_exit_statuses_with_a_worker(program: str, status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    alone, handed, answered = _three(["jq", "-e", slow(program)], FEW, monkeypatch)
    assert handed == alone
    assert handed[0] == status
    assert answered


@pytest.mark.slow
def test_files_with_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"a": LINES[:-20], "b": LINES[-20:] + b"17\n", "c": b"\n\n[] 4"}
    words = ["jq", "-c", slow(".n"), "a", "b", "c"]
    alone = run(words, files=files, start=Alone())
    hand_over(monkeypatch)
    assert run(words, files=files, start=Spawning()) == alone
    assert alone[2].count(b"Cannot index") == 3


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["[", '{"a":'])
def test_deep_inputs_with_a_worker(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    end = "]" if kind == "[" else "}"
    data = f"{kind * 4000}1{end * 4000}\n".encode() * 3
    alone, handed, _ = _three(["jq", "-c", slow(".")], data, monkeypatch)
    assert handed == alone
    assert handed[1] == data


@pytest.mark.parametrize(
    "program",
    ["input", "[limit(2; inputs)]", "debug", "stderr", "input_line_number", "input_filename", "halt", '"x" | halt_error', "now > 0",
     'test("x")?', "(1 | sin)", "def now: 1; now", "get_search_list | length", "builtins | length"],
)  # fmt: skip
def test_programs_that_are_not_handed_over(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    alone, handed, answered = _three(["jq", "-c", slow(program)], FEW, monkeypatch)
    assert handed == alone
    assert not answered


@pytest.mark.parametrize("data", [b"[nan]", b"[1e9999999999]", b'{"a":[null,{"b":NaN}]}', b"-1e9999999999"])
def test_inputs_that_have_no_text_are_not_handed_over(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    alone, handed, answered = _three(["jq", "-c", slow(".. | [type, isnan?, isinfinite?, .]")], data, monkeypatch)
    assert handed == alone
    assert not answered


@pytest.mark.one_in(4)
@pytest.mark.parametrize("events", [0, 1, 7, 50])
def test_a_worker_that_is_killed_in_the_middle(events: int, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["jq", "-c", slow(".n, .a, .s")]
    alone = run(words, LINES, start=Alone())
    hand_over(monkeypatch)
    drop_event = Session.drop_event
    left = [events]

    def kill(self: Session) -> None:
        drop_event(self)
        left[0] -= 1
        if left[0] == 0 and self._worker is not None:
            self._worker.kill()

    monkeypatch.setattr(Session, "drop_event", kill)
    assert run(words, LINES, start=Spawning()) == alone


@pytest.mark.slow
def test_a_worker_that_dies_of_its_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "MEMORY", 60)
    words = ["jq", "-c", slow("[range(.n * 30000)] | length")]
    alone, handed, _ = _three(words, FEW, monkeypatch)
    assert handed == alone


@pytest.mark.slow
def test_no_worker_to_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "")
    alone, handed, answered = _three(["jq", "-c", slow(".n")], LINES, monkeypatch)
    assert handed == alone
    assert not answered


def test_a_deadline_ends_both(monkeypatch: pytest.MonkeyPatch) -> None:
    hand_over(monkeypatch)
    since = time.monotonic()
    with pytest.raises(Stop) as caught:
        # The evaluator waits for a worker that was faster with the first input.
        run(
            ["jq", slow(f"if . then 1 else {ENDLESS} end")],
            b"true\nfalse\n",
            start=Spawning(),
            scope=CancelScope(timeout=1.0),
        )
    assert caught.value.reason == "deadline"
    assert time.monotonic() - since < patient(2.0)


@pytest.mark.slow
def test_cancelling_ends_both() -> None:
    with CancelScope() as scope:
        threading.Timer(1.0, scope.cancel, ["cancelled", "enough"]).start()
        with pytest.raises(Stop) as caught:
            run(["jq", "-n", ENDLESS], start=Spawning(), scope=scope)
    assert (caught.value.reason, caught.value.detail) == ("cancelled", "enough")


@pytest.mark.slow
def test_eight_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["jq", "-c", slow("[.n, .s]")]
    alone = run(words, LINES, start=Alone())
    hand_over(monkeypatch)
    found: list[Outcome] = []
    threads = [threading.Thread(target=lambda: found.append(run(words, LINES, start=Spawning()))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [alone] * 8


def test_the_usual_run_needs_no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libjq_race.Handover, "__init__", None)
    assert run(["jq", "-c", ".n"], LINES * 20, start=Spawning())[0] == 0
