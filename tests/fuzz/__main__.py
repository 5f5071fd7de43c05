"""Fuzz the targets, or tell what all sittings came to.

    python -m tests.fuzz --target all --seconds 600 --corpus ~/fuzz --log ~/fuzz/log.jsonl
    python -m tests.fuzz --tally ~/fuzz/log.jsonl

It needs Atheris, on Linux or macOS: pip install -e '.[fuzz]'. Each target runs in a process of its own, begins with the
seeds and what earlier sittings left in the corpus, and is given so many seconds by the clock. The status is 1 if there is
a finding: ``CORPUS/findings/TARGET`` has its input, made small, and what it shows. ``--again`` runs one input.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .all_targets import TARGETS
from .findings import Findings
from .sitting import Sitting
from .tally import table
from .target import observe


def parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    options = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--target", default="all", help=f"all, or some with commas between: {', '.join(TARGETS)}")
    options.add_argument("--seconds", type=int, default=60, help="for each target (60)")
    options.add_argument("--rounds", type=int, default=1, help="how often to go through the targets; 0: for ever")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--jobs", type=int, default=1, help="targets at once")
    options.add_argument("--corpus", type=Path, default=Path("/tmp/pyshellhooks-fuzz"))
    options.add_argument("--log", type=Path, help="append a line of JSON for each target to this file")
    options.add_argument(
        "--tally", type=Path, metavar="LOG", help="print what the sittings of a log came to, and nothing else"
    )
    options.add_argument(
        "--again", type=Path, metavar="INPUT", help="run one input of the target, and say what it shows"
    )
    return options


def main() -> int:
    """Run the command line."""
    options = parser()
    given = options.parse_args()
    if given.tally:
        print(table(given.tally.read_text(encoding="utf-8").splitlines()))
        return 0
    names = list(TARGETS) if given.target == "all" else given.target.split(",")
    if unknown := [name for name in names if name not in TARGETS]:
        options.error(f"no such target: {', '.join(unknown)}")
    if given.again:
        finding = observe(TARGETS[names[0]], given.again.read_bytes())
        print("nothing" if finding is None else f"{finding.kind}\n{finding.detail}")
        return int(finding is not None)
    if importlib.util.find_spec("atheris") is None:
        print("Atheris is missing: pip install -e '.[fuzz]' (Linux and macOS)", file=sys.stderr)
        return 2
    return _fuzz(names, given)


def _fuzz(names: list[str], given: argparse.Namespace) -> int:
    ended = False
    number = 0
    while given.rounds == 0 or number < given.rounds:
        for at in range(0, len(names), given.jobs):
            several = [
                Sitting(TARGETS[name], given.corpus, given.seconds, given.seed + number)
                for name in names[at : at + given.jobs]
            ]
            with ThreadPoolExecutor(given.jobs) as pool:
                done = list(pool.map(Sitting.run, [sitting.prepare() for sitting in several]))
            for sitting in done:
                ended |= sitting.status != 0
                print(sitting.told(), flush=True)
                if given.log:
                    with given.log.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(sitting.row()) + "\n")
        number += 1
    standing = [path for name in names for path in Findings(given.corpus / "findings" / name, TARGETS[name]).stand()]
    for path in standing:
        print(f"STANDS {path}")
    return 1 if standing or ended else 0


if __name__ == "__main__":
    sys.exit(main())
