"""Settings of diff, from its options."""

from __future__ import annotations

from collections.abc import Sequence

from ...command import Call
from ...errors import Stop, UsageError
from ...patterns.charclass import is_print, is_utf8
from ...patterns.engines import Regex, compile_posix
from ...patterns.glob import Glob, compile_glob
from ...patterns.tree import PatternError
from ...text import EVERY, decode, parse_digits, pause
from ..support.lines import lines
from .colors import Colors
from .formats import Formats
from .options import STYLES
from .texts import Change, Tabs, Text, key_of

_OF_SPACE = ("ignore_all_space", "ignore_space_change", "ignore_trailing_space")  # with -B a line of blanks is empty
_POSIX_TIME = "%a %b %e %T %Y"
_SPECIAL = frozenset(" !\"$&'()*;<=>?[\\^`|\t\n\r")  # special characters of a shell


class Settings:
    """The settings of one call."""

    def __init__(self, call: Call) -> None:
        opts = call.opts
        self.call = call
        self.tabs = Tabs(opts.integer("tabsize", 8), call.limits.string)
        self.key = key_of(opts, self.tabs)
        self.style = self._style()
        self._colored = self._color()
        self._colors: Colors | None = None
        self.width = opts.integer("width", 130)
        self.is_robust = self.style not in ("ed", "forward")  # it can mark a missing newline at the end of a file
        self.time_format = self._time_format()
        self.context = self._context()
        self.horizon = max(opts.integer("horizon_lines", 0), self.context)
        self.brief = opts.brief
        self.report_same = opts.report_identical_files
        self.recursive = opts.recursive
        self.new_file = opts.new_file
        self.new_first = opts.new_file or opts.unidirectional_new_file
        self.expand = opts.expand_tabs
        self.paginate = opts.paginate
        self.formats: Formats | None = None
        if self.style == "formats":
            self.formats = Formats(opts, self.tabs if self.expand else None, self.bound)
        self.fold_names = opts.last_of("ignore_file_name_case", "no_ignore_file_name_case") == "ignore_file_name_case"
        self.initial_tab = opts.initial_tab
        self.suppress_blank = opts.suppress_blank_empty
        self.labels = opts.all("label")
        if len(self.labels) > 2:
            raise UsageError("too many file label options", 2, hint=False)
        # -p: diffutils manual 2.2.3.2, C Function Headings.
        functions = opts.all("show_function_line") + ["^[[:alpha:]$_]"] * (opts.show_c_function)
        self.function = [self._regex(text) for text in functions] or None
        self.ignored = [self._regex(text) for text in opts.all("ignore_matching_lines")]
        self.excluded = self._excluded()
        if self.style == "columns":
            self.bound(self.width)  # each line is written as long as that
        self.switches = "".join(" " + _shell(word, is_utf8(call.env)) for word in self._option_words())

    def _color(self) -> bool:
        call = self.call
        when = call.opts.value("color", "auto" if call.opts.color else "never")
        if when != "auto":
            return when == "always"
        return call.stdout.isatty() and call.env.get("TERM", "dumb") != "dumb"

    @property
    def colors(self) -> Colors:
        """The colors, created at the first output: an invalid --palette is reported only then."""
        if self._colors is None:
            self._colors = Colors(self.call, self._colored)
        return self._colors

    def bound(self, size: int) -> None:
        """Raise ``Stop`` for a line that would exceed ``Limits.string``."""
        most = self.call.limits.string
        if size > most:
            raise Stop("limit", f"a line of diff is larger than {most} bytes", "string")

    def _style(self) -> str:
        styles = {STYLES[dest] for dest, _ in self.call.opts.given if dest in STYLES}
        if styles:
            return styles.pop()
        if "show_c_function" in self.call.opts:
            return "context"  # -p alone, as in GNU diff
        return "normal"

    @property
    def shows_same(self) -> bool:
        """Whether equal files also produce output: side by side, and with most custom formats."""
        if self.formats is not None:
            return self.formats.shows_same
        if self.style != "columns":
            return False
        return not self.call.opts.suppress_common_lines

    def _time_format(self) -> str:
        """Return the format of modification times in headers: POSIX's for copied context in the POSIX locale."""
        env = self.call.env
        # POSIX XBD 8.2: the order in which the variables decide.
        locale = env.get("LC_ALL") or env.get("LC_TIME") or env.get("LANG")
        if self.style == "context" and locale in ("C", "POSIX"):
            return _POSIX_TIME
        return "%Y-%m-%d %H:%M:%S.%N %z"

    def _context(self) -> int:
        """Return the number of lines of context: the largest of all options.

        ``-5`` overrides the 3 lines of -c and -u, but not a larger number of -C and -U.
        """
        if self.style not in ("context", "unified"):
            return 0
        opts = self.call.opts
        sizes = [*opts.read("context", int), *opts.read("unified", int)]
        if ("context", None) in opts.given or ("unified", None) in opts.given:
            sizes.append(3)
        explicit = bool(sizes)
        has_short_form = "context_3" in opts or "unified_3" in opts
        has_number = explicit or opts.all("digits")
        if has_short_form or not has_number:
            sizes.append(3)
        digits = opts.value("digits")
        if not digits:
            return max(sizes)
        if not explicit:
            return parse_digits(digits)  # -5 with -c or -u
        return max(parse_digits(digits), *sizes)

    def _regex(self, text: str) -> Regex:
        try:
            return compile_posix(text, extended=False, dialect="grep", captures=False, utf8=is_utf8(self.call.env))
        except PatternError as error:
            raise UsageError(f"{text}: {error.message}", 2, hint=False) from None

    def _excluded(self) -> list[Glob]:
        patterns = self.call.opts.all("exclude")
        for name in self.call.opts.all("exclude_from"):
            stream = self.call.open_input(name)
            try:
                patterns += [decode(line) for line in lines(self.call, stream) if line]
            finally:
                stream.release()
        return [compile_glob(pattern, extglob=False, ignore_case=self.fold_names) for pattern in patterns]

    def excludes(self, name: str) -> bool:
        """Return whether -x or -X excludes a name."""
        return any(glob.matches(name) for glob in self.excluded)

    def _option_words(self) -> list[str]:
        """Return the words of the command line that are options, for the headers of ``diff -r``."""
        operands = list(self.call.args)
        words: list[str] = []
        for count, word in enumerate(reversed(self.call.argv[1:])):
            if not count % EVERY:
                pause()
            if operands and operands[-1] == word:
                operands.pop()
            elif word != "--":
                words.append(word)
        return words[::-1]

    def trivial(self, texts: Sequence[Text], changes: Sequence[Change]) -> bool:
        """Return whether -B or -I ignores all lines of some changes."""
        blank = self.call.opts.ignore_blank_lines
        if not blank and not self.ignored:
            return False
        strip = any(name in self.call.opts for name in _OF_SPACE)
        for change in changes:
            for side in (0, 1):
                start = change.at[side]
                for line in texts[side].lines[start : start + change.count[side]]:
                    text = line.strip(b" \t\v\f\r") if strip else line
                    if blank and not text:
                        continue
                    if not any(one.test(line, scope=self.call.scope) for one in self.ignored):
                        return False
        return True


def _shell(word: str, utf8: bool) -> str:
    """Quote a word for a shell if it needs quoting."""
    starts_plainly = word != "" and word[0] not in "#~"
    if starts_plainly and word not in "{}" and _SPECIAL.isdisjoint(word):
        return word
    if "'" not in word:
        return f"'{word}'"
    is_printable = all(map(is_print, word)) and (utf8 or word.isascii())
    # Inside double quotes a shell still expands these characters.
    if is_printable and not set(word) & set('"$`\\!'):
        return f'"{word}"'
    return "'" + word.replace("'", "'\\''") + "'"
