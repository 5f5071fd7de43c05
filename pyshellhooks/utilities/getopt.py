"""getopt: parse the options of a script (util-linux 2.38; order and errors of glibc's getopt_long)."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence

from ..command import Call, Flag, Flags, utility
from ..errors import UsageError
from ..text import EVERY, encode, paced, pause

_NONE, _REQUIRED, _OPTIONAL = range(3)


def _long_options(text: str) -> dict[str, int]:
    """Parse the argument of ``-l``: names, with ``:`` for a required argument, ``::`` for an optional one."""
    result = {}
    for word in re.split("[, \t\n]+", text):
        if not word:
            continue
        kind = _OPTIONAL if word.endswith("::") else _REQUIRED if word.endswith(":") else _NONE
        name = word[: len(word) - (2 if kind == _OPTIONAL else kind)]
        if not name:
            raise UsageError("empty long option after -l or --long argument")
        result[name] = kind
    return result


class _Scanner:
    """glibc's getopt_long over one list of arguments."""

    def __init__(self, short: str, long: dict[str, int], *, alternative: bool, posix: bool) -> None:
        self.in_order = short.startswith("-")
        self.stopping = short.startswith("+") or (posix and not self.in_order)
        self.short = short[1:] if short[:1] in ("-", "+") else short
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
            if len(word) < 2 or word[0] != "-":
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
        if not self.alternative or (len(word) == 2 and word[1] in self.short):
            return False
        return self._take_long("-", word[1:], rest, fallback=word[1] in self.short)

    def error(self, message: str) -> None:
        self.failed = True
        if not self.mute:
            self.errors.append(message)

    def _take_long(self, prefix: str, text: str, rest: deque[str], *, fallback: bool = False) -> bool:
        name, equals, value = text.partition("=")
        if name not in self.long:
            near = [known for known in self.long if known.startswith(name)]
            if len(near) > 1:
                choices = " ".join(f"'{prefix}{known}'" for known in near)
                self.error(f"option '{prefix}{text}' is ambiguous; possibilities: {choices}")
                return True
            if not near:
                if not fallback:
                    spaced = "-W " if prefix == "-W" else prefix
                    self.error(f"unrecognized option '{spaced}{text}'")
                return not fallback
            name = near[0]
        kind = self.long[name]
        shown = f"{'-W ' if prefix == '-W' else prefix}{name}"
        if kind == _NONE:
            if equals:
                self.error(f"option '{shown}' doesn't allow an argument")
                return True
            self.found.append((f"--{name}", None))
        elif not equals and kind == _REQUIRED:
            if not rest:
                self.error(f"option '{shown}' requires an argument")
                return True
            self.found.append((f"--{name}", rest.popleft()))
        else:
            self.found.append((f"--{name}", value))
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


def _for_csh(word: str) -> str:
    out = []
    for char in word:
        if char in "'!" or (char.isspace() and char.isascii() and char != "\n"):
            out.append(f"'\\{char}'")
        else:
            out.append({"\\": "\\\\", "\n": "\\n"}.get(char, char))
    return "'" + "".join(out) + "'"


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
    if "GETOPT_COMPATIBLE" in call.env:
        words = list(call.argv[1:]) or [""]
        opts = type(opts)()
    elif opts.test:
        return 4
    old = _is_old(call, words)
    quoting = _plain if old or opts.unquoted else _for_sh
    for shell in opts.all("shell"):
        if shell not in _SHELLS:
            raise UsageError("unknown shell after -s or --shell argument")
        quoting = _plain if opts.unquoted else _SHELLS[shell]
    long: dict[str, int] = {}
    for text in opts.all("longoptions"):
        long |= _long_options(_bytewise(text))
    if "options" in opts:
        short = opts.value("options")
    elif words:
        short = words.pop(0)
    else:
        raise UsageError("missing optstring argument")
    scanner = _Scanner(
        _bytewise(short.lstrip("+-") if old else short),
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
        pieces = []
        for option, value in paced(scanner.found):
            pieces += [option] if option else []
            pieces += [quoting(value)] if value is not None else []
        pieces += ["--", *map(quoting, paced(scanner.operands))]
        call.out.write("".join(f" {piece}" for piece in pieces).encode("latin-1") + b"\n")
    return int(scanner.failed)
