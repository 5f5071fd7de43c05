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
        if "S" in flags:
            command, mask = "umask -S ", symbolic(ctx.umask)
        else:
            command, mask = "umask ", f"{ctx.umask:04o}"
        write_lines(ctx, [command + mask if "p" in flags else mask])
        return 0
    ctx.umask = parse_mask(args[0], ctx.umask)
    if "S" in flags:
        write_lines(ctx, [symbolic(ctx.umask)])
    return 0


def symbolic(mask: int) -> str:
    """Return a mask as ``u=rwx,g=rx,o=rx``."""
    clauses: list[str] = []
    for who, shift in _SHIFTS.items():
        permissions = "".join(letter for letter, bit in _BITS.items() if not mask >> shift & bit)
        clauses.append(f"{who}={permissions}")
    return ",".join(clauses)


def parse_mask(text: str, current: int) -> int:
    """Parse an octal or symbolic mask."""
    # A symbolic mask never begins with a digit.
    if "0" <= text[:1] <= "9":
        is_octal = set(text) <= set("01234567")
        if not is_octal or int(text, 8) > 0o7777:
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
    # A clause is about permissions, and the mask is their complement.
    return ~change(~current & 0o777, False, 0) & 0o777
