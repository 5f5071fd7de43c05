"""The run of one call: its patterns, the files to search, and the exit status."""

from __future__ import annotations

import os
import stat
from time import perf_counter

from ...command import Call, reason
from ...errors import UsageError
from ...streams.base import Stream
from ...text import decode, encode, paced
from ..support.lines import read_all
from ..support.records import is_output
from .encodings import Transcoder
from .messages import Messages, summary_message, summary_text
from .patterns import Pattern, compile_patterns, patterns_of
from .replacing import Replacement
from .results import Sink, Stats, Writer
from .search import Search
from .settings import CallFacts, Settings, on
from .standard import Standard
from .summary import Summary
from .types import definitions, listing
from .walk import Found, Walk
from .wanted import Wanted

_NOTHING = (
    "No files were searched, which means ripgrep probably applied a filter you didn't expect.\n"
    "Running with --files shows which files are left."
)
_REFUSED = {
    "search_zip": "it would start programs of the machine; write: gzip -dc FILE | rg PATTERN",
    "pre": "it would start a program for each file; write: COMMAND FILE | rg PATTERN",
}


def run_rg(call: Call) -> int:
    """Run one call."""
    _read_config(call)
    opts = call.opts
    for dest, why in _REFUSED.items():
        is_empty = dest == "pre" and not opts.value("pre")  # --pre '' undoes --pre
        if on(opts, dest) and not is_empty:
            raise UsageError(f"--{dest.replace('_', '-')} is not supported here: {why}", hint=False)
    if opts.version:
        call.out.write(b"ripgrep 13.0.0 (pyshellhooks, as ripgrep)\n")
        return 0
    if opts.pcre2_version:
        call.out.write(b"PCRE2 patterns are run by pyshellhooks\n")
        return 0
    if opts.type_list:
        call.out.write(encode(listing(definitions(opts))))
        return 0
    patterns: list[str] | None = [] if opts.files else patterns_of(call)
    if patterns is None:
        raise UsageError("no pattern was given")
    operands = call.operands()
    bare = not operands
    if bare:
        operands = ["./" if not _reads_stdin(call) else "-"]
    settings = Settings(opts, _call_facts(call, operands))
    wanted = Wanted(opts)
    if opts.files:
        return _list(call, settings, Walk(call, wanted), operands, bare)
    pattern = compile_patterns(patterns, settings)
    walk = Walk(call, wanted)
    if not patterns or settings.max_count == 0:
        return 1
    return _Run(call, settings, pattern, walk, operands).all(bare)


def _read_config(call: Call) -> None:
    """Prepend the options of the file that RIPGREP_CONFIG_PATH names (rg(1), CONFIGURATION FILES)."""
    name = call.env.get("RIPGREP_CONFIG_PATH", "")
    if not name or call.opts.no_config:
        return
    try:
        stream = call.open(name)
        try:
            text = decode(read_all(call, stream))
        finally:
            stream.release()
    except OSError as error:
        call.error(f"{name}: {reason(error)}")
        return
    lines = [line.strip() for line in paced(text.split("\n"))]
    words = [line for line in paced(lines) if line and not line.startswith("#")]
    from . import rg

    assert rg.flags is not None
    call.opts, call.args = rg.flags.parse([*words, *call.argv[1:]], call.env)


def _reads_stdin(call: Call) -> bool:
    """Return whether standard input is searched by default: if it is a file, a pipe or a socket, not a terminal."""
    if "-" in call.opts.all("file") or call.opts.files:
        return False
    stream = call.stdin
    if stream.isatty():
        return False
    try:
        path, number = stream.path(), stream.fileno()
        if path is not None:
            mode = call.fs.stat(path).st_mode
        elif number is not None:
            mode = os.fstat(number).st_mode
        else:
            stream.read(0)  # fails if standard input is closed
            mode = stat.S_IFIFO
    except OSError:
        return False
    return stat.S_IFMT(mode) in (stat.S_IFREG, stat.S_IFIFO, stat.S_IFSOCK)


def _call_facts(call: Call, operands: list[str]) -> CallFacts:
    terms = call.env.get("TERM", "dumb") != "dumb" and "NO_COLOR" not in call.env
    many = len(operands) > 1
    if not many and operands[0] != "-":
        many = _is_kind(call, operands[0], stat.S_IFDIR)
    return CallFacts(call.stdout.isatty(), operands == ["-"], many, terms)


def _is_kind(call: Call, name: str, kind: int) -> bool:
    try:
        return stat.S_IFMT(call.fs.stat(call.path(name)).st_mode) == kind
    except OSError:
        return False


