"""One hook on us and on real bash, jq and git, in equal directories: what differs.

The real program gets the very job (stdin, environment, directory) that the engine made, and its answer is read by the
same dialect, so that a difference can only come from the shell half.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from pyshellhooks import HookEngine, Verdict
from pyshellhooks.cancel import CancelScope
from pyshellhooks.engine.executor import RecordedExecutor
from pyshellhooks.hooks.model import HookJob, HookRun

DATA = Path(__file__).with_name("hook_collection")
NOW = "1767254400"  # 2026-01-01 08:00:00 UTC: for hooks, instead of the clock; age of all files of the project
LONG = "".join(f"line {number}: {'ab' * (number % 40)} é\n" for number in range(800))
RANDOM = re.compile(r"tmp\.\w{10}")  # what mktemp calls a file
PARTS = ("decision", "halt", "reason", "user_message", "context", "updated_input_text", "updated_output_text", "followup", "effects")  # fmt: skip

# How each system tells of a shell call, and how its hooks are written down.
CALLS: dict[str, tuple[str, Callable[[str], dict[str, Any]]]] = {
    "claude_code": ("PreToolUse", lambda text: {"tool_name": "Bash", "tool_input": {"command": text}}),
    "crush": ("PreToolUse", lambda text: {"tool_name": "bash", "tool_input": {"command": text, "description": "x"}}),
    "gemini": ("BeforeTool", lambda text: {"tool_name": "run_shell_command", "tool_input": {"command": text}}),
    "docker_agent": ("pre_tool_use", lambda text: {"tool_name": "shell", "tool_input": {"cmd": text, "cwd": "."}}),
    "everruns": ("pre_tool_use", lambda text: {"tool_name": "bash", "arguments": {"commands": text}}),
    "firebender": ("beforeShellExecution", lambda text: {"command": text}),
    "cursor": ("beforeShellExecution", lambda text: {"command": text}),
}


class Hook(NamedTuple):
    """One hook of the collection. ``expect``: payload -> the decision and what else the verdict must hold."""

    system: str
    kind: str  # the file that it stands in
    name: str
    event: str
    expect: dict[str, str]
    command: str
    script: str = ""  # the text of the script file ``at``
    at: str = ""
    mode: int = 0o755
    spawn: bool = True  # False: its shebang's shell is the embedded one
    env: Mapping[str, str] = {}
    times: int = 1  # so often it is fired in one directory; the last verdict counts
    differs: tuple[str, ...] = ()  # what is not as in bash
    because: str = ""  # and why, with the decision

    def __str__(self) -> str:
        return f"{self.kind}: {self.name}"


@cache
def payloads() -> dict[str, dict[str, Any]]:
    """Read the payloads."""
    return tomllib.loads((DATA / "payloads.toml").read_text(encoding="utf-8"))


@cache
def hooks() -> tuple[Hook, ...]:
    """Read the collection."""
    found = []
    for path in sorted(DATA.glob("*.toml")):
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        for row in table.pop("hook", []):
            row = {**table, **row}
            system = row.pop("system", "claude_code")
            event = row.pop("event", CALLS[system][0])
            if "script" in row:
                at = row.setdefault("at", ".claude/hooks/hook.sh")
                row.setdefault("command", f'"$CLAUDE_PROJECT_DIR"/{at}')
                row.setdefault("spawn", "python" in row["script"].split("\n")[0])
            if "differs" in row:
                row["differs"] = tuple(row["differs"])
            if "mode" in row:
                row["mode"] = int(row["mode"], 8)
            found.append(Hook(system=system, kind=path.stem, event=event, **row))
    return tuple(found)


def fields(hook: Hook, payload: str, place: Place) -> dict[str, Any]:
    """Give the fields of an event, in the system's own words. ``section.name``, or the name of a command."""
    section, _, name = payload.rpartition(".")
    value = payloads()[section or "command"][name]
    text = json.dumps(value).replace("@PROJECT@", str(place.project)).replace("@HOME@", str(place.home))
    value = json.loads(text.replace("@LONG@", json.dumps(LONG)[1:-1]))
    if not section:
        value = CALLS[hook.system][1](value)
    elif section in ("write", "edit", "read"):
        value = {"tool_name": section.capitalize(), "tool_input": value}
        if hook.event == "PostToolUse":
            value["tool_response"] = {"filePath": value["tool_input"]["file_path"], "success": True}
    elif section == "prompt":
        value = {"prompt": value}
    if hook.event == "PostToolUse" and not section:
        value["tool_response"] = {"stdout": "ok\n", "stderr": "", "interrupted": False}
    return {"session_id": "5e55-10", "transcript_path": str(place.home / "transcript.jsonl"), "cwd": str(place.project), **value}  # fmt: skip


