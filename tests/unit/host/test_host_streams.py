"""Streams over descriptors: exactness, waiting, the gate."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from time import monotonic, sleep

import pytest
from clock import patient

from pyshellhooks import host
from pyshellhooks.cancel import CancelScope, Gate
from pyshellhooks.errors import Stop
from pyshellhooks.host import threads
from pyshellhooks.host.streams import HostStream

LINES = b"first\nsecond line\n\nlast without newline"
BINARY = getattr(os, "O_BINARY", 0)


def file_with(path: Path, data: bytes) -> HostStream:
    path.write_bytes(data)
    return HostStream(os.open(path, os.O_RDWR | BINARY))


def pipe(scope: CancelScope | None = None, gate: Gate | None = None) -> tuple[HostStream, HostStream]:
    reader, writer = host.current().pipe()
    return HostStream(reader, scope, gate), HostStream(writer, scope, gate)


def test_lines_of_a_file_leave_the_position_exact(tmp_path: Path) -> None:
    stream = file_with(tmp_path / "f", LINES)
    position = 0
    for line in LINES.splitlines(keepends=True):
        assert stream.readline() == line
        position += len(line)
        assert os.lseek(stream.fileno() or -1, 0, os.SEEK_CUR) == position
    assert stream.readline() == b""
    stream.close()


def test_lines_of_a_pipe_consume_nothing_more() -> None:
    reader, writer = pipe()
    writer.write(LINES)
    writer.close()
    assert reader.readline() == b"first\n"
    assert os.read(reader.fileno() or -1, 6) == b"second"
    assert reader.readline(limit=3) == b" li"
    assert reader.readline(b"e") == b"ne"
    assert reader.read() == b"\n\nlast without newline"
    assert reader.readline() == b""
    reader.close()


def test_a_long_line_of_a_file(tmp_path: Path) -> None:
    stream = file_with(tmp_path / "f", b"x" * 10000 + b"\nrest")
    assert stream.readline(limit=5) == b"xxxxx"
    assert stream.readline() == b"x" * 9995 + b"\n"
    assert stream.read() == b"rest"
    stream.close()


def test_seek(tmp_path: Path) -> None:
    stream = file_with(tmp_path / "f", b"0123456789")
    assert stream.seek(4) == 4
    assert stream.read(2) == b"45"
    assert stream.seek(-1, os.SEEK_END) == 9
    stream.close()
    reader, writer = pipe()
    with pytest.raises(OSError) as caught:
        reader.seek(0)
    assert caught.value.strerror == "Illegal seek"
    reader.close()
    writer.close()


def test_closed_is_ebadf() -> None:
    reader, writer = pipe()
    reader.close()
    reader.close()
    assert reader.fileno() is None
    with pytest.raises(OSError, match="Bad file descriptor"):
        reader.read()
    with pytest.raises(BrokenPipeError):
        writer.write(b"x")
    writer.close()


def test_references_close() -> None:
    reader, writer = pipe()
    writer.retain().retain()
    writer.release()
    assert not writer.closed
    writer.release()
    assert writer.closed
    assert reader.read() == b""
    reader.close()


def test_reading_an_empty_pipe_ends_with_the_scope() -> None:
    with CancelScope(timeout=0.05) as scope:
        reader, writer = pipe(scope)
        begun = monotonic()
        with pytest.raises(Stop):
            reader.read()
        assert monotonic() - begun < patient(0.5)
        reader.close()
        writer.close()


@pytest.mark.not_on_windows("needs-poll")
def test_writing_to_a_full_pipe_ends_with_the_scope() -> None:
    with CancelScope(timeout=0.05) as scope:
        reader, writer = pipe(scope)
        with pytest.raises(Stop):
            writer.write(bytes(1 << 20))
        reader.close()
        writer.close()


def test_a_megabyte_through_a_pipe() -> None:
    with CancelScope(timeout=60) as scope:
        reader, writer = pipe(scope)
        data = os.urandom(1 << 20)
        got: list[bytes] = []
        done = threading.Event()

        def drain() -> None:
            got.extend(iter(lambda: reader.read(30000), b""))
            done.set()

        threads.submit(drain)
        writer.write(data)
        writer.close()
        assert done.wait(60)
        assert b"".join(got) == data
        reader.close()


def test_nothing_is_written_after_revoke(tmp_path: Path) -> None:
    gate = Gate()
    (tmp_path / "f").write_bytes(b"")
    stream = HostStream(os.open(tmp_path / "f", os.O_WRONLY | BINARY), None, gate)
    stream.write(b"a" * 200_000)
    gate.revoke()
    with pytest.raises(Stop):
        stream.write(b"b")
    stream.close()
    assert (tmp_path / "f").read_bytes() == b"a" * 200_000


def test_borrowed_descriptors_stay_open(tmp_path: Path) -> None:
    reader, writer = host.current().pipe()
    borrowed = HostStream(writer, owns=False)
    borrowed.write(b"x")
    borrowed.close()
    os.write(writer, b"y")
    os.close(writer)
    stream = HostStream(reader)
    assert stream.read(1) + stream.read(1) + stream.read() == b"xy"
    stream.close()


def test_the_pool_uses_threads_again() -> None:
    pool = threads.ThreadPool()
    seen: list[int] = []
    for _ in range(5):
        done = threading.Event()
        pool.submit(lambda done=done: (seen.append(threading.get_ident()), done.set()))  # type: ignore[misc]
        assert done.wait(60)
        while not pool.stats()["idle"]:
            sleep(0.001)
    assert len(set(seen)) == 1
    assert pool.stats() == {"alive": 1, "idle": 1, "submitted": 5}


def test_the_pool_never_queues() -> None:
    pool = threads.ThreadPool()
    barrier = threading.Barrier(4, timeout=2)
    for _ in range(3):
        pool.submit(lambda: (barrier.wait(), None)[1])
    assert barrier.wait() in range(4)


def test_idle_threads_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "IDLE_SECONDS", 0.01)
    pool = threads.ThreadPool()
    pool.submit(lambda: None)
    until = monotonic() + 60
    while pool.stats()["alive"] and monotonic() < until:
        sleep(0.005)
    assert pool.stats()["alive"] == 0
