"""sed (POSIX XCU sed; GNU sed 4.9)."""

from __future__ import annotations

from ...command import Call, Flag, Flags, reason, utility
from ...errors import UsageError
from ...patterns.charclass import is_utf8
from ...text import decode, parse_digits
from ..support.bsd_forms import sed_words
from ..support.lines import read_all
from .parser import Mode, parse_script
from .run import Run
from .settings import Settings

_USAGE = "[OPTION]... {script-only-if-no-other-script} [input-file]..."
_FLAGS = Flags(
    [
        Flag("-n", "--quiet", "--silent", help="suppress automatic printing of pattern space"),
        Flag("-e", "--expression", value="SCRIPT", help="add the script to the commands to be executed"),
        Flag("-f", "--file", value="FILE", help="add the contents of FILE to the commands to be executed"),
        Flag("-i", "--in-place", value="SUFFIX", optional=True, help="edit files in place (backup if SUFFIX given)"),
        Flag("--debug", help="write the parsed script in canonical form"),
        Flag("--follow-symlinks", help="follow symlinks when processing in place"),
        Flag("-l", "--line-length", value="N", help="specify the line-wrap length for the `l' command"),
        Flag("--posix", help="disable all GNU extensions"),
        Flag("-E", "-r", "--regexp-extended", help="use extended regular expressions in the script"),
        Flag("-s", "--separate", help="consider files as separate"),
        Flag("--sandbox", help="operate in sandbox mode (disable e/r/w commands)"),
        Flag("-u", "--unbuffered", help="flush the output after each line"),
        Flag("-z", "--null-data", "--zero-terminated", help="separate lines by NUL characters"),
        Flag("--version", help="output version information and exit"),
    ]
)


@utility(
    "sed",
    summary="Edit streams of text.",
    usage=_USAGE,
    flags=_FLAGS,
    usage_status=1,
    error_status=4,
    filters=True,
    hears=False,
    bsd=sed_words,
)
def sed(call: Call) -> int:
    """Run a script of editing commands over lines.

    Return 0, 1 for an invalid script, 2 for a missing file, 4 for another failure, or the status of ``q``.
    """
    opts = call.opts
    if opts.version:
        call.out.write(b"sed (pyshellhooks, as GNU sed) 4.9\n")
        return 0
    fragments = _fragments(call)
    if not fragments:
        call.stderr.write(f"Usage: sed {_USAGE}\n\nTry 'sed --help' for more information.\n".encode())
        return 1
    program = parse_script(fragments)
    call.read_text()
    if opts.debug:
        from .trace import TracedRun

        return TracedRun(call, program, _settings(call), call.operands()).run()
    return Run(call, program, _settings(call), call.operands()).run()


def _fragments(call: Call) -> tuple[tuple[str, str, Mode], ...]:
    """Return the fragments of the script. As in GNU's sed, ``-E`` and ``--posix`` apply only to those after them."""
    opts = call.opts
    fragments: list[tuple[str, str, Mode]] = []
    dests: set[str] = set()
    bounds = bool(opts.sandbox), not opts.null_data, is_utf8(call.env), bool(opts.debug)

    def mode() -> Mode:
        sandbox, multiline, utf8, debug = bounds
        return Mode("regexp_extended" in dests, sandbox, "posix" in dests, multiline, utf8, debug)

    for dest, value in opts.given:
        if dest == "expression" and value is not None:
            fragments.append((value, "", mode()))
        elif dest == "file" and value is not None:
            fragments.append((_script_file(call, value), value, mode()))
        else:
            dests.add(dest)
    if not fragments and call.args:
        fragments.append((call.args.pop(0), "", mode()))
    return tuple(fragments)


def _script_file(call: Call, name: str) -> str:
    try:
        stream = call.open_input(name)
    except IsADirectoryError:
        return ""  # for GNU's sed a directory is an empty script
    except OSError as error:
        raise UsageError(f"couldn't open file {name}: {reason(error)}", 4, hint=False) from None
    try:
        text = decode(read_all(call, stream))
    finally:
        stream.release()
    # A first line "#!/bin/sed -nf" is an ordinary comment.
    return text


def _settings(call: Call) -> Settings:
    opts = call.opts
    settings = Settings()
    settings.quiet = bool(opts.quiet)
    settings.separate = bool(opts.separate)
    settings.in_place = "in_place" in opts
    settings.follow = bool(opts.follow_symlinks)
    settings.suffix = opts.value("in_place")
    settings.unbuffered = bool(opts.unbuffered)
    settings.posix = bool(opts.posix)
    if opts.null_data:
        settings.separator = b"\0"
    if "line_length" in opts:
        length = opts.value("line_length")
        digits = length[: len(length) - len(length.lstrip("0123456789"))]
        settings.line_length = parse_digits(digits or "0")  # parsed as by GNU's atoi
    return settings
