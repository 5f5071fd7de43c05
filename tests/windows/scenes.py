"""Records that no line of a table can express: functions of Python, which return what their caller would see."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from typing import Any, NamedTuple

from pyshellhooks import HookEngine, HostFS, Limits, MemoryFS, OverlayFS, ReadOnly, Rooted, Shell, ShellTool
from pyshellhooks.fs.base import FileSystem

from .scratch import Scratch

Run = Callable[[Scratch], dict[str, Any]]
DIRECTORIES = ("C:\\x", "c:\\x", "C:/x", "/c/x")
_GUARD = 'p=$(jq -r .tool_input.file_path); case ${p##*/} in .env) echo "no $p" >&2; exit 2 ;; esac'
_BOM = "\ufeff"


class Scene(NamedTuple):
    """One function, the kind of its records, and the spellings in which it gets paths."""

    name: str
    kind: str
    spellings: tuple[str, ...]
    run: Run


_SCENES: list[Scene] = []


def scenes() -> tuple[Scene, ...]:
    """Return all scenes."""
    from . import scenes_of_programs, scenes_of_proxy  # noqa: F401 - they add their own

    return tuple(_SCENES)


def scene(kind: str, *spellings: str) -> Callable[[Run], Run]:
    """Add a function to the scenes."""

    def add(run: Run) -> Run:
        name = run.__name__.strip("_").replace("_", "-")
        _SCENES.append(Scene(name, kind, spellings or ("C:\\x",), run))
        return run

    return add


def config(command: str) -> dict[str, Any]:
    """Return settings of Claude Code with one hook before each tool."""
    return {"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": command}]}]}}


def call(path: str) -> dict[str, Any]:
    """Return the fields of a write."""
    return {"session_id": "s-1", "tool_name": "Write", "tool_input": {"file_path": path, "content": "x"}}


def _fire(scratch: Scratch, fs: FileSystem | None = None, **options: Any) -> dict[str, Any]:
    from .running import of_verdict

    options.setdefault("cwd", scratch.path("project"))
    command = options.pop("command", _GUARD)
    engine = HookEngine.load(config(command), "claude_code", fs=fs, **options)
    with engine:
        return of_verdict(engine.fire("PreToolUse", call(scratch.path("project/.env")), timeout=20.0), engine, scratch)


def _ran(shell: Shell, line: str, **options: Any) -> dict[str, Any]:
    result = shell.run(line, timeout=5.0, **options)
    return {
        "status": result.status,
        "ended": type(result.ended).__name__,
        "stdout": result.text,
        "stderr": result.stderr.decode("utf-8", "backslashreplace"),
        "notices": [str(notice) for notice in result.notices],
    }


# -- file systems over the disk -------------------------------------------------------------------------------------------


@scene("layer", *DIRECTORIES)
def _hook_on_overlay(scratch: Scratch) -> dict[str, Any]:
    return _fire(scratch, OverlayFS(HostFS()))


@scene("layer", *DIRECTORIES)
def _hook_on_overlay_writes(scratch: Scratch) -> dict[str, Any]:
    overlay = OverlayFS(HostFS())
    found = _fire(scratch, overlay, command="echo x > made.txt; ls >&2; exit 2")
    return {**found, "disk": sorted(file.name for file in scratch.project.iterdir())}


@scene("layer", *DIRECTORIES)
def _hook_on_read_only(scratch: Scratch) -> dict[str, Any]:
    return _fire(scratch, ReadOnly(HostFS()), command="echo x > made.txt; echo $PWD >&2; exit 2")


@scene("layer", *DIRECTORIES)
def _hook_on_rooted(scratch: Scratch) -> dict[str, Any]:
    return _fire(scratch, Rooted(HostFS(), scratch.path("project")), cwd="/", command="pwd >&2; ls / >&2; exit 2")


@scene("layer", *DIRECTORIES)
def _hook_on_mounts(scratch: Scratch) -> dict[str, Any]:
    (scratch.project / "a.txt").write_text("a\n", newline="\n")
    mounts = {"/workspace": scratch.path("project")}
    return _fire(scratch, mounts=mounts, cwd="/workspace", command="pwd >&2; cat a.txt >&2; exit 2")


@scene("layer", *DIRECTORIES)
def _shell_on_overlay(scratch: Scratch) -> dict[str, Any]:
    shell = Shell(cwd=scratch.path("project"), fs=OverlayFS(HostFS()))
    return _ran(shell, "pwd; echo x > made.txt; cat made.txt; cd ..; pwd; [ -d project ] && echo there")


@scene("layer", *DIRECTORIES)
def _overlay_changes(scratch: Scratch) -> dict[str, Any]:
    (scratch.project / "a.txt").write_text("a\n", newline="\n")
    overlay = OverlayFS(HostFS())
    shell = Shell(cwd=scratch.path("project"), fs=overlay)
    found = _ran(shell, "echo b > a.txt; echo c > c.txt; mkdir d")
    return {**found, "changes": [str(change) for change in overlay.changes()]}


@scene("layer")
def _root_of_memory(_: Scratch) -> dict[str, Any]:
    return _ran(Shell(fs=MemoryFS()), "mkdir -p /a/b; cd /a/b; cd ../../..; pwd; ls /; echo /*")


@scene("layer")
def _remove_root_of_memory(_: Scratch) -> dict[str, Any]:
    line = "mkdir /a; rm -rf /; rm -rf --no-preserve-root /a; ls /"
    return _ran(Shell(fs=MemoryFS()), line)


# -- the Python interface -----------------------------------------------------------------------------------------------


@scene("shell_api", *DIRECTORIES, "/c:/x")
def _shell_directory(scratch: Scratch) -> dict[str, Any]:
    return _ran(Shell(cwd=scratch.path("project")), 'pwd; echo "$PWD"; cd ..; pwd; cd project && pwd -P')


@scene("shell_api", *DIRECTORIES, "/c:/x")
def _directory_of_a_run(scratch: Scratch) -> dict[str, Any]:
    return _ran(Shell(), "pwd", cwd=scratch.path("project"))


@scene("shell_api", *DIRECTORIES)
def _missing_directory(scratch: Scratch) -> dict[str, Any]:
    return _ran(Shell(cwd=scratch.path("project/gone")), "pwd")


@scene("shell_api", *DIRECTORIES)
def _arguments(scratch: Scratch) -> dict[str, Any]:
    (scratch.project / "a.txt").write_text("a\n", newline="\n")
    result = Shell().run('cat "$1"; echo "${1##*/}"', scratch.path("project/a.txt"))
    return {"status": result.status, "stdout": result.text, "stderr": result.stderr.decode()}


@scene("shell_api", *DIRECTORIES)
def _variables(scratch: Scratch) -> dict[str, Any]:
    return _ran(Shell(env={**os.environ, "WORK": scratch.path("project")}), 'cd "$WORK" && pwd; echo "${WORK##*/}"')


@scene("shell_api", *DIRECTORIES)
def _session(scratch: Scratch) -> dict[str, Any]:
    session = Shell(cwd=scratch.path("project")).session()
    session.run("mkdir d; cd d; x=1")
    result = session.run('echo "$x"; pwd')
    return {"status": result.status, "stdout": result.text, "cwd": session.cwd}


@scene("shell_api", *DIRECTORIES)
def _sandbox(scratch: Scratch) -> dict[str, Any]:
    shell = Shell.sandbox(read_write={"/work": scratch.path("project")})
    found = _ran(shell, "cd /work; echo x > made.txt; ls; pwd; cat ../home/x")
    return {**found, "disk": sorted(file.name for file in scratch.project.iterdir())}


@scene("shell_api", *DIRECTORIES)
def _sandbox_read(scratch: Scratch) -> dict[str, Any]:
    (scratch.project / "a.txt").write_text("a\n", newline="\n")
    shell = Shell.sandbox(read_only={"/work": scratch.path("project")})
    return _ran(shell, "cat /work/a.txt; echo x > /work/b.txt; ls /work")


@scene("shell_api")
def _tool(_: Scratch) -> dict[str, Any]:
    tool = ShellTool(Shell.sandbox())
    return {
        "answers": [
            str(tool.call({"command": line}))
            for line in ("mkdir -p a/b; cd a; pwd", "ls", "cat gone", "echo x > f; cat f")
        ]
    }


@scene("shell_api", *DIRECTORIES)
def _tool_on_disk(scratch: Scratch) -> dict[str, Any]:
    tool = ShellTool(Shell(cwd=scratch.path("project")))
    return {"answers": [str(tool.call({"command": line})) for line in ("mkdir a; cd a; pwd", "cat gone; ls ..")]}


# -- limits -----------------------------------------------------------------------------------------------------------------


@scene("limit")
def _memory(_: Scratch) -> dict[str, Any]:
    limits = Limits(memory=100 << 20)
    line = "i=0; while [ $i -lt 70 ]; do i=$((i + 1)); printf -v x$i '%*s' 6000000 ''; done; echo $i"
    return _ran(Shell(limits=limits), line)


@scene("limit")
def _output(_: Scratch) -> dict[str, Any]:
    found = _ran(Shell(limits=Limits(output=1000)), "seq 100000")
    return {**found, "stdout": len(found["stdout"])}


@scene("limit")
def _deadline(_: Scratch) -> dict[str, Any]:
    result = Shell().run("while :; do :; done", timeout=0.3)
    return {"status": result.status, "ended": str(result.ended)}


@scene("limit")
def _deadline_in_sleep(_: Scratch) -> dict[str, Any]:
    result = Shell().run("trap 'echo bye' TERM; sleep 9", timeout=0.3)
    return {"status": result.status, "ended": type(result.ended).__name__, "stdout": result.text}


@scene("limit")
def _cancelled(_: Scratch) -> dict[str, Any]:
    from pyshellhooks import CancelScope

    with CancelScope() as scope:
        timer = threading.Timer(0.3, scope.cancel)
        timer.start()
        result = Shell().run("sleep 9", scope=scope)
        timer.join()
    return {"status": result.status, "ended": type(result.ended).__name__}


# -- byte order marks --------------------------------------------------------------------------------------------------------


def _payload_text(scratch: Scratch) -> str:
    return json.dumps({"hook_event_name": "PreToolUse", **call(scratch.path("project/.env"))})


def _fire_text(scratch: Scratch, text: str) -> dict[str, Any]:
    from .running import of_verdict

    engine = HookEngine.load(config(_GUARD), "claude_code", cwd=scratch.path("project"))
    with engine:
        return of_verdict(engine.fire("PreToolUse", text, timeout=20.0), engine, scratch)


@scene("bom")
def _one_mark(scratch: Scratch) -> dict[str, Any]:
    return _fire_text(scratch, _BOM + _payload_text(scratch))


@scene("bom")
def _two_marks(scratch: Scratch) -> dict[str, Any]:
    return _fire_text(scratch, _BOM * 2 + _payload_text(scratch))


@scene("bom")
def _crlf_in_payload(scratch: Scratch) -> dict[str, Any]:
    return _fire_text(scratch, _payload_text(scratch).replace(", ", ",\r\n ") + "\r\n")


@scene("bom", "C:\\x", "C:/x")
def _mark_in_config(scratch: Scratch) -> dict[str, Any]:
    from .running import of_verdict

    file = scratch.project / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_bytes((_BOM + json.dumps(config(_GUARD), indent=1).replace("\n", "\r\n")).encode())
    source = scratch.path("project/.claude/settings.json")
    with HookEngine.load(source, cwd=scratch.path("project")) as engine:
        return of_verdict(engine.fire("PreToolUse", call(scratch.path("project/.env"))), engine, scratch)
