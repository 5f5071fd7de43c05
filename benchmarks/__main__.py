"""``python -m benchmarks [--rounds N] [--write FILE]``: print all ratios of one run, and write them to docs/performance.md."""

from __future__ import annotations

import argparse
from pathlib import Path

from . import curves, guard, searches, startup, throughput, utilities
from .measure import seconds
from .report import PAGE, Report, compared, machine

OURS = "pyshellhooks Shell.run"


def main() -> None:
    """Run every group, print it, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="interleaved rounds; medians over them are compared")
    parser.add_argument("--utilities", action="store_true", help="only the utilities on 10 MB; writes no page")
    parser.add_argument("--searches", action="store_true", help="only grep and sed on 10 MB; writes no page")
    parser.add_argument("--only", default="", metavar="TEXT", help="of those two the rows that have TEXT in their name")
    parser.add_argument("--write", type=Path, default=PAGE, metavar="FILE", help="where the page goes")
    options = parser.parse_args()
    rounds = options.rounds
    few = max(3, rounds // 3)
    if options.utilities or options.searches:
        good = not options.utilities or utilities.show(few, options.only)
        good = (not options.searches or searches.show(few, options.only)) and good
        raise SystemExit(0 if good else 1)
    report = Report()
    print(machine().text())

    title = "the guard hook, warm, with a deadline"
    report.add(compared(title, seconds(guard.contenders(), rounds), OURS, f"medians over {rounds} interleaved rounds"))
    unmatched = seconds(guard.unmatched(), rounds)
    report.add(compared("fire, and no hook is for it", unmatched, next(iter(unmatched))))
    loops = seconds(startup.counting(), few)
    note = "real shells start anew: about 1 ms"
    report.add(compared(f"a counting loop of {startup.TURNS} turns", loops, OURS, note))
    report.add(startup.starts(rounds))
    report.add(throughput.rates(few))
    report.add(throughput.stays())
    report.printed("First uses", lambda: startup.show_first_uses(few))
    report.printed("What one more costs", lambda: curves.show(few))
    report.printed("Utilities", lambda: utilities.show(few))
    report.printed("grep and sed", lambda: searches.show(few))
    report.write(options.write)
    print(f"\nwritten to {options.write}")


if __name__ == "__main__":
    main()
