"""A session: what lasts from run to run, one run at a time, and what a cancelled run leaves."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from pyshellhooks import Call, CancelScope, Limits, Session, SessionBusyError, Shell, Stopped, utility
from tests.clock import patient


@utility("stuck", summary="Come back only when the test says so.")
def stuck(call: Call) -> None:
    HOLDING.set()
    HELD.wait(patient(30))


HOLDING = threading.Event()
HELD = threading.Event()


@pytest.fixture
def session() -> Session:
    HELD.clear()
    HOLDING.clear()
    return Shell.sandbox({"/data/x": "1\n"}, utilities=[stuck], limits=Limits(grace=0.2, slack=0.2)).session()


# What stands in the first script is seen by the second; the answers are bash's, which reads them as two lines.
LASTING = [
    ("x=5", "echo $x", "5\n"),
    ("f() { echo f$1; }", "f 1", "f1\n"),
    ("cd /data", "pwd; cat x", "/data\n1\n"),
    ("export E=1", "env | grep ^E=", "E=1\n"),
    ("a=(1 '2 3'); declare -A m=([k]=v)", 'echo "${a[1]}" "${m[k]}"', "2 3 v\n"),
    ("set -o pipefail; set -f", "false | true; echo $? *", "1 *\n"),
    ("shopt -s expand_aliases; alias say='echo said'", "say so", "said so\n"),
    ("umask 077", "umask", "0077\n"),
    ("set -- a b", "echo $# $2", "2 b\n"),
    ("trap 'echo heard' USR1", "kill -USR1 $$; :", "heard\n"),
    ("false", "echo $?", "1\n"),
    ("echo kept > /tmp/f", "cat /tmp/f", "kept\n"),
    ("g() { local x=2; exit 3; }; x=1; g", "echo $x $?", "1 3\n"),
    ("for i in 1 2; do for j in a b; do exit 4; done; done", "echo $i$j; break 2>/dev/null; echo on", "1a\non\n"),
    ("echo $((1/0))", "echo on", "on\n"),
    ("if", "echo on", "on\n"),
    ("kill -9 $$", "echo on", "on\n"),
]


@pytest.mark.parametrize(("first", "second", "shown"), LASTING, ids=[row[0] for row in LASTING])
def test_state_that_lasts(session: Session, first: str, second: str, shown: str) -> None:
    session.run(first)
    assert session.run(second).text == shown


STOPPED = [
    "x=1; while :; do :; done",
    "x=1; f() { local x=2; while :; do :; done; }; f",
    "x=1; for i in 1; do (sleep 100); done",
    "x=1; sleep 100 | cat",
    "x=1; y=$(sleep 100)",
    "x=1; trap 'sleep 100' EXIT",
]


@pytest.mark.one_in(5)
@pytest.mark.parametrize("script", STOPPED)
def test_a_session_continues_after_a_stopped_run(session: Session, script: str) -> None:
    result = session.run(script, timeout=patient(0.2))
    assert isinstance(result.ended, Stopped) and not result.ok
    assert (
        session.run("echo $x ${#FUNCNAME[@]}; a() { local x=5; echo $x; }; a", timeout=patient(30)).text == "1 0\n5\n"
    )


def test_background_jobs_and_descriptors_end_with_their_run(session: Session) -> None:
    session.run("exec 3>/tmp/f; { sleep 0.3; echo late > /tmp/late; } &")
    assert session.run("echo x 2>/dev/null >&3 || echo closed; jobs").text == "closed\n"
    time.sleep(0.5)
    assert session.run("cat /tmp/late 2>/dev/null || echo none").text in ("none\n", "late\n")


def test_seconds_count_from_the_first_run(session: Session) -> None:
    session.run("SECONDS=100")
    assert session.run("echo $(( SECONDS >= 100 ))").text == "1\n"


def test_the_directory_and_environment_of_a_session(session: Session) -> None:
    assert session.cwd == "/home/user"
    assert session.env == {"HOME": "/home/user", "PWD": "/home/user", "SHLVL": "1"}
    session.run("export A='x y'; B=2; cd /data")
    assert session.cwd == "/data"
    assert session.env.items() >= {"A": "x y", "PWD": "/data"}.items() and "B" not in session.env
    session.reset()
    assert session.cwd == "/home/user" and "A" not in session.env
    assert session.run("echo [$B]; cat /data/x").text == "[]\n1\n"


def test_files_from_outside(session: Session) -> None:
    session.fs.write_text("/tmp/in", "über\n")
    assert session.run("cat /tmp/in; echo out > /tmp/out").text == "über\n"
    assert session.fs.read_text("/tmp/out") == "out\n"
    assert session.fs.listdir("/tmp") == ["in", "out"]


# --- one at a time ------------------------------------------------------------------------------------------------------

USES: dict[str, Callable[[Session], Any]] = {
    "run": lambda session: session.run(":"),
    "env": lambda session: session.env,
    "snapshot": lambda session: session.snapshot(),
    "reset": lambda session: session.reset(),
    "arun": lambda session: asyncio.run(session.arun(":")),
}


@pytest.mark.parametrize("use", USES)
def test_a_second_use_meanwhile_is_an_error_and_changes_nothing(session: Session, use: str) -> None:
    began = threading.Event()
    results = []

    def work() -> None:
        script = "x=1; echo on; stuck; echo $x"
        results.append(session.run(script, on_output=lambda name, text: began.set()))

    thread = threading.Thread(target=work)
    thread.start()
    assert began.wait(patient(30))
    with pytest.raises(SessionBusyError, match="running a script; wait for its end"):
        USES[use](session)
    HELD.set()
    thread.join()
    assert results[0].text == "on\n1\n"
    assert session.run("echo $x").text == "1\n"


def test_a_command_of_the_script_cannot_use_the_session_of_the_script() -> None:
    @utility("again", summary="Run the session once more.")
    def again(call: Call) -> str:
        with pytest.raises(SessionBusyError):
            session.run(":")
        return "refused\n"

    session = Shell.sandbox(utilities=[again]).session()
    assert session.run("again").text == "refused\n"


def test_many_threads_get_a_result_or_an_error() -> None:
    session = Shell.sandbox().session()
    found: list[str] = []

    def work(number: int) -> None:
        for _ in range(20):
            try:
                found.append(session.run(f"n=$(( n + 1 )); local_{number}=$n; echo $n").text)
            except SessionBusyError:
                found.append("busy")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ran = [text for text in found if text != "busy"]
    assert len(found) == 80 and sorted(map(int, ran)) == list(range(1, len(ran) + 1))


# --- coroutines ---------------------------------------------------------------------------------------------------------


def test_arun_blocks_no_loop_and_a_cancel_ends_the_run(session: Session) -> None:
    async def main() -> None:
        ticks = 0
        began = asyncio.Event()
        loop = asyncio.get_running_loop()

        def signal_begun(name: str, text: str) -> None:
            loop.call_soon_threadsafe(began.set)

        task = asyncio.create_task(session.arun("kept=1; echo on; while :; do :; done", on_output=signal_begun))
        await began.wait()
        while ticks < 5:
            await asyncio.sleep(0.01)
            ticks += 1
        assert not task.done()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await session.arun("echo $kept $?")).text == "1 130\n"

    asyncio.run(main())


def test_a_run_that_was_cancelled_twice_is_waited_for(session: Session) -> None:
    async def main() -> None:
        began = asyncio.Event()
        loop = asyncio.get_running_loop()
        script = "trap 'heard=bye' EXIT; echo on; sleep 100"
        task = asyncio.create_task(
            session.arun(script, on_output=lambda *_: loop.call_soon_threadsafe(began.set))  # type: ignore[arg-type, return-value]
        )
        await began.wait()
        task.cancel()
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await session.arun("echo $heard")).text == "bye\n"

    asyncio.run(main())


def test_a_run_that_does_not_return_is_abandoned_by_reset(session: Session) -> None:
    async def main() -> None:
        task = asyncio.create_task(session.arun("kept=1; stuck; echo late > /tmp/late"))
        await asyncio.to_thread(HOLDING.wait, patient(30))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        with pytest.raises(SessionBusyError, match=r"has not ended; reset\(\) starts again"):
            await session.arun(":")
        session.reset()
        assert (await session.arun("echo [$kept]")).text == "[]\n"
        HELD.set()
        await asyncio.sleep(0.2)
        assert not session.fs.exists("/tmp/late")

    asyncio.run(main())


def test_a_scope_of_the_caller_cancels(session: Session) -> None:
    with CancelScope() as scope:
        threading.Timer(0.1, scope.cancel).start()
        result = session.run("while :; do :; done", scope=scope)
    assert isinstance(result.ended, Stopped) and result.ended.reason == "cancelled"
    assert session.run("echo on").ok


# --- output as it comes -------------------------------------------------------------------------------------------------


def test_the_pieces_are_the_output(session: Session) -> None:
    pieces: list[tuple[str, str]] = []
    script = "printf 'a\\303'; sleep 0.05; printf '\\274\\377\\n'; echo e >&2; seq 3 | cat; (echo sub); printf '\\303'"
    result = session.run(script, on_output=lambda name, text: pieces.append((name, text)))
    assert "".join(text for name, text in pieces if name == "stdout") == result.text == "aü\ufffd\n1\n2\n3\nsub\n\ufffd"
    assert "".join(text for name, text in pieces if name == "stderr") == "e\n"
    assert pieces[0] == ("stdout", "a")


def test_an_exception_of_the_callback_ends_the_run_and_is_raised(session: Session) -> None:
    def fails(name: str, text: str) -> None:
        raise LookupError(text)

    with pytest.raises(LookupError, match="one"):
        session.run("x=1; echo one || :; echo two > /tmp/two", on_output=fails)
    assert session.run("echo $x; cat /tmp/two 2>/dev/null").text == "1\n"


def test_the_limit_of_output_still_stops() -> None:
    session = Shell.sandbox(limits=Limits(output=100)).session()
    told: list[str] = []
    result = session.run("yes || echo hidden", on_output=lambda name, text: told.append(text))
    assert isinstance(result.ended, Stopped) and result.ended.limit == "output"
    assert len("".join(told)) <= 100


def test_a_stream_and_its_result(session: Session) -> None:
    async def main() -> None:
        stream = session.stream("echo one; sleep 0.05; echo two >&2; exit 3")
        with pytest.raises(RuntimeError, match="read its output to the end first"):
            _ = stream.result
        assert [part async for part in stream] == [("stdout", "one\n"), ("stderr", "two\n")]
        assert stream.result.status == 3 and stream.result.stdout == b"one\n"
        with pytest.raises(RuntimeError, match="can be read only once"):
            async for _ in stream:
                pass

    asyncio.run(main())


def test_a_reader_that_stops_ends_the_run(session: Session) -> None:
    async def main() -> None:
        from contextlib import aclosing

        async with aclosing(aiter(session.stream("kept=1; echo on; while :; do :; done"))) as parts:  # type: ignore[type-var]
            async for _ in parts:
                break
        assert (await session.arun("echo $kept")).text == "1\n"

    asyncio.run(main())


WRONG = {
    "a script that is none": (lambda session: session.run(["ls"]), "a script must be a str"),
    "a timeout that is none": (lambda session: session.run(":", timeout="5"), "timeout must be a number of seconds"),
    "a callback that is none": (lambda session: session.run(":", on_output=5), "on_output must be callable with"),
    "a snapshot that is none": (lambda session: session.restore(b"x"), "takes a Snapshot, from snapshot"),
    "a stream of no script": (lambda session: session.stream(None), "a script must be a str"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_calls_name_the_right_form(session: Session, case: str) -> None:
    call, message = WRONG[case]
    with pytest.raises(TypeError, match=message):
        call(session)
    assert session.run("echo on").ok
