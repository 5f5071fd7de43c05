"""nice: run a command with another niceness (POSIX XCU nice; GNU coreutils 9.1).

Niceness is a hint, and this process's own is the host's (rule 2): the command runs, as nicely as the process does.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..command import Call, Flag, Flags, Options, reason, utility
from ..errors import UsageError
from ..fs.identity import identity
from ..regexes import lazy_pattern
from ..text import encode
from .quoting import quote

_OLD = lazy_pattern(r"-[-+]?[0-9]")
_NUMBER = lazy_pattern(r"[ \t\n\v\f\r]*[-+]?[0-9]+\Z")


class _WithOld(Flags):
    """Also takes ``-5``, ``--5`` and ``-+5``, up to the command."""

    def parse(self, argv: Sequence[str], *, posixly_correct: bool = False) -> tuple[Options, list[str]]:
        words = list(argv)
        at = 0
        while at < len(words) and words[at].startswith("-") and words[at] not in ("-", "--"):
            if _OLD.match(words[at]):
                words[at] = f"-n{words[at][1:]}"
            elif words[at] == "-n" or (len(words[at]) > 2 and "--adjustment".startswith(words[at])):
                at += 1
            at += 1
        return super().parse(words, posixly_correct=posixly_correct)


@utility(
    "nice",
    summary="Run COMMAND with an adjusted niceness (a hint: it keeps the one of this process), or print the niceness.",
    usage="[OPTION] [COMMAND [ARG]...]",
    flags=_WithOld(
        [Flag("-n", "--adjustment", value="N", help="add integer N to the niceness (default 10)")], permute=False
    ),
    usage_status=125,
    error_status=125,
)
def nice(call: Call) -> int:
    adjustment = call.opts.value("adjustment", "10")
    if not _NUMBER.match(adjustment):
        raise UsageError(f"invalid adjustment {quote(adjustment, call.env)}", hint=False)
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
