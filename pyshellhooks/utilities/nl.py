"""nl: number the lines of files (POSIX XCU nl; GNU coreutils 9.1)."""

from __future__ import annotations

from ..command import Call, Flag, RawArgument, utility
from ..command.flags import Kind
from ..errors import Stop, UsageError
from ..patterns.charclass import is_utf8
from ..patterns.engines import Regex, compile_posix
from ..patterns.tree import PatternError
from ..text import encode
from .support.kinds import Count
from .support.lines import lines
from .support.quoting import quote
from .support.records import Inputs

_FORMATS = {"ln": "%-*d", "rn": "%*d", "rz": "%0*d"}
_LONG = 2**63
_FIRST = Count("starting line number", -_LONG, _LONG - 1)
_STEP = Count("line number increment", -_LONG, _LONG - 1)


class _Positive(Count):
    """A number that may have a sign and must be positive."""

    __slots__ = ()

    def __init__(self, what: str, most: int) -> None:
        super().__init__(what, -_LONG, most)

    def __call__(self, argument: RawArgument) -> int:
        value = super().__call__(argument)
        if value < 1:
            raise self.error(argument, "", value)
        return value


_BLANKS = _Positive("line number of blank lines", _LONG - 1)
_WIDTH = _Positive("line number field width", 2**31 - 1)


def _format(argument: RawArgument) -> str:
    if argument.text not in _FORMATS:
        raise UsageError(f"invalid line numbering format: {quote(argument.text, argument.env)}")
    return argument.text


def _style(section: str) -> Kind:
    def read(argument: RawArgument) -> str:
        if argument.text[:1] not in ("a", "t", "n", "p"):
            raise UsageError(f"invalid {section} numbering style: {quote(argument.text, argument.env)}")
        return argument.text

    return read


class _Style:
    """The lines of a section that are numbered: all, nonempty lines, none, or those that match."""

    def __init__(self, call: Call, section: str) -> None:
        text = call.opts.value(f"{section}_numbering", "t" if section == "body" else "n")
        self.kind = text[:1]
        self.regex: Regex | None = None
        if self.kind == "p":
            try:
                self.regex = compile_posix(text[1:], extended=False, captures=False, utf8=is_utf8(call.env))
            except PatternError as error:
                raise UsageError(error.message, hint=False) from None


class _Numbering:
    """The state of one call, which continues from file to file."""

    def __init__(self, call: Call) -> None:
        opts = call.opts
        self.call = call
        self.styles = {section: _Style(call, section) for section in ("header", "body", "footer")}
        self.style = self.styles["body"]
        self.first = opts.integer("starting_line_number", 1)
        self.step = opts.integer("line_increment", 1)
        self.blanks = opts.integer("join_blank_lines", 1)
        self.width = opts.integer("number_width", 6)
        if self.width > call.limits.string:
            raise Stop("limit", f"a line is longer than {call.limits.string} bytes", "string")
        kind = opts.value("number_format", "rn")
        self.format = _FORMATS[kind].encode()
        self.separator = encode(opts.value("number_separator", "\t"))
        self.indent = b" " * (self.width + len(self.separator))
        mark = encode(opts.value("section_delimiter", "\\:"))
        if len(mark) == 1:
            mark += b":"  # POSIX: the second character stays a colon
        self.marks = {mark * 3: "header", mark * 2: "body", mark: "footer"} if mark else {}
        self.current = self.first
        self.empty = 0

    def add(self, line: bytes) -> bytes:
        section = self.marks.get(line)
        if section is not None:
            self.style = self.styles[section]
            if not self.call.opts.no_renumber:
                self.current = self.first
            return b"\n"
        return self._prefix(line) + line + b"\n"

    def _prefix(self, line: bytes) -> bytes:
        if not self._is_numbered(line):
            return self.indent
        if not -_LONG <= self.current < _LONG:
            raise UsageError("line number overflow", hint=False)
        text = self.format % (self.width, self.current) + self.separator
        self.current += self.step
        return text

    def _is_numbered(self, line: bytes) -> bool:
        style = self.style
        if style.regex is not None:
            return style.regex.test(line, scope=self.call.scope)
        if style.kind == "t":
            return bool(line)
        if style.kind != "a":
            return False
        if self.blanks <= 1:
            return True
        # -l: only the last of so many empty lines in a row gets a number.
        numbered = bool(line) or self.empty == self.blanks - 1
        self.empty = 0 if numbered else self.empty + 1
        return numbered


@utility(
    "nl",
    paths=True,
    summary="Write each FILE to standard output, with line numbers added.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... [FILE]...",
    flags=[
        Flag(
            "-b",
            "--body-numbering",
            value="STYLE",
            kind=_style("body"),
            help="use STYLE for numbering body lines (a, t, n, pBRE)",
        ),
        Flag("-d", "--section-delimiter", value="CC", help="use CC for logical page delimiters"),
        Flag(
            "-f",
            "--footer-numbering",
            value="STYLE",
            kind=_style("footer"),
            help="use STYLE for numbering footer lines",
        ),
        Flag(
            "-h",
            "--header-numbering",
            value="STYLE",
            kind=_style("header"),
            help="use STYLE for numbering header lines",
        ),
        Flag("-i", "--line-increment", value="NUMBER", kind=_STEP, help="line number increment at each line"),
        Flag(
            "-l", "--join-blank-lines", value="NUMBER", kind=_BLANKS, help="group of NUMBER empty lines counted as one"
        ),
        Flag(
            "-n",
            "--number-format",
            value="FORMAT",
            kind=_format,
            help="insert line numbers according to FORMAT (ln, rn, rz)",
        ),
        Flag("-p", "--no-renumber", help="do not reset line numbers for each section"),
        Flag("-s", "--number-separator", value="STRING", help="add STRING after (possible) line number"),
        Flag("-v", "--starting-line-number", value="NUMBER", kind=_FIRST, help="first line number for each section"),
        Flag("-w", "--number-width", value="NUMBER", kind=_WIDTH, help="use NUMBER columns for line numbers"),
    ],
    filters=True,
)
def nl(call: Call) -> int:
    numbering = _Numbering(call)
    inputs = Inputs(call, call.args)
    for _, stream in inputs:
        for line in lines(call, stream):
            call.out.write(numbering.add(line))
    return int(inputs.failed)
