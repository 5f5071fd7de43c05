"""What the options of diff say."""

from __future__ import annotations

from collections.abc import Sequence

from ...command import Call
from ...errors import UsageError
from ...pattern.charclass import is_utf8
from ...pattern.engines import Regex, compile_posix
from ...pattern.glob import Glob, compile_glob
from ...pattern.regex_nodes import PatternError
from ...text import decode
from ..support.lines import lines
from .flags import hinted
from .texts import Change, Text, key_of

_STYLES = {
    "normal": "normal",
    "context_3": "context",
    "context": "context",
    "unified_3": "unified",
    "unified": "unified",
    "ed": "ed",
    "rcs": "rcs",
}
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./%+,@:=^")


class Settings:
    """The options of one call."""

    def __init__(self, call: Call) -> None:
        opts = call.opts
        self.call = call
        self.tab = opts.integer("tabsize", 8)
        self.key = key_of(opts, self.tab)
        self.style = self._style()
        self.color = self._color()
        self.context = self._context()
        self.horizon = max(opts.integer("horizon_lines", 0), self.context)
        self.brief = opts.brief
        self.report_same = opts.report_identical_files
        self.recursive = opts.recursive
        self.new_file = opts.new_file
        self.new_first = opts.new_file or opts.unidirectional_new_file
        self.expand = opts.expand_tabs
        self.initial_tab = opts.initial_tab
        self.suppress_blank = opts.suppress_blank_empty
        self.labels = opts.all("label")
        if len(self.labels) > 2:
            raise UsageError("too many file label options", 2, hint=False)
        functions = opts.all("show_function_line") + ["^[[:alpha:]$_]"] * (opts.show_c_function)
        self.function = [self._regex(text) for text in functions] or None
        self.ignored = [self._regex(text) for text in opts.all("ignore_matching_lines")]
        self.excluded = self._excluded()
        self.switches = "".join(" " + _shell(word) for word in self._option_words())

    def _color(self) -> bool:
        call = self.call
        when = call.opts.value("color", "auto" if call.opts.color else "never")
        if when not in ("always", "auto", "never"):
            raise hinted(f"invalid color '{when}'", "diff")
        return when == "always" or (when == "auto" and call.stdout.isatty() and call.env.get("TERM", "dumb") != "dumb")

    def _style(self) -> str:
        styles = {_STYLES[dest] for dest, _ in self.call.opts.given if dest in _STYLES}
        if len(styles) > 1:
            raise hinted("conflicting output style options", "diff")
        if styles:
            return styles.pop()
        return "context" if "show_c_function" in self.call.opts else "normal"

    def _context(self) -> int:
        """Return the lines of context: the most that an option asks for; ``-5`` goes before the default of -c and -u."""
        if self.style not in ("context", "unified"):
            return 0
        opts = self.call.opts
        asked = [*opts.read("context", int), *opts.read("unified", int)]
        digits = opts.all("digits")
        if digits:
            asked.append(int(digits[-1][:18]))
        elif not asked or any(dest in ("context_3", "unified_3") for dest, _ in opts.given):
            asked.append(3)
        return max(asked)

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
        return [compile_glob(pattern, extglob=False) for pattern in patterns]

    def excludes(self, name: str) -> bool:
        """Say whether -x or -X leaves a name out."""
        return any(glob.matches(name) for glob in self.excluded)

    def _option_words(self) -> list[str]:
        """Return the words of the call that are options, as the headers of ``diff -r`` repeat them."""
        words = list(self.call.argv[1:])
        for operand in reversed(self.call.args):
            del words[len(words) - 1 - words[::-1].index(operand)]
        return [word for word in words if word != "--"]

    def trivial(self, texts: Sequence[Text], changes: Sequence[Change]) -> bool:
        """Say whether all lines of some changes are ones that -B or -I ignores."""
        blank = self.call.opts.ignore_blank_lines
        if not blank and not self.ignored:
            return False
        strip = bool(self.call.opts.ignore_all_space or self.call.opts.ignore_space_change)
        for change in changes:
            for side in (0, 1):
                start = change.at[side]
                for line in texts[side].lines[start : start + change.count[side]]:
                    if blank and not (line.strip(b" \t\v\f\r") if strip else line):
                        continue
                    if not any(one.test(line, scope=self.call.scope) for one in self.ignored):
                        return False
        return True


def _shell(word: str) -> str:
    """Quote a word as a shell would read it, where it needs that."""
    if word and _PLAIN.issuperset(word):
        return word
    if "'" not in word:
        return f"'{word}'"
    if not set(word) & set('"$`\\!'):
        return f'"{word}"'
    return "'" + word.replace("'", "'\\''") + "'"
