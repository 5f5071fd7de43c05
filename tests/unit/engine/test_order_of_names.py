"""Messages are the same in each run: no list in them is printed from a set."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import sys, tempfile
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from mistakes import IN_COMMANDS, IN_CONFIGS, look, write
from pyshellhooks import dialects
from pyshellhooks.hooks.fields import sample
from pyshellhooks.hooks.dialect import HostContext
from pyshellhooks.hooks.model import HookRun, HookSpec

ODD = ['{"permissionDecision": "deny", "permission": "deny", "halt": true}', '{"hookSpecificOutput": {"nope": 1}}', '{"decision": "x"}']
for row in IN_CONFIGS + IN_COMMANDS:
    with tempfile.TemporaryDirectory() as root:
        write(Path(root), row.files, row.modes)
        for one in look(Path(root), row).diagnostics:
            text = f"{one.message} {one.hint}".replace(root, "").replace(Path(root).as_posix(), "")
            print(row.code, row.system, text)
for name in dialects.names():
    dialect = dialects.get(name)
    around = HostContext("/w", env={})
    dialect.prepare(around)
    for event in dialect.events:
        made = dialect.make_event(dialect.events[event], False, sample(dialect.events[event], False), around, None)
        for text in ODD:
            outcome = dialect.parse(HookRun(stdout=text.encode()), HookSpec(event, "x"), made)
            print(name, event, outcome.reason, *outcome.notices)
    for wrong in ("Nope", "preToolUze"):
        try:
            dialect.event(wrong)
        except Exception as error:
            print(error)
"""


@pytest.mark.slow
def test_messages_do_not_depend_on_the_hash_seed() -> None:
    here = str(Path(__file__).parent)
    runs = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT, here],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0].count("\n") > 300
    assert runs[0].splitlines() == runs[1].splitlines()
