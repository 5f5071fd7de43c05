"""getopt: parse the options of a script (util-linux 2.38; order and errors of glibc's getopt_long)."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence

from ..command import Call, Flag, Flags, Options, utility
from ..errors import UsageError
from ..text import EVERY, encode, paced, pause

_NONE, _REQUIRED, _OPTIONAL = range(3)


def _long_options(text: str) -> dict[str, int]:
    """Parse the argument of ``-l``: names, with ``:`` for a required argument, ``::`` for an optional one."""
    result = {}
    for word in filter(None, re.split("[, \t\n]+", text)):
        name, kind = word, _NONE
        if word.endswith("::"):
            name, kind = word[:-2], _OPTIONAL
        elif word.endswith(":"):
            name, kind = word[:-1], _REQUIRED
        if not name:
            raise UsageError("empty long option after -l or --long argument")
        result[name] = kind
    return result


class _Scanner:
    """glibc's getopt_long over one list of arguments."""

    def __init__(self, short: str, long: dict[str, int], *, alternative: bool, posix: bool) -> None:
        self.in_order = short.startswith("-")
        # With POSIXLY_CORRECT, or a + in front, the first operand ends the options.
        self.stopping = short.startswith("+") or (posix and not self.in_order)
        self.short = short[1:] if short.startswith(("-", "+")) else short
        self.mute = self.short.startswith(":")
        self.long = long
        self.alternative = alternative
        self.errors: list[str] = []
        # The parsed words: each an option, written as it is, and an argument to quote.
        self.found: list[tuple[str, str | None]] = []
        self.operands: list[str] = []
        self.failed = False

    def scan(self, arguments: Sequence[str]) -> None:
        """Parse the arguments."""
        rest = deque(arguments)
        while rest:
            pause()
            word = rest.popleft()
            if word == "--":
                break
            if word == "-" or not word.startswith("-"):
                if self.in_order:
                    self.found.append(("", word))
                    continue
                self.operands.append(word)
                if self.stopping:
                    break
            elif word.startswith("--"):
                self._take_long("--", word[2:], rest)
            elif not self._take_alternative(word, rest):
                self._cluster(word[1:], rest)
        self.operands += rest

    def _take_alternative(self, word: str, rest: deque[str]) -> bool:
        """Parse a word with one ``-`` as a long option (-a). Return False if it has short options."""
        if not self.alternative:
            return False
        is_short = word[1] in self.short
        if is_short and len(word) == 2:
            return False
        return self._take_long("-", word[1:], rest, fallback=is_short)

    def error(self, message: str) -> None:
        self.failed = True
        if not self.mute:
            self.errors.append(message)

    def _take_long(self, prefix: str, text: str, rest: deque[str], *, fallback: bool = False) -> bool:
        """Parse a long option. Return False if it is unknown and may be a cluster of short ones (``fallback``)."""
        spaced = "-W " if prefix == "-W" else prefix
        name, equals, value = text.partition("=")
        if name not in self.long:
            near = [known for known in self.long if known.startswith(name)]
            if len(near) > 1:
                choices = " ".join(f"'{prefix}{known}'" for known in near)
                self.error(f"option '{prefix}{text}' is ambiguous; possibilities: {choices}")
                return True
            if not near and fallback:
                return False
            if not near:
                self.error(f"unrecognized option '{spaced}{text}'")
                return True
            name = near[0]
        kind = self.long[name]
        if kind == _NONE and equals:
            self.error(f"option '{spaced}{name}' doesn't allow an argument")
        elif kind == _NONE:
            self.found.append((f"--{name}", None))
        elif equals or kind == _OPTIONAL:
            self.found.append((f"--{name}", value))
        elif rest:
            self.found.append((f"--{name}", rest.popleft()))
        else:
            self.error(f"option '{spaced}{name}' requires an argument")
        return True

    def _cluster(self, cluster: str, rest: deque[str]) -> None:
        at = 0
        while at < len(cluster):
            letter = cluster[at]
            at += 1
            if not at % EVERY:
                pause()
            place = self.short.find(letter) if letter not in ":;" else -1
            if place < 0:
                self.error(f"invalid option -- '{letter}'")
                continue
            if letter == "?":  # getopt_long returns this letter for an error
                self.failed = True
                continue
            after = self.short[place + 1 : place + 3]
            value = cluster[at:]
            # W; in the options makes -W foo the same as --foo (POSIX reserves -W for extensions).
            if letter == "W" and after.startswith(";"):
                if not value and not rest:
                    self.error("option requires an argument -- 'W'")
                else:
                    self._take_long("-W", value or rest.popleft(), rest)
                return
            if not after.startswith(":"):
                self.found.append((f"-{letter}", None))
                continue
            if not value and after != "::":
                if not rest:
                    self.error(f"option requires an argument -- '{letter}'")
                    return
                value = rest.popleft()
            self.found.append((f"-{letter}", value))
            return


