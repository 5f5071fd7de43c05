"""Run every value in every context (``values_in_contexts``): ``python -m tests.property.run_values``.

Prints what differs, and the excuses that excuse nothing any more; two minutes.
"""

from __future__ import annotations

import sys

from .real_and_ours import Place, bounded
from .values_in_contexts import EXCUSES, VALUES, contexts, excuse_for, raw_differences


def main() -> int:
    """Run them all; the status is 1 if anything differs without an excuse."""
    bounded()
    used: set[int] = set()
    found = 0
    with Place() as place:
        for value in VALUES:
            for number, line in raw_differences(place, value):
                excuse = excuse_for(contexts()[number], value)
                if excuse is None:
                    print(line)
                    found += 1
                else:
                    used.add(EXCUSES.index(excuse))
    idle = [excuse for number, excuse in enumerate(EXCUSES) if number not in used]
    for excuse in idle:
        print(f"excuses nothing: {excuse}")
    print(f"{len(VALUES)} values in {len(contexts())} contexts: {found} differ without an excuse")
    return 1 if found or idle else 0


if __name__ == "__main__":
    sys.exit(main())
