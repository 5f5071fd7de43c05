"""Run the tests in other environments: other programs on PATH, locales, folders, users, limits and Pythons.

::

    python -m tests.environments [NAME…] [--list] [--rotate N] [--at-once N] [--shuffle SEED] [--work FOLDER] [-- PYTEST ARGUMENTS]

Without names it runs in all of them, one after the other. Each gets a fresh clone of HEAD, a HOME and a TMPDIR of its own,
and proves that it matches its name; one that can't be had here is *left out*, with the reason, and with ``CI`` set that is
a failure. Programs come from Debian's packages of other releases, unpacked below ``--work`` and never installed: that
folder may be removed at any time.

``--at-once 22 --shuffle 1 -- -n 0`` is the stress run (stress.py) in all environments: twenty-two runs in random order, each
the load of the others.
"""

from __future__ import annotations

import argparse
import ctypes
import fcntl
import os
import pwd
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

from tests.debian_programs import Missing, interpreter, run, turkish, unpacked, venv
from tests.pytest_runs import Outcome, Run, clean_environment, end_on_sigterm, first_ended, started
from tests.rotation import VARIABLE, decide

ROOT = Path(__file__).resolve().parent.parent
WORK = Path(tempfile.gettempdir()) / f"environments-{os.getuid()}"  # not below HOME, where no other user can read
OTHER_USER = "nobody"
PYTEST = ("-m", "pytest", "-q", "-n", "auto")  # README's command
PROOF = """
import locale, os, resource, shutil, signal, subprocess, sys, time
def output_of(*command): return subprocess.run(command, capture_output=True, text=True).stdout
def writable(folder):
    try: os.makedirs(os.path.join(folder, "new"))
    except OSError: return False
    return True
sys.exit(None if ({}) else 1)
"""


@dataclass(frozen=True)
class Program:
    """A program of a Debian release, and the names that it has on PATH; no name means each that ``--list`` prints."""

    release: str
    package: str
    file: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class Environment:
    """How one environment differs from the machine's own."""

    name: str
    proof: str  # a Python expression, evaluated where the tests run
    programs: tuple[Program, ...] = ()
    hidden: frozenset[str] = frozenset()  # programs that PATH does not have; "*" is all of them
    variables: Mapping[str, str] = field(default_factory=dict)
    locales: Callable[[Path], Path] | None = None
    folder: str = "clone"
    python: str = ""  # the version; empty: the Python that runs this
    other_user: bool = False
    before: Callable[[], object] | None = None  # called in the child before it becomes pytest
    needs_root: bool = False


def ignore_signals() -> None:
    """Ignore the signals that a shell's background job and nohup ignore."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


def few_files() -> None:
    """Allow 256 open files, as macOS does."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))


