"""``umask`` (POSIX XCU umask): the shell's own mask; the host's is never changed (rule 2)."""

from __future__ import annotations

from ..errors import UsageError
from ..interp.builtin import builtin, option_letters, write_lines
from ..state.context import ExecutionContext as Ctx
from ..utilities.support.modes import parse_mode

_BITS = {"r": 4, "w": 2, "x": 1}
_SHIFTS = {"u": 6, "g": 3, "o": 0}


@builtin("umask", summary="Show or set the file mode mask.", usage="[-p] [-S] [mode]")
def umask(ctx: Ctx, argv: list[str]) -> int:
    flags, args = option_letters(argv, "pS")
    if not args:
        shown = symbolic(ctx.umask) if "S" in flags else f"{ctx.umask:04o}"
        prefix = ("umask -S " if "S" in flags else "umask ") if "p" in flags else ""
        write_lines(ctx, [f"{prefix}{shown}"])
        return 0
    ctx.umask = parse_mask(args[0], ctx.umask)
    if "S" in flags:
        write_lines(ctx, [symbolic(ctx.umask)])
    return 0


def symbolic(mask: int) -> str:
    """Return a mask as ``u=rwx,g=rx,o=rx``."""
    return ",".join(
        who + "=" + "".join(letter for letter, bit in _BITS.items() if not mask >> shift & bit)
        for who, shift in _SHIFTS.items()
    )


def parse_mask(text: str, current: int) -> int:
    """Parse an octal or symbolic mask."""
    if "0" <= text[:1] <= "9":
        if not set(text) <= set("01234567") or int(text, 8) > 0o7777:
            raise UsageError(f"{text}: octal number out of range", 1, hint=False)
        return int(text, 8) & 0o777
    for clause in text.split(","):
        actions = clause.lstrip("ugoa")
        if actions[:1] not in ("+", "-", "="):
            raise UsageError(f"`{actions[:1] or text}': invalid symbolic mode operator", 1, hint=False)
        wrong = actions.lstrip("+-=rwx")
        if wrong:
            raise UsageError(f"`{wrong[0]}': invalid symbolic mode character", 1, hint=False)
    change = parse_mode(text)
    assert change is not None  # chmod's syntax includes all of it
    return ~change(~current & 0o777, False, 0) & 0o777
