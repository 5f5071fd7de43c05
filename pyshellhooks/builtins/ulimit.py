"""``ulimit``: shows what bounds a run; the host's own limits are not ours to set (rule 2)."""

from __future__ import annotations

from ..errors import UsageError
from ..interp.builtin import builtin
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
    letters = ""
    operands = []
    for word in argv[1:]:
        if word.startswith("-") and len(word) > 1:
            for letter in word[1:]:
                if letter not in _NAMES and letter not in "SHa":
                    raise UsageError(f"-{letter}: invalid option", 2)
                letters += letter
        else:
            operands.append(word)
    chosen = [c for c in letters if c in _NAMES] or ["f"]
    if operands:
        for letter in chosen:
            if operands[0] not in ("unlimited", "hard", "soft") and not operands[0].isdecimal():
                raise UsageError(f"{operands[0]}: invalid number", 1, hint=False)
            if operands[0] != _value(ctx, letter):
                raise UsageError(f"{_NAMES[letter][0]}: cannot modify limit: Operation not permitted", 1, hint=False)
        return 0
    if "a" in letters:
        lines = []
        for letter, (name, unit, _) in _NAMES.items():
            what = f"({unit}, -{letter})" if unit else f"(-{letter})"
            lines.append(f"{name:<24}{what:>20} {_value(ctx, letter)}\n")
        ctx.say("".join(lines))
        return 0
    ctx.say("".join(_value(ctx, letter) + "\n" for letter in chosen))
    return 0