def hide(names: frozenset[str]) -> None:
    """Take programs away from their places, such as /bin/bash, for this process and its children; ``*``: all but Python.

    It has a mount namespace of its own, with a layer above each directory.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    new_namespace, recursive, private = 0x20000, 0x4000, 0x40000  # <sched.h>, <sys/mount.h>

    def mount(kind: str, place: str, flags: int, options: str) -> None:
        if libc.mount(b"none", place.encode(), kind.encode(), ctypes.c_ulong(flags), options.encode()):
            raise OSError(ctypes.get_errno(), f"can't mount {kind} on {place}")

    if libc.unshare(new_namespace):
        raise OSError(ctypes.get_errno(), "unshare")
    mount("none", "/", recursive | private, "")
    mount("tmpfs", "/mnt", 0, "")
    for place in ("/usr/bin", "/usr/sbin", "/usr/local/bin"):
        upper, work = f"/mnt{place}", f"/mnt/work{place}"
        os.makedirs(upper)
        os.makedirs(work)
        mount("overlay", place, 0, f"lowerdir={place},upperdir={upper},workdir={work}")
        for name in os.listdir(place):
            if name in names or ("*" in names and not name.startswith("python")):
                os.unlink(f"{place}/{name}")


NO_HOME = {
    "HOME": "/sys",  # exists, and refuses root too
    **{f"XDG_{kind}_HOME": f"/dev/null/{kind.lower()}" for kind in ("CACHE", "CONFIG", "DATA", "STATE")},
}

TABLE = (
    Environment("jq-1.6", "'jq-1.6' in output_of('jq', '--version')", (Program("bookworm", "jq", "usr/bin/jq", ("jq",)),)),
    Environment("jq-1.7", "'jq-1.7' in output_of('jq', '--version')", (Program("trixie", "jq", "usr/bin/jq", ("jq",)),)),
    Environment("busybox", "'BusyBox' in output_of('grep', '--help') + output_of('sh', '-c', 'grep --help 2>&1')",
        (Program("trixie", "busybox-static", "usr/bin/busybox", ()),)),
    Environment("mawk", "'mawk 1' in output_of('awk', '-W', 'version') and not shutil.which('gawk')",
        (Program("bookworm", "mawk", "usr/bin/mawk", ("awk", "mawk", "nawk")),), frozenset({"gawk"})),
    Environment("bash-5.3", "output_of('bash', '--version').split()[3][:3] == output_of('sh', '--version').split()[3][:3] == '5.3'",
        (Program("forky", "bash", "usr/bin/bash", ("bash", "sh")),)),
    Environment("dash", "output_of('sh', '-c', 'echo $BASH_VERSION$((1+1))') == '2\\n' and not shutil.which('bash')",
        (Program("trixie", "dash", "usr/bin/dash", ("dash", "sh")),), frozenset({"bash", "rbash", "sh"})),
    Environment("nothing", "not os.listdir(os.environ['PATH'])", hidden=frozenset("*")),
    Environment("LANG-C", "locale.setlocale(locale.LC_ALL, '') == 'C'", variables={"LANG": "C", "LC_ALL": "C"}),
    Environment("LANG-tr", "locale.setlocale(locale.LC_ALL, '') == 'tr_TR.UTF-8'",
        variables={"LANG": "tr_TR.UTF-8"}, locales=turkish),
    Environment("TZ", "time.strftime('%z') == '+0545'", variables={"TZ": "Asia/Kathmandu"}),
    Environment("folder", "' ' in os.getcwd() and not os.getcwd().isascii()", folder="a clone  für Ærøskøbing 中"),
    Environment("HOME", "not any(map(writable, [os.environ['HOME'], os.environ['XDG_CONFIG_HOME']]))", variables=NO_HOME),
    Environment("user", "os.geteuid() != 0 and writable(os.environ['HOME'])", python="3.11.2", other_user=True),
    Environment("signals", "{signal.getsignal(one) for one in (signal.SIGINT, signal.SIGHUP)} == {signal.SIG_IGN}",
        before=ignore_signals),
    Environment("bytecode", "not sys.dont_write_bytecode and writable('__pycache__')"),  # README's command in a new clone
    Environment("256-files", "resource.getrlimit(resource.RLIMIT_NOFILE) == (256, 256)", before=few_files),
    Environment("no-bash", "os.path.exists('/bin/sh') and not os.path.exists('/bin/bash') and not shutil.which('jq')",
        before=partial(hide, frozenset({"bash", "rbash", "git", "jq", "perl"})), needs_root=True),
    Environment("no-sh", "not os.path.exists('/bin/sh') and not shutil.which('cat')",
        before=partial(hide, frozenset("*")), needs_root=True),
    *(
        Environment(f"python-{version}", f"sys.version.split()[0].startswith({version!r})", python=version)
        for version in ("3.11.2", "3.12", "3.13", "3.14")
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Setting:
    """An environment that is ready: pytest can start in it."""

    environment: Environment
    place: Path
    clone: Path
    python: Path
    variables: Mapping[str, str]
    user: int | None

    def started(self, name: str, command: Sequence[str]) -> AbstractContextManager[Run]:
        """Start a command of its Python, with the output in the file ``name``.log."""
        log = self.place / f"{name}.log"
        before = self.environment.before
        return started([self.python, *command], log, cwd=self.clone, env=self.variables, user=self.user, before=before)

    def run(self, name: str, command: Sequence[str]) -> Outcome:
        """Run such a command to its end."""
        with self.started(name, command) as running:
            return running.outcome()

    def once_more(self, outcome: Outcome) -> Outcome:
        """Run the tests that failed once more, by the rules of once_more.py; those that pass then are flaky."""
        if self.run("once-more", ("-m", "tests.once_more", "-n", "0")).failed:
            return outcome
        with open(os.environ["FLAKY"], "a", encoding="utf-8") as file:
            file.write((self.place / "flaky").read_text(encoding="utf-8"))
        return replace(outcome, failed=0, failures=())


@contextmanager
def alone(work: Path) -> Iterator[None]:
    """Hold the folder ``work``: two runs in it would remove one another's clones."""
    work.mkdir(parents=True, exist_ok=True)
    if work.stat().st_uid != os.getuid():
        raise SystemExit(f"{work} belongs to another user: name another folder with --work")
    with (work / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise SystemExit(f"another run uses {work}: name another folder with --work") from None
        yield


Ended: TypeAlias = tuple[Environment, Outcome | Missing]


def in_turn(number: int, count: int) -> list[Environment]:
    """Return the environments of a commit's number; numbers that follow one another take all of the table in turn."""
    return [TABLE[(number * count + place) % len(TABLE)] for place in range(min(count, len(TABLE)))]


class Workshop:
    """The folder below which all is made: ``cache`` is kept, ``runs`` is made anew."""

    def __init__(self, work: Path) -> None:
        self.cache, self.runs = work / "cache", work / "runs"
        self.cache.mkdir(exist_ok=True)
        shutil.rmtree(self.runs, ignore_errors=True)
        self.runs.mkdir()
        self._wheel: Path | None = None
        self._pythons: dict[str, Path] = {}

    def clone(self, folder: Path) -> None:
        """Clone HEAD."""
        run("git", "clone", "-q", "--no-hardlinks", ROOT, folder)

    def python(self, version: str) -> Path:
        """Return the Python of a venv in which HEAD is installed as README's command does it."""
        if self._wheel is None:
            self.clone(self.runs / "source")
            run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", self.runs, self.runs / "source")
            self._wheel = next(self.runs.glob("*.whl"))
        if version not in self._pythons:
            project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
            expected = repr((project["dependencies"], project["optional-dependencies"]["test"]))
            base = interpreter(self.cache, version) if version else Path(os.path.realpath(sys.executable))
            self._pythons[version] = venv(self.cache, base, self._wheel, expected)
        return self._pythons[version]

    def path(self, environment: Environment, folder: Path) -> str:
        """Return PATH, and fill the ``folder`` with links to the environment's own programs."""
        folder.mkdir()
        usual = clean_environment(os.environ)["PATH"]
        if "*" in environment.hidden:
            return str(folder)
        if environment.hidden:
            for part in usual.split(os.pathsep):
                for program in Path(part).glob("*") if part else ():
                    if program.name not in environment.hidden and not (folder / program.name).is_symlink():
                        (folder / program.name).symlink_to(program)
        for one in environment.programs:
            file = unpacked(self.cache, one.release, one.package, one.file) / one.file
            for name in one.names or run(file, "--list").split():
                (folder / name).unlink(missing_ok=True)
                (folder / name).symlink_to(file)
        return str(folder) if environment.hidden else f"{folder}{os.pathsep}{usual}"

    def prepared(self, environment: Environment) -> Setting:
        """Make the clone, the venv and the variables of an environment, and prove it; raises Missing."""
        if environment.needs_root and os.getuid() != 0:
            raise Missing("it needs root")
        place = self.runs / environment.name
        clone = place / environment.folder
        for folder in (place, place / "home", place / "tmp"):
            folder.mkdir()
        self.clone(clone)
        python = self.python(environment.python)
        variables = {
            **clean_environment(os.environ),
            "HOME": str(place / "home"),
            "TMPDIR": str(place / "tmp"),
            "PATH": self.path(environment, place / "bin"),
            "LANG": "C.UTF-8",
            "FLAKY": str(place / "flaky"),
            **environment.variables,
        }
        if environment.locales is not None:
            variables["LOCPATH"] = str(environment.locales(self.cache))
        user = self._other_user(place) if environment.other_user else None
        setting = Setting(environment, place, clone, python, variables, user)
        if setting.run("proof", ("-c", PROOF.format(environment.proof))).failed:
            raise Missing(f"this is not so: {environment.proof} ({place / 'proof.log'})")
        return setting

    @staticmethod
    def _other_user(place: Path) -> int | None:
        """Give the folder to the other user; who is not root is one already."""
        if os.getuid() != 0:
            return None
        try:
            user = pwd.getpwnam(OTHER_USER).pw_uid
        except KeyError:
            raise Missing(f"there is no user {OTHER_USER}") from None
        for folder, _, files in os.walk(place):
            for name in ("", *files):
                os.chown(os.path.join(folder, name), user, user, follow_symlinks=False)
        return user


def options() -> tuple[list[Environment], argparse.Namespace]:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.environments", description="Run the tests in other environments."
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="an environment; default: all")
    parser.add_argument("--list", action="store_true", help="print the environments and their proofs")
    parser.add_argument("--rotate", type=int, metavar="N", help="take the N whose turn it is by the commit's number")
    parser.add_argument("--at-once", type=int, default=1, metavar="N", help="how many run at once (default: one)")
    parser.add_argument("--shuffle", type=int, metavar="SEED", help="in random order, each environment in its own")
    parser.add_argument(
        "--work", type=Path, default=WORK, help="where programs, venvs and clones go (default: %(default)s)"
    )
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    arguments = parser.parse_args(words[:end])
    arguments.arguments = words[end + 1 :]
    table = {environment.name: environment for environment in TABLE}
    if unknown := set(arguments.names) - table.keys():
        parser.error(f"no environment {', '.join(sorted(unknown))}; there are {', '.join(table)}")
    chosen = [table[name] for name in arguments.names] or list(TABLE)
    if arguments.rotate is not None:
        os.environ.setdefault(VARIABLE, "commit")
        chosen = in_turn(int(decide()), arguments.rotate)
    return chosen, arguments


