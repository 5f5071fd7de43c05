"""``set``, ``shopt`` and the options of an invocation, in one table."""

from __future__ import annotations

from ..errors import UsageError
from ..text import pause
from .context import OPTION_LETTERS
from .context import ExecutionContext as Ctx

# set -o names to letters ("" without one), in the order of the output of ``set -o``.
SET_OPTIONS: dict[str, str] = {
    "allexport": "a", "braceexpand": "B", "emacs": "", "errexit": "e", "errtrace": "E", "functrace": "T",
    "hashall": "h", "histexpand": "H", "history": "", "ignoreeof": "", "interactive-comments": "", "keyword": "k",
    "monitor": "m", "noclobber": "C", "noexec": "n", "noglob": "f", "nolog": "", "notify": "b", "nounset": "u",
    "onecmd": "t", "physical": "P", "pipefail": "", "posix": "", "privileged": "p", "verbose": "v", "vi": "",
    "xtrace": "x",
}  # fmt: skip
LETTERS = {letter: name for name, letter in SET_OPTIONS.items() if letter}
_ATTRIBUTES = {**{name: name for name in OPTION_LETTERS.values()}, "pipefail": "pipefail"}

SHOPTS = (
    "autocd assoc_expand_once cdable_vars cdspell checkhash checkjobs checkwinsize cmdhist compat31 compat32 compat40 "
    "compat41 compat42 compat43 compat44 complete_fullquote direxpand dirspell dotglob execfail expand_aliases extdebug "
    "extglob extquote failglob force_fignore globasciiranges globskipdots globstar gnu_errfmt histappend histreedit "
    "histverify hostcomplete huponexit inherit_errexit interactive_comments lastpipe lithist localvar_inherit "
    "localvar_unset login_shell mailwarn no_empty_cmd_completion nocaseglob nocasematch noexpand_translation nullglob "
    "patsub_replacement progcomp progcomp_alias promptvars restricted_shell shift_verbose sourcepath "
    "varredir_close xpg_echo"
).split()


def is_on(ctx: Ctx, name: str) -> bool:
    """Return whether a ``set -o`` option is on."""
    attribute = _ATTRIBUTES.get(name)
    if attribute is not None:
        return bool(getattr(ctx, attribute))
    return name in ctx.shopts


def option_letters(ctx: Ctx) -> str:
    """Return the value of ``$-``."""
    letters = [letter for letter in "abefhkmnptuvxBCEHPT" if is_on(ctx, LETTERS[letter])]
    if ctx.command_string:
        letters.append("c")
    return "".join(letters)


def set_option(ctx: Ctx, name: str, on: bool) -> None:
    """Turn a ``set -o`` option on or off. Raises ``UsageError`` for an unknown one."""
    if name not in SET_OPTIONS:
        raise UsageError(f"{name}: invalid option name", 2, hint=False)
    attribute = _ATTRIBUTES.get(name)
    if attribute is not None:
        setattr(ctx, attribute, on)
        return
    ctx.shopts = ctx.shopts | {name} if on else ctx.shopts - {name}
    if name != "posix":
        return
    if on:
        ctx.shopts = ctx.shopts | {"inherit_errexit", "expand_aliases", "interactive_comments"}
    else:
        ctx.shopts = ctx.shopts - {"expand_aliases"}  # bash leaves the other two on


class Invocation:
    """The command line of a shell: ``-c``, ``-s``, the flags as written, and the operands."""

    __slots__ = ("command", "flags", "operands", "stdin")

    def __init__(self) -> None:
        self.command = False
        self.stdin = False
        self.flags: list[str] = []
        self.operands: list[str] = []


_LONG_IGNORED = frozenset({"norc", "noprofile", "noediting", "login", "restricted", "verbose", "noeditline"})


def parse_invocation(ctx: Ctx, argv: list[str]) -> Invocation:
    """Parse the command line of ``sh`` (POSIX XCU sh) and set the shell's options. Raises ``UsageError``."""
    invocation = Invocation()
    at = 0
    while at < len(argv):
        pause()
        word = argv[at]
        if word in ("-", "--"):
            at += 1
            break
        if len(word) < 2 or word[0] not in "-+":
            break
        at += 1
        if word.startswith("--"):
            at = _long_option(ctx, word[2:], argv, at)
            continue
        on = word[0] == "-"
        for letter in word[1:]:
            if letter == "c":
                invocation.command = True
            elif letter == "s":
                invocation.stdin = True
            elif letter in "il":
                continue
            elif letter in "oO":
                if at >= len(argv):
                    raise UsageError(f"-{letter}: option requires an argument", 2)
                name = argv[at]
                invocation.flags.append(f"{word[0]}{letter} {name}")
                at += 1
                if letter == "o":
                    set_option(ctx, name, on)
                else:
                    set_shopt(ctx, name, on)
            elif letter in LETTERS:
                invocation.flags.append(word[0] + letter)
                set_option(ctx, LETTERS[letter], on)
            else:
                raise UsageError(f"{word[0]}{letter}: invalid option", 2)
    invocation.operands = argv[at:]
    return invocation


def _long_option(ctx: Ctx, name: str, argv: list[str], at: int) -> int:
    if name == "posix":
        set_option(ctx, "posix", True)
    elif name in ("rcfile", "init-file"):
        return at + 1
    elif name not in _LONG_IGNORED:
        raise UsageError(f"--{name}: invalid option", 2)
    return at


def set_shopt(ctx: Ctx, name: str, on: bool) -> None:
    """Turn a ``shopt`` option on or off. Raises ``UsageError`` for an unknown one."""
    if name not in SHOPTS:
        raise UsageError(f"{name}: invalid shell option name", 1, hint=False)
    ctx.shopts = ctx.shopts | {name} if on else ctx.shopts - {name}
