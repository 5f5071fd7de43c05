"""Run a script on us and on a real shell, in equal directories, and compare what came of it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from conformance.oracles import COREUTILS, find

from .generated_scripts import ARGUMENTS, FILES

PATH = "/usr/bin:/bin"
# What generated scripts are compared on; dash is one more.
COMPARED = ("bash", "grep", "sed", "awk", "find", "xargs", *COREUTILS)
SECONDS = 5.0
BYTES = 1 << 20  # what a mutated script may write to one file
MEMORY = 1 << 30  # what a real shell may take
PROCESSES = 300  # and how many, of all that run at once
NOBODY = 65534
# A script that may name a place outside its directory is not run: a word that begins with a slash, a few devices aside.
ABSOLUTE = re.compile(r"""(?:^|[\s<>&|;:='"(`{,])/+(?!dev/(?:null|stdout|stderr)(?![\w/.]))[\w.~*?\[$"'\\{`]""")
PREFIX = re.compile(
    r"^(?:#\? )*(bash|dash|environment|sh|\./c\.sh): *(-c: )?(eval: )?(line \d+: |\d+: )?(eval: )?(line \d+: )?"
)
LINE = re.compile(rb"\bline \d+: ")  # in messages that go to stdout: bash counts lines in its own way
SYNTAX = re.compile(r"syntax error|unexpected EOF|column \d+|here-document at line|Syntax error")


class Answer(NamedTuple):
    """What a shell said. ``ended`` is ``exited``, or why it did not end by itself."""

    stdout: bytes
    stderr: bytes
    status: int
    ended: str = "exited"

    def messages(self) -> tuple[str, ...]:
        """Return the messages without the shell's name and the line; in no order, as pipelines have none."""
        lines = self.stderr.decode("utf-8", "surrogateescape").split("\n")
        return tuple(sorted(PREFIX.sub("", line) for line in lines if line))


class Place:
    """A directory that scripts run in, one at a time, with the same files before each.

    Equal paths for both shells: a script may print where it is.
    """

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="generated-")).resolve()
        self.work: Path = self.path / "w"
        self.root = os.geteuid() == 0  # then the real shells are run as nobody, to whom all here belongs
        self.limits: tuple[str, ...] = ()
        if prlimit := find("prlimit", PATH):
            processes = (f"--nproc={PROCESSES}",) if self.root else ()
            self.limits = (prlimit, "--cpu=5:6", f"--as={MEMORY}", *processes)
        self.environment = {"PATH": PATH, "HOME": str(self.work), "LC_ALL": "C.UTF-8", "TZ": "UTC0"}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        shutil.rmtree(self.path, ignore_errors=True)

    def prepare(self) -> str:
        """Put the files as they were."""
        for left in self.path.iterdir():  # a script may have left its directory
            if left.is_dir() and not left.is_symlink():
                shutil.rmtree(left, ignore_errors=True)
            else:
                left.unlink()
        (self.work / "sub").mkdir(parents=True)
        for name, text in FILES.items():
            (self.work / name).write_bytes(text.encode())
        if self.root:
            for path in (self.path, self.work, self.work / "sub", *(self.work / name for name in FILES)):
                os.chown(path, NOBODY, NOBODY)
        return str(self.work)

    def ours(self, script: str, options: tuple[str, ...] = (), timeout: float = SECONDS) -> Answer:
        """Run it in the embedded shell."""
        from pyshellhooks import Shell

        shell = Shell(cwd=self.prepare(), env=self.environment)
        result = shell.run(script, *ARGUMENTS, timeout=timeout, options=options)
        kind = result.ended.kind
        return Answer(result.stdout, result.stderr, result.status, "exited" if kind in ("exited", "signaled") else kind)

    def real(self, script: str, program: str = "bash", timeout: float = SECONDS) -> Answer:
        """Run it in a real shell."""
        cwd = self.prepare()
        command = [*self.limits, program, "-c", "--", script, program, *ARGUMENTS]
        with subprocess.Popen(
            [os.fsencode(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=self.environment,
            start_new_session=True,
            user=NOBODY if self.root else None,
            group=NOBODY if self.root else None,
            extra_groups=() if self.root else None,
        ) as shell:
            try:
                stdout, stderr = shell.communicate(timeout=timeout)
            except subprocess.TimeoutExpired:
                return Answer(b"", b"", 124, "stopped")
            finally:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(shell.pid, signal.SIGKILL)  # what it left behind goes too
        status = shell.returncode if shell.returncode >= 0 else 128 - shell.returncode
        return Answer(stdout, stderr, status)


def safe(script: str) -> bool:
    """Say whether it names no place outside its directory."""
    return ABSOLUTE.search(script) is None


def bounded() -> None:
    """Bound what this process and the shells that it starts may write, and let no crash leave a core."""
    import resource  # Windows has none, and collects these tests too

    resource.setrlimit(resource.RLIMIT_FSIZE, (BYTES, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.umask(0o022)


def differences(ours: Answer, real: Answer, messages: bool = True) -> str:
    """Say what differs: of ``stdout``, ``status``, ``stderr``, ``ended``; empty if nothing does.

    Messages are compared as text. Of a syntax error it counts only that there is one: ours say more than bash's.
    """
    found = []
    if ours.ended != real.ended:
        found.append("ended")
    if LINE.sub(b"", ours.stdout) != LINE.sub(b"", real.stdout):
        found.append("stdout")
    if ours.status != real.status:
        found.append("status")
    if messages:
        mine, theirs = ours.messages(), real.messages()
        if any(map(SYNTAX.search, (*mine, *theirs))):
            if bool(mine) != bool(theirs):
                found.append("stderr")
        elif mine != theirs:
            found.append("stderr")
    return " ".join(found)


PHASES = ("lines", "words", "words", "characters")


class Comparison:
    """Compares scripts with one real shell."""

    def __init__(self, place: Place, program: str = "bash", options: tuple[str, ...] = ()) -> None:
        self.place = place
        self.program = program
        self.options = options

    def __call__(self, script: str) -> str:
        """Say what differs, as ``differences`` does.

        A real shell is asked three times more before it counts: the order of processes may change what they print.
        """
        if not safe(script):
            return ""
        ours = self.place.ours(script, self.options)
        found = ""
        for _ in range(4):
            real = self.place.real(script, self.program)
            if real.ended != "exited":
                return ""
            found = differences(ours, real, self.program == "bash")
            if not found:
                return ""
        return found

    def smallest(self, script: str, kind: str, phases: tuple[str, ...] = PHASES) -> str:
        """Minimise a script that differs. What does not parse must not come out of what does."""
        ours = self.place.ours(script, self.options)
        real = self.place.real(script, self.program)
        parses = [bool(SYNTAX.search(answer.stderr.decode("utf-8", "replace"))) for answer in (ours, real)]

        loose = set(LOOSE.findall(script))

        def differs(shorter: str) -> bool:
            if not safe(shorter) or not loose.issuperset(LOOSE.findall(shorter)):
                return False
            ours = self.place.ours(shorter, self.options, 1.0)
            if ours.ended != "exited":
                return False
            real = self.place.real(shorter, self.program, 1.0)
            if real.ended != "exited" or differences(ours, real, self.program == "bash") != kind:
                return False
            return parses == [bool(SYNTAX.search(answer.stderr.decode("utf-8", "replace"))) for answer in (ours, real)]

        return minimised(script, differs, phases=phases)


# What cutting down must not bring up: lists of all variables or options, process numbers, and other places of the disk.
LOOSE = re.compile(
    r"\$\$|\b(?:declare|typeset|set|shopt|export|readonly|trap|local)\b(?:\s+-\w*)?(?=\s*\d*(?:$|[\n;|&()<>#$]))|RANDOM|(?:^|(?<=[\s<>&|;='\"(`]))/\S*|\b(?:sh|bash)\b"
)
WHOLE = re.compile(
    r"""'[^']*'|"(?:\\.|[^"$\\])*"|\$\([^()]*\)|\$\{[^{}]*\}|[A-Za-z0-9_]+|\s+|;;|&&|\|\||.""", re.DOTALL
)


def minimised(script: str, differs: Callable[[str], bool], tries: int = 40, phases: tuple[str, ...] = PHASES) -> str:
    """Take away lines, then words, then characters, while the script still differs."""
    for cut in phases:
        keep = "\n" if cut == "lines" else ""
        pieces = script.splitlines() if cut == "lines" else WHOLE.findall(script) if cut == "words" else list(script)
        if cut == "characters" and len(pieces) > 60:
            break
        left = tries
        size = max(1, len(pieces) // 2)
        while pieces and left > 0:
            at = 0
            while at < len(pieces) and left > 0:
                rest = pieces[:at] + pieces[at + size :]
                left -= 1
                if rest and differs(keep.join(rest)):
                    pieces = rest
                else:
                    at += size
            if size == 1:
                break
            size //= 2
        script = keep.join(pieces)
    return script
