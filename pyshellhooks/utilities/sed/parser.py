"""The parser of sed scripts (POSIX XCU sed, GNU sed 4.9 manual 3 to 6). Errors have GNU's messages and positions."""

from __future__ import annotations

from bisect import bisect_right

from ...errors import UsageError
from ...patterns.engines import Regex, compile_posix
from ...patterns.flavors.posix import BRACKET_OPENERS as OPENERS
from ...patterns.tree import PatternError
from ...text import EVERY, encode, parse_digits, pause, remembered
from .escapes import BASIC, EXTENDED, expression, read_escape
from .script import Address, Command, Program, Substitution
from .substitute import characters, replacement

_BLANK = " \t"
_SPACE = " \t\n\v\f\r"
_DIGITS = "0123456789"
_ONE_ADDRESS = "=aiqQrF"
_NO_ARGUMENTS = "=dDFgGhHnNpPzx"
_END = ""


class Fragment:
    """One ``-e`` or ``-f``: the start of its text in the joined script, its name in errors, and its mode."""

    __slots__ = ("mode", "name", "start")

    def __init__(self, start: int, name: str, mode: Mode) -> None:
        self.start = start
        self.name = name  # a file's name; "" for -e
        self.mode = mode


class Mode:
    """The options that change the meaning of a script; hashable, as part of a cache's key."""

    __slots__ = ("_key", "debug", "extended", "multiline", "posix", "sandbox", "utf8")

    def __init__(
        self, extended: bool, sandbox: bool, posix: bool, multiline: bool, utf8: bool, debug: bool = False
    ) -> None:
        self.extended = extended
        self.sandbox = sandbox
        self.posix = posix
        self.multiline = multiline  # the M flag applies; not with -z, where lines end in NUL
        self.utf8 = utf8
        self.debug = debug  # labels and block ends are listed as commands, for --debug
        self._key = (extended, sandbox, posix, multiline, utf8, debug)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mode) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