def config(hook: Hook) -> Any:
    """Write a hook down as its system wants it."""
    command, event = hook.command, hook.event
    group = [{"hooks": [{"type": "command", "command": command}]}]
    if hook.system == "crush":
        return {"hooks": {event: [{"command": command}]}}
    if hook.system in ("cursor", "firebender"):
        return {"version": 1, "hooks": {event: [{"command": command}]}}
    if hook.system == "docker_agent":
        if event in ("pre_tool_use", "post_tool_use"):
            return {"agents": {"root": {"hooks": {event: [{"matcher": "*", **group[0]}]}}}}
        return {"agents": {"root": {"hooks": {event: group[0]["hooks"]}}}}
    if hook.system == "everruns":
        return {"hooks": [{"id": "it", "event": event, "executor": {"type": "bash", "command": command}}]}
    return {"hooks": {event: group}}


class Place:
    """A directory with the project, a home and room for temporary files, the same before each hook."""

    def __init__(self, path: Path, template: Path) -> None:
        self.path = path
        self.template = template
        self.project, self.home = path / "project", path / "home"
        self.fresh: dict[str, tuple[int, int, bytes]] = {}
        self.environment = environment(path, template.parent / "bin")

    def prepare(self, hook: Hook) -> None:
        """Put all files as they were."""
        if self.fresh and self.fresh == self.listed():
            return
        if self.path.exists():
            shutil.rmtree(self.path)
        shutil.copytree(self.template, self.path, symlinks=True)
        if hook.script:
            script = self.project / hook.at
            script.parent.mkdir(parents=True, exist_ok=True)
            script.write_bytes(hook.script.encode())
            script.chmod(hook.mode)
        self.fresh = self.listed()

    def listed(self) -> dict[str, tuple[int, int, bytes]]:
        """Give what lies there now: name, mode, time and content."""
        found = {}
        for directory, names, files in os.walk(self.path):
            for name in (*names, *files):
                path = Path(directory, name)
                status = path.lstat()
                if path.is_symlink():
                    content = os.readlink(path).encode()
                else:
                    content = path.read_bytes() if path.is_file() else b""
                found[str(path.relative_to(self.path))] = (stat.S_IMODE(status.st_mode), status.st_mtime_ns, content)
        return found

    def files(self) -> dict[str, tuple[int, bytes]]:
        """Give name, mode and content of what lies there now. Git's index holds the times of files."""
        return {
            RANDOM.sub("tmp.RANDOM", name): (mode, content)
            for name, (mode, _, content) in self.listed().items()
            if not name.endswith(".git/index")
        }


def environment(path: Path, programs: Path) -> dict[str, str]:
    """Give the variables of both: nothing of the machine's but its programs."""
    return {
        "PATH": f"{programs}:/usr/local/bin:/usr/bin:/bin",
        "HOME": str(path / "home"),
        "TMPDIR": str(path / "tmp"),
        "USER": "me",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC0",
        "HOOK_NOW": NOW,
        **{f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in GIT.items()},
        "GIT_CONFIG_NOSYSTEM": "1",
    }


GIT = {"NAME": "Me", "EMAIL": "me@example.org", "DATE": f"{NOW} +0000"}


def make_template(directory: Path, programs: Mapping[str, str]) -> Path:
    """Make the project that hooks run in, once, and a directory of programs that come first on PATH."""
    (directory / "bin").mkdir()
    for name, target in programs.items():
        (directory / "bin" / name).symlink_to(target)
    template = directory / "template"
    tree = tomllib.loads((DATA / "project.toml").read_text(encoding="utf-8"))
    for top, files in tree.items():
        for name, content in files.items():
            path = template / top / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode())
    for name in ("tmp", "project/logs", "home/.ssh"):
        (template / name).mkdir(parents=True, exist_ok=True)
    project, env = template / "project", environment(template, directory / "bin")
    if shutil.which("git", path=env["PATH"]):
        for words in (["init", "-q", "-b", "main"], ["add", "README.md", "src"], ["commit", "-q", "-m", "First"]):
            subprocess.run(["git", *words], cwd=project, env=env, check=True)
        for left in ("hooks", "info", "branches", "description"):
            path = project / ".git" / left
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    for path in sorted(template.rglob("*"), reverse=True):
        path.chmod(0o755 if path.is_dir() or path.suffix == ".sh" else 0o644)
        os.utime(path, (int(NOW), int(NOW)))
    return template


