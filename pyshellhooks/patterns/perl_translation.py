"""Translation of PCRE2's syntax to that of the ``regex`` module (pcre2pattern(3); PCRE2 10.42 in GNU grep 3.8).

Syntax that PCRE2 rejects is a ``PatternError`` with its message. Syntax that it accepts and that has no counterpart here
ends the run with a ``Stop``: as an error with a status, which reads as "no match", it would turn off a guard.
"""

from __future__ import annotations

import re
from typing import Any

from ..errors import Stop
from ..text import pause
from .perl_properties import property_members
from .ranges import ASCII_RANGES, Ranges, complement
from .tree import PatternError

_BEHIND = "lookbehind assertion is not fixed length"
_IN_LOOK = "\\K is not allowed in lookarounds (but see PCRE2_EXTRA_ALLOW_LOOKAROUND_BSK)"
_MALFORMED = "malformed \\P or \\p sequence"
_NO_REFERENCE = "reference to non-existent subpattern"
_SAME_NAME = "two named subpatterns have the same name (PCRE2_DUPNAMES not set)"
_UNKNOWN_OPTION = "unrecognized character after (? or (?-"
_UNNAMED = "PCRE2 does not support \\F, \\L, \\l, \\N{name}, \\U, or \\u"

_UNICODE = re.compile(r"\\[pPX]")  # properties and graphemes, which ``regex.ASCII`` would limit
_CASELESS = re.compile(r"\(\?\^?[A-Za-z]*i")
_CODE = re.compile(r"\\(?:x\{([0-9A-Fa-f]+)\}|x([0-9A-Fa-f]{2})|N\{U\+([0-9A-Fa-f]+)\}|o\{([0-7]+)\})")
_FOLDED = {"k": "\u212a", "s": "\u017f"}  # the letters beyond ASCII that are an ASCII letter in another case
_HORIZONTAL: Ranges = (
    *((0x09, 0x09), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x180E, 0x180E), (0x2000, 0x200A)),
    *((0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000)),
)
_VERTICAL: Ranges = ((0x0A, 0x0D), (0x85, 0x85), (0x2028, 0x2029))
_SETS: dict[str, Ranges] = {"h": _HORIZONTAL, "v": _VERTICAL}
_ASCII_SETS: dict[str, Ranges] = {
    letter: ASCII_RANGES[name] for letter, name in (("d", "digit"), ("s", "space"), ("w", "word"))
}
_PLAIN = {
    "R": r"(?>\r\n|[\n-\r\x85\u2028\u2029])",
    "N": r"[^\n]",
    "Z": r"(?=\n?\Z)",
    "z": r"\Z",
}
_KNOWN = frozenset("aAbBdDefGhHnNrRsStvVwWXzZ")  # letters after a backslash that have a translation, or need none
_BRACES = re.compile(r"\{(?P<name>[^{}]*)\}")
_COUNT = re.compile(r"\{(\d+)(?:(,)(\d*))?\}")
_REFERENCE = re.compile(r"\{(?P<braced>[^{}]*)\}|<(?P<angle>[^<>]*)>|'(?P<quoted>[^']*)'|(?P<bare>[-+]?\d+)")
_OPTIONS = re.compile(r"\?(?P<options>\^?[A-Za-z]*(?:-[A-Za-z]*)?)(?P<end>[:)])")
_KNOWN_OPTIONS = re.compile(r"\^[imsnxJU]*|[imsnxJU]*(?:-[imsnxJU]*)?")
_NAMED = re.compile(r"\?(?:P?<(?P<angle>\w+)>|'(?P<quoted>\w+)')")
_CALL = re.compile(r"\?(?:(?P<number>[-+]?\d+)|&(?P<name>\w+)|P>(?P<python>\w+)|(?P<whole>R))\)")
_CONDITION = re.compile(r"\?\((?:(?P<number>[-+]?\d+)|<(?P<angle>\w+)>|'(?P<quoted>\w+)'|(?P<name>\w+))\)")
_LOOK = re.compile(r"\?(?P<behind><)?(?P<sign>[=!])")
_VERB = re.compile(r"\*(?P<name>[A-Za-z_]*)(?P<value>[:=][^()]*)?(?P<end>\))?")
_START = re.compile(
    r"\(\*(UTF8?|UCP|LF|BSR_UNICODE|NO_AUTO_POSSESS|NO_DOTSTAR_ANCHOR|NO_JIT|NO_START_OPT|LIMIT_\w+=\d+)\)"
)
_LOOK_VERBS = {
    **dict.fromkeys(("pla", "positive_lookahead"), "(?="),
    **dict.fromkeys(("nla", "negative_lookahead"), "(?!"),
    **dict.fromkeys(("plb", "positive_lookbehind"), "(?<="),
    **dict.fromkeys(("nlb", "negative_lookbehind"), "(?<!"),
    "atomic": "(?>",
}
_UNSET = frozenset("imnsx") | {"xx"}  # the options that ``(?^)`` sets back
_VERBS = frozenset({"F", "FAIL", "PRUNE", "SKIP"})  # those of ``regex``
_OTHER_VERBS = frozenset(
    "ACCEPT ANY ANYCRLF BSR_ANYCRLF COMMIT CR CRLF MARK NOTEMPTY NOTEMPTY_ATSTART NUL THEN asr atomic_script_run "
    "napla naplb non_atomic_positive_lookahead non_atomic_positive_lookbehind script_run sr".split()
)
_WORD = "(?-i:[0-9A-Z_a-z])"
_ASCII_EDGES = {
    "b": f"(?:(?<={_WORD})(?!{_WORD})|(?<!{_WORD})(?={_WORD}))",
    "B": f"(?:(?<={_WORD})(?={_WORD})|(?<!{_WORD})(?!{_WORD}))",
}


