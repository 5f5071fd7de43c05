"""One call of a utility, by ours and by the real one, in the same directory with the same files."""

from __future__ import annotations

import os
import re
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from .utilities_cases import Case, safe
from .utilities_values import EXECUTABLE, FILES

PATH = "/usr/bin:/bin"
PATIENCE = 3.0  # seconds of the real one; what takes longer isn't compared
OUTPUT = 1 << 20
FIRST = 981_173_106  # the first file's time, 2001-02-03; each following one is a day younger
DAY = 86_400
# CPU seconds, address space and the size of a file, for the real one.
# The shell has something to do after it, else it would become the program.
LIMITS = "umask 022; ulimit -c 0 -t 3 -v 2000000 -f 4000; "
# What root could do to the machine by a mistake of ours: the real programs may not.
CAPABILITIES = (
    "-sys_admin,-sys_time,-sys_boot,-sys_module,-sys_rawio,-sys_ptrace,-net_admin,-mknod,-kill,-linux_immutable"
)
PREFIX = re.compile(rb"(?m)^(?:bash|sh|environment|\S+/bash): (?:-c: )?line \d+: ")

Tree = dict[str, tuple[str, ...]]


class Answer(NamedTuple):
    """What a run came to; ``ended`` is ``exited``, or what else happened to it."""

    status: int
    stdout: bytes
    stderr: bytes
    tree: tuple[tuple[str, tuple[str, ...]], ...]
    ended: str = "exited"


