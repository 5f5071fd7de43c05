"""Run generated scripts on us and on real shells, and explain every difference.

    python -m tests.property.run_differential --count 20000 --seed 1 --jobs 2 [--shell dash]

Prints the differences that nothing explains, cut down, and how many each entry of ``known_differences.toml`` explains.
The status is 1 if any is left.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from contextlib import suppress
from multiprocessing import Pool
from time import perf_counter

from .differential_runs import Difference, Judge, Known, load_known, scripts
from .mutated_scripts import case_scripts
from .real_and_ours import Place, bounded

CHUNK = 50


def chunk(work: tuple[int, int, str, list[Known]]) -> tuple[int, list[Difference]]:
    """Run one part."""
    seed, count, program, known = work
    found = []
    with Place() as place:
        judge = Judge(place, program, known)
        for text in scripts(seed, count, program == "bash"):
            if difference := judge(text):
                found.append(difference)
    return count, found


def main() -> int:
    """Run the command line above."""
    options = argparse.ArgumentParser(prog="python -m tests.property.run_differential", description=__doc__)
    options.add_argument("--count", type=int, default=20_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--jobs", type=int, default=1)
    options.add_argument("--shell", default="bash", choices=("bash", "dash"))
    options.add_argument("--all", action="store_true", help="print what is explained too")
    arguments = options.parse_args()
    first = arguments.seed * 1_000_000
    began = perf_counter()
    total = 0
    causes: Counter[str] = Counter()
    known = load_known()
    parts = [
        (first + at, min(CHUNK, arguments.count - at), arguments.shell, known)
        for at in range(0, arguments.count, CHUNK)
    ]
    case_scripts()  # once, before the workers fork: they may not change meanwhile
    with Pool(arguments.jobs, bounded) as pool, suppress(KeyboardInterrupt):  # ^C ends it with what there is
        for count, found in pool.imap_unordered(chunk, parts):
            total += count
            for difference in found:
                causes[difference.cause or "UNEXPLAINED"] += 1
                if arguments.all or not difference.cause:
                    print(
                        f"{difference.cause or 'UNEXPLAINED'} {difference.kinds}: {difference.smallest!r}", flush=True
                    )
    equal = total - sum(causes.values())
    print(f"{arguments.shell}: {total} scripts, {equal} equal, {total - equal} differ, {perf_counter() - began:.0f} s")
    for cause, count in causes.most_common():
        print(f"{count:7} {cause}")
    return 1 if causes["UNEXPLAINED"] else 0


if __name__ == "__main__":
    sys.exit(main())
