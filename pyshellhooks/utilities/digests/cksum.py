"""cksum and sum: CRC, BSD and System V checksums, and all other digests (POSIX XCU cksum; GNU coreutils 9.1)."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import lru_cache

from ...command import Call, Flag, utility
from ...errors import UsageError
from ...streams.base import Stream
from ...text import encode
from ..support.kinds import Choice
from ..support.records import Inputs, blocks
from .checking import ALGORITHMS, Checker
from .sums import VERIFYING, check_lists, length_flag, length_of, refuse_without_check, write_sums

_OLD = ("bsd", "sysv", "crc")
_DIGESTS = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "blake2b", "sm3")
_KIND = Choice(*_OLD, *_DIGESTS, exact=True)


@lru_cache(maxsize=1)
def _mirrored() -> bytes:
    return bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def _crc(call: Call, stream: Stream) -> str:
    # POSIX's CRC processes the highest bit first and starts at 0; zlib's processes the lowest first and starts at ~0.
    table = _mirrored()
    crc = 0xFFFFFFFF
    size = 0
    for chunk in blocks(call, stream):
        crc = zlib.crc32(chunk.translate(table), crc)
        size += len(chunk)
    length = size.to_bytes((size.bit_length() + 7) // 8, "little")
    crc = zlib.crc32(length.translate(table), crc) ^ 0xFFFFFFFF
    return f"{int(f'{crc:032b}'[::-1], 2) ^ 0xFFFFFFFF} {size}"


def _bsd(call: Call, stream: Stream) -> str:
    total = size = 0
    for chunk in blocks(call, stream):
        size += len(chunk)
        for byte in chunk:
            # BSD's sum: each step rotates the sum to the right by one bit.
            total = ((total >> 1) + ((total & 1) << 15) + byte) & 0xFFFF
    return f"{total:05} {-(-size // 1024):5}"


def _sysv(call: Call, stream: Stream) -> str:
    total = size = 0
    for chunk in blocks(call, stream):
        size += len(chunk)
        total += sum(chunk)
    total &= 0xFFFFFFFF
    total = (total & 0xFFFF) + (total >> 16)
    return f"{(total & 0xFFFF) + (total >> 16)} {-(-size // 512)}"


_SUMS: dict[str, Callable[[Call, Stream], str]] = {"crc": _crc, "bsd": _bsd, "sysv": _sysv}


def _old_sums(call: Call, kind: str) -> int:
    end = "\0" if call.opts.zero else "\n"
    inputs = Inputs(call, call.args)
    for name, stream in inputs:
        try:
            found = _SUMS[kind](call, stream)
        except (IsADirectoryError, PermissionError) as error:
            inputs.report(name, error)
            continue
        line = found
        if call.args:  # POSIX XCU cksum: no name for standard input without an operand
            line = f"{found} {name}"
        call.out.write(encode(line + end))
    return int(inputs.failed)


@utility(
    "cksum",
    paths=True,
    summary="Print or verify checksums. By default use the 32 bit CRC algorithm.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... [FILE]...",
    flags=[
        Flag(
            "-a",
            "--algorithm",
            value="TYPE",
            kind=_KIND,
            help="sysv bsd crc md5 sha1 sha224 sha256 sha384 sha512 blake2b sm3",
        ),
        Flag("-c", "--check", help="read checksums from the FILEs and check them"),
        length_flag("cksum"),
        Flag("--tag", help="create a BSD-style checksum (the default)"),
        Flag("--untagged", help="create a reversed style checksum, without digest type"),
        Flag("-z", "--zero", help="end each output line with NUL, not newline, and disable file name escaping"),
        *VERIFYING,
        Flag("--debug", help="(accepted, no effect)"),
    ],
)
def cksum(call: Call) -> int:
    opts = call.opts
    kind = opts.value("algorithm", "crc")
    if opts.integer("length", 0) and kind != "blake2b":
        raise UsageError("--length is only supported with --algorithm=blake2b", hint=False)
    bits = length_of(call, 512, "BLAKE2b") if kind == "blake2b" else 0
    if "check" in opts:
        if "zero" in opts:
            raise UsageError("the --zero option is not supported when verifying checksums")
        if "algorithm" in opts and kind in _OLD:
            raise UsageError("--check is not supported with --algorithm={bsd,sysv,crc}", hint=False)
        if kind in _OLD:
            every = [ALGORITHMS[name] for name in _DIGESTS]
            return check_lists(call, Checker(call, "CRC"), *every, tagged=True)
        return check_lists(call, Checker(call, ALGORITHMS[kind].tag), ALGORITHMS[kind])
    refuse_without_check(call)
    if kind in _OLD:
        return _old_sums(call, kind)
    algorithm = ALGORITHMS[kind]
    tagged = opts.last_of("tag", "untagged") != "untagged"
    return write_sums(call, algorithm, bits or algorithm.bits, tagged=tagged, binary=False)


@utility(
    "sum",
    paths=True,
    summary="Print BSD (16-bit) checksums.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... [FILE]...",
    flags=[
        Flag("-r", help="use BSD sum algorithm (the default), use 1K blocks"),
        Flag("-s", "--sysv", help="use System V sum algorithm, use 512 bytes blocks"),
    ],
)
def sum_(call: Call) -> int:
    if call.opts.last_of("r", "sysv") == "sysv":
        kind = "sysv"
    else:
        kind = "bsd"
    return _old_sums(call, kind)