def _plain(word: str) -> str:
    return word


def _for_sh(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"


_CSH_ESCAPES = {"\\": "\\\\", "\n": "\\n", **{char: f"'\\{char}'" for char in "'! \t\v\f\r\x1c\x1d\x1e\x1f"}}


def _for_csh(word: str) -> str:
    return "'" + "".join(_CSH_ESCAPES.get(char, char) for char in word) + "'"


_SHELLS = {"sh": _for_sh, "bash": _for_sh, "csh": _for_csh, "tcsh": _for_csh}


def _bytewise(text: str) -> str:
    """Return a text with one character for each byte, as in C."""
    return encode(text).decode("latin-1")


def _is_old(call: Call, words: list[str]) -> bool:
    """Return whether a call has the old form, ``getopt optstring parameters``."""
    if not words or words != list(call.argv[1:]):
        return False
    return not words[0].startswith("-") or "GETOPT_COMPATIBLE" in call.env


@utility(
    "getopt",
    summary="Parse command options.",
    version="util-linux 2.38.1",
    usage="<optstring> <parameters> | [options] [--] <optstring> <parameters>",
    flags=Flags(
        [
            Flag("-a", "--alternative", help="allow long options starting with single -"),
            Flag("-l", "--longoptions", value="LONGOPTS", help="the long options to be recognized"),
            Flag("-n", "--name", value="PROGNAME", help="the name under which errors are reported"),
            Flag("-o", "--options", value="OPTSTRING", help="the short options to be recognized"),
            Flag("-q", "--quiet", help="disable error reporting by getopt(3)"),
            Flag("-Q", "--quiet-output", help="no normal output"),
            Flag("-s", "--shell", value="SHELL", help="set quoting conventions to those of sh, bash, csh or tcsh"),
            Flag("-T", "--test", help="test for getopt(1) version"),
            Flag("-u", "--unquoted", help="do not quote the output"),
        ],
        permute=False,
    ),
    usage_status=2,
    error_status=3,
)
def getopt(call: Call) -> int:
    opts, words = call.opts, list(call.args)
    # With this variable, getopt has no options of its own: the first word is the optstring.
    if "GETOPT_COMPATIBLE" in call.env:
        words = list(call.argv[1:]) or [""]
        opts = type(opts)()
    elif opts.test:
        return 4
    old = _is_old(call, words)
    quoting = _quoting(opts, old)
    long: dict[str, int] = {}
    for text in opts.all("longoptions"):
        long |= _long_options(_bytewise(text))
    if "options" in opts:
        short = opts.value("options")
    elif words:
        short = words.pop(0)
    else:
        raise UsageError("missing optstring argument")
    if old:
        short = short.lstrip("+-")
    scanner = _Scanner(
        _bytewise(short),
        long,
        alternative=opts.alternative,
        posix="POSIXLY_CORRECT" in call.env,
    )
    scanner.scan([_bytewise(word) for word in paced(words)])
    if not opts.quiet:
        name = _bytewise(opts.value("name", "getopt"))
        for message in paced(scanner.errors):
            call.stderr.write(f"{name}: {message}\n".encode("latin-1"))
    if not opts.quiet_output:
        pieces: list[str] = []
        for option, value in paced(scanner.found):
            if option:
                pieces.append(option)
            if value is not None:
                pieces.append(quoting(value))
        pieces += ["--", *map(quoting, paced(scanner.operands))]
        call.out.write("".join(f" {piece}" for piece in pieces).encode("latin-1") + b"\n")
    return int(scanner.failed)


def _quoting(opts: Options, old: bool) -> Callable[[str], str]:
    """Return the function that quotes words in the output. All of ``-s`` are checked, also those without effect."""
    quoting = _plain if old else _for_sh
    for shell in opts.all("shell"):
        if shell not in _SHELLS:
            raise UsageError("unknown shell after -s or --shell argument")
        quoting = _SHELLS[shell]
    return _plain if opts.unquoted else quoting
