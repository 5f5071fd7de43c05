"""Send generated and damaged scripts through the parser, and count.

    python -m tests.property.run_parser --count 200000 --seed 1 --jobs 2

Prints each script that breaks a promise (``parser_runs``), and the numbers; the status is 1 if any did.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from multiprocessing import Pool
from time import perf_counter

from .parser_runs import failures

CHUNK = 1000


def chunk(work: tuple[int, int]) -> tuple[int, int, list[tuple[str, str]]]:
    """Run one part: (scripts, how many parse, the broken ones)."""
    seed, count = work
    parsed = 0
    broken = []
    for text, wrong, good in failures(seed, count):
        parsed += good
        if wrong:
            broken.append((text, wrong))
    return count, parsed, broken


def main() -> int:
    """Run the command line above."""
    options = argparse.ArgumentParser(prog="python -m tests.property.run_parser", description=__doc__)
    options.add_argument("--count", type=int, default=200_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--jobs", type=int, default=1)
    arguments = options.parse_args()
    parts = [
        (arguments.seed * 1_000_000 + at, min(CHUNK, arguments.count - at)) for at in range(0, arguments.count, CHUNK)
    ]
    began = perf_counter()
    total = parsed = failed = 0
    with Pool(arguments.jobs) as pool, suppress(KeyboardInterrupt):  # ^C ends it with what there is
        for count, good, broken in pool.imap_unordered(chunk, parts):
            total += count
            parsed += good
            failed += len(broken)
            for text, wrong in broken:
                print(f"BROKEN {wrong[:300]}\n   {text!r}", flush=True)
    print(f"parser: {total} scripts, {parsed} parse, {failed} broken promises, {perf_counter() - began:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