class Place:
    """A directory for one call at a time, the same path for both programs: a call may print where it is."""

    def __init__(self) -> None:
        self.top = Path(tempfile.mkdtemp(prefix="utilities-")).resolve()
        self.work = self.top / "w"
        self.temporary = self.top / "t"
        self.shell = ["bash", "-c"]
        if os.geteuid() == 0:
            self.shell = ["setpriv", "--bounding-set", CAPABILITIES, *self.shell]
        self.there: tuple[tuple[str, ...], Tree] | None = None
        self.environment = {
            "PATH": PATH, "HOME": str(self.work), "TMPDIR": str(self.temporary), "LC_ALL": "C.UTF-8", "TZ": "UTC0", "A": "1 two",
        }  # fmt: skip

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        shutil.rmtree(self.top, ignore_errors=True)

    def prepare(self, names: tuple[str, ...]) -> None:
        """Put the files as they were before, all with times of long ago."""
        if self.there is not None and self.there[0] == names and self.tree() == self.there[1]:
            return
        for left in self.top.iterdir():
            if left.is_dir() and not left.is_symlink():
                shutil.rmtree(left, ignore_errors=True)
            else:
                left.unlink()
        self.work.mkdir()
        self.temporary.mkdir()
        chosen = [name for name in FILES if name in names]
        for name in chosen:
            path, text = self.work / name, FILES[name]
            path.parent.mkdir(parents=True, exist_ok=True)
            if name.endswith("/"):
                path.mkdir(exist_ok=True)
            elif text.startswith("->"):
                path.symlink_to(text[2:])
            else:
                path.write_bytes(text.encode("latin-1"))
                path.chmod(0o755 if name in EXECUTABLE else 0o644)
        for at, name in reversed(list(enumerate(chosen))):
            moment = FIRST + at * DAY
            os.utime(self.work / name, (moment, moment), follow_symlinks=False)
        os.utime(self.work, (FIRST, FIRST))
        self.there = names, self.tree()

    def tree(self) -> Tree:
        """Say what is there: kinds, modes, times unless they are of now, contents."""
        found: Tree = {}
        self.add(str(self.top), "", found, time.time() - 3600)
        return found

    def add(self, folder: str, below: str, found: Tree, recently: float) -> None:
        with os.scandir(folder) as entries:
            for entry in entries:
                name = below + entry.name
                known = entry.stat(follow_symlinks=False)
                kind = stat.filemode(known.st_mode)
                when = "now" if known.st_mtime > recently else str(known.st_mtime)
                content = ""
                if stat.S_ISLNK(known.st_mode):
                    content, when = os.readlink(entry.path), ""
                elif stat.S_ISREG(known.st_mode):
                    content = Path(entry.path).read_bytes().decode("latin-1")
                if entry.path == str(self.temporary):  # who has a file for a while there has done nothing else
                    when = ""
                found[name] = (kind, str(known.st_nlink), when, content)
                if stat.S_ISDIR(known.st_mode):
                    self.add(entry.path, name + "/", found, recently)

    def changes(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Say what a call has changed."""
        assert self.there is not None
        before, after = self.there[1], self.tree()
        return tuple(
            sorted((name, after.get(name, ())) for name in {*before, *after} if before.get(name) != after.get(name))
        )

    def ours(self, case: Case) -> Answer:
        """Run ours."""
        from pyshellhooks import Shell

        self.prepare(case.files)
        shell = Shell(cwd=str(self.work), env=self.environment, spawn=False)
        result = shell.run("umask 022; " + case.script(), stdin=case.stdin.encode("latin-1"), timeout=20.0)
        kind = result.ended.kind
        ended = "exited" if kind in ("exited", "signaled") else f"{kind} {result.ended}"
        return self.masked(case, Answer(result.status, result.stdout, result.stderr, self.changes(), ended))

    def real(self, case: Case) -> Answer | None:
        """Run the real one; None where it takes too much, or is killed for it."""
        assert safe(case), case
        self.prepare(case.files)
        with subprocess.Popen(
            [*self.shell, f"{LIMITS}{case.script()}\nexit $?"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.work,
            env=self.environment,
            start_new_session=True,
        ) as shell:
            try:
                stdout, stderr = shell.communicate(case.stdin.encode("latin-1"), timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                return None
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(shell.pid, signal.SIGKILL)
        if shell.returncode < 0 or shell.returncode in (137, 152, 153) or len(stdout) > OUTPUT:
            return None
        return self.masked(case, Answer(shell.returncode, stdout, stderr, self.changes()))

    def masked(self, case: Case, answer: Answer) -> Answer:
        """Take out what differs from run to run."""
        answer = answer._replace(stderr=PREFIX.sub(b"", answer.stderr))
        for utilities, pattern, mask in MASKS:
            if case.utility in utilities and re.search(pattern, " ".join(case.words)):
                answer = mask(answer)
        return answer


def _stdout(pattern: bytes, text: bytes = b"_") -> Callable[[Answer], Answer]:
    compiled = re.compile(pattern)
    return lambda answer: answer._replace(stdout=compiled.sub(text, answer.stdout))


def _sorted(answer: Answer) -> Answer:
    """Keep bytes in no order, and no blanks between columns."""
    return answer._replace(stdout=bytes(sorted(answer.stdout.translate(None, b" \t"))))


def _lines(answer: Answer) -> Answer:
    """Keep lines in no order."""
    return answer._replace(stdout=b"\n".join(sorted(re.split(rb"[\n\0]", answer.stdout))))


def _both_lines(answer: Answer) -> Answer:
    """Keep lines of both outputs in no order."""
    return _lines(answer)._replace(stderr=b"\n".join(sorted(answer.stderr.split(b"\n"))))


def _chosen(answer: Answer) -> Answer:
    """Keep nothing of what a file of random lines holds."""
    return answer._replace(tree=tuple((name, what[:3]) for name, what in answer.tree if what))


def _shuffled(answer: Answer) -> Answer:
    tree = tuple((name, (*what[:3], *sorted(what[3]))) for name, what in answer.tree if what)
    return answer._replace(stdout=bytes(sorted(answer.stdout)), tree=tree)


def _lengths(answer: Answer) -> Answer:
    """Keep of random names how long they are."""
    tree = tuple(sorted((re.sub(r"\w", "X", name), what) for name, what in answer.tree))
    return answer._replace(
        stdout=re.sub(rb"\w", b"X", answer.stdout), stderr=re.sub(rb"\w", b"X", answer.stderr), tree=tree
    )


# What is random, of the moment or of the disk: the utilities, what their words have then, and what is taken out.
MASKS: list[tuple[tuple[str, ...], str, Callable[[Answer], Answer]]] = [
    (("ls",), r"(^| )-[^- ]*i|--in", _stdout(rb"\b\d{3,}\b")),
    (("ls",), r"(^| )-[^- ]*[cuUf]|--time=|--ti\w* |--sort|-t", _sorted),
    (("ls",), r"(^| )-[^- ]*[cu]|--time=|--ti\w* ", _stdout(rb"\d")),
    (("stat",), "", _stdout(rb"(?m)Device: \S+|Inode: \d+|(?<=^Access: )\d.*|^(?:Change| Birth): .*|(?:Free|Available): \d+")),
    (("stat",), r"(^| )-[^- ]*[ft]|--te|--fi", _stdout(rb"\d+")),
    (("date",), r"^(?!.*(-d|--d|-r|--ref|-f|--f))", _stdout(rb"\d|[A-Z][a-z]{2}")),
    (("diff",), "", _stdout(rb"20[2-9]\d-\d\d-\d\d \d\d:\d\d:\d\d\.\d+")),
    (("uuidgen",), r"^(?!.*(-m|-s|--md5|--sha1))|.* (-\w*[rt]|--[rt])", _stdout(rb"[0-9a-f]")),
    (("mktemp",), "", _lengths),
    (("shuf",), "", _shuffled),
    (("shuf",), r"(^| )-\w*[nr]|--[hr]", _stdout(rb"[^\n\0]", b"")),
    (("shuf",), r"(^| )-\w*n|--h", _chosen),
    (("xargs",), r"-\w*P|--max-p", _sorted),
    (("sort",), r"(^| )-[^- ]*R|-k\S*R|--r|--sort[= ]r|R", _shuffled),
    (("env", "printenv"), "", _stdout(rb"(?m)^(?:_|SHLVL)=[^\n\0]*[\n\0]|(?<=\0)(?:_|SHLVL)=[^\0]*\0", b"")),
    (("env", "printenv"), "", _lines),
    (("find", "grep", "egrep", "fgrep"), "", _both_lines),
    (("chmod", "cp", "rm", "mv"), "", _lines),
    (("find",), r"-ls|-fls|-inum|%i|-printf", _stdout(rb"\d")),
]  # fmt: skip
