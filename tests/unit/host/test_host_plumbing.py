"""Bridges between in-process streams and native children on POSIX."""

from __future__ import annotations

import os
import threading
from time import monotonic, sleep

import pytest
from clock import patient
from host_runs import Run

from pyshellhooks.cancel import CancelScope
from pyshellhooks.errors import Stop
from pyshellhooks.host import pipe_bridge, threads
from pyshellhooks.streams import BytesReader, Capture, MemoryPipe, NullStream, Stream
from tests import oracles

pytestmark = [pytest.mark.not_on_windows("needs-program"), oracles.BIN_SH]

MEGABYTE = b"0123456789abcde\n" * 65536


def read_all(stream: Stream) -> bytes:
    return b"".join(iter(lambda: stream.read(65536), b""))


@pytest.mark.parametrize("size", [0, 1, 65536, 65537, 1 << 20])
@pytest.mark.parametrize("memory_file", [True, False])
def test_a_child_reads_all_of_a_payload(size: int, memory_file: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not memory_file:
        monkeypatch.setattr(pipe_bridge, "_memory_file", lambda data: -1)
    with Run() as run:
        assert run.run("cat", BytesReader(MEGABYTE[:size]))[0] == 0
        assert run.out.getvalue() == MEGABYTE[:size]


@pytest.mark.parametrize("memory_file", [True, False])
def test_the_next_command_reads_the_input_that_a_child_leaves(
    memory_file: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not memory_file:
        monkeypatch.setattr(pipe_bridge, "_memory_file", lambda data: -1)
    with Run() as run:
        status, rest = run.run("dd bs=1 count=20 >/dev/null 2>&1", BytesReader(MEGABYTE))
        assert status == 0
        assert rest.readline() == MEGABYTE[20:32]
        assert run.run("dd bs=1 count=16 2>/dev/null", rest) == (0, rest)
        assert run.out.getvalue() == MEGABYTE[32:48]
        assert read_all(rest) == MEGABYTE[48:]


def test_a_child_that_reads_nothing_of_a_megabyte() -> None:
    with Run() as run:
        status, rest = run.run("exit 7", BytesReader(MEGABYTE))
        assert status == 7
        assert read_all(rest) == MEGABYTE


def test_the_same_stream_is_plugged_once() -> None:
    with Run() as run:
        source = BytesReader(b"one\ntwo\n")
        first = run.pipe_bridges.plug_input(source)
        assert run.pipe_bridges.plug_input(source) == first
        assert first[1].readline() == b"one\n"


def test_streams_with_descriptors_and_null_are_handed_on() -> None:
    with Run() as run:
        null = NullStream()
        fd, same = run.pipe_bridges.plug_input(null)
        assert same is null
        assert run.pipe_bridges.output_fd(null) == fd
        file = run.pipe_bridges.plug_input(BytesReader(b"x"))[1]
        assert run.pipe_bridges.plug_input(file) == (file.fileno(), file)
        assert run.pipe_bridges.output_fd(file) == file.fileno()


def test_a_megabyte_of_output() -> None:
    with Run() as run:
        assert run.run("head -c 1000000 /dev/zero")[0] == 0
        assert run.out.getvalue() == bytes(1_000_000)


def test_outputs_of_children_stay_in_order() -> None:
    with Run() as run:
        for number in range(20):
            run.run(f"echo {number}")
            run.out.write(b".")
        assert run.out.getvalue() == b"".join(b"%d\n." % number for number in range(20))


def test_a_grandchild_that_holds_stdout_does_not_delay_sync() -> None:
    with Run() as run:
        begun = monotonic()
        assert run.run("sleep 5 & echo x")[0] == 0
        assert monotonic() - begun < patient(1)
        assert run.out.getvalue() == b"x\n"


def test_a_grandchild_that_writes_for_ever_does_not_delay_sync() -> None:
    with Run() as run:
        run.out.limit = 1 << 40
        run.out._chunks = _Discard()  # type: ignore[assignment]
        begun = monotonic()
        assert run.run("yes & exit 0")[0] == 0
        assert monotonic() - begun < patient(2)


class _Discard(list[bytes]):
    def append(self, data: bytes) -> None:
        pass


def test_wait_eof_waits_for_every_writer() -> None:
    with Run() as run:
        run.run("(sleep 0.1; echo two) & echo one")
        assert run.out.getvalue().startswith(b"one\n")
        run.pipe_bridges.wait_eof(run.out, run.scope)
        assert run.out.getvalue() == b"one\ntwo\n"


def test_wait_eof_ends_with_the_scope() -> None:
    with Run() as run:
        run.start("sleep 60 &").wait(run.scope)
        begun = monotonic()
        with CancelScope(timeout=0.1, parent=run.scope) as scope, pytest.raises(Stop):
            run.pipe_bridges.wait_eof(run.out, scope)
        assert monotonic() - begun < patient(5)


def test_a_full_capture_stops_the_run() -> None:
    with Run() as run:
        run.out = Capture(1000)
        with pytest.raises(Stop) as caught:
            run.run("yes")
        assert caught.value.reason == "limit"
        assert run.scope.stop is not None and run.scope.stop.reason == "limit"


def test_output_within_the_grace_still_arrives() -> None:
    with Run(grace=2) as run:
        child = run.start("trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 0.01; done")
        run.wait_for_output(b"ready")
        run.scope.cancel("deadline")
        assert child.wait(run.scope) == 0
        run.pipe_bridges.sync(run.out)
        assert run.out.getvalue() == b"ready\nbye\n"


def test_a_reader_that_has_gone_is_sigpipe_to_the_child() -> None:
    with Run() as run:
        pipe = MemoryPipe(run.scope)
        pipe.reader.close()
        run.out = pipe.writer  # type: ignore[assignment]
        assert run.run("yes")[0] == 141


def test_an_unwritable_stream_is_an_error_after_the_child() -> None:
    class Full(Stream):
        def write(self, data: bytes, /) -> None:
            raise OSError(28, "No space left on device")

    with Run() as run:
        run.out = Full()  # type: ignore[assignment]
        with pytest.raises(OSError, match="No space left"):
            run.run("yes")
        run.pipe_bridges.sync(run.out)  # told once


def test_pipe_through_two_children_ends_early_upstream() -> None:
    with Run() as run:
        pipe = MemoryPipe(run.scope)
        pipe.writer.retain()
        pipe.reader.retain()
        ended = threading.Event()

        def yes() -> None:
            try:
                while True:
                    pipe.writer.write(b"y\n" * 1000)
            except BrokenPipeError:
                ended.set()

        threads.submit(yes)
        status, rest = run.run("head -n 1", pipe.reader)
        assert (status, run.out.getvalue()) == (0, b"y\n")
        assert not ended.is_set()  # the rest is still wanted
        rest.retain()
        pipe.reader.release()
        rest.release()
        assert ended.wait(60)


def test_a_pipe_ends_when_its_holders_and_its_writers_have() -> None:
    with Run() as run:
        pipe = MemoryPipe(run.scope)
        pipe.writer.retain()
        fd = run.pipe_bridges.output_fd(pipe.writer)
        child = run.start("(sleep 0.1; echo late) & echo now", {0: run.null(), 1: fd, 2: 2})
        child.wait(run.scope)
        run.pipe_bridges.sync(pipe.writer)
        assert pipe.reader.readline() == b"now\n"
        pipe.writer.release()
        assert read_all(pipe.reader) == b"late\n"


def test_pumps_of_released_streams_go() -> None:
    with Run() as run:
        for _ in range(20):
            run.out = Capture(100)
            run.out.retain()
            run.run("echo x")
            run.out.release()
            assert run.out.getvalue() == b"x\n"
        assert len(run.pipe_bridges._pumps) == 1
        until = monotonic() + 60  # a pump whose thread was just awake ends by itself
        while not all(pump.over for pump in run.pipe_bridges._detached) and monotonic() < until:
            sleep(0.002)
        assert all(pump.over for pump in run.pipe_bridges._detached)


def test_a_pump_that_ends_by_itself_is_forgotten() -> None:
    with Run() as run:
        run.out.retain()
        run.run("echo x")
        pump = run.pipe_bridges._pumps[id(run.out)]
        with pump._lock:  # as its thread holds it while it moves data
            run.out.release()
            run.pipe_bridges.output_fd(Capture(100))
        assert pump in run.pipe_bridges._detached
        until = monotonic() + 60
        while not pump.over and monotonic() < until:
            sleep(0.002)
        run.pipe_bridges.output_fd(Capture(100))
        assert pump not in run.pipe_bridges._detached


def test_close_leaves_no_descriptor_and_no_busy_thread() -> None:
    def once() -> int:
        with Run() as run:
            pipe = MemoryPipe(run.scope)
            pipe.writer.retain().write(b"xyz")
            run.run("yes | head -n 1; sleep 5 & exec head -c 1", pipe.reader)
            run.run("cat >/dev/null", BytesReader(MEGABYTE))
            pipe.writer.release()
        until = monotonic() + 60
        while (stats := threads.pool.stats())["idle"] < stats["alive"] and monotonic() < until:
            sleep(0.002)
        assert stats["idle"] == stats["alive"]
        return len(os.listdir("/proc/self/fd"))

    once()
    most = max(once(), once())  # bells and idle threads stay
    assert once() <= most


def test_nothing_is_opened_after_the_end() -> None:
    with Run() as run:
        run.pipe_bridges.close()
        for open_one in (
            lambda: run.pipe_bridges.output_fd(run.out),
            lambda: run.pipe_bridges.output_fd(NullStream()),
            lambda: run.pipe_bridges.plug_input(BytesReader(b"x")),
        ):
            with pytest.raises(Stop):  # a late background job; the pipe and its thread would stay for ever
                open_one()
