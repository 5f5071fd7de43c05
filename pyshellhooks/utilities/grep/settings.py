"""Settings and compiled patterns of one call, from its options."""

from __future__ import annotations

import re

from ...command import Call, Options, RawArgument
from ...errors import UsageError
from ...patterns.engines import Regex, compile_patterns
from ...patterns.flavors.posix import parse_posix
from ...patterns.lines import LineFinder
from ...patterns.perl import PerlRegex
from ...patterns.tree import PatternError, may_be_empty
from ...text import decode, paced, remembered
from ..support.lines import read_all

Matcher = Regex | PerlRegex

FOREVER = 1 << 62
_SYNTAXES = ("basic_regexp", "extended_regexp", "fixed_strings", "perl_regexp")


class Settings:
    """The settings of a call, computed once for each set of options, since hooks repeat the same call."""

    __slots__ = (
        "after",
        "before",
        "binary",
        "byte_offset",
        "color",
        "count",
        "devices",
        "directories",
        "eol",
        "follow",
        "group_separator",
        "ignore_case",
        "invert",
        "label",
        "line_number",
        "list_matching",
        "list_missing",
        "max_count",
        "null",
        "only_matching",
        "quiet",
        "silent_errors",
        "tab",
        "syntaxes",
        "whole_lines",
        "word",
        "with_filename",
    )

    def __init__(self, opts: Options) -> None:
        self.eol = b"\0" if opts.null_data else b"\n"
        self.invert = bool(opts.invert_match)
        self.quiet = bool(opts.quiet)
        listing = opts.last_of("files_with_matches", "files_without_match")
        self.count = bool(opts.count) and listing is None
        self.list_matching = listing == "files_with_matches"
        self.list_missing = listing == "files_without_match"
        self.only_matching = bool(opts.only_matching)
        self.line_number = bool(opts.line_number)
        self.byte_offset = bool(opts.byte_offset)
        self.tab = bool(opts.initial_tab)
        self.null = bool(opts.null)
        self.silent_errors = bool(opts.no_messages)
        self.label = opts.value("label", "(standard input)")
        self.binary = _binary(opts)
        self.max_count = _max_count(opts)
        self.before, self.after = _context(opts)
        self.group_separator: str | None = opts.value("group_separator", "--")
        if opts.last_of("group_separator", "no_group_separator") == "no_group_separator":
            self.group_separator = None
        self.follow = False
        self.directories = opts.value("directories", "read")
        how = opts.last_of("recursive", "dereference_recursive", "directories")
        if how in ("recursive", "dereference_recursive"):
            self.directories = "recurse"
            self.follow = how == "dereference_recursive"
        self.devices = opts.value("devices")
        self.with_filename: bool | None = None
        if (name := opts.last_of("with_filename", "no_filename")) is not None:
            self.with_filename = name == "with_filename"
        self.color = _color(opts)
        self.ignore_case = opts.last_of("ignore_case", "no_ignore_case") == "ignore_case"
        self.word = bool(opts.word_regexp)
        self.whole_lines = bool(opts.line_regexp)
        self.syntaxes = frozenset(dest for dest, _ in opts.given if dest in _SYNTAXES)

    @property
    def listing(self) -> bool:
        """Whether names of files are printed instead of lines."""
        return self.list_matching or self.list_missing

    @property
    def writes_lines(self) -> bool:
        """Whether lines are written while a file is still read."""
        if self.quiet or self.listing or self.count:
            return False
        return self.max_count >= 2  # with -m 1 nothing is read after the first line is written

    @property
    def in_context(self) -> bool:
        """Whether an option for context was used, even with 0 lines."""
        return self.before >= 0 or self.after >= 0


def _binary(opts: Options) -> str:
    kind = "binary"
    for dest, value in opts.given:
        if dest == "text":
            kind = "text"
        elif dest == "I":
            kind = "without-match"
        elif dest == "binary_files":
            if value not in ("binary", "text", "without-match"):
                raise UsageError("unknown binary-files type", hint=False)
            kind = value
    return kind


_WHOLE = re.compile(r"[ \t\n\v\f\r]*([-+]?[0-9]+)")


def _max_count(opts: Options) -> int:
    number = FOREVER
    for text in opts.all("max_count"):
        match = _WHOLE.fullmatch(text)
        if match is None:
            raise UsageError("invalid max count", hint=False)
        number = int(match[1][:30])  # more digits than FOREVER has; int() refuses thousands of them
    if number < 0:
        return FOREVER  # as GNU grep
    return number


def context_length(argument: RawArgument) -> str:
    """Parse a number of context lines."""
    match = _WHOLE.fullmatch(argument.text)
    if match is None or int(match[1][:30]) < 0:
        raise UsageError(f"{argument.text}: invalid context length argument", hint=False)
    return match[1]


def _context(opts: Options) -> tuple[int, int]:
    """Return the number of context lines before and after; -1 without an option."""
    before = after = both = -1
    for dest, value in opts.given:
        if dest not in ("after_context", "before_context", "context"):
            continue
        number = min(int((value or "")[:30]), FOREVER)
        if dest == "after_context":
            after = number
        elif dest == "before_context":
            before = number
        else:
            both = number
    # -A and -B take precedence over -C, in any order.
    if before < 0:
        before = both
    if after < 0:
        after = both
    return before, after


def devices(argument: RawArgument) -> str:
    """Parse the action of ``-D``."""
    if argument.text not in ("read", "skip"):
        raise UsageError("unknown devices method", hint=False)
    return argument.text


