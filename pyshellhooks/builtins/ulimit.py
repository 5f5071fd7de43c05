"""``ulimit``: shows the limits of a run; it cannot change those of the host (rule 2)."""

from __future__ import annotations

from ..errors import UsageError
from ..interp.builtin import Options, builtin
from ..state.context import ExecutionContext as Ctx

_NAMES = {
    "c": ("core file size", "blocks", "0"), "d": ("data seg size", "kbytes", "unlimited"),
    "f": ("file size", "blocks", None), "l": ("max locked memory", "kbytes", "unlimited"),
    "m": ("max memory size", "kbytes", "unlimited"), "n": ("open files", "", None),
    "s": ("stack size", "kbytes", "8192"), "t": ("cpu time", "seconds", "unlimited"),
    "u": ("max user processes", "", None), "v": ("virtual memory", "kbytes", "unlimited"),
}  # fmt: skip


def _value(ctx: Ctx, letter: str) -> str:
    fixed = _NAMES[letter][2]
    if fixed is not None:
        return fixed
    bound = {"f": ctx.limits.written // 1024, "n": ctx.limits.open_files, "u": ctx.limits.jobs}[letter]
    return str(bound)


@builtin("ulimit", summary="Show resource limits.", usage="[-SHacdflmnstuv [limit]]")
def ulimit(ctx: Ctx, argv: list[str]) -> int:
    options = Options(argv, "SHa" + "".join(_NAMES))
    letters = [letter for letter, _ in options]
    chosen = [letter for letter in letters if letter in _NAMES] or ["f"]
    if options.operands:
        limit = options.operands[0]
        if limit not in ("unlimited", "hard", "soft") and not limit.isdecimal():
            raise UsageError(f"{limit}: invalid number", 1, hint=False)
        for letter in chosen:
            # To set a limit to its present value succeeds, as it changes nothing.
            if limit != _value(ctx, letter):
                raise UsageError(f"{_NAMES[letter][0]}: cannot modify limit: Operation not permitted", 1, hint=False)
        return 0
    if "a" in letters:
        lines = []
        for letter, (name, unit, _) in _NAMES.items():
            what = f"({unit}, -{letter})" if unit else f"(-{letter})"
            lines.append(f"{name:<24}{what:>20} {_value(ctx, letter)}\n")
        ctx.write_stdout("".join(lines))
        return 0
    ctx.write_stdout("".join(_value(ctx, letter) + "\n" for letter in chosen))
    return 0
