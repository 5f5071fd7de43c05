"""The process around the runs is not theirs to change (rules 2 and 3)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.not_on_windows("needs-device"),
    pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="reads what /proc says of a process"),
]


@pytest.mark.one_in(2, slow=2)
@pytest.mark.timeout(90)
def test_nothing_of_the_host_is_touched(tmp_path: Path) -> None:
    program = Path(__file__).with_name("host_state.py")
    done = subprocess.run(
        [sys.executable, str(program), str(tmp_path)], capture_output=True, text=True, timeout=80, cwd="/", check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["scripts"] > 300
    assert found["called"] == []
    assert found["changed"] == {}
    assert found["has"]["children"] == []
    assert found["has"]["threads"] == []
    assert found["has"]["descriptors"] <= found["had"]["descriptors"] + 8  # pipes of jq workers
    assert found["settled"]
