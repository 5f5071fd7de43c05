"""Implementation of grep: the search of all files and the exit status."""

from __future__ import annotations

import errno
from collections.abc import Iterable

from ...command import Call
from ...errors import UsageError
from ...patterns.charclass import is_utf8
from ...streams.base import BytesReader, Stream
from ..support.records import is_output
from .output import PLAIN, Palette
from .scan import Job, Scan
from .settings import Settings, build_search, mistakes, patterns_of, settings_of, syntax_of
from .walk import files

USAGE = "[OPTION]... PATTERNS [FILE]..."


def run_grep(call: Call, default_syntax: str) -> int:
    """Run grep and return the exit status; ``default_syntax`` is the implied option of egrep and fgrep."""
    opts = call.opts
    if opts.version:
        call.out.write(b"grep (pyshellhooks, as GNU grep) 3.8\n")
        return 0
    if "unix_byte_offsets" in opts:
        call.error("warning: --unix-byte-offsets (-u) is obsolete")
    settings = settings_of(opts)
    call.read_text(not opts.binary)
    syntax = syntax_of(settings, default_syntax)
    patterns = patterns_of(call)
    if patterns is None:
        call.stderr.write(f"Usage: {call.name} {USAGE}\nTry '{call.name} --help' for more information.\n".encode())
        return 2
    utf8 = is_utf8(call.env)
    try:
        search = build_search(
            tuple(patterns),
            syntax,
            settings.ignore_case,
            settings.word,
            settings.whole_lines,
            settings.eol == b"\0",
            utf8,
        )
    except UsageError:
        found = mistakes(call, patterns, syntax)
        if not found:
            raise
        for message in found:
            call.error(message)
        return 2
    if search is not None:
        for warning in search.matcher.warnings:
            call.error(f"warning: {warning}")
    selects_nothing = settings.max_count == 0 or _selects_nothing(patterns, settings)
    if selects_nothing and not settings.list_missing:
        return 1  # without reading any file, as GNU grep
    return _search_all(call, Job(call, settings, search, utf8, _palette(call, settings)))


def _selects_nothing(patterns: Iterable[str], settings: Settings) -> bool:
    """Return whether the patterns select no line of any file."""
    texts = list(patterns)
    if not texts:  # -f of an empty file
        return not settings.invert
    # The empty pattern matches every line, but with -w or -x only some of them.
    if texts != [""] or settings.word or settings.whole_lines:
        return False
    return settings.invert


def _palette(call: Call, settings: Settings) -> Palette:
    on = settings.color == "always"
    if settings.color == "auto":
        on = call.stdout.isatty() and call.env.get("TERM", "dumb") != "dumb"
    if not on:
        return PLAIN
    return Palette(call.env.get("GREP_COLORS", ""))


def _search_all(call: Call, job: Job) -> int:
    settings = job.settings
    operands = call.operands()
    recursing = settings.directories == "recurse"
    show_name = settings.with_filename
    if show_name is None:
        show_name = len(operands) > 1 or recursing
        if recursing and len(operands) == 1 and operands[0] != "-":
            show_name = _is_directory_operand(call, operands[0])  # -r FILE prints no names
    grows = settings.writes_lines
    matched = failed = printed = False
    for name, error in files(call, settings, operands):
        unread = None  # the scan of a directory: it has no lines, but -c and -L print it
        if error is None:
            scan = Scan(job, name, show_name, printed)
            error = _search(call, scan, name, grows)
            unread = scan if isinstance(error, IsADirectoryError) else None
            printed = scan.printed_groups
            if scan.selected:
                matched = True
                if settings.quiet:
                    return 0
        if error is not None:
            failed = True
            _report(call, settings, name, error)
            if unread is not None:
                unread.run(BytesReader(b"").retain())
    if failed:
        return 2
    return 0 if matched else 1


def _report(call: Call, settings: Settings, name: str, error: OSError) -> None:
    if settings.silent_errors:
        return
    name = settings.label if name == "-" else name
    if isinstance(error, _AlsoOutput):
        call.error(f"{name}: input file is also the output")
    else:
        call.fail(name, error)


def _is_directory_operand(call: Call, name: str) -> bool:
    import stat

    try:
        return stat.S_ISDIR(call.fs.stat(call.path(name)).st_mode)
    except OSError:
        return False


class _AlsoOutput(OSError):
    """The input file is also the output: the search would never end."""


def _search(call: Call, scan: Scan, name: str, grows: bool) -> OSError | None:
    stream: Stream | None = None
    try:
        stream = call.open_input(name)
        if grows and is_output(call, stream, empty=True):
            return _AlsoOutput()
        scan.run(stream)
    except BrokenPipeError:
        raise  # of the output, not of the file
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise
        return error
    finally:
        if stream is not None:
            stream.release()
    return None
