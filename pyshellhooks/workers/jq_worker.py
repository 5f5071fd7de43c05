"""The worker process of jq: runs programs with libjq until its standard input ends.

It is run by path with ``-I -S`` and the directory of the ``jq`` binding as its argument, and imports nothing of the
package. A failure inside libjq (a loop, an abort, a stack overflow) ends only this process.

A request consists of four big-endian numbers (bytes of the program, bytes of the inputs, seconds of processor time, MiB
of memory), the program, and the inputs as JSON texts. For each input the program outputs strings, which are results as
JSON texts; an array of one string after an error, which is the error's value as JSON text; and null at the end.

An answer consists of events: a letter, a length and that many bytes. ``r`` is a result; ``.`` is the end of an input,
and so is ``e``, an error. The last event is ``!``: all inputs are done, or libjq rejects the program or the text.
"""

import os
import struct
import sys
from time import monotonic

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

REQUEST = struct.Struct(">IIII")
EVENT = struct.Struct(">cI")
# The binding may be built with another libjq or without decimal numbers, and then gives other results than jq 1.8.2.
PROBE = '[have_decnum, ("abc" | trimstr(""))] | tojson', '[true,"abc"]'


class Requests:
    """Standard input as a stream of requests."""

    def __init__(self) -> None:
        self.left = b""

    def read_exactly(self, size: int) -> bytes:
        """Return exactly ``size`` bytes. The end of the input ends the process."""
        left = self.left
        if len(left) < size:
            chunks = [left]
            missing = size - len(left)
            while missing > 0:
                chunk = os.read(0, max(missing, 1 << 16))
                if not chunk:
                    os._exit(0)
                chunks.append(chunk)
                missing -= len(chunk)
            left = b"".join(chunks)
        self.left = left[size:]
        return left[:size]


def write(data: bytes) -> None:
    """Write all data to standard output."""
    view = memoryview(data)
    while view:
        view = view[os.write(1, view) :]


def event(letter: bytes, text: str = "") -> bytes:
    """Return the bytes of one event."""
    data = text.encode()
    return EVENT.pack(letter, len(data)) + data


def bound(seconds: int, megabytes: int) -> None:
    """Limit the processor time and memory of the next request; the system ends this process above them."""
    if resource is None:
        import faulthandler

        with open(os.devnull, "w") as nowhere:
            faulthandler.dump_traceback_later(seconds, exit=True, file=nowhere)
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = int(used.ru_utime + used.ru_stime) + 1 + seconds
    if hard != resource.RLIM_INFINITY:
        soft = min(soft, hard)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    memory = megabytes << 20
    if hard != resource.RLIM_INFINITY:
        memory = min(memory, hard)
    resource.setrlimit(resource.RLIMIT_AS, (memory, hard))


def write_events(results) -> None:  # type: ignore[no-untyped-def]
    """Write the events of one request, except the last."""
    events: list[bytes] = []
    size = 0
    since = monotonic()
    failed = False
    try:
        for result in results:
            if type(result) is str:
                events.append(event(b"r", result))
            elif result is not None:
                failed = True
                events.append(event(b"e", result[0]))
            elif failed:
                failed = False
                continue
            else:
                events.append(event(b"."))
            size += len(events[-1])
            if size > 32768 or monotonic() - since > 0.005:
                write(b"".join(events))
                events = []
                size = 0
                since = monotonic()
    except ValueError:  # the rest is not JSON
        pass
    write(b"".join(events))


def main() -> None:
    """Answer requests until the input ends."""
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.path.append(sys.argv[1])
    import jq

    last: tuple[str, object] = ("", None)
    requests = Requests()
    while True:
        lengths = REQUEST.unpack(requests.read_exactly(REQUEST.size))
        source, data = [requests.read_exactly(length).decode("utf-8", "replace") for length in lengths[:2]]
        bound(*lengths[2:])
        try:
            if last[1] is None and jq.compile(PROBE[0]).input_text("null").first() != PROBE[1]:
                raise ValueError("another libjq")
            if source != last[0]:
                last = source, jq.compile(source)
        except ValueError:
            os._exit(0)
        write_events(last[1].input_text(data))  # type: ignore[attr-defined]
        write(event(b"!"))


if __name__ == "__main__":
    main()
