"""shasum: SHA checksums, computed and checked as by Perl's program (Digest::SHA 6.02)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...command import Call, Flag, reason, utility
from ...errors import UsageError
from ...text import encode, paced
from .checking import ALGORITHMS, Algorithm, Checker, Expected, Filter, Reader, digest_file, escaped

_KINDS = {"1": "sha1", "224": "sha224", "256": "sha256", "384": "sha384", "512": "sha512"}
_KINDS |= {"512224": "sha512224", "512256": "sha512256"}
_HELP = "Type shasum -h for help"
_CHECKING = ("ignore_missing", "quiet", "status", "strict", "warn")


def _newlines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Convert all line ends to newlines (``-U``)."""
    buffer = b""
    for chunk in chunks:
        chunk = buffer + chunk
        buffer = chunk[-1:] if chunk.endswith(b"\r") else b""
        yield chunk[: len(chunk) - len(buffer)].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if buffer:
        yield b"\n"  # a carriage return at the very end


def _bits(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Convert characters 0 and 1 to bits (``-0``)."""
    buffer = ""
    for chunk in chunks:
        buffer += chunk.translate(None, delete=bytes(set(range(256)) - set(b"01"))).decode()
        whole = len(buffer) // 8 * 8
        if whole:
            yield int(buffer[:whole], 2).to_bytes(whole // 8, "big")
        buffer = buffer[whole:]  # the bits of an incomplete byte
    if buffer:
        raise UsageError("-0 is supported for whole bytes of bits only", hint=False)


# Modes that --tag does not support, with their names in the message.
_UNTAGGED = {"text": "--text", "UNIVERSAL": "Universal Newlines", "01": "BITS"}
_FILTERS: dict[str, Filter] = {"U": _newlines, "^": _bits}


class _Checker(Checker):
    def __init__(self, call: Call) -> None:
        super().__init__(call, "SHA")
        self.kind = "SHA "
        self.skips_empty = self.reports_unread = False
        self.input = "standard input"
        self.quiet, self.silent, self.warn = (dest in call.opts for dest in ("quiet", "status", "warn"))

    def named(self, name: str) -> str:
        return name

    def through(self, expected: Expected) -> Filter | None:
        return _FILTERS.get(expected.mode)


def _wrong(call: Call, message: str) -> int:
    call.error(message)
    call.stderr.write(encode(_HELP + "\n"))
    return 1


@utility(
    "shasum",
    paths=True,
    summary="Print or check SHA checksums.",
    usage="[OPTION]... [FILE]...",
    flags=[
        Flag("-a", "--algorithm", value="N", help="1 (default), 224, 256, 384, 512, 512224, 512256"),
        Flag("-b", "--binary", help="read in binary mode"),
        Flag("-c", "--check", help="read SHA sums from the FILEs and check them"),
        Flag("--tag", help="create a BSD-style checksum"),
        Flag("-t", "--text", help="read in text mode (default)"),
        Flag("-U", "--UNIVERSAL", help="read in Universal Newlines mode: same digest on Windows/Unix/Mac"),
        Flag("-0", "--01", help="read in BITS mode: ASCII 0 and 1 are bits, all other characters ignored"),
        Flag("--ignore-missing", help="don't fail or report status for missing files"),
        Flag("-q", "--quiet", help="don't print OK for each successfully verified file"),
        Flag("-s", "--status", help="don't output anything, status code shows success"),
        Flag("--strict", help="exit non-zero for improperly formatted checksum lines"),
        Flag("-w", "--warn", help="warn about improperly formatted checksum lines"),
        Flag("-h", help="display this help and exit", dest="help"),
        Flag("-v", "--version", help="output version information and exit"),
    ],
)
def shasum(call: Call) -> int:
    opts = call.opts
    if "help" in opts:
        call.out.write(encode(shasum.help()))
        return 0
    name = _KINDS.get(opts.value("algorithm", "1"))
    if name is None:
        return _wrong(call, "Unrecognized algorithm")
    if "version" in opts:
        call.out.write(b"6.02\n")  # as in Perl 5.36, without the program's name
        return 0
    modes = {dest for dest, _ in opts.given} & {"binary", "text", "UNIVERSAL", "01"}
    if len(modes) > 1:
        return _wrong(call, "Ambiguous file mode")
    checks = "check" in opts
    needing = next((dest for dest in _CHECKING if dest in opts), "")
    if needing and not checks:
        return _wrong(call, f"--{needing.replace('_', '-')} option used only when verifying checksums")
    if opts.tag and (refused := _UNTAGGED.get(next(iter(modes), ""))):
        return _wrong(call, f"--tag does not support {refused} mode")
    if not checks:
        return _write(call, ALGORITHMS[name], modes.pop() if modes else "text")
    return _check(call, ALGORITHMS[name])


def _check(call: Call, chosen: Algorithm) -> int:
    kinds = [ALGORITHMS[kind] for kind in _KINDS.values() if "/" not in ALGORITHMS[kind].tag]
    if "/" in chosen.tag:
        kinds = [chosen, *kinds]
    good = True
    for name in paced(call.args or ["-"]):
        try:
            if name != "-":
                call.fs.stat(call.path(name))
        except OSError as error:
            call.error(f"{name}: {reason(error)}")
            return error.errno or 2  # the exit status of Perl's die
        good &= _Checker(call).check(name, Reader(kinds, modes=" *U^"))
    return int(not good)


def _write(call: Call, algorithm: Algorithm, mode: str) -> int:
    mark = {"binary": "*", "text": " ", "UNIVERSAL": "U", "01": "^"}[mode]
    failed = False
    for name in paced(call.args or ["-"]):
        found = digest_file(call, name, algorithm, algorithm.bits, through=_FILTERS.get(mark))
        if found is None:
            failed = True
            continue
        start = "\\" if set(name) & set("\\\n") else ""
        shown = escaped(name) if start else name
        if call.opts.tag:
            line = f"{algorithm.tag} ({shown}) = {found}"
        else:
            line = f"{found} {mark}{shown}"
        call.out.write(encode(f"{start}{line}\n"))
    return int(failed)
