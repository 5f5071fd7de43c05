"""env: run a command in a changed environment (POSIX XCU env; GNU coreutils 9.1)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from ..command import Call, Flag, Flags, utility
from ..command.flags import Options
from ..errors import UsageError
from ..regexes import lazy_pattern
from ..text import EVERY, encode, paced, pause
from .support.quoting import quote, quote_name

_BLANKS = " \t\n\v\f\r"
_SPECIAL_UNQUOTED = frozenset("'\"#" + _BLANKS)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "#": "#", "$": "$", '"': '"', "'": "'", "\\": "\\"}


# Characters that are literal in -S, quoted or not.
_PLAIN = lazy_pattern(r"[^'\"\\$# \t\n\v\f\r]+")


class _Splitter:
    """``-S``: the split of a string into words, as in GNU env."""

    def __init__(self, text: str, env: Mapping[str, str]) -> None:
        self.text = text
        self.env = env
        self.words: list[str] = []
        self.word: list[str] | None = None

    def add(self, piece: str) -> None:
        if self.word is None:
            self.word = []
        elif not len(self.word) % EVERY:
            pause()
        self.word.append(piece)

    def end(self) -> None:
        if self.word is not None:
            self.words.append("".join(self.word))
            self.word = None

    def split(self) -> list[str]:
        text = self.text
        at = 0
        quoted = ""
        while at < len(text):
            char = text[at]
            at += 1
            if char == quoted:
                quoted = ""
                self.add("")
            elif char == "\\":
                if at >= len(text):
                    raise UsageError("invalid backslash at end of string in -S", 125, hint=False)
                char = text[at]
                at += 1
                if char == "c" and not quoted:
                    break
                self.escape(char, quoted)
            elif char == "$" and quoted != "'":
                at = self.variable(at)
            elif quoted or char not in _SPECIAL_UNQUOTED:
                at = self.plain(at)
            elif char in "'\"":
                quoted = char
                self.add("")  # so that '' is a word, although it is empty
            elif char in _BLANKS:
                pause()
                self.end()
            elif self.word is None:
                break  # # begins a comment only where a word may begin
            else:
                at = self.plain(at)
        if quoted:
            raise UsageError("no terminating quote in -S string", 125, hint=False)
        self.end()
        return self.words

    def escape(self, char: str, quoted: str) -> None:
        if quoted == "'" and char not in "'\\":
            self.add("\\" + char)
        elif char == "_":
            if quoted:
                self.add(" ")
            else:
                self.end()
        elif char in _ESCAPES:
            self.add(_ESCAPES[char])
        elif char == "c":
            raise UsageError("'\\c' must not appear in double-quoted -S string", 125, hint=False)
        else:
            raise UsageError(f"invalid sequence '\\{char}' in -S", 125, hint=False)

    def plain(self, at: int) -> int:
        """Add the character before a place and all ordinary ones that follow. Return their end."""
        ordinary = _PLAIN.match(self.text, at)
        end = at if ordinary is None else ordinary.end()
        self.add(self.text[at - 1 : end])
        return end

    def variable(self, at: int) -> int:
        end = self.text.find("}", at)
        name = self.text[at + 1 : end]
        braced = self.text.startswith("{", at) and end >= 0
        if not braced or not name.isidentifier():
            raise UsageError(
                f"only ${{VARNAME}} expansion is supported, error at: {self.text[at - 1 :]}", 125, hint=False
            )
        self.add(self.env.get(name, ""))
        return end + 1


class _EnvFlags(Flags):
    """Options in which ``-S`` is replaced by the words of its string; the words after it follow them."""

    __slots__ = ()

    def parse(self, argv: Sequence[str], env: Mapping[str, str]) -> tuple[Options, list[str]]:
        splits: list[tuple[str, int]] = []
        words = list(self._expanded(deque(argv), env, splits))
        options, operands = super().parse(words, env)
        for text, before in splits:
            is_debug = super().parse(words[:before], env)[0].debug
            options.add("split_string", text if is_debug else None)  # a text for the messages of -v
        return options, operands

    def _expanded(self, rest: deque[str], env: Mapping[str, str], splits: list[tuple[str, int]]) -> Iterator[str]:
        """Yield all words; each ``-S`` before the first operand is replaced by the words of its string."""
        number = 0
        while rest and _is_option(rest[0]):
            word = rest.popleft()
            head, text = _parted(word, rest)
            if head:
                yield head
                number += 1
            if text is not None:
                made = _Splitter(text, env).split()
                splits.append((text, number))
                rest.extendleft(reversed(made))  # its words may be options too, even another -S
            elif rest and _takes_next(word):
                yield rest.popleft()
                number += 1
        yield from rest


def _is_option(word: str) -> bool:
    return word.startswith("-") and word not in ("-", "--")


def _parted(word: str, rest: deque[str]) -> tuple[str, str | None]:
    """Return the options before ``-S`` in a word and the string of ``-S``, or the word and None without ``-S``.

    A ``-S`` without a string is left to the parser, which reports it.
    """
    if word.startswith("--"):
        name, equals, value = word.partition("=")
        if not "--split-string".startswith(name):
            return word, None
        if equals:
            return "", value
        return ("", rest.popleft()) if rest else (word, None)
    at = _first_of("SuC", word)
    if at < 0 or word[at] != "S":
        return word, None
    head = "" if at == 1 else word[:at]
    value = word[at + 1 :]
    if value:
        return head, value
    return (head, rest.popleft()) if rest else (word, None)


def _first_of(letters: str, word: str) -> int:
    """Return the place of the first of some letters, or -1. After -u or -C the rest of a word is a value."""
    for at, letter in enumerate(word):
        if letter in letters:
            return at
    return -1


def _takes_next(word: str) -> bool:
    """Return whether the next word is the value of an option."""
    if word.startswith("--"):
        return len(word) > 2 and any(name.startswith(word) for name in ("--unset", "--chdir"))
    return _first_of("uC", word) == len(word) - 1


_FLAGS = _EnvFlags(
    [
        Flag("-i", "--ignore-environment", help="start with an empty environment"),
        Flag("-0", "--null", help="end each output line with NUL, not newline"),
        Flag("-u", "--unset", value="NAME", help="remove variable from the environment"),
        Flag("-C", "--chdir", value="DIR", help="change working directory to DIR"),
        Flag("-S", "--split-string", value="S", help="process and split S into separate arguments"),
        Flag("-v", "--debug", help="print verbose information for each processing step"),
    ],
    permute=False,
)


@utility(
    "env",
    summary="Set each NAME to VALUE in the environment and run COMMAND.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... [-] [NAME=VALUE]... [COMMAND [ARG]...]",
    flags=_FLAGS,
    usage_status=125,
    error_status=125,
)
def env(call: Call) -> int:
    opts, args = call.opts, call.args
    empty = opts.ignore_environment
    if args[:1] == ["-"]:
        empty, args = True, args[1:]
    note = _VerboseMessages(call, opts.debug)
    note.splits(call, opts.all("split_string"))
    if empty:
        note("cleaning environ")
        variables: dict[str, str] = {}
    else:
        variables = dict(call.env)
        _unset(call, variables, note)
    while args and "=" in args[0]:
        name, _, value = args[0].partition("=")
        variables[name] = value
        note(f"setenv:   {args[0]}")
        args = args[1:]
    folder = opts.value("chdir") if "chdir" in opts else None
    if not args:
        return _show(call, variables, "\0" if opts.null else "\n", folder)
    if opts.null:
        raise UsageError("cannot specify --null (-0) with command", 125)
    return _run(call, args, variables, folder, note)


def _unset(call: Call, variables: dict[str, str], note: _VerboseMessages) -> None:
    """Remove the variables of ``-u``. With an empty environment GNU does not even check their names."""
    for name in call.opts.all("unset"):
        note(f"unset:    {name}")
        if not name or "=" in name:
            raise UsageError(f"cannot unset {quote(name, call.env)}: Invalid argument", 125, hint=False)
        variables.pop(name, None)


def _show(call: Call, variables: dict[str, str], end: str, folder: str | None) -> int:
    """Write the variables, for a call without a command."""
    if folder is not None:
        raise UsageError("must specify command with --chdir (-C)", 125)
    call.out.write(encode("".join(f"{name}={value}{end}" for name, value in variables.items())))
    return 0


class _VerboseMessages:
    """The messages of ``-v`` on stderr."""

    def __init__(self, call: Call, on: bool) -> None:
        self.call = call
        self.on = on

    def __call__(self, text: str) -> None:
        if self.on:
            self.call.stderr.write(encode(text + "\n"))

    def command(self, args: list[str]) -> None:
        """Write the command and its arguments."""
        if not self.on:
            return
        self(f"executing: {args[0]}")
        for number, word in enumerate(paced(args)):
            self(f"   arg[{number}]= {quote(word, self.call.env)}")

    def splits(self, call: Call, texts: list[str]) -> None:
        """Write the words of each string of ``-S``."""
        for text in texts:
            words = _Splitter(text, call.env).split()
            if words:
                self._split(text, words)

    def _split(self, text: str, words: list[str]) -> None:
        self(f"split -S:  {quote(text, self.call.env)}")
        lead = " into:"
        for word in words:
            self(f"{lead}    {quote(word, self.call.env)}")
            lead = "     &"


def _run(call: Call, args: list[str], variables: dict[str, str], folder: str | None, note: _VerboseMessages) -> int:
    cwd = call.cwd
    if folder is not None:
        note(f"chdir:    {quote_name(folder)}")
        try:
            cwd = call.fs.realpath(call.path(folder))
            # chdir(2) fails for a directory without permission; so does reading its first entry here.
            list(zip(call.fs.scandir(cwd), range(1), strict=False))
        except OSError as error:
            from ..command.call import reason

            call.error(f"cannot change directory to {quote_name(folder)}: {reason(error)}")
            return 125
    note.command(args)
    call.out.flush()
    try:
        return call.exec(args, env=variables, cwd=cwd)
    except (FileNotFoundError, PermissionError, NotADirectoryError) as error:
        from ..command.call import reason

        call.error(f"{quote(args[0], call.env)}: {reason(error)}")
        if not isinstance(error, FileNotFoundError):
            return 126
        # Linux passes all of a shebang line after the program as one word: #!/usr/bin/env python3 -u
        if any(char in _BLANKS for char in args[0]):
            call.error("use -[v]S to pass options in shebang lines")
        return 127


_BLANKS = " \t\n\v\f\r"


_SPECIAL_UNQUOTED = frozenset("'\"#" + _BLANKS)
