"""hostname: print the host's name (Debian's hostname 3.23). It never sets the name and never queries a name server."""

from __future__ import annotations

import os

from ..command import Call, Flag, reason, utility
from ..errors import UsageError
from ..fs.identity import identity
from ..text import decode, encode

_NEEDS_NETWORK = {"all_fqdns": "-A", "all_ip_addresses": "-I"}


def _entry(call: Call, name: str) -> list[str] | None:
    """Return the words of a name's line in /etc/hosts, or None: address, canonical name, aliases."""
    try:
        stream = call.fs.open("/etc/hosts", os.O_RDONLY).retain()
    except OSError:
        return None
    try:
        text = decode(stream.read(1 << 20))
    finally:
        stream.release()
    for line in text.splitlines():
        words = line.partition("#")[0].split()
        if name in words[1:]:
            return words
    return None


def _unset(call: Call) -> str:
    """Return the reason why the name is not set: the first error, or that only root may set it."""
    names = call.args
    if not names:
        try:
            names = _names_in(call, call.opts.value("file"))
        except OSError as error:
            if not call.opts.boot:
                return reason(error)
        if not names and call.opts.boot:
            names = ["localhost"]
    if not names or not all(map(_is_label, names[0].split("."))):
        return "the specified hostname is invalid"
    return "you must be root to change the host name"


def _names_in(call: Call, file: str) -> list[str]:
    """Return the lines of a file, without empty lines and comments; the first is the name."""
    stream = call.open(file, os.O_RDONLY)
    try:
        text = decode(stream.read(1 << 16))
    finally:
        stream.release()
    return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]


def _is_label(text: str) -> bool:
    if text.startswith("-") or text.endswith("-"):
        return False
    return text.isascii() and text.replace("-", "x").isalnum()


@utility(
    "hostname",
    summary="Print the host name.",
    version="Debian's hostname 3.23",
    usage="[-a|-d|-f|-i|-s|-y]",
    flags=[
        Flag("-a", "--alias", help="alias names, from /etc/hosts"),
        Flag("-A", "--all-fqdns", help="(refused: needs the network)"),
        Flag("-b", "--boot", help="set the default host name if none is set (no effect)"),
        Flag("-d", "--domain", help="DNS domain name, from /etc/hosts"),
        Flag("-f", "--fqdn", "--long", help="long host name (FQDN), from /etc/hosts"),
        Flag("-F", "--file", value="FILE", help="(refused: the host's name is not ours)"),
        Flag("-i", "--ip-address", help="addresses for the host name, from /etc/hosts"),
        Flag("-I", "--all-ip-addresses", help="(refused: needs the network)"),
        Flag("-s", "--short", help="short host name"),
        Flag("-y", "--yp", "--nis", help="NIS/YP domain name (always an error)"),
    ],
    usage_status=255,
)
def hostname(call: Call) -> int:
    opts = call.opts
    only_sets = all(dest in ("boot", "file") for dest, _ in opts.given)
    if len(call.args) > 1 or (call.args and not only_sets):
        raise UsageError(f"extra operand '{call.args[-1]}'")
    if call.args or "file" in opts:
        raise UsageError(_unset(call), 1, hint=False)
    for dest, letter in _NEEDS_NETWORK.items():
        if dest in opts:
            raise UsageError(f"{letter} is not supported: it needs the network", 1, hint=False)
    kind = opts.last_of("alias", "domain", "fqdn", "ip_address", "short", "yp")
    name = identity(call.fs).hostname()
    if kind == "yp":
        raise UsageError("Local domain name not set", 1, hint=False)
    if kind is None:
        text = name
    elif kind == "short":
        text = name.partition(".")[0]
    else:
        words = _entry(call, name)
        if words is None:
            raise UsageError("Name or service not known", 1, hint=False)
        domain = words[1].partition(".")[2]
        if kind == "domain" and not domain:
            return 0
        texts = {"alias": " ".join(words[2:]), "domain": domain, "fqdn": words[1], "ip_address": words[0]}
        text = texts[kind]
    call.out.write(encode(text) + b"\n")
    return 0
