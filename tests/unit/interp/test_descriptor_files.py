"""``/dev/fd/N`` in the arguments of native programs that inherit no descriptor above 2, as on Windows."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from pyshellhooks import Limits, Shell
from pyshellhooks.host import current

PYTHON = sys.executable.replace("\\", "/")


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the directory for temporary files, with programs in the directory above."""
    monkeypatch.setattr(type(current()), "extra_fds", False)
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(type(current()), "temporary_directory", lambda self: place.as_posix())
    (tmp_path / "read.py").write_text(
        "import sys\nfor one in sys.argv[1:]: sys.stdout.write(open(one.partition('=')[2] or one).read().replace('\\n', '!'))\n"
    )
    (tmp_path / "write.py").write_text("import sys\nfor one in sys.argv[1:]: open(one, 'w').write('w')\n")
    return place


@pytest.mark.parametrize(
    ("script", "output"),
    [
        ('"$PYTHON" read.py <(echo deny)', b"deny!"),
        ('"$PYTHON" read.py <(echo a) <(sleep 0.1; echo b)', b"a!b!"),
        ('"$PYTHON" read.py --file=<(echo deny)', b"deny!"),
        ('echo deny | "$PYTHON" read.py /dev/stdin', b"deny!"),
        ('exec 3< <(echo deny); "$PYTHON" read.py /dev/fd/3', b"deny!"),
        ('"$PYTHON" read.py /dev/fd/3 3<<< deny', b"deny!"),
        ('"$PYTHON" write.py >(cat); sleep 0.2', b"w"),
    ],
)
def test_descriptors(place: Path, script: str, output: bytes) -> None:
    run = Shell(cwd=str(place.parent), env={"PYTHON": PYTHON}).run(script)
    assert (run.stdout, run.stderr, run.status) == (output, b"", 0)
    assert os.listdir(place) == []


def test_a_descriptor_that_is_not_open(place: Path) -> None:
    run = Shell(cwd=str(place.parent), env={"PYTHON": PYTHON}).run('"$PYTHON" read.py /dev/fd/9')
    assert (run.status, b"/dev/fd/9" in run.stderr) == (1, True)


def test_the_input_is_bounded(place: Path) -> None:
    shell = Shell(cwd=str(place.parent), env={"PYTHON": PYTHON}, limits=Limits(substitution=100_000))
    run = shell.run('"$PYTHON" read.py <(yes)')
    assert (run.ended.kind, run.ended.detail) == (
        "stopped",
        "the input of a native program is larger than 100000 bytes",
    )
    assert os.listdir(place) == []
