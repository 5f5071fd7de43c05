"""The meaning of a call's options, which may depend on each other (ripgrep 13: ``rg --help``)."""

from __future__ import annotations

from typing import NamedTuple

from ...command import Options
from ...errors import UsageError
from ...regexes import lazy_pattern
from ...text import encode
from .colors import Palette, palette_of
from .encodings import coding_of

_CASES = ("ignore_case", "smart_case", "case_sensitive")
_SUMMARIES = ("count", "count_matches", "files_with_matches", "files_without_match")


class Switches(NamedTuple):
    """The options that change the meaning of patterns.

    ``case``: ``ignore``, ``smart`` or "". ``records``: they end in NUL.
    """

    case: str
    fixed: bool
    word: bool
    whole_lines: bool
    multiline: bool
    dot_all: bool
    crlf: bool
    records: bool
    unicode: bool


class CallFacts(NamedTuple):
    """Facts of a call besides its options."""

    terminal: bool  # standard output is a terminal
    only_stdin: bool
    many: bool  # several files may be searched, so their names are shown
    color_terms: bool  # TERM and NO_COLOR allow colours


class Settings:
    """The options of one call for the search and its output.

    ``summary``: ``quiet``, one of ``count count_matches files_with_matches files_without_match``, or "". ``before`` and
    ``after`` are numbers of context lines. ``binary``: the treatment of NULs in files that are not operands: ``quit``,
    ``convert`` (to line ends; matching lines are not shown) or ``text``. ``end`` is the line end. ``replacement`` is
    None without ``-r``.
    """

    __slots__ = (
        "after",
        "before",
        "binary",
        "byte_offset",
        "coding",
        "column",
        "context_separator",
        "crlf",
        "end",
        "engine",
        "field_context",
        "field_match",
        "heading",
        "include_zero",
        "invert",
        "json",
        "line_number",
        "max_columns",
        "max_count",
        "null",
        "only_matching",
        "palette",
        "passthru",
        "path_separator",
        "per_match",
        "preview",
        "records",
        "replacement",
        "stats",
        "summary",
        "switches",
        "trim",
        "with_filename",
    )

    def __init__(self, opts: Options, around: CallFacts) -> None:
        self.invert = bool(opts.invert_match)
        self.only_matching = bool(opts.only_matching)
        self.summary = _summary(opts)
        self.json = on(opts, "json") and self.summary != "quiet"
        self.stats = on(opts, "stats") or self.json
        self._lines(opts)
        self._shape(opts, around)
        self.max_count = number(opts, "max_count", FOREVER)
        self.include_zero = bool(opts.include_zero)
        self.replacement = encode(opts.value("replace")) if "replace" in opts else None
        label = opts.value("encoding", "auto")
        if on(opts, "no_encoding", "encoding"):
            label = "auto"
        self.coding = coding_of(label)
        self.engine = _engine(opts)

    def _lines(self, opts: Options) -> None:
        ends = opts.last_of("crlf", "no_crlf", "null_data")
        self.crlf = ends == "crlf"
        self.records = ends == "null_data"
        self.end = b"\n"
        if self.records:
            self.end = b"\0"
        elif self.crlf:
            self.end = b"\r\n"
        which = opts.last_of("text", "no_text", "binary", "no_binary")
        self.binary = "quit"
        if self.records or which == "text":
            self.binary = "text"
        elif which == "binary" or (which is None and unrestricted(opts) >= 3):  # -uuu implies --binary
            self.binary = "convert"
        self.before, self.after, self.passthru = _context(opts)
        case = opts.last_of(*_CASES)
        self.switches = Switches(
            case={"ignore_case": "ignore", "smart_case": "smart"}.get(case or "", ""),
            fixed=on(opts, "fixed_strings"),
            word=opts.last_of("word_regexp", "line_regexp") == "word_regexp",
            whole_lines=opts.last_of("word_regexp", "line_regexp") == "line_regexp",
            multiline=on(opts, "multiline"),
            dot_all=on(opts, "multiline") and on(opts, "multiline_dotall"),
            crlf=self.crlf,
            records=self.records,
            unicode=on(opts, "unicode", "no_unicode", default=True),
        )

    def _shape(self, opts: Options, around: CallFacts) -> None:
        pretty = bool(opts.pretty)
        terminal = around.terminal
        self.per_match = bool(opts.vimgrep)
        self.heading = on(opts, "heading", default=terminal or pretty) and not self.per_match
        self.column = on(opts, "column", default=self.per_match)
        # rg(1), --line-number: on by default on a terminal, except for standard input alone.
        numbered_by_default = terminal and not around.only_stdin
        numbered_by_option = on(opts, "column") or pretty or self.per_match or self.json
        numbered = on(opts, "line_number", default=numbered_by_default or numbered_by_option)
        self.line_number = numbered and not self.summary
        self.with_filename = on(opts, "with_filename", "no_filename", default=self.per_match or around.many)
        self.byte_offset = bool(opts.byte_offset)
        self.null = bool(opts.null)
        self.trim = on(opts, "trim")
        self.max_columns = number(opts, "max_columns", 0)
        self.preview = on(opts, "max_columns_preview")
        separator: bytes | None = unescaped(opts.value("context_separator", "--"))
        if opts.last_of("context_separator", "no_context_separator") == "no_context_separator":
            separator = None
        self.context_separator = separator
        self.field_match = unescaped(opts.value("field_match_separator", ":"))
        self.field_context = unescaped(opts.value("field_context_separator", "-"))
        self.path_separator = path_separator(opts)
        self.palette = _palette(opts, around)

    @property
    def context(self) -> bool:
        """Return whether context lines are shown."""
        return self.before > 0 or self.after > 0


