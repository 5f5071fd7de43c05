"""uname: print system information (POSIX XCU uname; GNU coreutils 9.1)."""

from __future__ import annotations

from ..command import Call, Flag, utility
from ..errors import UsageError
from ..fs.identity import identity
from ..text import encode
from .support.quoting import quote

_ORDER = (
    "kernel_name",
    "nodename",
    "kernel_release",
    "kernel_version",
    "machine",
    "processor",
    "hardware_platform",
    "operating_system",
)


@utility(
    "uname",
    summary="Print certain system information. With no OPTION, same as -s.",
    version="GNU coreutils 9.1",
    usage="[OPTION]...",
    flags=[
        Flag("-a", "--all", help="print all known information"),
        Flag("-s", "--kernel-name", "--sysname", help="print the kernel name"),
        Flag("-n", "--nodename", help="print the network node hostname"),
        Flag("-r", "--kernel-release", "--release", help="print the kernel release"),
        Flag("-v", "--kernel-version", help="print the kernel version"),
        Flag("-m", "--machine", help="print the machine hardware name"),
        Flag("-p", "--processor", help="print the processor type (non-portable: unknown)"),
        Flag("-i", "--hardware-platform", help="print the hardware platform (non-portable: unknown)"),
        Flag("-o", "--operating-system", help="print the operating system"),
    ],
)
def uname(call: Call) -> int:
    if call.args:
        raise UsageError(f"extra operand {quote(call.args[0], call.env)}")
    host = identity(call.fs)
    name, release, version, machine = host.system()
    facts = {
        "kernel_name": name,
        "nodename": host.hostname(),
        "kernel_release": release,
        "kernel_version": version,
        "machine": machine,
        "operating_system": _operating_system(name),
    }
    flags = {dest for dest, _ in call.opts.given}
    if "all" in flags:
        wanted = [dest for dest in _ORDER if dest in facts]
    else:
        wanted = [dest for dest in _ORDER if dest in flags] or ["kernel_name"]
    call.out.write(encode(" ".join(facts.get(dest, "unknown") for dest in wanted) + "\n"))
    return 0


def _operating_system(kernel: str) -> str:
    """Return the operating system as macOS and MSYS2 print it; the kernel decides, as it does for ``$OSTYPE``."""
    if kernel.startswith("MSYS"):
        return "Msys"
    return "GNU/Linux" if kernel == "Linux" else kernel
