"""md5sum, sha1sum, ..., b2sum: compute and check checksums of files (GNU coreutils 9.1)."""

from __future__ import annotations

from ...command import Call, Flag, RawArgument, utility
from ...command.utility import Run
from ...errors import UsageError
from ...text import encode, paced
from ..support.kinds import Count
from ..support.quoting import quote
from .checking import ALGORITHMS, Algorithm, Checker, Reader, digest_file, escaped

VERIFYING = (
    Flag("--ignore-missing", help="don't fail or report status for missing files"),
    Flag("--quiet", help="don't print OK for each successfully verified file"),
    Flag("--status", help="don't output anything, status code shows success"),
    Flag("--strict", help="exit non-zero for improperly formatted checksum lines"),
    Flag("-w", "--warn", help="warn about improperly formatted checksum lines"),
)
_FLAGS = (
    Flag("-b", "--binary", help="read in binary mode"),
    Flag("-c", "--check", help="read checksums from the FILEs and check them"),
    Flag("--tag", help="create a BSD-style checksum"),
    Flag("-t", "--text", help="read in text mode (default)"),
    Flag("-z", "--zero", help="end each output line with NUL, not newline, and disable file name escaping"),
    *VERIFYING,
)
_USAGE = "[OPTION]... [FILE]..."
_VERSION = "GNU coreutils 9.1"


def length_flag(name: str) -> Flag:
    """Return the flag ``-l`` of a program."""
    bits_of = Count("length")

    def read(argument: RawArgument) -> int:
        bits = bits_of(argument)
        if bits % 8:
            wrong = f"invalid length: {quote(argument.text, argument.env)}"
            raise UsageError(f"{wrong}\n{name}: length is not a multiple of 8", hint=False)
        return bits

    help = "digest length in bits, at most 512 and a multiple of 8"
    return Flag("-l", "--length", value="BITS", kind=read, help=help)


def length_of(call: Call, most: int, tag: str) -> int:
    """Return the digest length of ``-l``; 0 or no option means the longest."""
    bits = call.opts.integer("length", 0)
    if bits > most:
        call.error(f"invalid length: {quote(call.opts.value('length'), call.env)}")
        raise UsageError(f"maximum digest length for {quote(tag, call.env)} is {most} bits", hint=False)
    return bits or most


def refuse_without_check(call: Call) -> None:
    """Raise UsageError for options that are only valid with ``--check``."""
    how = call.opts.last_of("status", "warn", "quiet")  # the last one overrides the others
    for dest in ("ignore_missing", how, "strict"):
        if dest is not None and dest in call.opts:
            option = dest.replace("_", "-")
            raise UsageError(f"the --{option} option is meaningful only when verifying checksums")


def write_sums(call: Call, algorithm: Algorithm, bits: int, *, tagged: bool, binary: bool) -> int:
    """Write a checksum line for each file; return the exit status."""
    end = "\0" if call.opts.zero else "\n"
    failed = False
    for name in paced(call.args or ["-"]):
        found = digest_file(call, name, algorithm, bits)
        if found is None:
            failed = True
            continue
        mark, shown = "", name
        needs_escapes = bool(set(name) & set("\\\n\r"))
        if needs_escapes and end == "\n":  # with -z a name may contain any character
            mark, shown = "\\", escaped(name)
        if tagged:
            line = f"{mark}{algorithm.named(bits)} ({shown}) = {found}{end}"
        else:
            mode = "*" if binary else " "
            line = f"{mark}{found} {mode}{shown}{end}"
        call.out.write(encode(line))
    return int(failed)


def check_lists(call: Call, checker: Checker, *kinds: Algorithm, tagged: bool = False) -> int:
    """Check each checksum list; return the exit status."""
    good = True
    for name in paced(call.args or ["-"]):
        good &= checker.check(name, Reader(kinds, tagged=tagged))
    return int(not good)


def _command(name: str) -> Run:
    algorithm = ALGORITHMS[name]

    def run(call: Call) -> int:
        opts = call.opts
        bits = algorithm.bits
        if algorithm.lengths:
            bits = length_of(call, algorithm.bits, algorithm.tag)
        mode = opts.last_of("binary", "text", "tag")
        tagged = "tag" in opts
        if tagged and mode == "text":
            raise UsageError("--tag does not support --text mode")
        if "check" not in opts:
            refuse_without_check(call)
            return write_sums(call, algorithm, bits, tagged=tagged, binary=mode == "binary")
        if "zero" in opts:
            raise UsageError("the --zero option is not supported when verifying checksums")
        if tagged:
            raise UsageError("the --tag option is meaningless when verifying checksums")
        if mode is not None:
            raise UsageError("the --binary and --text options are meaningless when verifying checksums")
        return check_lists(call, Checker(call, algorithm.tag), algorithm)

    return run


md5sum = utility(
    "md5sum",
    summary="Print or check MD5 (128-bit) checksums.",
    version=_VERSION,
    usage=_USAGE,
    flags=_FLAGS,
    paths=True,
)(_command("md5"))
sha1sum = utility(
    "sha1sum",
    summary="Print or check SHA1 (160-bit) checksums.",
    version=_VERSION,
    usage=_USAGE,
    flags=_FLAGS,
    paths=True,
)(_command("sha1"))
sha224sum = utility(
    "sha224sum",
    summary="Print or check SHA224 (224-bit) checksums.",
    version=_VERSION,
    usage=_USAGE,
    flags=_FLAGS,
    paths=True,
)(_command("sha224"))
sha256sum = utility(
    "sha256sum",
    summary="Print or check SHA256 (256-bit) checksums.",
    version=_VERSION,
    usage=_USAGE,
    flags=_FLAGS,
    paths=True,
)(_command("sha256"))
sha384sum = utility(
    "sha384sum",
    summary="Print or check SHA384 (384-bit) checksums.",
    version=_VERSION,
    usage=_USAGE,
    flags=_FLAGS,
    paths=True,
)(_command("sha384"))
sha512sum = utility(
    "sha512sum",
    summary="Print or check SHA512 (512-bit) checksums.",
    version=_VERSION,
    usage=_USAGE,
    flags=_FLAGS,
    paths=True,
)(_command("sha512"))
b2sum = utility(
    "b2sum",
    summary="Print or check BLAKE2b checksums.",
    paths=True,
    version=_VERSION,
    usage=_USAGE,
    flags=(*_FLAGS, length_flag("b2sum")),
)(_command("blake2b"))