def _members(ranges: Ranges) -> str:
    """Return the members of a bracket expression."""
    return "".join([f"\\U{low:08x}-\\U{high:08x}" for low, high in ranges])


class _Frame:
    """A group. ``options``: letters of the options in it; ``behind``: in a look-behind; ``looks``: in any look-around."""

    __slots__ = ("behind", "looks", "options")

    def __init__(self, options: frozenset[str], behind: bool = False, looks: bool = False) -> None:
        self.options = options
        self.behind = behind
        self.looks = looks

    def set(self, text: str) -> None:
        """Set options as ``(?text)`` does."""
        on, _, off = text.removeprefix("^").partition("-")
        if text.startswith("^"):
            self.options -= _UNSET
        added, removed = {*on}, {*off}
        if "xx" in on:
            added.add("xx")
        if "x" in off:
            removed.add("xx")
        self.options = (self.options | added) - removed


class Translation:
    """The translation of one pattern. ``text``: for ``regex``; ``ascii``: it needs the flag ``regex.ASCII``."""

    def __init__(self, pattern: str, *, dollar: str, ucp: bool, ignore_case: bool, utf8: bool) -> None:
        self._pattern = pattern
        self._dollar = dollar
        self._frames = [_Frame(frozenset("i" * ignore_case))]
        self._captures = 0
        self._resets = False
        self._names: set[str] = set()
        self._repeated_names = False
        self._at = 0
        while match := _START.match(pattern, self._at):
            ucp |= match[1] == "UCP"
            self._at = match.end()
        is_caseless = utf8 and (ignore_case or _CASELESS.search(pattern) is not None)
        # Under the flag, letters beyond ASCII have no other case.
        loses_cases = is_caseless and not _is_ascii(pattern)
        self.ascii = not ucp and not loses_cases and _UNICODE.search(pattern) is None
        self._folds = self.ascii and is_caseless
        self._explicit = not ucp and not self.ascii  # ``regex`` would read \\w as Unicode's
        self._total = _captures_in(pattern)
        self.text = self._whole()

    @property
    def word(self) -> str:
        """A word character."""
        return _WORD if self._explicit else r"\w"

    def _whole(self) -> str:
        out: list[str] = []
        while self._at < len(self._pattern):
            pause()
            out.append(self._part())
        if "x" in self._frames[0].options:
            out.append("\n")  # ends a comment
        return "".join(out)

    def _peek(self, length: int = 1) -> str:
        return self._pattern[self._at : self._at + length]

    def _take(self, length: int = 1) -> str:
        text = self._peek(length)
        self._at += len(text)
        return text

    def _escaped(self) -> str:
        """Take the character after a backslash."""
        if self._at >= len(self._pattern):
            raise PatternError("\\ at end of pattern")
        return self._take()

    def _part(self) -> str:
        """Return the next part of a pattern: an escape, a bracket expression, a parenthesis, a count, a character."""
        frame = self._frames[-1]
        char = self._take()
        if char == "\\":
            return self._escape()
        if char == "[":
            return self._class()
        if char == "(":
            return self._group()
        if char == ")":
            return self._close()
        if char == "$":
            return "$" if "m" in frame.options else self._dollar
        if char == "#" and "x" in frame.options:
            return self._comment()
        if char in "*+?":
            return char + self._after_count(True)
        if char == "{":
            return self._count()
        if self._folds and "i" in frame.options:
            other = _FOLDED.get(char.lower())
            if other is not None:
                return f"[{char}{other}]"
        return char

    def _close(self) -> str:
        if len(self._frames) > 1:
            self._frames.pop()
        return ")"

    def _comment(self) -> str:
        """Return a comment of the option ``x``, up to the end of its line."""
        return "#" + self._take_until("\n")

    def _take_until(self, mark: str) -> str:
        """Take the text before a mark, or all that is left without one."""
        end = self._pattern.find(mark, self._at)
        if end < 0:
            end = len(self._pattern)
        return self._take(end - self._at)

    def _count(self) -> str:
        """Return ``{1,2}`` with its mark; a brace that begins no count is a literal one."""
        match = _COUNT.match(self._pattern, self._at - 1)
        if match is None:
            return r"\{"
        self._at = match.end()
        return match[0] + self._after_count(match[2] is not None and match[1] != match[3])

    def _after_count(self, varies: bool) -> str:
        """Return the mark after a repetition: lazy or possessive."""
        if varies and self._frames[-1].behind:
            raise PatternError(_BEHIND)
        mark = self._take() if self._peek() in ("?", "+") else ""
        is_ungreedy = "U" in self._frames[-1].options
        if is_ungreedy and mark != "+":
            return "" if mark else "?"
        return mark

    # -- escapes ------------------------------------------------------------------------------------------------------

    def _escape(self) -> str:
        """Return the translation of an escape outside bracket expressions."""
        char = self._escaped()
        shared = self._shared_escape(char)
        if shared is not None:
            return shared
        if char in "123456789":
            return self._numbered(char)
        if char == "g":
            return self._reference()
        if char == "k":
            return self._named_reference()
        if char == "K":
            return self._match_start()
        if char == "N" and self._peek() == "{":
            is_count = _COUNT.match(self._pattern, self._at) is not None  # ``\N{2}``: two characters
            if not is_count:
                return self._code_point()
        return self._type_or_literal(char)

    def _type_or_literal(self, char: str) -> str:
        """Return an escape that takes no text of its own, besides a property's name: ``\\d``, ``\\p{L}``, ``\\b``, ``\\.``."""
        if char in "pP":
            members, negated = self._property(char == "P")
            return f"(?-i:[{'^' * negated}{members}])"
        letter, complemented = char.lower(), "^" * char.isupper()
        if self._explicit:
            if letter in _ASCII_SETS:
                return f"(?-i:[{complemented}{_members(_ASCII_SETS[letter])}])"
            if char in _ASCII_EDGES:
                return _ASCII_EDGES[char]
        if letter in _SETS:
            return f"[{complemented}{_members(_SETS[letter])}]"
        if char in ("R", "X") and self._frames[-1].behind:
            raise PatternError(_BEHIND)
        return _PLAIN.get(char) or self._literal(char)

    def _literal(self, char: str) -> str:
        if char in tuple("FLlUu"):
            raise PatternError(_UNNAMED)
        if char == "C":
            raise Stop("regex", "\\C of PCRE is not supported here")
        is_letter = char.isascii() and char.isalpha()
        if is_letter and char not in _KNOWN:
            raise PatternError("unrecognized character follows \\")
        return "\\" + char

    def _shared_escape(self, char: str) -> str | None:
        """Return an escape that has the same meaning in a bracket expression; None for any other."""
        if char == "Q":
            literal = self._take_until("\\E")
            self._take(2)
            return "".join([c if c.isalnum() else f"\\U{ord(c):08x}" for c in literal])
        if char == "E":
            return ""
        if char == "c":
            if not self._peek():
                raise PatternError("\\c at end of pattern")
            return f"\\x{ord(self._take().upper()) ^ 64:02x}"
        if char == "e":
            return r"\x1b"
        if char in "xo" and self._peek() == "{":
            end = self._pattern.find("}", self._at)
            text = self._take(end + 1 - self._at)[1:-1] if end > 0 else ""
            return _code(text, 16 if char == "x" else 8)
        if char == "x":
            digits = re.compile("[0-9A-Fa-f]{0,2}").match(self._pattern, self._at)
            assert digits is not None
            self._at = digits.end()
            return f"\\x{int(digits[0] or '0', 16):02x}"
        return None

    def _numbered(self, digit: str) -> str:
        """Return a back-reference, or from ``\\10`` on, without such a group, an octal character."""
        digits = digit
        while self._peek() in tuple("0123456789"):
            digits += self._take()
        if len(digits) == 1 or int(digits) <= self._total:
            return f"(?:\\{digits})"
        octal = re.match("[0-7]{0,3}", digits)
        assert octal is not None
        self._at -= len(digits) - len(octal[0])
        if not octal[0]:
            return ""
        return f"\\x{int(octal[0], 8) & 0xFF:02x}"

    def _named_reference(self) -> str:
        """Return ``\\k{…}``, ``\\k<…>`` and ``\\k'…'``, which refer back to a name."""
        match = _REFERENCE.match(self._pattern, self._at)
        if match is None or match["bare"]:
            raise PatternError("\\k is not followed by a braced, angle-bracketed, or quoted name")
        self._at = match.end()
        return f"(?P={_first_group(match, 'braced', 'angle', 'quoted')})"

    def _match_start(self) -> str:
        """Return ``\\K``, which sets where the match begins."""
        if self._frames[-1].looks:
            raise PatternError(_IN_LOOK)
        return r"\K"

    def _reference(self) -> str:
        """Return ``\\g{…}`` and ``\\g1``, which refer back, or ``\\g<…>`` and ``\\g'…'``, which call a group."""
        match = _REFERENCE.match(self._pattern, self._at)
        if match is None:
            raise PatternError("a numbered reference must not be zero")
        self._at = match.end()
        called = _first_group(match, "angle", "quoted")
        if called:
            return self._call(called)
        name = _first_group(match, "braced", "bare") or ""
        number = self._number(name)
        if number == 0:
            raise PatternError(_NO_REFERENCE)
        return f"(?P={name})" if number is None else f"(?:\\{number})"

    def _call(self, name: str) -> str:
        number = self._number(name)
        return f"(?&{name})" if number is None else f"(?{number})"

    def _number(self, text: str) -> int | None:
        """Return the number of a group, which may be relative; None for a name."""
        if not re.fullmatch(r"[-+]?\d+", text):
            return None
        number = int(text)
        if text[0] in "+-":
            if self._resets:
                raise Stop("regex", "relative references beside (?| are not supported here")
            number = self._captures + number + (text[0] == "-")
        if number < 0 or number > self._total:
            raise PatternError(_NO_REFERENCE)
        return number

    def _code_point(self) -> str:
        match = re.compile(r"\{U\+([0-9A-Fa-f]+)\}").match(self._pattern, self._at)
        if match is None:
            raise PatternError(_UNNAMED)
        self._at = match.end()
        return _code(match[1], 16)

    def _property(self, negated: bool) -> tuple[str, bool]:
        """Return members of a bracket expression for ``\\p`` or ``\\P``, and whether they are negated."""
        match = _BRACES.match(self._pattern, self._at)
        if match is not None:
            name = match["name"]
            self._at = match.end()
        else:  # one letter
            name = self._take() if self._peek().isalpha() else ""
        if not name:
            raise PatternError(_MALFORMED)
        name = name.strip()
        if name.startswith("^"):
            name, negated = name[1:], not negated
        return property_members(re.sub(r"[\s_-]", "", name).lower()), negated

    # -- bracket expressions ------------------------------------------------------------------------------------------

    def _class(self) -> str:
        """Return a bracket expression, or the edge of a word that is spelled like one."""
        start = self._at - 1
        if self._peek() in (":", ".", "=") and _posix_end(self._pattern, start):
            raise PatternError("POSIX named classes are supported only within a class")
        if self._peek(6) in ("[:<:]]", "[:>:]]"):
            side = self._take(6)[2]
            return self._edge(side)
        return self._class_opening() + self._class_members()

    def _class_opening(self) -> str:
        """Return the bracket with ``^``, and with a ``]`` that is the first member."""
        opening = "["
        if self._peek() == "^":
            opening += self._take()
        if self._peek() == "]":
            opening += "\\" + self._take()
        return opening

    def _class_members(self) -> str:
        """Return the members of a bracket expression and the bracket that closes it."""
        out: list[str] = []
        range_so_far = ""  # ``a``: a member that may begin a range; ``a-``: with its hyphen
        while self._at < len(self._pattern):
            pause()
            char = self._take()
            if char == "]":
                return "".join(out) + "]"
            if char in " \t" and "xx" in self._frames[-1].options:
                continue
            text, is_set = self._member(char)
            range_so_far = self._range_after(char, is_set, range_so_far)
            out.append(text)
        raise PatternError("missing terminating ] for character class")

    def _range_after(self, char: str, is_set: bool, range_so_far: str) -> str:
        """Return how much of a range there is after one more member. A set can't begin or end one."""
        if is_set:
            is_begun = self._peek() == "-" and self._peek(2) not in ("-", "-]")
            if is_begun or range_so_far == "a-":
                raise PatternError("invalid range in character class")
            return ""
        if range_so_far == "a-":
            return ""
        return "a-" if char == "-" and range_so_far else "a"

    def _edge(self, side: str) -> str:
        """Return ``[[:<:]]`` or ``[[:>:]]``: the beginning or the end of a word."""
        word = self.word
        return f"(?<!{word})(?={word})" if side == "<" else f"(?<={word})(?!{word})"

    def _member(self, char: str) -> tuple[str, bool]:
        """Return one member of a bracket expression, and whether it is a set, which can't end a range."""
        if char == "[":
            return self._bracketed_member()
        if char == "\\":
            return self._escaped_member()
        return char, False

    def _bracketed_member(self) -> tuple[str, bool]:
        """Return ``[:name:]``; a bracket that begins no such name is a literal one."""
        end = _posix_end(self._pattern, self._at - 1)
        if not end:
            return "\\[", False
        name = self._pattern[self._at + 1 : end - 2]
        kind, self._at = self._peek(), end
        if kind != ":":
            raise PatternError("POSIX collating elements are not supported")
        return self._posix(name), True

    def _escaped_member(self) -> tuple[str, bool]:
        """Return the translation of an escape in a bracket expression, and whether it is a set."""
        char = self._escaped()
        shared = self._shared_escape(char)
        if shared is not None:
            return shared, False
        if char in "pP":
            return self._property_member(char == "P"), True
        ranges = _SETS.get(char.lower())
        if ranges is None and self._explicit:
            ranges = _ASCII_SETS.get(char.lower())
        if ranges is not None:
            return _members(complement(ranges) if char.isupper() else ranges), True
        if char == "b":
            return r"\x08", False
        if char == "N":
            if self._peek() == "{":
                return self._code_point(), False
            raise PatternError("\\N is not supported in a class")
        if char in tuple("ABGKRXZgkz"):
            raise PatternError("escape sequence is invalid in character class")
        return self._literal(char), char.lower() in _ASCII_SETS

    def _property_member(self, negated: bool) -> str:
        members, negated = self._property(negated)
        if not negated:
            return members
        if re.fullmatch(r"\\p\{[^}]*\}", members) is None:
            raise Stop("regex", "a negated property of PCRE in a bracket expression is not supported here")
        return members.replace("\\p", "\\P")

    def _posix(self, name: str) -> str:
        negated = name.startswith("^")
        ranges = ASCII_RANGES.get(name.removeprefix("^"))
        if ranges is None:
            raise PatternError("unknown POSIX class name")
        if not self._explicit:
            return f"[:{name}:]"
        return _members(complement(ranges) if negated else ranges)

    # -- groups -------------------------------------------------------------------------------------------------------

    def _group(self) -> str:
        outer = self._frames[-1]
        inner = _Frame(outer.options, outer.behind, outer.looks)
        if self._peek() == "*":
            return self._verb(inner)
        if self._peek() != "?":
            self._frames.append(inner)
            if "n" in inner.options:
                return "(?:"
            self._captures += 1
            return "("
        if self._peek(2) == "?#":
            end = self._pattern.find(")", self._at)
            if end < 0:
                raise PatternError("missing ) after (?# comment")
            self._at = end + 1
            return ""
        for pattern, translate in (
            (_NAMED, self._named),
            (_CALL, self._called),
            (_CONDITION, self._condition),
            (_LOOK, self._look),
            (_OPTIONS, self._options),
        ):
            match = pattern.match(self._pattern, self._at)
            if match is not None:
                self._at = match.end()
                return translate(match, inner)
        return self._other(inner)

    def _other(self, inner: _Frame) -> str:
        opening = self._opening()
        self._frames.append(inner)
        if opening == "?(?":  # the condition is a look-around, whose parenthesis comes next
            self._at += 1
            return "(?"
        if opening == "?|":  # its alternatives number their groups alike
            self._resets = self._repeated_names = True
        self._at += len(opening)
        return f"({opening}"

    def _opening(self) -> str:
        """Return the start of a group that is the same in ``regex``."""
        for opening in ("?|", "?>", "?P=", "?(?"):
            if self._peek(len(opening)) == opening:
                return opening
        if self._peek(2) in ("?*", "?C", "?(") or self._peek(3) == "?<*":
            raise Stop("regex", f"({self._peek(3)} of PCRE is not supported here")
        raise PatternError(_UNKNOWN_OPTION)

    def _named(self, match: re.Match[str], inner: _Frame) -> str:
        name = _first_group(match, "angle", "quoted")
        if name in self._names and not self._repeated_names:
            raise PatternError(_SAME_NAME)
        self._names.add(name)
        self._captures += 1
        self._frames.append(inner)
        return f"(?P<{name}>"

    def _called(self, match: re.Match[str], inner: _Frame) -> str:
        if match["whole"]:
            return "(?R)"
        return self._call(_first_group(match, "number", "name", "python"))

    def _condition(self, match: re.Match[str], inner: _Frame) -> str:
        self._frames.append(inner)
        name = _first_group(match, "angle", "quoted", "name")
        if match["number"]:
            number = self._number(match["number"])
            return f"(?({number})"
        # ``R`` and ``VERSION`` test for recursion and for PCRE2's version, unless a group has this name.
        is_special = match["name"] and re.fullmatch(r"R\d*|VERSION.*", name)
        if is_special and f"<{name}>" not in self._pattern:
            raise Stop("regex", f"the condition ({name}) of PCRE is not supported here")
        return f"(?({name})"

    def _look(self, match: re.Match[str], inner: _Frame) -> str:
        return self._looking(match[0], inner)

    def _looking(self, opening: str, inner: _Frame) -> str:
        if opening != "(?>":
            inner.looks = True
            inner.behind = "<" in opening  # in a look-ahead within a look-behind, any length is allowed
        self._frames.append(inner)
        return opening if opening.startswith("(") else f"({opening}"

    def _options(self, match: re.Match[str], inner: _Frame) -> str:
        options = match["options"]
        if _KNOWN_OPTIONS.fullmatch(options) is None:
            raise PatternError(_UNKNOWN_OPTION)
        on, _, off = options.removeprefix("^").partition("-")
        self._repeated_names |= "J" in on
        on, off = _shared_options(on), _shared_options(off)
        if options.startswith("^"):
            off = "".join(letter for letter in "imsx" if letter not in on)
        text = on
        if off:
            text += f"-{off}"
        if match["end"] == ")":
            self._frames[-1].set(options)
            return f"(?{text})" if text else "(?:)"
        inner.set(options)
        self._frames.append(inner)
        return f"(?{text}:"

    def _verb(self, inner: _Frame) -> str:
        match = _VERB.match(self._pattern, self._at)
        assert match is not None
        name, value = match["name"], match["value"] or ""
        if name in _LOOK_VERBS and value.startswith(":"):
            self._at += len(name) + 2
            return self._looking(_LOOK_VERBS[name], inner)
        if name in _VERBS and match["end"] and not value:
            self._at = match.end()
            return f"(*{name})"
        is_mark = not name and value.startswith(":")  # ``(*:name)`` is ``(*MARK:name)``
        if is_mark or name in _OTHER_VERBS or name in _VERBS:
            raise Stop("regex", f"(*{name} of PCRE is not supported here")
        raise PatternError("(*VERB) not recognized or malformed")


