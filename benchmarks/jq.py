"""``python -m benchmarks.jq [--before TREE] [--rounds N]``: jq as ratios of one run.

To what it was (another tree of this repository, in a process of its own that takes turns) and to the real jq (CPU of the
process, wall time where a hook waits).
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from .jq_acts import ON_LINES, PATH, PROGRAMS, large, lines
from .measure import spelled

REAL = os.environ.get("JQ182", "/opt/jq182/bin/jq")
ACTS = Path(__file__).with_name("jq_acts.py")
SIZE = 10_000_000

# What is run, how often in a round, and the most that it may be of what it was before.
BEFORE = {
    "guard": (50, 1.0),
    "path": (200, 1.0),
    **{f"small {name}": (200, 1.5) for name in PROGRAMS},
    **{f"shell {name}": (50, 1.5) for name in PROGRAMS},
}
NOISE = 1.05  # two runs of one tree differ by so much


class Tree:
    """A process with one state of the repository."""

    def __init__(self, tree: Path, folder: Path) -> None:
        self.tree = tree
        env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        self.env = {**env, "PYTHONPATH": str(tree)}
        self.process = subprocess.Popen(
            [sys.executable, "-P", str(ACTS), str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=self.env,
        )

    def do(self, name: str, count: int) -> tuple[float, float] | str:
        """Return wall and CPU seconds of one act, or why there are none."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{count} {name}\n")
        self.process.stdin.flush()
        first, _, second = self.process.stdout.readline().strip().partition(" ")
        if first == "failed":
            return second
        return float(first) / count, float(second) / count

    def first_use(self, rounds: int) -> tuple[float, float]:
        """Return the CPU seconds of the first and of a later call in fresh processes."""
        found = []
        for _ in range(rounds):
            done = subprocess.run(
                [sys.executable, "-P", str(ACTS), "first"], capture_output=True, text=True, env=self.env, check=True
            )
            found.append([float(word) for word in done.stdout.split()])
        return statistics.median(f for f, _ in found), statistics.median(s for _, s in found)

    def close(self) -> None:
        """End it."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(10)


def real(words: list[str], file: Path) -> tuple[float, float]:
    """Return wall and CPU seconds of the real jq."""
    began = time.perf_counter()
    with file.open("rb") as stdin:
        process = subprocess.Popen([REAL, *words], stdin=stdin, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
    return time.perf_counter() - began, usage.ru_utime + usage.ru_stime


def medians(trees: dict[str, Tree], name: str, count: int, rounds: int) -> dict[str, tuple[float, float] | str]:
    """Let the trees take turns."""
    found: dict[str, list[tuple[float, float]]] = {}
    failed: dict[str, str] = {}
    for _ in range(rounds):
        for who, tree in trees.items():
            if who in failed:
                continue
            times = tree.do(name, count)
            if isinstance(times, str):
                failed[who] = times
            else:
                found.setdefault(who, []).append(times)
    return {
        who: failed.get(who)
        or (statistics.median(w for w, _ in found[who]), statistics.median(c for _, c in found[who]))
        for who in trees
    }


def small(trees: dict[str, Tree], rounds: int) -> bool:
    """Compare the usual calls with what they were; CPU, so that a busy machine says the same."""
    good = True
    print("\n1 KB, CPU of one call  (× before)")
    for name, (count, most) in BEFORE.items():
        found = medians(trees, name, count, rounds)
        words = [f"{who} {spelled(times[1]) if not isinstance(times, str) else times}" for who, times in found.items()]
        now, before = found["now"], found.get("before")
        if not isinstance(now, str) and before is not None and not isinstance(before, str):
            ratio = now[1] / before[1]
            within = ratio <= most * NOISE
            good = good and within
            words.append(f"{ratio:6.2f} × (at most {most}){'' if within else '  MISSED'}")
        print(f"  {name:22} {'   '.join(words)}")
    return good


def many(trees: dict[str, Tree], folder: Path, rounds: int) -> bool:
    """Compare 10 MB with the real jq."""
    good = True
    print("\n10 MB of JSON lines, jq -c, CPU  (× the real jq)")
    for name, program in ON_LINES.items():
        theirs = statistics.median(real(["-c", program], folder / "lines")[1] for _ in range(rounds))
        for where, most in (("worker", 2), ("alone", 4)):
            for who, times in medians(trees, f"lines {where} {name}", 1, rounds).items():
                if isinstance(times, str):
                    print(f"  {name:8} {where:8} {who:8} {times}")
                    continue
                within = times[1] <= most * theirs or who != "now"
                good = good and within
                print(
                    f"  {name:8} {where:8} {who:8} {spelled(times[1]):>10} against {spelled(theirs)} {times[1] / theirs:6.2f} ×"
                    f" (at most {most}){'' if within else '  MISSED'}; wall {spelled(times[0])}"
                )
    print(f"\none payload of 10 MB with many fields, jq -r {PATH}, wall  (× a spawned jq)")
    theirs = statistics.median(real(["-r", PATH], folder / "large")[0] for _ in range(rounds))
    for where in ("worker", "alone"):
        for who, times in medians(trees, f"large {where}", 1, rounds).items():
            if isinstance(times, str):
                print(f"  {where:8} {who:8} {times}")
                continue
            within = times[0] <= theirs or who != "now"
            good = good and within
            print(
                f"  {where:8} {who:8} {spelled(times[0]):>10} against {spelled(theirs)} {times[0] / theirs:6.2f} ×"
                f"{'' if within else '  MISSED'}; CPU {spelled(times[1])}"
            )
    return good


def main() -> int:
    """Run everything; 1 if a bound is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.jq", description=__doc__)
    parser.add_argument("--before", type=Path, help="another tree of this repository to compare with")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--small", action="store_true", help="only 1 KB and the first use")
    options = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "lines").write_bytes(lines(SIZE))
        (folder / "large").write_bytes(large(SIZE))
        trees = {"now": Tree(Path(__file__).resolve().parent.parent, folder)}
        if options.before:
            trees["before"] = Tree(options.before.resolve(), folder)
        print("first use of jq in a process, CPU (under 5 ms)")
        for who, tree in trees.items():
            first, later = tree.first_use(options.rounds)
            good = good and (first - later < 0.005 or who != "now")
            print(f"  {who:8} {spelled(first)}, later calls {spelled(later)}")
        good = small(trees, options.rounds) and good
        if not options.small:
            good = many(trees, folder, max(1, options.rounds // 3)) and good
        for tree in trees.values():
            tree.close()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