def directories(argument: RawArgument) -> str:
    """Parse the action of ``-d``."""
    choices = ("read", "recurse", "skip")
    near = [choice for choice in choices if choice.startswith(argument.text)]
    if len(near) != 1:
        wrong = "ambiguous" if near else "invalid"
        listed = "\n".join(f"  - ‘{choice}’" for choice in choices)
        # GNU's argmatch exits with status 1, not with grep's 2.
        raise UsageError(f"{wrong} argument ‘{argument.text}’ for ‘--directories’\nValid arguments are:\n{listed}", 1)
    return near[0]


def _color(opts: Options) -> str:
    when = opts.value("color", "auto" if opts.color else "never")
    if when in ("never", "no", "none"):
        return ""
    if when in ("always", "yes", "force"):
        return "always"
    if when not in ("auto", "tty", "if-tty"):
        raise UsageError("invalid argument for --color")
    return "auto"


def syntax_of(settings: Settings, default: str) -> str:
    """Return the syntax of the patterns that the options select."""
    chosen = settings.syntaxes
    if default:
        chosen = chosen | {default}
    if len(chosen) > 1:
        raise UsageError("conflicting matchers specified", hint=False)
    return next(iter(chosen), "basic_regexp")


_made: dict[tuple[tuple[str, str | None], ...], Settings] = {}


def settings_of(opts: Options) -> Settings:
    """Return the settings for some options."""
    key = tuple(opts.given)
    settings = _made.get(key)
    if settings is None:
        settings = Settings(opts)
        if len(_made) >= 256:
            _made.clear()
        if sum(len(value or "") for _, value in key) < 4096:  # the options include the patterns
            _made[key] = settings
    return settings


def patterns_of(call: Call) -> dict[str, str] | None:
    """Return the patterns of ``-e`` and ``-f``, or of the first operand, which is removed; None without any pattern.

    Each pattern is mapped to its first position in a file, such as ``file:12: ``, or "" for the command line.
    """
    result: dict[str, str] = {}
    has_pattern = False
    for dest, value in call.opts.given:
        if value is None or dest not in ("regexp", "file"):
            continue
        has_pattern = True
        if dest == "regexp":
            for text in paced(value.split("\n")):
                result.setdefault(text, "")
        else:
            for number, text in enumerate(paced(_pattern_file(call, value)), 1):
                result.setdefault(text, f"{value}:{number}: ")
    if has_pattern:
        return result
    if not call.args:
        return None
    return {text: "" for text in paced(call.args.pop(0).split("\n"))}


def _pattern_file(call: Call, name: str) -> list[str]:
    stream = call.open_input(name)
    try:
        text = decode(read_all(call, stream))
    finally:
        stream.release()
    if not text:
        return []
    return text.removesuffix("\n").split("\n")


def mistakes(call: Call, patterns: dict[str, str], syntax: str) -> list[str]:
    """Return the error of each pattern that does not compile, with its position."""
    result: list[str] = []
    if syntax in ("perl_regexp", "fixed_strings"):
        return result
    for text, place in patterns.items():
        call.check()
        try:
            parse_posix(text, syntax == "extended_regexp", "grep")
        except PatternError as error:
            if error.message.startswith("character class syntax"):
                return [error.message]
            result.append(place + error.message)
    return result


class Search:
    """Compiled patterns, and the finder of whole lines for them, created at its first use.

    Not with ``cached_property``: before Python 3.12 all objects share its lock, so that a run would wait for another.
    """

    __slots__ = ("_finder", "_texts", "matcher")

    def __init__(self, matcher: Matcher) -> None:
        self.matcher = matcher
        self._finder: LineFinder | None = None
        self._texts: tuple[Regex | None] | None = None

    @property
    def finder(self) -> LineFinder:
        """The finder of the lines in which a pattern matches."""
        if self._finder is None:
            matcher = self.matcher
            if isinstance(matcher, PerlRegex):
                exact = matcher.linear is not None
                self._finder = LineFinder(matcher.tree, matcher.options, matcher, exact=exact, alone=True)
            else:
                self._finder = LineFinder(*matcher.spec, matcher)
        return self._finder

    @property
    def texts(self) -> Regex | None:
        """The expression to find all matches of many lines at once; None if a pattern may match the empty text."""
        if self._texts is None:
            regex: Regex | None
            if isinstance(self.matcher, PerlRegex):
                regex = self.matcher.linear
            else:
                regex = self.matcher
            if regex is not None and may_be_empty(regex.spec[0]):
                regex = None
            self._texts = (regex,)
        return self._texts[0]


@remembered(256)
def build_search(
    patterns: tuple[str, ...],
    syntax: str,
    ignoring_case: bool,
    word: bool,
    whole_lines: bool,
    records: bool,
    utf8: bool,
) -> Search | None:
    """Compile the patterns; return None without patterns (an empty ``-f`` file), which match nothing.

    ``records``: the data is searched by single NUL-terminated records; otherwise many lines are searched at once.
    """
    if not patterns:
        return None
    word = word and not whole_lines
    try:
        if syntax == "perl_regexp":
            from ...patterns.perl import compile_perl

            if len(patterns) > 1:
                raise PatternError("the -P option only supports a single pattern")
            return Search(
                compile_perl(patterns[0], ignore_case=ignoring_case, word=word, whole_lines=whole_lines, utf8=utf8)
            )
        return Search(
            compile_patterns(
                patterns,
                syntax={"fixed_strings": "fixed", "extended_regexp": "extended", "basic_regexp": "basic"}[syntax],
                dialect="grep",
                ignore_case=ignoring_case,
                newline_anchors=not records,
                newline_dot=records,
                captures=False,
                word=word,
                whole_lines=whole_lines,
                utf8=utf8,
            )
        )
    except PatternError as error:
        raise UsageError(error.message, hint=False) from None