def _list(call: Call, settings: Settings, walk: Walk, operands: list[str], bare: bool) -> int:
    """Write the names of the files that would be searched (``--files``)."""
    found = False
    for file in walk.files(operands, bare=bare):
        found = True
        if call.opts.quiet:
            break
        name = encode(file.name)
        if settings.path_separator:
            name = name.replace(b"/", settings.path_separator)
        if settings.palette is not None:
            name = settings.palette.paint("path", name)
        call.out.write(name + (b"\0" if settings.null else b"\n"))
    return _status(call, found, walk.failed)


def _status(call: Call, matched: bool, failed: bool) -> int:
    # rg(1), EXIT STATUS: with -q a match counts more than an error.
    if failed and not (matched and call.opts.quiet):
        return 2
    return 0 if matched else 1


class _Run:
    """The searches of one call."""

    __slots__ = ("_call", "_failed", "_operands", "_out", "_pattern", "_settings", "_sink", "_total", "_walk", "_whole")

    def __init__(self, call: Call, settings: Settings, pattern: Pattern, walk: Walk, operands: list[str]) -> None:
        self._call = call
        self._settings = settings
        self._pattern = pattern
        self._walk = walk
        self._operands = operands
        self._out = Writer(call)
        self._sink = self._make_sink()
        self._total = Stats()
        self._whole = settings.coding in ("auto", "none") and self._maps_files()

    def _maps_files(self) -> bool:
        """Return whether ripgrep would map the files into memory, for which it has a heuristic of its own.

        It searches such files unchanged; in others it treats each NUL as the end of a line.
        """
        opts = self._call.opts
        if on(opts, "mmap", "no_mmap"):
            return True
        if on(opts, "no_mmap", "mmap") or len(self._operands) > 10:
            return False
        return all(name != "-" and _is_kind(self._call, name, stat.S_IFREG) for name in self._operands)

    def _make_sink(self) -> Sink:
        settings = self._settings
        if settings.summary:
            return Summary(settings, self._out)
        if settings.json:
            return Messages(settings, self._out)
        replacement = None
        if settings.replacement is not None:
            replacement = Replacement(settings.replacement, self._pattern.names, self._call.limits.string)
        return Standard(settings, self._out, replacement)

    def all(self, bare: bool) -> int:
        """Search all files. Return the exit status."""
        call, sink, settings = self._call, self._sink, self._settings
        began = perf_counter()
        matched = searched = False
        stops = settings.summary == "quiet" and not settings.stats
        for file in self._walk.files(self._operands, bare=bare):
            call.check()
            searched = True
            error = self._search(file)
            if error is not None:
                self._walk.fail(file.name, error)
                continue
            matched |= sink.has_match
            if sink.is_counted:
                self._total.add(sink.stats)
            if matched and stops:
                break
        failed = self._walk.failed
        if bare and not searched:
            failed = True
            if on(call.opts, "messages", default=True):
                call.error(_NOTHING)
        if settings.stats:
            summary = summary_message if settings.json else summary_text
            call.out.write(summary(self._total, perf_counter() - began))
        return _status(call, matched, failed)

    def _search(self, file: Found) -> OSError | None:
        call, settings, sink = self._call, self._settings, self._sink
        stream: Stream | None = None
        try:
            stream = call.open_input(file.name)
            # A search that reads its own output would never end.
            if is_output(call, stream, empty=True):
                if not file.explicit:
                    return None
                stream = _AsItIs(stream, call.fs.stat(stream.path() or "").st_size)
            source = stream if settings.coding == "none" else Transcoder(stream, settings.coding)
            sink.begin("<stdin>" if file.name == "-" else file.name)
            Search(call, settings, self._pattern, sink, self._binary(file)).run(source)
        except BrokenPipeError:
            raise
        except OSError as error:
            return error
        finally:
            if stream is not None:
                stream.release()
        return None

    def _binary(self, file: Found) -> str:
        """Return the treatment of a NUL in a file. An operand is never skipped as binary."""
        how = self._settings.binary
        if how == "text" or not (file.explicit or how == "convert"):
            return how
        return "tell" if self._whole and file.name != "-" else "convert"


class _AsItIs(Stream):
    """A file that is also standard output: only its content before the search."""

    __slots__ = ("_left", "_stream")

    def __init__(self, stream: Stream, size: int) -> None:
        super().__init__()
        self.references = 1
        self._stream = stream
        self._left = size

    def read(self, size: int = 65536, /) -> bytes:
        chunk = self._stream.read(min(size, self._left)) if self._left > 0 else b""
        self._left -= len(chunk)
        return chunk

    def close(self) -> None:
        self._stream.release()
