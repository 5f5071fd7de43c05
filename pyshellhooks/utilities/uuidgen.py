"""uuidgen: print a new UUID (util-linux 2.38; RFC 4122)."""

from __future__ import annotations

import hashlib
import os
import re
from time import time_ns

from ..command import Call, Flag, utility
from ..errors import UsageError
from ..regexes import lazy_pattern
from ..text import encode

_NAMESPACES = {"@dns": "0", "@url": "1", "@oid": "2", "@x500": "4"}  # RFC 4122 appendix C
_SHAPE = lazy_pattern(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z")
_EPOCH = 0x01B21DD213814000  # 100 ns from 1582-10-15 to 1970


def _finish(data: bytes, version: int) -> str:
    value = int.from_bytes(data[:16], "big")
    value = value & ~(0xF << 76) | version << 76
    value = value & ~(3 << 62) | 2 << 62
    text = f"{value:032x}"
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def _timed() -> str:
    """Return a UUID of the current time. The node is random (RFC 4122 4.5), since the machine's would identify it."""
    ticks = time_ns() // 100 + _EPOCH
    node = bytearray(os.urandom(8))
    node[2] |= 1
    head = (ticks & 0xFFFFFFFF) << 32 | (ticks >> 32 & 0xFFFF) << 16 | ticks >> 48 & 0xFFF
    return _finish(head.to_bytes(8, "big") + bytes(node), 1)


def _hashed(namespace: str, name: bytes, sha1: bool) -> str:
    if namespace in _NAMESPACES:
        namespace = f"6ba7b81{_NAMESPACES[namespace]}-9dad-11d1-80b4-00c04fd430c8"
    if namespace.startswith("@"):
        raise UsageError(f"unknown namespace alias: '{namespace}'")
    if not _SHAPE.match(namespace):
        raise UsageError(f"invalid uuid for namespace: '{namespace}'")
    data = bytes.fromhex(namespace.replace("-", "")) + name
    new = hashlib.sha1 if sha1 else hashlib.md5
    return _finish(new(data, usedforsecurity=False).digest(), 5 if sha1 else 3)


@utility(
    "uuidgen",
    summary="Create a new UUID value.",
    version="util-linux 2.38.1",
    usage="[options]",
    flags=[
        Flag("-r", "--random", help="generate random-based uuid"),
        Flag("-t", "--time", help="generate time-based uuid"),
        Flag("-n", "--namespace", value="NS", help="generate hash-based uuid in this namespace (@dns @url @oid @x500)"),
        Flag("-N", "--name", value="NAME", help="generate hash-based uuid from this name"),
        Flag("-m", "--md5", help="generate md5 hash"),
        Flag("-s", "--sha1", help="generate sha1 hash"),
        Flag("-x", "--hex", help="interpret name as hex string"),
    ],
)
def uuidgen(call: Call) -> int:
    opts = call.opts
    kind = opts.last_of("md5", "sha1", "time", "random")
    hashing = kind in ("md5", "sha1")
    has_namespace = "namespace" in opts
    if has_namespace and "name" not in opts:
        raise UsageError("--namespace requires --name argument")
    if "name" in opts and not has_namespace:
        raise UsageError("--name requires --namespace argument")
    if has_namespace and not hashing:
        raise UsageError("--namespace requires --md5 or --sha1")
    if hashing and not has_namespace:
        raise UsageError("--md5 or --sha1 requires --namespace argument")
    if hashing:
        uuid = _hashed(opts.value("namespace"), _name(call), kind == "sha1")
    elif kind == "time":
        uuid = _timed()
    else:
        uuid = _finish(os.urandom(16), 4)
    call.out.write(encode(uuid) + b"\n")
    return 0


def _name(call: Call) -> bytes:
    """Return the name to hash, which --hex gives as digits."""
    text = call.opts.value("name")
    if "hex" not in call.opts:
        return encode(text)
    # fromhex() alone would accept blanks between the digits.
    if len(text) % 2 or not re.fullmatch("[0-9a-fA-F]*", text):
        raise UsageError("not a valid hex string")
    return bytes.fromhex(text)
