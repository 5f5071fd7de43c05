"""awk (POSIX XCU awk; gawk 5.2)."""

from __future__ import annotations

from ...command import Call, Flag, Flags, reason, utility
from ...errors import Stop, UsageError
from ...text import decode
from .frames import roomy
from .parser import parse
from .program import Execution, assignment
from .values import AwkError

_USAGE = "[OPTION]... [-f progfile | 'program'] [--] [file | var=value]..."
_FLAGS = Flags(
    [
        Flag("-f", "--file", value="PROGFILE", help="read the program from PROGFILE"),
        Flag("-F", "--field-separator", value="FS", help="use FS for the input field separator"),
        Flag(
            "-v", "--assign", value="VAR=VAL", help="assign the value VAL to the variable VAR before the program runs"
        ),
        Flag("-e", "--source", value="TEXT", help="use TEXT as program source code"),
        Flag("-E", "--exec", value="PROGFILE", help="(refused: use -f)"),
        Flag("-b", "--characters-as-bytes", help="treat all input data as single-byte characters"),
        Flag("-S", "--sandbox", help="disable system(), redirections and getline from them"),
        Flag("-r", "--re-interval", help="allow interval expressions (always on)"),
        Flag("-O", "--optimize", help="(accepted: there is one way to run)"),
        Flag("-s", "--no-optimize", help="(accepted: there is one way to run)"),
        Flag("-V", "--version", help="print version information and exit"),
        Flag("-c", "--traditional", help="(refused: only gawk's common part is supported)"),
        Flag("-P", "--posix", help="(refused: only gawk's common part is supported)"),
        Flag("-M", "--bignum", help="(refused: numbers are doubles)"),
        Flag("-n", "--non-decimal-data", help="(refused)"),
        Flag("-N", "--use-lc-numeric", help="(refused)"),
        Flag("-i", "--include", value="FILE", help="(refused)"),
        Flag("-l", "--load", value="LIB", help="(refused)"),
    ],
    permute=False,
)
_REFUSED = ("traditional", "posix", "bignum", "non_decimal_data", "use_lc_numeric", "include", "load", "exec")


@utility(
    "awk", summary="Scan for patterns and process text.", usage=_USAGE, flags=_FLAGS, usage_status=1, error_status=2
)
def awk(call: Call) -> int:
    opts = call.opts
    if opts.version:
        call.out.write(b"GNU Awk 5.2.1 (pyshellhooks)\n")
        return 0
    for flag in _FLAGS:
        if flag.dest in _REFUSED and flag.dest in opts:
            raise UsageError(f"option '--{flag.long[0]}' is not supported", 2, hint=False)
    fragments = _fragments(call)
    if fragments is None:
        call.stderr.write(f"Usage: {call.name} {_USAGE}\n\nTry '{call.name} --help' for more information.\n".encode())
        return 1
    try:
        program = roomy(lambda: parse(fragments))
        execution = Execution(call, program, call.args)
        _assign(call, execution)
        return execution.run()
    except AwkError as error:
        return _report(call, error)
    except RecursionError:
        raise Stop("limit", "the awk program nests deeper than the stack") from None


gawk = utility("gawk", summary="Scan for patterns and process text.", usage=_USAGE, flags=_FLAGS, error_status=2)(
    awk.run
)
mawk = utility("mawk", summary="Scan for patterns and process text.", usage=_USAGE, flags=_FLAGS, error_status=2)(
    awk.run
)
nawk = utility("nawk", summary="Scan for patterns and process text.", usage=_USAGE, flags=_FLAGS, error_status=2)(
    awk.run
)


def _fragments(call: Call) -> tuple[tuple[str, str], ...] | None:
    """Give the program's texts with the names that messages give them; None where there is no program."""
    fragments: list[tuple[str, str]] = []
    for dest, value in call.opts.given:
        if dest == "source" and value is not None:
            fragments.append((value, "cmd. line"))
        elif dest == "file" and value is not None:
            fragments.append((_read(call, value), value))
    if not fragments:
        if not call.args:
            return None
        fragments.append((call.args.pop(0), "cmd. line"))
    return tuple(fragments)


def _read(call: Call, name: str) -> str:
    try:
        stream = call.open_input("-" if name == "/dev/stdin" else name)
        try:
            chunks: list[bytes] = []
            while chunk := stream.read():
                call.check()
                chunks.append(chunk)
        finally:
            stream.release()
    except OSError as error:
        text = f"fatal: cannot open source file `{name}' for reading: {reason(error)}"
        raise UsageError(text, 2, hint=False) from None
    return decode(b"".join(chunks)).removesuffix("\n")


def _assign(call: Call, execution: Execution) -> None:
    """Do ``-v`` and ``-F`` in their order."""
    for dest, value in call.opts.given:
        if dest == "field_separator" and value is not None:
            execution.set_variable("FS", value)
        elif dest == "assign" and value is not None:
            name, equals, _ = value.partition("=")
            if not equals:
                raise UsageError(f"`{value}' argument to `-v' not in `var=value' form", 1)
            found = assignment(value)
            if found is None:
                raise AwkError(f"`{name}' is not a legal variable name")
            execution.set_variable(*found)


def _report(call: Call, error: AwkError) -> int:
    """Write an error in gawk's words."""
    where = f"{error.where}: " if error.where else ""
    if error.kind == "syntax":
        if error.excerpt:
            call.error(f"{where}{error.excerpt}")
        call.error(f"{where}{error.message}")
        return 1
    call.error(f"{where}{error.record}{error.kind}: {error.message}")
    return 2 if error.kind == "fatal" else 1