FOREVER = 1 << 62


def on(opts: Options, yes: str, no: str = "", *, default: bool = False) -> bool:
    """Return whether the last of two options that undo each other was ``yes``."""
    last = opts.last_of(yes, no or "no_" + yes)
    if last is None:
        return default
    return last == yes


def unrestricted(opts: Options) -> int:
    """Return the number of ``-u`` options."""
    return sum(1 for dest, _ in opts.given if dest == "unrestricted")


def number(opts: Options, dest: str, default: int) -> int:
    """Return the last value of a numeric option."""
    return opts.integer(dest, default)


def _summary(opts: Options) -> str:
    json = on(opts, "json")
    if json and (both := next((dest for dest in ("files", *_SUMMARIES) if dest in opts), "")):
        raise UsageError(f"the argument '--{both.replace('_', '-')}' cannot be used with '--json'")
    if opts.quiet:
        return "quiet"
    counting = opts.last_of("count", "count_matches")
    counts_matches = counting == "count_matches" or (counting and opts.only_matching)
    if counts_matches and not opts.invert_match:
        return "count_matches"
    if counting:  # a line without a match has none to count
        return "count"
    return opts.last_of("files_with_matches", "files_without_match") or ""


def _context(opts: Options) -> tuple[int, int, bool]:
    """Return the context lines before and after, and whether all lines are shown.

    ``-C`` undoes ``-A`` and ``-B``, and they undo it.
    """
    before = after = both = 0
    passthru = False
    numbers = {dest: iter(opts.read(dest, int)) for dest in ("before_context", "after_context", "context")}
    for dest, _ in opts.given:
        if dest in numbers:
            value = next(numbers[dest])
            passthru = False
            if dest == "context":
                before, after, both = 0, 0, value
            elif dest == "before_context":
                before, both = value, 0
            else:
                after, both = value, 0
        elif dest == "passthru":
            before, after, both, passthru = 0, 0, 0, True
    return both or before, both or after, passthru


def _engine(opts: Options) -> str:
    last = opts.last_of("pcre2", "no_pcre2", "auto_hybrid_regex", "no_auto_hybrid_regex", "engine")
    if last == "engine":
        return opts.value("engine")
    return {"pcre2": "pcre2", "auto_hybrid_regex": "auto"}.get(last or "", "default")


def _palette(opts: Options, around: CallFacts) -> Palette | None:
    specs = opts.all("colors")
    palette = palette_of(specs)  # parsed even if no colours are used, to report errors
    when = opts.value("color", "auto")
    if when in ("always", "ansi"):
        return palette
    if when != "auto" or not around.color_terms:
        return None
    if around.terminal or (opts.pretty and not opts.vimgrep):
        return palette
    return None


_ESCAPE = lazy_pattern(r"\\(?:x([0-9A-Fa-f]{2})|([nrt0\\]))")
_NAMED = {"n": b"\n", "r": b"\r", "t": b"\t", "0": b"\0", "\\": b"\\"}


def unescaped(text: str) -> bytes:
    """Replace ``\\n \\r \\t \\0 \\\\`` and ``\\x41``; other backslashes are literal."""
    out: list[bytes] = []
    at = 0
    for match in _ESCAPE.finditer(text):
        out.append(encode(text[at : match.start()]))
        if match[1]:
            out.append(bytes((int(match[1], 16),)))
        else:
            out.append(_NAMED[match[2]])
        at = match.end()
    return b"".join(out) + encode(text[at:])


def path_separator(opts: Options) -> bytes:
    """Return the byte that replaces slashes in paths, or b""."""
    separator = unescaped(opts.value("path_separator"))
    if len(separator) > 1:
        raise UsageError(
            f"A path separator must be exactly one byte, but the given separator is {len(separator)} bytes: "
            f"{opts.value('path_separator')}",
            hint=False,
        )
    return separator
