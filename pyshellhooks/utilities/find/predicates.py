"""Tests on one file: names, kinds, sizes, owners, modes (POSIX XCU find; GNU findutils 4.9)."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable

from ...patterns.charclass import is_utf8
from ...patterns.glob import compile_glob
from ...patterns.tree import PatternError
from ...text import encode, parse_digits, pause
from ..support.modes import parse_mode
from ..support.quoting import quote
from . import accounts
from .expression import Test
from .files import File
from .state import State, bad_argument, wrong

_KINDS = "bcdpfls"


# --- names ----------------------------------------------------------------------------------------------------


def _glob(pattern: str, ignore_case: bool) -> Callable[[str], bool]:
    """Compile a pattern with the rules of fnmatch(3): one that ends in an unescaped backslash matches nothing."""
    if (len(pattern) - len(pattern.rstrip("\\"))) % 2:
        return lambda text: False  # fnmatch(3) fails for it
    return compile_glob(pattern, extglob=False, ignore_case=ignore_case).matches


def name(state: State, word: str, pattern: str) -> Test:
    """``-name -iname``."""
    if "/" in pattern:
        env = state.call.env
        meant = "-iwholename" if word == "-iname" else "-wholename"
        state.warning(
            f"{quote(word, env)} matches against basenames only, but the given pattern contains a directory separator "
            f"({quote('/', env)}), thus the expression will evaluate to false all the time.  Did you mean "
            f"{quote(meant, env)}?"
        )
    # The name of the root is a slash, and an operand may end in one: ``bare_name`` handles both.
    matches = _glob(pattern, word == "-iname")
    return lambda file: matches(file.bare_name)


def path(state: State, word: str, pattern: str) -> Test:
    """``-path -ipath -wholename -iwholename``."""
    if len(pattern) > 1 and pattern.endswith("/"):
        state.call.error(f"warning: {word} {pattern} will not match anything because it ends with /.")
    matches = _glob(pattern, word.startswith("-i"))
    return lambda file: matches(file.path)


def link_name(state: State, word: str, pattern: str) -> Test:
    """``-lname -ilname``."""
    matches = _glob(pattern, word == "-ilname")

    def test(file: File) -> bool:
        target = file.link()
        return target is not None and matches(target)

    return test


def regex(state: State, word: str, pattern: str) -> Test:
    """``-regex -iregex``: the whole path."""
    from .regexes import compile_regex

    try:
        compiled = compile_regex(pattern, state.regextype, word == "-iregex", is_utf8(state.call.env))
    except PatternError as error:
        raise wrong(f"failed to compile regular expression '{pattern}': {error}")
    scope = state.call.scope
    return lambda file: compiled.test(encode(file.path), scope=scope)


# --- kinds ----------------------------------------------------------------------------------------------------


def kind(state: State, word: str, text: str) -> Test:
    """``-type -xtype``: one letter or a list of them."""
    wanted = _letters(word, text)
    if word == "-type":
        return lambda file: file.kind in wanted

    def test(file: File) -> bool:
        try:
            return file.other() in wanted
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.ENOTDIR):
                return "l" in wanted  # -xtype: a broken link is a link
            raise

    return test


def _letters(word: str, text: str) -> frozenset[str]:
    if not text:
        raise wrong(f"Arguments to {word} should contain at least one letter")
    found: set[str] = set()
    at = 0
    while at < len(text):
        pause()
        letter = text[at]
        if letter == "D":
            raise wrong(
                f"{word} D is not supported because Solaris doors are not supported on the platform find was compiled on."
            )
        if letter not in _KINDS:
            raise wrong(f"Unknown argument to {word}: {letter}")
        if letter in found:
            raise wrong(f"Duplicate file type '{letter}' in the argument list to {word}.")
        found.add(letter)
        at += 1
        if at < len(text):
            if text[at] != ",":
                raise wrong(f"Must separate multiple arguments to {word} using: ','")
            at += 1
            if at == len(text):
                raise wrong(f"Last file type in list argument to {word} is missing, i.e., list is ending on: ','")
    return frozenset(found)


def empty(state: State, word: str) -> Test:
    """``-empty``."""

    def test(file: File) -> bool:
        try:
            return file.is_empty()
        except OSError as error:
            state.settings.fail_file(file.path, error)
            return False

    return test


def access(state: State, word: str) -> Test:
    """``-readable -writable -executable``: the access of the user; links are followed."""
    mode = {"-readable": os.R_OK, "-writable": os.W_OK, "-executable": os.X_OK}[word]
    fs = state.call.fs
    return lambda file: fs.access(file.place, mode)


def same_file(state: State, word: str, text: str) -> Test:
    """``-samefile``."""
    found = state.reference(text)
    identity = found.st_dev, found.st_ino
    return lambda file: (file.found.st_dev, file.found.st_ino) == identity


# --- numbers --------------------------------------------------------------------------------------------------


def _comparison(text: str) -> Callable[[int], bool] | None:
    """Parse ``N``, ``+N`` or ``-N`` to a comparison; return None if it is invalid."""
    sign = text[:1] if text[:1] in ("+", "-") else ""
    digits = text[len(sign) :]
    if not (digits.isascii() and digits.isdigit()):
        return None
    number = parse_digits(digits)
    if sign == "+":
        return lambda value: value > number
    if sign == "-":
        return lambda value: value < number
    return lambda value: value == number


def number(state: State, word: str, text: str) -> Test:
    """``-links -inum -uid -gid``."""
    matches = _comparison(text)
    if matches is None:
        raise bad_argument(word, text)
    if word == "-links":
        return lambda file: matches(file.found.st_nlink)
    if word == "-inum":
        return lambda file: matches(file.found.st_ino)
    if word == "-uid":
        return lambda file: matches(file.found.st_uid)
    return lambda file: matches(file.found.st_gid)


_UNITS = {"b": 512, "c": 1, "w": 2, "k": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def size(state: State, word: str, text: str) -> Test:
    """``-size``: rounded up to whole units."""
    if not text:
        raise wrong("invalid null argument to -size")
    unit = 512  # POSIX XCU find, -size without c
    digits = text
    if not text[-1].isdigit():
        if text[-1] not in _UNITS:
            raise wrong(f"invalid -size type `{text[-1]}'")
        unit = _UNITS[text[-1]]
        digits = text[:-1]
    matches = _comparison(digits)
    if matches is None:
        raise wrong(f"Invalid argument `{text}' to -size")
    # Rounded up, so that -size -1M finds only empty files, as in GNU find.
    return lambda file: matches(-(-file.found.st_size // unit))


# --- owners and modes -----------------------------------------------------------------------------------------


def user(state: State, word: str, text: str) -> Test:
    """``-user``: by name, or by id if no user has this name."""
    owner = accounts.user_number(state.call.fs, text)
    if owner is None:
        if not (text.isascii() and text.isdigit()):
            if not text:
                raise wrong("The argument to -user should not be empty")
            raise wrong(f"{quote(text, state.call.env)} is not the name of a known user")
        owner = parse_digits(text)
    return lambda file: file.found.st_uid == owner


def group(state: State, word: str, text: str) -> Test:
    """``-group``: by name, or by id."""
    owner = accounts.group_number(state.call.fs, text)
    if owner is None:
        rest = text.lstrip("0123456789")
        if rest or not text:
            if not text:
                raise wrong("argument to -group is empty, but should be a group name")
            shown = f"{quote(text, state.call.env)} is not the name of an existing group"
            if rest != text:
                shown += (
                    " and it does not look like a numeric group ID because it has the unexpected suffix "
                    f"{quote(rest, state.call.env)}"
                )
            raise wrong(shown)
        owner = parse_digits(text)
    return lambda file: file.found.st_gid == owner


def nameless(state: State, word: str) -> Test:
    """``-nouser -nogroup``."""
    if word == "-nouser":
        return lambda file: not accounts.has_user(state.call.fs, file.found.st_uid)
    return lambda file: not accounts.has_group(state.call.fs, file.found.st_gid)


def permissions(state: State, word: str, text: str) -> Test:
    """``-perm``: MODE exactly, -MODE all of it, /MODE any of it."""
    how = text[:1] if text[:1] in ("-", "/") else ""
    change = parse_mode(text[len(how) :])
    if change is None or not text[len(how) :]:
        raise wrong(f"invalid mode {quote(text, state.call.env)}")
    wanted = change(0, False, 0), change(0, True, 0)
    if how == "/" and wanted == (0, 0):
        state.call.error(
            f"warning: you have specified a mode pattern {text} (which is equivalent to /000). The meaning of -perm /000 "
            "has now been changed to be consistent with -perm -000; that is, while it used to match no files, it now "
            "matches all files."
        )
        how = "-"

    def test(file: File) -> bool:
        mode = file.found.st_mode & 0o7777
        bits = wanted[file.kind == "d"]
        if how == "-":
            return mode & bits == bits
        if how:
            return bool(mode & bits)
        return mode == bits

    return test