class Observed(NamedTuple):
    """What came of one run."""

    run: HookRun
    verdict: Verdict
    files: dict[str, tuple[int, bytes]]


class Comparison:
    """Runs one hook in one place on both."""

    def __init__(self, hook: Hook, place: Place) -> None:
        self.hook = hook
        self.place = place

    def engine(self, executor: RecordedExecutor | None = None) -> HookEngine:
        """Load the hook."""
        place, more = self.place, {}
        if self.hook.system == "everruns":
            more["mounts"] = {"/workspace": str(place.project)}
        return HookEngine.load(
            config(self.hook),
            self.hook.system,
            cwd=str(place.project),
            env={**place.environment, **self.hook.env},
            spawn=self.hook.spawn,
            executor=executor,
            **more,
        )

    def fire(self, engine: HookEngine, payload: str) -> Verdict:
        """Fire the event; so often as the hook wants it."""
        given = fields(self.hook, payload, self.place)
        for _ in range(self.hook.times):
            verdict = engine.fire(self.hook.event, given)
        return verdict

    def ours(self, payload: str) -> Observed:
        """Run it in the embedded shell."""
        self.place.prepare(self.hook)
        with self.engine() as engine:
            assert not engine.diagnostics, engine.diagnostics
            verdict = self.fire(engine, payload)
        assert len(verdict.hooks) == 1, verdict
        return Observed(verdict.hooks[0].run, verdict, self.place.files())

    def real(self, payload: str) -> Observed:
        """Run the same job in bash; the same dialect reads its answer."""
        self.place.prepare(self.hook)
        recorded = RecordedExecutor(self.run_bash)
        with self.engine(recorded) as engine:
            verdict = self.fire(engine, payload)
        return Observed(verdict.hooks[0].run, verdict, self.place.files())

    def run_bash(self, job: HookJob, scope: CancelScope) -> HookRun:
        """Run a job in the real bash."""
        env = {**self.place.environment, **job.env} if self.hook.system != "everruns" else dict(job.env)
        env["PATH"] = self.place.environment["PATH"]
        kept = self.place.path.parent / "variables"
        if job.env_file:
            kept.write_bytes(b"")
            env[job.env_file] = str(kept)
        done = subprocess.run(
            ["bash", "-c", job.command],
            input=job.stdin,
            capture_output=True,
            cwd=self.place.project,
            env=env,
            check=False,
        )
        status = done.returncode if done.returncode >= 0 else 128 - done.returncode
        return HookRun(
            "exited" if done.returncode >= 0 else "signaled",
            status,
            done.stdout,
            done.stderr,
            env_text=kept.read_bytes() if job.env_file else b"",
        )


def differences(ours: Observed, real: Observed) -> dict[str, tuple[object, object]]:
    """Say what differs."""

    def shown(text: object) -> object:
        if isinstance(text, bytes):
            text = text.decode("utf-8", "surrogateescape")
        return RANDOM.sub("tmp.RANDOM", text) if isinstance(text, str) else text

    mine: dict[str, object] = {part: shown(getattr(ours.verdict, part)) for part in PARTS}
    theirs: dict[str, object] = {part: shown(getattr(real.verdict, part)) for part in PARTS}
    for found, observed in ((mine, ours), (theirs, real)):
        run = observed.run
        found |= {"stdout": shown(run.stdout), "stderr": shown(run.stderr), "status": run.status, "kind": run.kind}
        found["variables"] = run.env_text
        found |= {f"file {name}": (oct(mode), content) for name, (mode, content) in observed.files.items()}
    return {
        name: (mine.get(name), theirs.get(name)) for name in {**mine, **theirs} if mine.get(name) != theirs.get(name)
    }


def words(verdict: Verdict) -> str:
    """Say in words what a verdict holds, as ``expect`` does."""
    found: list[str] = [str(verdict.decision)]
    found += ["halt"] * verdict.halt
    found += ["context"] * bool(verdict.context)
    found += ["rewrite"] * (verdict.updated_input_text is not None or verdict.updated_output_text is not None)
    found += ["followup"] * (verdict.followup is not None)
    told = verdict.followup is not None or verdict.hooks[0].outcome.blocks
    found += ["failed"] * (verdict.hooks[0].ended != "ok" and not told)
    return " ".join(found)


def programs() -> dict[str, str]:
    """Find what must come first on PATH: jq of the version that ours follows, GNU awk, this Python."""
    found = {"python3": sys.executable}
    jq = os.environ.get("JQ182", "/opt/jq182/bin/jq")
    for name, target in (("jq", jq if os.path.exists(jq) else shutil.which("jq")), ("awk", shutil.which("gawk"))):
        if target:
            found[name] = target
    return found