def _shared_options(letters: str) -> str:
    """Return the letters, each once, that mean the same in ``regex``."""
    return "".join(dict.fromkeys(letter for letter in letters if letter in "imsx"))


def _is_ascii(pattern: str) -> bool:
    """Return whether a pattern has ASCII characters only, also among those that are written as code points."""
    if not pattern.isascii():
        return False
    for match in _CODE.finditer(pattern):
        octal = match[4]
        code = int(octal, 8) if octal else int(_first_group(match, 1, 2, 3), 16)
        if code >= 0x80:
            return False
    return True


def _first_group(match: re.Match[str], *names: str | int) -> Any:
    """Return the text of the first of some groups that took part and is not empty."""
    text: str | None = None
    for name in names:
        text = match[name]
        if text:
            break
    return text


def _code(digits: str, base: int) -> str:
    try:
        return f"\\U{int(digits, base):08x}"
    except ValueError:
        raise PatternError("non-hex character in \\x{} (closing brace missing?)") from None


def _posix_end(pattern: str, at: int) -> int:
    """Return the end of ``[:name:]``, ``[.x.]`` or ``[=x=]`` at a bracket, or 0."""
    match = re.compile(r"\[(?:([:.=])\^?\w*\1\])").match(pattern, at)
    return 0 if match is None else match.end()


def _captures_in(pattern: str) -> int:
    """Return the number of capturing groups; a few too many if one of them is behind an option that counts none."""
    count = 0
    for match in re.finditer(
        r"\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|(\((?!\?|\*))|(\(\?(?:P?<\w|'))", pattern, re.DOTALL
    ):
        count += match[1] is not None or match[2] is not None
    return count
