"""The worker process: compiles and runs jq programs until its standard input ends.

Run by path with ``-I -S`` and the directory of the ``jq`` binding as its argument; imports nothing of the package. What
goes wrong inside libjq (a loop, an abort, a stack that overflows) ends this process and no other.

A request is five big-endian numbers (lengths of three texts, seconds of processor time, megabytes) and the texts: the
program as it is to be compiled; JSON ``[filter, names, TZ, check]``, which is for libjq's words about a program that does
not compile, for local time, and whether the filter must compile by itself, too; and the input. An answer is blocks
of a letter, a length and a text: ``r`` JSON array of results, ``e`` an error of libjq's parser, ``c`` the program does not
compile; the last block is ``.`` and empty.
"""

import json
import os
import struct
import sys
import time
from time import monotonic

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

REQUEST = struct.Struct(">IIIII")
BLOCK = struct.Struct(">cI")
KEPT = 64  # compiled programs


class Requests:
    """Standard input, cut into requests."""

    def __init__(self) -> None:
        self.left = b""

    def take(self, size: int) -> bytes:
        """Give exactly ``size`` bytes; the end of the input ends the process."""
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


def block(letter: bytes, text: str) -> bytes:
    """Give one block of an answer."""
    data = text.encode("utf-8", "surrogatepass")
    return BLOCK.pack(letter, len(data)) + data


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


def unbound() -> None:
    """Stop the watchdog where there is one."""
    if resource is None:
        import faulthandler

        faulthandler.cancel_dump_traceback_later()


def set_zone(zone: "str | None") -> None:
    """Make a time zone this process's: it has no other use."""
    if zone is None:
        os.environ.pop("TZ", None)
    else:
        os.environ["TZ"] = zone
    if hasattr(time, "tzset"):
        time.tzset()


def complaint(jq, description: str) -> str:  # type: ignore[no-untyped-def]
    """Give libjq's words about the filter as it was written, or "" if alone it compiles."""
    filter_, names = json.loads(description)[:2]
    named = {name: None for name in names}
    try:
        jq.compile(filter_, args={**named, "ARGS": {"positional": [], "named": named}})
    except ValueError as error:
        return str(error)
    return ""


def answer(jq, programs, source: str, description: str, data: str) -> bytes:  # type: ignore[no-untyped-def]
    """Run one request; gives the last blocks, writes those before."""
    program = programs.get(source)
    if program is None:
        if json.loads(description)[3] and (text := complaint(jq, description)):
            return block(b"c", text)
        try:
            program = jq.compile(source)
        except ValueError as error:
            return block(b"c", complaint(jq, description) or str(error))
        if len(programs) >= KEPT:
            programs.clear()
        programs[source] = program
    results: list[object] = []
    size = 0
    since = monotonic()
    try:
        for result in program.input_text(data):
            results.append(result)
            size += len(result) if isinstance(result, str) else 1
            if size > 32768 or monotonic() - since > 0.02:
                write(block(b"r", json.dumps(results)))
                results = []
                size = 0
                since = monotonic()
    except ValueError as error:
        return (block(b"r", json.dumps(results)) if results else b"") + block(b"e", str(error))
    return block(b"r", json.dumps(results)) if results else b""


def main() -> None:
    """Serve."""
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.path.append(sys.argv[1])
    import jq

    programs: dict[str, object] = {}
    requests = Requests()
    last_description = ""
    while True:
        lengths = REQUEST.unpack(requests.take(REQUEST.size))
        texts = [requests.take(length).decode("utf-8", "replace") for length in lengths[:3]]
        if texts[1] != last_description:
            last_description = texts[1]
            set_zone(json.loads(last_description)[2])
        bound(lengths[3], lengths[4])
        last = answer(jq, programs, *texts)
        unbound()
        write(last + block(b".", ""))


if __name__ == "__main__":
    main()
