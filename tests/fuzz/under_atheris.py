"""One target under Atheris, in a process of its own: ``python -m tests.fuzz.under_atheris TARGET FINDINGS [options of libFuzzer]``.

Atheris instruments the library as it is imported and chooses inputs by what they reach. A finding does not end the
process: it is made smaller and saved, and the next one of its kind is passed over. What does end it (a crash of Python
itself, memory, a hang) is libFuzzer's to report.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import atheris

MIXED = 0.15  # of the inputs are changed by libFuzzer itself: its dictionary, its comparisons, single bits

with atheris.instrument_imports(include=["pyshellhooks"]):
    from .all_targets import TARGETS
    from .findings import Findings
    from .target import changed, observe


def main() -> None:
    """Fuzz until libFuzzer's options say that it is enough."""
    name, directory, *options = sys.argv[1:]
    target = TARGETS[name]
    findings = Findings(Path(directory), target)

    def test_one_input(data: bytes) -> None:
        finding = observe(target, data)
        if finding is not None and findings.is_new(finding):
            path = findings.save(data, finding)
            print(f"FINDING {finding.kind} {path}", file=sys.stderr, flush=True)

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        random = Random(seed)
        if random.random() < MIXED:
            return bytes(atheris.Mutate(data, most))
        return changed(target, data, random, most)

    def cross(data: bytes, other: bytes, most: int, seed: int) -> bytes:
        random = Random(seed)
        parts, others = target.split(data), target.split(other)
        return target.joined(map(random.choice, zip(parts, others, strict=True)))[:most]

    atheris.Setup([sys.argv[0], *options], test_one_input, custom_mutator=mutate, custom_crossover=cross)
    with atheris.instrument_imports(include=["pyshellhooks"]):  # what is imported when it is first needed, too
        atheris.Fuzz()


if __name__ == "__main__":
    main()