class Parser:
    """One pass over the joined text of all fragments."""

    def __init__(self, text: str, fragments: list[Fragment]) -> None:
        self._text = text
        self._size = len(text)
        self._at = 0
        self._fragments = fragments
        self._starts = [fragment.start for fragment in fragments]
        self._commands: list[Command] = []
        self._blocks: list[Command] = []
        self._openings: list[int] = []  # the offset of each open block
        self._labels: dict[str, int] = {}

    @property
    def _mode(self) -> Mode:
        return self._fragments[self._which(self._at)].mode

    def _which(self, at: int) -> int:
        """Return the index of the fragment that contains the character before an offset."""
        return max(bisect_right(self._starts, max(at - 1, 0)) - 1, 0)

    # Characters

    def _next(self) -> str:
        """Return the next character and advance; "" at the end."""
        if self._at >= self._size:
            return _END
        char = self._text[self._at]
        self._at += 1
        if not self._at % EVERY:
            pause()
        return char

    def _back(self, char: str) -> None:
        if char:
            self._at -= 1

    def _next_solid(self) -> str:
        """Return the next character that is not blank."""
        while (char := self._next()) and char in _BLANK:
            pass
        return char

    def _error(self, message: str, at: int | None = None) -> UsageError:
        if at is None:
            at = self._at
        which = self._which(at)
        fragment = self._fragments[which]
        if fragment.name:
            line = self._text.count("\n", fragment.start, at) + 1
            return UsageError(f"file {fragment.name} line {line}: {message}", hint=False)
        number = sum(not f.name for f in self._fragments[: which + 1])
        return UsageError(f"-e expression #{number}, char {at - fragment.start}: {message}", hint=False)

    # Commands

    def parse(self) -> Program:
        """Parse the whole script."""
        quiet = self._text.startswith("#n")
        while True:
            while (char := self._next()) and (char in _SPACE or char == ";"):
                pass
            if not char:
                break
            pause()
            self._back(char)
            self._command()
        if self._blocks:
            raise self._unclosed()
        for command in self._commands:
            if command.name in "btT":
                if command.label and command.label not in self._labels:
                    raise UsageError(f"can't find label for jump to `{command.label}'", 4, hint=False)
                command.jump = len(self._commands)  # without a label: the end of the script
                if command.label:
                    command.jump = self._labels[command.label]
        return Program(self._commands, quiet)

    def _unclosed(self) -> UsageError:
        at = self._openings[-1]
        fragment = [fragment for fragment in self._fragments if fragment.start < at][-1]
        if not fragment.name:
            return UsageError("-e expression #1, char 0: unmatched `{'", hint=False)
        line = self._text.count("\n", fragment.start, at) + 1
        return UsageError(f"file {fragment.name} line {line}: unmatched `{{'", hint=False)

    def _command(self) -> None:
        first = self._address()
        second = None
        char = self._next_solid()
        if first is not None:
            if first.kind in ("plus", "multiple"):
                self._back(char)
                raise self._error("invalid usage of +N or ~N as first address")
            if char == ",":
                self._at += self._blanks()
                second = self._address()
                if second is None:
                    self._next()
                    raise self._error("unexpected `,'")
                char = self._next_solid()
            if first.kind == "number" and not first.number:
                if second is not None:
                    usual = second.kind == "regex"
                else:
                    usual = char == "r"
                if not usual or self._mode.posix:
                    raise self._error("invalid usage of line address 0")
        negated = char == "!"
        if negated:
            char = self._next_solid()
            if char == "!":
                raise self._error("multiple `!'s")
        if not char:
            raise self._error("missing command")
        if second is not None and char in _ONE_ADDRESS:
            # POSIX allows these commands one address; GNU extends all but q and Q.
            if self._mode.posix or char in "qQ":
                raise self._error("command only uses one address")
        command = Command(char, first, second, negated)
        command.index = len(self._commands)
        self._arguments(char, command)

    def _blanks(self) -> int:
        end = self._at
        while end < self._size and self._text[end] in _BLANK:
            end += 1
            if not end % EVERY:
                pause()
        return end - self._at

    def _arguments(self, char: str, command: Command) -> None:
        self._refuse_beyond_posix(char, "eFLQRTvWz", f"unknown command: `{char}'")
        if char in _NO_ARGUMENTS:
            self._end_of_command()
        elif char in "{}#:v":
            self._structure(char, command)
            return
        elif char in "aic":
            command.text = self._text_argument()
        elif char in "btT":
            command.label = self._label(";}")
            if command.label == "":
                self._end_of_command()
        elif char in "qQl":
            command.number = -1 if self._mode.posix else self._optional_number()
            self._end_of_command()
        elif char in "rRwW":
            self._refuse_in_sandbox()
            command.label = self._file_name()
            first = command.first
            if first is not None and first.kind == "number" and command.second is None:
                # 0r reads a file before line 1.
                command.number = first.number
                command.first = Address("number", max(1, first.number))
        elif char == "e":
            self._refuse_in_sandbox()
            self._at += self._blanks()
            command.text = encode(self._rest_of_line())
        elif char == "s":
            command.substitution = self._substitution()
        elif char == "y":
            command.sides = self._transliteration()
            command.table = {}
            for old, new in zip(*command.sides, strict=True):
                command.table.setdefault(old, new)
            self._end_of_command()
        else:
            raise self._error(f"unknown command: `{char}'")
        self._commands.append(command)

    def _refuse_beyond_posix(self, char: str, beyond: str, message: str) -> None:
        if self._mode.posix and char and char in beyond:
            raise self._error(message)

    def _refuse_in_sandbox(self) -> None:
        if self._mode.sandbox:
            raise self._error("e/r/w commands disabled in sandbox mode")

    def _structure(self, char: str, command: Command) -> None:
        """Parse a part that is not executed: a block, a label, a comment, the version check."""
        if char == "{":
            self._blocks.append(command)
            self._openings.append(self._at)
            self._commands.append(command)
        elif char == "}":
            if not self._blocks:
                raise self._error("unexpected `}'")
            if command.first is not None:
                raise self._error("`}' doesn't want any addresses")
            self._blocks.pop().jump = len(self._commands)
            self._openings.pop()
            self._list(command)
            self._end_of_command()
        elif char == "#":
            if command.first is not None:
                raise self._error("comments don't accept any addresses")
            self._rest_of_line()
        elif char == ":":
            if command.first is not None:
                raise self._error(": doesn't want any addresses")
            label = self._label(";}")
            if not label:
                raise self._error('":" lacks a label')
            self._labels[label] = len(self._commands)
            command.label = label
            self._list(command)
        else:
            wanted = self._label(";")
            if wanted and _version(wanted) > [4, 9]:
                raise self._error("expected newer version of sed")

    def _list(self, command: Command) -> None:
        if self._mode.debug:
            self._commands.append(command)

    def _end_of_command(self) -> None:
        char = self._next_solid()
        if char and char in "}#":
            self._back(char)
        elif char and char not in "\n;\r":
            raise self._error("extra characters after command")

    def _rest_of_line(self) -> str:
        end = self._text.find("\n", self._at)
        if end < 0:
            end = self._size
        line = self._text[self._at : end]
        self._at = min(end + 1, self._size)
        return line

    def _label(self, ends: str) -> str:
        self._at += self._blanks()
        start = self._at
        while self._at < self._size and self._text[self._at] not in _SPACE + ends:
            self._at += 1
            if not self._at % EVERY:
                pause()
        return self._text[start : self._at]

    def _file_name(self) -> str:
        self._at += self._blanks()
        name = self._rest_of_line()
        if not name:
            raise self._error("missing filename in r/R/w/W commands")
        return name

    def _optional_number(self) -> int:
        self._at += self._blanks()
        if self._text[self._at : self._at + 1] not in tuple(_DIGITS):
            return -1
        return self._number()

    def _number(self) -> int:
        start = self._at
        while self._at < self._size and self._text[self._at] in _DIGITS:
            self._at += 1
        return parse_digits(self._text[start : self._at] or "0")

    # Addresses

    def _address(self) -> Address | None:
        self._at += self._blanks()
        char = self._text[self._at : self._at + 1]
        if not char:
            return None
        if char in _DIGITS:
            number = self._number()
            mark = self._at + self._blanks()
            if self._text[mark : mark + 1] == "~" and not self._mode.posix:
                self._at = mark + 1
                self._at += self._blanks()
                step = self._number()
                if step:
                    return Address("step", number, step)
                return Address("number", number)
            return Address("number", number)
        if char in "+~" and not self._mode.posix:
            self._at += 1
            if char == "+":
                kind = "plus"
            else:
                kind = "multiple"
            return Address(kind, self._number())
        if char == "$":
            self._at += 1
            return Address("last")
        if char not in "/\\":
            return None
        self._at += 1
        if char == "\\":
            char = self._next()
        pattern = self._delimited(char, regex=True)
        if pattern is None:
            raise self._error("unterminated address regex")
        ignore_case, multiline = self._modifiers()
        address = Address("regex", regex=self._regex(pattern, ignore_case, multiline))
        address.shown, address.flags = self._expression(pattern), "I" * ignore_case + "M" * multiline
        return address

    def _modifiers(self) -> tuple[bool, bool]:
        """Parse I and M after an address."""
        found = {"I": False, "M": False}
        while not self._mode.posix and (flag := self._next_solid()):
            if flag not in found:
                self._back(flag)
                break
            found[flag] = True
        return found["I"], found["M"]

    def _expression(self, pattern: str) -> str:
        if not self._mode.posix:
            return expression(pattern)
        return expression(pattern, EXTENDED if self._mode.extended else BASIC)

    def _regex(self, pattern: str, ignore_case: bool, multiline: bool) -> Regex | None:
        if not pattern:
            if ignore_case or multiline:
                raise self._error("cannot specify modifiers on empty regexp")
            return None
        try:
            return compile_posix(
                self._expression(pattern),
                extended=self._mode.extended,
                dialect="sed",
                ignore_case=ignore_case,
                newline_anchors=multiline and self._mode.multiline,
                utf8=self._mode.utf8,
            )
        except PatternError as error:
            if error.message.startswith("character class syntax"):
                raise UsageError(error.message, 4, hint=False) from None
            raise self._error(error.message) from None

    def _delimited(self, delimiter: str, *, regex: bool) -> str | None:
        """Parse up to a delimiter outside of brackets and without a backslash. Return None if it is missing."""
        out: list[str] = []
        in_bracket = False
        while (char := self._next()) and char != "\n":
            if not len(out) % EVERY:
                pause()
            if in_bracket:
                if char == "[" and (closer := OPENERS.get(self._text[self._at - 1 : self._at + 1])) is not None:
                    end = self._text.find(closer, self._at + 1)
                    if end > 0:
                        out.append(self._text[self._at - 1 : end + 2])
                        self._at = end + 2
                        continue
                in_bracket = char != "]"
            elif char == delimiter:
                return "".join(out)
            elif char == "[" and regex:
                in_bracket = True
                end = self._at + self._text.startswith("^", self._at)
                end += self._text.startswith("]", end)
                out.append(self._text[self._at - 1 : end])
                self._at = end
                continue
            if char == "\\":
                char = self._next()
                if not char:
                    break
                char, escaped = self._escaped(char, delimiter, regex=regex, in_bracket=in_bracket), char
                in_bracket = in_bracket and escaped != "]"
            out.append(char)
        self._back(char)
        return None

    def _escaped(self, char: str, delimiter: str, *, regex: bool, in_bracket: bool) -> str:
        """Return the text for a backslash and a character; a delimiter outside of brackets loses its backslash."""
        if char == delimiter:
            # In a replacement "\&" stays: without its backslash it would mean the match.
            is_plain = not in_bracket if regex else char != "&"
            if is_plain:
                return char
        if not regex:
            return f"\\{char}"
        # POSIX XBD 9.3.5: in brackets a backslash is an ordinary character.
        is_member = in_bracket and self._mode.posix
        if char == "\n" or (char == "n" and not is_member):
            return "\n"
        return f"\\{char}"

    # s and y

    def _substitution(self) -> Substitution:
        delimiter = self._next()
        pattern = self._delimited(delimiter, regex=True) if delimiter else None
        right = self._delimited(delimiter, regex=False) if pattern is not None else None
        if pattern is None or right is None:
            raise self._error("unterminated `s' command")
        substitution = Substitution(None, replacement(right, self._mode.posix))
        ignore_case, multiline = self._substitution_flags(substitution)
        substitution.regex = self._regex(pattern, ignore_case, multiline)
        substitution.shown, substitution.flags = self._expression(pattern), "i" * ignore_case + "m" * multiline
        highest = substitution.replacement.highest
        if substitution.regex is not None and highest > substitution.regex.groups:
            raise self._error(f"invalid reference \\{highest} on `s' command's RHS")
        return substitution

    def _substitution_flags(self, substitution: Substitution) -> tuple[bool, bool]:
        ignore_case = multiline = numbered = False
        while True:
            flag = self._next_solid()
            self._refuse_beyond_posix(flag, "iImMe", "unknown option to `s'")
            if flag in ("i", "I"):
                ignore_case = True
            elif flag in ("m", "M"):
                multiline = True
            elif flag == "e":
                self._refuse_in_sandbox()
                substitution.evaluate = True
            elif flag == "p":
                if substitution.printed:
                    raise self._error("multiple `p' options to `s' command")
                substitution.printed = True
            elif flag == "g":
                if substitution.every:
                    raise self._error("multiple `g' options to `s' command")
                substitution.every = True
            elif flag == "w":
                self._refuse_in_sandbox()
                substitution.target = self._file_name()
                return ignore_case, multiline
            elif flag and flag in _DIGITS:
                if numbered:
                    raise self._error("multiple number options to `s' command")
                self._back(flag)
                substitution.number = self._number()
                substitution.numbered = numbered = True
                if not substitution.number:
                    raise self._error("number option to `s' command may not be zero")
            elif flag in ("}", "#"):
                self._back(flag)
                return ignore_case, multiline
            elif flag in ("\n", ";", _END, "\r"):
                return ignore_case, multiline
            else:
                raise self._error("unknown option to `s'")

    def _transliteration(self) -> tuple[list[str], list[str]]:
        delimiter = self._next()
        source = self._delimited(delimiter, regex=False) if delimiter else None
        target = self._delimited(delimiter, regex=False) if source is not None else None
        if source is None or target is None:
            raise self._error("unterminated `y' command")
        left, right = characters(source), characters(target)
        if len(left) != len(right):
            self._next_solid()
            raise self._error("strings for `y' command are different lengths")
        return left, right

    # a i c

    def _ends_expression(self) -> bool:
        """Return whether the newline just read is the one after an ``-e`` fragment."""
        at = bisect_right(self._starts, self._at)
        return self._starts[at - 1] == self._at and not self._fragments[at - 2].name

    def _text_argument(self) -> bytes | None:
        """Parse the text of a, i, c: the rest of the line, or the lines after a backslash."""
        char = self._next_solid()
        if not char:
            raise self._error("expected \\ after `a', `c' or `i'")
        if char == "\\":
            char = self._next()
            if char and char in _BLANK:
                # "a\  text": the blanks are part of the text, unless the line ends after them.
                start = self._at - 1
                self._at += self._blanks()
                if self._text[self._at : self._at + 1] in ("\n", ""):
                    self._next()
                else:
                    self._at = start
            elif char != "\n":
                self._back(char)
            if self._at >= self._size:
                if char == "\n":
                    return b"\n"
                return None
        else:
            if char == "\n" and self._ends_expression():
                self._at -= 1
                raise self._error("expected \\ after `a', `c' or `i'")
            self._refuse_beyond_posix(char, char, "expected \\ after `a', `c' or `i'")
            self._back(char)
        out: list[str] = []
        while (char := self._next()) and char != "\n":
            if char == "\\":
                found = read_escape(self._text, self._at)
                if found is not None:
                    char, self._at = found
                else:
                    char = self._next()
            out.append(char)
            if not len(out) % EVERY:
                pause()
        return encode("".join(out)) + b"\n"


def _version(text: str) -> list[int]:
    """Return the numbers of a version; a part that is not a number counts as 0."""
    return [int(part) if part.isdecimal() else 0 for part in text.split(".")]


@remembered(128)
def parse_script(fragments: tuple[tuple[str, str, Mode], ...]) -> Program:
    """Parse fragments (text, file name or "", mode), joined by newlines as several ``-e`` are. The result is cached."""
    starts: list[Fragment] = []
    at = 0
    for text, name, mode in fragments:
        starts.append(Fragment(at, name, mode))
        at += len(text) + 1
    return Parser("\n".join(text for text, _, _ in fragments), starts).parse()
