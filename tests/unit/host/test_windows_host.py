"""Native children and paths on Windows. Run on CPython for Windows under Wine (``.ci/run`` sets it up)."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest

if sys.platform != "win32":
    pytest.skip("Windows only", allow_module_level=True)

from clock import patient

from pyshellhooks import Limits, Shell, host
from pyshellhooks.cancel import CancelScope, Gate
from pyshellhooks.errors import Stop, message_of
from pyshellhooks.fs.host import HostFS
from pyshellhooks.host import terminate
from pyshellhooks.host.base import Process
from pyshellhooks.host.pipe_bridge import PipeBridges
from pyshellhooks.streams import BytesReader, Capture, NullStream, Stream

PYTHON = sys.executable.replace("\\", "/")
MEGABYTE = b"0123456789abcde\n" * 65536


class Run:
    def __init__(self, timeout: float | None = None, grace: float = 0.2) -> None:
        self.host = host.current()
        self.scope = CancelScope(timeout=timeout, grace=grace)
        self.gate = Gate()
        self.pipe_bridges = PipeBridges(self.host, self.scope, self.gate)
        self.out = Capture(1 << 24)

    def start(self, *arguments: str, program: str = PYTHON, stdin: int | None = None) -> Process:
        return self.host.spawn(
            ["program", *arguments], executable=program, env=self.host.shell_env(self.host.environ()), cwd="C:/",
            fds={0: stdin or self.pipe_bridges.plug_input(NullStream())[0], 1: self.pipe_bridges.output_fd(self.out), 2: 2},
            gate=self.gate, cookie="cookie",
        )  # fmt: skip

    def run(self, *arguments: str, program: str = PYTHON, stdin: Stream | None = None) -> tuple[int, Stream]:
        fd, rest = self.pipe_bridges.plug_input(stdin or NullStream())
        status = self.start(*arguments, program=program, stdin=fd).wait(self.scope)
        self.pipe_bridges.sync(self.out)
        return status, rest


@pytest.fixture
def run() -> Iterator[Run]:
    run = Run()
    yield run
    terminate.end([], grace_until=monotonic(), sweep="cookie")
    run.pipe_bridges.close()


def test_status_environment_and_directory(run: Run) -> None:
    program = "import os, sys; print(os.getcwd(), os.environ['PYSHELLHOOKS_RUN'], os.environ['PATH'] == sys.argv[1]); sys.exit(3)"
    assert run.run("-c", program, os.environ["PATH"])[0] == 3
    assert run.out.getvalue() == b"C:\\ cookie True\r\n"


def test_arguments_arrive(run: Run) -> None:
    arguments = ["", "a b", 'say "hi"', "dir\\", "e f\\", "%PATH%", "&|<>^", "ü", r"\\s\h", 'x\\"y']
    program = "import sys; sys.stdout.buffer.write(ascii(sys.argv[1:]).encode())"
    assert run.run("-c", program, *arguments)[0] == 0
    assert run.out.getvalue() == ascii(arguments).encode()


def test_batch_files(run: Run, tmp_path: Path) -> None:
    script = tmp_path / "a b.cmd"
    script.write_bytes(b"@echo off\r\necho [%~1] [%2]\r\nexit /b 7\r\n")
    path = str(script).replace("\\", "/")
    assert run.run("one", "two & echo hacked", program=path)[0] == 7
    assert run.out.getvalue().split(b"\r\n")[0] == b'[one] ["two & echo hacked"]'
    with pytest.raises(OSError) as caught:
        run.run("%PATH%", program=path)
    assert caught.value.errno == errno.EINVAL


@pytest.mark.parametrize(("name", "code"), [("none.exe", errno.ENOENT), ("text.exe", errno.ENOEXEC)])
def test_errors_of_spawn(run: Run, tmp_path: Path, name: str, code: int) -> None:
    (tmp_path / "text.exe").write_bytes(b"just text\n" * 100)
    with pytest.raises(OSError) as caught:
        run.run(program=str(tmp_path / name))
    assert caught.value.errno == code


def test_a_megabyte_each_way(run: Run) -> None:
    program = "import sys, shutil; shutil.copyfileobj(sys.stdin.buffer, sys.stdout.buffer)"
    assert run.run("-c", program, stdin=BytesReader(MEGABYTE))[0] == 0
    assert run.out.getvalue() == MEGABYTE


def test_the_input_that_a_child_leaves_is_there(run: Run) -> None:
    _, rest = run.run("-c", "import os; os.read(0, 20)", stdin=BytesReader(MEGABYTE))
    assert rest.readline() == MEGABYTE[20:32]
    assert b"".join(iter(rest.read, b"")) == MEGABYTE[32:]


def test_wait_eof(run: Run) -> None:
    child = "import time; time.sleep(1); print('two', flush=True)"
    program = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {child!r}]); print('one', flush=True)"
    assert run.run("-c", program)[0] == 0
    assert run.out.getvalue() == b"one\r\n"
    run.pipe_bridges.wait_eof(run.out, run.scope)
    assert run.out.getvalue() == b"one\r\ntwo\r\n"


def test_a_deadline_kills_the_whole_job(tmp_path: Path) -> None:
    beat = tmp_path / "beat"
    child = f"import time\nwhile True: open({str(beat)!r}, 'a').write('x'); time.sleep(0.01)"
    program = f"import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', {child!r}]); time.sleep(60)"
    run = Run(timeout=1.0)
    begun = monotonic()
    with pytest.raises(Stop):
        run.run("-c", program)
    assert monotonic() - begun < patient(2.5)
    sleep(0.1)
    size = beat.stat().st_size if beat.exists() else 0
    sleep(0.2)
    assert size == (beat.stat().st_size if beat.exists() else 0)
    run.pipe_bridges.close()


def test_a_grandchild_that_outlives_its_parent_dies_with_the_run(run: Run, tmp_path: Path) -> None:
    beat = tmp_path / "beat"
    child = f"import time\nwhile True: open({str(beat)!r}, 'a').write('x'); time.sleep(0.01)"
    assert run.run("-c", f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {child!r}])")[0] == 0
    until = monotonic() + 60
    while not (beat.exists() and beat.stat().st_size) and monotonic() < until:
        sleep(0.01)
    assert terminate.end([], grace_until=monotonic(), sweep="cookie") == []
    sleep(0.1)
    size = beat.stat().st_size
    sleep(0.2)
    assert beat.stat().st_size == size > 0


def test_signal_ends_with_its_status(run: Run) -> None:
    child = run.start("-c", "import time; time.sleep(60)")
    assert child.poll() is None
    child.signal(0)
    child.signal(15)
    assert child.wait(run.scope) == 143
    assert child.signaled == 15


def test_the_stub_of_wsl_is_no_bash(tmp_path: Path) -> None:
    """decisions shebang: "the WSL stub counts as missing"; what stands behind it on PATH is found."""
    top = tmp_path.as_posix()
    stubs = [tmp_path / "Windows" / "System32", tmp_path / "Local" / "Microsoft" / "WindowsApps"]
    for directory in (*stubs, tmp_path / "Git"):
        directory.mkdir(parents=True)
        (directory / "bash.exe").touch()
    path = ":".join(directory.as_posix() for directory in stubs)
    here = host.current()
    assert here.which("bash", path, "C:/") is None
    assert here.which("bash", f"{path}:{top}/Git", "C:/") == f"{top}/Git/bash.exe"


def test_which(tmp_path: Path) -> None:
    for name in ("tool.exe", "tool.cmd", "only.bat", "doc.txt"):
        (tmp_path / name).write_bytes(b"x")
    (tmp_path / "script").write_bytes(b"#!/bin/sh\n")
    (tmp_path / "data").write_bytes(b"x\0")
    here = host.current()
    top = str(tmp_path).replace("\\", "/")
    path = f"C:/none:{top}:C:/other"
    assert here.which("tool", path, "C:/") == f"{top}/tool.exe"
    assert here.which("tool.cmd", path, "C:/") == f"{top}/tool.cmd"
    assert here.which("only", path, "C:/") == f"{top}/only.bat"
    assert here.which("script", path, "C:/") == f"{top}/script"
    assert here.which("data", path, "C:/") is None
    assert here.which("tool", "", top) == f"{top}/tool.exe"
    assert here.which("tool", str(tmp_path) + ";C:\\x", "C:/") == f"{top}/tool.exe"
    assert here.find_executable(f"{top}/tool") == f"{top}/tool.exe"


def test_a_script_without_a_first_line_is_found_after_programs(tmp_path: Path) -> None:
    for directory in ("tools", "programs"):
        (tmp_path / directory).mkdir()
    (tmp_path / "tools" / "own").write_bytes(b"exit 3\n")
    (tmp_path / "tools" / "both").write_bytes(b"exit 3\n")
    (tmp_path / "programs" / "both.cmd").write_bytes(b"@exit /b 4\r\n")
    path = f"{tmp_path}\\tools;{tmp_path}\\programs"
    shell = Shell(env={"PATH": path})
    assert [shell.run(name).status for name in ("own", "both", "none")] == [3, 4, 127]
    assert shell.run("command -v own").stdout.decode() == f"{tmp_path.as_posix()}/tools/own\n"


def test_a_python_child_reads_and_writes_utf_8(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text("import sys; print(sys.stdin.read() == '\\u4e16', '\\xe9\\u4e16')\n")
    run = Shell(cwd=str(tmp_path)).run("printf 世 | python x.py")
    assert (run.stdout.split(), run.stderr, run.status) == ([b"True", "é世".encode()], b"", 0)


def test_an_argument_that_a_batch_file_cannot_take_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.cmd").write_bytes(b"@exit /b 0\r\n")
    run = Shell(cwd=str(tmp_path)).run("./x.cmd a '100%'")
    assert run.status == 126
    assert run.stderr == b"bash: line 1: ./x.cmd: a batch file cannot take an argument with \"%\": '100%'\n"
    assert "'100%'" in run.notices[0]


def test_a_working_directory_that_is_too_long_is_named(tmp_path: Path) -> None:
    shell = Shell(cwd=str(tmp_path), env={"PYTHON": PYTHON})
    run = shell.run('d=$(printf %0120d); mkdir -p $d/$d/$d && cd $d/$d/$d && "$PYTHON" -c ""')
    assert run.status == 126
    assert b"no program can start in a directory whose path has more than 258 characters: " in run.stderr


def test_errors_are_never_in_the_words_of_windows(tmp_path: Path) -> None:
    with pytest.raises(OSError) as caught:
        os.stat(tmp_path / "none" / "x")
    assert message_of(caught.value) == "No such file or directory" != caught.value.strerror
    assert Shell(cwd=str(tmp_path)).run("cat none/x").stderr == b"cat: none/x: No such file or directory\n"


@pytest.mark.parametrize(
    ("script", "output", "left"),
    [
        ("exec 3> f; rm f; echo x >&3; exec 3>&-; [ -e f ] || echo gone", b"gone\n", []),
        ("exec 3< old; mv old new; cat <&3", b"old\n", ["new"]),
        ("echo new > g; exec 3< old; mv g old; cat <&3; exec 3<&-; cat old", b"old\nnew\n", ["old"]),
        ("exec 3>> old; echo 1 >&3; echo 2 >> old; echo 3 >&3; cat old", b"old\n1\n2\n3\n", ["old"]),
        ("exec 3<> old; read -r x <&3; echo y >&3; exec 3>&-; cat old", b"old\ny\n", ["old"]),
        ("set -C; echo x > old; cat old", b"old\n", ["old"]),
        ("echo long long > old; echo x > old; cat old", b"x\n", ["old"]),
    ],
)
def test_files_that_a_script_has_open(tmp_path: Path, script: str, output: bytes, left: list[str]) -> None:
    (tmp_path / "old").write_bytes(b"old\n")
    run = Shell(cwd=str(tmp_path)).run(script)
    assert run.stdout == output
    names = sorted(os.listdir(tmp_path))
    assert names == (left or ["old"])
    assert run.stderr == b"" or "set -C" in script


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    run = Shell(cwd=str(tmp_path)).run("echo z > .; cat none; echo x > none/x; cat 'a<b'")
    assert [line.rpartition(b": ")[2] for line in run.stderr.splitlines()][:3] == [
        b"Is a directory", b"No such file or directory", b"No such file or directory",
    ]  # fmt: skip


def test_the_memory_limit() -> None:
    resident = host.current().resident()
    assert resident is not None and 1 << 20 < resident < 1 << 40
    shell = Shell(limits=Limits(memory=100 << 20))
    run = shell.run("x=$(printf %6000000s); for ((i = 0; i < 100; i++)); do a[i]=$x$i; done")
    assert (run.ended.kind, run.ended.detail) == ("stopped", "the run takes more than 104857600 bytes of memory")


def test_paths_of_the_file_system(tmp_path: Path) -> None:
    fs = HostFS()
    top = str(tmp_path).replace("\\", "/")
    (tmp_path / "f").write_bytes(b"x")
    drive, rest = top[0], top[2:]
    assert fs.stat(f"/{drive.lower()}{rest}/f").st_size == 1
    assert fs.stat(str(tmp_path / "f")).st_size == 1
    assert fs.absolute("C:/a", "/c/Windows") == "C:/Windows"
    assert fs.absolute("C:/a", "D:\\b") == "D:/b"
    assert fs.absolute("C:/a", "c:x") == "C:/a/x"
    assert fs.absolute("C:/a", "/x") == "C:/x"
    assert fs.absolute("C:/a", "//server/share") == "//server/share"
    assert fs.absolute("C:/a", "b\\c") == "C:/a/b/c"
    assert fs.absolute("C:/a", "/tmp/x") in ("C:/tmp/x", f"{fs.temporary_directory()}/x")
    assert fs.absolute("C:/a", "/dev/null") == "/dev/null"
    assert fs.is_absolute("C:/x") and fs.is_absolute("/x") and not fs.is_absolute("C:x")
    assert fs.host_path("/dev/null") == os.devnull
    assert fs.realpath(f"{top}/../{tmp_path.name}/f") == f"{top}/f"
    with pytest.raises(OSError) as caught:
        fs.open("/dev/tty", os.O_RDONLY)
    assert caught.value.errno == errno.ENXIO
