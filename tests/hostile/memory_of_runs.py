"""Run scripts that want all memory, one after another; print how each ended and what it took at most, in MiB.

Started by ``test_hostile_memory``: ``python memory_of_runs.py``, the scripts as JSON on stdin.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path


def peak() -> int:
    found = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())
    assert found is not None
    return int(found[1]) // 1024


def main() -> None:
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    from pyshellhooks import Limits, Shell

    shell = Shell(limits=Limits(memory=256 * 1024 * 1024))
    shell.run("jq -n 'last(range(1e6))' | sort | sed s/x/y/ | tr a b | grep 9; [[ a =~ a ]]", timeout=60)
    for name, (script, _) in json.load(sys.stdin).items():
        Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew
        before = peak()
        result = shell.run(script, timeout=1.5)
        print(
            json.dumps(
                [name, result.ended.kind, result.ended.reason, result.ended.detail, peak() - before, result.seconds]
            ),
            flush=True,
        )


if __name__ == "__main__":
    main()
