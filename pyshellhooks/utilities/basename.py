"""basename: strip directory and suffix (POSIX XCU basename; GNU coreutils 9.1)."""

from __future__ import annotations

from ..command import Call, Flag, Flags, utility
from ..errors import UsageError
from ..text import encode
from .support.quoting import quote


def base_of(path: str) -> str:
    """Return the last component of a path."""
    stripped = path.rstrip("/")
    if not stripped:
        return "/" if path else ""
    return stripped.rpartition("/")[2]


@utility(
    "basename",
    paths=True,
    summary="Print NAME with any leading directory components removed.",
    version="GNU coreutils 9.1",
    usage="NAME [SUFFIX]  or:  basename OPTION... NAME...",
    flags=Flags(
        [
            Flag("-a", "--multiple", help="support multiple arguments and treat each as a NAME"),
            Flag("-s", "--suffix", value="SUFFIX", help="remove a trailing SUFFIX; implies -a"),
            Flag("-z", "--zero", help="end each output line with NUL, not newline"),
        ],
        permute=False,
    ),
)
def basename(call: Call) -> int:
    names = call.operands()
    suffix = call.opts.value("suffix")
    if not names:
        raise UsageError("missing operand")
    if not (call.opts.multiple or "suffix" in call.opts):
        if len(names) > 2:
            raise UsageError(f"extra operand {quote(names[2], call.env)}")
        if len(names) == 2:
            names, suffix = names[:1], names[1]
    end = b"\0" if call.opts.zero else b"\n"
    for name in names:
        base = base_of(name)
        if suffix and base != suffix and base.endswith(suffix):
            base = base[: -len(suffix)]
        call.out.write(encode(base) + end)
    return 0
