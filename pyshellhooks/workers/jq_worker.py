"""The worker process of jq: runs programs with libjq until its standard input ends.

Run by path with ``-I -S`` and the directory of the ``jq`` binding as its argument; imports nothing of the package. What
goes wrong inside libjq (a loop, an abort, a stack that overflows) ends this process and no other.

A request is four big-endian numbers (bytes of the program, bytes of the inputs, seconds of processor time, MiB of
memory), the program, and the inputs, JSON texts. For each input the program gives strings, results as JSON texts; an
array of one string where an error ended it, which is the error's value as JSON text; and null in the end.

An answer is events: a letter, a length and that many bytes. ``r`` is a result; ``.`` is the end of an input, and so is
``e``, an error.
The last event is ``!``: all inputs are done, or libjq can do no more, for it does not take the program or the text.
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
# The binding may have been built with another libjq, or without decimal numbers: then it has other answers than jq 1.8.2.
PROBE = '[have_decnum, ("abc" | trimstr(""))] | tojson', '[true,"abc"]'


class Requests:
    """Standard input, cut into requests."""

    def __init__(self) -> None:
        self.left = b""

    def take(self, size: int) -> bytes:
        """Return exactly ``size`` bytes; the end of the input ends the process."""
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
    """Write all to standard output."""
    view = memoryview(data)
    while view:
        view = view[os.write(1, view) :]


def event(letter: bytes, text: str = "") -> bytes:
    """Make one event."""
    data = text.encode()
    return EVENT.pack(letter, len(data)) + data


def bound(seconds: int, megabytes: int) -> None:
    """Limit the processor time and memory of the next request; beyond it the system ends this process."""
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


def answer(results) -> None:  # type: ignore[no-untyped-def]
    """Write the events of one request, but the last."""
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
    except ValueError:  # the rest is no JSON
        pass
    write(b"".join(events))


def main() -> None:
    """Serve."""
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.path.append(sys.argv[1])
    import jq

    last: tuple[str, object] = ("", None)
    requests = Requests()
    while True:
        lengths = REQUEST.unpack(requests.take(REQUEST.size))
        source, data = [requests.take(length).decode("utf-8", "replace") for length in lengths[:2]]
        bound(*lengths[2:])
        try:
            if last[1] is None and jq.compile(PROBE[0]).input_text("null").first() != PROBE[1]:
                raise ValueError("another libjq")
            if source != last[0]:
                last = source, jq.compile(source)
        except ValueError:
            os._exit(0)
        answer(last[1].input_text(data))  # type: ignore[attr-defined]
        write(event(b"!"))


if __name__ == "__main__":
    main()
