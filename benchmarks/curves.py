"""``python -m benchmarks.curves [--rounds N] [NAME…]``: what one more costs, of everything that a hook can have much of.

A line of a script, a kilobyte of a payload, a hook, a variable, a level of calls: each must cost the same whether there are
ten or ten thousand of them. CPU time, the least of interleaved rounds; the cost of one is what the act takes beyond the
same act with the fewest, divided by how many more there are.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from collections.abc import Callable

from .measure import Act, least_cpu, spelled

GROWTH = 1.35  # how much dearer one may be among the most than among some: two runs of one act differ by a fifth
# Where an act only copies, much of it is what the system takes to clear fresh memory: small texts get memory used before.
COPYING = 2.0
_fresh = itertools.count()


class Curve:
    """An act by size. ``flat``: it is no part of the size, and costs the same whatever that is."""

    def __init__(
        self,
        unit: str,
        sizes: tuple[int, ...],
        make: Callable[[int], Act],
        *,
        flat: bool = False,
        growth: float = GROWTH,
    ) -> None:
        self.growth = growth
        self.unit = unit
        self.sizes = sizes
        self.make = make
        self.flat = flat

    def measured(self, rounds: int) -> list[float]:
        """Return the seconds of one unit at each size but the least (flat: of the act at each size)."""
        acts = {str(size): (self.make(size), self._count(size)) for size in self.sizes}
        found = [*least_cpu(acts, rounds).values()]
        if self.flat:
            return found
        least = self.sizes[0]
        return [(time - found[0]) / (size - least) for size, time in zip(self.sizes[1:], found[1:], strict=True)]

    def _count(self, size: int) -> int:
        return 50 if self.flat else max(1, 300 // size)


def ran(script: str, data: bytes = b"", setup: str = "") -> Act:
    """Run a script in a warm session, after what is set up once."""
    from pyshellhooks import Limits, Shell

    session = Shell(env={}, spawn=False, limits=Limits(output=1 << 26, substitution=1 << 26, string=1 << 26)).session()

    def act() -> None:
        result = session.run(script, stdin=data)
        assert result.status == 0, (script[:200], result, result.stderr[:200])

    if setup:
        assert session.run(setup).status == 0
    return act


def lines(count: int, mark: int) -> str:
    """Make a text of so many commands, other ones for each mark."""
    kinds = (
        "x{0}=a{1}b",
        'echo "$x{0} {1}" >/dev/null',
        "[ -n '{1}' ] && y={0}",
        "case {1} in {0}x) z=1 ;; *y) z=2 ;; esac",
    )
    return "".join(kinds[number % 4].format(mark, number) + "\n" for number in range(count))


def first_run(count: int) -> Act:
    """Run a text that was never seen."""
    from pyshellhooks import Shell

    shell = Shell(env={}, spawn=False)

    def act() -> None:
        result = shell.run(lines(count, next(_fresh)))
        assert result.status == 0, result

    return act


GUARD = """INPUT=$(cat)
CMD=$(printf '%s' "$INPUT" | jq -r .tool_input.command)
if printf '%s' "$CMD" | grep -qE 'rm +-(rf|fr)'; then exit 2; fi
[[ $INPUT == *nothing-of-this-kind* ]] && exit 3
echo "${#INPUT}" >/dev/null"""


def payload(kilobytes: int, fields: bool) -> dict[str, object]:
    """Make the input of a tool: one long text, or many fields."""
    text = "a line of a file, and its end\n"
    if not fields:
        return {"command": "ls", "content": text * (kilobytes * 1024 // (len(text) + 1))}
    return {"command": "ls", "content": [{"n": n, "s": f"text {n}"} for n in range(kilobytes * 1024 // 32)]}


def guarded(fields: bool) -> Callable[[int], Act]:
    """Return what makes a guard that reads a payload of so many kilobytes."""

    def make(kilobytes: int) -> Act:
        return ran(GUARD, json.dumps({"tool_input": payload(kilobytes, fields)}).encode())

    return make


def fired(kilobytes: int) -> Act:
    """Fire an event with a payload of that size at one hook that does not read it."""
    made = _engine([{"matcher": "^bash$", "command": ":"}])
    given = payload(kilobytes, fields=False)

    def act() -> None:
        assert made.fire("PreToolUse", tool_name="bash", tool_input=given, session_id="s1").decision == "none"

    return act


def hooks(matcher: str, command: str) -> Callable[[int], Act]:
    """Return what makes an event for so many hooks."""

    def make(count: int) -> Act:
        made = _engine([{"matcher": matcher, "command": f"{command} {number}"} for number in range(count)])

        def act() -> None:
            assert made.fire("PreToolUse", tool_name="bash", tool_input={}, session_id="s1").decision == "none"

        return act

    return make


def _engine(specs: list[dict[str, str]]):  # type: ignore[no-untyped-def]
    from pyshellhooks import HookEngine

    return HookEngine.load(json.dumps({"hooks": {"PreToolUse": specs}}), "crush", env={}, spawn=False)


def beside_variables(script: str) -> Callable[[int], Act]:
    """Return what makes an act in a shell of so many variables."""
    return lambda count: ran(
        script, setup=f"f() {{ local z=$1; }}; for ((i=0; i<{count}; i++)); do declare v$i=$i; done"
    )


def counted(body: str, setup: str = "") -> Callable[[int], Act]:
    """Return what makes a loop of so many turns."""
    return lambda count: ran(f"for ((i=0; i<{count}; i++)); do {body}; done", setup=setup)


CALLS = "f() { if (($1)); then f $(($1 - 1)); fi; }"
LOCALS = "f() { local a=$1 b; if ((a)); then f $((a - 1)); fi; }"
SUBSTITUTIONS = 'f() { if (($1)); then x=$(f $(($1 - 1))); echo "$x"; fi; }'
SUBSHELLS = "f() { if (($1)); then (f $(($1 - 1))); fi; }"

SIZES = (1, 10, 100, 1000)
MANY = (10, 100, 1000, 10_000)
CURVES = {
    "script, first run": Curve("line", (10, 100, 1000, 10_000), first_run),
    "script, again": Curve("line", (10, 100, 1000, 10_000), lambda count: ran(lines(count, 0))),
    "payload, one text": Curve("KB", (1, 100, 1000, 10_000), guarded(fields=False)),
    "payload, many fields": Curve("KB", (1, 100, 1000, 10_000), guarded(fields=True)),
    "payload, not read": Curve("KB", (1, 100, 1000, 10_000), fired, growth=COPYING),
    "hooks of other tools": Curve("hook", SIZES, hooks("^edit$", ":")),
    "hooks that run": Curve("hook", SIZES, hooks("^bash$", ":")),
    "variables that are set": Curve("variable", MANY, counted("declare v$i=$i")),
    "variables, exported": Curve("variable", MANY, counted("export v$i=$i", "unset ${!v@}")),
    "variables, exported between $( )": Curve("variable", MANY, counted("export v$i=$(:)", "unset ${!v@}")),
    "$( ) beside variables": Curve("act", MANY, beside_variables("x=$(:)"), flat=True),
    "$( ) that sets one": Curve("act", MANY, beside_variables("x=$(y=1; f 2)"), flat=True),
    "( ) that sets one": Curve("act", MANY, beside_variables("(y=1)"), flat=True),
    "a pipeline beside variables": Curve("act", MANY, beside_variables("echo a | { read b; }"), flat=True),
    "a call beside variables": Curve("act", MANY, beside_variables("f 1"), flat=True),
    "sh -c beside variables": Curve("act", MANY, beside_variables("sh -c :"), flat=True),
    "calls in calls": Curve("level", (1, 10, 100, 900), lambda depth: ran(f"f {depth}", setup=CALLS)),
    "calls with locals": Curve("level", (1, 10, 100, 900), lambda depth: ran(f"f {depth}", setup=LOCALS)),
    "$( ) in calls": Curve("level", (1, 10, 100, 450), lambda depth: ran(f"f {depth}", setup=SUBSTITUTIONS)),
    "( ) in calls": Curve("level", (1, 10, 100, 450), lambda depth: ran(f"f {depth}", setup=SUBSHELLS)),
    "$( ) in $( )": Curve("level", (1, 10, 40), lambda depth: ran("x=" + "$(echo " * depth + "a" + ")" * depth)),
}


def show(rounds: int, names: tuple[str, ...] = ()) -> bool:
    """Print the curves; says whether each is straight."""
    print("\nwhat one more costs, by how many there are  (the last against the dearest of those before)")
    straight = True
    for name, curve in CURVES.items():
        if names and not any(wanted in name for wanted in names):
            continue
        found = curve.measured(rounds)
        ratio = found[-1] / max(1e-9, *found[:-1])
        straight = straight and ratio <= curve.growth
        columns = "".join(
            f"{size:>7} {spelled(cost):>9}" for size, cost in zip(curve.sizes[-len(found) :], found, strict=True)
        )
        mark = "" if ratio <= curve.growth else "  GROWS"
        print(f"  {name:34} one {curve.unit:9}{columns}   {ratio:5.2f} ×{mark}")
    return straight


def main() -> None:
    """Show what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.curves", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("names", nargs="*", help="parts of the names of curves (default: all)")
    options = parser.parse_args()
    sys.exit(0 if show(options.rounds, tuple(options.names)) else 1)


if __name__ == "__main__":
    main()