def main() -> int:
    """Run the command."""
    chosen, given = options()
    if given.list:
        print(*(f"{environment.name:14} {environment.proof}" for environment in chosen), sep="\n")
        return 0
    end_on_sigterm()
    if not shutil.which("git"):
        print("note: there is no git, so no checkout can be cloned")
    elif subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True, check=False).stdout:
        print("note: the tests run on HEAD, without changes that are not committed")
    with alone(work := given.work.resolve()):
        return tested(chosen, Workshop(work), given)


def ended(chosen: Sequence[Environment], workshop: Workshop, given: argparse.Namespace) -> Iterator[Ended]:
    """Run the tests in each environment, ``--at-once`` of them at the same time, and yield each as it ends.

    In CI (``FLAKY`` names its file of flaky tests) tests that failed run once more.
    """
    waiting = list(enumerate(chosen))
    settings: dict[str, Setting] = {}
    runs: dict[str, Run] = {}
    with ExitStack() as stack:
        while waiting or runs:
            while waiting and len(runs) < given.at_once:
                number, environment = waiting.pop(0)
                command = [*PYTEST, *given.arguments]
                if given.shuffle is not None:
                    command += ["-p", "tests.shuffled", "--shuffle", str(given.shuffle + number)]
                try:
                    setting = workshop.prepared(environment)
                except Missing as reason:
                    yield environment, reason
                    continue
                settings[environment.name] = setting
                runs[environment.name] = stack.enter_context(setting.started("tests", command))
            if runs:
                name = first_ended(runs)
                outcome = runs.pop(name).outcome()
                if outcome.failed and "FLAKY" in os.environ:
                    outcome = settings[name].once_more(outcome)
                yield settings[name].environment, outcome


def tested(chosen: Sequence[Environment], workshop: Workshop, given: argparse.Namespace) -> int:
    """Run the tests in each environment, print the table, and return the status."""
    ran, bad, failures = 0, 0, []
    print(f"{'environment':14} {'passed':>7} {'skipped':>7} {'failed':>7} {'seconds':>7}", flush=True)
    for environment, done in ended(chosen, workshop, given):
        if isinstance(done, Missing):
            bad += bool(os.environ.get("CI"))  # which promises to have them all
            print(f"{environment.name:14} left out: {done}", flush=True)
            continue
        ran, bad = ran + 1, bad + (done.failed > 0)
        row = (done.passed, done.skipped, done.failed, round(done.seconds))
        print(f"{environment.name:14}", *(f"{count:7}" for count in row), flush=True)
        failures += [f"{environment.name}: {failure}" for failure in done.failures]
        if not done.failed:
            shutil.rmtree(workshop.runs / environment.name, ignore_errors=True)
    if failures:
        print(f"\nfailed (clones and logs: {workshop.runs}):", *failures, sep="\n")
    return 1 if bad or not ran else 0


if __name__ == "__main__":
    try:
        raise SystemExit(main())
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except Missing as reason:
        raise SystemExit(str(reason)) from None
