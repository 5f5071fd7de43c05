"""``umask`` (POSIX XCU umask): the shell's own; the host's is not touched (rule 2)."""

from __future__ import annotations

from ..errors import UsageError
from ..interp.builtin import builtin, option_letters
from ..state.context import ExecutionContext as Ctx
from ..text import encode

_BITS = {"r": 4, "w": 2, "x": 1}
_SHIFTS = {"u": 6, "g": 3, "o": 0}


@builtin("umask", summary="Show or set the file mode mask.", usage="[-p] [-S] [mode]")
def umask(ctx: Ctx, argv: list[str]) -> int:
    flags, args = option_letters(argv, "pS")
    if not args:
        shown = symbolic(ctx.umask) if "S" in flags else f"{ctx.umask:04o}"
        prefix = ("umask -S " if "S" in flags else "umask ") if "p" in flags else ""
        ctx.fds.get(1).write(encode(f"{prefix}{shown}\n"))
        return 0
    ctx.umask = parse_mask(args[0], ctx.umask)
    if "S" in flags:
        ctx.fds.get(1).write(encode(symbolic(ctx.umask) + "\n"))
    return 0


def symbolic(mask: int) -> str:
    """Return a mask as ``u=rwx,g=rx,o=rx``."""
    return ",".join(
        who + "=" + "".join(letter for letter, bit in _BITS.items() if not mask >> shift & bit)
        for who, shift in _SHIFTS.items()
    )


def parse_mask(text: str, current: int) -> int:
    """Read an octal or symbolic mask."""
    if "0" <= text[:1] <= "9":
        if not set(text) <= set("01234567") or int(text, 8) > 0o7777:
            raise UsageError(f"{text}: octal number out of range", 1, hint=False)
        return int(text, 8) & 0o777
    allowed = ~current & 0o777
    for clause in text.split(","):
        who = clause[: len(clause) - len(clause.lstrip("ugoa"))]
        rest = clause[len(who) :]
        shifts = [s for w, s in _SHIFTS.items() if not who or "a" in who or w in who]
        if not rest or rest[0] not in "+-=":
            raise UsageError(f"`{rest[:1] or text}': invalid symbolic mode operator", 1, hint=False)
        while rest:
            op, letters = rest[0], ""
            rest = rest[1:]
            while rest and rest[0] not in "+-=":
                letters, rest = letters + rest[0], rest[1:]
            bits = 0
            for letter in letters:
                if letter not in "rwx":
                    raise UsageError(f"`{letter}': invalid symbolic mode character", 1, hint=False)
                bits |= _BITS[letter]
            for shift in shifts:
                if op == "=":
                    allowed = allowed & ~(7 << shift) | bits << shift
                elif op == "+":
                    allowed |= bits << shift
                else:
                    allowed &= ~(bits << shift)
    return ~allowed & 0o777
