"""One hook on us and on real bash, jq, git and python, in equal directories: what differs.

The real programs get the very job (stdin, environment, directory) that the engine made, and their answer is read by the
same dialect, so that a difference can only come from the shell half.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from conformance.oracles import COREUTILS, find
from pyshellhooks import HookEngine, Verdict
from pyshellhooks.cancel import CancelScope
from pyshellhooks.engine.executor import RecordedExecutor
from pyshellhooks.hooks.model import HookJob, HookRun
from tests.contract.collected_hooks import DATA, Hook, config, fields

PATH = "/usr/local/bin:/usr/bin:/bin"  # behind the directory of ``programs``
# What the hooks of the collection are compared on.
COMPARED = ("bash", "jq", "gawk", "git", "grep", "sed", "find", "xargs", "diff", "column", "rev", *COREUTILS)
NOW = "1767254400"  # 2026-01-01 08:00:00 UTC: for hooks, instead of the clock; age of all files of the project
RANDOM = re.compile(r"tmp\.\w{10}")  # what mktemp calls a file
PARTS = (
    "decision", "halt", "reason", "user_message", "context", "updated_input_text", "updated_output_text", "followup",
    "effects",
)  # fmt: skip


class Entry(NamedTuple):
    """A file; None for the content of a directory."""

    mode: int
    time: int
    content: bytes | None


class Place:
    """A directory with the project, a home and room for temporary files, the same before each hook."""

    def __init__(self, path: Path, template: Path) -> None:
        self.path = path
        self.template = template
        self.project, self.home = path / "project", path / "home"
        self.fresh: dict[str, Entry] = {}
        self.environment = environment(path, template.parent / "bin")

    def prepare(self, hook: Hook) -> None:
        """Put all files as they were."""
        if self.fresh:
            self.restore()
            return
        shutil.copytree(self.template, self.path, symlinks=True)
        if hook.script:
            script = self.project / hook.at
            script.parent.mkdir(parents=True, exist_ok=True)
            script.write_bytes(hook.script.encode())
            script.chmod(hook.mode)
        self.fresh = self.listed()

    def restore(self) -> None:
        """Put back what the last run has changed: quicker than a new copy."""
        now = self.listed()
        for name in sorted(now, reverse=True):  # what is in a directory before it
            if name not in self.fresh or (now[name].content is None) != (self.fresh[name].content is None):
                path = self.path / name
                path.rmdir() if now[name].content is None else path.unlink()
                del now[name]
        changed = [name for name, entry in self.fresh.items() if now.get(name) != entry]
        for name in sorted(changed):
            path, entry = self.path / name, self.fresh[name]
            if entry.content is None:
                path.mkdir(exist_ok=True)
            elif name not in now or now[name].content != entry.content:
                path.unlink(missing_ok=True)  # it may be read-only, or another name of something
                path.write_bytes(entry.content)
            path.chmod(entry.mode)
        above = {name.rpartition("/")[0] for name in changed}
        for name in sorted({*changed, *above} - {""}, reverse=True):
            os.utime(self.path / name, ns=(self.fresh[name].time, self.fresh[name].time))

    def listed(self) -> dict[str, Entry]:
        """Return what lies there now."""
        found = {}
        waiting = [str(self.path)]
        while waiting:
            for entry in os.scandir(waiting.pop()):
                status = entry.stat(follow_symlinks=False)
                content: bytes | None = b""
                if entry.is_symlink():
                    content = os.readlink(entry.path).encode()
                elif entry.is_dir():
                    content = None
                    waiting.append(entry.path)
                elif entry.is_file():
                    with open(entry.path, "rb") as file:
                        content = file.read()
                name = entry.path[len(str(self.path)) + 1 :]
                found[name] = Entry(stat.S_IMODE(status.st_mode), status.st_mtime_ns, content)
        return found

    def files(self) -> dict[str, tuple[str, bytes | None]]:
        """Return name, mode and content of what lies there now. Git's index holds the times of files."""
        return {
            RANDOM.sub("tmp.RANDOM", name): (oct(entry.mode), entry.content)
            for name, entry in self.listed().items()
            if not name.endswith(".git/index")
        }


def environment(path: Path, programs: Path) -> dict[str, str]:
    """Return the variables of both: nothing of the machine's but its programs."""
    return {
        "PATH": f"{programs}:{PATH}",
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
    if find("git", env["PATH"]):
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
    files: dict[str, tuple[str, bytes | None]]


class Comparison:
    """Runs one hook in one place on both."""

    def __init__(self, hook: Hook, place: Place) -> None:
        self.hook = hook
        self.place = place

    def engine(self, executor: RecordedExecutor | None = None) -> HookEngine:
        """Load the hook."""
        place = self.place
        more: dict[str, Any] = {}
        if self.hook.system == "everruns":
            more["mounts"] = {"/workspace": str(place.project)}
        return HookEngine.load(
            config(self.hook),
            self.hook.system,
            cwd=str(place.project),
            env={**place.environment, **self.hook.env},
            scripts="embedded",
            executor=executor,
            **more,
        )

    def fire(self, engine: HookEngine, payload: str) -> Verdict:
        """Fire the event; so often as the hook wants it."""
        given = fields(self.hook, payload, self.place.project, self.place.home)
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
        found |= {f"file {name}": file for name, file in observed.files.items()}
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
    found = {"jq": find("jq", PATH), "awk": find("gawk", PATH), "python3": sys.executable}
    return {name: target for name, target in found.items() if target}
