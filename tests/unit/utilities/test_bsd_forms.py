"""BSD forms that the utilities take where ``uname`` says Darwin (ADR 18), with the answers of macOS's own programs.

The forms are those of the manual pages of FreeBSD and macOS: sed(1), stat(1), date(1), base64(1), find(1).
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pyshellhooks import MemoryFS, Shell
from pyshellhooks.host import current
from pyshellhooks.utilities.support.bsd_forms import base64_words, date_words, find_words, sed_words, stat_words


@pytest.fixture
def on_macos(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(current()), "system", lambda self: ("Darwin", "23.4.0", "v", "arm64"))


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("sed -i '' s/a/b/ f; cat f; ls", "b\nf\n"),
        ("sed -i '' -e s/a/b/ f; cat f; ls", "b\nf\n"),
        ("sed -E -i .bak 's/(a)/\\1\\1/' f; cat f f.bak; ls", "aa\na\nf\nf.bak\n"),
        ("sed -i -e s/a/b/ f; cat f; ls", "b\nf\n"),
        ("touch -d @1700000000 f; stat -f %m f; stat -f '%N %z' f; stat -f%m f", "1700000000\nf 2\n1700000000\n"),
        ("chmod 640 f; stat -f '%Lp %N%%' f", "640 f%\n"),
        ("echo aGkK | base64 -D", "hi\n"),
        ("x=$(echo aGkK | base64 -D | cat); echo $x", "hi\n"),
        ("base64 -i f", "YQo=\n"),
        ("TZ=UTC date -r 86400 +%F", "1970-01-02\n"),
        ("TZ=UTC date -j -f '%Y-%m-%dT%H:%M:%SZ' 2024-02-29T01:02:03Z +%s", "1709168523\n"),
        ("date -j -f '%Y-%m-%dT%H:%M:%S%z' 2024-02-29T01:02:03+0100 +%s", "1709164923\n"),
        ("TZ=UTC date -jf '%F %T' '2024-02-29 01:02:03' +%s", "1709168523\n"),
        ("date -j -f %s 5 +%s", "5\n"),
        ("a=$(date -v-1d +%s); b=$(date +%s); echo $(((b - a) / 3600))", "24\n"),
        ("a=$(date -v+2H -v -30M +%s); b=$(date +%s); echo $(((a - b) / 60 >= 89))", "1\n"),
        ("date -j +%s | grep -c .", "1\n"),
        ("find -E . -regex '.*/(f|g)'", "./f\n"),
    ],
)
@pytest.mark.not_on_windows("needs-mode")
@pytest.mark.usefixtures("on_macos")
def test_a_form_of_bsd_works_on_macos(script: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"a\n")
    result = Shell(cwd=tmp_path.as_posix()).run(script)
    assert (result.stdout.decode(), result.stderr) == (expected, b"")


@pytest.mark.parametrize(
    "script", ["echo aGkK | base64 -D", "sed -i '' s/a/b/ f", "date -v-1d +%s", "date -j +%s", "find -E . -name f"]
)
def test_elsewhere_it_is_gnus_error(script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(current()), "system", lambda self: ("Linux", "6.1", "v", "x86_64"))
    (tmp_path / "f").write_bytes(b"a\n")
    result = Shell(cwd=tmp_path.as_posix()).run(script)
    assert result.status != 0
    assert (tmp_path / "f").read_bytes() == b"a\n"


@pytest.mark.usefixtures("on_macos")
def test_a_sandbox_in_memory_is_linux() -> None:
    assert Shell(fs=MemoryFS()).run("echo aGkK | base64 -D").status == 1


@pytest.mark.not_on_windows("needs-mode")
@pytest.mark.usefixtures("on_macos")
def test_gnus_forms_work_on_macos_too(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"a\n")
    script = "sed -i.old s/a/b/ f; cat f; stat -c %s f; stat -f . >/dev/null; echo $?; TZ=UTC date -d @0 -r f >/dev/null; echo $?"
    found = Shell(cwd=tmp_path.as_posix()).run(script).stdout.decode().split()
    assert found == ["b", "2", "0", "1"]
    assert sorted(os.listdir(tmp_path)) == ["f", "f.old"]


@pytest.mark.parametrize(
    ("rewrite", "words"),
    [
        (sed_words, ["-n", "-i", "s/a/b/", "f"]),
        (sed_words, ["-e", "p", "--", "-i", ""]),
        (sed_words, ["-i"]),
        (stat_words, ["-f", "/"]),
        (stat_words, ["-f", "-c", "%a", "/"]),
        (stat_words, ["-f", "%Sm", "f"]),
        (stat_words, ["-f"]),
        (stat_words, ["--", "-f", "%m"]),
        (date_words, ["-r", "file"]),
        (date_words, ["-v-1m"]),
        (date_words, ["-v1d"]),
        (date_words, ["-j", "-f", "%Y-%m-%d", "2024-01-02", "+%s"]),
        (date_words, ["-j", "-f", "%Y-%m-%dT%H:%M:%S", "2024-01-02", "+%s"]),
        (date_words, ["-j", "-f", "%F %T"]),
        (date_words, ["-j", "-f", "%s", "5", "-v-1d"]),
        (date_words, ["-f", "file"]),
        (base64_words, ["-d", "-w", "0"]),
        (find_words, [".", "-E"]),
        (find_words, []),
    ],
)
def test_doubtful_forms_stay(rewrite: object, words: list[str]) -> None:
    assert callable(rewrite)
    assert rewrite(words) == words
