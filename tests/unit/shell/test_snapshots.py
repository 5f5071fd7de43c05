"""Snapshots of a session: all of its state comes back, here and in another process, and a forged one is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import HostFS, MemoryFS, Session, Shell, Snapshot, UntrackedFilesError

BEGIN = r"""
cd /data; export E='a b'; plain=1; readonly R=5; declare -i n=3; declare -a a=(1 '2 3' [7]=x); declare -A m=([k]=v ['a b']=w)
declare -u up=abc; declare -n ref=plain; bytes=$'\xff\x01'; unset OPTIND; IFS=,; RANDOM=7
f() { local x=1; [[ $1 == a* ]] && echo "f$1" <<< "in"; cat <<END
here $1
END
}
shopt -s extglob
g() { case $1 in @(x|y)) echo yes;; *) echo no;; esac; }
set -o pipefail; set -u; set -- one 'two three'; umask 027; shopt -s expand_aliases; alias say='echo said'; trap 'echo heard' USR1
pushd /tmp >/dev/null; echo made > /data/made; rm /data/gone; ln -s made /data/link; ln /data/made /data/hard; chmod 700 /data/x
mkdir -p /data/d/e; printf 'a\0b\377' > /data/d/e/binary
"""

LOOK = r"""
pwd; declare -p E plain R n a m up ref; printf '%s' "$bytes" | od -An -tx1; echo "${OPTIND-unset} [$IFS]"; f a; g x; g z; echo $# "$2"
umask; set -o | grep -E 'pipefail|nounset'; say so; kill -USR1 $$; dirs; echo $RANDOM; declare -f f g
unset IFS; cat /data/made /data/link; ls -l /data | awk '{print $1, $2, $5, $9, $10, $11}'; od -An -c /data/d/e/binary
stat -c '%i' /data/made /data/hard | uniq | wc -l; echo more >> /data/hard; cat /data/made; shopt extglob
"""


def make() -> Session:
    return Shell.sandbox({"/data/x": "1\n", "/data/gone": "2\n"}).session()


def prepared_session() -> Session:
    session = make()
    result = session.run(BEGIN)
    assert result.ok, result.report()
    return session


def test_all_of_it_is_restored() -> None:
    session = prepared_session()
    snapshot = session.snapshot()
    seen = session.run(LOOK)
    assert seen.ok and len(seen.stdout.splitlines()) > 50, seen.report()
    session.run(
        "cd /; rm -r /data/*; unset plain E a m n up ref; unset -f f g; unalias say; trap - USR1; set +u; RANDOM=1"
    )
    session.restore(snapshot)
    assert session.run(LOOK).text == seen.text
    session.restore(snapshot)  # what ran since has not changed it
    assert session.run(LOOK).text == seen.text


def test_it_is_restored_in_another_process() -> None:
    session = prepared_session()
    data = session.snapshot().to_bytes()
    seen = session.run(LOOK)
    other = make()
    other.restore(Snapshot.from_bytes(data))
    assert other.run(LOOK).text == seen.text
    code = (
        "import sys; from pyshellhooks import *\n"
        "s = Shell.sandbox({'/data/x': ''}).session(); s.restore(Snapshot.from_bytes(sys.stdin.buffer.read()))\n"
        "sys.stdout.buffer.write(s.run(sys.argv[1]).stdout)"
    )
    done = subprocess.run([sys.executable, "-c", code, LOOK], input=data, capture_output=True, check=False)
    assert (done.stdout, done.stderr) == (seen.stdout, b"")


def test_the_same_state_gives_the_same_bytes() -> None:
    session = prepared_session()
    data = session.snapshot().to_bytes()
    session.restore(Snapshot.from_bytes(data))
    assert session.snapshot().to_bytes() == data


def test_mounts(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "file").write_bytes(b"below\n")
    shell = Shell.sandbox(overlay={"/a": tmp_path / "a"}, read_only={"/b": tmp_path})
    session = shell.session()
    session.run("echo above >> /a/file; echo new > /a/new; rm -f /a/none; echo m > /tmp/m")
    data = session.snapshot().to_bytes()
    session.run("rm /a/*; rm /tmp/m")
    session.restore(Snapshot.from_bytes(data))
    assert session.run("cat /a/file /a/new /tmp/m").text == "below\nabove\nnew\nm\n"
    assert (tmp_path / "a" / "file").read_bytes() == b"below\n"
    for other in (
        Shell.sandbox(overlay={"/c": tmp_path}),
        Shell.sandbox(),
        Shell.sandbox(read_only={"/a": tmp_path, "/b": tmp_path}),
    ):
        stranger = other.session()
        stranger.run("x=1")
        with pytest.raises(ValueError, match="the snapshot"):
            stranger.restore(Snapshot.from_bytes(data))
        assert stranger.run("echo $x").text == "1\n"


def test_files_on_the_disk_are_refused_with_a_hint(tmp_path: Path) -> None:
    for session, named in (
        (Shell(fs=HostFS(), spawn=False).session(), type(HostFS()).__name__),
        (Shell.sandbox(read_write={"/w": tmp_path}).session(), "/w: "),
    ):
        for ask in (session.snapshot, session.changes, session.diff):
            with pytest.raises(UntrackedFilesError, match="mount the directory as an overlay") as caught:
                ask()
            assert named in str(caught.value)
        assert session.run("echo on").ok


def test_a_file_system_that_is_too_small() -> None:
    session = make()
    session.run("head -c 3000 /dev/zero > /tmp/big")
    small = Shell(fs=MemoryFS(max_bytes=2000), env={}).session()
    with pytest.raises(ValueError, match="above the limits of this file system"):
        small.restore(session.snapshot())


def _at(*path: Any) -> Callable[[dict[str, Any], Any], None]:
    def put(document: dict[str, Any], value: Any) -> None:
        there: Any = document
        for part in path[:-1]:
            there = there[part]
        there[path[-1]] = value

    return put


FORGED = {
    "another format": (_at("format"), "tar"),
    "a later version": (_at("version"), 2),
    "a directory that is a number": (_at("shell", "cwd"), 5),
    "arguments that are no list": (_at("shell", "args"), "ab"),
    "an option that is no truth": (_at("shell", "errexit"), "yes"),
    "a variable of no kind": (_at("variables", "x"), {"value": "1", "kind": "z", "case": "", "flags": [], "special": False}),
    "a flag that is none": (_at("variables", "x"), {"value": "1", "kind": "s", "case": "", "flags": ["value"], "special": False}),
    "a variable that is a number": (_at("variables", "x"), 5),
    "a function that runs at once": (_at("functions", "f"), "f() { :; }; touch /tmp/ran"),
    "a function of another name": (_at("functions", "f"), "cd() { :; }"),
    "a command in place of a function": (_at("functions", "f"), "touch /tmp/ran"),
    "a function that does not parse": (_at("functions", "f"), "f() { if"),
}  # fmt: skip
FORGED_FILES = {
    "no nodes": (_at("files", "nodes"), []),
    "a root that is a file": (_at("files", "nodes", 0, "mode"), 0o100644),
    "a circle": (_at("files", "nodes", 0, "entries", "tmp"), 0),
    "a place that there is not": (_at("files", "nodes", 0, "entries", "tmp"), 999),
    "a place from the end": (_at("files", "nodes", 0, "entries", "tmp"), -1),
    "a name with a slash": (_at("files", "nodes", 0, "entries", "a/b"), 1),
    "a name that leads up": (_at("files", "nodes", 0, "entries", ".."), 1),
    "a device that there is not": (_at("files", "nodes", 1, "device"), "sda"),
    "a mode that is no number": (_at("files", "nodes", 1, "mode"), "755"),
    "content that is no bytes": (_at("files", "nodes", 1, "data"), [1]),
    "an overlay": (_at("files", "kind"), "overlay"),
}


@pytest.mark.parametrize("case", [*FORGED, *FORGED_FILES])
def test_a_forged_one_is_refused_and_changes_nothing(case: str) -> None:
    document = json.loads(make().snapshot().to_bytes())
    put, value = (FORGED | FORGED_FILES)[case]
    put(document, value)
    session = make()
    session.run("kept=1; echo kept > /tmp/kept")
    with pytest.raises(ValueError, match=r"the snapshot|the mounts differ"):
        session.restore(Snapshot.from_bytes(json.dumps(document).encode()))
    assert session.run("echo $kept; cat /tmp/kept; ls /tmp/ran 2>/dev/null").text == "1\nkept\n"


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[]", b"null", b"\xff", b"[" * 100_000, b'{"format": "pyshellhooks-snapshot", "version": 1}']
)
def test_bytes_of_no_snapshot(data: bytes) -> None:
    with pytest.raises(ValueError, match="the snapshot can't be read"):
        Snapshot.from_bytes(data)
