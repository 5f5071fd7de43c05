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

from pyshellhooks import HookEngine, Verdict
from pyshellhooks.cancel import CancelScope
from pyshellhooks.engine.executor import RecordedExecutor
from pyshellhooks.hooks.model import HookJob, HookRun
from tests.contract.collected_hooks import DATA, Hook, config, fields

NOW = "1767254400"  # 2026-01-01 08:00:00 UTC: for hooks, instead of the clock; age of all files of the project
RANDOM = re.compile(r"tmp\.\w{10}")  # what mktemp calls a file
PARTS = (
    "decision", "halt", "reason", "user_message", "context", "updated_input_text", "updated_output_text", "followup",
    "effects",
)  # fmt: skip


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
        place = self.place
        more: dict[str, Any] = {}
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
