"""Run the tests many times in random order while the machine is busy: a test that depends on time or order fails here.

::

    python -m tests.stress [--times 20] [--load 20] [--together] [--seed SEED] [-- PYTEST ARGUMENTS]

The runs follow one another, each next to ``--load`` processes that do nothing but count. With ``--join_verdicts`` they all run
at once, one process each, and are one another's load: that takes an hour where the former takes a day. A line tells how to
get the order of a run again: ``python -m pytest -p tests.shuffled --shuffle SEED``.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.pytest_runs import Outcome, Run, clean_environment, end_on_sigterm, first_ended, started

ROOT = Path(__file__).resolve().parent.parent
CORES = os.cpu_count() or 1
COUNT = "import os; parent = os.getppid()\nwhile os.getppid() == parent: pass"  # ends when its parent is gone
TIMEOUT = 120  # pyproject.toml's, for a machine at rest


@contextmanager
def busy(count: int) -> Iterator[None]:
    """Keep ``count`` processes counting."""
    burners = [subprocess.Popen([sys.executable, "-c", COUNT]) for _ in range(count)]
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()


@contextmanager
def run_of(seed: int, folder: Path, load: int, arguments: Sequence[str]) -> Iterator[Run]:
    """Start one run in the order of ``seed``, with a HOME and a temporary folder of its own."""
    home = folder / f"h{seed}"
    home.mkdir()
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tests.shuffled"]
    command += ["--shuffle", str(seed), "--basetemp", str(folder / f"t{seed}")]
    command += ["--timeout", str(TIMEOUT * max(1, (load + CORES) // CORES)), *arguments]
    env = {**clean_environment(os.environ), "HOME": str(home), "TMPDIR": str(home), "PYTHONDONTWRITEBYTECODE": "1"}
    with started(command, folder / f"{seed}.log", cwd=ROOT, env=env) as run:
        yield run


def outcomes(seeds: Sequence[int], folder: Path, given: argparse.Namespace) -> Iterator[tuple[int, Outcome]]:
    """Run all seeds, and yield each as it ends."""
    if not given.join_verdicts:
        with busy(given.load):
            for seed in seeds:
                with run_of(seed, folder, given.load, ["-n", "auto", *given.arguments]) as run:
                    yield seed, run.outcome()
        return
    with ExitStack() as stack:
        runs = {
            seed: stack.enter_context(run_of(seed, folder, len(seeds), ["-n", "0", *given.arguments])) for seed in seeds
        }
        while runs:
            seed = first_ended(runs)
            yield seed, runs.pop(seed).outcome()


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.stress", description="Run the tests many times under load.")
    parser.add_argument("--times", type=int, default=20, metavar="N", help="how many runs (default: %(default)s)")
    parser.add_argument("--load", type=int, default=20, metavar="N", help="busy processes (default: %(default)s)")
    parser.add_argument("--together", action="store_true", help="all runs at once; they are the load")
    parser.add_argument("--seed", type=int, help="of the first run, the others count up (default: a random one)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where logs and temporary files stay")
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    arguments = parser.parse_args(words[:end])
    arguments.arguments = words[end + 1 :]
    return arguments


def main() -> int:
    """Run the command."""
    given = options()
    end_on_sigterm()
    first = random.randrange(1_000_000) if given.seed is None else given.seed
    failures = []
    with tempfile.TemporaryDirectory(prefix="s", ignore_cleanup_errors=True) as made:
        folder = (given.keep or Path(made)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        print(f"{'seed':>7} {'passed':>7} {'skipped':>7} {'failed':>7} {'seconds':>7}", flush=True)
        for seed, done in outcomes(range(first, first + given.times), folder, given):
            print(f"{seed:7} {done.passed:7} {done.skipped:7} {done.failed:7} {round(done.seconds):7}", flush=True)
            failures += [f"{seed}: {failure}" for failure in done.failures]
    if failures:
        print(
            "\nfailed, with the seed (again: python -m pytest -p tests.shuffled --shuffle SEED):", *failures, sep="\n"
        )
    return 1 if failures else 0


if __name__ == "__main__":
    try:
        raise SystemExit(main())
    except KeyboardInterrupt:
        raise SystemExit(130) from None
