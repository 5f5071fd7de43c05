"""A long-lived process that runs the cases of ``spec.py --batch``: a JSON line in, a JSON line out."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from pyshellhooks import Shell
from pyshellhooks.streams import Capture
from pyshellhooks.text import decode, encode

_MOST_OUTPUT = 1 << 24


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Run one script file as ``pyshellhooks sh FILE`` does, in this process."""
    file, *args = request["argv"]
    shell = Shell(cwd=request["cwd"], env=request["env"])
    out = Capture(_MOST_OUTPUT).retain()
    error = out if request["merge"] else Capture(_MOST_OUTPUT).retain()
    result = shell.run(
        decode(Path(file).read_bytes().replace(b"\0", b"")),
        *args,
        stdin=encode(request["stdin"]),
        stdout=out,
        stderr=error,
        name=file,
        command_string=False,
    )
    return {
        "status": result.status,
        "stdout": decode(out.getvalue()),
        "stderr": "" if error is out else decode(error.getvalue()),
    }


if __name__ == "__main__":
    for line in sys.stdin:
        sys.stdout.write(json.dumps(answer(json.loads(line))) + "\n")
        sys.stdout.flush()
