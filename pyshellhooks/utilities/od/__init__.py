"""od: dump files in octal and other formats (POSIX XCU od; GNU coreutils 9.1)."""

from __future__ import annotations

from ...command import Call, Flag, utility
from ..support.kinds import UNITS, Argument, Choice
from .command import radix_of, run_od

_ORDER = Choice("little", "big")
_BYTES = Argument(units=UNITS, base=0)
_WIDTH = Argument()


@utility(
    "od",
    paths=True,
    summary="Write an unambiguous representation, octal bytes by default, of FILE to standard output.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... [FILE]...",
    flags=[
        Flag(
            "-A", "--address-radix", value="RADIX", kind=radix_of, help="format of file offsets: d, o, x or n for none"
        ),
        Flag("--endian", value="ORDER", kind=_ORDER, help="swap input bytes to this order: big or little"),
        Flag("-j", "--skip-bytes", value="BYTES", kind=_BYTES, help="skip BYTES input bytes first"),
        Flag("-N", "--read-bytes", value="BYTES", kind=_BYTES, help="limit dump to BYTES input bytes"),
        Flag("-S", value="BYTES", kind=_BYTES, dest="strings", help="output strings of at least BYTES graphic chars"),
        Flag("--strings", value="BYTES", optional=True, kind=_BYTES, help="likewise; 3 if not given"),
        Flag("-t", "--format", value="TYPE", help="select output format or formats: a, c, d, f, o, u, x, with sizes"),
        Flag("-v", "--output-duplicates", help="do not use * to mark line suppression"),
        Flag(
            "-w",
            "--width",
            value="BYTES",
            optional=True,
            kind=_WIDTH,
            help="BYTES bytes per output line; 32 if not given",
        ),
        Flag("-a", help="same as -t a, select named characters, ignoring high-order bit"),
        Flag("-b", help="same as -t o1, select octal bytes"),
        Flag("-c", help="same as -t c, select printable characters or backslash escapes"),
        Flag("-d", help="same as -t u2, select unsigned decimal 2-byte units"),
        Flag("-D", help="same as -t u4"),
        Flag("-e", "-F", help="same as -t fD"),
        Flag("-f", help="same as -t fF, select floats"),
        Flag("-h", "-x", help="same as -t x2, select hexadecimal 2-byte units"),
        Flag("-H", "-X", help="same as -t x4"),
        Flag("-i", help="same as -t dI, select decimal ints"),
        Flag("-I", "-L", "-l", help="same as -t dL, select decimal longs"),
        Flag("-o", "-B", help="same as -t o2, select octal 2-byte units"),
        Flag("-O", help="same as -t o4"),
        Flag("-s", help="same as -t d2, select decimal 2-byte units"),
    ],
)
def od(call: Call) -> int:
    """Print offsets and values; repeated lines are printed as one ``*``."""
    return run_od(call)
