"""A script of Python or Node that an exception ended: the notice has the line that says which."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pyshellhooks import HookEngine
from pyshellhooks.hooks.failure_notices import uncaught_error

# A program of Python, and the line of its traceback that says what was wrong.
PROGRAMS = {
    "import no_such_module_here": "ModuleNotFoundError: No module named 'no_such_module_here'",
    "import sys; print('log', file=sys.stderr); {}['a']": "KeyError: 'a'",
    "try:\n    1/0\nexcept ZeroDivisionError as error:\n    raise ValueError('second') from error": "ValueError: second",
    "def f(n): return f(n - 1) if n else [][1]\nf(20)": "IndexError: list index out of range",
    "raise SystemExit(3)": "",
    "import sys; print('Error: no', file=sys.stderr); sys.exit(1)": "",
    "raise Exception": "Exception",
    "class MyError(Exception): pass\nraise MyError('two\\nlines')": "MyError: two",
}
# As Node 20.20.2 writes it.
LOST = b"""node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module 'nope'
Require stack:
- /w/guard.js
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
"""
NODE = b"""/w/guard.js:3
const command = JSON.parse(input).tool_input.command.trim()
                                             ^

TypeError: Cannot read properties of undefined (reading 'command')
    at Object.<anonymous> (/w/guard.js:3:46)
    at Module._compile (node:internal/modules/cjs/loader:1369:14)

Node.js v20.12.0
"""


@pytest.mark.parametrize("program", PROGRAMS)
def test_python(program: str) -> None:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=120)
    assert uncaught_error(done.stderr) == PROGRAMS[program].replace("MyError", "__main__.MyError", 0)


def test_node() -> None:
    assert uncaught_error(b"a log\n" + NODE) == "TypeError: Cannot read properties of undefined (reading 'command')"
    assert uncaught_error(LOST) == "Error: Cannot find module 'nope'"
    assert uncaught_error(NODE.replace(b"\n", b"\r\n")).startswith("TypeError: Cannot read")


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"Error: it is denied",
        b"Traceback (most recent call last):",
        b"    at home\n",
        b"A" * 1_000_000,
        b"\n" * 100_000,
        b"\xff\n",
    ],
)
def test_other_words(text: bytes) -> None:
    assert uncaught_error(text) == ""


def test_the_notice_has_it_and_decides_as_before() -> None:
    script = "cat >&2 <<'END'\n" + NODE.decode() + "END\nexit 1"
    engine = HookEngine.load({"hooks": {"PreToolUse": [{"command": script}]}}, "crush", env={})
    verdict = engine.fire("PreToolUse", tool_name="bash", tool_input={"command": "ls"})
    (notice,) = verdict.notices
    assert notice.kind == "hook-failed" and verdict.decision == "none"
    assert "exit status 1" in notice and "TypeError: Cannot read properties of undefined" in notice
    assert "correct the script" in notice and "exit with 0 to let it pass" not in notice
