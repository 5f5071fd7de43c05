"""Tables of what the real tools answered, and how they are replayed on ours.

A table is ``tables/NAME.json``: the tool's version, and cases of ``argv``, ``stdin``, ``files`` before (bytes as latin-1 text, a
name that ends in ``/`` is a directory, a value that starts with ``->`` a link), and the answer: ``status``, ``stdout``,
``stderr`` and ``after``, the files that are there then. ``python tests/unit/utilities/recorded.py NAME`` records the answers
of the machine's tool anew into its table.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

TABLES = Path(__file__).parent / "tables"
ENV = {"LC_ALL": "C.UTF-8", "TZ": "UTC", "PATH": "/usr/bin:/bin", "HOME": "/home/x"}
BUILTINS = {"echo", "printf", "test", "["}  # bash's own are the reference
Case = dict[str, Any]


def load(name: str) -> list[Case]:
    """Give the cases of a table."""
    table = json.loads((TABLES / f"{name}.json").read_text(encoding="ascii"))
    cases: list[Case] = table["cases"]
    return cases


def label(case: Case) -> str:
    """Name a case in pytest's output."""
    return " ".join(case["argv"]).encode("unicode_escape").decode()[:60]


def replay(case: Case) -> None:
    """Run a case on our utility and compare with what is recorded."""
    answer = ours(case)
    assert answer == {key: case[key] for key in answer}


def ours(case: Case) -> Case:
    """Run a case in memory."""
    from pyshellhooks.cancel import CancelScope
    from pyshellhooks.command import Call, Registry, execute
    from pyshellhooks.fs import MemoryFS
    from pyshellhooks.limits import Limits
    from pyshellhooks.streams import BytesReader, Capture
    from pyshellhooks.utilities._index import INDEX

    files = case.get("files", {})
    fs = MemoryFS({"/w/": b""} | {f"/w/{n}": c.encode("latin-1") for n, c in files.items() if not c.startswith("->")})
    for name in files:
        # MemoryFS makes directories by itself with 0777; a process has its umask.
        parts = name.rstrip("/").split("/")
        for end in range(1, len(parts) + name.endswith("/")):
            fs.chmod("/w/" + "/".join(parts[:end]), 0o755)
    for name, content in files.items():
        if content.startswith("->"):
            fs.symlink(content[2:], f"/w/{name}")
    out, err = Capture(1 << 24), Capture(1 << 24)
    argv = [word.encode("latin-1").decode("utf-8", "surrogateescape") for word in case["argv"]]
    call = Call(
        argv,
        env=ENV | case.get("env", {}),
        cwd="/w",
        fs=fs,
        stdin=BytesReader(case.get("stdin", "").encode("latin-1")),
        stdout=out,
        stderr=err,
        scope=CancelScope(timeout=5),
        limits=Limits(),
        start=None,  # type: ignore[arg-type]
    )
    command = Registry(INDEX).get(argv[0])
    assert command is not None, argv[0]
    status = execute(command, call)
    answer = {
        "status": status,
        "stdout": out.getvalue().decode("latin-1"),
        "stderr": err.getvalue().decode("latin-1"),
    }
    if "after" in case:
        answer["after"] = _memory_tree(fs, "/w", "")
    return answer


def _memory_tree(fs: Any, path: str, prefix: str) -> dict[str, str]:
    tree: dict[str, str] = {}
    for entry in sorted(fs.scandir(path), key=lambda e: e.name):
        inner, name = f"{path}/{entry.name}", prefix + entry.name
        if entry.kind == "d":
            tree[name + "/"] = ""
            tree |= _memory_tree(fs, inner, name + "/")
        elif entry.kind == "l":
            tree[name] = "->" + fs.readlink(inner)
        else:
            tree[name] = fs.open(inner, os.O_RDONLY).read(1 << 20).decode("latin-1")
    return tree


def real(case: Case) -> Case:
    """Ask the machine's tool."""
    with tempfile.TemporaryDirectory() as top:
        for name, content in case.get("files", {}).items():
            path = Path(top, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            if name.endswith("/"):
                path.mkdir(exist_ok=True)
            elif content.startswith("->"):
                path.symlink_to(content[2:])
            else:
                path.write_bytes(content.encode("latin-1"))
        argv = [word.encode("latin-1") for word in case["argv"]]
        shell = case["argv"][0] in BUILTINS
        done = subprocess.run(
            [b"bash", b"-c", b'"$@"', b"bash", *argv] if shell else argv,
            input=case.get("stdin", "").encode("latin-1"),
            capture_output=True,
            cwd=top,
            env=ENV | case.get("env", {}),
            timeout=10,
        )
        answer = {
            "status": done.returncode,
            "stdout": done.stdout.decode("latin-1"),
            "stderr": done.stderr.decode("latin-1").replace("bash: line 1: ", "" if shell else "bash: line 1: "),
        }
        after: dict[str, str] = {}
        for path in sorted(Path(top).rglob("*")):
            name = str(path.relative_to(top))
            if path.is_symlink():
                after[name] = "->" + os.readlink(path)
            elif path.is_dir():
                after[name + "/"] = ""
            else:
                after[name] = path.read_bytes().decode("latin-1")
        if after or case.get("files"):
            answer["after"] = after
    return answer


def check_live(name: str) -> None:
    """Compare a table with the machine's tool, if it is the version that was recorded."""
    import pytest

    table = json.loads((TABLES / f"{name}.json").read_text(encoding="ascii"))
    tool = shutil.which(name)
    if tool is None or version(name) != table["version"]:
        if os.environ.get("CI") and tool is None:
            pytest.fail(f"{name} is missing")
        pytest.skip(f"needs {table['version']}")
    for case in table["cases"]:
        answer = real(case)
        assert answer == {key: case[key] for key in answer}, label(case)


def version(name: str) -> str:
    """Give the first line of ``--version``."""
    name = "bash" if name in BUILTINS else name
    done = subprocess.run([name, "--version"], capture_output=True, text=True)
    return (done.stdout.splitlines() or [""])[0]


def record(name: str, cases: list[Case]) -> None:
    """Write a table with the answers of the machine's tool."""
    rows = []
    for case in cases:
        wanted = {key: case[key] for key in ("argv", "stdin", "files", "env") if case.get(key)}
        rows.append(json.dumps(wanted | real(wanted), ensure_ascii=True))
    TABLES.mkdir(exist_ok=True)
    text = f'{{"version": {json.dumps(version(name))}, "cases": [\n' + ",\n".join(rows) + "\n]}\n"
    (TABLES / f"{name}.json").write_text(text, encoding="ascii")


if __name__ == "__main__":
    for table_name in sys.argv[1:]:
        record(table_name, load(table_name))
