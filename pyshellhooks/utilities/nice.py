"""nice: run a command with another niceness (POSIX XCU nice; GNU coreutils 9.1).

Niceness is a hint, and only the host application may change that of this process (rule 2): the command runs with the
process's niceness.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..command import Call, Flag, Flags, Options, RawArgument, reason, utility
from ..errors import UsageError
from ..fs.identity import identity
from ..regexes import lazy_pattern
from ..text import encode
from .support.kinds import Number
from .support.quoting import quote

_OLD = lazy_pattern(r"-[-+]?[0-9]")
_ADJUSTMENT = Number("invalid adjustment {q}", -(10**40), 10**40)


class _WithOld(Flags):
    """Flags that also accept ``-5``, ``--5`` and ``-+5`` before the command."""

    def parse(self, argv: Sequence[str], env: Mapping[str, str]) -> tuple[Options, list[str]]:
        words = list(argv)
        at = 0
        while at < len(words) and words[at].startswith("-") and words[at] not in ("-", "--"):
            word = words[at]
            if _OLD.match(word):
                words[at] = f"-n{word[1:]}"
            elif word == "-n" or (len(word) > 2 and "--adjustment".startswith(word)):
                at += 1  # the next word is the value, even -5
            at += 1
        return super().parse(words, env)


@utility(
    "nice",
    summary="Run COMMAND with an adjusted niceness (no effect: COMMAND keeps the niceness of this process), or print the niceness.",
    version="GNU coreutils 9.1",
    usage="[OPTION] [COMMAND [ARG]...]",
    flags=_WithOld(
        [Flag("-n", "--adjustment", value="N", help="add integer N to the niceness (default 10)")], permute=False
    ),
    usage_status=125,
    error_status=125,
)
def nice(call: Call) -> int:
    # Only the last value counts, so the flag has no kind, which would check each.
    _ADJUSTMENT(RawArgument(call.opts.value("adjustment", "10"), call.env))
    if not call.args:
        if "adjustment" in call.opts:
            raise UsageError("a command must be given with an adjustment")
        call.out.write(encode(f"{identity(call.fs).niceness()}\n"))
        return 0
    try:
        return call.exec(call.args)
    except (FileNotFoundError, PermissionError, NotADirectoryError) as error:
        call.error(f"{quote(call.args[0], call.env)}: {reason(error)}")
        return 127 if isinstance(error, FileNotFoundError) else 126
