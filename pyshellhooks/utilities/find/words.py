"""Parser from the words of an expression to tokens (messages of GNU findutils 4.9)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product

from ...text import paced, parse_digits, pause
from ..support.quoting import quote
from . import actions, predicates, times
from .expression import Parser, Test, Token, kind_of
from .files import File
from .regexes import TYPES
from .state import Quit, State, bad_argument, wrong

_VERSION = "find (pyshellhooks, as GNU findutils) 4.9.0\n"

_COUNTS = ("-links", "-inum", "-uid", "-gid")
_ARGUMENT: dict[str, Callable[[State, str, str], Test]] = {
    **dict.fromkeys(("-name", "-iname"), predicates.name),
    **dict.fromkeys(("-path", "-ipath", "-wholename", "-iwholename"), predicates.path),
    **dict.fromkeys(("-lname", "-ilname"), predicates.link_name),
    **dict.fromkeys(("-regex", "-iregex"), predicates.regex),
    **dict.fromkeys(("-type", "-xtype"), predicates.kind),
    **dict.fromkeys(_COUNTS, predicates.number),
    **dict.fromkeys(("-atime", "-ctime", "-mtime"), times.days),
    **dict.fromkeys(("-amin", "-cmin", "-mmin"), times.minutes),
    **dict.fromkeys(("-newer", "-anewer", "-cnewer"), times.newer),
    "-used": times.used,
    "-samefile": predicates.same_file,
    "-size": predicates.size,
    "-user": predicates.user,
    "-group": predicates.group,
    "-perm": predicates.permissions,
    "-printf": lambda state, word, text: actions.formatter(state, text, state.call.out),
    "-fprint": lambda state, word, name: actions.printer(state, b"\n", state.output(name)),
    "-fprint0": lambda state, word, name: actions.printer(state, b"\0", state.output(name)),
    "-fls": lambda state, word, name: actions.lister(state, state.output(name)),
}
_ALONE: dict[str, Callable[[State, str], Test]] = {
    "-true": lambda state, word: _true,
    "-false": lambda state, word: _false,
    "-empty": predicates.empty,
    **dict.fromkeys(("-readable", "-writable", "-executable"), predicates.access),
    **dict.fromkeys(("-nouser", "-nogroup"), predicates.nameless),
    "-print": lambda state, word: actions.printer(state, b"\n", state.call.out),
    "-print0": lambda state, word: actions.printer(state, b"\0", state.call.out),
    "-ls": lambda state, word: actions.lister(state, state.call.out),
    "-prune": actions.prune,
    "-quit": actions.quit_now,
    "-delete": actions.delete,
}
_UNSUPPORTED = {
    "-ok": "it can't ask for confirmation here",
    "-okdir": "it can't ask for confirmation here",
    "-fstype": "types of file systems are unknown here",
}
# Options that affect the whole run, at any position.
_GLOBAL = frozenset(
    "-depth -d -files0-from -maxdepth -mindepth -mount -xdev -noleaf -ignore_readdir_race -noignore_readdir_race".split()
)


def _true(file: object) -> bool:
    return True


def _false(file: object) -> bool:
    return False


def _quit(file: object) -> bool:
    raise Quit


def _empty(file: File) -> bool:
    try:
        return file.is_empty()
    except OSError:
        return False


# Replacements without effects for actions, and for the test that reports errors.
_SILENT: dict[str, Test] = {
    "-empty": _empty,
    **dict.fromkeys("-print -print0 -printf -fprint -fprint0 -fprintf -ls -fls -prune".split(), _true),
    "-quit": _quit,
}
_COMMANDS_TRIED = 6  # maximum number of commands for which all combinations of outcomes are tried


class HelpWanted(Exception):
    """``-help`` or ``-version`` was found; ``text`` is empty for the help."""

    def __init__(self, text: str = "") -> None:
        self.text = text


class Refused(Exception):
    """An error that was already reported."""


def starts_expression(word: str, *, leading: bool) -> bool:
    """Return whether a word belongs to the expression; before the expression, ``)`` and ``,`` are operands."""
    if word in (")", ","):
        return not leading
    return word in ("!", "(") or (word.startswith("-") and len(word) > 1)


def read_expression(state: State, words: Sequence[str]) -> Test:
    """Parse all words and return the test, with an implied ``-print`` if the expression has no action."""
    tokens = _Reader(state, words).read()
    if not tokens:
        return actions.printer(state, b"\n", state.call.out)
    if state.deletes:
        # Before a tree is deleted, the walk checks whether that would reach a root.
        state.would_delete = _deletion(tokens)
    wrapped = not state.acts
    test = Parser(tokens, wrapped).parse()
    if not wrapped:
        return test
    show = actions.printer(state, b"\n", state.call.out)
    return lambda file: test(file) and show(file)


class _Reached(Exception):
    """``-delete`` was reached."""


def _deletion(tokens: Sequence[Token]) -> Test:
    """Return a test whether ``-delete`` may be reached for a file, without effects; commands may succeed or fail."""
    outcomes: dict[int, bool] = {}
    trial: list[Token] = []
    for at, token in enumerate(paced(tokens)):
        test = token.test
        if token.name == "-delete":
            test = _reach
        elif token.name in ("-exec", "-execdir"):
            outcomes[at] = True
            test = partial(_outcome, outcomes, at)
        else:
            test = _SILENT.get(token.name, test)
        trial.append(Token(token.kind, token.name, test))
    whole_test = Parser(trial, wrapped=False).parse()

    def reaches(file: File) -> bool:
        if len(outcomes) > _COMMANDS_TRIED:
            return True
        for succeeds in product((True, False), repeat=len(outcomes)):
            outcomes.update(zip(outcomes, succeeds, strict=True))
            try:
                whole_test(file)
            except _Reached:
                return True
            except (Quit, OSError):  # the error of a file is reported when it is visited
                continue
        return False

    return reaches


def _reach(file: File) -> bool:
    raise _Reached


def _outcome(outcomes: dict[int, bool], at: int, file: File) -> bool:
    return outcomes[at]


class _Reader:
    __slots__ = ("_at", "_state", "_tested", "_words")

    def __init__(self, state: State, words: Sequence[str]) -> None:
        self._state = state
        self._words = words
        self._at = 0
        self._tested = ""  # the first word that is not an option

    def read(self) -> list[Token]:
        tokens: list[Token] = []
        while self._at < len(self._words):
            pause()
            word = self._words[self._at]
            if not starts_expression(word, leading=False):
                self._refuse_operand(word)
            self._at += 1
            operator = kind_of(word)
            if operator:
                tokens.append(Token(operator, word))
                continue
            test = self._word(word)
            if test is not None:
                tokens.append(Token("test", word, test))
        return tokens

    def _refuse_operand(self, word: str) -> None:
        state = self._state
        state.call.error(f"paths must precede expression: `{word}'")
        if self._at and state.call.fs.exists(state.call.path(word or ".")):
            predicates_before = [word for word in self._words[: self._at] if starts_expression(word, leading=False)]
            before = predicates_before[-1] if predicates_before else ""
            raise wrong(f"possible unquoted pattern after predicate `{before}'?")
        raise Refused

    def _argument(self, word: str) -> str:
        if self._at >= len(self._words):
            # Without an argument of these tests, GNU find reports the word itself as an invalid argument.
            if word in _COUNTS:
                raise bad_argument(word, word)
            raise wrong(f"missing argument to `{word}'")
        self._at += 1
        return self._words[self._at - 1]

    def _word(self, word: str) -> Test | None:
        """Parse one word that is not an operator; return None if it has no place in the expression."""
        if word in _GLOBAL:
            self._check_position(word)
            self._option(word)
            return _true
        if word in ("-help", "--help", "-version", "--version"):
            raise HelpWanted("" if "help" in word else _VERSION)
        if word in ("-warn", "-nowarn", "-follow", "-regextype", "-daystart"):
            self._positional(word)
            return None if word == "-daystart" else _true
        self._tested = self._tested or word
        state = self._state
        if word in _ARGUMENT:
            return _ARGUMENT[word](state, word, self._argument(word))
        if word in _ALONE:
            return _ALONE[word](state, word)
        if word in ("-exec", "-execdir"):
            test, taken = actions.command(state, word, self._words[self._at :])
            self._at += taken
            return test
        if word == "-fprintf":
            name = self._argument(word)
            if self._at >= len(self._words):
                raise bad_argument(word, name)
            return actions.formatter(state, self._argument(word), state.output(name))
        if word.startswith("-newer"):
            return self._newer(word)
        if word == "-context":
            raise wrong("invalid predicate -context: SELinux is not enabled.")
        if word in _UNSUPPORTED:
            raise wrong(f"{word} is not supported: {_UNSUPPORTED[word]}")
        raise wrong(f"unknown predicate `{word}'")

    def _newer(self, word: str) -> Test:
        letters = word[6:]
        if len(letters) != 2:
            raise wrong(f"unknown predicate `{word}'")
        if letters[0] not in "aBcm" or letters[1] not in "aBcmt":
            raise wrong(f"invalid predicate `{word}'")
        if "B" in letters:
            self._state.call.error("This system does not provide a way to find the birth time of a file.")
            raise wrong(f"invalid predicate `{word}'")
        if self._at >= len(self._words):
            raise wrong(f"The {quote(word, self._state.call.env)} test needs an argument")
        return times.newer_xy(self._state, word, self._argument(word))

    def _check_position(self, word: str) -> None:
        if self._tested:
            self._state.warning(
                f"you have specified the global option {word} after the argument {self._tested}, but global options are "
                f"not positional, i.e., {word} affects tests specified before it as well as those specified after it.  "
                "Please specify global options before other arguments."
            )

    def _option(self, word: str) -> None:
        state, settings = self._state, self._state.settings
        if word in ("-maxdepth", "-mindepth"):
            text = self._argument(word)
            if not (text.isascii() and text.isdigit()):
                shown = quote(text, state.call.env)
                raise wrong(f"Expected a positive decimal integer argument to {word}, but got {shown}")
            if word == "-maxdepth":
                settings.max_depth = parse_digits(text)
            else:
                settings.min_depth = parse_digits(text)
        elif word in ("-depth", "-d"):
            if word == "-d":
                state.warning(
                    "the -d option is deprecated; please use -depth instead, because the latter is a POSIX-compliant feature."
                )
            settings.depth_first = state.explicit_depth = True
        elif word in ("-mount", "-xdev"):
            settings.one_device = True
        elif word == "-files0-from":
            state.start_names = self._argument(word)
        elif word == "-ignore_readdir_race":
            settings.ignore_race = True
        elif word == "-noignore_readdir_race":
            settings.ignore_race = False

    def _positional(self, word: str) -> None:
        state = self._state
        if word == "-daystart":
            state.full_days = True
        elif word == "-follow":
            state.settings.follow = "L"
        elif word == "-regextype":
            kind = self._argument(word)
            if kind not in TYPES:
                env = state.call.env
                known = ", ".join(quote(name, env) for name in TYPES)
                raise wrong(f"Unknown regular expression type {quote(kind, env)}; valid types are {known}.")
            state.regextype = kind
        else:
            state.warn = word == "-warn"
