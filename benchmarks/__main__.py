"""``python -m benchmarks [--rounds N]``: print all ratios of one run."""

from __future__ import annotations

import argparse
import platform

from . import curves, guard, startup, utilities
from .measure import median_seconds, show, spelled


def main() -> None:
    """Run every group and print it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="interleaved rounds; medians over them are compared")
    parser.add_argument("--utilities", action="store_true", help="only the utilities on 10 MB")
    options = parser.parse_args()
    rounds = options.rounds
    print(f"CPython {platform.python_version()} on {platform.machine()}; medians over {rounds} interleaved rounds")
    if options.utilities:
        raise SystemExit(0 if utilities.show(max(3, rounds // 3)) else 1)

    show("the guard hook, warm, with a deadline", median_seconds(guard.contenders(), rounds), "pyshellhooks Shell.run")
    loops = median_seconds(startup.counting(), max(3, rounds // 3))
    show(
        f"a counting loop of {startup.TURNS} turns",
        loops,
        "pyshellhooks Shell.run",
        "real shells start anew: about 1 ms",
    )
    starts = median_seconds(startup.cold(), rounds)
    show("cold starts", starts, "python -c pass")
    for name in ("pyshellhooks sh -c :", "from pyshellhooks import Shell; Shell().run(':')"):
        print(f"  {spelled(starts[name] - starts['python -c pass'])} over bare Python: {name}")
    startup.show_first_uses(max(3, rounds // 3))
    utilities.show(max(3, rounds // 3))
    curves.show(max(3, rounds // 3))


if __name__ == "__main__":
    main()
