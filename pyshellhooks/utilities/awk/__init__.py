"""awk (POSIX XCU awk; gawk 5.2)."""

from __future__ import annotations

from ...command import Call, Flag, utility
from ...errors import Stop, UsageError
from .frames import roomy
from .nodes import Program
from .parser import parse
from .program import Execution, assignment
from .sources import AwkFlags, Sources
from .values import AwkError

_USAGE = "[OPTION]... [-f progfile | 'program'] [--] [file | var=value]..."
_FLAGS = AwkFlags(
    [
        Flag("-f", "--file", value="PROGFILE", help="read the program from PROGFILE"),
        Flag("-F", "--field-separator", value="FS", help="use FS for the input field separator"),
        Flag(
            "-v", "--assign", value="VAR=VAL", help="assign the value VAL to the variable VAR before the program runs"
        ),
        Flag("-e", "--source", value="TEXT", help="use TEXT as program source code"),
        Flag("-E", "--exec", value="PROGFILE", help="as -f, and ends the options; operands are never assignments"),
        Flag("-b", "--characters-as-bytes", help="treat all input data as single-byte characters"),
        Flag("-S", "--sandbox", help="disable system(), redirections and getline from them"),
        Flag("-r", "--re-interval", help="allow interval expressions (always on)"),
        Flag("-O", "--optimize", help="(accepted, no effect)"),
        Flag("-s", "--no-optimize", help="(accepted, no effect)"),
        Flag("-L", "--lint", value="KIND", optional=True, help="(accepted: adds no warnings; fatal is refused)"),
        Flag("-t", "--lint-old", help="(accepted: adds no warnings)"),
        Flag("-V", "--version", help="print version information and exit"),
        Flag("-c", "--traditional", help="(refused: only gawk's common part is supported)"),
        Flag("-P", "--posix", help="(refused: only gawk's common part is supported)"),
        Flag("-M", "--bignum", help="(refused: numbers are doubles)"),
        Flag("-n", "--non-decimal-data", help="(refused: hexadecimal input is text)"),
        Flag("-N", "--use-lc-numeric", help="(accepted: numbers have a point in every locale)"),
        Flag("-i", "--include", value="FILE", help="read FILE first, as @include does; inplace edits the operands"),
        Flag("-l", "--load", value="LIB", help="(refused: C libraries can't be loaded)"),
    ],
    permute=False,
    programs=("file", "source"),
)
_REFUSED = ("traditional", "posix", "bignum", "non_decimal_data", "load")


@utility(
    "awk",
    summary="Scan for patterns and process text.",
    usage=_USAGE,
    flags=_FLAGS,
    usage_status=1,
    error_status=2,
    hears=False,
    filters=True,
)
def awk(call: Call) -> int:
    opts = call.opts
    if opts.version:
        call.out.write(b"GNU Awk 5.2.1 (pyshellhooks)\n")
        return 0
    for flag in _FLAGS:
        if flag.dest in _REFUSED and flag.dest in opts:
            raise UsageError(f"option '--{flag.long[0]}' is not supported", 2, hint=False)
    if opts.value("lint") == "fatal":
        raise UsageError("option '--lint=fatal' is not supported", 2, hint=False)
    try:
        fragments, in_place = _fragments(call)
        if not fragments:
            usage = f"Usage: {call.name} {_USAGE}\n\nTry '{call.name} --help' for more information.\n"
            call.stderr.write(usage.encode())
            return 1
        call.read_text()
        call.stderr.ignores_pipes = True  # EPIPE on stderr does not end the program (gawk)
        program = roomy(lambda: parse(fragments))
        execution = Execution(call, program, call.operands(), in_place)
        _assign(call, program, execution)
        return execution.run()
    except AwkError as error:
        return _report(call, error)
    except RecursionError:
        raise Stop("limit", "the awk program nests deeper than the stack") from None


gawk = utility(
    "gawk", summary="Scan for patterns and process text.", usage=_USAGE, flags=_FLAGS, error_status=2, hears=False
)(awk.run)
mawk = utility(
    "mawk", summary="Scan for patterns and process text.", usage=_USAGE, flags=_FLAGS, error_status=2, hears=False
)(awk.run)
nawk = utility(
    "nawk", summary="Scan for patterns and process text.", usage=_USAGE, flags=_FLAGS, error_status=2, hears=False
)(awk.run)


def _fragments(call: Call) -> tuple[tuple[tuple[str, str], ...], bool]:
    """Return the program's source texts with their names in messages, and whether to edit files in place.

    The texts are empty if the command line has no program.
    """
    sources = Sources(call)
    program = False
    for dest, value in call.opts.given:
        if dest == "source" and not value:
            call.error("warning: empty argument to `-e/--source' ignored")
        elif dest in ("source", "file", "exec", "include") and value is not None:
            program = program or dest != "include"
            if dest == "source":
                sources.add(value)
            else:
                sources.add_file(value, include=dest == "include")
    if not program:
        if not call.args:
            return (), False
        sources.add(call.args.pop(0))
    return tuple(sources.fragments), sources.in_place


def _assign(call: Call, program: Program, execution: Execution) -> None:
    """Apply the assignments of ``-v`` and ``-F`` in the order of the command line."""
    for dest, value in call.opts.given:
        if dest == "field_separator" and value is not None:
            # A backslash at the end of FS is kept (gawk 5.2.1); -v drops it.
            last = "\\" * ((len(value) - len(value.rstrip("\\"))) % 2)
            execution.set_variable("FS", value + last)
        elif dest == "assign" and value is not None:
            if value.startswith("inplace::s"):
                value = value.replace("inplace::suffix=", "INPLACE_SUFFIX=", 1)
            name, equals, _ = value.partition("=")
            if not equals:
                raise UsageError(f"`{value}' argument to `-v' not in `var=value' form", 1)
            found = assignment(value)
            if found is None:
                raise AwkError(f"`{name}' is not a legal variable name")
            function = program.functions.get(name)
            if function is not None:
                raise AwkError(f"function name `{name}' previously defined", function.where, "error")
            execution.set_variable(*found)


def _report(call: Call, error: AwkError) -> int:
    """Report an error as gawk does and return the exit status."""
    where = f"{error.where}: " if error.where else ""
    if error.kind == "syntax":
        if error.excerpt is not None:
            call.error(f"{where}{error.excerpt}")
        call.error(f"{where}{error.message}")
        return 1
    call.error(f"{where}{error.record}{error.kind}: {error.message}")
    return 2 if error.kind == "fatal" else 1
